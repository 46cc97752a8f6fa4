package e2e

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// TestMistakes makes the mistakes of testdata/questions.md. The call that follows a mistake in the document must be the next call of its
// error, and the answers must hold what the document says.
func TestMistakes(t *testing.T) {
	_, mistakes := readScripts(t)
	refused := 0
	p := launch(t, exec.Command(binary(t), "--sandbox"))
	for _, s := range mistakes {
		t.Run(s.name, func(t *testing.T) {
			var a answers
			for _, c := range s.calls[:s.mistake-1] {
				p.ask(t, &a, c)
			}
			wrong := s.calls[s.mistake-1]
			if s.code == "none" {
				p.ask(t, &a, wrong)
				s.check(t, a)
				return
			}
			refused++
			text, isError := p.answer(t, question{wrong.tool, a.fill(t, wrong.arguments)})
			var envelope entity.ErrorEnvelope
			if err := json.Unmarshal([]byte(text), &envelope); err != nil || !isError || string(envelope.Error.Code) != s.code {
				t.Fatalf("answered with %.300s, want %s", text, s.code)
			}
			a = append(a, nil) // a reference to an error is not possible
			expect.Must(t, len(s.calls) > s.mistake, "the document has no call after the mistake")
			next := envelope.Error.Next
			expect.Must(t, next != nil, "an error without a next call: %s", text)
			if diff := cmp.Diff(s.calls[s.mistake], scripted{next.Tool, next.Arguments}, cmp.AllowUnexported(scripted{})); diff != "" {
				t.Fatalf("the next call is another (-written +next): %s\n%s", envelope.Error.RecoveryHint, diff)
			}
			for _, c := range s.calls[s.mistake:] {
				p.ask(t, &a, c)
			}
			s.check(t, a)
			expect.That(t, slices.ContainsFunc(s.facts, func(f fact) bool { return f.call == len(a) }),
				"nothing is expected of the last call")
		})
	}
	expect.That(t, refused >= 20, "%d mistakes with a next call, want 20 at least", refused)
	p.end(t)
}

var (
	allTools  = byDefault(tools.Table(struct{ tools.Handlers }{}))
	toolNamed = regexp.MustCompile(`\b(?:` + strings.Join(toolNames(), "|") + `)\b`)
)

// byDefault returns the tools that are served by default.
func byDefault(all []*tool.Tool) []*tool.Tool {
	return slices.DeleteFunc(all, func(t *tool.Tool) bool { return t.Toolset == "research" || t.Toolset == "sql" })
}

// toolNames returns the names of all tools.
func toolNames() (names []string) {
	for _, t := range allTools {
		names = append(names, t.Name)
	}
	return names
}
