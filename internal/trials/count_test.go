package trials

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// rawValues has the path of the values of each dimension in a record.
var rawValues = map[string]string{
	"phase": "designModule.phases", "status": "statusModule.overallStatus", "study_type": "designModule.studyType",
	"country":    "contactsLocationsModule.locations.country",
	"start_year": "statusModule.startDateStruct.date", "first_posted_year": "statusModule.studyFirstPostDateStruct.date",
	"completion_year": "statusModule.completionDateStruct.date",
	"sponsor_class":   "sponsorCollaboratorsModule.leadSponsor.class", "lead_sponsor": "sponsorCollaboratorsModule.leadSponsor.name",
	"intervention_type": "armsInterventionsModule.interventions.type", "condition": "conditionsModule.conditions",
	"sex": "eligibilityModule.sex", "age_group": "eligibilityModule.stdAges",
	"primary_purpose": "designModule.designInfo.primaryPurpose",
}

// of returns the values of a record in a dimension, each once.
func (r rawTrial) of(dimension string) []string {
	if dimension == "has_results" {
		if results, _ := r.fields["hasResults"].(bool); results {
			return []string{"true"}
		}
		return []string{"false"}
	}
	once := map[string]bool{}
	var all []string
	for _, v := range r.all("protocolSection." + rawValues[dimension]) {
		text := v.(string)
		if strings.HasSuffix(dimension, "_year") {
			text = text[:4]
		}
		all = append(all, text)
		once[text] = true
	}
	if dimension == "phase" && all != nil {
		return []string{strings.Join(all, "/")}
	}
	return slices.Collect(maps.Keys(once))
}

// TestCountsOnCorpus compares every grouping, and four pairs, with a count of the raw records, both by reading pages and by one request for
// each value.
func TestCountsOnCorpus(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	source, records := realTrials(t)
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(source))
	pairs := [][]string{{"phase", "status"}, {"study_type", "sex"}, {"country", "phase"}, {"start_year", "sponsor_class"}, {"has_results"}}
	for name := range rawValues {
		pairs = append(pairs, []string{name})
	}
	for _, dimensions := range pairs {
		t.Run(strings.Join(dimensions, " "), func(t *testing.T) {
			t.Parallel()
			want, within, without := map[string]int{}, map[string]int{}, 0
			for _, r := range records {
				outer := r.of(dimensions[0])
				if len(outer) == 0 {
					without++
				}
				for _, o := range outer {
					want[o]++
					for _, inner := range dimensions[1:] {
						for _, i := range r.of(inner) {
							within[o+": "+i]++
						}
					}
				}
			}
			args := tools.CountTrialsArgs{By: dimensions[0], ThenBy: strings.Join(dimensions[1:], ""), Top: 100}
			answer, err := s.CountTrials(t.Context(), args)
			expect.NoError(t, err)
			got := answer.Value
			expect.That(t, got.Exact && got.TotalCount == len(records), "%d of %d trials, exact %t", got.TotalCount, len(records),
				got.Exact)
			expect.Is(t, *got.WithoutValue, without, "trials without a value")
			shown, sum := 0, 0
			for _, n := range want {
				sum += n
			}
			for _, g := range got.Groups {
				shown += g.Count
				expect.Is(t, g.Count, want[g.Value], "%s", g.Value)
				for _, i := range g.Groups {
					expect.Is(t, i.Count, within[g.Value+": "+i.Value], "%s: %s", g.Value, i.Value)
				}
			}
			if got.Others != nil {
				shown += got.Others.Count
			}
			expect.Is(t, shown, sum, "sum of the groups and the others")
			expect.Is(t, got.Overlapping, sum > len(records)-without || slices.Contains(dimensions, "country"), "overlapping")
			byValue(t, s, args, got)
		})
	}
}

// byValue compares the groups with the numbers from one request for each value.
func byValue(t *testing.T, s *Trials, args tools.CountTrialsArgs, want entity.TrialCounts) {
	t.Helper()
	values, closed := closedValues(args.By, 0)
	if !closed || args.ThenBy != "" || strings.HasSuffix(args.By, "_year") {
		return
	}
	c := &count{trials: s.sources.Trials, wishes: &filters.Wishes{}, top: args.Top, dimensions: []string{args.By}, notes: &entity.Notes{}}
	got, err := c.byCounts(context.Background(), want.TotalCount, values, nil)
	expect.NoError(t, err)
	expect.That(t, cmp.Equal(want, got), "by requests:\n%s", cmp.Diff(want, got))
}

// TestSponsorGroupsAreFound: a search with the exact name of a lead sponsor finds as many trials as its group counts.
func TestSponsorGroupsAreFound(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	expect.Corpus(t, "ctgov", "the embedded trials have few sponsors")
	source, _ := realTrials(t)
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(source))
	for _, filters := range []tools.TrialFilters{{}, {Condition: "cancer"}} {
		answer, err := s.CountTrials(t.Context(), tools.CountTrialsArgs{TrialFilters: filters, By: "lead_sponsor", Top: 100})
		expect.NoError(t, err)
		expect.That(t, len(answer.Value.Groups) > 30 &&
			strings.Contains(strings.Join(answer.Notices, " "), `exact name in quotation marks, such as {"lead_sponsor":"\"`),
			"%d groups %v", len(answer.Value.Groups), answer.Notices)
		for _, g := range answer.Value.Groups {
			filters.LeadSponsor = []string{`"` + g.Value + `"`}
			found, err := search(t, s, filters)
			expect.NoError(t, err)
			expect.Is(t, *found.Value.Pagination.TotalCount, g.Count, "%s", g.Value)
		}
	}
}

// TestCountWhileDataChange: if the data change between two requests of a count, or the registry no longer accepts its token, the trials are
// counted again, and the numbers are of one version of the data. If the data change each time, a notice says so.
func TestCountWhileDataChange(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		by      string // condition is counted in pages of trials, has_results with one request for each value
		refuses bool
		always  bool
		fails   bool
	}{
		"pages": {by: "condition"}, "values": {by: "has_results"}, "refused token": {by: "condition", refuses: true},
		"refused tokens":        {by: "condition", fails: true},
		"pages at each request": {by: "condition", always: true}, "values at each request": {by: "has_results", always: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newChangingRegistry(t, 1)
			r.multiply(3500)
			r.before = func(request int) {
				switch {
				case tt.fails:
					r.refuses = true
				case request == 2 && tt.refuses:
					r.refuses = true
				case request == 2 || tt.always:
					r.bodies = r.bodies[100:]
					r.publish()
				}
			}
			args := tools.CountTrialsArgs{By: tt.by, Top: 100, TrialFilters: tools.TrialFilters{StudyType: []string{"INTERVENTIONAL"}}}
			s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(r))
			got, err := s.CountTrials(t.Context(), args)
			if tt.fails {
				e := entity.AsError(err)
				expect.That(t, strings.Contains(e.Message, "page token") && strings.Contains(e.Hint, "same call again"), "%+v", e)
				return
			}
			expect.NoError(t, err)
			if changed := strings.Contains(strings.Join(got.Notices, " "), "published new data"); tt.always {
				expect.That(t, changed && !got.Value.Exact, "%q, exact %v", got.Notices, got.Value.Exact)
				return
			}
			r.before = nil
			want, err := s.CountTrials(t.Context(), args)
			expect.NoError(t, err)
			expect.Equal(t, "counts", want, got, cmpopts.IgnoreFields(entity.Provenance{}, "UpstreamRequests", "RetrievedAt"))
		})
	}
}
