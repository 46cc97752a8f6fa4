package mirror

import (
	"errors"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
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

// head selects the fields of a record that a sync needs to find out whether the record has changed.
var head = sync.OnceValue(func() query.Projection { return query.Select("NCTId", "NCTIdAlias", "LastUpdatePostDate") })

// readStudy reads a record as the registry sends it, without decoding it. The study may use the bytes of raw.
func readStudy(raw []byte) (*study, error) {
	s := &study{}
	main, results, err := stored.WithoutResults(raw)
	if err != nil {
		return nil, err
	}
	s.results = results
	s.main, s.version = stored.WithoutVersion(main)
	text, err := stored.Cut(s.main, head())
	if err != nil {
		return nil, err
	}
	if s.body, err = stored.Decode(text); err != nil {
		return nil, err
	}
	id, ok := stored.Number(query.First(s.body, "NCTId"))
	if !ok {
		return nil, errors.New("a record without an NCT id")
	}
	s.id = id
	s.hash = stored.Hash(s.main, s.results)
	return s, nil
}

// aliases returns the numbers of the NCT ids of the studies that were merged into a study.
func (s *study) aliases() (ids []int64) {
	for _, text := range query.Values(s.body, "NCTIdAlias") {
		if id, ok := stored.Number(text); ok && id != s.id {
			ids = append(ids, id)
		}
	}
	return ids
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
	if s.body, err = stored.DecodeFields(s.main, indexed()); err != nil {
		return err
	}
	s.sites = sites(s.body)
	if s.results == nil {
		return nil
	}
	s.body[stored.ResultsKey], err = stored.DecodeAny(s.results, indexed()[stored.ResultsKey])
	return err
}

// A site has the values of one site of a study.
type site [statusOfSite + 1]string

func sites(body map[string]any) []site {
	out := make([]site, query.SiteCount(body))
	for i, piece := range sitePieces {
		for _, v := range query.SiteValues(body, piece) {
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
	for i := range placeColumns {
		texts = append(texts, enclosed(nil, s[i]))
	}
	return texts
}
