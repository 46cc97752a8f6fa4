package stored

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
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
		got, err := DecodeAny(text, nil)
		_, partly := DecodeAny(text, query.Projection{"a": nil})
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
		for _, fields := range []query.Projection{nil, {"a": nil}, {"a": {"b": nil}}} {
			part, err := Cut(text, fields)
			expect.NoError(t, err)
			cutObject, err := Decode(part)
			if diff := cmp.Diff(fields.Project(object), cutObject); diff != "" || err != nil {
				t.Errorf("%q: %v (-Project +cut)\n%s", text, err, diff)
			}
		}
	})
}
