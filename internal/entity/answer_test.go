package entity_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

type item struct {
	Name string `json:"name,omitempty"`
}

func TestAnswerJSON(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer json.Marshaler
		want   string // "" for an error
	}{
		"value": {entity.Answer[item]{Value: item{"a"}}, `{"name":"a"}`},
		"notices": {entity.Answer[item]{Value: item{"a"}, Notes: entity.Notes{Notices: []string{"b", "c"}}},
			`{"name":"a","notices":["b","c"]}`},
		"empty value":              {entity.Answer[item]{}, `{}`},
		"empty value with notices": {entity.Answer[item]{Notes: entity.Notes{Notices: []string{"b"}}}, `{"notices":["b"]}`},
		"empty notices":            {entity.Answer[item]{Value: item{"a"}, Notes: entity.Notes{Notices: []string{}}}, `{"name":"a"}`},
		"signs of HTML": {entity.Answer[item]{Value: item{"<a> & b"}, Notes: entity.Notes{Notices: []string{"<c>"}}},
			`{"name":"<a> & b","notices":["<c>"]}`},
		"provenance is not shown": {entity.Answer[item]{Value: item{"a"},
			Notes: entity.Notes{Provenance: entity.Provenance{UpstreamRequests: 3, DataVersion: "x"}}}, `{"name":"a"}`},
		"a list takes no notices": {entity.Answer[[]item]{Value: []item{{"a"}}, Notes: entity.Notes{Notices: []string{"b"}}}, ""},
		"null takes no notices":   {entity.Answer[*item]{Notes: entity.Notes{Notices: []string{"b"}}}, ""},
		"string with notices":     {entity.Answer[string]{Value: "{}", Notes: entity.Notes{Notices: []string{"b"}}}, ""},
		"unmarshalable value":     {entity.Answer[func()]{}, ""},
		"page": {entity.Page[item]{Items: []item{{"a"}, {}},
			Pagination: entity.Pagination{Cursor: "c", TotalCount: new(3), PageSize: 2}},
			`{"items":[{"name":"a"},{}],"pagination":{"cursor":"c","total_count":3,"page_size":2}}`},
		"empty page": {entity.Page[item]{Pagination: entity.Pagination{TotalCount: new(0), PageSize: 50}},
			`{"items":[],"pagination":{"total_count":0,"page_size":50}}`},
		"total unknown": {entity.Page[item]{Items: []item{}, Pagination: entity.Pagination{PageSize: 50}},
			`{"items":[],"pagination":{"page_size":50}}`},
		"answer of a page": {entity.Answer[entity.Page[item]]{Value: entity.Page[item]{Items: []item{{"<"}}},
			Notes: entity.Notes{Notices: []string{"&"}}}, `{"items":[{"name":"<"}],"pagination":{"page_size":0},"notices":["&"]}`},
		"answer of a page, nothing": {entity.Answer[entity.Page[item]]{}, `{"items":[],"pagination":{"page_size":0}}`},
	} {
		got, err := entity.JSON(tt.answer)
		expect.That(t, string(got) == tt.want && (err != nil) == (tt.want == ""), "%s: got %s, %v\nwant %s", name, got, err, tt.want)
		expect.That(t, tt.want == "" || json.Valid(got), "%s: not JSON: %s", name, got)
	}
}

// TestJSONIsUTF8 checks that the bytes of every answer are valid UTF-8.
func TestJSONIsUTF8(t *testing.T) {
	t.Parallel()
	bad := "a\xffb\xc3"
	for name, v := range map[string]any{
		"text":    map[string]string{"t": bad},
		"raw":     map[string]json.RawMessage{"t": json.RawMessage(`"` + bad + `"`)},
		"encoded": entity.Answer[any]{Encoded: []byte(`{"t":"` + bad + `"}`)},
		"notices": entity.Answer[any]{Encoded: []byte(`{"t":"` + bad + `"}`), Notes: entity.Notes{Notices: []string{bad}}},
	} {
		text, err := entity.JSON(v)
		expect.That(t, err == nil && utf8.Valid(text) && json.Valid(text), "%s: %q, %v", name, text, err)
	}
}

// TestNotes checks that a notice appears once, and that the worst cache use and the
// earliest time of several parts count.
func TestNotes(t *testing.T) {
	t.Parallel()
	var n entity.Notes
	n.Add("a", "b", "a")
	n.Add("b", "c")
	expect.That(t, slices.Equal(n.Notices, []string{"a", "b", "c"}), "%q", n.Notices)
	at := time.Date(2026, 8, 5, 9, 0, 0, 0, time.UTC)
	n.Used(entity.CacheMiss, time.Time{})
	n.Used(entity.CacheHit, at)
	n.Used("", at.Add(-time.Hour))
	n.Used("", time.Time{})
	if p := n.Provenance; p.Cache != entity.CacheMiss || !p.RetrievedAt.Equal(at.Add(-time.Hour)) {
		t.Errorf("%+v", p)
	}
	n.Used(entity.CacheStale, at)
	if p := n.Provenance; p.Cache != entity.CacheStale || !p.RetrievedAt.Equal(at.Add(-time.Hour)) {
		t.Errorf("%+v", p)
	}
}
