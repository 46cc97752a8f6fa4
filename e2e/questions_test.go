package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestQuestionNumbers checks the numbering of the questions and mistakes in testdata/questions.md.
func TestQuestionNumbers(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("testdata/questions.md")
	expect.NoError(t, err)
	headings := regexp.MustCompile(`(?m)^### (.*)$`).FindAllStringSubmatch(string(page), -1)
	for i, m := range headings {
		expect.That(t, strings.HasPrefix(m[1], fmt.Sprintf("%d. ", i+1)), "testdata/questions.md: %q is number %d", m[1], i+1)
	}
}

// TestQuestions makes every call of every question in testdata/questions.md, over MCP with the sandbox, and compares the answers.
func TestQuestions(t *testing.T) {
	questions, _ := readScripts(t)
	expect.That(t, len(questions) >= 40, "%d questions", len(questions))
	across, total := 0, 0
	p := launch(t, exec.Command(binary(t), "--sandbox"))
	for _, q := range questions {
		t.Run(q.name, func(t *testing.T) {
			if q.toolsets() != q.statedToolsets || len(q.calls) != q.statedCalls {
				t.Errorf("written: %s · %d calls, scripted: %s · %d", q.statedToolsets, q.statedCalls, q.toolsets(), len(q.calls))
			}
			for _, id := range q.guessed() {
				t.Errorf("the id %s is neither in the question nor from an answer", id)
			}
			for _, n := range q.unused() {
				t.Errorf("nothing comes of call %d", n)
			}
			var answers answers
			size := 0
			for _, c := range q.calls {
				size += p.ask(t, &answers, c)
			}
			q.check(t, answers)
			t.Logf("%6d bytes, %d calls", size, len(q.calls))
			total += size
		})
		if strings.Contains(q.statedToolsets, ",") {
			across++
		}
	}
	expect.That(t, across >= 10, "%d questions go across systems, want 10", across)
	const most = 292_000 // for all questions; a call with sections or detailLevel is cheaper than a whole record
	expect.That(t, total <= most, "%d bytes in all, want at most %d", total, most)
	p.end(t)
}

// A script is a question, or a mistake, of testdata/questions.md.
type script struct {
	name           string // number and text
	statedToolsets string // in the order of the calls, for people
	statedCalls    int
	calls          []scripted
	mistake        int    // number of the wrong call
	code           string // error code of its answer, or ""
	facts          []fact
}

// A scripted call may refer to earlier answers.
type scripted struct {
	tool      string
	arguments map[string]any
}

// A fact is the expected value at a path of an answer.
type fact struct {
	call  int
	path  string
	has   bool // the value is in a list, or is a part of a text
	value any
}

var (
	statedLine = regexp.MustCompile(`^([a-z, ]+) · (\d) calls?$`)
	factLine   = regexp.MustCompile(`^(\d)\.(\S+) (=|has) (.+)$`)
	callLine   = regexp.MustCompile(`^(\w+) (\{.*\})$`)
	errorLine  = regexp.MustCompile(`^! ([A-Z_]+|none)$`)
	reference  = regexp.MustCompile(`<(\d)\.([^<>]+)>`)
	numbers    = regexp.MustCompile(`^<(\d+)\.\.(\d+)>$`)
	anyID      = regexp.MustCompile(`\b(?:NCT:?)?[0-9]{5,}\b|\b10\.[0-9]{4,}/[^\s"\[\]]+`)
)

// readScripts returns the questions and the mistakes of the page.
func readScripts(t *testing.T) (questions, mistakes []*script) {
	t.Helper()
	page, err := os.ReadFile("testdata/questions.md")
	expect.NoError(t, err)
	var all []*script
	inside := false
	for i, line := range strings.Split(string(page), "\n") {
		if name, ok := strings.CutPrefix(line, "### "); ok {
			all = append(all, &script{name: name})
			continue
		}
		if strings.HasPrefix(line, "```") {
			inside = !inside
			continue
		}
		if len(all) == 0 { // the introduction
			continue
		}
		s := all[len(all)-1]
		if m := statedLine.FindStringSubmatch(line); m != nil && !inside {
			s.statedToolsets, s.statedCalls = m[1], must(strconv.Atoi(m[2]))
		} else if inside && !s.read(line) {
			t.Fatalf("testdata/questions.md:%d: cannot be read: %s", i+1, line)
		}
	}
	for _, s := range all {
		if s.code != "" {
			mistakes = append(mistakes, s)
		} else {
			questions = append(questions, s)
		}
	}
	return questions, mistakes
}

// read parses a line of a block.
func (s *script) read(line string) bool {
	if m := factLine.FindStringSubmatch(line); m != nil {
		f := fact{call: must(strconv.Atoi(m[1])), path: m[2], has: m[3] == "has"}
		s.facts = append(s.facts, f)
		return json.Unmarshal([]byte(m[4]), &s.facts[len(s.facts)-1].value) == nil
	}
	if m := errorLine.FindStringSubmatch(line); m != nil {
		s.code, s.mistake = m[1], len(s.calls)
		return s.mistake > 0
	}
	m := callLine.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	c := scripted{tool: m[1]}
	if json.Unmarshal([]byte(m[2]), &c.arguments) != nil {
		return false
	}
	for name, value := range c.arguments {
		if m := numbers.FindStringSubmatch(fmt.Sprint(value)); m != nil {
			var list []any
			for n := must(strconv.Atoi(m[1])); n <= must(strconv.Atoi(m[2])); n++ {
				list = append(list, strconv.Itoa(n))
			}
			c.arguments[name] = list
		}
	}
	s.calls = append(s.calls, c)
	return true
}

// toolsets returns the toolsets of the calls, without duplicates.
func (s *script) toolsets() string {
	var names []string
	for _, c := range s.calls {
		for _, tool := range tools.Table(struct{ tools.Handlers }{}) {
			if tool.Name == c.tool && !slices.Contains(names, tool.Toolset) {
				names = append(names, tool.Toolset)
			}
		}
	}
	return strings.Join(names, ", ")
}

// guessed returns the ids in calls that are neither in the question nor in earlier answers.
func (s *script) guessed() (ids []string) {
	for _, c := range s.calls {
		for _, id := range anyID.FindAllString(reference.ReplaceAllString(show(c.arguments), ""), -1) {
			if !strings.Contains(s.name, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// unused returns the calls whose answers no fact and no later call uses.
func (s *script) unused() (calls []int) {
	text := ""
	for _, c := range s.calls {
		text += show(c.arguments)
	}
	for n := 1; n <= len(s.calls); n++ {
		if !strings.Contains(text, fmt.Sprintf("<%d.", n)) && !slices.ContainsFunc(s.facts, func(f fact) bool { return f.call == n }) {
			calls = append(calls, n)
		}
	}
	return calls
}

// check compares the facts with the answers.
func (s *script) check(t *testing.T, a answers) {
	t.Helper()
	expect.That(t, len(s.facts) != 0, "nothing is expected")
	for _, f := range s.facts {
		got := a.find(t, strconv.Itoa(f.call), f.path)
		switch list, _ := got.([]any); {
		case f.has && !slices.ContainsFunc(list, func(v any) bool { return reflect.DeepEqual(v, f.value) }) &&
			!strings.Contains(fmt.Sprint(got), fmt.Sprint(f.value)):
			t.Errorf("%d.%s has no %v: %v", f.call, f.path, f.value, got)
		case !f.has:
			expect.Equal(t, fmt.Sprintf("%d.%s", f.call, f.path), f.value, got)
		}
	}
}

// answers are the answers to the calls of a script, in order.
type answers []any

// find returns the value at a path in the answer to a call. The first call is number 1.
func (a answers) find(t *testing.T, call, path string) any {
	t.Helper()
	n := must(strconv.Atoi(call))
	expect.Must(t, n >= 1 && n <= len(a), "call %d was not made", n)
	value, found := at(a[n-1], path)
	if !found {
		t.Fatalf("%d.%s is not there: %.300s", n, path, show(a[n-1]))
	}
	return value
}

// fill replaces the references in arguments with values of earlier answers, and returns the arguments as JSON. A text that consists of
// a reference becomes the value itself.
func (a answers) fill(t *testing.T, arguments map[string]any) string {
	t.Helper()
	find := func(m []string) any { return a.find(t, m[1], m[2]) }
	resolved := map[string]any{}
	for name, value := range arguments {
		text, ok := value.(string)
		if m := reference.FindStringSubmatch(text); ok && m != nil {
			if m[0] == text {
				value = find(m)
			} else {
				value = reference.ReplaceAllStringFunc(text,
					func(r string) string { return fmt.Sprint(find(reference.FindStringSubmatch(r))) })
			}
		}
		resolved[name] = value
	}
	return show(resolved)
}

var step = regexp.MustCompile(`^\.?([^.\[\]]+)|^\[([^\]]+)\]`)

// at returns the value at a path: a.b[0].c, a[*].b for all elements of a list that have b, a[b=c].d for the first element whose b is c.
func at(value any, path string) (any, bool) {
	m := step.FindStringSubmatch(path)
	if m == nil {
		return value, path == ""
	}
	rest := path[len(m[0]):]
	if m[1] != "" {
		object, _ := value.(map[string]any)
		inner, ok := object[m[1]]
		if !ok {
			return nil, false
		}
		return at(inner, rest)
	}
	list, ok := value.([]any)
	if !ok {
		return nil, false
	}
	if m[2] == "*" {
		found := []any{}
		for _, v := range list {
			if inner, ok := at(v, rest); ok {
				found = append(found, inner)
			}
		}
		return found, true
	}
	i, err := strconv.Atoi(m[2])
	if name, want, ok := strings.Cut(m[2], "="); ok {
		err = nil
		i = slices.IndexFunc(list, func(v any) bool {
			got, ok := at(v, name)
			return ok && fmt.Sprint(got) == want
		})
	}
	if err != nil || i < 0 || i >= len(list) {
		return nil, false
	}
	return at(list[i], rest)
}

// ask makes a call that must succeed, appends its answer to the answers and returns its size in bytes.
func (p *process) ask(t *testing.T, a *answers, c scripted) int {
	t.Helper()
	text, isError := p.answer(t, question{c.tool, a.fill(t, c.arguments)})
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil || isError {
		t.Fatalf("%s was answered with %s, %v", c.tool, text, err)
	}
	*a = append(*a, value)
	return len(text)
}

// answer makes one call of a tool and returns its envelope.
func (p *process) answer(t *testing.T, q question) (envelope string, isError bool) {
	t.Helper()
	line, err := p.roundTrip(q.line(1))
	var m message
	if err == nil {
		err = json.Unmarshal(line, &m)
	}
	expect.Must(t, err == nil && m.Error == nil && len(m.Result.Content) == 1, "%s was answered with %s, %v", q, line, err)
	return m.Result.Content[0].Text, m.Result.IsError
}

// show formats a JSON value for people.
func show(value any) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(out.String())
}

// must panics on an error.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
