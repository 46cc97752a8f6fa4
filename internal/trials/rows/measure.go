package rows

import (
	"slices"
	"strings"
	"unicode"
)

// The measures of estimates that can be computed from cells.
const (
	meanDifference     = "mean_difference"
	ratioOfMeans       = "ratio_of_means"
	geometricMeanRatio = "geometric_mean_ratio"
	riskDifference     = "risk_difference"
	riskRatio          = "risk_ratio"
	oddsRatio          = "odds_ratio"
	otherMeasure       = "other"
)

// A measureRule gives a measure to the estimates whose type has one of some phrases, and one of some further words.
type measureRule struct {
	phrases []string
	with    []string // nil: no further word is needed
	measure string
}

// difference are the words for a difference.
var difference = []string{"difference", "differences", "diff", "dif"}

// ratios are the rules for types of estimates, up to those for differences. The first rule that fits decides.
var ratios = []measureRule{
	{phrases: []string{"log", "subdistribution"}, measure: otherMeasure},
	{phrases: []string{"odds ratio"}, measure: oddsRatio},
	{phrases: []string{"hazard ratio"}, measure: "hazard_ratio"},
	{phrases: []string{"risk ratio", "relative risk"}, measure: riskRatio},
	{phrases: []string{"rate ratio"}, measure: "rate_ratio"},
	{phrases: []string{"gmr"}, measure: geometricMeanRatio},
	{phrases: []string{"ratio"}, with: []string{"geometric", "geom"}, measure: geometricMeanRatio},
	{phrases: []string{"ratio"}, with: []string{"mean", "means", "lsm"}, measure: ratioOfMeans},
	{phrases: []string{"ratio"}, measure: otherMeasure},
	{phrases: []string{"risk difference"}, measure: riskDifference},
}

// differences are the rules for types with a word for a difference.
var differences = []measureRule{
	{phrases: []string{"percent", "percentage", "percentages", "proportion", "proportions", "%"}, measure: riskDifference},
	{phrases: []string{"response rate", "response rates", "cure rate", "cure rates"}, measure: riskDifference},
	{phrases: []string{"rate", "rates"}, measure: otherMeasure}, // events per time
	{phrases: []string{"posterior"}, with: []string{"median"}, measure: otherMeasure},
	{phrases: []string{"median", "medians"}, measure: "median_difference"},
	{phrases: []string{"mean", "means", "ls", "lsm", "lsmean", "lsmeans"}, measure: meanDifference},
}

// MeasureOf returns the measure that the posted type of an estimate names; "" without a type.
func MeasureOf(posted string) string {
	if posted == "" {
		return ""
	}
	words := strings.FieldsFunc(strings.ToLower(posted),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '%' })
	if measure := firstRule(ratios, words); measure != "" {
		return measure
	}
	different := false
	for i, word := range words {
		if slices.Contains(difference, word) {
			different = true
			if i > 0 && slices.Contains([]string{"percent", "percentage", "%"}, words[i-1]) {
				return otherMeasure // relative or absolute
			}
		}
	}
	if measure := firstRule(differences, words); different && measure != "" {
		return measure
	}
	return otherMeasure
}

// firstRule returns the measure of the first rule that fits; "" if none does.
func firstRule(rules []measureRule, words []string) string {
	text := " " + strings.Join(words, " ") + " "
	has := func(phrase string) bool { return strings.Contains(text, " "+phrase+" ") }
	for _, rule := range rules {
		if slices.ContainsFunc(rule.phrases, has) && (rule.with == nil || slices.ContainsFunc(rule.with, has)) {
			return rule.measure
		}
	}
	return ""
}
