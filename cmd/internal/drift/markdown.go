package drift

import (
	"fmt"
	"strings"
)

// Markdown formats the report for people. The same report gives the same bytes.
func (r *Report) Markdown() string {
	var out strings.Builder
	fmt.Fprintf(&out, "# Drift: %s %s -> %s\n\n%s\n", r.Title, r.From, r.To, r.verdict())
	for i, title := range []string{"Breaking", "Not breaking, but in use", "Elsewhere"} {
		open := false
		for j := range r.Changes {
			c := &r.Changes[j]
			if section(c) != i {
				continue
			}
			if !open {
				fmt.Fprintf(&out, "\n## %s\n\n", title)
				open = true
			}
			c.markdown(&out)
		}
	}
	if len(r.Unlisted) > 0 {
		out.WriteString("\n## New fields of the record\n\nState for each field which answer has it, or why it is left out:\n\n")
		for _, path := range r.Unlisted {
			fmt.Fprintf(&out, "- %s\n", code(path))
		}
	}
	return out.String()
}

func (r *Report) verdict() string {
	count := [3]int{}
	for i := range r.Changes {
		count[section(&r.Changes[i])]++
	}
	if len(r.Changes) == 0 {
		return "Nothing changed."
	}
	changes := "changes"
	if len(r.Changes) == 1 {
		changes = "change"
	}
	return fmt.Sprintf("%d %s: %d breaking, %d in use, %d elsewhere.",
		len(r.Changes), changes, count[breaking], count[touching], count[elsewhere])
}

func (c *Change) markdown(out *strings.Builder) {
	fmt.Fprintf(out, "- %s **%s**", code(c.Path), c.Kind)
	switch {
	case c.From+c.To == "":
	case strings.HasSuffix(string(c.Kind), "added"), strings.HasSuffix(string(c.Kind), "removed"):
		fmt.Fprintf(out, ": %s", code(c.From+c.To))
	default:
		fmt.Fprintf(out, ": %s -> %s", code(c.From), code(c.To))
	}
	if c.Why != "" {
		fmt.Fprintf(out, ". %s%s", strings.ToUpper(c.Why[:1]), c.Why[1:])
	}
	out.WriteString(".\n")
	for _, touched := range []struct {
		what  string
		names []string
	}{{"fields", c.Fields}, {"arguments", c.Arguments}, {"tools", c.Tools}, {"commands", c.Commands}} {
		if len(touched.names) > 0 {
			fmt.Fprintf(out, "  - %s: %s\n", touched.what, strings.Join(touched.names, ", "))
		}
	}
}

// code quotes a text of an upstream as Markdown code. The text can contain backquotes.
func code(s string) string {
	if s == "" {
		return "none"
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}
