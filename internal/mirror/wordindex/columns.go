// Package wordindex is the word index of a mirror: the fields whose words its columns have, how values become these words, and the query of
// FTS5 that finds the studies for which a node of an expression holds. It knows no file.
package wordindex

import (
	"strings"

	"github.com/biofact-mcp/biofact/internal/query"
)

// A Column is a column of the word index: the words of pieces that belong to the same search areas.
type Column struct {
	Name   string
	Weight float64 // in the relevance, after the registry's
	Pieces string
}

// Columns are those of the word index of records. Each search area of the registry is a union of them, so that a search of
// words reads no record.
var Columns = []Column{
	{"nct", 1, "NCTId"},
	{"acronym", 1, "Acronym"},
	{"title", 0.9, "BriefTitle OfficialTitle"},
	{"condition", 0.9, "Condition"},
	{"condition_mesh", 0.5, "ConditionMeshTerm ConditionAncestorTerm"},
	{"keyword", 0.6, "Keyword"},
	{"intervention", 0.9, "InterventionName"},
	{"intervention_text", 0.5, "InterventionOtherName InterventionType InterventionDescription InterventionMeshTerm " +
		"InterventionAncestorTerm ArmGroupLabel ArmGroupType ArmGroupDescription"},
	{"summary", 0.6, "BriefSummary"},
	{"description", 0.25, "DetailedDescription"},
	{"criteria", 0.2, "EligibilityCriteria"},
	{"outcome", 0.6, "PrimaryOutcomeMeasure"},
	{"outcome_description", 0.4, "PrimaryOutcomeDescription"},
	{"outcome_text", 0.4, "SecondaryOutcomeMeasure SecondaryOutcomeDescription OtherOutcomeMeasure OtherOutcomeDescription"},
	{"result", 0.3, "OutcomeMeasureTitle OutcomeMeasureDescription OutcomeMeasurePopulationDescription"},
	{"lead", 0.4, "LeadSponsorName"},
	{"sponsor", 0.3, "CollaboratorName OrgFullName"},
	{"ids", 0.4, "OrgStudyId SecondaryId NCTIdAlias"},
	{"other", 0.2, "Phase StdAge StudyType OverallStatus WhyStopped StudyPopulation OverallOfficialName OverallOfficialAffiliation"},
	{"facility", 0.35, "LocationFacility"},
	{"city", 0.35, "LocationCity"},
	{"state", 0.35, "LocationState"},
	{"country", 0.35, CountryPiece},
	{"zip", 0.15, "LocationZip"},
}

// CountryPiece is the field with the countries of the sites.
const CountryPiece = "LocationCountry"

// Places are the columns of the word index of places.
var Places = []Column{
	{Name: "city", Pieces: "LocationCity"}, {Name: "state", Pieces: "LocationState"}, {Name: "country", Pieces: CountryPiece},
	{Name: "zip", Pieces: "LocationZip"},
}

// tokenizer splits text at white space only: package query has split it into words.
const tokenizer = `tokenize="ascii tokenchars '.:_'''"`

// separator is written before and after each value of an index. It is not a word: a phrase cannot match across two values,
// and a query can match a full value.
const separator = "_"

// names returns the names of columns for SQL.
func names(columns []Column) string {
	var all []string
	for _, c := range columns {
		all = append(all, c.Name)
	}
	return strings.Join(all, ", ")
}

// Table returns the statement that creates the table of an index.
func Table(name string, columns []Column) string {
	return "CREATE VIRTUAL TABLE " + name + " USING fts5 (" + names(columns) + ", content='', contentless_delete=1, " + tokenizer + ");"
}

// Insert returns the statement that writes a row of the table of an index.
func Insert(name string, columns []Column) string {
	return "INSERT INTO " + name + " (rowid, " + names(columns) + ") VALUES (?" + strings.Repeat(", ?", len(columns)) + ")"
}

// Enclosed appends the words of a value, between separators. A value without text adds nothing.
func Enclosed(into []byte, value string) []byte {
	if value == "" {
		return into
	}
	if len(into) == 0 {
		into = append(into, separator...)
	}
	into = query.AppendWords(into, value)
	return append(into, " "+separator...)
}

// Text returns the words of a column of a record, each value once.
func (c Column) Text(body map[string]any) []byte {
	var out []byte
	seen := map[string]bool{"": true}
	for piece := range strings.FieldsSeq(c.Pieces) {
		for _, text := range query.Values(body, piece) {
			if !seen[text] {
				seen[text] = true
				out = Enclosed(out, text)
			}
		}
	}
	return out
}
