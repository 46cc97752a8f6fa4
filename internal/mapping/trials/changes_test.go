package trials

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// outcomeList returns a list of outcomes: measure, or measure|time frame|description.
func outcomeList(texts ...string) (list []any) {
	for _, text := range texts {
		item := map[string]any{}
		for i, value := range strings.Split(text, "|") {
			if value != "" {
				item[[]string{"measure", "timeFrame", "description"}[i]] = value
			}
		}
		list = append(list, item)
	}
	return list
}

// TestOutcomeChanges: each outcome has one change of the right kind, also if another list has it now.
func TestOutcomeChanges(t *testing.T) {
	t.Parallel()
	type lists struct{ primary, secondary []any }
	for _, tt := range []struct {
		name          string
		before, after lists
		fields        []string
		want          []string // field kind before > after
	}{
		{"added and dropped", lists{primary: outcomeList("Overall survival|5 years")},
			lists{primary: outcomeList("Pain score|1 week|0 to 10")}, nil,
			[]string{"primary_outcome dropped Overall survival [5 years] > ", "primary_outcome added  > Pain score [1 week] — 0 to 10"}},
		{"half of the words stay", lists{primary: outcomeList("Change in pain score")},
			lists{primary: outcomeList("Pain score at rest")}, nil,
			[]string{"primary_outcome changed Change in pain score > Pain score at rest"}},
		{"fewer stay", lists{primary: outcomeList("Change in pain score")}, lists{primary: outcomeList("Score of sleep")}, nil,
			[]string{"primary_outcome dropped Change in pain score > ", "primary_outcome added  > Score of sleep"}},
		{"the time frame", lists{primary: outcomeList("Death|1 year")}, lists{primary: outcomeList("Death|2 years")}, nil,
			[]string{"primary_outcome changed Death [1 year] > Death [2 years]"}},
		{"the description", lists{primary: outcomeList("Death|1 year|of any cause")}, lists{primary: outcomeList("Death|1 year")}, nil,
			[]string{"primary_outcome changed Death [1 year] — of any cause > Death [1 year]"}},
		{"two for one", lists{primary: outcomeList("Pain score at day 1", "Pain score at day 2")},
			lists{primary: outcomeList("Pain score at day 2 or 3")}, nil,
			[]string{"primary_outcome dropped Pain score at day 1 > ", "primary_outcome changed Pain score at day 2 > Pain score at day 2 or 3"}},
		{"to secondary", lists{outcomeList("Death", "Pain"), outcomeList("Sleep")},
			lists{outcomeList("Pain"), outcomeList("Sleep", "death|1 year")}, nil,
			[]string{"primary_outcome to_secondary Death > death [1 year]"}},
		{"from secondary, asked for one field", lists{outcomeList("Pain"), outcomeList("Death")}, lists{outcomeList("Pain", "Death"), nil},
			[]string{"primary_outcome"}, []string{"primary_outcome from_secondary Death > Death"}},
		{"to secondary, asked for the other", lists{outcomeList("Death"), nil}, lists{outcomeList("Pain"), outcomeList("Death")},
			[]string{"secondary_outcome"}, []string{"secondary_outcome to_secondary Death > Death"}},
		{"an exchange", lists{outcomeList("Death|1 year"), outcomeList("Pain|1 week")},
			lists{outcomeList("Pain|1 week"), outcomeList("Death|1 year")}, nil,
			[]string{"primary_outcome to_secondary Death [1 year] > Death [1 year]", "primary_outcome from_secondary Pain [1 week] > Pain [1 week]"}},
		{"one moves, one of the same measure stays", lists{primary: outcomeList("Death|1 year")},
			lists{outcomeList("Death|2 years"), outcomeList("Death|1 year")}, nil,
			[]string{"primary_outcome to_secondary Death [1 year] > Death [1 year]", "primary_outcome added  > Death [2 years]"}},
		{"the order", lists{primary: outcomeList("Death", "Pain", "Death")}, lists{primary: outcomeList("Pain", "Death", "Death")}, nil,
			[]string{"primary_outcome reordered  > "}},
		{"a repeated one less", lists{secondary: outcomeList("Death", "Death")}, lists{secondary: outcomeList("Death")}, nil,
			[]string{"secondary_outcome dropped Death > "}},
	} {
		var parts []ChangedPart
		for i, list := range [][2][]any{{tt.before.primary, tt.after.primary}, {tt.before.secondary, tt.after.secondary}} {
			if wholeItem(list[0]) != wholeItem(list[1]) {
				parts = append(parts, ChangedPart{Field: outcomeFields[i], Before: listOrNil(list[0]), After: listOrNil(list[1])})
			}
		}
		var got []string
		for _, c := range fieldChanges(parts, tt.fields) {
			got = append(got, c.Field+" "+c.Kind+" "+c.Before+" > "+c.After)
		}
		expect.Equal(t, tt.name, strings.Join(tt.want, "\n"), strings.Join(got, "\n"))
	}
}

func listOrNil(list []any) any {
	if list == nil {
		return nil
	}
	return list
}

// TestFieldChanges: values are shown with their place, lists by the identities of their items, and contacts never.
func TestFieldChanges(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ field, path, before, after, want string }{
		{"status", ".protocolSection.statusModule.overallStatus", `"RECRUITING"`, `"COMPLETED"`,
			`[{"field":"status","path":"statusModule.overallStatus","before":"RECRUITING","after":"COMPLETED"}]`},
		{"start_date", ".protocolSection.statusModule.startDateStruct", `{"date":"2026-05","type":"ESTIMATED"}`,
			`{"date":"2026-05","type":"ACTUAL"}`,
			`[{"field":"start_date","path":"statusModule.startDateStruct","before":"2026-05 (ESTIMATED)","after":"2026-05 (ACTUAL)"}]`},
		{"enrollment", ".protocolSection.designModule.enrollmentInfo", `{"count":0}`, `null`,
			`[{"field":"enrollment","path":"designModule.enrollmentInfo","before":"0"}]`},
		{"design", ".protocolSection.designModule.designInfo", `{"maskingInfo":{"masking":"NONE"},"allocation":"NA"}`,
			`{"maskingInfo":{"masking":"DOUBLE"},"allocation":"NA"}`,
			`[{"field":"design","path":"designModule.designInfo.maskingInfo.masking","before":"NONE","after":"DOUBLE"}]`},
		{"phase", ".protocolSection.designModule.phases", `["PHASE2"]`, `["PHASE2","PHASE3"]`,
			`[{"field":"phase","path":"designModule.phases","added":["PHASE3"]}]`},
		{"sites", ".protocolSection.contactsLocationsModule.locations",
			`[{"facility":"A","city":"X","status":"RECRUITING"},{"facility":"B","city":"X"},{"facility":"C","city":"X"}]`,
			`[{"facility":"C","city":"X"},{"facility":"A","city":"X","status":"COMPLETED"},{"facility":"A","city":"X"}]`,
			`[{"field":"sites","kind":"reordered","path":"contactsLocationsModule.locations","added":["A, X"],"removed":["B, X"],` +
				`"changed":[{"item":"A, X","before":"status: RECRUITING","after":"status: COMPLETED"}]}]`},
		{"references", ".protocolSection.referencesModule.references", `[{"pmid":"1","citation":"One"}]`,
			`[{"citation":"Two"},{"pmid":"1","citation":"One."}]`,
			`[{"field":"references","path":"referencesModule.references","added":["Two"],"changed":[{"item":"PMID 1: One","before":"citation: One",` +
				`"after":"citation: One."}]}]`},
		{"contacts", ".protocolSection.contactsLocationsModule.centralContacts", `[{"name":"Ann"}]`, `[{"name":"Bob"}]`, `[{"field":"contacts"}]`},
		{"results", ".resultsSection", `null`, `{"baselineCharacteristicsModule":{}}`, `[{"field":"results","kind":"added"}]`},
		{"results", ".resultsSection", `{"a":1,"b":1}`, `{"a":2,"c":1}`, `[{"field":"results","kind":"changed","path":"resultsSection.a"},` +
			`{"field":"results","kind":"dropped","path":"resultsSection.b"},{"field":"results","kind":"added","path":"resultsSection.c"}]`},
	} {
		p := ChangedPart{Field: tt.field, Path: tt.path}
		expect.NoError(t, json.Unmarshal([]byte(tt.before), &p.Before))
		expect.NoError(t, json.Unmarshal([]byte(tt.after), &p.After))
		twice := []ChangedPart{p}
		if tt.field == "contacts" {
			twice = append(twice, p)
		}
		got, err := entity.JSON(fieldChanges(twice, nil))
		expect.NoError(t, err)
		expect.Equal(t, tt.path, tt.want, string(got))
	}
}

// TestTiming: the day of the data is after a date of the new version, of which a month counts to its last day.
func TestTiming(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ start, completion, submitted, want string }{
		{"2026-09-01", "2026-09-02", "2026-09-01", "true false 2026-09-01"},
		{"2026-09-02", "", "2026-08-01", "false absent "},
		{"2026-09", "2026-08", "2026-08-30", "false true 2026-08-30"},
		{"2026-08", "2025", "2026-09-01", "true true "},
		{"", "", "2026-09-01", "absent absent "},
	} {
		status := map[string]any{"lastUpdateSubmitDate": tt.submitted, "overallStatus": "RECRUITING"}
		for name, day := range map[string]string{"startDateStruct": tt.start, "primaryCompletionDateStruct": tt.completion} {
			if day != "" {
				status[name] = map[string]any{"date": day}
			}
		}
		record := map[string]any{"protocolSection": map[string]any{"statusModule": status}}
		c := TrialChange(&RecordVersions{ID: "NCT00000001", From: "2026-09-01", To: "2026-09-02T09:00:00", Old: record, Current: record,
			Parts: []ChangedPart{{Field: "status", Before: "A", After: "B"}}}, nil)
		shown := func(v *bool) string {
			if v == nil {
				return "absent"
			}
			return wholeItem(*v)
		}
		expect.Equal(t, tt.start, tt.want, shown(c.Changes[0].AfterStart)+" "+shown(c.Changes[0].AfterPrimaryCompletion)+" "+c.Submitted)
	}
}
