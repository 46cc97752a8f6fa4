package rows

import (
	"math"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// relativeTolerance is the part of the larger number by which an estimate may differ from the recomputed one.
const relativeTolerance = 0.05

// A formula computes an estimate from the numbers of two groups.
type formula struct {
	kinds []int // cells that it reads
	ratio bool  // the first by the second, else the first minus the second
	odds  bool  // of the odds
}

// formulas are the formulas by measure.
var formulas = map[string]formula{
	meanDifference:     {kinds: []int{meanCells, modelMeanCells}},
	ratioOfMeans:       {kinds: []int{meanCells, modelMeanCells}, ratio: true},
	geometricMeanRatio: {kinds: []int{geometricCells}, ratio: true},
	riskDifference:     {kinds: []int{countCells, percentCells, proportionCells}},
	riskRatio:          {kinds: []int{countCells, percentCells, proportionCells}, ratio: true},
	oddsRatio:          {kinds: []int{countCells, percentCells, proportionCells}, ratio: true, odds: true},
}

// check recomputes the estimate of a row from the cells of its groups, in both orders, and sets what follows.
func check(out *entity.ComparisonRow, a *entity.ResultAnalysis, m *entity.ResultMeasure, cells []figures) {
	f, kind := formulas[out.Measure], cellKind(m)
	out.Check = "not_checkable"
	if out.CheckReason = uncheckable(out, a, m, f, kind); out.CheckReason != "" {
		return
	}
	x, reason := f.operands(kind, cells)
	if out.CheckReason = reason; reason != "" {
		return
	}
	orders := [2]float64{x[0].value - x[1].value, x[1].value - x[0].value}
	if f.ratio {
		orders = [2]float64{x[0].value / x[1].value, x[1].value / x[0].value}
	}
	rounding := halfUnit(a.Estimate)
	if !f.ratio && kind != countCells {
		rounding += x[0].half + x[1].half
	}
	out.Check, out.Recomputed = "differs", significant(nearer(*out.Estimate, orders, f.ratio))
	scales := []float64{1}
	if out.Measure == riskDifference {
		scales = []float64{1, 100} // an estimate in percentage points, or as a part of 1
	}
	for _, scale := range scales {
		estimate, allowed := scale**out.Estimate, rounding
		if scale != 1 {
			allowed += (scale - 1) * halfUnit(a.Estimate)
		}
		first, second := near(estimate, orders[0], allowed), near(estimate, orders[1], allowed)
		if !first && !second {
			continue
		}
		out.Check, out.Recomputed = "agrees", significant(orders[1]/scale)
		if first {
			out.Recomputed = significant(orders[0] / scale)
		}
		if first != second {
			out.DirectionComputed = direction(f.ratio, first)
		}
		return
	}
}

// uncheckable returns why the estimate of a row cannot be compared with cells, before their numbers are read; "" if it can.
func uncheckable(out *entity.ComparisonRow, a *entity.ResultAnalysis, m *entity.ResultMeasure, f formula, kind int) string {
	fits := false
	for _, k := range f.kinds {
		fits = fits || k == kind
	}
	_, two := pairOf(a)
	switch {
	case !two:
		return "groups"
	case out.Estimate == nil:
		return "no_estimate"
	case f.kinds == nil:
		return "measure"
	case !fits:
		return "parameter"
	case len(m.Rows) == 0:
		return "no_cells"
	case out.RowBy == "":
		return "several_rows"
	}
	return ""
}

// An operand is the number of a group that a formula takes, with half a unit of its last digit.
type operand struct{ value, half float64 }

// operands returns the numbers of two groups, or the reason why they cannot be compared. Parts of people are in percent.
func (f formula) operands(kind int, cells []figures) (x [2]operand, reason string) {
	for i := range x {
		if cells[i].value == nil {
			return x, "no_value"
		}
		x[i] = operand{*cells[i].value, cells[i].half}
	}
	if kind == countCells || kind == percentCells || kind == proportionCells {
		if x, reason = partsOf(kind, x, cells); reason != "" {
			return x, reason
		}
	}
	for i := range x {
		if f.ratio && x[i].value == 0 || f.odds && x[i].value == 100 {
			return x, "zero_cell" // nothing is added
		}
	}
	for i := range x {
		if f.odds {
			x[i].value /= 100 - x[i].value
		}
	}
	return x, ""
}

// partsOf returns two numbers as percentages of their groups, or the reason why one cannot be a percentage.
func partsOf(kind int, x [2]operand, cells []figures) (_ [2]operand, reason string) {
	scale := 1.0
	if kind == proportionCells && max(x[0].value, x[1].value) <= 1 { // else they are percentages by another name
		scale = 100
	}
	for i := range x {
		if kind == countCells {
			if cells[i].count == nil || *cells[i].n == 0 {
				return x, "denominator"
			}
			x[i] = operand{value: x[i].value / float64(*cells[i].n)}
			scale = 100
		}
		if x[i] = (operand{scale * x[i].value, scale * x[i].half}); x[i].value < 0 || x[i].value > 100 {
			return x, "denominator"
		}
	}
	return x, ""
}

// near reports whether two numbers are equal within the tolerance.
func near(estimate, recomputed, rounding float64) bool {
	return math.Abs(estimate-recomputed) <= relativeTolerance*max(math.Abs(estimate), math.Abs(recomputed))+rounding
}

// nearer returns the order that is nearer to an estimate: of ratios by their logarithms, where both have one.
func nearer(estimate float64, orders [2]float64, ratio bool) float64 {
	distance := func(x float64) float64 {
		if ratio && estimate > 0 && x > 0 {
			return math.Abs(math.Log(estimate / x))
		}
		return math.Abs(estimate - x)
	}
	const tie = 1 - 1e-9
	if distance(orders[1]) < tie*distance(orders[0]) {
		return orders[1]
	}
	return orders[0]
}

// direction returns the order of the groups as text.
func direction(ratio, first bool) string {
	operator := "-"
	if ratio {
		operator = "/"
	}
	if first {
		return "1" + operator + "2"
	}
	return "2" + operator + "1"
}

// pairOf returns the groups of an analysis of two different groups.
func pairOf(a *entity.ResultAnalysis) (groups pair, ok bool) {
	if len(a.Groups) != 2 || a.Groups[0] == a.Groups[1] {
		return pair{}, false
	}
	return pair{a.Groups[0], a.Groups[1]}, true
}

// A pair is the numbers of two different groups.
type pair [2]int
