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

// limitKeywords matches the keywords that exclude values that no answer has: empty strings and lists, numbers below a minimum, additional
// properties.
var limitKeywords = regexp.MustCompile(`,"(?:minLength|minItems|minimum)":[0-9]+([,}])` +
	`|(\{)"(?:minLength|minItems|minimum)":[0-9]+(?:,|(\}))` +
	`|"additionalProperties":false,`)

// knownValues matches the known values of a string that accepts other values, too.
var knownValues = regexp.MustCompile(`"anyOf":\[\{"enum":\[[^\]]*\]\},\{([^{}]*)\}\]`)

// descriptionKeyword matches the description of a property.
var descriptionKeyword = regexp.MustCompile(`,"description":"(?:[^"\\]|\\.)*"|"description":"(?:[^"\\]|\\.)*",`)

// maxLengthKeyword matches the maximum length of a text. Callers rarely reach it, and the error for a longer text names the limit.
var maxLengthKeyword = regexp.MustCompile(`,"maxLength":[0-9]+`)

// listed returns a schema as tools/list shows it: compact and without keywords that clients do not need, because every session sends the
// complete list to the model. It removes $schema and $id, keywords that exclude values that no answer has, known values of an answer that
// do not bind, properties that are never set, and descriptions of all but the given entities. Some clients' validators know only an older
// dialect by its address, and others refuse to compile the same $id twice. The complete schema is published.
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
		return maxLengthKeyword.ReplaceAll(input, nil), err
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
			properties = descriptionKeyword.ReplaceAll(properties, nil)
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
	return limitKeywords.ReplaceAll(text, []byte("$1$2$3")), err
}

// reserved is the beginning of the description of a property that is not set yet. Such a property is published, so that it can be set
// later, but not listed.
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

// compact encodes JSON without escapes of <, > and &, which take six characters each.
func compact(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSpace(out.Bytes()), err
}
