package trials

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// A tally counts values, and values within values.
type tally struct {
	dimensions      []string
	groups          map[string]int
	within          map[string]map[string]int // by outer and inner value; "" counts the trials of the group without an inner value
	trials, without int
	oldest, newest  string
	wishes          *filters.Wishes           // sites that do not fit them are no groups
	spellings       map[string]map[string]int // of each joined value, with their numbers
}

func newTally(dimensions []string, w *filters.Wishes) *tally {
	return &tally{dimensions: dimensions, groups: map[string]int{}, within: map[string]map[string]int{}, wishes: w,
		spellings: map[string]map[string]int{}}
}

// values returns the names of the groups of some values of a dimension, each once: of sites, those that fit; of spellings that differ by
// case, punctuation or spaces, one key.
func (t *tally) values(dimension int, given []string, n int) []string {
	name := t.dimensions[dimension]
	d := mapping.TrialDimensions[name]
	if !d.Joined {
		return given
	}
	var keys []string
	for _, value := range given {
		if d.Site {
			site := mapping.SiteOf(value)
			first, parts := site.FacilityName, []string{site.FacilityName, site.City, site.Country}
			if name == "city" {
				first, parts = site.City, []string{site.City, site.State, site.Country}
			}
			if first == "" || !t.wishes.HasSite(site) {
				continue
			}
			value = strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
		}
		key := cmp.Or(strings.Map(lettersAndDigits, value), value)
		if t.spellings[key] == nil {
			t.spellings[key] = map[string]int{}
		}
		t.spellings[key][value] += n
		keys = append(keys, key)
	}
	return entity.Once(keys)
}

// lettersAndDigits returns a letter in lower case or a digit, and -1 for any other character.
func lettersAndDigits(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return unicode.ToLower(r)
	}
	return -1
}

// spell gives the joined values of a dimension their most frequent spelling.
func (t *tally) spell() {
	for i, name := range t.dimensions {
		if !mapping.TrialDimensions[name].Joined {
			continue
		}
		names := map[string]string{}
		for key, spellings := range t.spellings {
			for _, spelling := range slices.Sorted(maps.Keys(spellings)) {
				if best := names[key]; best == "" || spellings[spelling] > spellings[best] {
					names[key] = spelling
				}
			}
		}
		t.rename(i, names)
	}
}

func (t *tally) addWithin(outer, inner string, n int) {
	if t.within[outer] == nil {
		t.within[outer] = map[string]int{}
	}
	t.within[outer][inner] += n
}

func (t *tally) addRows(rows []mapping.TrialRow) {
	for _, row := range rows {
		if row.Posted != "" {
			if t.oldest == "" || row.Posted < t.oldest {
				t.oldest = row.Posted
			}
			t.newest = max(t.newest, row.Posted)
		}
		t.addRow(row.Values, 1)
	}
}

// addRow counts n trials with the same values, by dimension.
func (t *tally) addRow(values [][]string, n int) {
	t.trials += n
	values = slices.Clone(values)
	for i := range values {
		values[i] = t.values(i, values[i], n)
	}
	if len(values[0]) == 0 {
		t.without += n
	}
	for _, outer := range values[0] {
		t.groups[outer] += n
		if len(values) < 2 {
			continue
		}
		for _, inner := range values[1] {
			t.addWithin(outer, inner, n)
		}
		if len(values[1]) == 0 {
			t.addWithin(outer, "", n)
		}
	}
}

func sum(counts map[string]int) (n int) {
	for _, count := range counts {
		n += count
	}
	return n
}

// counts returns the groups that are shown, and how many trials are in others.
func (t *tally) counts(top, total int) entity.TrialCounts {
	t.mergeYears(top, time.Now().Year())
	t.spell()
	counts := entity.TrialCounts{TotalCount: total}
	var groups []entity.TrialSubgroup
	groups, counts.Others = t.shown(0, t.groups, top)
	for _, g := range groups {
		group := entity.TrialGroup{Value: g.Value, Count: g.Count}
		if within := t.within[g.Value]; within != nil {
			group.WithoutValue = within[""]
			group.Groups, group.Others = t.shown(1, within, top)
		}
		counts.Groups = append(counts.Groups, group)
	}
	counts.Overlapping = slices.ContainsFunc(t.dimensions, func(name string) bool { return mapping.TrialDimensions[name].List })
	return counts
}

// shown returns all groups of years in their order, or the largest groups of other values, and the sum of the groups that it leaves out.
func (t *tally) shown(dimension int, groups map[string]int, top int) (out []entity.TrialSubgroup, others *entity.OtherGroups) {
	for name, n := range groups {
		if n > 0 && name != "" {
			out = append(out, entity.TrialSubgroup{Value: name, Count: n})
		}
	}
	if mapping.TrialDimensions[t.dimensions[dimension]].Year {
		slices.SortFunc(out, func(a, b entity.TrialSubgroup) int { return compareYears(a.Value, b.Value) })
		return out, nil
	}
	slices.SortFunc(out, func(a, b entity.TrialSubgroup) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
	})
	if len(out) <= top {
		return out, nil
	}
	others = &entity.OtherGroups{Values: len(out) - top}
	for _, g := range out[top:] {
		others.Count += g.Count
	}
	return out[:top], others
}

// mergeYears merges years, so that at most top years are groups of their own.
func (t *tally) mergeYears(top, now int) {
	for i, name := range t.dimensions {
		if !mapping.TrialDimensions[name].Year {
			continue
		}
		years := maps.Clone(t.groups)
		if i > 0 {
			clear(years)
			for _, inner := range t.within {
				maps.Copy(years, inner)
			}
		}
		t.rename(i, yearGroups(years, top, now))
	}
}

// rename gives the values of a dimension other names, and adds up the values that get the same name.
func (t *tally) rename(dimension int, names map[string]string) {
	renamed := newTally(t.dimensions, t.wishes)
	name := func(d int, value string) string {
		if d == dimension {
			return names[value]
		}
		return value
	}
	for outer, n := range t.groups {
		renamed.groups[name(0, outer)] += n
	}
	for outer, inner := range t.within {
		for value, n := range inner {
			renamed.addWithin(name(0, outer), name(1, value), n)
		}
	}
	t.groups, t.within = renamed.groups, renamed.within
}

// yearGroups maps years to the names of their groups. If a count has more than top years, top of them are groups of their own: the latest
// ones until the next year. All years before them are one group, and all years after them another.
func yearGroups(counts map[string]int, top, now int) map[string]string {
	names := map[string]string{}
	var years []string
	for year, n := range counts {
		if n > 0 && year != "" {
			names[year], years = year, append(years, year)
		}
	}
	if len(years) <= top {
		return names
	}
	slices.SortFunc(years, compareYears)
	next := strconv.Itoa(now + 1)
	end := slices.IndexFunc(years, func(year string) bool { return compareYears(year, next) > 0 })
	if end < 0 {
		end = len(years)
	}
	end = max(end, top)
	start := end - top
	for i, year := range years {
		switch {
		case i < start:
			names[year] = envelope.UntilYear + yearIn(years[start-1])
		case i >= end:
			names[year] = envelope.SinceYear + yearIn(years[end])
		}
	}
	return names
}

// compareYears compares the names of groups of years, such as 2010 and "until 2009".
func compareYears(a, b string) int { return strings.Compare(yearIn(a), yearIn(b)) }

// yearIn returns the year in the name of a group.
func yearIn(name string) string { return name[len(name)-len("yyyy"):] }

// addEmptyYears adds the years without a trial between the years of an exact count. A sample does not have the same years.
func addEmptyYears(counts *entity.TrialCounts, dimensions []string) {
	isYear := func(i int) bool { return i < len(dimensions) && mapping.TrialDimensions[dimensions[i]].Year }
	if !counts.Exact {
		return
	}
	if isYear(0) {
		counts.Groups = withEmptyYears(counts.Groups, func(g entity.TrialGroup) string { return g.Value },
			func(year string) entity.TrialGroup { return entity.TrialGroup{Value: year} })
	}
	for i := range counts.Groups {
		if g := &counts.Groups[i]; isYear(1) {
			g.Groups = withEmptyYears(g.Groups, func(g entity.TrialSubgroup) string { return g.Value },
				func(year string) entity.TrialSubgroup { return entity.TrialSubgroup{Value: year} })
		}
	}
}

// maxEmptyYears bounds the years that are added: more of them are the mark of a wrong date.
const maxEmptyYears = 60

// withEmptyYears returns groups of years, in their order, with those that are missing between two single years.
func withEmptyYears[T any](groups []T, name func(T) string, empty func(year string) T) (out []T) {
	for i, g := range groups {
		if i > 0 {
			from, errFrom := strconv.Atoi(name(groups[i-1]))
			to, errTo := strconv.Atoi(name(g))
			for year := from + 1; errFrom == nil && errTo == nil && year < to && to-from <= maxEmptyYears; year++ {
				out = append(out, empty(strconv.Itoa(year)))
			}
		}
		out = append(out, g)
	}
	return out
}

// dateFilter returns the filter of the dates whose years a dimension counts; nil for a dimension without years.
func dateFilter(args *tools.TrialFilters, dimension string) *string {
	return map[string]*string{"start_year": &args.StartDate, "first_posted_year": &args.FirstPosted,
		"completion_year": &args.CompletionDate}[dimension]
}

// groupNotices says which trials are in a group that has another name than their value, and how to count its years one by one.
func groupNotices(args tools.CountTrialsArgs, counts entity.TrialCounts) (notices []string) {
	names := [2]map[string]bool{{}, {}}
	for _, g := range counts.Groups {
		names[0][g.Value] = true
		for _, inner := range g.Groups {
			names[1][inner.Value] = true
		}
	}
	for i, dimension := range []string{args.By, args.ThenBy} {
		if dimension == "sex" && len(names[i]) > 0 {
			notices = append(notices, "A trial that is open to both sexes is counted under ALL, not under FEMALE or MALE.")
		}
		for _, name := range slices.Sorted(maps.Keys(names[i])) {
			if dateFilter(&args.TrialFilters, dimension) != nil && len(name) > len("yyyy") {
				notices = append(notices, "The years "+name+" are one group. To count them one by one call count_trials with "+
					oneByOne(args, dimension, name)+".")
			}
		}
	}
	return notices
}

// oneByOne returns the arguments that count only the trials of a group of years.
func oneByOne(args tools.CountTrialsArgs, dimension, group string) string {
	filter := dateFilter(&args.TrialFilters, dimension)
	dates, _ := ranges.ReadDates(*filter, time.Now()) // it was checked with the other filters
	year := yearIn(group)
	switch {
	case strings.HasPrefix(group, envelope.UntilYear) && dates.From == "", strings.HasPrefix(group, envelope.SinceYear) && dates.To == "":
		*filter = group
	case strings.HasPrefix(group, envelope.UntilYear):
		*filter = dates.From + ".." + year + "-12-31"
	default:
		*filter = year + "-01-01.." + dates.To
	}
	args.Top = 100
	text, err := entity.JSON(args)
	if err != nil {
		panic(err) // arguments are texts, numbers and lists of them
	}
	return string(text)
}

// singleYears is the number of years that are counted one by one with a request for each.
const singleYears = 17
