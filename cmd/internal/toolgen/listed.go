package toolgen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// limits matches the keywords that forbid values which no answer has: empty
// strings and lists, numbers below a least one, properties of another name.
var limits = regexp.MustCompile(`,"(?:minLength|minItems|minimum)":[0-9]+([,}])|(\{)"(?:minLength|minItems|minimum)":[0-9]+(?:,|(\}))` +
	`|"additionalProperties":false,`)

// knownValues matches the values that are known of a string and do not bind.
var knownValues = regexp.MustCompile(`"anyOf":\[\{"enum":\[[^\]]*\]\},\{([^{}]*)\}\]`)

// described matches the description of a property.
var described = regexp.MustCompile(`,"description":"(?:[^"\\]|\\.)*"|"description":"(?:[^"\\]|\\.)*",`)

// longest matches the limit of a text. No caller reaches it on purpose, and a
// longer text gets an error that names the limit.
var longest = regexp.MustCompile(`,"maxLength":[0-9]+`)

// listed returns a schema as tools/list shows it: compact, without $schema and
// $id, without the keywords that forbid what no answer has, without the
// values of an answer that are known and do not bind, without the properties that
// nothing fills, and with descriptions of the given entities alone. Validators of
// some clients know only an older dialect by its address, others refuse to compile
// an $id twice, and every session pays for the list of tools. The whole schema is
// published.
func listed(schema []byte, entities []string) ([]byte, error) {
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
		if def["properties"] == nil {
			continue
		}
		properties, err := withoutReserved(def["properties"])
		if err == nil && !slices.Contains(entities, name) {
			properties, err = compact(properties)
			properties = described.ReplaceAll(properties, nil)
		}
		if err != nil {
			return nil, fmt.Errorf("$defs/%s: %w", name, err)
		}
		def["properties"] = properties
	}
	var err error
	if root["$defs"], err = compact(defs); err != nil {
		return nil, err
	}
	text, err := compact(root)
	text = bytes.ReplaceAll(text, []byte(`,"description":"`+noticesText+`"`), nil)
	text = knownValues.ReplaceAll(text, []byte("$1"))
	return limits.ReplaceAll(text, []byte("$1$2$3")), err
}

// reserved begins the description of a property that nothing fills yet. It is
// published, so that it can be filled, and not listed.
const reserved = "Reserved"

// withoutReserved returns the properties that are not reserved.
func withoutReserved(written json.RawMessage) (json.RawMessage, error) {
	if !bytes.Contains(written, []byte(`"`+reserved)) {
		return written, nil
	}
	var properties map[string]map[string]any
	if err := json.Unmarshal(written, &properties); err != nil {
		return nil, err
	}
	maps.DeleteFunc(properties, func(_ string, about map[string]any) bool {
		text, _ := about["description"].(string)
		return strings.HasPrefix(text, reserved)
	})
	return compact(properties)
}

// compact writes <, > and & as they are: they cost six characters otherwise.
func compact(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSpace(out.Bytes()), err
}
