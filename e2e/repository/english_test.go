package repository

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// A form is a turn of phrase that stops a reader whose English is a second
// language, and what to write instead.
type form struct {
	pattern *regexp.Regexp
	instead string
}

// oldForms returns the forms that no text of the project may have. The first one finds all texts that have one of the others.
func oldForms() []form {
	var forms []form
	var all []string
	for _, f := range [][2]string{
		{`tell|tells|telling|told`, "say, report, return, distinguish"},
		{`there (is|are|was|were|be|has been)|(is|are|was|were) there`, "a sentence with a subject and a verb, or exists"},
		{`whom|whence|wherein|whereof|whereby|thereof|therein|thereby|hence|thus|lest|albeit|ere`, "plain words"},
		{`(is|are|was|were|has|have|had|gives|finds|with|by) none`, "no, with the noun"},
		{`(is|are|was|were|be|been|what|not|never|as) asked for`, "requested, given"},
		{`(come|comes|came|coming) by`, "obtain"},
		{`out of account`, "ignored"},
		{`nobody|nowhere|somebody|somewhere|everybody`, "no caller, no record, each client; the noun that is meant"},
		{`(goes|went|going) on|go on (with|from|at|where)`, "continue"},
		{`(stand|stands|stood|standing) (in|at|on|there|beside|before|after|alone|between|under|above|behind|next|with|together|where|as)`, "is, are; appear in a text"},
		{`wanted|wants`, "requested, needed, expected"},
		{`(becomes|became|become|is made|makes) of`, "plain words: how a field is used"},
		{`(give|gives|given|gave) back`, "return"},
		{`(take|takes|took|taken) apart`, "parse, split"},
		{`of (ours|theirs|hers|yours|mine)`, "our, their"},
		{`by (itself|themselves)`, "alone, on its own"},
		{`what (is|are|was|were) (the matter|left|meant|there|not|no|said|asked|given|shown|sent|kept|made|done|found|read|written)`,
			"a noun: the rest, the meaning, the answer"},
		{`has (it|them|none|nobody|nothing) (of|to|for|from|in)`, "plain words"},
		{`in vain|for good|as yet|of old|all the same|at all events|ever so`, "plain words"},
		{`whoever|whatever|whichever|wherever`, "each user, any value; the noun that is meant"},
		{`said to|says to (a|the|no)`, "report"},
	} {
		forms = append(forms, form{regexp.MustCompile(`(?i)\b(` + f[0] + `)\b`), f[1]})
		all = append(all, f[0])
	}
	forms = append(forms,
		form{regexp.MustCompile(`^[A-Z]\w* (is|are|was|has) what\b`), "a noun"},
		form{regexp.MustCompile(`(?i)(^|[.;:,] |` +
			`\b(of|in|by|for|with|from|at|is|are|and|or|to|on|but|than|as|all|not) )what\b`), "a noun: the text, the value, the part that …"},
		form{regexp.MustCompile(`(?i)(^|[.;:,] |` +
			`\b(of|in|by|for|with|from|at|is|are|and|or|to|on|but|than|as|says|knows|serves|gives) )who\b`), "a noun: the caller, the client, people who …"},
	)
	return append([]form{{pattern: regexp.MustCompile(`(?i)\b(what|who|` + strings.Join(all, "|") + `)\b`)}}, forms...)
}

// findForms returns the old forms of a text, each with words around it. Questions of users are free.
func findForms(forms []form, text string) (found []string) {
	text = strings.Join(strings.Fields(text), " ")
	if strings.HasSuffix(text, "?") || !forms[0].pattern.MatchString(text) {
		return nil
	}
	for _, f := range forms[1:] {
		if at := f.pattern.FindStringIndex(text); at != nil {
			found = append(found, fmt.Sprintf("…%s…: write %s", text[max(0, at[0]-30):min(len(text), at[1]+30)], f.instead))
		}
	}
	return found
}

// oldNames are identifiers that are riddles, with the standard term.
var oldNames = map[string]string{
	"told": "report", "there": "nonNil, exists", "each": "every, forEach", "filled": "valid, nonEmpty", "plain": "clean, text", "wall": "limit",
	"nowhere": "unplaced", "manners": "policy", "shelf": "cache", "kept": "cached, entry", "whole": "complete, full, record", "exchange": "response",
	"fleet": "replicas", "alone": "single, only", "marked": "tagged", "look": "search, lookup", "asking": "request", "led": "redirected",
	"wanted": "requested, want", "nobody": "anonymous", "asked": "requested", "said": "notices, message",
}

// TestForms checks that the lint finds the old sentences and lets the new ones pass.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"told tells the observer the outcome", "Nobody asks twice.", "The record has none of these.", "The list is returned as asked for.",
		"There is no such trial.", "The times stand in the file.", "Whoever calls pays.", "Read what is left.", "The store serves who calls first.",
		"The walk goes on.", "It is released by itself.", "What is read belongs to the caller.",
	} {
		expect.That(t, len(findForms(oldForms(), text)) > 0, "%q has no old form", text)
	}
	for _, text := range []string{
		"reportCache reports the outcome of a cache lookup.", "nonNil returns an empty slice for nil, so that JSON has [].",
		"organism was ignored: the query is a gene id.", "What is the risk, and who measured it?", "The comment says what the function returns.",
	} {
		found := findForms(oldForms(), text)
		expect.That(t, len(found) == 0, "%q: %q", text, found)
	}
}

// TestPlainEnglish checks comments, messages, documents and names.
func TestPlainEnglish(t *testing.T) {
	t.Parallel()
	forms := oldForms()
	check := func(where, text string) {
		for _, found := range findForms(forms, text) {
			t.Errorf("%s: %s", where, found)
		}
	}
	expect.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && !read(path):
			return filepath.SkipDir
		case d.IsDir() || path == "e2e/repository/english_test.go":
		case strings.HasSuffix(path, ".go"):
			checkGo(t, path, check)
		case strings.HasSuffix(path, ".md"):
			prose, _ := split(text(t, path))
			checkLines(path, prose, check)
		case path == "tools.yaml" || path == "prompts.yaml" || path == "Makefile" || path == "specs/eutils.yaml" ||
			strings.HasPrefix(path, ".github/"):
			checkLines(path, strings.Split(text(t, path), "\n"), check)
		}
		return nil
	}))
}

// read reports whether people write the files of a folder.
func read(folder string) bool {
	name := filepath.Base(folder)
	return folder == "." || name == ".github" ||
		folder != "gen" && folder != "bin" && name != "testdata" && name != "node_modules" && !strings.HasPrefix(name, ".")
}

// checkLines checks the lines of a text that is no Go code; code in backquotes is left out.
func checkLines(path string, lines []string, check func(where, text string)) {
	for i, line := range lines {
		check(path+":"+strconv.Itoa(i+1), code.ReplaceAllString(line, "X"))
	}
}

// checkGo checks the comments, the messages and the declared names of a Go file.
func checkGo(t *testing.T, path string, check func(where, text string)) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
	expect.NoError(t, err)
	for _, group := range file.Comments {
		check(set.Position(group.Pos()).String(), group.Text())
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if said, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil && strings.Count(said, " ") >= 2 {
				check(set.Position(n.Pos()).String(), said)
			}
		case *ast.Ident:
			if n.Obj != nil && n.Obj.Pos() == n.Pos() {
				checkName(t, set, n)
			}
		case *ast.FuncDecl:
			if n.Recv != nil {
				checkName(t, set, n.Name)
			}
		}
		return true
	})
}

func checkName(t *testing.T, set *token.FileSet, name *ast.Ident) {
	t.Helper()
	if instead, old := oldNames[strings.ToLower(name.Name)]; old {
		t.Errorf("%s: %s: write %s", set.Position(name.Pos()), name.Name, instead)
	}
}
