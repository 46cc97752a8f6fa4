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

// recordFacts returns the facts of the results section of a raw record, sorted, and the number of values in fields that their dispersion does
// not use.
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
	f.add("more", cleanAt(more, "limitationsAndCaveats", "description"), scalar(more, "certainAgreement", "piSponsorEmployee"),
		scalar(more, "certainAgreement", "restrictiveAgreement"), cleanAt(more, "certainAgreement", "restrictionType"),
		cleanAt(more, "certainAgreement", "otherDetails"), cleanAt(more, "pointOfContact", "title"),
		cleanAt(more, "pointOfContact", "organization"), cleanAt(more, "pointOfContact", "email"))
	slices.Sort(f.lines)
	return f.lines, f.unused
}

func (f *facts) rawFlow(flow any) {
	f.add("flow", cleanAt(flow, "recruitmentDetails"), cleanAt(flow, "preAssignmentDetails"), cleanAt(flow, "typeUnitsAnalyzed"))
	groups := listAt(flow, "groups")
	for i, g := range groups {
		f.add("flow group", i+1, cleanAt(g, "title"), cleanAt(g, "description"))
	}
	for _, p := range listAt(flow, "periods") {
		f.add("flow period", cleanAt(p, "title"))
		for _, kind := range []struct{ rows, cells string }{{"milestones", "achievements"}, {"dropWithdraws", "reasons"}} {
			for _, row := range listAt(p, kind.rows) {
				f.add("flow", cleanAt(p, "title"), kind.rows, cleanAt(row, "type"), cleanAt(row, "comment"))
				for _, c := range listAt(row, kind.cells) {
					f.add("flow", cleanAt(p, "title"), kind.rows, cleanAt(row, "type"), place(groups, c),
						cleanAt(c, "numSubjects"), cleanAt(c, "numUnits"), cleanAt(c, "comment"))
				}
			}
		}
	}
}

func (f *facts) rawBaseline(b any) {
	f.add("baseline", cleanAt(b, "populationDescription"))
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
		f.add(of, "group", i+1, cleanAt(g, "title"), cleanAt(g, "description"), countsOf(listAt(m, "denoms"), cleanAt(g, "id")))
	}
}

func (f *facts) rawMeasure(of string, m any, groups, denominators []any) {
	f.add(of, cleanAt(m, "type"), cleanAt(m, "title"), cleanAt(m, "timeFrame"), cleanAt(m, "description"), cleanAt(m, "populationDescription"),
		cleanAt(m, "reportingStatus"), cleanAt(m, "anticipatedPostingDate"), cleanAt(m, "paramType"), cleanAt(m, "dispersionType"),
		cleanAt(m, "unitOfMeasure"))
	dispersion := cleanAt(m, "dispersionType")
	spread, limits := uses(dispersion)
	value := func(used bool, v any, field string) string {
		given := cleanAt(v, field)
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
				f.add(of, cleanAt(class, "title"), cleanAt(category, "title"), place(groups, v), cleanAt(v, "value"),
					value(spread, v, "spread"), value(limits, v, "lowerLimit"), value(limits, v, "upperLimit"),
					cleanAt(v, "comment"), countsOf(analyzed, cleanAt(v, "groupId")))
			}
		}
	}
}

// onlyAnalyzed adds the analyzed numbers of a class, where they differ from those of the table, for groups without a value.
func (f *facts) onlyAnalyzed(of string, class, category any, groups, denominators []any) {
	for i, g := range groups {
		id := cleanAt(g, "id")
		own := countsOf(listAt(class, "denoms"), id)
		if own == "" || own == countsOf(denominators, id) || slices.ContainsFunc(listAt(category, "measurements"), func(v any) bool {
			return cleanAt(v, "groupId") == id
		}) {
			continue
		}
		f.add(of, cleanAt(class, "title"), cleanAt(category, "title"), fmt.Sprint(i+1, " ", cleanAt(g, "title")), "only analyzed", own)
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
	f.add(of, "analysis", compared, cleanAt(a, "groupDescription"), cleanAt(a, "statisticalMethod"), cleanAt(a, "statisticalComment"),
		cleanAt(a, "pValue"), cleanAt(a, "pValueComment"), cleanAt(a, "paramType"), cleanAt(a, "paramValue"), cleanAt(a, "dispersionType"),
		cleanAt(a, "dispersionValue"), cleanAt(a, "ciPctValue"), cleanAt(a, "ciNumSides"), cleanAt(a, "ciLowerLimit"), cleanAt(a, "ciUpperLimit"),
		cleanAt(a, "ciLowerLimitComment"), cleanAt(a, "ciUpperLimitComment"), cleanAt(a, "nonInferiorityType"), cleanAt(a, "nonInferiorityComment"),
		scalar(a, "testedNonInferiority"), cleanAt(a, "estimateComment"), cleanAt(a, "otherAnalysisDescription"))
}

func (f *facts) rawEvents(a any) {
	f.add("events", cleanAt(a, "timeFrame"), cleanAt(a, "description"), cleanAt(a, "frequencyThreshold"), cleanAt(a, "allCauseMortalityComment"))
	groups := listAt(a, "eventGroups")
	for i, g := range groups {
		f.add("event group", i+1, cleanAt(g, "title"), cleanAt(g, "description"), scalar(g, "seriousNumAffected"), scalar(g, "seriousNumAtRisk"),
			scalar(g, "otherNumAffected"), scalar(g, "otherNumAtRisk"), scalar(g, "deathsNumAffected"), scalar(g, "deathsNumAtRisk"))
	}
	for _, kind := range []string{"seriousEvents", "otherEvents"} {
		for _, e := range listAt(a, kind) {
			f.add("event", kind == "seriousEvents", cleanAt(e, "term"), cleanAt(e, "organSystem"), cleanAt(e, "sourceVocabulary"),
				cleanAt(e, "assessmentType"), cleanAt(e, "notes"))
			for _, s := range listAt(e, "stats") {
				f.add("event", kind == "seriousEvents", cleanAt(e, "term"), cleanAt(e, "organSystem"), place(groups, s),
					scalar(s, "numAffected"), scalar(s, "numAtRisk"), scalar(s, "numEvents"))
			}
		}
	}
}

// place returns the place and the title of the group of a value.
func place(groups []any, v any) string {
	i := placeOf(groups, cleanAt(v, "groupId"))
	return fmt.Sprint(i, " ", cleanAt(groups[i-1], "title"))
}

func placeOf(groups []any, id string) int {
	return 1 + slices.IndexFunc(groups, func(g any) bool { return cleanAt(g, "id") == id })
}

// countsOf lists the analyzed numbers of a group, by units.
func countsOf(denominators []any, group string) string {
	var all []string
	for _, d := range denominators {
		for _, c := range listAt(d, "counts") {
			if cleanAt(c, "groupId") == group {
				all = append(all, cleanAt(d, "units")+" "+cleanAt(c, "value"))
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

// cleanAt returns a text as answers have it: cleaned, without escapes and character references.
func cleanAt(v any, path ...string) string {
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
