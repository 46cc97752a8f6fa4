package aact_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/biofact-mcp/biofact/internal/aact"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
)

// TestEvidenceRows compares every row of every table with an independent reading of the corpus' description, and the tables with AACT's.
func TestEvidenceRows(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	other := readCorpus(t)
	expect.Equal(t, "tables", len(other.tables), len(published()))
	ids := 0
	for i, table := range published() {
		expect.Equal(t, "table", other.tables[i], table.Name)
		var columns [][2]string
		for _, c := range table.Columns {
			columns = append(columns, [2]string{c.Name, c.Type})
		}
		for n, column := range other.columns[table.Name] {
			refers := func(r aact.Reference) bool { return r.Column == column[0] }
			if column[0] == "id" || slices.ContainsFunc(table.References(), refers) {
				other.columns[table.Name][n][1] = "bigint" // the ids of AACT are smaller
				ids++
			}
		}
		expect.Equal(t, table.Name, other.columns[table.Name], columns)
	}
	expect.Equal(t, "columns with ids: 50 of rows, 19 of references", 50+19, ids)
	records, rows, wrong, nonEmpty := 0, 0, 0, map[string]bool{}
	records += compare(t, other, []byte(madeRecord), nonEmpty, &rows, &wrong)
	for _, path := range append(expect.Trials("studies", "results", "more").Paths, corpusFolder+"inputs.jsonl.gz") {
		for i, line := range expect.Lines(t, path) {
			if !expect.All() && i%10 > 0 {
				continue
			}
			records += compare(t, other, line, nonEmpty, &rows, &wrong)
		}
	}
	some := 0
	for _, table := range published() {
		if nonEmpty[table.Name] {
			some++
		}
		expect.That(t, nonEmpty[table.Name] != (table.Empty != ""), "%s: filled %v, reason %q", table.Name, nonEmpty[table.Name],
			table.Empty)
	}
	t.Logf("| tables of AACT | %d records, %d rows | %d of %d tables have rows, %d tables of a record differ from an independent reading |",
		records, rows, some, len(published()), wrong)
}

// published returns the tables of AACT.
func published() []*aact.Table {
	return slices.DeleteFunc(slices.Clone(aact.All()), func(t *aact.Table) bool { return t.Made != "" })
}

// TestPaths: each place that the tables read is a field of the document of the registry. A field that the registry drops fails here.
func TestPaths(t *testing.T) {
	t.Parallel()
	notInDocument := map[string]string{
		"protocolSection.contactsLocationsModule.locations.geoPoint.lat":                   "a part of the field geoPoint",
		"protocolSection.contactsLocationsModule.locations.geoPoint.lon":                   "a part of the field geoPoint",
		"protocolSection.identificationModule.orgStudyIdInfo.domain":                       "AACT reads it, and no record has it",
		"resultsSection.participantFlowModule.periods.dropWithdraws.reasons.numUnits":      "AACT reads it, and no record has it",
		"resultsSection.participantFlowModule.periods.milestones.achievements.description": "AACT reads it, and no record has it",
	}
	for _, path := range aact.Paths() {
		known := query.PieceAt(path) != nil
		expect.That(t, known != (notInDocument[path] != ""), "%s is a field of the registry: %v; the test says %q", path, known,
			notInDocument[path])
	}
}

// madeRecord has what no record of the corpus has.
const madeRecord = `{"protocolSection":{"identificationModule":{"nctId":"NCT00000007"},"designModule":{"studyType":"OBSERVATIONAL"},
"armsInterventionsModule":{"armGroups":[{"label":"A"},{"label":"A"}],"interventions":[{"name":"x","armGroupLabels":["A","B"]}]},
"outcomesModule":{"otherOutcomes":[{"measure":"m"}]},"statusModule":{"startDateStruct":{"date":"2015"},"statusVerifiedDate":"2024-02"},
"contactsLocationsModule":{"locations":[{"country":"Guam","contacts":[{"role":"Study Chair","name":"b"},{"name":"a"},{"name":"c"}]}]},
"referencesModule":{"references":[{"pmid":"1"},{"pmid":"2","retractions":[{"pmid":"3","source":"Retracted"}]}]}},
"resultsSection":{"participantFlowModule":{"groups":[{"id":"FG000"}],"periods":[{"title":"p","milestones":[{"type":"STARTED",
"comment":"of the kind","achievements":[{"groupId":"FG000","numSubjects":"1,862","comment":"of the group"}]}]}]},
"outcomeMeasuresModule":{"outcomeMeasures":[{"anticipatedPostingDate":"2030-02","groups":[{"id":"OG000"}],"analyses":[
{"pValue":"< 0.001","groupIds":["OG000"]},{"pValue":"NA","paramValue":".33"},{"pValue":"=1e-3","ciPctValue":" 7 "}]}]}}}`

// compare compares the rows of a record, and returns 1 if it has an id.
func compare(t *testing.T, other *independent, line []byte, nonEmpty map[string]bool, rows, wrong *int) int {
	t.Helper()
	record := decode(t, line)
	if dig(record, "protocolSection.identificationModule.nctId") == nil {
		return 0
	}
	want := other.rows(record)
	got, err := aact.Of(record)
	expect.NoError(t, err)
	for n, table := range aact.All() {
		var lines []string
		for _, row := range got[n] {
			text, err := json.Marshal(row)
			expect.NoError(t, err)
			lines = append(lines, string(text))
		}
		*rows += len(lines)
		nonEmpty[table.Name] = nonEmpty[table.Name] || len(lines) > 0
		if !slices.Equal(lines, want[table.Name]) {
			*wrong++
			expect.Equal(t, table.Name, want[table.Name], lines)
		}
	}
	return 1
}
