// Package entity is what Biofact answers: the flat entities, the envelopes
// around them, and the one error type with its closed codes.
//
// The doc comment of a field is its description in the JSON Schemas, up to
// "Source:", which names the field of the upstream. The package imports nothing
// of the project.
package entity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"
)

// Answer is what a tool call comes to: the facts, what the caller should know
// about them, and how they were come by.
type Answer[T any] struct {
	// Value marshals as a JSON object.
	Value T
	// Encoded is the JSON of the value where it is at hand: it goes out as it
	// is, and Value need not be set.
	Encoded []byte
	Notes
}

// Notes are what is said about an answer beside its facts. They are collected
// while the answer is made.
type Notes struct {
	// Notices stand beside the value at the top level of the answer: terms
	// that were ignored, an answer that was cut, a correction that was made.
	Notices []string
	// Provenance goes to the result's _meta, which models do not pay for.
	Provenance Provenance
}

// Add adds notices that are not there yet.
func (n *Notes) Add(notices ...string) {
	for _, notice := range notices {
		if !slices.Contains(n.Notices, notice) {
			n.Notices = append(n.Notices, notice)
		}
	}
}

// Used notes that a part of the answer was obtained in a way, empty for none to
// speak of, and when the source gave it; zero: unknown. Of several parts the
// worst way and the earliest time count.
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

// MarshalJSON writes the value and, where there are any, its notices as one
// JSON object.
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
	notices, err := marshal(a.Notices)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, len(value)+len(notices)+len(`,"notices":`))
	out = append(out, value[:len(value)-1]...)
	if len(value) > 2 {
		out = append(out, ',')
	}
	out = append(out, `"notices":`...)
	out = append(out, notices...)
	return append(out, '}'), nil
}

// Size is the number of bytes that v has in an answer.
func Size(v any) int {
	text, err := JSON(v)
	if err != nil {
		return 0
	}
	return len(text)
}

// JSON writes a value as the bytes that a client gets, in text and as
// structured content. They are always valid UTF-8.
func JSON(v any) ([]byte, error) {
	render := func() ([]byte, error) { return marshal(v) }
	if m, ok := v.(json.Marshaler); ok {
		render = m.MarshalJSON
	}
	text, err := render()
	if !utf8.Valid(text) { // parts that were encoded before are copied as they are
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	return text, err
}

// marshal writes <, > and & as they are: models read these bytes, and an
// escaped sign costs them six characters.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// Provenance tells how an answer was made. Zero values are unknown and are
// left out.
type Provenance struct {
	// Cache tells whether the store had the answer. Empty: nothing is stored.
	Cache CacheUse
	// UpstreamRequests that this call caused, retries included.
	UpstreamRequests int
	// DataVersion of the source, as the source writes it.
	DataVersion string
	// RetrievedAt is when the source gave the record, by its own clock.
	RetrievedAt time.Time
	// Mirror is the name of the source where its local mirror answered, and MirrorSynced when the mirror was
	// brought up to date. Empty: none did.
	Mirror       string
	MirrorSynced time.Time
}

// CacheUse is what the store had to an answer.
type CacheUse string

// What the store can have to an answer.
const (
	CacheHit   CacheUse = "hit"   // it was there and exact
	CacheMiss  CacheUse = "miss"  // it was not, and the source was asked
	CacheStale CacheUse = "stale" // it was there, of an age; the source could not be asked
	// CacheMirror is for figures alone: a local mirror of the source answered.
	CacheMirror CacheUse = "mirror"
)

// Page is a list answer.
type Page[T any] struct {
	// Items of this page, in rank order.
	Items []T `json:"items"`
	// Where the page stands in the whole.
	Pagination Pagination `json:"pagination"`
}

// MarshalJSON keeps an empty page an empty list.
func (p Page[T]) MarshalJSON() ([]byte, error) {
	type page Page[T]
	if p.Items == nil {
		p.Items = []T{}
	}
	return marshal(page(p))
}

// PageWith is a list answer with the fields of an object beside the items.
type PageWith[T, B any] struct {
	Page[T]
	// Beside marshals as a JSON object.
	Beside B
}

// MarshalJSON writes the fields of the object behind those of the page.
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

// Pagination tells where a page stands and how to get the next one.
type Pagination struct {
	// Pass it as cursor, with the same arguments, for the next page. Absent on the last page.
	Cursor string `json:"cursor,omitempty" jsonschema:"minLength=1"`
	// Number of all items on all pages. Absent where the source does not tell.
	TotalCount *int `json:"total_count,omitempty" jsonschema:"minimum=0"`
	// Largest number of items on this page.
	PageSize int `json:"page_size" jsonschema:"minimum=1"`
}
