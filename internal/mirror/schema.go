package mirror

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/internal/mirror/wordindex"
	"github.com/biofact-mcp/biofact/internal/query"
)

// format is the version of the tables and of their contents. Biofact does not read a file of another version:
// biofact mirror remove, then sync, creates a new one.
const format = 5

// applicationID is in the header of each file. It is "biof" in ASCII.
const applicationID = 0x62696f66

// A column has one number for each study, for filters and orders.
type column struct {
	piece string
	kind  kind
}

// A kind is the encoding of the values of a piece as a number. The number 0 is no value.
type kind int

const (
	choice kind = iota // values of a closed list: one bit for each
	date               // yyyymmdd, a partial date as its first day
	number             // a number, an age in minutes, plus firstNumber
)

const (
	// missingValue is the number of no value, unreadable that of a value that is no valid date or number: no range contains it.
	missingValue = 0
	unreadable   = 1
	firstNumber  = 2
	largest      = math.MaxUint32 - 1 - firstNumber
	// outside stands for all numbers that are negative, larger or no integer.
	outside = math.MaxUint32
	// otherBit is the bit of a value outside the closed list, repeatedBit that of a study with two values that have the same bit.
	otherBit    = 1 << 31
	repeatedBit = 1 << 30
)

// columns are the fields of a study that have a column. The matcher decides filters of other pieces.
var columns = []column{
	{"OverallStatus", choice}, {"LastKnownStatus", choice}, {"StudyType", choice}, {"Phase", choice},
	{"Sex", choice}, {"StdAge", choice}, {"HealthyVolunteers", choice}, {"MinimumAge", number}, {"MaximumAge", number},
	{"LeadSponsorClass", choice}, {"InterventionType", choice}, {"ArmGroupType", choice},
	{"DesignPrimaryPurpose", choice}, {"DesignAllocation", choice}, {"DesignInterventionModel", choice}, {"DesignMasking", choice},
	{"DesignObservationalModel", choice}, {"OversightHasDMC", choice}, {"IsFDARegulatedDrug", choice}, {"IsFDARegulatedDevice", choice},
	{"HasResults", choice}, {"LargeDocHasProtocol", choice}, {"LargeDocHasSAP", choice}, {"LargeDocHasICF", choice},
	{"EnrollmentCount", number},
	{"StartDate", date}, {"PrimaryCompletionDate", date}, {"CompletionDate", date}, {"StudyFirstSubmitDate", date},
	{"StudyFirstPostDate", date}, {"ResultsFirstPostDate", date}, {"LastUpdateSubmitDate", date}, {"LastUpdatePostDate", date},
}

// columnOf returns the index of the column of a piece, or -1.
func columnOf(p *query.Piece) int {
	return slices.IndexFunc(columns, func(c column) bool { return p != nil && c.piece == p.Name })
}

var truths = []string{"true", "false"}

// bitOf returns the bit of a value in the closed list of a piece.
func bitOf(piece, value string) uint32 {
	list := query.PieceNamed(piece).Enum()
	if list == nil {
		list = truths
	}
	if i := slices.Index(list, value); i >= 0 {
		return 1 << i
	}
	return otherBit
}

// grouped are the pieces by whose values Groups counts trials. A date counts by its year.
var grouped = []string{
	"Phase", "OverallStatus", "StudyType", wordindex.CountryPiece, "StartDate", "StudyFirstPostDate", "CompletionDate", "LeadSponsorClass",
	"LeadSponsorName", "InterventionType", "Condition", "Sex", "StdAge", "HasResults", "DesignPrimaryPurpose",
}

// Pieces returns the fields of a record that the tables other than record need. A search of a mirror reads no others.
func Pieces() []string {
	pieces := slices.Concat(grouped, sitePieces, []string{"NCTId", "NCTIdAlias"})
	for _, c := range columns {
		pieces = append(pieces, c.piece)
	}
	for _, i := range wordindex.Columns {
		pieces = append(pieces, strings.Fields(i.Pieces)...)
	}
	slices.Sort(pieces)
	return slices.Compact(pieces)
}

// indexed selects the fields of a record that Pieces names.
var indexed = sync.OnceValue(func() query.Projection { return query.Select(Pieces()...) })

// indexSites creates the index of sites by place. A first load does that at its end: it takes less time than to insert each site
// into the index.
const indexSites = "CREATE INDEX IF NOT EXISTS site_place ON site (place, status, study)"

// schema returns the statements that create the tables.
func schema() string {
	return fmt.Sprintf(`
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE study (
	id      INTEGER PRIMARY KEY, -- number of the NCT id
	hash    INTEGER NOT NULL,    -- of the record as it is stored
	updated INTEGER NOT NULL,    -- day of its last update, yyyymmdd; 0: none
	facts   BLOB NOT NULL        -- its columns and groups, see facts.go
);
CREATE INDEX study_updated ON study (updated);
CREATE TABLE facet (name TEXT, part INTEGER, data BLOB NOT NULL, PRIMARY KEY (name, part)); -- the facts of all studies, see facet.go
CREATE TABLE changed (id INTEGER PRIMARY KEY); -- studies that have changed since the facets were written
CREATE TABLE record (id INTEGER PRIMARY KEY, main BLOB NOT NULL, results BLOB);
CREATE TABLE alias (id INTEGER PRIMARY KEY, study INTEGER NOT NULL);
CREATE INDEX alias_study ON alias (study);
CREATE TABLE value (piece INTEGER, id INTEGER, text TEXT NOT NULL, PRIMARY KEY (piece, id)) WITHOUT ROWID;
CREATE UNIQUE INDEX value_text ON value (piece, text);
CREATE TABLE place (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, lat REAL, lon REAL);
CREATE TABLE site (study INTEGER, place INTEGER, status INTEGER, PRIMARY KEY (study, place, status)) WITHOUT ROWID;
CREATE VIRTUAL TABLE place_at USING rtree (id, south, north, west, east);
%s
%s
PRAGMA application_id = %d;
PRAGMA user_version = %d;`,
		wordindex.Table("place_words", wordindex.Places), wordindex.Table("words", wordindex.Columns), applicationID, format)
}

// The pieces of a site, by the field of a site.
const (
	cityOfSite = iota
	stateOfSite
	countryOfSite
	zipOfSite
	pointOfSite
	statusOfSite
)

var sitePieces = []string{"LocationCity", "LocationState", wordindex.CountryPiece, "LocationZip", "LocationGeoPoint", "LocationStatus"}

const (
	facetIDs    = "ids"
	columnFacet = "column " // before the name of a piece
	groupFacet  = "group "
	listFacet   = "rows "
)
