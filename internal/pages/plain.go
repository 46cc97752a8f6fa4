package pages

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/ordered"
)

// staticBody returns the answers of a file as HTML for readers without scripts: each value, with the name of its field.
func staticBody(tool Tool, calls []Call) (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "<h1>%s</h1>", html.EscapeString(tool.Title))
	if tool.Banner != "" {
		fmt.Fprintf(&out, "<p><b>%s</b></p>", html.EscapeString(tool.Banner))
	} else if meta := calls[0].Meta; meta != nil {
		fmt.Fprintf(&out, "<p>%s</p>", html.EscapeString(dated(meta)))
	}
	for _, call := range calls {
		answer, err := ordered.Parse(call.Answer)
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

// depth returns how many lists and objects are nested in a value.
func depth(value any) int {
	deepest := -1
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			deepest = max(deepest, depth(item))
		}
	case ordered.Object:
		for _, f := range value {
			deepest = max(deepest, depth(f.Value))
		}
	default:
		return 0
	}
	return deepest + 1
}

// writeValue writes a value under a heading of a level: an object as its fields, a list of objects as a table or one after another.
func writeValue(out *strings.Builder, value any, level int) {
	switch value := value.(type) {
	case ordered.Object:
		for _, f := range value {
			switch f.Value.(type) {
			case []any, ordered.Object:
				fmt.Fprintf(out, "<h%d>%s</h%[1]d>", min(level, 6), title(f.Name))
				writeValue(out, f.Value, level+1)
			default:
				fmt.Fprintf(out, "<p><b>%s:</b> %s</p>", title(f.Name), html.EscapeString(inline(f.Value)))
			}
		}
	case []any:
		if depth(value) > 1 && depth(value) < 5 && len(value) > 1 {
			writeTable(out, value)
			return
		}
		for _, item := range value {
			writeValue(out, item, level)
		}
	default:
		fmt.Fprintf(out, "<p>%s</p>", html.EscapeString(inline(value)))
	}
}

// writeTable writes objects as rows, with a column for each field that one of them has.
func writeTable(out *strings.Builder, rows []any) {
	var names []string
	for _, row := range rows {
		fields, _ := row.(ordered.Object)
		for _, f := range fields {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	out.WriteString("<table><thead><tr>")
	for _, name := range names {
		fmt.Fprintf(out, `<th scope="col">%s</th>`, title(name))
	}
	out.WriteString("</tr></thead><tbody>")
	for _, row := range rows {
		fields, _ := row.(ordered.Object)
		out.WriteString("<tr>")
		for _, name := range names {
			i := slices.IndexFunc(fields, func(f ordered.Member) bool { return f.Name == name })
			out.WriteString("<td>")
			if i >= 0 {
				out.WriteString(html.EscapeString(inline(fields[i].Value)))
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
	case ordered.Object:
		for _, f := range value {
			parts = append(parts, strings.ReplaceAll(f.Name, "_", " ")+" "+inline(f.Value))
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
