package e2e

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// A mistake is a call of testdata/mistakes.txt.
type mistake struct {
	line    string
	wrong   scripted
	kind    byte     // '=': understood, '0': understood, and nothing is found, '-': refused without a call, ' ': refused with calls
	calls   []string // the calls of its hints; nil: those that ask the same question
	written bool     // calls were written
}

// readMistakes returns the rows of testdata/mistakes.txt, whose head describes them.
func readMistakes(t *testing.T) (all []*mistake) {
	t.Helper()
	text, err := os.ReadFile("testdata/mistakes.txt")
	expect.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if call, follows := strings.CutPrefix(strings.ReplaceAll(line, "$today", time.Now().UTC().Format(time.DateOnly)), "> "); follows {
			last := all[len(all)-1]
			last.written = true
			if call != "none" {
				last.calls = append(last.calls, call)
			}
			continue
		}
		m := &mistake{line: line, kind: ' '}
		if strings.IndexByte("=0-", line[0]) >= 0 {
			m.kind, line = line[0], line[2:]
		}
		m.wrong = readCall(t, line)
		all = append(all, m)
	}
	return all
}

// understood reports whether a call is answered.
func (m *mistake) understood() bool { return m.kind == '=' || m.kind == '0' }

// readCall returns a call that is written as a line.
func readCall(t *testing.T, line string) scripted {
	t.Helper()
	m := callLine.FindStringSubmatch(line)
	expect.Must(t, m != nil, "%s is not a call", line)
	c := scripted{tool: m[1]}
	expect.NoError(t, json.Unmarshal([]byte(m[2]), &c.arguments))
	return c
}

// TestHints makes the calls of testdata/mistakes.txt, and every call that their answers name: next, and those in hints and notices. None of
// these is refused, finds nothing, or asks another question.
func TestHints(t *testing.T) {
	p := launch(t, exec.Command(binary(t), "--sandbox"))
	made := map[string]bool{}
	for _, m := range readMistakes(t) {
		t.Run(m.line, func(t *testing.T) {
			answer, isError := p.answer(t, question{m.wrong.tool, show(m.wrong.arguments)})
			expect.Must(t, isError != m.understood(), "answered with %.600s", answer)
			texts, calls := callsOf(t, answer)
			if !isError {
				expect.That(t, finds(t, answer) == (m.kind == '='), "found something or nothing: %.600s", answer)
			}
			m.check(t, texts, calls, isError)
			for _, c := range calls {
				checkCall(t, c)
				if text := c.tool + " " + show(c.arguments); !made[text] {
					made[text] = true
					answer, isError := p.answer(t, question{c.tool, show(c.arguments)})
					expect.That(t, !isError && finds(t, answer), "%s\nleads to %s\nwhich is answered with %.600s", texts, text, answer)
				}
			}
		})
	}
	p.end(t)
}

// checkCall checks that a call is valid by the schema that its tool has in tools/list.
func checkCall(t *testing.T, c scripted) {
	t.Helper()
	schema, err := jsonschema.CompileString(c.tool, string(schemas.Listed(c.tool+".input")))
	expect.NoError(t, err)
	expect.NoErrorf(t, schema.Validate(c.arguments), "%s %s", c.tool, show(c.arguments))
}

// TestReadyCalls: every call in a hint or a notice of the wire archives is valid by the schema of its tool.
func TestReadyCalls(t *testing.T) {
	archives, err := filepath.Glob("../internal/mcpserver/testdata/*.txtar")
	expect.NoError(t, err)
	advice := regexp.MustCompile(`(?m)"(?:[^"\\\n]|\\.)*[Cc]all (?:[^"\\\n]|\\.)*\{(?:[^"\\\n]|\\.)*"`)
	checked := 0
	for _, archive := range archives {
		text, err := os.ReadFile(archive)
		expect.NoError(t, err)
		for _, literal := range advice.FindAllString(string(text), -1) {
			var hint string
			expect.NoError(t, json.Unmarshal([]byte(literal), &hint))
			calls, _ := readyCalls(hint)
			for _, c := range calls {
				checkCall(t, c)
				checked++
			}
		}
	}
	expect.That(t, checked > 150, "only %d calls were checked", checked)
}

// check checks the calls of an answer, whose hints and notices are texts. They are those of the table, or ask the question of the mistake.
func (m *mistake) check(t *testing.T, texts []string, calls []scripted, isError bool) {
	t.Helper()
	var lines []string
	for _, c := range calls {
		lines = append(lines, c.tool+" "+show(c.arguments))
	}
	if m.written {
		expect.Equal(t, "calls of "+strings.Join(texts, " "), m.calls, lines)
		return
	}
	expect.That(t, !isError || (len(calls) == 0) == (m.kind == '-'), "%d calls in %s", len(calls), texts)
	ask := calls
	if strings.Contains(strings.Join(texts, " "), ", once for each") {
		all := map[string]any{}
		for i, c := range calls {
			all[lines[i]] = c.arguments
		}
		ask = []scripted{{m.wrong.tool, all}}
	}
	for _, c := range ask {
		expect.That(t, sameQuestion(m.wrong, c), "another question: write in the table, if it is right:\n> %s", strings.Join(lines, "\n> "))
	}
}

// callsOf returns the hint of an error, or the notices of an answer, and the calls: those in the texts, and next.
func callsOf(t *testing.T, answer string) (texts []string, calls []scripted) {
	t.Helper()
	var a struct {
		Error   entity.ErrorDetails
		Notices []string
		Next    *entity.Next
	}
	expect.NoError(t, json.Unmarshal([]byte(answer), &a))
	texts = a.Notices
	if a.Error.RecoveryHint != "" {
		texts = []string{a.Error.RecoveryHint}
	}
	for _, text := range texts {
		found, err := readyCalls(text)
		expect.Must(t, err == nil, "%v: %s", err, text)
		calls = append(calls, found...)
	}
	next := cmp.Or(a.Next, a.Error.Next)
	if next == nil {
		return texts, calls
	}
	n := scripted{tool: next.Tool, arguments: next.Arguments}
	if len(calls) == 0 {
		return texts, []scripted{n}
	}
	same := func(c scripted) bool { return c.tool == n.tool && reflect.DeepEqual(c.arguments, n.arguments) }
	if !slices.ContainsFunc(calls, same) {
		calls = append(calls, n)
	}
	return texts, calls
}

// formNames matches the arguments that change only the form of an answer or its page, so that a call without them asks the same question.
var formNames = regexp.MustCompile(`^(?:cursor|page_token|page|offset|fields|format|verbose)$`)

// sameQuestion reports whether a call has every word of the arguments of a wrong call, and no others: a word may be corrected in a letter
// or be a part of another word.
func sameQuestion(wrong, call scripted) bool {
	given, requested := map[string][]string{}, []string(nil)
	for name, value := range wrong.arguments {
		if !formNames.MatchString(name) {
			given[name] = valueWords(value)
		}
	}
	for _, value := range call.arguments {
		requested = append(requested, valueWords(value)...)
	}
	wishes := slices.Concat(slices.Collect(maps.Values(given))...)
	like := func(words []string) func(string) bool {
		return func(word string) bool {
			return !slices.ContainsFunc(words, func(w string) bool {
				return strings.Contains(w, word) || strings.Contains(word, w) || entity.Distance(w, word) <= len(word)/4
			})
		}
	}
	known := append(wishes, "nct", "pmid", "ncbigene", "or", "and")
	return !slices.ContainsFunc(wishes, like(requested)) && !slices.ContainsFunc(requested, like(known))
}

// valueWords returns the words and numbers in a value. It leaves out the names of fields.
func valueWords(value any) (words []string) {
	switch value := value.(type) {
	case map[string]any:
		for _, inner := range value {
			words = append(words, valueWords(inner)...)
		}
	case []any:
		for _, inner := range value {
			words = append(words, valueWords(inner)...)
		}
	case nil:
	default:
		words = strings.FieldsFunc(strings.ToLower(fmt.Sprint(value)), func(r rune) bool {
			return r < '0' || r > '9' && r < 'a' || r > 'z' && r < 128
		})
	}
	return words
}

// TestHintsOfCommandLine makes the mistakes on the command line, where each argument is text. Its errors have the calls that TestHints
// makes, or calls that do not fail.
func TestHintsOfCommandLine(t *testing.T) {
	p := launch(t, exec.Command(binary(t), "--sandbox"))
	for i, m := range readMistakes(t) {
		if !expect.All() && i%8 > 0 || m.understood() {
			continue
		}
		t.Run(m.line, func(t *testing.T) {
			want, _ := p.answer(t, question{m.wrong.tool, show(m.wrong.arguments)})
			cmd := exec.Command(binary(t), append([]string{"--sandbox", "call", m.wrong.tool}, pairs(m.wrong.arguments)...)...)
			cmd.Env = append(os.Environ(), "NCBI_ADMIN_EMAIL=test@example.org", "BIOFACT_CACHE_DIR=off")
			out, err := cmd.Output()
			expect.Must(t, err != nil, "answered with %.300s", out)
			wantTexts, wantCalls := callsOf(t, want)
			texts, calls := callsOf(t, string(out))
			if slices.Equal(wantTexts, texts) && reflect.DeepEqual(wantCalls, calls) {
				return
			}
			for _, c := range calls {
				out, err := exec.Command(binary(t), "--sandbox", "call", c.tool, show(c.arguments)).Output()
				expect.That(t, err == nil && finds(t, string(out)), "%s leads to %s %s, which is answered with %.300s", texts, c.tool,
					show(c.arguments), out)
			}
		})
	}
	p.end(t)
}

// pairs returns arguments as the command line takes them: as texts, or as one object if a value is neither a text nor a number.
func pairs(arguments map[string]any) (args []string) {
	for name, value := range arguments {
		list, isList := value.([]any)
		if !isList {
			list = []any{value}
		}
		for _, v := range list {
			switch v := v.(type) {
			case string:
				args = append(args, name+"="+v)
			case float64:
				args = append(args, name+"="+show(v))
			default:
				return []string{show(arguments)}
			}
		}
	}
	return args
}

// finds reports whether an answer has a result: a list with an item, a record or a total.
func finds(t *testing.T, answer string) bool {
	t.Helper()
	var a map[string]any
	expect.NoError(t, json.Unmarshal([]byte(answer), &a))
	for name, value := range a {
		list, isList := value.([]any)
		object, _ := value.(map[string]any)
		number, isNumber := value.(float64)
		text, isText := value.(string)
		switch {
		case isList && len(list) > 0 && name != "notices", name == "citations" && len(object) > 0,
			isNumber && number > 0 && strings.HasPrefix(strings.ToLower(name), "total"),
			isText && text != "" &&
				(name == "id" && a["items"] == nil && a["total_reports"] == nil ||
					name == "sourcePMID" && a["articles"] == nil || name == "content"):
			return true
		}
	}
	return false
}

// readyCalls returns the calls in a hint. Each is the name of a tool, followed in the same sentence by its arguments. Several objects
// may follow one name.
func readyCalls(hint string) (calls []scripted, err error) {
	var named string
	for rest := hint; rest != ""; {
		name := toolNamed.FindStringIndex(rest)
		object := strings.IndexByte(rest, '{')
		if name != nil && (object < 0 || name[0] < object) {
			named, rest = rest[name[0]:name[1]], rest[name[1]:]
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
		calls = append(calls, scripted{named, arguments})
	}
	return calls, nil
}
