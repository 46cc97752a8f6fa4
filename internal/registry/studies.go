package registry

import "context"

// Studies is a set of full records that can be searched. Everything but its
// columns is fixed once it is made. It is safe for concurrent use.
type Studies struct {
	records []map[string]any
	ids     []string       // canonical NCT id of each record
	byID    map[string]int // canonical and obsolete NCT ids
	columns []column       // by ordinal of the piece
}

// NewStudies returns the set of the records, each of which has an NCT id of its own.
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

// A Page is one page of /studies. The total is a pointer because zero hits have
// a total too.
type Page struct {
	TotalCount    *int             `json:"totalCount,omitempty"`
	Studies       []map[string]any `json:"studies"`
	NextPageToken string           `json:"nextPageToken,omitempty"`
}

// Search returns the page that a search asks for. Its error is the context's.
func (t *Studies) Search(ctx context.Context, search *Search) (*Page, error) {
	hits, err := t.find(ctx, search)
	if err != nil {
		return nil, err
	}
	from := min(search.offset, len(hits))
	to := min(from+search.pageSize, len(hits))
	out := &Page{Studies: make([]map[string]any, 0, to-from)}
	for _, h := range hits[from:to] {
		out.Studies = append(out.Studies, search.fields.Project(t.records[h.study]))
	}
	if search.countTotal && search.offset == 0 {
		total := len(hits)
		out.TotalCount = &total
	}
	if to < len(hits) {
		out.NextPageToken = pageToken(to)
	}
	return out, nil
}
