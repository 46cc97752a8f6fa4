package trials

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// denominators are the numbers of units that were analyzed, by group.
type denominators struct {
	units string // units of the values
	*unitCounts
}

// unitCounts are the numbers in all units.
type unitCounts struct {
	first   string          // units of the first list
	known   map[string]bool // by units
	byGroup map[string][]entity.UnitCount
	numbers map[groupUnits]string // the first number of a group in units
	has     map[groupCount]bool
}

type groupUnits struct{ group, units string }

type groupCount struct {
	group string
	entity.UnitCount
}

// countUnits returns the numbers of a list.
func countUnits(listed []ctgov.Denom) *unitCounts {
	all := &unitCounts{
		known: map[string]bool{}, byGroup: map[string][]entity.UnitCount{},
		numbers: map[groupUnits]string{}, has: map[groupCount]bool{},
	}
	for i := range listed {
		units := text.Clean(listed[i].Units)
		if all.known[units] = true; i == 0 {
			all.first = units
		}
		for _, c := range listed[i].Counts {
			if value := text.Clean(c.Value); value != "" {
				count, key := entity.UnitCount{Units: units, Count: value}, groupUnits{c.GroupId, units}
				all.byGroup[c.GroupId], all.has[groupCount{c.GroupId, count}] = append(all.byGroup[c.GroupId], count), true
				all.numbers[key] = cmp.Or(all.numbers[key], value)
			}
		}
	}
	return all
}

// readDenominators returns the numbers of a table or a measure. A measure without numbers or units of its own gets those of outer, its
// table.
func readDenominators(listed []ctgov.Denom, selected string, outer *denominators) *denominators {
	d := &denominators{units: text.Clean(selected)}
	if len(listed) == 0 && outer != nil {
		d.unitCounts = outer.unitCounts
	} else {
		d.unitCounts = countUnits(listed)
	}
	if d.units == "" && outer != nil {
		d.units = outer.units
	}
	if !d.known[d.units] && len(d.known) > 0 {
		d.units = d.first
	}
	return d
}

// of returns the number of a group in the units of the values, and its numbers in other units.
func (d *denominators) of(group string) (count string, others []entity.UnitCount) {
	for _, c := range d.byGroup[group] {
		if c.Units != d.units || count != "" {
			others = append(others, c)
		} else {
			count = c.Count
		}
	}
	return count, others
}

// maxCompared limits how many analyzed numbers of a record are compared. Rows share the numbers of a class, so that a hostile record could
// have many times more cells than values.
const maxCompared = 1_000_000

// differing returns the numbers of a group that differ from those of the table.
func (t *table) differing(group string, d *denominators) (count string, others []entity.UnitCount) {
	key := groupUnits{group, d.units}
	if count = d.numbers[key]; d.units == t.analyzed.units && count == t.analyzed.numbers[key] {
		count = ""
	}
	if d.unitCounts == t.analyzed.unitCounts {
		return count, nil
	}
	if *t.compared += 1 + len(d.byGroup[group]); *t.compared > maxCompared {
		return "", nil
	}
	_, others = d.of(group)
	others = slices.DeleteFunc(others, func(o entity.UnitCount) bool { return t.analyzed.has[groupCount{group, o}] })
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
	compared *int // number of comparisons for the record
}

// readRows adds the values of the classes of a measure, one row for each
// category.
func (t *table) readRows(m *entity.ResultMeasure, classes []ctgov.MeasureClass, analyzed *denominators) {
	for i := range classes {
		class := &classes[i]
		own := analyzed
		if len(class.Denoms) > 0 {
			own = &denominators{analyzed.units, countUnits(class.Denoms)}
		}
		if len(class.Categories) == 0 {
			addRow(m, entity.ResultRow{Class: text.CleanMarkup(class.Title), Cells: t.onlyAnalyzed(own, nil)})
		}
		for j := range class.Categories {
			category := &class.Categories[j]
			row := entity.ResultRow{Class: text.CleanMarkup(class.Title), Category: text.Clean(category.Title)}
			for k := range category.Measurements {
				row.Cells = append(row.Cells, t.cell(m, &category.Measurements[k], own))
			}
			row.Cells = append(row.Cells, t.onlyAnalyzed(own, row.Cells)...)
			addRow(m, row)
		}
	}
}

func (t *table) cell(m *entity.ResultMeasure, v *ctgov.Measurement, analyzed *denominators) entity.ResultCell {
	cell := entity.ResultCell{Group: t.groups.number(v.GroupId), Value: text.Clean(v.Value), Comment: text.CleanMarkup(v.Comment)}
	cell.Number = readNumber(cell.Value)
	cell.Analyzed, cell.AnalyzedOther = t.differing(v.GroupId, analyzed)
	spread, limits := dispersionUses(m.Dispersion)
	m.UnusedValues += setIfUsed(spread, &cell.Spread, v.Spread) +
		setIfUsed(limits, &cell.Lower, v.LowerLimit) + setIfUsed(limits, &cell.Upper, v.UpperLimit)
	return cell
}

// onlyAnalyzed returns cells without values for the groups that are not among the cells of a row: their analyzed numbers, where these
// differ from those of the table. Their number is often 0.
func (t *table) onlyAnalyzed(analyzed *denominators, given []entity.ResultCell) []entity.ResultCell {
	if analyzed.unitCounts == t.analyzed.unitCounts && analyzed.units == t.analyzed.units || *t.compared > maxCompared {
		return nil
	}
	measured := map[int]bool{}
	for i := range given {
		measured[given[i].Group] = true
	}
	var cells []entity.ResultCell
	for id := range analyzed.byGroup {
		number, listed := t.groups.numbers[id]
		cell := entity.ResultCell{Group: number}
		cell.Analyzed, cell.AnalyzedOther = t.differing(id, analyzed)
		if listed && !measured[number] && (cell.Analyzed != "" || cell.AnalyzedOther != nil) {
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
	switch given = text.Clean(given); {
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

// A groupTable numbers the groups of one table. Their ids have no meaning outside the table.
type groupTable struct {
	groups  []entity.ResultGroup
	numbers map[string]int
}

// add adds a group. If two groups have the same id, the first one has the cells.
func (r *groupTable) add(id, title, description string) {
	if r.numbers == nil {
		r.numbers = map[string]int{}
	}
	number := len(r.groups) + 1
	if _, known := r.numbers[id]; !known {
		r.numbers[id] = number
	}
	r.groups = append(r.groups, entity.ResultGroup{Number: number, Title: text.Clean(title), Description: text.CleanMarkup(description)})
}

// number returns the number of a group. It adds a group that the table does not list, with its id as title, so that its cells are not lost.
func (r *groupTable) number(id string) int {
	if _, known := r.numbers[id]; !known {
		r.add(id, id, "")
	}
	return r.numbers[id]
}

func (r *groupTable) numbersOf(ids []string) []int {
	var out []int
	for _, id := range ids {
		out = append(out, r.number(id))
	}
	return out
}

func measureGroups(groups []ctgov.MeasureGroup) *groupTable {
	r := &groupTable{}
	for i := range groups {
		r.add(groups[i].Id, groups[i].Title, groups[i].Description)
	}
	return r
}
