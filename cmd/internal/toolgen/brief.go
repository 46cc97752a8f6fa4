package toolgen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
)

// examplesKeyword matches the examples of a property.
var examplesKeyword = regexp.MustCompile(`,"examples":\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\]`)

// repeated returns the filters of a tool that an earlier tool also has.
func repeated(tools []*Tool, name string) map[string]bool {
	described := map[*Filters]bool{}
	for _, t := range tools {
		if t.Filters == nil {
			continue
		}
		if t.Name != name {
			described[t.Filters] = true
			continue
		}
		again := map[string]bool{}
		for _, a := range t.Filters.Args {
			again[a.Name] = described[t.Filters]
		}
		return again
	}
	return nil
}

// brief removes descriptions and examples of some arguments from a listed schema. The schema of an earlier tool has them, and every session
// sends the complete list to the model.
func brief(schema []byte, names map[string]bool) ([]byte, error) {
	const begin = `"properties":`
	at := bytes.Index(schema, []byte(begin))
	if at < 0 || len(names) == 0 {
		return schema, nil
	}
	at += len(begin)
	in := json.NewDecoder(bytes.NewReader(schema[at:]))
	if _, err := in.Token(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.Write(schema[:at])
	for sign := "{"; in.More(); sign = "," {
		key, err := in.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return nil, err
		}
		if name, _ := key.(string); names[name] {
			value = examplesKeyword.ReplaceAll(descriptionKeyword.ReplaceAll(value, nil), nil)
		}
		fmt.Fprintf(&out, "%s%q:%s", sign, key, value)
	}
	out.Write(schema[at+int(in.InputOffset()):])
	return out.Bytes(), nil
}
