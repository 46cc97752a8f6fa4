package service

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// TestCallsAsPeopleWriteThem: arguments in the words and forms that people use run, with a notice that says how they were read, or are
// answered with the complete call that asks the same. today stands for the current day.
func TestCallsAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	all := toolTable(serve(t, nil, registryURL, policy(newRegistry(t))))
	today := time.Now().UTC().Format(time.DateOnly)
	for _, tt := range []struct{ tool, args, want string }{
		{tools.SearchTrials, `{"condition":["asthma","copd"]}`, `condition: the list was read as "asthma OR copd": one of its values must match.`},
		{tools.CountTrials, `{"intervention":["insulin","a AND b"]}`, `intervention: the list was read as "insulin OR (a AND b)"`},
		{tools.SearchTrials, `{"conditions":["asthma","copd"],"phase":["3"]}`,
			`Call search_trials with {"condition":"asthma OR copd","phase":["3"]}: condition instead of conditions, its values joined by OR.`},
		{tools.SearchTrials, `{"condition":["asthma","copd"],"phase":"late"}`, `"condition":"asthma OR copd"`},
		{tools.SearchTrials, `{"primary_outcome":["survival","response"]}`, `primary_outcome: the list was read as`},
		{tools.SearchTrials, `{"start_date":"until today"}`, `start_date: "until today" was read as until ` + today + `; today is ` + today + `.`},
		{tools.CountTrials, `{"first_posted":{"from":"last month"}}`, `first_posted: "last month.." was read as since `},
		{tools.SearchTrials, `{"condition":"asthma","sort":"start_date"}`, `"start_date":"until today"}`},
		{tools.SearchTrials, `{"condition":"asthma","masking":"Double-blind"}`,
			`Call search_trials with {"condition":"asthma","expression":"AREA[DesignMasking]DOUBLE"}: masking in expression.`},
		{tools.CountTrials, `{"randomized":true,"expression":"a OR b"}`, `{"expression":"(a OR b) AND AREA[DesignAllocation]RANDOMIZED"}`},
		{tools.SearchTrials, `{"purpose":["prevention","treatment"]}`,
			`{"expression":"(AREA[DesignPrimaryPurpose]PREVENTION OR AREA[DesignPrimaryPurpose]TREATMENT)"}`},
		{tools.SearchTrials, `{"investigator":"Ann Example"}`, `{"expression":"AREA[OverallOfficialName]\"Ann Example\""}`},
		{tools.SearchTrials, `{"mesh":"Asthma"}`, `{"expression":"AREA[ConditionMeshTerm]\"Asthma\""}`},
		{tools.SearchTrials, `{"expression":"phase:3 AND status=recruiting"}`, `Call search_trials again with {"phase":"3","status":"recruiting"}.`},
		{tools.SearchTrials, `{"expression":"zzyzx:3"}`, "AREA[Piece]value"},
		{tools.SearchTrials, `{"expression":"AREA[Phase:size]2"}`, ""},
		{tools.SearchTrials, `{"sponsor_class":"government","condition":"asthma"}`, `{"condition":"asthma","sponsor_class":["NIH","FED","OTHER_GOV"]}`},
		{tools.SearchTrials, `{"intervention_type":"app"}`, `{"intervention_type":["DEVICE","BEHAVIORAL","OTHER"]}`},
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
