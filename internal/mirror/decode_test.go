package mirror

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// FuzzDecode: valid JSON is read as encoding/json reads it, and other text never fails otherwise than by an error.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{`{}`, ` [1, -2.5e3, "a\n\u00e9", true, false, null, {"a":{"b":[]}}] `, `"`, `{"a"`, `[1,`, "\"\xff\"",
		`{"a":1,"a":2}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := decodeAny(text, nil)
		_, _ = decodeAny(text, registry.Projection{"a": nil})
		if !json.Valid(text) {
			return
		}
		want, _ := standard(text)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%q: %v (-encoding/json +decode)\n%s", text, err, diff)
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
	}
}
