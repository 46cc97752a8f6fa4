package query

import (
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// foreignSyntax lists the syntax of other search languages, which Parse reads as words, with the equivalent in Essie. The first group of
// each pattern matches a text to skip, such as a quoted phrase. The second group is the text before the syntax, and the third one is the
// syntax, which a notice quotes and Rewrite replaces.
var foreignSyntax = []struct {
	form    *lazyregexp.Regexp
	instead string
	read    string
}{
	{
		lazyregexp.New(`("[^"]*")|(^|[\s(,;|])([-!−–](?:"[^"]+"|\([^)]*\)|\pL[^\s,;|()]*))`),
		"NOT ", "excludes nothing: the sign before it was left out",
	},
	{
		lazyregexp.New(`("[^"]*"|(?i:\bnot yet recruiting\b))|(^\s*|[\pL\pN")]\s+)(not|without|excluding|except)\s+[\pL\pN"(]`),
		"NOT", "was read as a word and excludes nothing",
	},
	{
		lazyregexp.New(`("[^"]*")|([\pL\pN")])(\s+[Oo]r\s+|\s*[;|]+\s*|\s+/\s+)[\pL\pN"(]`),
		" OR ", "joins no alternatives: a trial needs the words on both sides",
	},
	{
		lazyregexp.New(`("[^"]*")|([\pL\pN]*)(\[[A-Za-z][A-Za-z /:~-]*\])(?:$|[\s)])`),
		"", "was read as words: no fields are known in brackets",
	},
}

// Rewrite returns a text with the syntax of other search languages in the form of Essie, and one finding for each kind of such syntax, such
// as `"or" joins no alternatives`. Without any it returns the text unchanged.
func Rewrite(text string) (rewritten string, findings []string) {
	rewritten = text
	for _, f := range foreignSyntax {
		var out strings.Builder
		end := 0
		first := ""
		for _, m := range f.form.FindAllStringSubmatchIndex(rewritten, -1) {
			if m[6] < 0 || IsOperator(rewritten[m[4]:m[5]]) { // a phrase, or AREA[...]
				continue
			}
			found := rewritten[m[6]:m[7]]
			if first == "" {
				first = strings.TrimSpace(found)
			}
			out.WriteString(rewritten[end:m[6]] + f.instead)
			if end = m[7]; f.instead == "NOT " {
				end = m[6] + len(firstRune(found))
			}
		}
		if first != "" {
			findings = append(findings, quote(excerpt(first))+" "+f.read)
		}
		rewritten = out.String() + rewritten[end:]
	}
	return rewritten, findings
}

// firstRune returns the first character of a text.
func firstRune(text string) string {
	for i := range text {
		if i > 0 {
			return text[:i]
		}
	}
	return text
}
