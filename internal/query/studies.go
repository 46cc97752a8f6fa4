package query

import (
	"sort"
	"sync"
)

// Studies is a set of full records that can be searched. It is safe for
// concurrent use.
type Studies struct {
	records []map[string]any
	ids     []string       // canonical NCT id of each record
	byID    map[string]int // canonical and obsolete NCT ids
	columns []column       // by ordinal of the piece
}

// NewStudies returns the set of the records, each of which has its own NCT id. The caller must not change
// a record afterwards.
func NewStudies(records []map[string]any) *Studies {
	t := &Studies{
		records: records,
		ids:     make([]string, 0, len(records)),
		byID:    make(map[string]int, len(records)),
		columns: make([]column, len(Pieces())),
	}
	for i, record := range records {
		id := First(record, "NCTId")
		t.byID[id] = i
		t.ids = append(t.ids, id)
	}
	for i, record := range records {
		for _, alias := range Values(record, "NCTIdAlias") {
			if _, taken := t.byID[alias]; !taken {
				t.byID[alias] = i
			}
		}
	}
	return t
}

// Records returns the records in their order.
func (t *Studies) Records() []map[string]any { return t.records }

// Get returns the record of a canonical or obsolete NCT id, and its canonical id.
func (t *Studies) Get(id string) (record map[string]any, canonical string, ok bool) {
	i, ok := t.byID[id]
	if !ok {
		return nil, "", false
	}
	return t.records[i], t.ids[i], true
}

// column has the values of one piece for every study, cut into words. It is made
// when a search first needs the piece: most pieces are never needed, and the words of
// all posted results would take most of the memory.
type column struct {
	once    sync.Once
	studies [][]value
}

func (t *Studies) column(p *Piece) [][]value {
	c := &t.columns[p.ordinal]
	c.once.Do(func() {
		c.studies = make([][]value, len(t.records))
		for i, study := range t.records {
			found := p.values(study)
			for j := range found {
				found[j].words = Words(found[j].text)
			}
			c.studies[i] = found
		}
	})
	return c.studies
}

// A scope is the part of a study that a node is matched with: the study or one of its sites.
type scope struct {
	studies *Studies
	study   int
	site    int // -1 for the whole study
}

func (s scope) values(p *Piece) []value {
	found := s.studies.column(p)[s.study]
	if s.site < 0 {
		return found
	}
	from := sort.Search(len(found), func(i int) bool { return found[i].item >= s.site })
	to := sort.Search(len(found), func(i int) bool { return found[i].item > s.site })
	return found[from:to]
}
