// Package further makes the rows of a record: those of AACT's tables, and of two tables that Biofact adds, which are the limits of the
// eligibility text and the posted comparisons with their check. It knows no file and no query.
package further

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/aact"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/trials/rows"
)

// Of returns the rows of a decoded record by the number of the table.
func Of(record map[string]any) (aact.Rows, error) {
	all, err := aact.Of(record)
	if err != nil {
		return nil, err
	}
	study, err := part(record)
	if err != nil {
		return nil, err
	}
	nct := study.ProtocolSection.IdentificationModule.NctId
	for i, t := range aact.All() {
		switch t.Name {
		case "biofact_limits":
			all[i] = limitRows(t, nct, study.ProtocolSection.EligibilityModule.EligibilityCriteria)
		case "biofact_comparisons":
			results, err := trials.TrialResults(study)
			if errors.Is(err, entity.ErrTooLarge) {
				continue // get_trial_results refuses such a record too
			}
			if err != nil {
				return nil, err
			}
			all[i] = rowsOf(t, nct, rows.Comparisons(nct, results.OutcomeMeasures, results.Arms))
		}
	}
	return all, nil
}

// part returns the part of a record that has limits and comparisons. If no outcome has an analysis, all are left out: most records with
// results are. The part is encoded again because the rows of AACT are read from maps.
func part(record map[string]any) (*ctgov.Study, error) {
	type object = map[string]any
	below := func(path ...string) (value any) {
		value = record
		for _, key := range path {
			inner, _ := value.(object)
			value = inner[key]
		}
		return value
	}
	measures, _ := below("resultsSection", "outcomeMeasuresModule", "outcomeMeasures").([]any)
	analyzed := false
	for _, m := range measures {
		if measure, _ := m.(object); measure["analyses"] != nil {
			analyzed = true
		}
	}
	if !analyzed {
		measures = nil
	}
	text, err := json.Marshal(object{
		"hasResults": record["hasResults"],
		"protocolSection": object{
			"identificationModule":    object{"nctId": below("protocolSection", "identificationModule", "nctId")},
			"eligibilityModule":       object{"eligibilityCriteria": below("protocolSection", "eligibilityModule", "eligibilityCriteria")},
			"armsInterventionsModule": object{"armGroups": below("protocolSection", "armsInterventionsModule", "armGroups")},
		},
		"resultsSection": object{"outcomeMeasuresModule": object{"outcomeMeasures": measures}},
	})
	if err != nil {
		return nil, err
	}
	study := &ctgov.Study{}
	return study, json.Unmarshal(text, study)
}

// limitRows returns the limits of an eligibility text, with their words.
func limitRows(t *aact.Table, nct, text string) []aact.Row {
	limits, words := trials.CriteriaLimits(text)
	all := rowsOf(t, nct, limits)
	for i := range all {
		all[i][t.Column("text")] = words[i]
	}
	return all
}

// rowsOf returns rows of a table: the id of the trial, and the members of values by their names in JSON.
func rowsOf[T any](t *aact.Table, nct string, values []T) (all []aact.Row) {
	fields := reflect.VisibleFields(reflect.TypeFor[T]())
	for _, v := range values {
		row := make(aact.Row, len(t.Columns))
		for _, field := range fields {
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			row[t.Column(name)] = cell(reflect.ValueOf(v).FieldByIndex(field.Index), options != "")
		}
		row[0] = nct
		all = append(all, row)
	}
	return all
}

// cell returns a value of a row, nil for one that is absent.
func cell(v reflect.Value, mayMiss bool) any {
	switch {
	case v.Kind() == reflect.Bool:
		return v.Bool()
	case mayMiss && v.IsZero():
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		return cell(v.Elem(), false)
	case reflect.Slice:
		return strings.Join(v.Interface().([]string), " | ")
	case reflect.Int:
		return v.Int()
	case reflect.Float64:
		return v.Float()
	default:
		return v.String()
	}
}
