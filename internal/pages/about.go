package pages

import "github.com/biofact-mcp/biofact/internal/tool"

// About returns the data of a tool that its page needs.
func About(t *tool.Tool) Tool {
	about := Tool{Name: t.Name, Title: t.Title, Choices: map[string][]string{}}
	for _, a := range t.Arguments {
		if a.Type == "string" && len(a.Words) > 0 && !a.AnyWords {
			about.Choices[a.Name] = a.Words
		}
	}
	return about
}
