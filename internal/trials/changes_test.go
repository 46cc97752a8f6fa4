package trials

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// An edit changes one value of some records, which belongs to a field.
type edit struct {
	field string
	path  []string
	value func(n int) any
}

func made(text string) func(int) any { return func(n int) any { return fmt.Sprint(text, " ", n) } }

var edits = []edit{
	{"status", []string{"protocolSection", "statusModule", "overallStatus"}, func(n int) any {
		return []string{"COMPLETED", "TERMINATED", "SUSPENDED"}[n%3]
	}},
	{"title", []string{"protocolSection", "identificationModule", "officialTitle"}, made("A trial")},
	{"criteria", []string{"protocolSection", "eligibilityModule", "eligibilityCriteria"}, made("Inclusion Criteria:\n\n* Adults")},
	{"primary_outcome", []string{"protocolSection", "outcomesModule", "primaryOutcomes"}, func(n int) any {
		return []any{map[string]any{"measure": fmt.Sprintf("Number%d", n), "timeFrame": "1 week"}}
	}},
	{"sites", []string{"protocolSection", "contactsLocationsModule", "locations"}, func(n int) any {
		return []any{map[string]any{"facility": fmt.Sprint("Hospital ", n), "city": "Bern", "country": "Switzerland",
			"contacts": []any{map[string]any{"name": "Secret Person"}}}}
	}},
	{"contacts", []string{"protocolSection", "contactsLocationsModule", "centralContacts"}, func(n int) any {
		return []any{map[string]any{"name": fmt.Sprint("Secret Person ", n)}}
	}},
	{"", []string{"protocolSection", "statusModule", "statusVerifiedDate"}, func(n int) any { // quiet
		return fmt.Sprintf("20%02d-01", n%90+10)
	}},
}

// publication edits some records, and returns the fields that really changed, by trial; of a quiet edit none.
func (r *changingRegistry) publication(n int) map[string]map[string]bool {
	changed := map[string]map[string]bool{}
	today := r.day.AddDate(0, 0, 1).Format(time.DateOnly)
	for k := range 12 {
		i, e := r.random.IntN(len(r.bodies)), edits[r.random.IntN(len(edits))]
		value, before := e.value(n*100+k), any(r.bodies[i])
		for _, key := range e.path {
			object, _ := before.(map[string]any)
			before = object[key]
		}
		if reflect.DeepEqual(before, value) {
			continue
		}
		body := withValue(r.bodies[i], value, e.path...)
		r.bodies[i] = withValue(body, today, "protocolSection", "statusModule", "lastUpdatePostDateStruct", "date")
		nct := idOf(body)
		if changed[nct] == nil {
			changed[nct] = map[string]bool{}
		}
		if e.field != "" {
			changed[nct][e.field] = true
		}
	}
	r.publish()
	return changed
}

func idOf(body map[string]any) string {
	identification := body["protocolSection"].(map[string]any)["identificationModule"].(map[string]any)
	return "NCT:" + identification["nctId"].(string)[len("NCT"):]
}

// changesOf returns all pages of a call as "trial day: fields", the newest first. Each answer stays below 8 kB and shows no person.
func changesOf(t *testing.T, s *Trials, args tools.TrialChangesArgs) (lines []string, first ChangesAnswer) {
	t.Helper()
	for page := 0; ; page++ {
		answer, err := s.TrialChanges(t.Context(), args)
		expect.NoError(t, err)
		text, err := entity.JSON(answer)
		expect.NoError(t, err)
		expect.That(t, len(text) < 8000 && !strings.Contains(string(text), "Secret"), "%d bytes: %s", len(text), text)
		if page == 0 {
			first = answer
		}
		value := answer.Value
		expect.Equal(t, "compared", first.Value.Beside, value.Beside)
		expect.Is(t, *value.Pagination.TotalCount, *first.Value.Pagination.TotalCount, "total of page %d", page)
		for _, item := range value.Items {
			var fields []string
			for _, c := range item.Changes {
				fields = append(fields, c.Field)
			}
			slices.Sort(fields)
			lines = append(lines, item.ID+" "+item.To+": "+strings.Join(slices.Compact(fields), " "))
		}
		if args.Cursor = value.Pagination.Cursor; args.Cursor == "" {
			return lines, first
		}
		expect.Must(t, len(value.Items) > 0 && page < 100, "the pages do not end")
	}
}

// TestTrialChanges: the answers of trial_changes are the edits that were made, for all trials, some of them, those of a search, by field
// and by day, on pages that end and do not overlap, also if the registry publishes between two of them.
func TestTrialChanges(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	r := newChangingRegistry(t, 5)
	s, update := overMirror(t, r)
	begin := r.day.Format(time.DateOnly)
	type version struct {
		nct, day string
		fields   map[string]bool
	}
	var made []version
	for n := range 6 {
		changed := r.publication(n)
		for _, nct := range slices.Sorted(maps.Keys(changed)) {
			made = append(made, version{nct, r.day.Format(time.DateOnly), changed[nct]})
		}
		update()
	}
	slices.SortFunc(made, func(a, b version) int { return strings.Compare(b.day+b.nct, a.day+a.nct) })
	completed := map[string]bool{}
	for _, body := range r.bodies {
		status := body["protocolSection"].(map[string]any)["statusModule"].(map[string]any)["overallStatus"]
		completed[idOf(body)] = status == "COMPLETED"
	}
	third := r.day.AddDate(0, 0, -3).Format(time.DateOnly)
	some := []string{made[0].nct, made[5].nct, made[9].nct}
	for _, tt := range []struct {
		args tools.TrialChangesArgs
		is   func(version) bool
	}{
		{tools.TrialChangesArgs{}, func(version) bool { return true }},
		{tools.TrialChangesArgs{PageSize: 2}, func(version) bool { return true }},
		{tools.TrialChangesArgs{Since: third}, func(v version) bool { return v.day > third }},
		{tools.TrialChangesArgs{Until: third + "T09:00:05"}, func(v version) bool { return v.day <= third }},
		{tools.TrialChangesArgs{Since: begin, Until: "2030"}, func(version) bool { return true }},
		{tools.TrialChangesArgs{NCTIDs: some}, func(v version) bool { return slices.Contains(some, v.nct) }},
		{tools.TrialChangesArgs{Of: `{"status":["COMPLETED"]}`, PageSize: 3}, func(v version) bool { return completed[v.nct] }},
		{tools.TrialChangesArgs{Fields: []string{"sites", "status"}}, func(v version) bool { return v.fields["sites"] || v.fields["status"] }},
	} {
		if tt.args.PageSize == 0 {
			tt.args.PageSize = 20
		}
		var want []string
		quiet := 0
		for _, v := range made {
			if !tt.is(v) && (len(tt.args.Fields) == 0 || len(v.fields) > 0) {
				continue
			}
			if len(v.fields) == 0 {
				quiet++
				continue
			}
			var fields []string
			for _, field := range slices.Sorted(maps.Keys(v.fields)) {
				if len(tt.args.Fields) == 0 || slices.Contains(tt.args.Fields, field) {
					fields = append(fields, field)
				}
			}
			want = append(want, v.nct+" "+v.day+": "+strings.Join(fields, " "))
		}
		what := tool.Show(tt.args)
		got, first := changesOf(t, s, tt.args)
		expect.Equal(t, what, strings.Join(want, "\n"), strings.Join(got, "\n"))
		expect.Is(t, *first.Value.Pagination.TotalCount, len(want), "total of %s", what)
		expect.Is(t, first.Value.Beside.QuietVersions, quiet, "quiet versions of %s", what)
	}
	args := tools.TrialChangesArgs{PageSize: 4}
	page, err := s.TrialChanges(t.Context(), args)
	expect.NoError(t, err)
	all, _ := changesOf(t, s, args)
	r.publication(9)
	update()
	args.Cursor = page.Value.Pagination.Cursor
	rest, _ := changesOf(t, s, args)
	expect.Equal(t, "after a publication", strings.Join(all[4:], "\n"), strings.Join(rest, "\n"))
}

// TestTrialChangesSize: a long text is cut around what differs, a long list to five items and a number, and the call of the notice shows
// more. A merged id has its own past, a removed trial and a new one are named as such.
func TestTrialChangesSize(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	r := newChangingRegistry(t, 6)
	long := strings.Repeat("Adults who can read this text. ", 300)
	set := func(i int, value any, path ...string) {
		r.bodies[i] = withValue(r.bodies[i], value, append([]string{"protocolSection"}, path...)...)
	}
	set(0, long+"Age over 18. "+long, "eligibilityModule", "eligibilityCriteria")
	set(0, []any{}, "contactsLocationsModule", "locations")
	r.publish()
	s, update := overMirror(t, r)
	var sites []any
	for i := range 300 {
		sites = append(sites, map[string]any{"facility": fmt.Sprint("Hospital of the City ", i), "city": "Bern", "country": "Switzerland"})
	}
	set(0, long+"Age over 21. "+long, "eligibilityModule", "eligibilityCriteria")
	set(0, sites, "contactsLocationsModule", "locations")
	removed, merged := idOf(r.bodies[2]), idOf(r.bodies[3])
	set(1, []any{"NCT" + merged[4:]}, "identificationModule", "nctIdAliases")
	today := r.day.AddDate(0, 0, 1).Format(time.DateOnly)
	for i := range 2 {
		set(i, today, "statusModule", "lastUpdatePostDateStruct", "date")
	}
	r.bodies = append(slices.Delete(r.bodies, 2, 4), r.bodies[0])
	set(len(r.bodies)-1, "NCT70000001", "identificationModule", "nctId")
	r.publish()
	update()
	id := idOf(r.bodies[0])
	_, first := changesOf(t, s, tools.TrialChangesArgs{NCTIDs: []string{id}, PageSize: 20})
	var criteria, places entity.FieldChange
	for _, c := range first.Value.Items[0].Changes {
		switch c.Field {
		case "criteria":
			criteria = c
		case "sites":
			places = c
		}
	}
	expect.That(t, strings.HasPrefix(criteria.Before, "…") && strings.Contains(criteria.Before, "over 18.") && len(criteria.Before) < 400 &&
		strings.Contains(criteria.After, "over 21."), "%+v", criteria)
	expect.That(t, len(places.Added) == 5 && places.AddedTotal == 300, "%+v", places)
	notice := first.Notices[len(first.Notices)-1]
	_, call, found := strings.Cut(notice, "trial_changes with ")
	expect.Must(t, found, "%q", first.Notices)
	var more tools.TrialChangesArgs
	expect.NoError(t, json.Unmarshal([]byte(strings.TrimSuffix(call, ".")), &more))
	more.PageSize, more.Fields = 20, []string{"sites"}
	_, narrow := changesOf(t, s, more)
	shown := len(narrow.Value.Items[0].Changes[0].Added)
	expect.That(t, shown >= 60 && strings.Contains(fmt.Sprint(narrow.Notices), "--patch"), "%d sites, %q", shown, narrow.Notices)

	for _, fields := range [][]string{nil, {"certificate"}} {
		_, gone := changesOf(t, s, tools.TrialChangesArgs{NCTIDs: []string{removed, merged, "NCT:70000001"}, Fields: fields, PageSize: 20})
		got := map[string]string{}
		for _, item := range gone.Value.Items {
			got[item.ID] = fmt.Sprintf("%t %t %s", item.Added, item.Removed, item.MergedInto)
		}
		delete(got, idOf(r.bodies[1]))
		expect.Equal(t, fmt.Sprint("items of ", fields), map[string]string{removed: "false true ",
			merged: "false false " + idOf(r.bodies[1]), "NCT:70000001": "true false "}, got)
	}
	for _, tt := range []struct {
		args tools.TrialChangesArgs
		want string // of the error or of the notices
	}{
		{tools.TrialChangesArgs{Since: "2030-01-01"}, "INVALID_INPUT since: the newest data"},
		{tools.TrialChangesArgs{Until: "2020-01-01"}, "INVALID_INPUT until: the history of the mirror begins"},
		{tools.TrialChangesArgs{Since: "soon"}, "INVALID_INPUT since: is no day"},
		{tools.TrialChangesArgs{Since: today, Until: r.day.AddDate(0, 0, -1).Format(time.DateOnly)},
			"INVALID_INPUT until: is before since"},
		{tools.TrialChangesArgs{Since: "2020-01-01"}, "since: the history of the mirror begins with the data of"},
		{tools.TrialChangesArgs{NCTIDs: []string{"NCT:99999999"}}, "ENTITY_NOT_FOUND nct_ids: no text is the id"},
		{tools.TrialChangesArgs{NCTIDs: []string{id}, Of: `{"condition":"asthma"}`}, "INVALID_INPUT of: was given together"},
		{tools.TrialChangesArgs{Of: `{"condition":"asthma","order":"asc"}`}, "INVALID_INPUT of: takes the filters"},
		{tools.TrialChangesArgs{Of: `{"condition":"asthma","phase":["2"]}`}, "of: phase: the combined phase"},
		{tools.TrialChangesArgs{Of: `{"condition":"zzyzx"}`}, "of: no trial matches"},
		{tools.TrialChangesArgs{Since: today}, "Nothing changed from the data of " + today},
	} {
		tt.args.PageSize = 20
		answer, err := s.TrialChanges(t.Context(), tt.args)
		text := strings.Join(answer.Notices, "\n")
		if e, failed := errors.AsType[*entity.Error](err); failed {
			text = string(e.Code) + " " + e.Message
		}
		expect.That(t, strings.Contains(text, tt.want), "%s: %s", tool.Show(tt.args), text)
	}
	without := serve(t, nil, "https://ctgov.test", sourcetest.Policy(r))
	_, err := without.TrialChanges(t.Context(), tools.TrialChangesArgs{PageSize: 20})
	e, _ := errors.AsType[*entity.Error](err)
	expect.That(t, e != nil && e.Code == entity.UpstreamError && strings.Contains(e.Hint, "biofact mirror sync"), "%v", err)
	expect.That(t, !without.HasChanges(t.Context()) && s.HasChanges(t.Context()), "the tool is listed with a mirror only")
}
