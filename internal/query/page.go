package query

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// The page sizes of the registry. It takes a larger size as the largest.
const (
	defaultPageSize = 10
	maxPageSize     = 1000
)

// A Page is one page of /studies. The total is a pointer because zero hits have a
// total too.
type Page struct {
	TotalCount    *int              `json:"totalCount,omitempty"`
	Studies       []json.RawMessage `json:"studies"` // the selected part of each
	NextPageToken string            `json:"nextPageToken,omitempty"`
}

// Page returns the page of a search that found total studies. The arguments studies are the selected parts of those from the
// offset on.
func (s *Search) Page(total int, studies []json.RawMessage) *Page {
	page := &Page{Studies: studies}
	if s.CountTotal && s.Offset == 0 {
		page.TotalCount = &total
	}
	if next := s.Offset + len(studies); next < total {
		page.NextPageToken = pageToken(next)
	}
	return page
}

// JSON returns the page as JSON. It copies the studies unchecked: encoding/json would check each byte again.
func (p *Page) JSON() []byte {
	size := 100
	for _, study := range p.Studies {
		size += len(study) + 1
	}
	out := append(make([]byte, 0, size), '{')
	if p.TotalCount != nil {
		out = fmt.Appendf(out, `"totalCount":%d,`, *p.TotalCount)
	}
	out = append(out, `"studies":[`...)
	for i, study := range p.Studies {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, study...)
	}
	out = append(out, ']')
	if p.NextPageToken != "" {
		out = fmt.Appendf(out, `,"nextPageToken":%q`, p.NextPageToken)
	}
	return append(out, '}')
}

// A page token is an offset after a mark that distinguishes it from garbage. Like the
// registry's it does not know its search: with another search it pages that one.
const tokenMark = 0x4e465430

func pageToken(offset int) string {
	raw := binary.BigEndian.AppendUint32(nil, tokenMark)
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(raw, uint32(offset)))
}

func readPageToken(token string) (offset int, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != 8 || binary.BigEndian.Uint32(raw) != tokenMark {
		return 0, false
	}
	offset = int(binary.BigEndian.Uint32(raw[4:]))
	return offset, offset > 0
}

// A Search is a checked request to /studies. A study is found where all of it holds.
type Search struct {
	Queries    []Node     // the parameters query.*, which make the rank
	Advanced   Node       // filter.advanced and filter.geo, or nil
	Statuses   []string   // filter.overallStatus, or nil
	IDs        []string   // filter.ids as records write them, or nil
	Fields     Projection // fields
	Sort       []SortKey  // sort; without keys the order is the engine's
	CountTotal bool
	PageSize   int
	Offset     int // from the page token
}

// A SortKey is one item of the parameter sort.
type SortKey struct {
	Piece      *Piece // a date or a number; nil is @relevance
	Descending bool
}
