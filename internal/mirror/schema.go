package mirror

import (
	"fmt"
	"strings"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// format is the version of the tables and of what stands in them. A file of another version is
// not read: biofact mirror remove, then sync, makes a new one.
const format = 1

// A column is a field of the table study, by which trials are filtered and sorted.
type column struct {
	name  string
	piece string
	kind  kind
}

// A kind says how the values of a piece stand in a column.
type kind int

const (
	single kind = iota // one value of a closed list: its bit
	mask               // several values of a closed list: their bits together
	date               // yyyymmdd, a partial date as its first day
	number             // a number, an age in years
)

// columns are the fields of study. A filter of any other piece is decided by the matcher.
var columns = []column{
	{"status", "OverallStatus", single},
	{"last_known_status", "LastKnownStatus", single},
	{"study_type", "StudyType", single},
	{"phases", "Phase", mask},
	{"sex", "Sex", single},
	{"ages", "StdAge", mask},
	{"healthy", "HealthyVolunteers", single},
	{"min_age", "MinimumAge", number},
	{"max_age", "MaximumAge", number},
	{"sponsor_class", "LeadSponsorClass", single},
	{"interventions", "InterventionType", mask},
	{"arms", "ArmGroupType", mask},
	{"purpose", "DesignPrimaryPurpose", single},
	{"allocation", "DesignAllocation", single},
	{"model", "DesignInterventionModel", single},
	{"masking", "DesignMasking", single},
	{"observational", "DesignObservationalModel", single},
	{"dmc", "OversightHasDMC", single},
	{"fda_drug", "IsFDARegulatedDrug", single},
	{"fda_device", "IsFDARegulatedDevice", single},
	{"has_results", "HasResults", single},
	{"protocol", "LargeDocHasProtocol", mask},
	{"sap", "LargeDocHasSAP", mask},
	{"icf", "LargeDocHasICF", mask},
	{"enrollment", "EnrollmentCount", number},
	{"start", "StartDate", date},
	{"primary_completion", "PrimaryCompletionDate", date},
	{"completion", "CompletionDate", date},
	{"submitted", "StudyFirstSubmitDate", date},
	{"posted", "StudyFirstPostDate", date},
	{"results_posted", "ResultsFirstPostDate", date},
	{"update_submitted", "LastUpdateSubmitDate", date},
	{"updated", "LastUpdatePostDate", date},
}

// columnOf returns the column of a piece, or nil.
func columnOf(p *registry.Piece) *column {
	for i := range columns {
		if p != nil && columns[i].piece == p.Name {
			return &columns[i]
		}
	}
	return nil
}

// otherBit marks a value that the closed list does not have.
const otherBit = 1 << 40

var truths = []string{"true", "false"}

// values returns the closed list of a column.
func (c *column) values() []string {
	if p := registry.PieceNamed(c.piece); p.Enum() != nil {
		return p.Enum()
	}
	return truths
}

// bit returns the bit of a value of a closed list.
func (c *column) bit(value string) int64 {
	for i, known := range c.values() {
		if known == value {
			return 1 << i
		}
	}
	return otherBit
}

// An index is a column of the word index: the words of some pieces, which stand together in the
// same search areas.
type index struct {
	name   string
	pieces string
}

// indexes are the columns of the word index. Each search area of the registry is a union of them,
// so that its words are found without reading a record.
var indexes = []index{
	{"nct", "NCTId"},
	{"acronym", "Acronym"},
	{"title", "BriefTitle OfficialTitle"},
	{"condition", "Condition"},
	{"condition_mesh", "ConditionMeshTerm ConditionAncestorTerm"},
	{"keyword", "Keyword"},
	{"intervention", "InterventionName"},
	{"intervention_text", "InterventionOtherName InterventionType InterventionDescription InterventionMeshTerm InterventionAncestorTerm " +
		"ArmGroupLabel ArmGroupType ArmGroupDescription"},
	{"summary", "BriefSummary"},
	{"description", "DetailedDescription"},
	{"criteria", "EligibilityCriteria"},
	{"outcome", "PrimaryOutcomeMeasure"},
	{"outcome_text", "SecondaryOutcomeMeasure PrimaryOutcomeDescription SecondaryOutcomeDescription OtherOutcomeMeasure " +
		"OtherOutcomeDescription"},
	{"result", "OutcomeMeasureTitle OutcomeMeasureDescription OutcomeMeasurePopulationDescription"},
	{"lead", "LeadSponsorName"},
	{"sponsor", "CollaboratorName OrgFullName"},
	{"ids", "OrgStudyId SecondaryId NCTIdAlias"},
	{"other", "Phase StdAge StudyType OverallStatus WhyStopped StudyPopulation OverallOfficialName OverallOfficialAffiliation"},
	{"facility", "LocationFacility"},
	{"city", "LocationCity"},
	{"state", "LocationState"},
	{"country", "LocationCountry"},
	{"zip", "LocationZip"},
}

// placeIndexes are the columns of the word index of places.
var placeIndexes = []index{
	{"city", "LocationCity"}, {"state", "LocationState"}, {"country", "LocationCountry"}, {"zip", "LocationZip"},
}

// grouped are the pieces by whose values trials are counted. Of a date the year counts.
var grouped = []string{
	"Phase", "OverallStatus", "StudyType", "LocationCountry", "StartDate", "StudyFirstPostDate", "CompletionDate", "LeadSponsorClass",
	"LeadSponsorName", "InterventionType", "Condition", "Sex", "StdAge", "HasResults", "DesignPrimaryPurpose",
}

// tokenizer takes words as the registry package cuts them: it parts them at white space only.
const tokenizer = `tokenize="ascii tokenchars '.:_'''"`

// separator stands around each value of an index. It is no word, so that no phrase reaches from one
// value into the next, and a whole value can be asked for.
const separator = "_"

// schema returns the statements that make the tables.
func schema() string {
	var fields, words, places []string
	for _, c := range columns {
		kind := "INTEGER"
		if c.kind == number {
			kind = "REAL"
		}
		fields = append(fields, c.name+" "+kind)
	}
	for _, i := range indexes {
		words = append(words, i.name)
	}
	for _, i := range placeIndexes {
		places = append(places, i.name)
	}
	return fmt.Sprintf(`
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE study (
	id   INTEGER PRIMARY KEY, -- number of the NCT id
	hash INTEGER NOT NULL,    -- of the record as it is stored
	%s,
	groups BLOB NOT NULL      -- numbers of values, of each piece that is counted
);
CREATE INDEX study_updated ON study (updated);
CREATE INDEX study_posted ON study (posted);
CREATE TABLE record (id INTEGER PRIMARY KEY, main BLOB NOT NULL, results BLOB);
CREATE TABLE alias (id INTEGER PRIMARY KEY, study INTEGER NOT NULL);
CREATE INDEX alias_study ON alias (study);
CREATE TABLE value (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE place (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, country TEXT, lat REAL, lon REAL);
CREATE TABLE site (study INTEGER, place INTEGER, status INTEGER, PRIMARY KEY (study, place, status)) WITHOUT ROWID;
CREATE INDEX site_place ON site (place, study, status);
CREATE VIRTUAL TABLE place_at USING rtree (id, south, north, west, east);
CREATE VIRTUAL TABLE place_words USING fts5 (%s, content='', contentless_delete=1, %s);
CREATE VIRTUAL TABLE words USING fts5 (%s, content='', contentless_delete=1, %s);
PRAGMA user_version = %d;`,
		strings.Join(fields, ",\n\t"), strings.Join(places, ", "), tokenizer, strings.Join(words, ", "), tokenizer, format)
}
