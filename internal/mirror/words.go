package mirror

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/query"
)

// A wordColumn is a column of a word index: the words of pieces that belong to the same search areas.
type wordColumn struct{ name, pieces string }

// wordColumns are those of the word index of records. Each search area of the registry is a union of them, so that a search of
// words reads no record.
var wordColumns = []wordColumn{
	{"nct", "NCTId"},
	{"acronym", "Acronym"},
	{"title", "BriefTitle OfficialTitle"},
	{"condition", "Condition"},
	{"condition_mesh", "ConditionMeshTerm ConditionAncestorTerm"},
	{"keyword", "Keyword"},
	{"intervention", "InterventionName"},
	{"intervention_text", "InterventionOtherName InterventionType InterventionDescription InterventionMeshTerm " +
		"InterventionAncestorTerm ArmGroupLabel ArmGroupType ArmGroupDescription"},
	{"summary", "BriefSummary"},
	{"description", "DetailedDescription"},
	{"criteria", "EligibilityCriteria"},
	{"outcome", "PrimaryOutcomeMeasure"},
	{"outcome_description", "PrimaryOutcomeDescription"},
	{"outcome_text", "SecondaryOutcomeMeasure SecondaryOutcomeDescription OtherOutcomeMeasure OtherOutcomeDescription"},
	{"result", "OutcomeMeasureTitle OutcomeMeasureDescription OutcomeMeasurePopulationDescription"},
	{"lead", "LeadSponsorName"},
	{"sponsor", "CollaboratorName OrgFullName"},
	{"ids", "OrgStudyId SecondaryId NCTIdAlias"},
	{"other", "Phase StdAge StudyType OverallStatus WhyStopped StudyPopulation OverallOfficialName OverallOfficialAffiliation"},
	{"facility", "LocationFacility"},
	{"city", "LocationCity"},
	{"state", "LocationState"},
	{"country", countryPiece},
	{"zip", "LocationZip"},
}

// placeColumns are the columns of the word index of places, in the order of the fields of a site.
var placeColumns = []wordColumn{
	{"city", "LocationCity"}, {"state", "LocationState"}, {"country", countryPiece}, {"zip", "LocationZip"},
}

// titleWeight is the weight of a word of a title in the relevance. Any other word has the weight 1.
const titleWeight = 5

// relevance is the score of a row of the table words by BM25. A lower one is better.
var relevance = func() string {
	weights := slices.Repeat([]string{"1"}, len(wordColumns))
	weights[slices.IndexFunc(wordColumns, func(c wordColumn) bool { return c.name == "title" })] = fmt.Sprint(titleWeight)
	return "bm25(words, " + strings.Join(weights, ", ") + ")"
}()

// separator is written before and after each value of an index. It is not a word: a phrase cannot match across two values,
// and a query can match a full value.
const separator = "_"

func namesOf(columns []wordColumn) string {
	var all []string
	for _, c := range columns {
		all = append(all, c.name)
	}
	return strings.Join(all, ", ")
}

// wordTable returns the statement that creates the table of a word index. Its tokenizer splits text at white space only: package query has
// split it into words, which are those of the matcher.
func wordTable(name string, columns []wordColumn) string {
	return "CREATE VIRTUAL TABLE " + name + " USING fts5 (" + namesOf(columns) +
		`, content='', contentless_delete=1, tokenize="ascii tokenchars '.:_'''");`
}

// insertWords returns the statement that writes a row of the table of a word index.
func insertWords(name string, columns []wordColumn) string {
	return "INSERT INTO " + name + " (rowid, " + namesOf(columns) + ") VALUES (?" + strings.Repeat(", ?", len(columns)) + ")"
}

// enclosed appends the words of a value, between separators. A value without text adds nothing.
func enclosed(into []byte, value string) []byte {
	if value == "" {
		return into
	}
	if len(into) == 0 {
		into = append(into, separator...)
	}
	into = query.AppendWords(into, value)
	return append(into, " "+separator...)
}

// text returns the words of a column of a record, each value once.
func (c wordColumn) text(body map[string]any) []byte {
	var out []byte
	seen := map[string]bool{"": true}
	for piece := range strings.FieldsSeq(c.pieces) {
		for _, text := range query.Values(body, piece) {
			if !seen[text] {
				seen[text] = true
				out = enclosed(out, text)
			}
		}
	}
	return out
}
