package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/words"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// Show returns a value as a message quotes it.
func Show(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	text, err := entity.JSON(value)
	if err != nil {
		return ""
	}
	return string(text)
}

func absent(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case string:
		v = strings.TrimSpace(v)
		return v == "" || placeholder.MatchString(v)
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !absent(item) })
	case map[string]any:
		return len(v) == 0 // names in it are checked, with any value
	}
	return false
}

// items returns the elements of a list, also of a list written as a string.
func items(value any) ([]any, bool) {
	switch v := value.(type) {
	case []any:
		return v, true
	case string:
		if text := strings.TrimSpace(v); strings.HasPrefix(text, "[") {
			var list []any
			if decode([]byte(text), &list) == nil {
				return list, true
			}
		}
	}
	return nil, false
}

func decode(raw []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber() // an id must not become a float
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("more than one value")
	}
	return nil
}

// integer reads 50, 50.0 and "50".
func integer(value any) (json.Number, bool) {
	var text string
	switch v := value.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = strings.TrimSpace(v)
	default:
		return "", false
	}
	if !number.MatchString(text) {
		return "", false
	}
	n, ok := new(big.Rat).SetString(text)
	if !ok || !n.IsInt() {
		return "", false
	}
	return json.Number(n.Num().String()), true
}

// oneOrMore returns the items of a list, or a list with the one value.
func oneOrMore(value any) []any {
	if list, ok := items(value); ok {
		return list
	}
	return []any{value}
}

// itemOf returns the name of a list item in messages.
func itemOf(name string, i int) string { return name + "[" + strconv.Itoa(i) + "]" }

var placeholder = lazyregexp.New(`^\$\{[^{}]*\}$`)

// number matches a decimal number that is short enough to be written without an exponent.
var number = lazyregexp.New(`^[+-]?[0-9]{1,32}(\.[0-9]{0,32})?([eE][+-]?[0-9]{1,2})?$`)

// withoutHosts returns arguments without the keys that hosts add to every call, and a notice that names them.
func withoutHosts(given map[string]any, known []Argument) (rest map[string]any, notices []string) {
	var added []string
	rest = map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		ofHost := strings.HasPrefix(name, "_") || slices.Contains(words.Hosts(), name)
		if ofHost && meantArgument(name, known).argument == nil {
			added = append(added, entity.Cut(entity.Clean(name), 40))
			continue
		}
		rest[name] = given[name]
	}
	if added != nil {
		notices = []string{"Left out, because hosts add it and the tool has no such argument: " + Listed(added) + "."}
	}
	return rest, notices
}
