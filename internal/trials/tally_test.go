package trials

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/expect"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// TestGroupsAddUp: the groups of random groupings, the trials without a value and the groups that are left out add up at both levels, or
// overlap, and the years between the first and the last group are complete: in the answers of the registry's pages, of one request for each
// value, and of the mirror, which are the same.
func TestGroupsAddUp(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	records := placeRecords(t, "")
	paged := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(records))
	stored, _ := overMirror(t, records)
	dimensions := slices.Sorted(maps.Keys(mapping.TrialDimensions))
	filters := []tools.TrialFilters{{}, {StudyType: []string{"OBSERVATIONAL"}}, {StartDate: "2001..2019"}, {HasResults: new(true)}}
	random := rand.New(rand.NewPCG(1, 2))
	rounds := 150
	if !expect.All() {
		rounds = 50
	}
	for range rounds {
		args := tools.CountTrialsArgs{TrialFilters: filters[random.IntN(len(filters))], By: dimensions[random.IntN(len(dimensions))],
			ThenBy: append(dimensions, "", "", "")[random.IntN(len(dimensions)+3)], Top: 1 + random.IntN(20)}
		if args.ThenBy == args.By {
			continue
		}
		name := fmt.Sprintf("%+v", args)
		answer, err := paged.CountTrials(t.Context(), args)
		expect.NoError(t, err)
		addsUp(t, name, args, answer.Value)
		copied, err := stored.CountTrials(t.Context(), args)
		expect.NoError(t, err)
		expect.Equal(t, name+": the mirror", answer.Value, copied.Value)
		args.Top = 100
		all, err := paged.CountTrials(t.Context(), args)
		expect.NoError(t, err)
		wholeYears(t, name, args, answer.Value, all.Value)
		wantOneByOne(t, paged, args, all.Value)
	}
}

// addsUp checks the sums of both levels.
func addsUp(t *testing.T, name string, args tools.CountTrialsArgs, got entity.TrialCounts) {
	t.Helper()
	check := func(dimension string, total, sum, shown int, others *entity.OtherGroups) {
		if others != nil {
			sum += others.Count
			expect.That(t, shown == args.Top && others.Values > 0, "%s: %d groups and %d others", name, shown, others.Values)
		}
		d := mapping.TrialDimensions[dimension]
		expect.That(t, sum == total || d.List && got.Overlapping && sum > total, "%s: %s adds up to %d of %d", name, dimension, sum, total)
		expect.That(t, shown <= args.Top || d.Year && shown <= args.Top+2, "%s: %d groups", name, shown)
	}
	sum := *got.WithoutValue
	for _, g := range got.Groups {
		sum += g.Count
		if args.ThenBy == "" {
			continue
		}
		within := g.WithoutValue
		for _, inner := range g.Groups {
			within += inner.Count
		}
		check(args.ThenBy, g.Count, within, len(nonEmpty(g.Groups)), g.Others)
	}
	check(args.By, got.TotalCount, sum, len(nonEmpty(levelOf(got, 0))), got.Others)
}

// wholeYears checks that no year between the first and the last group is missing, and that a group of years counts those years.
func wholeYears(t *testing.T, name string, args tools.CountTrialsArgs, got, all entity.TrialCounts) {
	t.Helper()
	for i, dimension := range []string{args.By, args.ThenBy} {
		if !mapping.TrialDimensions[dimension].Year {
			continue
		}
		shown, want, out := map[string]int{}, map[string]int{}, []string{}
		for _, g := range nonEmpty(levelOf(got, i)) {
			shown[g.Value] += g.Count
			out = append(out, g.Value)
		}
		for _, g := range nonEmpty(levelOf(all, i)) {
			at := slices.IndexFunc(out, func(group string) bool {
				before, until := strings.CutPrefix(group, "until ")
				after, since := strings.CutPrefix(group, "since ")
				return group == g.Value || until && g.Value <= before || since && g.Value >= after
			})
			if at >= 0 {
				want[out[at]] += g.Count
			} else {
				want["not shown: "+g.Value] += g.Count
			}
		}
		if i == 0 || len(got.Groups) == len(all.Groups) { // else the trials of other groups are not shown
			expect.Equal(t, name+": "+dimension, want, shown)
		}
	}
}

// levelOf returns all groups, or all groups within groups.
func levelOf(counts entity.TrialCounts, level int) (groups []entity.TrialSubgroup) {
	for _, g := range counts.Groups {
		if level > 0 {
			groups = append(groups, g.Groups...)
		} else {
			groups = append(groups, entity.TrialSubgroup{Value: g.Value, Count: g.Count})
		}
	}
	return groups
}

// nonEmpty returns the groups without the empty years.
func nonEmpty(groups []entity.TrialSubgroup) []entity.TrialSubgroup {
	return slices.DeleteFunc(slices.Clone(groups), func(g entity.TrialSubgroup) bool { return g.Count == 0 })
}

// wantOneByOne compares the groups with the numbers from one request for each value, if the dimensions have few values.
func wantOneByOne(t *testing.T, s *Trials, args tools.CountTrialsArgs, want entity.TrialCounts) {
	t.Helper()
	c := &count{trials: s.sources.Trials, wishes: &filters.Wishes{Args: args.TrialFilters}, top: args.Top, dimensions: []string{args.By},
		notes: &entity.Notes{}}
	if args.ThenBy != "" {
		c.dimensions = append(c.dimensions, args.ThenBy)
	}
	outer, inner, closed := c.closedGroups()
	if !closed || len(outer)*(1+len(inner)) >= envelope.MaxCounts || !reflect.ValueOf(args.TrialFilters).IsZero() {
		return
	}
	got, err := c.byCounts(t.Context(), want.TotalCount, outer, inner)
	expect.NoError(t, err)
	addsUp(t, fmt.Sprintf("by requests: %+v", args), args, got)
	wholeYears(t, fmt.Sprintf("by requests: %+v", args), args, got, want)
}

func TestYearGroups(t *testing.T) {
	t.Parallel()
	now := time.Now().Year()
	next := strconv.Itoa(now + 1)
	for _, tt := range []struct {
		years, want string
		top         int
	}{
		{"1990 2000 2024", "1990 2000 2024", 3},
		{"1990 2000 2010 2020", "until 2000 2010 2020", 2},
		{"2010 2020 " + next + " 2090 2099", "until 2010 2020 " + next + " since 2090", 2},
		{"until 2009 2010 2011 2090", "until 2010 2011 since 2090", 1},
		{"2088 2089 2090", "2088 since 2089", 1},
	} {
		counts := map[string]int{}
		for _, year := range strings.Split(strings.ReplaceAll(tt.years, "until ", "until_"), " ") {
			counts[strings.ReplaceAll(year, "_", " ")] = 1
		}
		names := slices.SortedFunc(maps.Values(yearGroups(counts, tt.top, now)), compareYears)
		expect.Is(t, strings.Join(slices.Compact(names), " "), tt.want, "%s, top %d", tt.years, tt.top)
	}
}

// TestEmptyYears: a year without a trial between two others is 0, but not in a sample, and not after a wrong date.
func TestEmptyYears(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		exact       bool
		given, want []string
	}{
		{true, []string{"until 2009", "2010", "2013", "since 2015"}, []string{"until 2009", "2010", "2011", "2012", "2013", "since 2015"}},
		{false, []string{"2010", "2013"}, []string{"2010", "2013"}},
		{true, []string{"1900", "2013", "2014"}, []string{"1900", "2013", "2014"}},
	} {
		counts := entity.TrialCounts{Exact: tt.exact}
		for _, year := range tt.given {
			counts.Groups = append(counts.Groups, entity.TrialGroup{Value: year, Count: 1})
		}
		addEmptyYears(&counts, []string{"start_year"})
		var got []string
		for _, g := range counts.Groups {
			got = append(got, g.Value)
			expect.Is(t, g.Count == 0, !slices.Contains(tt.given, g.Value), "%s", g.Value)
		}
		expect.Equal(t, "years", tt.want, got)
	}
}
