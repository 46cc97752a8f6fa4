// Package resultstest lists the facts of posted results as lines of text, once from a raw record and once from the mapped entity. A test
// compares the two: a fact that was lost, repeated, changed or moved to another group is a missing or an additional line.
package resultstest

import (
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// A Dispersion is a field of a value that a kind of dispersion does not use.
type Dispersion struct{ Kind, Field string }

// facts collects lines.
type facts struct {
	lines  []string
	unused map[Dispersion]int
}

func (f *facts) add(parts ...any) {
	words := make([]string, len(parts))
	for i := range parts {
		words[i] = fmt.Sprint(parts[i])
	}
	f.lines = append(f.lines, strings.Join(words, " | "))
}

// Record returns the facts of the results section of a raw record, sorted, and the number of values in fields that their dispersion does
// not use.
func Record(raw map[string]any) ([]string, map[Dispersion]int) {
	f := &facts{unused: map[Dispersion]int{}}
	results := get(raw, "resultsSection")
	f.rawFlow(get(results, "participantFlowModule"))
	f.rawBaseline(get(results, "baselineCharacteristicsModule"))
	for i, m := range list(results, "outcomeMeasuresModule", "outcomeMeasures") {
		f.rawMeasure(fmt.Sprint("outcome ", i+1), m, list(m, "groups"), list(m, "denoms"))
		f.rawGroups(fmt.Sprint("outcome ", i+1), m)
		for _, a := range list(m, "analyses") {
			f.rawAnalysis(fmt.Sprint("outcome ", i+1), a, list(m, "groups"))
		}
	}
	f.rawEvents(get(results, "adverseEventsModule"))
	more := get(results, "moreInfoModule")
	f.add("more", text(more, "limitationsAndCaveats", "description"), scalar(more, "certainAgreement", "piSponsorEmployee"),
		scalar(more, "certainAgreement", "restrictiveAgreement"), text(more, "certainAgreement", "restrictionType"),
		text(more, "certainAgreement", "otherDetails"), text(more, "pointOfContact", "title"),
		text(more, "pointOfContact", "organization"), text(more, "pointOfContact", "email"))
	slices.Sort(f.lines)
	return f.lines, f.unused
}

func (f *facts) rawFlow(flow any) {
	f.add("flow", text(flow, "recruitmentDetails"), text(flow, "preAssignmentDetails"), text(flow, "typeUnitsAnalyzed"))
	groups := list(flow, "groups")
	for i, g := range groups {
		f.add("flow group", i+1, text(g, "title"), text(g, "description"))
	}
	for _, p := range list(flow, "periods") {
		f.add("flow period", text(p, "title"))
		for _, kind := range []struct{ rows, cells string }{{"milestones", "achievements"}, {"dropWithdraws", "reasons"}} {
			for _, row := range list(p, kind.rows) {
				f.add("flow", text(p, "title"), kind.rows, text(row, "type"), text(row, "comment"))
				for _, c := range list(row, kind.cells) {
					f.add("flow", text(p, "title"), kind.rows, text(row, "type"), place(groups, c),
						text(c, "numSubjects"), text(c, "numUnits"), text(c, "comment"))
				}
			}
		}
	}
}

func (f *facts) rawBaseline(b any) {
	f.add("baseline", text(b, "populationDescription"))
	f.rawGroups("baseline", b)
	for i, m := range list(b, "measures") {
		denominators := list(m, "denoms")
		if len(denominators) == 0 {
			denominators = list(b, "denoms")
		}
		f.rawMeasure(fmt.Sprint("baseline ", i+1), m, list(b, "groups"), denominators)
	}
}

func (f *facts) rawGroups(of string, m any) {
	for i, g := range list(m, "groups") {
		f.add(of, "group", i+1, text(g, "title"), text(g, "description"), counts(list(m, "denoms"), text(g, "id")))
	}
}

func (f *facts) rawMeasure(of string, m any, groups, denominators []any) {
	f.add(of, text(m, "type"), text(m, "title"), text(m, "timeFrame"), text(m, "description"), text(m, "populationDescription"),
		text(m, "reportingStatus"), text(m, "anticipatedPostingDate"), text(m, "paramType"), text(m, "dispersionType"),
		text(m, "unitOfMeasure"))
	dispersion := text(m, "dispersionType")
	spread, limits := uses(dispersion)
	value := func(used bool, v any, field string) string {
		given := text(v, field)
		if used || given == "" {
			return given
		}
		f.unused[Dispersion{dispersion, field}]++
		return ""
	}
	for _, class := range list(m, "classes") {
		analyzed := list(class, "denoms")
		if len(analyzed) == 0 {
			analyzed = denominators
		}
		if len(list(class, "categories")) == 0 {
			f.onlyAnalyzed(of, class, nil, groups, denominators)
		}
		for _, category := range list(class, "categories") {
			f.onlyAnalyzed(of, class, category, groups, denominators)
			for _, v := range list(category, "measurements") {
				f.add(of, text(class, "title"), text(category, "title"), place(groups, v), text(v, "value"),
					value(spread, v, "spread"), value(limits, v, "lowerLimit"), value(limits, v, "upperLimit"),
					text(v, "comment"), counts(analyzed, text(v, "groupId")))
			}
		}
	}
}

// onlyAnalyzed adds the analyzed numbers of a class, where they differ from those of the table, for groups without a value.
func (f *facts) onlyAnalyzed(of string, class, category any, groups, denominators []any) {
	for i, g := range groups {
		id := text(g, "id")
		own := counts(list(class, "denoms"), id)
		if own == "" || own == counts(denominators, id) || slices.ContainsFunc(list(category, "measurements"), func(v any) bool {
			return text(v, "groupId") == id
		}) {
			continue
		}
		f.add(of, text(class, "title"), text(category, "title"), fmt.Sprint(i+1, " ", text(g, "title")), "only analyzed", own)
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
	for _, id := range list(a, "groupIds") {
		compared = append(compared, placeOf(groups, id.(string)))
	}
	f.add(of, "analysis", compared, text(a, "groupDescription"), text(a, "statisticalMethod"), text(a, "statisticalComment"),
		text(a, "pValue"), text(a, "pValueComment"), text(a, "paramType"), text(a, "paramValue"), text(a, "dispersionType"),
		text(a, "dispersionValue"), text(a, "ciPctValue"), text(a, "ciNumSides"), text(a, "ciLowerLimit"), text(a, "ciUpperLimit"),
		text(a, "ciLowerLimitComment"), text(a, "ciUpperLimitComment"), text(a, "nonInferiorityType"), text(a, "nonInferiorityComment"),
		scalar(a, "testedNonInferiority"), text(a, "estimateComment"), text(a, "otherAnalysisDescription"))
}

func (f *facts) rawEvents(a any) {
	f.add("events", text(a, "timeFrame"), text(a, "description"), text(a, "frequencyThreshold"), text(a, "allCauseMortalityComment"))
	groups := list(a, "eventGroups")
	for i, g := range groups {
		f.add("event group", i+1, text(g, "title"), text(g, "description"), scalar(g, "seriousNumAffected"), scalar(g, "seriousNumAtRisk"),
			scalar(g, "otherNumAffected"), scalar(g, "otherNumAtRisk"), scalar(g, "deathsNumAffected"), scalar(g, "deathsNumAtRisk"))
	}
	for _, kind := range []string{"seriousEvents", "otherEvents"} {
		for _, e := range list(a, kind) {
			f.add("event", kind == "seriousEvents", text(e, "term"), text(e, "organSystem"), text(e, "sourceVocabulary"),
				text(e, "assessmentType"), text(e, "notes"))
			for _, s := range list(e, "stats") {
				f.add("event", kind == "seriousEvents", text(e, "term"), text(e, "organSystem"), place(groups, s),
					scalar(s, "numAffected"), scalar(s, "numAtRisk"), scalar(s, "numEvents"))
			}
		}
	}
}

// place returns the place and the title of the group of a value.
func place(groups []any, v any) string {
	i := placeOf(groups, text(v, "groupId"))
	return fmt.Sprint(i, " ", text(groups[i-1], "title"))
}

func placeOf(groups []any, id string) int {
	return 1 + slices.IndexFunc(groups, func(g any) bool { return text(g, "id") == id })
}

// counts lists the analyzed numbers of a group, by units.
func counts(denominators []any, group string) string {
	var all []string
	for _, d := range denominators {
		for _, c := range list(d, "counts") {
			if text(c, "groupId") == group {
				all = append(all, text(d, "units")+" "+text(c, "value"))
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

func list(v any, path ...string) []any {
	items, _ := get(v, path...).([]any)
	return items
}

var escape = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")

// text returns a text as answers have it: cleaned, without escapes and character references.
func text(v any, path ...string) string {
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
