package trials

import (
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// TestQueries: the rows of several texts are joined by their ranks, each names the texts that found it, and a text costs one request.
func TestQueries(t *testing.T) {
	t.Parallel()
	reg := newRegistry(t)
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(reg))
	answer, err := s.SearchTrials(t.Context(), tools.SearchTrialsArgs{PageSize: 50,
		Queries: []string{"nivolumab", "zzqx", "melanoma", " Nivolumab "}})
	expect.NoError(t, err)
	items := answer.Value.Items
	expect.That(t, len(items) > 2 && slices.Equal(items[0].FoundBy, []int{1, 3}), "first: %+v", items[:1])
	for _, item := range items {
		expect.That(t, len(item.FoundBy) > 0 && !slices.Contains(item.FoundBy, 2), "%s: %v", item.ID, item.FoundBy)
	}
	notices := strings.Join(answer.Notices, " ")
	expect.That(t, strings.Contains(notices, "equal texts") && strings.Contains(notices, "found nothing: zzqx") &&
		strings.Contains(notices, "of 3 texts"), "%s", notices)
	for _, args := range []tools.SearchTrialsArgs{
		{Queries: []string{"a", "b"}, Sort: "start_date"}, {Queries: []string{"a", "b"}, Cursor: "x"},
		{Queries: []string{"a", "b"}, TrialFilters: tools.TrialFilters{Query: "c"}},
	} {
		_, err := s.SearchTrials(t.Context(), args)
		e := entity.AsError(err)
		expect.That(t, e.Code == entity.InvalidInput && e.Next != nil, "%+v: %+v", args, e)
	}
}
