package rows

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Comparisons returns the posted analyses of some outcomes of a trial, in the order of the record. The order of the groups of an analysis
// says nothing about the direction of its estimate.
func Comparisons(nct string, measures []entity.ResultMeasure, arms []entity.Arm) []entity.ComparisonRow {
	byLabel := rolesOf(arms)
	var rows []entity.ComparisonRow
	for i := range measures {
		m := &measures[i]
		pairs := pairsOf(m)
		for j := range m.Analyses {
			rows = append(rows, comparison(nct, m, j, pairs, byLabel))
		}
	}
	return rows
}

// pairsOf maps each pair of groups of a measure to its analyses.
func pairsOf(m *entity.ResultMeasure) map[pair][]int {
	analyses := map[pair][]int{}
	for i := range m.Analyses {
		if groups, ok := pairOf(&m.Analyses[i]); ok {
			analyses[groups] = append(analyses[groups], i)
		}
	}
	return analyses
}

// rowOf returns the row of a measure that has the cells of an analysis, and how the row is known: it is the only one, or the pair of groups
// has as many analyses as the measure has rows. Else it returns no row.
func rowOf(m *entity.ResultMeasure, analysis int, pairs map[pair][]int) (row *entity.ResultRow, by string) {
	groups, ok := pairOf(&m.Analyses[analysis])
	switch {
	case !ok:
		return nil, ""
	case len(m.Rows) == 1:
		return &m.Rows[0], "only"
	case len(m.Rows) > 1 && len(pairs[groups]) == len(m.Rows):
		return &m.Rows[slices.Index(pairs[groups], analysis)], "position"
	}
	return nil, ""
}

// cellOf returns the cell of a group in a row; nil for no such cell.
func cellOf(row *entity.ResultRow, group int) *entity.ResultCell {
	if row != nil {
		for i := range row.Cells {
			if row.Cells[i].Group == group {
				return &row.Cells[i]
			}
		}
	}
	return nil
}

// comparison returns the row of one analysis.
func comparison(nct string, m *entity.ResultMeasure, analysis int, pairs map[pair][]int, byLabel roles) entity.ComparisonRow {
	a := &m.Analyses[analysis]
	out := entity.ComparisonRow{
		NCTID: nct, Outcome: m.Number, Analysis: analysis + 1, OutcomeType: m.Type, OutcomeTitle: m.Title, TimeFrame: m.TimeFrame,
		Unit: m.Unit, Parameter: m.Parameter, GroupCount: len(a.Groups), Measure: MeasureOf(a.EstimateType), EstimateType: a.EstimateType,
		Method: a.Method, Hypothesis: a.Hypothesis, Description: cutAtWord(a.Description, 200),
	}
	for i, group := range a.Groups {
		title := m.Groups[group-1].Title
		switch i {
		case 0:
			out.Group1, out.Role1 = title, byLabel.of(title)
		case 1:
			out.Group2, out.Role2 = title, byLabel.of(title)
		default:
			out.OtherGroups = append(out.OtherGroups, title)
		}
	}
	setEstimate(&out, a)
	row, by := rowOf(m, analysis, pairs)
	if out.RowBy = by; row != nil {
		out.Class, out.Category = row.Class, row.Category
	}
	var cells []figures
	for _, group := range a.Groups {
		cells = append(cells, readCell(m, group, cellOf(row, group)))
	}
	if len(cells) == 1 || len(cells) == 2 {
		out.N1I = cells[0].n
	}
	if len(cells) == 2 {
		out.N2I = cells[1].n
	}
	if row != nil {
		first, second := &cells[0], &cells[1]
		out.AI, out.M1I, out.SD1I, out.SD1IComputed = first.count, first.mean, first.sd, first.derived
		out.CI, out.M2I, out.SD2I, out.SD2IComputed = second.count, second.mean, second.sd, second.derived
	}
	check(&out, a, m, cells)
	return out
}

// setEstimate sets the numbers of an analysis. Texts that are no plain number go to AsPosted.
func setEstimate(out *entity.ComparisonRow, a *entity.ResultAnalysis) {
	for _, value := range []struct {
		name, text string
		to         **float64
	}{
		{"estimate", a.Estimate, &out.Estimate}, {"lower", a.Lower, &out.Lower}, {"upper", a.Upper, &out.Upper},
		{"ci_percent", a.CIPercent, &out.CIPercent},
	} {
		if *value.to = readNumber(value.text); *value.to == nil && value.text != "" {
			out.AsPosted = append(out.AsPosted, value.name+": "+value.text)
		}
	}
	out.CISides = map[string]int{"ONE_SIDED": 1, "TWO_SIDED": 2}[a.CISides]
	if a.Dispersion == "STANDARD_ERROR_OF_MEAN" {
		out.SEI = readNumber(a.Spread)
	}
	switch {
	case a.PNumber != nil:
		out.PValue, out.POperator = a.PNumber, a.POperator
		if operator := map[string]string{"": "=", "≤": "<=", "≥": ">="}[a.POperator]; operator != "" {
			out.POperator = operator
		}
	case a.PValue != "":
		out.AsPosted = append(out.AsPosted, "p_value: "+a.PValue)
	}
}

// cutAtWord cuts a text to a number of characters, at a word if it has one.
func cutAtWord(text string, limit int) string {
	letters := []rune(text)
	if len(letters) <= limit {
		return text
	}
	short := string(letters[:limit-1])
	if i := strings.LastIndexAny(short, " \n"); i > 0 && letters[limit-1] != ' ' && letters[limit-1] != '\n' {
		short = short[:i]
	}
	return strings.TrimRight(short, " \n") + "…"
}
