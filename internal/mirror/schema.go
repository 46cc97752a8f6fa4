package mirror

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/internal/query"
)

// format is the version of the tables and of their contents. Biofact does not read a file of another version:
// biofact mirror remove, then sync, creates a new one.
const format = 6

// applicationID is in the header of each file. It is "biof" in ASCII.
const applicationID = 0x62696f66

// A column is a column of the table study, which filters, orders and counts use. The matcher decides filters of other pieces.
type column struct {
	piece string
	kind  kind
}

// A kind says how a column has the values of a piece.
type kind int

const (
	closed   kind = iota // the number of the row of the table list with the values, which are of a closed list; 0: no value
	open                 // the same, of any values
	year                 // the same, of the years of dates
	date                 // yyyymmdd, a partial date as its first day; NULL: no value
	number               // a number, an age in minutes; NULL: no value
	howOften             // the number of values
)

// unreadableDate and unreadableNumber stand for a value that is no valid date or number: no range contains them.
const (
	unreadableDate   = 0
	unreadableNumber = "" // greater than any number
)

// columns are those of the table study. The most frequent filters stand first.
var columns = []column{
	{"OverallStatus", closed}, {"Phase", closed}, {"StudyType", closed}, {"LeadSponsorClass", closed}, {"InterventionType", closed},
	{"Sex", closed}, {"StdAge", closed}, {"HealthyVolunteers", closed}, {"HasResults", closed}, {countryPiece, open},
	{statusPiece, closed}, {"LastUpdatePostDate", date}, {"StudyFirstPostDate", date}, {"StartDate", date}, {"CompletionDate", date},
	{"PrimaryCompletionDate", date}, {"ResultsFirstPostDate", date}, {"StudyFirstSubmitDate", date}, {"LastUpdateSubmitDate", date},
	{"MinimumAge", number}, {"MaximumAge", number}, {"EnrollmentCount", number}, {"Phase", howOften},
	{"StartDate", year}, {"StudyFirstPostDate", year}, {"CompletionDate", year},
	{"LeadSponsorName", open}, {"Condition", open},
	{"LastKnownStatus", closed}, {"ArmGroupType", closed}, {"DesignPrimaryPurpose", closed}, {"DesignAllocation", closed},
	{"DesignInterventionModel", closed}, {"DesignMasking", closed}, {"DesignObservationalModel", closed}, {"OversightHasDMC", closed},
	{"IsFDARegulatedDrug", closed}, {"IsFDARegulatedDevice", closed}, {"LargeDocHasProtocol", closed}, {"LargeDocHasSAP", closed},
	{"LargeDocHasICF", closed},
}

// name returns the name of the column.
func (c column) name() string {
	switch c.kind {
	case year:
		return c.piece + "Year"
	case howOften:
		return c.piece + "Values"
	}
	return c.piece
}

// isList reports whether the column has numbers of lists.
func (c column) isList() bool { return c.kind <= year }

// columnOf returns the name of the column of a piece; false: no column of the kind exists.
func columnOf(p *query.Piece, k kind) (name string, ok bool) {
	i := slices.IndexFunc(columns, func(c column) bool { return p != nil && c.piece == p.Name && c.kind == k })
	if i < 0 {
		return "", false
	}
	return columns[i].name(), true
}

// groupColumn returns the name of the column by which Groups counts the values of a piece. A date counts by its year.
func groupColumn(piece string) (name string, ok bool) {
	for _, c := range columns {
		if c.piece == piece && c.isList() {
			return c.name(), true
		}
	}
	return "", false
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

const (
	countryPiece = "LocationCountry"
	statusPiece  = "LocationStatus"
	pointPiece   = "LocationGeoPoint"
)

var sitePieces = []string{"LocationCity", "LocationState", countryPiece, "LocationZip", pointPiece, statusPiece}

// Pieces returns the fields of a record that the tables other than record need. A search of a mirror reads no others.
func Pieces() []string {
	pieces := append(slices.Clone(sitePieces), "NCTId", "NCTIdAlias")
	for _, c := range columns {
		pieces = append(pieces, c.piece)
	}
	for _, w := range wordColumns {
		pieces = append(pieces, strings.Fields(w.pieces)...)
	}
	slices.Sort(pieces)
	return slices.Compact(pieces)
}

// indexed selects the fields of a record that Pieces names.
var indexed = sync.OnceValue(func() query.Projection { return query.Select(Pieces()...) })

// indexes returns the statements that create the indexes. A first load runs them at its end: it takes less time than to insert each trial.
// Most filters and orders read one of the first two, and no row of a trial.
func indexes() string {
	const frequent = "StudyType, LeadSponsorClass, InterventionType, Sex, StdAge, HealthyVolunteers, HasResults, LocationCountry, " +
		"StudyFirstPostDate, LastUpdatePostDate, StartDate, CompletionDate, ResultsFirstPostDate, EnrollmentCount"
	text := "CREATE INDEX IF NOT EXISTS study_status ON study (OverallStatus, Phase, " + frequent + ");\n" +
		"CREATE INDEX IF NOT EXISTS study_phase ON study (Phase, OverallStatus, " + frequent + ");\n" +
		"CREATE INDEX IF NOT EXISTS study_country ON study (LocationCountry, OverallStatus, Phase);\n" +
		"CREATE INDEX IF NOT EXISTS site_place ON site (place, status, study);\n"
	for _, c := range columns {
		if c.kind == date || c.kind == number {
			text += fmt.Sprintf("CREATE INDEX IF NOT EXISTS study_%s ON study (%s);\n", c.name(), c.name())
		}
	}
	return text
}

// schema returns the statements that create the tables.
func schema() string {
	var names []string
	for _, c := range columns {
		names = append(names, c.name())
	}
	return fmt.Sprintf(`
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE study (
	id      INTEGER PRIMARY KEY, -- number of the NCT id
	hash    INTEGER NOT NULL,    -- of the record as it is stored
	updated INTEGER NOT NULL,    -- day of its last update, yyyymmdd; 0: none
	%s
);
CREATE INDEX study_updated ON study (updated);
CREATE TABLE record (
	id      INTEGER PRIMARY KEY,
	main    BLOB NOT NULL, -- the record without its posted results, compressed
	posted  INTEGER,       -- hash of the posted results
	results BLOB
);
CREATE TABLE alias (id INTEGER PRIMARY KEY, study INTEGER NOT NULL);
CREATE INDEX alias_study ON alias (study);
CREATE TABLE list (id INTEGER PRIMARY KEY, piece TEXT NOT NULL, texts TEXT NOT NULL, UNIQUE (piece, texts)); -- of values, as JSON
CREATE TABLE value (id INTEGER PRIMARY KEY, piece TEXT NOT NULL, text TEXT NOT NULL, UNIQUE (piece, text));
CREATE TABLE piece (value INTEGER, list INTEGER, PRIMARY KEY (value, list)) WITHOUT ROWID; -- the lists that have a value
CREATE TABLE place (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, lat REAL, lon REAL);
CREATE INDEX place_lat ON place (lat, lon);
CREATE TABLE site (study INTEGER, place INTEGER, status INTEGER, PRIMARY KEY (study, place, status)) WITHOUT ROWID; -- status 0: none
%s
%s
PRAGMA application_id = %d;
PRAGMA user_version = %d;`,
		strings.Join(names, ",\n\t"), wordTable("place_words", placeColumns), wordTable("words", wordColumns), applicationID, format)
}
