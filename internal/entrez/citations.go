package entrez

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A CitationQuery is the position of an article in a journal, in the fields of ECitMatch. An empty field is unknown.
type CitationQuery struct {
	Journal, Year, Volume, Page, Author string
}

// String returns the query as a row of a request, without the key. Characters that are not text or that separate fields or rows become
// spaces.
func (q CitationQuery) String() string {
	var row strings.Builder
	for _, field := range []string{q.Journal, q.Year, q.Volume, q.Page, q.Author} {
		row.WriteString(entity.Cut(strings.Join(strings.FieldsFunc(field, isSeparator), " "), maxField) + "|")
	}
	return row.String()
}

// maxField limits the length of a field, in characters.
const maxField = 200

func isSeparator(r rune) bool { return r == '|' || unicode.IsSpace(r) || !unicode.IsGraphic(r) }

// A CitationMatch is the result of ECitMatch for one query.
type CitationMatch struct {
	PMIDs          []string `json:"pmids,omitempty"`
	InvalidJournal bool     `json:"invalid_journal,omitempty"`
	// Many reports that the query matches more articles than ECitMatch lists.
	Many bool `json:"many,omitempty"`
}

// CitationData returns the bdata parameter of a request: one row for each query, with its key.
func CitationData(keys []string, queries []CitationQuery) string {
	var rows []string
	for i, q := range queries {
		rows = append(rows, q.String()+keys[i]+"|")
	}
	return strings.Join(rows, "\r")
}

var (
	foundIDs  = lazyregexp.New(`^[1-9][0-9]{0,8}$`)
	ambiguous = lazyregexp.New(`^AMBIGUOUS\s*(?:([0-9, ]+)|\(([0-9]+) citations?\))$`)
)

// ReadCitations returns the results of an ECitMatch response by key. NCBI may omit rows; rows that cannot be read and rows that share a key
// also count as missing. A response without any row is an error, because NCBI also fails in this way.
func ReadCitations(body []byte, keys []string) (map[string]CitationMatch, error) {
	found, rows := map[string]CitationMatch{}, 0
	twice := map[string]bool{}
	for row := range strings.FieldsFuncSeq(string(body), func(r rune) bool { return r == '\r' || r == '\n' }) {
		fields := strings.Split(row, "|")
		if len(fields) < 7 {
			continue
		}
		rows++
		key := strings.TrimSpace(fields[len(fields)-2])
		match, ok := readMatch(strings.TrimSpace(fields[len(fields)-1]))
		if _, known := found[key]; known {
			twice[key] = true
		}
		if ok && slices.Contains(keys, key) {
			found[key] = match
		}
	}
	for key := range twice {
		delete(found, key)
	}
	if rows == 0 {
		return nil, errors.New("an ECitMatch without a row")
	}
	return found, nil
}

// readMatch reads the last field of a row.
func readMatch(text string) (m CitationMatch, ok bool) {
	list := ambiguous.FindStringSubmatch(text)
	switch {
	case foundIDs.MatchString(text):
		m.PMIDs = []string{text}
	case text == "NOT_FOUND;INVALID_JOURNAL":
		m.InvalidJournal = true
	case text == "NOT_FOUND" || strings.HasPrefix(text, "NOT_FOUND;"):
	case list != nil:
		for _, pmid := range strings.FieldsFunc(list[1], func(r rune) bool { return r == ',' || r == ' ' }) {
			if foundIDs.MatchString(pmid) {
				m.PMIDs = append(m.PMIDs, pmid)
			}
		}
		m.PMIDs = entity.Once(m.PMIDs)
		m.Many = len(m.PMIDs) == 0
	default:
		return m, false
	}
	return m, true
}
