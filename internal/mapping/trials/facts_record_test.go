package trials_test

import (
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// A unusedField is a field of a value that a kind of dispersion does not use.
type unusedField struct{ Kind, Field string }

// facts are the facts of posted results as lines of text, read once from a raw record and once from the mapped entity: a fact that was
// lost, repeated, changed or moved to another group is a missing or an additional line.
type facts struct {
	lines  []string
	unused map[unusedField]int
}

func (f *facts) add(parts ...any) {
	words := make([]string, len(parts))
	for i := range parts {
		words[i] = fmt.Sprint(parts[i])
	}
	f.lines = append(f.lines, strings.Join(words, " | "))
}

// recordFacts returns the facts of the results section of a raw record, sorted, and the number of values in fields that their
// dispersion does not use.
func recordFacts(raw map[string]any) ([]string, map[unusedField]int) {
	f := &facts{unused: map[unusedField]int{}}
	results := get(raw, "resultsSection")
	f.rawFlow(get(results, "participantFlowModule"))
	f.rawBaseline(get(results, "baselineCharacteristicsModule"))
	for i, m := range listAt(results, "outcomeMeasuresModule", "outcomeMeasures") {
		f.rawMeasure(fmt.Sprint("outcome ", i+1), m, listAt(m, "groups"), listAt(m, "denoms"))
		f.rawGroups(fmt.Sprint("outcome ", i+1), m)
		for _, a := range listAt(m, "analyses") {
			f.rawAnalysis(fmt.Sprint("outcome ", i+1), a, listAt(m, "groups"))
		}
	}
	f.rawEvents(get(results, "adverseEventsModule"))
	more := get(results, "moreInfoModule")
	f.add("more", txt(more, "limitationsAndCaveats", "description"), scalar(more, "certainAgreement", "piSponsorEmployee"),
		scalar(more, "certainAgreement", "restrictiveAgreement"), txt(more, "certainAgreement", "restrictionType"),
		txt(more, "certainAgreement", "otherDetails"), txt(more, "pointOfContact", "title"),
		txt(more, "pointOfContact", "organization"), txt(more, "pointOfContact", "email"))
	slices.Sort(f.lines)
	return f.lines, f.unused
}

func (f *facts) rawFlow(flow any) {
	f.add("flow", txt(flow, "recruitmentDetails"), txt(flow, "preAssignmentDetails"), txt(flow, "typeUnitsAnalyzed"))
	groups := listAt(flow, "groups")
	for i, g := range groups {
		f.add("flow group", i+1, txt(g, "title"), txt(g, "description"))
	}
	for _, p := range listAt(flow, "periods") {
		f.add("flow period", txt(p, "title"))
		for _, kind := range []struct{ rows, cells string }{{"milestones", "achievements"}, {"dropWithdraws", "reasons"}} {
			for _, row := range listAt(p, kind.rows) {
				f.add("flow", txt(p, "title"), kind.rows, txt(row, "type"), txt(row, "comment"))
				for _, c := range listAt(row, kind.cells) {
					f.add("flow", txt(p, "title"), kind.rows, txt(row, "type"), place(groups, c),
						txt(c, "numSubjects"), txt(c, "numUnits"), txt(c, "comment"))
				}
			}
		}
	}
}

func (f *facts) rawBaseline(b any) {
	f.add("baseline", txt(b, "populationDescription"))
	f.rawGroups("baseline", b)
	for i, m := range listAt(b, "measures") {
		denominators := listAt(m, "denoms")
		if len(denominators) == 0 {
			denominators = listAt(b, "denoms")
		}
		f.rawMeasure(fmt.Sprint("baseline ", i+1), m, listAt(b, "groups"), denominators)
	}
}

func (f *facts) rawGroups(of string, m any) {
	for i, g := range listAt(m, "groups") {
		f.add(of, "group", i+1, txt(g, "title"), txt(g, "description"), countsOf(listAt(m, "denoms"), txt(g, "id")))
	}
}

func (f *facts) rawMeasure(of string, m any, groups, denominators []any) {
	f.add(of, txt(m, "type"), txt(m, "title"), txt(m, "timeFrame"), txt(m, "description"), txt(m, "populationDescription"),
		txt(m, "reportingStatus"), txt(m, "anticipatedPostingDate"), txt(m, "paramType"), txt(m, "dispersionType"),
		txt(m, "unitOfMeasure"))
	dispersion := txt(m, "dispersionType")
	spread, limits := uses(dispersion)
	value := func(used bool, v any, field string) string {
		given := txt(v, field)
		if used || given == "" {
			return given
		}
		f.unused[unusedField{dispersion, field}]++
		return ""
	}
	for _, class := range listAt(m, "classes") {
		analyzed := listAt(class, "denoms")
		if len(analyzed) == 0 {
			analyzed = denominators
		}
		if len(listAt(class, "categories")) == 0 {
			f.onlyAnalyzed(of, class, nil, groups, denominators)
		}
		for _, category := range listAt(class, "categories") {
			f.onlyAnalyzed(of, class, category, groups, denominators)
			for _, v := range listAt(category, "measurements") {
				f.add(of, txt(class, "title"), txt(category, "title"), place(groups, v), txt(v, "value"),
					value(spread, v, "spread"), value(limits, v, "lowerLimit"), value(limits, v, "upperLimit"),
					txt(v, "comment"), countsOf(analyzed, txt(v, "groupId")))
			}
		}
	}
}

// onlyAnalyzed adds the analyzed numbers of a class, where they differ from those of the table, for groups without a value.
func (f *facts) onlyAnalyzed(of string, class, category any, groups, denominators []any) {
	for i, g := range groups {
		id := txt(g, "id")
		own := countsOf(listAt(class, "denoms"), id)
		if own == "" || own == countsOf(denominators, id) || slices.ContainsFunc(listAt(category, "measurements"), func(v any) bool {
			return txt(v, "groupId") == id
		}) {
			continue
		}
		f.add(of, txt(class, "title"), txt(category, "title"), fmt.Sprint(i+1, " ", txt(g, "title")), "only analyzed", own)
	}
}

// uses reports which fields a dispersion type of the registry's forms uses.
func uses(dispersion string) (spread, limits bool) {
	switch dispersion {
	case "Standard Deviation", "Standard Error", "Geometric Coefficient of Variation",
		"STANDARD_DEVIATION", "STANDARD_ERROR", "GEOMETRIC_COEFFICIENT":
		return true, false
	case "", "NA":
		return false, false
	}
	return false, true // ranges and confidence intervals
}

func (f *facts) rawAnalysis(of string, a any, groups []any) {
	var compared []int
	for _, id := range listAt(a, "groupIds") {
		compared = append(compared, placeOf(groups, id.(string)))
	}
	f.add(of, "analysis", compared, txt(a, "groupDescription"), txt(a, "statisticalMethod"), txt(a, "statisticalComment"),
		txt(a, "pValue"), txt(a, "pValueComment"), txt(a, "paramType"), txt(a, "paramValue"), txt(a, "dispersionType"),
		txt(a, "dispersionValue"), txt(a, "ciPctValue"), txt(a, "ciNumSides"), txt(a, "ciLowerLimit"), txt(a, "ciUpperLimit"),
		txt(a, "ciLowerLimitComment"), txt(a, "ciUpperLimitComment"), txt(a, "nonInferiorityType"), txt(a, "nonInferiorityComment"),
		scalar(a, "testedNonInferiority"), txt(a, "estimateComment"), txt(a, "otherAnalysisDescription"))
}

func (f *facts) rawEvents(a any) {
	f.add("events", txt(a, "timeFrame"), txt(a, "description"), txt(a, "frequencyThreshold"), txt(a, "allCauseMortalityComment"))
	groups := listAt(a, "eventGroups")
	for i, g := range groups {
		f.add("event group", i+1, txt(g, "title"), txt(g, "description"), scalar(g, "seriousNumAffected"), scalar(g, "seriousNumAtRisk"),
			scalar(g, "otherNumAffected"), scalar(g, "otherNumAtRisk"), scalar(g, "deathsNumAffected"), scalar(g, "deathsNumAtRisk"))
	}
	for _, kind := range []string{"seriousEvents", "otherEvents"} {
		for _, e := range listAt(a, kind) {
			f.add("event", kind == "seriousEvents", txt(e, "term"), txt(e, "organSystem"), txt(e, "sourceVocabulary"),
				txt(e, "assessmentType"), txt(e, "notes"))
			for _, s := range listAt(e, "stats") {
				f.add("event", kind == "seriousEvents", txt(e, "term"), txt(e, "organSystem"), place(groups, s),
					scalar(s, "numAffected"), scalar(s, "numAtRisk"), scalar(s, "numEvents"))
			}
		}
	}
}

// place returns the place and the title of the group of a value.
func place(groups []any, v any) string {
	i := placeOf(groups, txt(v, "groupId"))
	return fmt.Sprint(i, " ", txt(groups[i-1], "title"))
}

func placeOf(groups []any, id string) int {
	return 1 + slices.IndexFunc(groups, func(g any) bool { return txt(g, "id") == id })
}

// countsOf lists the analyzed numbers of a group, by units.
func countsOf(denominators []any, group string) string {
	var all []string
	for _, d := range denominators {
		for _, c := range listAt(d, "counts") {
			if txt(c, "groupId") == group {
				all = append(all, txt(d, "units")+" "+txt(c, "value"))
			}
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func get(v any, path ...string) any {
	for _, step := range path {
		object, _ := v.(map[string]any)
		v = object[step]
	}
	return v
}

func listAt(v any, path ...string) []any {
	items, _ := get(v, path...).([]any)
	return items
}

var escape = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")

// txt returns a text as answers have it: cleaned, without escapes and character references.
func txt(v any, path ...string) string {
	s, _ := get(v, path...).(string)
	return escape.ReplaceAllString(strings.TrimSpace(entity.Clean(html.UnescapeString(html.UnescapeString(s)))), "$1")
}

// scalar returns a number or a boolean as text, "-" if it is missing.
func scalar(v any, path ...string) string {
	switch v := get(v, path...).(type) {
	case float64, bool, json.Number:
		return fmt.Sprint(v)
	}
	return "-"
}
