package mapping

import (
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// denominators has the numbers of units that were analyzed, by group.
type denominators struct {
	units  string // units of the values
	listed []ctgov.Denom
}

// readDenominators returns the numbers of a table or a measure. A measure without numbers or units of its own gets those of outer, its
// table.
func readDenominators(listed []ctgov.Denom, selected string, outer *denominators) *denominators {
	d := &denominators{units: clean(selected), listed: listed}
	if len(listed) == 0 && outer != nil {
		d.listed = outer.listed
	}
	if d.units == "" && outer != nil {
		d.units = outer.units
	}
	if !d.counts(d.units) && len(d.listed) > 0 {
		d.units = clean(d.listed[0].Units)
	}
	return d
}

// counts reports whether the numbers include some units.
func (d *denominators) counts(units string) bool {
	return slices.ContainsFunc(d.listed, func(l ctgov.Denom) bool { return clean(l.Units) == units })
}

// of returns the number of a group in the units of the values, and its numbers in other units.
func (d *denominators) of(group string) (count string, others []entity.UnitCount) {
	for i := range d.listed {
		for _, c := range d.listed[i].Counts {
			if c.GroupId != group || clean(c.Value) == "" {
				continue
			}
			if units := clean(d.listed[i].Units); units != d.units || count != "" {
				others = append(others, entity.UnitCount{Units: units, Count: clean(c.Value)})
			} else {
				count = clean(c.Value)
			}
		}
	}
	return count, others
}

// differing returns the numbers of a group that differ from those of the table.
func (d *denominators) differing(group string, table *denominators) (count string, others []entity.UnitCount) {
	if d == table {
		return "", nil
	}
	count, others = d.of(group)
	tableCount, tableOthers := table.of(group)
	if d.units == table.units && count == tableCount {
		count = ""
	}
	others = slices.DeleteFunc(others, func(o entity.UnitCount) bool {
		return o == entity.UnitCount{Units: table.units, Count: tableCount} || slices.Contains(tableOthers, o)
	})
	if len(others) == 0 {
		others = nil
	}
	return count, others
}

// setAnalyzed sets the analyzed numbers of the groups of a table.
func setAnalyzed(groups *groupTable, given []ctgov.MeasureGroup, analyzed *denominators) {
	for i := range given {
		g := &groups.groups[i]
		g.Analyzed, g.AnalyzedOther = analyzed.of(given[i].Id)
	}
}

// A table has the groups and analyzed numbers that the values of one measure, or of all baseline measures, share.
type table struct {
	groups   *groupTable
	analyzed *denominators
}

// readRows adds the values of the classes of a measure, one row for each
// category.
func (t *table) readRows(m *entity.ResultMeasure, classes []ctgov.MeasureClass, analyzed *denominators) {
	for i := range classes {
		class := &classes[i]
		own := analyzed
		if len(class.Denoms) > 0 {
			own = &denominators{units: analyzed.units, listed: class.Denoms}
		}
		if len(class.Categories) == 0 {
			addRow(m, entity.ResultRow{Class: cleanMarkup(class.Title), Cells: t.onlyAnalyzed(own, nil)})
		}
		for j := range class.Categories {
			category := &class.Categories[j]
			row := entity.ResultRow{Class: cleanMarkup(class.Title), Category: clean(category.Title)}
			for k := range category.Measurements {
				row.Cells = append(row.Cells, t.cell(m, &category.Measurements[k], own))
			}
			row.Cells = append(row.Cells, t.onlyAnalyzed(own, row.Cells)...)
			addRow(m, row)
		}
	}
}

func (t *table) cell(m *entity.ResultMeasure, v *ctgov.Measurement, analyzed *denominators) entity.ResultCell {
	cell := entity.ResultCell{Group: t.groups.number(v.GroupId), Value: clean(v.Value), Comment: cleanMarkup(v.Comment)}
	cell.Number = readNumber(cell.Value)
	cell.Analyzed, cell.AnalyzedOther = analyzed.differing(v.GroupId, t.analyzed)
	spread, limits := dispersionUses(m.Dispersion)
	m.UnusedValues += setIfUsed(spread, &cell.Spread, v.Spread) +
		setIfUsed(limits, &cell.Lower, v.LowerLimit) + setIfUsed(limits, &cell.Upper, v.UpperLimit)
	return cell
}

// onlyAnalyzed returns cells without values for the groups that are not among the cells of a row: their analyzed numbers, where these
// differ from those of the table. Often nobody was analyzed.
func (t *table) onlyAnalyzed(analyzed *denominators, given []entity.ResultCell) []entity.ResultCell {
	if analyzed == t.analyzed {
		return nil
	}
	measured := map[int]bool{}
	for i := range given {
		measured[given[i].Group] = true
	}
	var cells []entity.ResultCell
	for id, number := range t.groups.numbers {
		cell := entity.ResultCell{Group: number}
		cell.Analyzed, cell.AnalyzedOther = analyzed.differing(id, t.analyzed)
		if !measured[number] && (cell.Analyzed != "" || cell.AnalyzedOther != nil) {
			cells = append(cells, cell)
		}
	}
	slices.SortFunc(cells, func(a, b entity.ResultCell) int { return a.Group - b.Group })
	return cells
}

// addRow adds a row unless it is empty.
func addRow(m *entity.ResultMeasure, row entity.ResultRow) {
	if row.Class != "" || row.Category != "" || len(row.Cells) > 0 {
		m.Rows = append(m.Rows, row)
	}
}

// setIfUsed sets a value if its field is used. It returns 1 if it leaves out a value, else 0.
func setIfUsed(used bool, to *string, given string) int {
	switch given = clean(given); {
	case used:
		*to = given
	case given != "":
		return 1
	}
	return 0
}

// dispersionUses reports which fields of a value the dispersion of its measure uses. The other fields may have values that the form of the
// registry kept.
func dispersionUses(dispersion string) (spread, limits bool) {
	name := strings.ToUpper(dispersion)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(name, w) {
				return true
			}
		}
		return false
	}
	switch {
	case name == "", name == "NA", name == "NOT APPLICABLE":
		return false, false
	case has("CONFIDENCE", "RANGE"):
		return false, true
	case has("DEVIATION", "ERROR", "COEFFICIENT"):
		return true, false
	}
	return true, true // an unknown kind
}

// number matches a number with one reading only. 1,553 has two.
var number = lazyregexp.New(`^-?([0-9]+\.?[0-9]*|\.[0-9]+)$`)

// readNumber returns the number in a text, or nil if the text has no single reading.
func readNumber(text string) *float64 {
	if !number.MatchString(text) {
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil // too large
	}
	return &n
}
