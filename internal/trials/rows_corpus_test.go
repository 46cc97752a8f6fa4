package trials

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

var (
	plainHeadings = regexp.MustCompile(`(?im)^\s*(in|ex)clusion criteria:?\s*$`)
	anyHeadings   = regexp.MustCompile(`(?i)(in|ex)clusion`)
)

// includes reports whether a word occurs before the heading of the exclusions. clear is false unless the text has two simple headings, the
// first of them at its beginning.
func includes(text string, word *regexp.Regexp) (included, clear bool) {
	at := plainHeadings.FindAllStringSubmatchIndex(text, -1)
	if len(at) != 2 || strings.TrimSpace(text[:at[0][0]]) != "" ||
		!strings.EqualFold(text[at[0][2]:at[0][3]]+text[at[1][2]:at[1][3]], "inex") {
		return false, false
	}
	between := text[at[0][1]:at[1][0]]
	return word.MatchString(between), !anyHeadings.MatchString(between + text[at[1][1]:])
}

// TestCriteriaOnCorpus compares criteria_in with an evaluation of the raw texts: it leaves out the trials that have a word among their
// exclusions only, and each row shows the list of each match. Pages of any size have each trial once.
func TestCriteriaOnCorpus(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	expect.Corpus(t, "ctgov", "the embedded trials are too few for its filters")
	source, records := realTrials(t)
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(source))
	byID := map[string]rawTrial{}
	for _, r := range records {
		byID["NCT:"+strings.TrimPrefix(r.text("identificationModule.nctId"), "NCT")] = r
	}
	for _, name := range []string{"EGFR", "pregnancy", "metformin", "HIV", "insulin"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			word := regexp.MustCompile(`(?i)(^|[^\pL\pN])` + strings.TrimSuffix(name, "y") + `(y|ies|s)?($|[^\pL\pN])`)
			args := tools.SearchTrialsArgs{TrialFilters: tools.TrialFilters{Criteria: name}, PageSize: 200}
			all := walkTrials(t, s, args)
			for _, c := range all {
				shown := slices.ContainsFunc(c.CriteriaMatch, func(m entity.CriteriaMatch) bool {
					return word.MatchString(m.Text)
				})
				expect.That(t, shown, "%s shows %v", c.ID, c.CriteriaMatch)
			}
			args.CriteriaIn = "inclusion"
			listed := walkTrials(t, s, args)
			args.PageSize = 23
			expect.Equal(t, "pages of 23", ids(listed), ids(walkTrials(t, s, args)))
			dropped, certain := 0, 0
			for _, c := range all {
				text := byID[c.ID].text("eligibilityModule.eligibilityCriteria")
				included, clear := includes(text, word)
				isListed := slices.Contains(ids(listed), c.ID)
				if clear && word.MatchString(text) {
					certain++
					expect.Is(t, isListed, included, "%s is kept", c.ID)
				}
				if !isListed {
					dropped++
				}
			}
			expect.That(t, certain > len(all)/2 && dropped > 0 && dropped+len(listed) == len(all),
				"%d of %d trials have clear headings, %d dropped", certain, len(all), dropped)
			t.Logf("%d trials, %d with clear headings, %d left out", len(all), certain, dropped)
		})
	}
}

func ids(candidates []entity.TrialSearchCandidate) (out []string) {
	for _, c := range candidates {
		out = append(out, c.ID)
	}
	return out
}

// walkTrials returns the candidates of all pages of a search.
func walkTrials(t *testing.T, s *Trials, args tools.SearchTrialsArgs) (all []entity.TrialSearchCandidate) {
	t.Helper()
	for pages := 0; ; pages++ {
		answer, err := s.SearchTrials(t.Context(), args)
		expect.NoError(t, err)
		if args.CriteriaIn != "" && len(answer.Value.Items) > 0 {
			expect.That(t, strings.Contains(strings.Join(answer.Notices, " "), "were left out"), "notices %v", answer.Notices)
		}
		all = append(all, answer.Value.Items...)
		if args.Cursor = answer.Value.Pagination.Cursor; args.Cursor == "" {
			return all
		}
		expect.Must(t, pages < 100, "the pages do not end")
	}
}

// TestRowsOnCorpus: rows show the fields by which a call sorts or filters, with the values of the records, and stay small.
func TestRowsOnCorpus(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	expect.Corpus(t, "ctgov", "the embedded trials are too few for its groups")
	source, records := realTrials(t)
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(source))
	byID := map[string]rawTrial{}
	for _, r := range records {
		byID["NCT:"+strings.TrimPrefix(r.text("identificationModule.nctId"), "NCT")] = r
	}
	status := func(path string) string { return "statusModule." + path + ".date" }
	posted := status("studyFirstPostDateStruct") // the order of searches without words
	for name, tt := range map[string]struct {
		args  tools.SearchTrialsArgs
		limit int
		shows map[string]string // path in the record, by the name of the field
	}{
		"nothing more": {tools.SearchTrialsArgs{TrialFilters: tools.TrialFilters{StudyType: []string{"INTERVENTIONAL"}}}, 800,
			map[string]string{"first_posted_date": posted}},
		"sorted by update": {tools.SearchTrialsArgs{Sort: "last_updated",
			TrialFilters: tools.TrialFilters{StudyType: []string{"INTERVENTIONAL"}}}, 1050,
			map[string]string{"last_update_date": status("lastUpdatePostDateStruct")}},
		"sorted by completion": {tools.SearchTrialsArgs{Sort: "completion_date", Order: "asc",
			TrialFilters: tools.TrialFilters{CompletionDate: "since 1990", FirstPosted: "since 1990"}}, 1050,
			map[string]string{"completion_date": status("completionDateStruct"), "first_posted_date": posted}},
		"results": {tools.SearchTrialsArgs{Sort: "results_posted",
			TrialFilters: tools.TrialFilters{PrimaryCompletionDate: "since 1990"}}, 1050,
			map[string]string{"results_first_posted_date": status("resultsFirstPostDateStruct"),
				"primary_completion_date": status("primaryCompletionDateStruct")}},
		"a person": {tools.SearchTrialsArgs{TrialFilters: tools.TrialFilters{Age: "58", Sex: "female"}}, 1050,
			map[string]string{"minimum_age": "eligibilityModule.minimumAge", "maximum_age": "eligibilityModule.maximumAge",
				"sex": "eligibilityModule.sex", "first_posted_date": posted}},
		"criteria": {tools.SearchTrialsArgs{TrialFilters: tools.TrialFilters{Criteria: "pregnancy", Sex: "female"}}, 1050,
			map[string]string{"sex": "eligibilityModule.sex", "first_posted_date": posted}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.args.PageSize = 200
			var sizes []int
			for _, c := range walkTrials(t, s, tt.args) {
				sizes = append(sizes, entity.Size(c))
				fields := asMap(t, c)
				for _, name := range []string{"primary_completion_date", "completion_date", "first_posted_date",
					"results_first_posted_date", "last_update_date", "minimum_age", "maximum_age", "sex"} {
					want := ""
					if path := tt.shows[name]; path != "" {
						want = byID[c.ID].text(path)
					}
					got, _ := fields[name].(string)
					expect.Is(t, got, want, "%s: %s", c.ID, name)
				}
			}
			slices.Sort(sizes)
			expect.That(t, len(sizes) > 50 && sizes[len(sizes)/2] < tt.limit, "%d rows, the median has %d bytes", len(sizes),
				sizes[len(sizes)/2])
			t.Logf("%d rows, the median has %d bytes", len(sizes), sizes[len(sizes)/2])
		})
	}
}

func asMap(t *testing.T, value any) (fields map[string]any) {
	t.Helper()
	text, err := entity.JSON(value)
	expect.NoError(t, err)
	expect.NoError(t, json.Unmarshal(text, &fields))
	return fields
}

// TestEnrollmentOrderOnCorpus: the number for an unknown enrollment never comes first and is not in any row.
func TestEnrollmentOrderOnCorpus(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	source, _ := realTrials(t)
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(source))
	last := 1 << 40
	for _, c := range walkTrials(t,
		s, tools.SearchTrialsArgs{Sort: "enrollment", PageSize: 200, TrialFilters: tools.TrialFilters{Condition: "cancer"}}) {
		if c.Enrollment == nil {
			last = -1
			continue
		}
		expect.That(t, *c.Enrollment <= last && *c.Enrollment < filters.UnknownEnrollment, "%s has %d after %d", c.ID, *c.Enrollment, last)
		last = *c.Enrollment
	}
	answer, err := s.SearchTrials(t.Context(),
		tools.SearchTrialsArgs{Sort: "start_date", PageSize: 1, TrialFilters: tools.TrialFilters{Condition: "cancer"}})
	expect.NoError(t, err)
	expect.That(t, strings.Contains(fmt.Sprint(answer.Notices), "planned dates come first"), "notices %v", answer.Notices)
}
