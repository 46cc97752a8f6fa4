package rows_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/trials/rows"
)

// TestCorpus compares the rows of all records, field by field and in their order, with an independent reading of the same JSON, and the
// recomputed estimates with an independent computation.
func TestCorpus(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	records, checks, reasons, directions := 0, map[string]int{}, map[string]int{}, map[string]int{}
	for _, path := range expect.Trials("results", "studies").Paths {
		for i, line := range expect.Lines(t, path) {
			if !strings.Contains(string(line), `"resultsSection"`) || !expect.All() && i%8 > 0 && len(line) > 20_000 {
				continue
			}
			records++
			for _, row := range compare(t, line) {
				checks[fmt.Sprint(row["check"], " ", row["measure"])]++
				reasons[fmt.Sprint(row["check_reason"])]++
				directions[fmt.Sprint(row["direction_computed"])]++
			}
		}
	}
	expect.That(t, records > 0, "records with results")
	t.Logf("%d records: %v\n%v\n%v", records, checks, reasons, directions)
}

// compare reports each difference between the rows of a record and the independent reading. It returns the comparisons of the latter.
func compare(t *testing.T, line []byte) []Row {
	t.Helper()
	var raw map[string]any
	var study ctgov.Study
	expect.NoError(t, errors.Join(json.Unmarshal(line, &raw), json.Unmarshal(line, &study)))
	r, err := trials.TrialResults(&study)
	expect.NoError(t, err)
	want := Comparisons(raw)
	same(t, "comparisons of "+r.ID, decoded(t, rows.Comparisons(r.ID, r.OutcomeMeasures, r.Arms)), want)
	arms := decoded(t, rows.Outcomes(r.ID, r.OutcomeMeasures, r.Arms))
	// A group without a value, whose analyzed number differs in this row, is a row of its own: the other reading has only values.
	arms = slices.DeleteFunc(arms, func(row Row) bool { return row["value"] == nil && row["comment"] == nil })
	if a := r.AdverseEvents; a != nil {
		arms = append(arms, decoded(t, rows.Events(r.ID, a, a.Events, r.Arms))...)
		arms = append(arms, decoded(t, rows.Totals(r.ID, a, r.Arms))...)
	}
	other := Arms(raw)
	slices.SortStableFunc(arms, byPlace)
	slices.SortStableFunc(other, byPlace)
	same(t, "arms of "+r.ID, arms, other)
	return want
}

// byPlace orders the cells of a row of an outcome, which a record may list in any order, by their group.
func byPlace(a, b Row) int {
	place := func(r Row) string {
		number, _ := r["outcome"].(float64)
		return fmt.Sprintf("%v %04.0f %v %v %v", r["kind"], number, r["class"], r["category"], r["group"])
	}
	if a["kind"] != "outcome" || b["kind"] != "outcome" {
		return strings.Compare(fmt.Sprint(a["kind"]), fmt.Sprint(b["kind"]))
	}
	return strings.Compare(place(a), place(b))
}

// decoded returns rows as their JSON has them.
func decoded[T any](t *testing.T, list []T) (out []Row) {
	t.Helper()
	text, err := entity.JSON(list)
	expect.NoError(t, err)
	expect.NoError(t, json.Unmarshal(text, &out))
	return out
}

// same reports the differences between two tables, of which the second has unrounded numbers.
func same(t *testing.T, what string, got, want []Row) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d rows instead of %d", what, len(got), len(want))
		return
	}
	for i := range got {
		columns := slices.Collect(maps.Keys(want[i]))
		for column := range got[i] {
			columns = append(columns, column)
		}
		for _, column := range entity.Once(columns) {
			x, number := got[i][column].(float64)
			y, too := want[i][column].(float64)
			if number && too && math.Abs(x-y) <= 2e-5*math.Abs(y) {
				continue
			}
			if fmt.Sprint(got[i][column]) != fmt.Sprint(want[i][column]) {
				t.Errorf("%s, row %d, %s: %v instead of %v", what, i+1, column, got[i][column], want[i][column])
			}
		}
	}
}

// TestTable: a table has the columns of the contract, and a cell for each.
func TestTable(t *testing.T) {
	t.Parallel()
	n := 3
	row := entity.ArmRow{NCTID: "NCT:90000001", Kind: "total", Title: "deaths", Serious: new(false), XI: new(0), NI: &n}
	expect.Equal(t, "cells", "NCT90000001,total,,,deaths,false,,,,,,,,,,,,,,3,,0,,,,,,", strings.Join(rows.Cells(row), ","))
	expect.Equal(t, "columns", "nct_id,kind,outcome,outcome_type,title,serious,organ_system,time_frame,class,category,group,role,unit,"+
		"parameter,value,dispersion,spread,lower,upper,ni,ni_units,xi,events,mi,sdi,sei,sdi_computed,comment",
		strings.Join(rows.Columns[entity.ArmRow](), ","))
	expect.Equal(t, "columns", "nct_id,outcome,analysis,outcome_type,outcome_title,time_frame,unit,parameter,group_count,group_1,role_1,"+
		"group_2,role_2,other_groups,measure,estimate_type,estimate,lower,upper,ci_percent,ci_sides,sei,p_operator,p_value,method,"+
		"hypothesis,description,row_by,class,category,ai,n1i,ci,n2i,m1i,sd1i,sd1i_computed,m2i,sd2i,sd2i_computed,check,check_reason,"+
		"recomputed,direction_computed,as_posted", strings.Join(rows.Columns[entity.ComparisonRow](), ","))
	expect.Equal(t, "cells of lists", " | ", rows.Cells(entity.ComparisonRow{OtherGroups: []string{"", ""}})[13])
}

// made returns a record with one outcome. The shape decides its groups, rows, units and analyses: one group, ids used twice, eyes instead
// of participants, an analysis of three groups.
func made(t testing.TB, shape uint8, parameter, unit, dispersion, kind string, x [6]string) []byte {
	type object = map[string]any
	bit := func(n int) bool { return shape>>n&1 == 1 }
	units, ids := "Participants", []any{"OG000", "OG001"}
	groups := []any{object{"id": "OG000", "title": "Drug A"}, object{"id": "OG001", "title": "Placebo"},
		object{"id": "OG002", "title": "drug a!"}}
	if bit(0) {
		ids = ids[:1]
	}
	if bit(1) {
		ids = append(ids, "OG002")
	}
	if bit(2) {
		units = "eyes"
	}
	if bit(3) {
		ids[len(ids)-1] = "OG000"
	}
	count := func(id, n string) object { return object{"groupId": id, "value": n} }
	denoms := []any{object{"units": "Participants", "counts": []any{count("OG000", x[2]), count("OG001", x[3])}},
		object{"units": "eyes", "counts": []any{count("OG000", x[3]), count("OG001", x[2])}}}
	cell := func(id, v string) object {
		return object{"groupId": id, "value": v, "spread": x[4], "lowerLimit": x[4], "upperLimit": x[5]}
	}
	category := object{"title": "Week 4", "measurements": []any{cell("OG000", x[0]), cell("OG001", x[1])}}
	class := object{"title": "Part 1", "categories": []any{category}}
	classes, analysis := []any{class}, object{"groupIds": ids, "paramType": kind, "paramValue": x[5], "pValue": "<" + x[4],
		"ciLowerLimit": x[0], "ciPctValue": x[1], "dispersionType": "STANDARD_ERROR_OF_MEAN", "dispersionValue": x[4]}
	analyses := []any{analysis}
	if bit(4) {
		classes = append(classes, object{"denoms": denoms[1:], "categories": []any{category}})
	}
	if bit(5) {
		analyses = append(analyses, analysis)
	}
	if bit(6) {
		classes = nil
	}
	record, err := json.Marshal(object{
		"hasResults": true,
		"protocolSection": object{"identificationModule": object{"nctId": "NCT90000001"}, "armsInterventionsModule": object{"armGroups": []any{
			object{"label": "DRUG-A", "type": "EXPERIMENTAL"}, object{"label": "placebo", "type": "PLACEBO_COMPARATOR"}}}},
		"resultsSection": object{"outcomeMeasuresModule": object{"outcomeMeasures": []any{object{
			"type": "PRIMARY", "title": "Change", "timeFrame": "4 weeks", "paramType": parameter, "unitOfMeasure": unit, "groups": groups,
			"dispersionType": dispersion, "denoms": denoms, "denomUnitsSelected": units, "classes": classes, "analyses": analyses,
		}}}, "adverseEventsModule": object{"eventGroups": []any{
			object{"id": "EG000", "title": "Drug A", "deathsNumAffected": 0, "deathsNumAtRisk": shape, "seriousNumAffected": shape / 2},
			object{"id": "EG001", "title": "Placebo"},
		}, "otherEvents": []any{object{"term": "Nausea", "stats": []any{object{"groupId": "EG001", "numAtRisk": 0}}}}}},
	})
	expect.NoError(t, err)
	return record
}

// dispersions are names of the registry.
var dispersions = []string{"Standard Deviation", "Standard Error", "95% Confidence Interval", "90% Confidence Interval", "", "Full Range"}

// FuzzRows: the rows of any made record are those of the independent reading.
func FuzzRows(f *testing.F) {
	for shape := range 256 {
		f.Add(uint8(shape), uint8(1), "MEAN", "mm Hg", "Mean Difference (Final Values)", "5.0", "3.5", "1,020", "30", ".5", "1.5")
	}
	for _, kind := range []string{"Odds Ratio (OR)", "Risk Ratio (RR)", "Risk Difference (RD)", "Difference in Percentage", "Ratio of LS means",
		"Geometric mean ratio", "Hazard Ratio (HR)", "log Odds Ratio", "Posterior median difference", "Slope", ""} {
		f.Add(uint8(0), uint8(4), "COUNT_OF_PARTICIPANTS", "Participants", kind, "5", "0", "10", "10", "", "0.5")
		f.Add(uint8(16), uint8(4), "NUMBER", "Number of Participants", kind, "5", "4", "10", "12", "", "1.5")
		f.Add(uint8(48), uint8(4), "NUMBER", "Percentage of participants", kind, "55.5", "44.4", "10", "0", "", "11.1")
		f.Add(uint8(4), uint8(4), "NUMBER", "proportion of patients", kind, "0.5", "0.4", "10", "12", "", "0.1")
		f.Add(uint8(4), uint8(4), "GEOMETRIC_MEAN", "ng/mL", kind, "12", "6", "10", "12", "", "-2")
		f.Add(uint8(16), uint8(2), "LEAST_SQUARES_MEAN", "kg", kind, "NA", "6", "10", "x", "1", "2")
		f.Add(uint8(32), uint8(3), "MEAN", "kg", kind, "1.2", "6", "10", "12", "1", "2.50")
	}
	f.Fuzz(func(t *testing.T, shape, dispersion uint8, parameter, unit, kind, v1, v2, n1, n2, x1, x2 string) {
		line := made(t, shape, parameter, unit, dispersions[int(dispersion)%len(dispersions)], kind, [6]string{v1, v2, n1, n2, x1, x2})
		if len(line) > 10_000 || strings.ContainsAny(parameter+unit+kind+v1+v2+n1+n2+x1+x2, "\\&<") {
			t.Skip() // the readings of marked-up text are compared elsewhere
		}
		compare(t, line)
	})
}
