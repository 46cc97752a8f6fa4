package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// TestMistakes makes the mistakes of testdata/questions.md. The calls in the hint of each error must be those in the document, and their
// answers must not be errors.
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
			sent := a.fill(t, wrong.arguments)
			text, isError := p.answer(t, question{wrong.tool, sent})
			var envelope entity.ErrorEnvelope
			if err := json.Unmarshal([]byte(text), &envelope); err != nil || !isError || string(envelope.Error.Code) != s.code {
				t.Fatalf("answered with %.300s, want %s", text, s.code)
			}
			a = append(a, nil) // a reference to an error is not possible
			hinted := follow(t, s.mistake, wrong, envelope.Error)
			if diff := cmp.Diff(s.calls[s.mistake:], hinted, cmp.AllowUnexported(scripted{})); diff != "" {
				t.Fatalf("the hint leads elsewhere (-written +hinted): %s\n%s", envelope.Error.RecoveryHint, diff)
			}
			for _, c := range hinted {
				p.ask(t, &a, c)
			}
			s.check(t, a)
			expect.That(t, slices.ContainsFunc(s.facts, func(f fact) bool { return f.call == len(a) }),
				"nothing is expected of the last call")
		})
	}
	expect.That(t, refused >= 20, "%d mistakes with a hint, want 20 at least", refused)
	p.end(t)
}

var (
	bounds    = regexp.MustCompile(`^ again with (\w+) from (\d+) to (\d+)\.`)
	atMost    = regexp.MustCompile(`^ again with at most (\d+) of (\w+) at a time\.`)
	without   = regexp.MustCompile(`^ without (\w+) `)
	ofResult  = regexp.MustCompile(`^ with the (id|PMID) of a result`)
	ofArticle = regexp.MustCompile(`^ with one of its nctIds`)
	itsField  = regexp.MustCompile(`^ with its (\w+) as (\w+)`)
)

// follow reads the calls in a hint as a program would: it knows the forms of hints and the names of the tools, and not the question.
// The first call that it returns is call number n+1.
func follow(t *testing.T, n int, wrong scripted, e entity.ErrorDetails) (calls []scripted) {
	t.Helper()
	hint := e.RecoveryHint
	mentions := toolNamed.FindAllStringIndex(hint, -1)
	for i, m := range mentions {
		end := len(hint)
		if i+1 < len(mentions) {
			end = mentions[i+1][0]
		}
		named, rest := hint[m[0]:m[1]], hint[m[1]:end]
		first := len(calls) == 0
		if !first && !strings.HasSuffix(hint[:m[0]], ", then ") {
			return calls // the hint also offers another way
		}
		last := n + len(calls)
		switch given := objectIn(rest); {
		case first && given != nil:
			calls = append(calls, scripted{named, given})
		case bounds.MatchString(rest):
			m := bounds.FindStringSubmatch(rest)
			calls = append(calls, scripted{named, with(wrong.arguments, map[string]any{m[1]: must(strconv.ParseFloat(m[3], 64))})})
		case atMost.MatchString(rest):
			m := atMost.FindStringSubmatch(rest)
			list := wrong.arguments[m[2]].([]any)
			calls = append(calls, scripted{named, with(wrong.arguments, map[string]any{m[2]: list[:must(strconv.Atoi(m[1]))]})})
		case without.MatchString(rest):
			calls = append(calls, scripted{named, less(wrong.arguments, without.FindStringSubmatch(rest)[1])})
		case ofResult.MatchString(rest):
			path := map[string]string{"id": "items[0].id", "PMID": "pmids[0]"}[ofResult.FindStringSubmatch(rest)[1]]
			calls = append(calls, withID(wrong, named, fmt.Sprintf("<%d.%s>", last, path)))
		case ofArticle.MatchString(rest):
			calls = append(calls, withID(wrong, named, fmt.Sprintf("<%d.articles[0].nctIds[0]>", last)))
		case itsField.MatchString(rest):
			m := itsField.FindStringSubmatch(rest)
			calls = append(calls, scripted{named, map[string]any{m[2]: fmt.Sprintf("<%d.%s>", last, m[1])}})
		default:
			t.Fatalf("a hint without a call: %s", hint)
		}
	}
	return calls
}

var (
	allTools  = byDefault(tools.Table(struct{ tools.Handlers }{}))
	toolNamed = regexp.MustCompile(`\b(?:` + strings.Join(toolNames(), "|") + `)\b`)
)

// objectIn returns the first JSON object in a text, or nil.
func objectIn(text string) (found map[string]any) {
	if i := strings.IndexByte(text, '{'); i >= 0 {
		_ = json.NewDecoder(strings.NewReader(text[i:])).Decode(&found)
	}
	return found
}

// with returns arguments with some of them replaced.
func with(arguments, others map[string]any) map[string]any {
	out := maps.Clone(arguments)
	maps.Copy(out, others)
	return out
}

// less returns arguments without one of them.
func less(arguments map[string]any, name string) map[string]any {
	out := maps.Clone(arguments)
	delete(out, name)
	return out
}

// withID returns a call of a strict tool with an id: the wrong call with a corrected id, or a call of another tool.
func withID(wrong scripted, named, id string) scripted {
	i := slices.IndexFunc(allTools, func(t *tool.Tool) bool { return t.Name == named })
	required := slices.IndexFunc(allTools[i].Arguments, func(a tool.Argument) bool { return a.Required })
	given := map[string]any{allTools[i].Arguments[max(0, required)].Name: id} // otherwise the first argument
	if named == wrong.tool {
		given = with(wrong.arguments, given)
	}
	return scripted{named, given}
}

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
