package trials

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// withoutSecond fails each request for the trials that have some of the words.
type withoutSecond struct{ http.RoundTripper }

func (w withoutSecond) RoundTrip(req *http.Request) (*http.Response, error) {
	if query := req.URL.Query(); strings.Contains(query.Get("query.term")+query.Get("query.cond"), ") OR ") {
		return nil, errors.New("connection reset")
	}
	return w.RoundTripper.RoundTrip(req)
}

// TestRelaxed: relaxed trials are beside the strict answer, which is the same if they cannot be read. A walk through the trials with some
// of the words shows each once and those with all words first, as many as the notice and count_trials say.
func TestRelaxed(t *testing.T) {
	t.Parallel()
	records, err := sourcetest.Embedded()
	expect.NoError(t, err)
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(records))
	broken := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(withoutSecond{records}))
	for _, filters := range []tools.TrialFilters{
		{Query: "management of melanoma nivolumab"}, {Query: "melanoma nivolumab"}, {Query: "nivolumab pembrolizumab asthma"},
		{Condition: "melanoma stage asthma", Intervention: "nivolumab montelukast"},
		{Query: "paediatric asthma", Status: []string{"completed"}},
		{Query: `woman with asthma and "chest tightness" on montelukast for years now`},
	} {
		args := tools.SearchTrialsArgs{TrialFilters: filters, PageSize: 20}
		strict, err := s.SearchTrials(t.Context(), args)
		expect.NoError(t, err)
		relaxed := strict.Value.Beside.Relaxed
		expect.Must(t, relaxed != nil && len(relaxed.Items) > 0 && len(relaxed.Items)+len(strict.Value.Items) <= maxRelaxed,
			"%v: not relaxed: %v", filters, strict.Notices)
		without, err := broken.SearchTrials(t.Context(), args)
		expect.NoError(t, err)
		expect.That(t, without.Value.Beside.Relaxed == nil && slices.Contains(without.Notices, relaxedFailed), "%v", without.Notices)
		strict.Value.Beside, without.Value.Beside = entity.TrialSearch{}, entity.TrialSearch{}
		expect.Equal(t, "strict rows", strict.Value, without.Value)

		all := *strict.Value.Pagination.TotalCount
		ids, total := walkAny(t, s, filters)
		expect.Equal(t, "trials of the walk", total, len(ids))
		expect.Equal(t, "trials of the walk", all+*relaxed.SomeWords, total)
		for i, c := range strict.Value.Items {
			expect.Equal(t, "strict trials come first", c.ID, ids[i])
		}
		expect.That(t, len(relaxed.Items[0].MatchedWords) > 0, "%s has no matched words", relaxed.Items[0].ID)
		for i, c := range relaxed.Items {
			expect.Equal(t, "relaxed trials follow", c.ID, ids[all+i])
		}
		slices.Sort(ids)
		expect.Equal(t, "trials that the walk shows once", len(ids), len(slices.Compact(ids)))
		filters.Words = anyWord
		counts, err := s.CountTrials(t.Context(), tools.CountTrialsArgs{TrialFilters: filters})
		expect.NoError(t, err)
		expect.Equal(t, "count_trials", total, counts.Value.TotalCount)
	}
}

// walkAny returns the ids of all trials with some of the words, and the number that the pages give.
func walkAny(t *testing.T, s *Trials, filters tools.TrialFilters) (ids []string, total int) {
	t.Helper()
	args := tools.SearchTrialsArgs{TrialFilters: filters, PageSize: 3}
	args.Words = anyWord
	for {
		page, err := s.SearchTrials(t.Context(), args)
		expect.NoError(t, err)
		expect.That(t, page.Value.Beside.Relaxed == nil, "relaxed beside words any")
		total = *page.Value.Pagination.TotalCount
		for _, c := range page.Value.Items {
			ids = append(ids, c.ID)
		}
		if args.Cursor = page.Value.Pagination.Cursor; args.Cursor == "" {
			return ids, total
		}
	}
}

// TestRelaxedApart: relaxed trials cost one request, and the first 600 bytes of an answer have no trial that is not named as relaxed.
func TestRelaxedApart(t *testing.T) {
	t.Parallel()
	records, err := sourcetest.Embedded()
	expect.NoError(t, err)
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(records))
	for _, filters := range []tools.TrialFilters{{Query: "melanoma montelukast zzqx"},
		{Query: "melanoma nivolumab"}} {
		answer, err := s.SearchTrials(t.Context(), tools.SearchTrialsArgs{TrialFilters: filters, PageSize: 20})
		expect.NoError(t, err)
		expect.Equal(t, "requests", 2, answer.Provenance.UpstreamRequests)
		data, err := json.Marshal(answer)
		expect.NoError(t, err)
		text := string(data)
		total, heading := strings.Index(text, `"total_count"`), strings.Index(text, `"relaxed":{"some_words"`)
		first := strings.Index(text, answer.Value.Beside.Relaxed.Items[0].ID)
		expect.That(t, strings.HasPrefix(text, `{"items":[`) && 0 < total && total < heading && heading < first, "%.600s", text)
		expect.That(t, len(answer.Value.Items) > 0 || heading < 150, "%.600s", text)
	}
}

// TestNotRelaxed: a search without several bare words stays strict, and takes one request.
func TestNotRelaxed(t *testing.T) {
	t.Parallel()
	for _, filters := range []tools.TrialFilters{
		{Query: `"heart failure"`}, {Query: "heart AND lung"}, {Query: "heart NOT lung"}, {Query: "asthma"}, {Title: "heart lung"},
		{NCTIDs: []string{"NCT00461032"}}, {Expression: "AREA[Phase]PHASE2 lung"}, {Location: "Boston, MA"},
		{LeadSponsor: []string{"Example Pharma"}}, {Condition: "smoking", Query: "nivolumab"}, {Query: `"chest pain" asthma`},
	} {
		source := &fixedStatus{status: http.StatusOK, text: `{"studies":[],"totalCount":0}`}
		s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(source))
		answer, err := s.SearchTrials(t.Context(), tools.SearchTrialsArgs{TrialFilters: filters, PageSize: 20})
		expect.NoError(t, err)
		expect.That(t, answer.Value.Beside.Relaxed == nil && source.requests == 1, "%v: %d requests", filters, source.requests)
	}
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(&fixedStatus{status: http.StatusOK, text: `{}`}))
	_, err := s.SearchTrials(t.Context(), tools.SearchTrialsArgs{TrialFilters: tools.TrialFilters{Query: "lung pain", Words: anyWord},
		Sort: "start_date", PageSize: 5})
	e := entity.AsError(err)
	expect.That(t, e != nil && e.Code == entity.InvalidInput && strings.HasPrefix(e.Message, "sort: "), "%v", err)
}

// TestNoRelaxedRows: a search for fields without a hit has one notice for each way on.
func TestNoRelaxedRows(t *testing.T) {
	t.Parallel()
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(&fixedStatus{status: http.StatusOK, text: `{"studies":[],"totalCount":0}`}))
	answer, err := s.SearchTrials(t.Context(), tools.SearchTrialsArgs{
		TrialFilters: tools.TrialFilters{Condition: "asthma attack", Intervention: "zzqx"},
		Fields:       []string{"arms"}, PageSize: 20})
	expect.NoError(t, err)
	expect.Equal(t, "notices", "No trial matches all of condition, intervention: leave one out or widen it.\n"+
		`For the trials that have some of the words call search_trials again with {"words":"any"}.`, strings.Join(answer.Notices, "\n"))
}
