package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestHints makes the mistakes of testdata/mistakes.txt and every call in the hints of their errors. Each of these calls must be valid
// and find something: the sandbox has all requested records.
func TestHints(t *testing.T) {
	text, err := os.ReadFile("testdata/mistakes.txt")
	expect.NoError(t, err)
	p := launch(t, exec.Command(binary(t), "--sandbox"))
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		t.Run(line, func(t *testing.T) {
			call, understood := strings.CutPrefix(line, "= ")
			call, unready := strings.CutPrefix(call, "- ")
			m := callLine.FindStringSubmatch(call)
			wrong := scripted{tool: m[1]}
			expect.NoError(t, json.Unmarshal([]byte(m[2]), &wrong.arguments))
			answer, isError := p.answer(t, question{wrong.tool, m[2]})
			expect.Must(t, isError != understood, "answered with %.300s", answer)
			if understood {
				expect.That(t, finds(t, answer), "answered with %.500s", answer)
				return
			}
			var envelope entity.ErrorEnvelope
			expect.NoError(t, json.Unmarshal([]byte(answer), &envelope))
			hint := envelope.Error.RecoveryHint
			calls, err := readyCalls(hint, wrong)
			expect.Must(t, err == nil && (len(calls) == 0) == unready, "%d calls in the hint, %v: %s", len(calls), err, hint)
			for _, c := range calls {
				made := c.tool + " " + show(c.arguments)
				if seen[made] {
					continue
				}
				seen[made] = true
				if answer, isError := p.answer(t, question{c.tool, show(c.arguments)}); isError {
					t.Errorf("%s\nleads to %s\nwhich is answered with %s", hint, made, answer)
				} else if !finds(t, answer) {
					t.Errorf("%s\nleads to %s\nwhich finds nothing: %.300s", hint, made, answer)
				}
			}
		})
	}
	p.end(t)
}

// finds reports whether an answer has a result.
func finds(t *testing.T, answer string) bool {
	t.Helper()
	var a struct {
		ID, SourcePMID, PMCID  string
		Items, PMIDs, Articles []json.RawMessage
		Content                string
		Total                  int `json:"total_count"`
		Trials                 []json.RawMessage
	}
	expect.NoError(t, json.Unmarshal([]byte(answer), &a))
	return a.ID+a.SourcePMID+a.PMCID+a.Content != "" || len(a.Items)+len(a.PMIDs)+len(a.Articles)+len(a.Trials)+a.Total > 0
}

// readyCalls returns the calls in a hint. Each is the name of a tool, followed in the same sentence by its arguments. Several objects
// may follow one name.
func readyCalls(hint string, wrong scripted) (calls []scripted, err error) {
	var named string
	again := false
	for rest := hint; rest != ""; {
		name := toolNamed.FindStringIndex(rest)
		object := strings.IndexByte(rest, '{')
		if name != nil && (object < 0 || name[0] < object) {
			named, rest = rest[name[0]:name[1]], rest[name[1]:]
			again = strings.HasPrefix(rest, " again")
			continue
		}
		if object < 0 {
			break
		}
		var arguments map[string]any
		decoder := json.NewDecoder(strings.NewReader(rest[object:]))
		if err := decoder.Decode(&arguments); err != nil || named == "" {
			return nil, fmt.Errorf("an object that is no call: %s", rest[object:])
		}
		rest = rest[object+int(decoder.InputOffset()):]
		if again && named != wrong.tool {
			return nil, fmt.Errorf("%s again, after a call of %s", named, wrong.tool)
		}
		calls = append(calls, scripted{named, arguments})
	}
	return calls, nil
}
