package rows_test

import (
	"math"
	"slices"
	"strings"
)

// kindsOf maps a measure to the kinds of values from which it can be computed.
var kindsOf = map[string][]string{
	"mean_difference": {"mean", "model"}, "ratio_of_means": {"mean", "model"}, "geometric_mean_ratio": {"geometric"},
	"risk_difference": {"count", "percent", "proportion"}, "risk_ratio": {"count", "percent", "proportion"},
	"odds_ratio": {"count", "percent", "proportion"},
}

// judge sets whether the estimate of a row follows from its cells.
func (r Row) judge(m any, posted string, two bool, rows []gridRow, samples []sample) {
	measure, _ := r["measure"].(string)
	estimate, known := r["estimate"].(float64)
	kind := parameterKind(m)
	reason := ""
	switch {
	case !two:
		reason = "groups"
	case !known:
		reason = "no_estimate"
	case kindsOf[measure] == nil:
		reason = "measure"
	case !slices.Contains(kindsOf[measure], kind):
		reason = "parameter"
	case len(rows) == 0:
		reason = "no_cells"
	case r["row_by"] == nil:
		reason = "several_rows"
	case samples[0].value == nil || samples[1].value == nil:
		reason = "no_value"
	}
	if reason == "" {
		reason = unusable(measure, kind, samples)
	}
	if reason != "" {
		r["check"], r["check_reason"] = "not_checkable", reason
		return
	}
	r.recompute(estimate, posted, measure, kind, samples)
}

// parts returns the parts of the people that two values are.
func parts(kind string, samples []sample) (p [2]float64) {
	for i := range p {
		switch p[i] = *samples[i].value; {
		case kind == "count":
			p[i] /= *samples[i].n
		case kind == "percent", *samples[0].value > 1, *samples[1].value > 1:
			p[i] /= 100
		}
	}
	return p
}

// unusable returns why two values cannot be compared; "" if they can.
func unusable(measure, kind string, samples []sample) string {
	ratio := strings.Contains(measure, "ratio")
	if !slices.Contains([]string{"count", "percent", "proportion"}, kind) {
		if ratio && *samples[0].value**samples[1].value == 0 {
			return "zero_cell"
		}
		return ""
	}
	for _, s := range samples {
		if kind == "count" && (s.count == nil || *s.n == 0) {
			return "denominator"
		}
	}
	p := parts(kind, samples)
	if min(p[0], p[1]) < 0 || max(p[0], p[1]) > 1 {
		return "denominator"
	}
	if ratio && min(p[0], p[1]) == 0 || measure == "odds_ratio" && max(p[0], p[1]) == 1 {
		return "zero_cell"
	}
	return ""
}

// half returns half a unit of the last decimal place of a number.
func half(posted string) float64 {
	_, decimals, _ := strings.Cut(posted, ".")
	return math.Pow(10, -float64(len(decimals))) / 2
}

// recompute sets the estimate that follows from the values, and whether it is the posted one.
func (r Row) recompute(estimate float64, posted, measure, kind string, samples []sample) {
	results, slack := inBothOrders(measure, kind, samples), half(posted)
	if strings.HasSuffix(measure, "difference") && kind != "count" {
		scale := 1.0
		if kind == "proportion" && max(*samples[0].value, *samples[1].value) <= 1 {
			scale = 100
		}
		slack += scale * (half(samples[0].posted) + half(samples[1].posted))
	}
	for _, scale := range []float64{1, 100} {
		var fits []string
		for name, x := range results {
			e, room := estimate*scale, slack+(scale-1)*half(posted)
			if math.Abs(e-x) <= 0.05*math.Max(math.Abs(e), math.Abs(x))+room {
				fits = append(fits, name)
			}
		}
		slices.Sort(fits)
		if len(fits) == 1 {
			r["direction_computed"] = fits[0]
		}
		if len(fits) > 0 {
			r["check"], r["recomputed"] = "agrees", results[fits[0]]/scale
			return
		}
		if measure != "risk_difference" {
			break
		}
	}
	r["check"], r["recomputed"] = "differs", nearest(estimate, measure, results)
}

// inBothOrders returns the estimate by the order of the groups.
func inBothOrders(measure, kind string, samples []sample) map[string]float64 {
	x := [2]float64{*samples[0].value, *samples[1].value}
	if slices.Contains([]string{"risk_difference", "risk_ratio", "odds_ratio"}, measure) {
		x = parts(kind, samples)
	}
	switch {
	case measure == "odds_ratio":
		odds := (x[0] * (1 - x[1])) / (x[1] * (1 - x[0]))
		return map[string]float64{"1/2": odds, "2/1": 1 / odds}
	case strings.Contains(measure, "ratio"):
		return map[string]float64{"1/2": x[0] / x[1], "2/1": x[1] / x[0]}
	case measure == "risk_difference":
		return map[string]float64{"1-2": 100 * (x[0] - x[1]), "2-1": 100 * (x[1] - x[0])}
	}
	return map[string]float64{"1-2": x[0] - x[1], "2-1": x[1] - x[0]}
}

// nearest returns the result that is nearest to an estimate, of ratios by their logarithms.
func nearest(estimate float64, measure string, results map[string]float64) (found float64) {
	best := math.Inf(1)
	for _, name := range []string{"1-2", "1/2", "2-1", "2/1"} {
		x, ok := results[name]
		distance := math.Abs(estimate - x)
		if strings.Contains(measure, "ratio") && estimate > 0 && x > 0 {
			distance = math.Abs(math.Log(estimate) - math.Log(x))
		}
		if ok && distance < best*(1-1e-9) {
			best, found = distance, x
		}
	}
	return found
}
