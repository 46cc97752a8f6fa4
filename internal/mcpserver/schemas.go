package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
)

// common are the definitions that the output schemas of all tools have in
// common. The instructions tell of them once, as they do of notices.
var common = []string{"ErrorEnvelope", "ErrorDetails", "Page", "Pagination"}

// notEmpty says of a string that it is not empty, which holds for all of them:
// what is absent is left out.
var notEmpty = regexp.MustCompile(`,"minLength":1([,}])|(\{)"minLength":1(?:,|(\}))`)

// longest is the limit of a text. No caller comes near it by intent, and who
// exceeds it is told.
var longest = regexp.MustCompile(`,"maxLength":[0-9]+`)

// served returns a schema as clients get it: compact, without $schema and $id,
// without the descriptions of what all tools have in common, and without what
// holds for all strings. Validators of some clients know only an older dialect by
// its address, others refuse to compile an $id twice, and every session pays for
// the list of tools.
func served(schema []byte) (json.RawMessage, error) {
	var root map[string]json.RawMessage
	if err := json.Unmarshal(schema, &root); err != nil {
		return nil, err
	}
	delete(root, "$schema")
	delete(root, "$id")
	var defs map[string]map[string]json.RawMessage
	if root["$defs"] == nil {
		input, err := write(root)
		return longest.ReplaceAll(input, nil), err
	}
	if err := json.Unmarshal(root["$defs"], &defs); err != nil {
		return nil, fmt.Errorf("$defs: %w", err)
	}
	for name, def := range defs {
		shared, changed := slices.Contains(common, name), false
		if !shared && !bytes.Contains(def["properties"], []byte(`"notices"`)) {
			continue // most are not read any further: every start pays for it
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
		if def["properties"], err = write(properties); err != nil {
			return nil, err
		}
	}
	var err error
	if root["$defs"], err = write(defs); err != nil {
		return nil, err
	}
	whole, err := write(root)
	return notEmpty.ReplaceAll(whole, []byte("$1$2$3")), err
}

// write writes <, > and & as they are: they cost six characters otherwise.
func write(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSpace(out.Bytes()), err
}
