package toolgen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
)

// commonDefs are the definitions that the output schemas of all tools have in
// common. The server's instructions explain them once, as they do notices.
var commonDefs = []string{"ErrorEnvelope", "ErrorDetails", "Page", "Pagination"}

// notEmpty matches the keyword that forbids an empty string. It holds for every
// string of an answer: absent fields are left out.
var notEmpty = regexp.MustCompile(`,"minLength":1([,}])|(\{)"minLength":1(?:,|(\}))`)

// longest matches the limit of a text. No caller reaches it on purpose, and a
// longer text gets an error that names the limit.
var longest = regexp.MustCompile(`,"maxLength":[0-9]+`)

// listed returns a schema as tools/list shows it: compact, without $schema and
// $id, without the descriptions of what all tools have in common, and without
// the keywords that hold for all strings. Validators of some clients know only an
// older dialect by its address, others refuse to compile an $id twice, and every
// session pays for the list of tools.
func listed(schema []byte) ([]byte, error) {
	var root map[string]json.RawMessage
	if err := json.Unmarshal(schema, &root); err != nil {
		return nil, err
	}
	delete(root, "$schema")
	delete(root, "$id")
	var defs map[string]map[string]json.RawMessage
	if root["$defs"] == nil {
		input, err := compact(root)
		return longest.ReplaceAll(input, nil), err
	}
	if err := json.Unmarshal(root["$defs"], &defs); err != nil {
		return nil, fmt.Errorf("$defs: %w", err)
	}
	for name, def := range defs {
		shared, changed := slices.Contains(commonDefs, name), false
		if !shared && !bytes.Contains(def["properties"], []byte(`"notices"`)) {
			continue // as it is written, in its order
		}
		var properties map[string]map[string]any
		if err := json.Unmarshal(def["properties"], &properties); err != nil {
			return nil, fmt.Errorf("$defs/%s: %w", name, err)
		}
		for property, about := range properties {
			if shared || property == "notices" {
				delete(about, "description")
				changed = true
			}
		}
		if !changed {
			continue // as it is written, in its order
		}
		var err error
		if def["properties"], err = compact(properties); err != nil {
			return nil, err
		}
	}
	var err error
	if root["$defs"], err = compact(defs); err != nil {
		return nil, err
	}
	whole, err := compact(root)
	return notEmpty.ReplaceAll(whole, []byte("$1$2$3")), err
}

// compact writes <, > and & as they are: they cost six characters otherwise.
func compact(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSpace(out.Bytes()), err
}
