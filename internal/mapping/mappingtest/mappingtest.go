// Package mappingtest has what the tests of all mappers need.
package mappingtest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/contract"
	"github.com/biofact-mcp/biofact/internal/expect"
)

var update = flag.Bool("update", false, "write the golden files anew")

// NastyTexts have characters that must not be in an answer.
var NastyTexts = []string{
	"\u0000a\u202e\u0007",
	"\u0000\u202e \u0007",
	"\\\u0000\u202e\\>",
	"\u0001\u0008\u000b\u000c\r\u001b[0m\u007f\u0080\u0085\u009f b",
	"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069c",
	"a\xff\u0000\xfe",
}

// Golden compares a value with its golden file.
func Golden(t *testing.T, path string, v any) {
	t.Helper()
	got := Encode(t, v, "  ")
	if *update {
		expect.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	expect.NoError(t, err)
	expect.Equal(t, fmt.Sprintf("not as in %s; -update writes it anew", path), string(want), string(got))
}

// Encode returns a value as JSON.
func Encode(t testing.TB, v any, indent string) []byte {
	t.Helper()
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	expect.NoError(t, enc.Encode(v))
	return buf.Bytes()
}

// schemas are shared by all tests.
var schemas = contract.New()

// Check lists the values that break a schema, are empty or were not cleaned. It names places and never shows values.
func Check(t testing.TB, schema string, v any) []string {
	t.Helper()
	text := Encode(t, v, "")
	found, err := schemas.Validate(schema, text)
	expect.NoError(t, err)
	var out []string
	for _, p := range found { // "place: message", where the message may quote the value
		place, _, _ := strings.Cut(p, ": ")
		out = append(out, schema+": breaks its schema at "+place)
	}
	var value map[string]any
	expect.NoError(t, json.Unmarshal(text, &value))
	for key, v := range value {
		Empties(key, v, func(place, what string) { out = append(out, schema+": "+place+" is "+what) })
	}
	return out
}

// Empties finds values that an entity must not have.
func Empties(place string, v any, found func(place, what string)) {
	switch v := v.(type) {
	case nil:
		found(place, "null")
	case string:
		switch {
		case v == "":
			found(place, "an empty string")
		case v != strings.TrimSpace(v):
			found(place, "not trimmed")
		case strings.ContainsFunc(v, Unwanted):
			found(place, "not cleaned")
		}
	case []any:
		if len(v) == 0 {
			found(place, "an empty array")
		}
		for i := range v {
			Empties(fmt.Sprintf("%s[%d]", place, i), v[i], found)
		}
	case map[string]any:
		if len(v) == 0 {
			found(place, "an empty object")
		}
		for key := range v {
			Empties(place+"."+key, v[key], found)
		}
	}
}

// Unwanted reports whether records must not bring a character into an answer.
func Unwanted(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' ||
		strings.ContainsRune("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", r)
}

// Fill sets every text in v, with two elements in every list, and returns the number of texts.
func Fill(v reflect.Value, text string) int {
	count := 0
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
		return 1
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return Fill(v.Elem(), text)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			count += Fill(v.Index(i), text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			count += Fill(v.Field(i), text)
		}
	}
	return count
}

// Differ reports the fields in which got is not want.
func Differ(t *testing.T, id, what string, want, got any) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s: %s is missing", id, what)
			return
		}
		for key := range w {
			Differ(t, id, what+"."+key, w[key], g[key])
		}
		for key := range g {
			if _, ok := w[key]; !ok {
				t.Errorf("%s: %s.%s is not in the record", id, what, key)
			}
		}
	case []any:
		g, _ := got.([]any)
		if len(w) != len(g) {
			t.Errorf("%s: %s has %d items of %d", id, what, len(g), len(w))
			return
		}
		for i := range w {
			Differ(t, id, fmt.Sprintf("%s[%d]", what, i), w[i], g[i])
		}
	default:
		expect.That(t, reflect.DeepEqual(want, got), "%s: %s differs from the record", id, what)
	}
}

// PlainJSON returns an entity as it is decoded from its JSON.
func PlainJSON(t *testing.T, v any) map[string]any {
	t.Helper()
	var m map[string]any
	expect.NoError(t, json.Unmarshal(Encode(t, v, ""), &m))
	return m
}

// Object returns a JSON object without empty members; nil if all are empty.
func Object(pairs ...any) any {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		if v := pairs[i+1]; v != nil && v != "" {
			if items, ok := v.([]any); !ok || len(items) > 0 {
				m[pairs[i].(string)] = v
			}
		}
	}
	if len(m) == 0 {
		return nil
	}
	return m
}

// Distinct returns each item once.
func Distinct(items []any) []any {
	var out []any
	for _, item := range items {
		if !slices.Contains(out, item) {
			out = append(out, item)
		}
	}
	return out
}
