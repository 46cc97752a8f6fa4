package trials

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// TestCallsAsPeopleWriteThem: arguments in the words and forms that people use run, with a notice that says how they were read, or are
// answered with the complete call that asks the same. today stands for the current day.
func TestCallsAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	all := toolTable(serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(newRegistry(t))))
	today := time.Now().UTC().Format(time.DateOnly)
	for _, tt := range []struct{ tool, args, want string }{
		{tools.SearchTrials, `{"condition":["asthma","copd"]}`, `condition: the list was read as "asthma OR copd": one of its values must match.`},
		{tools.CountTrials, `{"intervention":["insulin","a AND b"]}`, `intervention: the list was read as "insulin OR (a AND b)"`},
		{tools.SearchTrials, `{"conditions":["asthma","copd"],"phase":["3"]}`,
			`Read with condition instead of conditions, its values joined by OR.`},
		{tools.SearchTrials, `{"primary_outcome":["survival","response"]}`, `primary_outcome: the list was read as`},
		{tools.SearchTrials, `{"condition":"asthma","sort":"start_date"}`, `"start_date":"until ` + today + `"}`},
		{tools.SearchTrials, `{"condition":"asthma","blinding":"Double-blind"}`, "Read with masking instead of blinding."},
		{tools.CountTrials, `{"randomized":true,"condition":"asthma"}`, "Read with allocation instead of randomized."},
		{tools.SearchTrials, `{"masking":"blinded"}`, `masking ["SINGLE","DOUBLE","TRIPLE","QUADRUPLE"]`},
		{tools.SearchTrials, `{"expression":"zzyzx:3"}`, "AREA[Phase]PHASE3"},
		{tools.SearchTrials, `{"expression":"AREA[Phase:size]2"}`, ""},
		{tools.SearchTrials, `{"sponsor_class":"government","condition":"asthma"}`, `sponsor_class ["NIH","FED","OTHER_GOV"]`},
		{tools.SearchTrials, `{"intervention_type":"app"}`, `intervention_type ["DEVICE","BEHAVIORAL","OTHER"]`},
		{tools.CountTrials, `{"intervention_type":"vaccine"}`, `intervention_type: "vaccine" was read as BIOLOGICAL`},
	} {
		called := all[slices.IndexFunc(all, func(c *tool.Tool) bool { return c.Name == tt.tool })]
		var got struct {
			Notices []string
			Error   struct {
				Hint string `json:"recovery_hint"`
			}
		}
		result := called.Call(t.Context(), slog.New(slog.DiscardHandler), json.RawMessage(tt.args))
		expect.NoError(t, json.Unmarshal(result.JSON, &got))
		expect.That(t, strings.Contains(strings.Join(got.Notices, " ")+got.Error.Hint, tt.want), "%s %s: %v", tt.tool, tt.args, got)
	}
}

// TestPartsOfSentences: a text of the caller that looks like a part of a sentence stays as it is.
func TestPartsOfSentences(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"‹tool›", "‹text›", "‹literal›", filters.TheTool, filters.TheText, filters.TheLiteral} {
		text = entity.Clean(text)
		for _, args := range []tools.TrialFilters{{Country: []string{text}}, {Enrollment: text}, {StartDate: text}, {Phase: []string{text}},
			{Status: []string{text}}, {Age: text}, {Condition: "the", Near: text, Within: text}} {
			_, err := filters.Read(tools.SearchTrials, args, ranges.CalendarOf(""))
			e := entity.AsError(err)
			expect.That(t, err != nil && !strings.Contains(e.Message+e.Hint, "\x00"), "%+v: %s %s", args, e.Message, e.Hint)
			expect.That(t, strings.Count(e.Message, text) < 2 && !strings.Contains(e.Hint, `"search_trials`), "%+v: %s %s", args, e.Message, e.Hint)
		}
	}
}
