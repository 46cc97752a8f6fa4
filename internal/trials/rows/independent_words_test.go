package rows_test

import (
	"regexp"
	"strings"
)

var peopleUnit = regexp.MustCompile(`(?i)^\s*(?:(?:number|count) of )?participants?\s*$|^\s*(?:number of )?(?:subjects|patients)\s*$`)

var notPeople = regexp.MustCompile(`(?i)^\s*(number|count) of participant\s*$`)

// parameterKind returns the kind of the values of a measure.
func parameterKind(m any) string {
	unit := strings.ToLower(text(m, "unitOfMeasure"))
	people := regexp.MustCompile(`\b(participants?|subjects|patients)\b`).MatchString(unit)
	switch parameter := text(m, "paramType"); {
	case parameter == "MEAN":
		return "mean"
	case parameter == "LEAST_SQUARES_MEAN":
		return "model"
	case strings.HasPrefix(parameter, "GEOMETRIC"):
		return "geometric"
	case strings.HasPrefix(parameter, "COUNT_OF"), parameter == "NUMBER" && peopleUnit.MatchString(unit) && !notPeople.MatchString(unit):
		return "count"
	case parameter == "NUMBER" && people && (strings.HasPrefix(unit, "percent") || strings.HasPrefix(unit, "%")):
		return "percent"
	case parameter == "NUMBER" && people && strings.HasPrefix(unit, "proportion"):
		return "proportion"
	}
	return ""
}

// measureName returns the measure that a type of estimate names.
func measureName(posted string) string {
	words := " " + strings.Join(regexp.MustCompile(`[^\p{L}\p{Nd}%]+`).Split(strings.ToLower(posted), -1), " ") + " "
	has := func(pattern string) bool { return regexp.MustCompile(" (" + pattern + ") ").MatchString(words) }
	switch {
	case posted == "":
		return ""
	case has("log|subdistribution"):
		return "other"
	case has("odds ratio"), has("hazard ratio"), has("rate ratio"):
		return strings.ReplaceAll(strings.TrimSpace(regexp.MustCompile(" (odds|hazard|rate) ratio ").FindString(words)), " ", "_")
	case has("risk ratio|relative risk"):
		return "risk_ratio"
	case has("gmr"), has("ratio") && has("geom(etric)?"):
		return "geometric_mean_ratio"
	case has("ratio") && has("means?|lsm"):
		return "ratio_of_means"
	case has("ratio"):
		return "other"
	case has("risk difference"):
		return "risk_difference"
	}
	return differenceName(has)
}

// differenceName returns the measure that a type of estimate names, if it names no ratio.
func differenceName(has func(string) bool) string {
	switch {
	case has("(percent|percentage|%) (differences?|diff?)"), !has("differences?|diff?"):
		return "other"
	case has("percent|percentages?|proportions?|%|response rates?|cure rates?"):
		return "risk_difference"
	case has("rates?"), has("posterior") && has("median"):
		return "other"
	case has("medians?"):
		return "median_difference"
	case has("means?|ls|lsm|lsmeans?"):
		return "mean_difference"
	}
	return "other"
}
