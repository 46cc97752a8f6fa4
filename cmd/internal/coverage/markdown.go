package coverage

import (
	"fmt"
	"strings"
)

// Markdown formats the table of a record for people, with a chapter for each module.
func (t Table) Markdown(leaves []string) string {
	var out strings.Builder
	chapter, left := "", 0
	for _, row := range t {
		module, field := split(row.Path)
		if module != chapter {
			fmt.Fprintf(&out, "\n## %s\n\n| field | answer |\n|---|---|\n", module)
			chapter = module
		}
		answer := "left out: " + row.Note
		if len(row.Fields) > 0 {
			answer = "`" + strings.Join(row.Fields, "`, `") + "`"
			if row.Note != "" {
				answer += ": " + row.Note
			}
		} else {
			for _, path := range leaves {
				if found := t.find(path); found != nil && found.Path == row.Path {
					left++
				}
			}
		}
		fmt.Fprintf(&out, "| `%s` | %s |\n", field, answer)
	}
	missing := t.Missing(leaves)
	for i, path := range missing {
		if i == 0 {
			out.WriteString("\n## Fields without a line in the list\n\n")
		}
		fmt.Fprintf(&out, "- `%s`\n", path)
	}
	return fmt.Sprintf("Of %d fields %d are in answers, %d are left out.\n", len(leaves), len(leaves)-left-len(missing),
		left) + out.String()
}

func split(path string) (module, field string) {
	steps := strings.SplitN(path, ".", 3)
	switch len(steps) {
	case 1:
		return "study", path
	case 2:
		return steps[0], steps[1]
	}
	return steps[0] + "." + steps[1], steps[2]
}
