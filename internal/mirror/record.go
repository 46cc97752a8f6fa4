package mirror

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// A study is a record on its way into the file.
type study struct {
	id      int64
	body    map[string]any
	main    []byte // the record without posted results and without the date of the data, which changes in all records at once
	results []byte // the posted results, or nil
	version string // the date of the data
}

// results is the key of the posted results, which are stored apart: most tools do not read them.
const resultsKey = "resultsSection"

// readStudy reads a record as the registry sends it.
func readStudy(raw []byte) (*study, error) {
	s := &study{}
	main, results, err := withoutResults(raw)
	if err != nil {
		return nil, err
	}
	s.results = results
	s.main, s.version = withoutVersion(main)
	if s.body, err = decode(s.main); err != nil {
		return nil, err
	}
	if s.results != nil {
		if s.body[resultsKey], err = decodeAny(s.results, nil); err != nil {
			return nil, err
		}
	}
	id, ok := numberOf(registry.First(s.body, "NCTId"))
	if !ok {
		return nil, errors.New("a record without an NCT id")
	}
	s.id = id
	return s, nil
}

// withoutResults returns a record without its posted results, and those.
func withoutResults(record []byte) (main, results []byte, err error) {
	at := bytes.Index(record, []byte(`"`+resultsKey+`"`))
	if at < 0 {
		return slices.Clone(record), nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(record))
	if err := expectDelim(d, '{'); err != nil {
		return nil, nil, err
	}
	main = append(main, '{')
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, nil, err
		}
		if key == resultsKey {
			results = value
			continue
		}
		if len(main) > 1 {
			main = append(main, ',')
		}
		main = append(fmt.Appendf(main, "%q:", key), value...)
	}
	return append(main, '}'), results, nil
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

// setVersion puts the date of the data into a record that had one.
func setVersion(body map[string]any, version string) {
	derived, _ := body["derivedSection"].(map[string]any)
	misc, _ := derived["miscInfoModule"].(map[string]any)
	if _, has := misc["versionHolder"]; has {
		misc["versionHolder"] = version
	}
}

// hash identifies what is stored of the record.
func (s *study) hash() int64 {
	h := fnv.New64a()
	h.Write(s.main)
	h.Write([]byte{0})
	h.Write(s.results)
	return int64(h.Sum64())
}

// nctID writes the number of an NCT id as an id.
func nctID(id int64) string { return fmt.Sprintf("NCT%08d", id) }

// numberOf returns the number of an NCT id as records write it.
func numberOf(nct string) (int64, bool) {
	digits, ok := strings.CutPrefix(nct, "NCT")
	if !ok || len(digits) != 8 {
		return 0, false
	}
	id, err := strconv.ParseInt(digits, 10, 64)
	return id, err == nil && id > 0
}

// unreadable stands in a column for a value that is no date or number. It is in no range, and not
// missing.
const unreadable = -1 << 60

// field returns the value of a column, or nil.
func (c *column) field(body map[string]any) any {
	texts := registry.Values(body, c.piece)
	if len(texts) == 0 {
		return nil
	}
	switch c.kind {
	case date:
		if day, ok := dayOf(registry.FirstDay(texts[0])); ok {
			return day
		}
		return unreadable
	case number:
		if n, ok := registry.PieceNamed(c.piece).Number(texts[0]); ok {
			return n
		}
		return unreadable
	}
	bits := int64(0)
	for _, text := range texts {
		bits |= c.bit(text)
	}
	return bits
}

// dayOf returns a date yyyy-mm-dd as the number yyyymmdd.
func dayOf(text string) (int64, bool) {
	if len(text) != len("yyyy-mm-dd") || text[4] != '-' || text[7] != '-' {
		return 0, false
	}
	n, err := strconv.ParseInt(text[:4]+text[5:7]+text[8:], 10, 64)
	return n, err == nil
}

// dateOf writes such a number as a date.
func dateOf(day int64) string { return fmt.Sprintf("%04d-%02d-%02d", day/10000, day/100%100, day%100) }

// text returns the words of an index, each value once and between separators.
func (i index) text(body map[string]any) string {
	var out strings.Builder
	seen := map[string]bool{}
	for _, piece := range strings.Fields(i.pieces) {
		for _, text := range registry.Values(body, piece) {
			if seen[text] {
				continue
			}
			seen[text] = true
			if out.Len() == 0 {
				out.WriteString(separator)
			}
			for _, word := range registry.Words(text) {
				out.WriteByte(' ')
				out.WriteString(word)
			}
			out.WriteString(" " + separator)
		}
	}
	return out.String()
}

// groupValues returns the values of a piece that is counted, each once.
func groupValues(body map[string]any, piece string) []string {
	var out []string
	p := registry.PieceNamed(piece)
	for _, text := range registry.Values(body, piece) {
		if p.IsDate() && len(text) > len("yyyy") {
			text = text[:len("yyyy")]
		}
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// A site is what is known of one site of a study.
type site struct {
	city, state, country, zip, point, status string
}

// sites returns the sites of a record.
func sites(body map[string]any) []site {
	bySite := map[int]*site{}
	var order []int
	set := func(piece string, field func(*site) *string) {
		for _, v := range registry.SiteValues(body, piece) {
			if bySite[v.Site] == nil {
				bySite[v.Site] = &site{}
				order = append(order, v.Site)
			}
			*field(bySite[v.Site]) = v.Text
		}
	}
	set("LocationCity", func(s *site) *string { return &s.city })
	set("LocationState", func(s *site) *string { return &s.state })
	set("LocationCountry", func(s *site) *string { return &s.country })
	set("LocationZip", func(s *site) *string { return &s.zip })
	set("LocationGeoPoint", func(s *site) *string { return &s.point })
	set("LocationStatus", func(s *site) *string { return &s.status })
	out := make([]site, 0, len(order))
	for _, i := range order {
		out = append(out, *bySite[i])
	}
	return out
}

// key identifies the place of a site.
func (s site) key() string {
	return strings.Join([]string{s.city, s.state, s.country, s.zip, s.point}, "\x1f")
}

// words returns the words of a place by its indexes.
func (s site) words() (texts []any) {
	for _, text := range []string{s.city, s.state, s.country, s.zip} {
		if text == "" {
			texts = append(texts, "")
			continue
		}
		texts = append(texts, separator+" "+strings.Join(registry.Words(text), " ")+" "+separator)
	}
	return texts
}
