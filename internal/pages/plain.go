package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"
)

// A field is a field of an object of an answer, in the order of the answer.
type field struct {
	name  string
	value any // string, []any or []field
}

// staticBody returns the answers of a file as HTML for readers without scripts: each value, with the name of its field.
func staticBody(tool Tool, calls []Call) (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "<h1>%s</h1>", html.EscapeString(tool.Title))
	if meta := calls[0].Meta; meta != nil {
		fmt.Fprintf(&out, "<p>%s</p>", html.EscapeString(dated(meta)))
	}
	for _, call := range calls {
		dec := json.NewDecoder(bytes.NewReader(call.Answer))
		dec.UseNumber()
		answer, err := ordered(dec)
		if err != nil {
			return "", err
		}
		writeValue(&out, answer, 2)
	}
	const about = "<h2>About this page</h2><p>Made with <code>%s</code> by Biofact %s. docs/terms.md names the sources and their terms.</p>"
	fmt.Fprintf(&out, about,
		html.EscapeString(tool.Command), html.EscapeString(tool.Version))
	return out.String(), nil
}

// dated returns the age of an answer in words.
func dated(meta map[string]any) string {
	var parts []string
	for _, part := range [][2]string{{"data of ", "biofact/data_version"}, {"retrieved at ", "biofact/retrieved_at"}} {
		if text, ok := meta[part[1]].(string); ok {
			parts = append(parts, part[0]+text)
		}
	}
	return strings.Join(parts, ", ")
}

// ordered reads a value of JSON and keeps the order of fields.
func ordered(dec *json.Decoder) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			item, err := ordered(dec)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		_, err = dec.Token()
		return list, err
	case json.Delim('{'):
		fields := []field{}
		for dec.More() {
			name, err := dec.Token()
			if err != nil {
				return nil, err
			}
			value, err := ordered(dec)
			if err != nil {
				return nil, err
			}
			fields = append(fields, field{fmt.Sprint(name), value})
		}
		_, err = dec.Token()
		return fields, err
	}
	return fmt.Sprint(token), nil
}

// depth returns how many lists and objects are nested in a value.
func depth(value any) int {
	deepest := -1
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			deepest = max(deepest, depth(item))
		}
	case []field:
		for _, f := range value {
			deepest = max(deepest, depth(f.value))
		}
	default:
		return 0
	}
	return deepest + 1
}

// writeValue writes a value under a heading of a level: an object as its fields, a list of objects as a table or one after another.
func writeValue(out *strings.Builder, value any, level int) {
	switch value := value.(type) {
	case []field:
		for _, f := range value {
			if text, ok := f.value.(string); ok {
				fmt.Fprintf(out, "<p><b>%s:</b> %s</p>", title(f.name), html.EscapeString(text))
				continue
			}
			fmt.Fprintf(out, "<h%d>%s</h%[1]d>", min(level, 6), title(f.name))
			writeValue(out, f.value, level+1)
		}
	case []any:
		if depth(value) > 1 && depth(value) < 5 && len(value) > 1 {
			writeTable(out, value)
			return
		}
		for _, item := range value {
			writeValue(out, item, level)
		}
	case string:
		fmt.Fprintf(out, "<p>%s</p>", html.EscapeString(value))
	}
}

// writeTable writes objects as rows, with a column for each field that one of them has.
func writeTable(out *strings.Builder, rows []any) {
	var names []string
	for _, row := range rows {
		fields, _ := row.([]field)
		for _, f := range fields {
			if !slices.Contains(names, f.name) {
				names = append(names, f.name)
			}
		}
	}
	out.WriteString("<table><thead><tr>")
	for _, name := range names {
		fmt.Fprintf(out, `<th scope="col">%s</th>`, title(name))
	}
	out.WriteString("</tr></thead><tbody>")
	for _, row := range rows {
		fields, _ := row.([]field)
		out.WriteString("<tr>")
		for _, name := range names {
			i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
			out.WriteString("<td>")
			if i >= 0 {
				out.WriteString(html.EscapeString(inline(fields[i].value)))
			}
			out.WriteString("</td>")
		}
		out.WriteString("</tr>")
	}
	out.WriteString("</tbody></table>")
}

// inline returns a value as one line.
func inline(value any) string {
	var parts []string
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			parts = append(parts, inline(item))
		}
		return strings.Join(parts, "; ")
	case []field:
		for _, f := range value {
			parts = append(parts, strings.ReplaceAll(f.name, "_", " ")+" "+inline(f.value))
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(value)
}

// title returns the name of a field as a heading.
func title(name string) string {
	words := strings.ReplaceAll(name, "_", " ")
	if words == "" {
		return ""
	}
	return html.EscapeString(strings.ToUpper(words[:1]) + words[1:])
}
