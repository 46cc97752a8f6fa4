package mirror

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/biofact-mcp/biofact/internal/registry"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A study is a record before it is written.
type study struct {
	id      int64
	body    map[string]any // the fields of head, after decode those of indexed, for all tables but record
	sites   []site         // set by decode
	main    []byte         // the record with empty texts for the posted results and for the date of the data, which changes daily
	results []byte         // the posted results, or nil
	version string         // the date of the data
	hash    int64          // of main and results
}

// resultsKey is the key of the posted results. They have their own column, because most tools do not read them.
const resultsKey = "resultsSection"

// head selects the fields of a record that a sync needs to find out whether the record has changed.
var head = sync.OnceValue(func() registry.Projection { return registry.Select("NCTId", "NCTIdAlias", "LastUpdatePostDate") })

// readStudy reads a record as the registry sends it, without decoding it. The study may use the bytes of raw.
func readStudy(raw []byte) (*study, error) {
	s := &study{}
	main, results, err := withoutResults(raw)
	if err != nil {
		return nil, err
	}
	s.results = results
	s.main, s.version = withoutVersion(main)
	text, err := cut(s.main, head())
	if err != nil {
		return nil, err
	}
	if s.body, err = decode(text); err != nil {
		return nil, err
	}
	id, ok := numberOf(first(s.body, "NCTId"))
	if !ok {
		return nil, errors.New("a record without an NCT id")
	}
	s.id = id
	s.hash = hashOf(s.main, s.results)
	return s, nil
}

// aliases returns the numbers of the NCT ids of the studies that were merged into a study.
func (s *study) aliases() (ids []int64) {
	for _, text := range registry.Values(s.body, "NCTIdAlias") {
		if id, ok := numberOf(text); ok && id != s.id {
			ids = append(ids, id)
		}
	}
	return ids
}

// hashOf returns the hash of the two parts of a record.
func hashOf(main, results []byte) int64 {
	h := fnv.New64a()
	h.Write(main)
	h.Write([]byte{0})
	h.Write(results)
	return int64(h.Sum64())
}

// maxValues bounds the values of a record, of which a sync keeps each several times, and maxResultValues those of its posted results.
const (
	maxValues       = 100_000
	maxResultValues = 400_000
)

// decode checks the record and reads the indexed fields. That takes several times as long as readStudy, and most of the records that
// a sync reads have not changed.
func (s *study) decode() (err error) {
	if err := errors.Join(upstream.CheckJSON(s.main, maxValues), upstream.CheckJSON(s.results, maxResultValues)); err != nil {
		return err
	}
	if s.body, err = decodeFields(s.main, indexed()); err != nil {
		return err
	}
	s.sites = sites(s.body)
	if s.results == nil {
		return nil
	}
	s.body[resultsKey], err = decodeAny(s.results, indexed()[resultsKey])
	return err
}

// withoutResults splits a record into the record with an empty text in place of the posted results, and the results.
func withoutResults(record []byte) (main, results []byte, err error) {
	if !bytes.Contains(record, []byte(`"`+resultsKey+`"`)) {
		return record, nil, nil
	}
	c, main := cutter{text: record}, record
	if c.next() != '{' {
		return nil, nil, errJSON
	}
	c.list(func() {
		key := c.skip()
		if value := c.skip(); string(key) == `"`+resultsKey+`"` {
			main = slices.Concat(record[:c.at-len(value)], []byte(`""`), record[c.at:])
			results = value
		}
	})
	return main, results, nil
}

var versionKey = []byte(`"versionHolder":`)

// withoutVersion returns a record without the date of the data, and the date.
func withoutVersion(record []byte) (without []byte, version string) {
	at := bytes.Index(record, versionKey)
	if at < 0 {
		return record, ""
	}
	rest := bytes.TrimLeft(record[at+len(versionKey):], " ")
	if len(rest) == 0 || rest[0] != '"' {
		return record, ""
	}
	end := bytes.IndexByte(rest[1:], '"')
	if end < 0 {
		return record, ""
	}
	version = string(rest[1 : 1+end])
	return slices.Concat(record[:at+len(versionKey)], []byte(`""`), rest[1+end+1:]), version
}

// nctID returns the NCT id with a number.
func nctID(id int64) string { return fmt.Sprintf("NCT%08d", id) }

// numberOf returns the number of an NCT id in the spelling of records.
func numberOf(nct string) (int64, bool) {
	digits, ok := strings.CutPrefix(nct, "NCT")
	if !ok || len(digits) != 8 {
		return 0, false
	}
	id, err := strconv.ParseInt(digits, 10, 64)
	return id, err == nil && id > 0
}

// dayOf returns the number yyyymmdd of a date yyyy-mm-dd.
func dayOf(text string) (int64, bool) {
	if len(text) != len("yyyy-mm-dd") || text[4] != '-' || text[7] != '-' {
		return 0, false
	}
	n, err := strconv.ParseInt(text[:4]+text[5:7]+text[8:], 10, 64)
	return n, err == nil
}

// lastUpdate returns the day of the last update of a record, 0 without a day of the calendar: requests contain it.
func lastUpdate(body map[string]any) int64 {
	text := registry.FirstDay(first(body, "LastUpdatePostDate"))
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return 0
	}
	day, _ := dayOf(text)
	return day
}

// dateOf returns the date yyyy-mm-dd of a number yyyymmdd.
func dateOf(day int64) string { return fmt.Sprintf("%04d-%02d-%02d", day/10000, day/100%100, day%100) }

// The pieces of a site, by the field of a site.
const (
	cityOfSite = iota
	stateOfSite
	countryOfSite
	zipOfSite
	pointOfSite
	statusOfSite
)

var sitePieces = []string{"LocationCity", "LocationState", countryPiece, "LocationZip", "LocationGeoPoint", "LocationStatus"}

// A site has the values of one site of a study.
type site [statusOfSite + 1]string

// sites returns the sites of a record.
func sites(body map[string]any) []site {
	out := make([]site, registry.SiteCount(body))
	for i, piece := range sitePieces {
		for _, v := range registry.SiteValues(body, piece) {
			if v.Site >= 0 { // else the sites are no list
				out[v.Site][i] = v.Text
			}
		}
	}
	return out
}

// key identifies the place of a site.
func (s site) key() string { return strings.Join(s[:statusOfSite], "\x1f") }

// words returns the words of a place by its indexes, whose order is that of the first fields.
func (s site) words() (texts []any) {
	for i := range placeIndexes {
		texts = append(texts, enclosed(nil, s[i]))
	}
	return texts
}

// enclosed appends the words of a value, between separators. A value without text adds nothing.
func enclosed(into []byte, value string) []byte {
	if value == "" {
		return into
	}
	if len(into) == 0 {
		into = append(into, separator...)
	}
	into = registry.AppendWords(into, value)
	return append(into, " "+separator...)
}

// text returns the words of an index, each value once.
func (i index) text(body map[string]any) []byte {
	var out []byte
	seen := map[string]bool{"": true}
	for piece := range strings.FieldsSeq(i.pieces) {
		for _, text := range registry.Values(body, piece) {
			if !seen[text] {
				seen[text] = true
				out = enclosed(out, text)
			}
		}
	}
	return out
}
