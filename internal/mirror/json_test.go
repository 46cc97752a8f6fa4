package mirror

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/registry"
)

// standard reads a value as encoding/json does, numbers as they are written.
func standard(text []byte) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&value)
	return value, err
}

// FuzzDecode: the decoder reads JSON as encoding/json does, and refuses other text, also in fields that are not selected.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		`{}`, ` [1, -2.5e3, "a\n\u00e9", true, false, null, {"a":{"b":[]}}] `, `"`, `{"a"`, `[1,`, "\"\xff\"", `{"a":1,"a":2}`,
		`{"a":01}`, `{"b":tru}`, "{\"b\":\"\n\"}", `{"b":"\x"}`, `[1,]`, `{"a":1,}`, `{"a" 1}`, `{"b":{"c":[-]}}`, `{} {}`,
		`{"c":"]","a":[{"b":"}"},{"c":[]},{}],"d":{"b":1}}`, `{"a":[{"c":1}]}`, `{"a" : { "c" : 1 , "b" : [ ] } }`, `{"a":"x","b":2}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := decodeAny(text, nil)
		_, partly := decodeAny(text, registry.Projection{"a": nil})
		if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > 10_000 { // levels, which package jsontext refuses
			return
		}
		if valid := json.Valid(text); valid != (err == nil) || valid != (partly == nil) {
			t.Fatalf("%q: %v, in part %v", text, err, partly)
		}
		if err != nil {
			return
		}
		want, _ := standard(text)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: (-encoding/json +decode)\n%s", text, diff)
		}
		object, ok := got.(map[string]any)
		if !ok || bytes.Contains(text, []byte(`\`)) || bytes.Count(text, []byte(`"a"`)) > 1 {
			return // the last of equal keys counts
		}
		for _, fields := range []registry.Projection{nil, {"a": nil}, {"a": {"b": nil}}} {
			part, err := cut(text, fields)
			expect.NoError(t, err)
			cutObject, err := decode(part)
			if diff := cmp.Diff(fields.Project(object), cutObject); diff != "" || err != nil {
				t.Errorf("%q: %v (-Project +cut)\n%s", text, err, diff)
			}
		}
	})
}

// FuzzPage: a page is read as encoding/json reads it, however it comes in parts.
func FuzzPage(f *testing.F) {
	for _, text := range []string{
		`{"studies":[]}`, `{"totalCount":2,"studies":[{"a":"}]"},{"b":[1,2]}],"nextPageToken":"x"}`,
		` { "studies" : [ 1 , "a\"" , null ] , "other" : {"c":"d"} } `,
		`{"studies":[{"a":`, `{"studies":[{}`, `{"studies":[{},]}`, `{"nextPageToken":"x"}`, `[]`, ``, `{"studies":[{}]}}`,
		`{"studies":{}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want struct {
			Studies       []json.RawMessage `json:"studies"`
			NextPageToken string            `json:"nextPageToken"`
			TotalCount    *int              `json:"totalCount"`
		}
		var keys map[string]json.RawMessage
		if json.Unmarshal(text, &keys) != nil || json.Unmarshal(text, &want) != nil || want.Studies == nil {
			keys = nil
		}
		var got []json.RawMessage
		p := page{total: -1}
		err := p.read(iotest.OneByteReader(bytes.NewReader(text)), func(raw []byte) error {
			got = append(got, bytes.Clone(raw))
			return nil
		})
		if keys == nil || bytes.Count(text, []byte(`"studies"`)) != 1 || strings.ContainsAny(string(text), "\\") {
			return // such a page may be read in part, before its end shows what is wrong
		}
		for key := range keys {
			if known := strings.ToLower(key); known != key && (known == "studies" || known == "nextpagetoken" || known == "totalcount") {
				return // encoding/json takes these as well
			}
		}
		if err != nil || p.next != want.NextPageToken || want.TotalCount != nil && p.total != *want.TotalCount {
			t.Fatalf("%q: %+v %v, want %+v", text, p, err, want)
		}
		if diff := cmp.Diff(want.Studies, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q: (-encoding/json +stream)\n%s", text, diff)
		}
	})
}

func TestDecodeRecords(t *testing.T) {
	t.Parallel()
	fields := registry.Projection{"protocolSection": {"identificationModule": nil, "contactsLocationsModule": {"locations": {"city": nil}}},
		"hasResults": nil}
	for _, raw := range sources(t) {
		want, err := standard(raw)
		expect.NoError(t, err)
		got, err := decode(raw)
		expect.NoError(t, err)
		expect.Is(t, cmp.Diff(want, any(got)), "", "a record (-encoding/json +decode)")
		part, err := decodeFields(raw, fields)
		expect.NoError(t, err)
		expect.Is(t, cmp.Diff(fields.Project(got), fields.Project(part)), "", "a part of a record")
		text, err := cut(raw, fields)
		expect.NoError(t, err)
		part, err = decode(text)
		expect.NoError(t, err)
		expect.Is(t, cmp.Diff(fields.Project(got), part), "", "a part of the text of a record")
	}
}
