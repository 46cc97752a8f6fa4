// Package entity defines the answers of Biofact: the flat entities, their
// envelopes, and the error type with its closed set of codes.
//
// The doc comment of a field is its description in the JSON Schemas, up to
// "Source:", which names the upstream field. The package imports no other package
// of the project.
package entity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Answer is the result of a tool call: the facts, the notices about them, and how
// they were obtained.
type Answer[T any] struct {
	// Value marshals as a JSON object.
	Value T
	// Encoded is the JSON of the value, where it already exists. It is sent
	// unchanged, and Value may be empty.
	Encoded []byte
	Notes
}

// Notes hold the notices and the provenance of an answer. They are collected
// while the answer is built.
type Notes struct {
	// Notices become a field at the top level of the answer: ignored terms,
	// a shortened answer, a corrected argument.
	Notices []string
	// Next is the call that a notice names; nil: none does. It becomes a field at the top level of the answer.
	Next *Next
	// Provenance goes into _meta of the result, which clients do not pass to models.
	Provenance Provenance
}

// Add adds notices. A notice that Notes already has is not repeated.
func (n *Notes) Add(notices ...string) {
	if len(notices) > 0 {
		n.Notices = Once(slices.Concat(n.Notices, notices))
	}
}

// Suggest adds a notice that names a call. The call of the first such notice is the next one of the answer.
func (n *Notes) Suggest(notice string, next *Next) {
	n.Add(strings.TrimSpace(notice + " " + next.Sentence()))
	if n.Next == nil {
		n.Next = next
	}
}

// Used records how the cache served a part of the answer (empty: no cache was
// used) and when the source sent that part (zero: unknown). Of several parts,
// Provenance gets the worst cache use and the earliest time.
func (n *Notes) Used(use CacheUse, retrieved time.Time) {
	p := &n.Provenance
	order := []CacheUse{"", CacheHit, CacheMiss, CacheStale}
	if slices.Index(order, use) > slices.Index(order, p.Cache) {
		p.Cache = use
	}
	if p.RetrievedAt.IsZero() || !retrieved.IsZero() && retrieved.Before(p.RetrievedAt) {
		p.RetrievedAt = retrieved
	}
}

// MarshalJSON writes the value, its notices and the next call as one JSON object. Without notices it writes the value alone.
func (a Answer[T]) MarshalJSON() ([]byte, error) {
	value, err := a.Encoded, error(nil)
	if value == nil {
		value, err = JSON(a.Value)
	}
	if err != nil || len(a.Notices) == 0 {
		return value, err
	}
	if len(value) < 2 || value[0] != '{' {
		return nil, fmt.Errorf("an answer must be a JSON object, got %T", a.Value)
	}
	beside, err := marshal(struct {
		Notices []string `json:"notices"`
		Next    *Next    `json:"next,omitempty"`
	}{a.Notices, a.Next})
	if err != nil || len(value) == 2 {
		return beside, err
	}
	return slices.Concat(value[:len(value)-1], []byte(","), beside[1:]), nil
}

// Size returns the number of bytes of v in an answer.
func Size(v any) int {
	text, err := JSON(v)
	if err != nil {
		return 0
	}
	return len(text)
}

// JSON returns a value as the bytes that a client gets, as text and as
// structured content. The bytes are always valid UTF-8.
func JSON(v any) ([]byte, error) {
	render := func() ([]byte, error) { return marshal(v) }
	if m, ok := v.(json.Marshaler); ok {
		render = m.MarshalJSON
	}
	text, err := render()
	if !utf8.Valid(text) { // parts that were encoded earlier are copied unchecked
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	return text, err
}

// marshal returns the JSON of v. It does not escape <, > and &: models read these
// bytes, and each escape costs six characters.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// Count adds the provenance of other notes to an answer of several parts, without their notices.
func (n *Notes) Count(other Notes) {
	n.Used(other.Provenance.Cache, other.Provenance.RetrievedAt)
	n.Provenance.UpstreamRequests += other.Provenance.UpstreamRequests
}

// Provenance says how an answer was obtained. A zero value means unknown and is
// left out of _meta.
type Provenance struct {
	// Cache says whether the answer came from the cache. Empty: no cache was used.
	Cache CacheUse
	// UpstreamRequests counts the requests that this call caused, with retries.
	UpstreamRequests int
	// DataVersion is the version of the source's data, as the source writes it.
	DataVersion string
	// RetrievedAt is the time at which the source sent the record, by the source's clock.
	RetrievedAt time.Time
	// Mirror is the name of the source whose local mirror answered, and MirrorSynced the time of the mirror's last
	// sync. Both are empty when no mirror answered.
	Mirror       string
	MirrorSynced time.Time
}

// CacheUse says how the cache served an answer.
type CacheUse string

// The values of CacheUse.
const (
	CacheHit   CacheUse = "hit"   // the entry was present and valid
	CacheMiss  CacheUse = "miss"  // no valid entry; the source answered
	CacheStale CacheUse = "stale" // the entry was expired; the source could not be reached
	// CacheMirror appears in metrics only: a local mirror of the source answered.
	CacheMirror CacheUse = "mirror"
)

// Page is an answer that lists items.
type Page[T any] struct {
	// Items of this page, in rank order.
	Items []T `json:"items"`
	// How to get the next page.
	Pagination Pagination `json:"pagination"`
}

// MarshalJSON writes an empty page as an empty list, not as null.
func (p Page[T]) MarshalJSON() ([]byte, error) {
	type page Page[T]
	if p.Items == nil {
		p.Items = []T{}
	}
	return marshal(page(p))
}

// PageWith is a Page with the fields of another object next to items.
type PageWith[T, B any] struct {
	Page[T]
	// Beside marshals as a JSON object.
	Beside B
}

// MarshalJSON writes the fields of the page, then those of Beside.
func (p PageWith[T, B]) MarshalJSON() ([]byte, error) {
	page, err := p.Page.MarshalJSON()
	if err != nil {
		return nil, err
	}
	beside, err := marshal(p.Beside)
	if err != nil || len(beside) == len("{}") {
		return page, err
	}
	return append(append(page[:len(page)-1], ','), beside[1:]...), nil
}

// Pagination says how to get the next page.
type Pagination struct {
	// Pass it as cursor, with the same arguments, to get the next page. Absent on the last page.
	Cursor string `json:"cursor,omitempty" jsonschema:"minLength=1"`
	// Number of items on all pages. Absent where the source does not say.
	TotalCount *int `json:"total_count,omitempty" jsonschema:"minimum=0"`
	// Maximum number of items on a page.
	PageSize int `json:"page_size" jsonschema:"minimum=1"`
}
