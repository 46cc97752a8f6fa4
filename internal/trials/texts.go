package trials

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// searchWords returns the arguments that take words, which AND, OR and NOT join: texts, which the upstream reads as words, and those that
// are looked for in one piece.
func searchWords(texts []tool.Text, args *tools.TrialFilters) []tool.Text {
	return append(texts, tool.Text{Name: "primary_outcome", Value: &args.PrimaryOutcome},
		tool.Text{Name: "keyword", Value: &args.Keyword}, tool.Text{Name: "criteria", Value: &args.Criteria})
}

// words are an argument that takes words, after reading: an expression, or ids to look up. The place of location has neither.
type words struct {
	name, param, text string      // param is that of the source; empty for words of one piece
	read              *query.Text // nil: not given
	expression        string
	ids, bad          []string // NCT ids, and those with a wrong number of digits
}

// readTexts reads texts. location is the text of location that is not read as near.
func readTexts(texts []tool.Text, location string) (all []words, err error) {
	for _, a := range texts {
		given := words{name: a.Name, param: a.Param, text: *a.Value}
		if a.Name == "location" {
			given.text = location
		}
		read, wrong := readText(given)
		if err == nil {
			err = wrong
		}
		all = append(all, read)
	}
	return all, err
}

// readText reads a text argument. Only query takes NCT ids.
func readText(w words) (words, error) {
	name, text := w.name, w.text
	if text == "" {
		return w, nil
	}
	read := query.ReadText(text)
	w.read = read
	ids, bad := id.NCT.Only(text, read.Expression) // the registry ignores every filter if it gets such a text as words
	switch {
	case len(ids) == 0 && len(bad) > 0:
		return w, misread{argument: name, text: text, bad: bad}
	case len(ids) > 0 && name != "query":
		return w, misread{argument: name, text: text, reason: "does not take NCT ids", hint: "Call get_trial with " +
			tool.Object("nct_id", id.NCT.CURIE(ids[0])) + " to read a trial, or " + theTool + " with " + tool.Object("query", text) + "."}
	case len(ids) > ctgov.MaxIDs:
		return w, misread{argument: "query", text: text, hint: "Call " + theTool + " once for each part of the list.",
			reason: fmt.Sprintf("holds %d NCT ids, at most %d can be looked up at once", len(ids), ctgov.MaxIDs)}
	case len(ids) > 0:
		w.ids, w.bad = ids, bad
		return w, nil
	case name == "location":
		return w, nil
	case isPlaceholder(text) && text != "ALL": // ALL is also a leukemia
		return w, placeholderError(name, text)
	case isExactName(name, text):
		w.expression = exactName(text).String()
		return w, nil
	case !read.Distinguishes():
		return w, indistinct(name, text)
	}
	w.expression = read.Expression
	return w, nil
}

// in returns the node for the words in a piece, nil if they were not given.
func (w words) in(piece string) query.Node {
	switch {
	case w.read == nil:
		return nil
	case w.name == "primary_outcome":
		return w.read.In(piece, "PrimaryOutcomeDescription")
	}
	return w.read.In(piece)
}

// notices says how the words were read, and names the call that the caller may mean.
func (w words) notices(caller string) (notices []string) {
	switch {
	case w.read == nil || w.name == "location" || isExactName(w.name, w.text):
		return nil
	case len(w.ids) > 0 && len(w.bad) > 0:
		return append(w.read.Notices, "Ids were left out: "+envelope.WrongDigits(w.bad)+".")
	case len(w.ids) > 0:
		return w.read.Notices
	}
	return slices.Concat(w.read.Notices, w.syntaxNotice(caller), w.exclusionNotices(caller), envelope.MalformedNCTNotice(w.name, w.text))
}

// exclusionNotices says what NOT excludes if a text may mean something else.
func (w words) exclusionNotices(caller string) (notices []string) {
	if w.read.OnlyExcludes() {
		notices = append(notices, w.name+": "+envelope.Quoted(w.text)+" finds every trial without the words after NOT, "+
			"also those about anything "+
			"else, because NOT alone requires no word. Put the words that a trial must have before NOT.")
	}
	if phrase := excludedPhrase(w.text); phrase != w.text {
		notices = append(notices, w.name+": NOT excludes each trial that has all of the words "+envelope.Quoted(w.read.ExcludedWords())+
			", also apart from each other. To exclude only the phrase, call "+caller+" again with "+tool.Object(w.name, phrase)+".")
	}
	return notices
}

// excludedPhrase returns a text with the words after NOT as a phrase if they are several, and the text unchanged if not.
func excludedPhrase(text string) string {
	if words := query.ReadText(text).ExcludedWords(); words != "" {
		return strings.Replace(text, "NOT "+words, `NOT "`+words+`"`, 1)
	}
	return text
}

// syntaxNotice returns a notice about syntax in a text that was read as words, with the call that the caller may mean.
func (w words) syntaxNotice(caller string) []string {
	rewritten, findings := query.Rewrite(w.text)
	if parts, _ := w.alternatives(); parts != nil || len(findings) == 0 { // see readAlternatives
		return nil
	}
	if query.ReadText(rewritten).OnlyExcludes() {
		return []string{w.name + ": " + strings.Join(findings, "; ") + ". NOT excludes, after words that a trial must have."}
	}
	return []string{w.name + ": " + strings.Join(findings, "; ") + ". If you meant more than words, call " + caller + " again with " +
		tool.Object(w.name, excludedPhrase(rewritten)) + "."}
}

// indistinct returns the error for words that every record has, or no record.
func indistinct(argument, text string) error {
	return misread{argument: argument, text: text, code: entity.AmbiguousQuery,
		reason: theLiteral + " has no word that distinguishes trials",
		hint: "Give a word of two letters or more that is not in every record, such as a disease, a drug or a name: call " + theTool +
			" again with it in " + argument + "."}
}

// maxAlternatives limits the requests that decide whether a small "or" in an argument joins alternatives.
const maxAlternatives = 4

// alternatives returns the parts of an argument that a small "or" joins; nil for other arguments. alike is that of query.AlternativesOf.
func (w words) alternatives() (parts []string, alike bool) {
	parts, alike = query.AlternativesOf(w.text)
	if len(parts) < 2 || len(parts) > maxAlternatives || w.name == "location" || isExactName(w.name, w.text) {
		return nil, false
	}
	return parts, alike
}

// either returns the text with OR in place of a small "or".
func (w words) either() string {
	parts, _ := w.alternatives()
	return strings.Join(parts, " OR ")
}

// tooLong returns the error for a search that does not fit into a URL of the registry. It names the longest argument and how much of it
// fits together with the other arguments. size is the length of the query, 0 if it is unknown.
func tooLong(caller string, texts []words, size int) *entity.Error {
	longest, most := words{}, -1 // with its length in a URL
	for _, t := range texts {
		if length := len(url.QueryEscape(t.expression)); length > most {
			longest, most = t, length
		}
	}
	chars := utf8.RuneCountInString(longest.text)
	fit := chars / 2
	if size > 0 {
		fit = max(1, chars*(most-(size-ctgov.MaxQuery))/max(1, most)*9/10) // letters differ in length
	}
	return envelope.Refuse(longest.name, entity.Cut(longest.text, 200),
		"has %d characters, at most about %d fit into a search of ClinicalTrials.gov with the other arguments", chars, fit).
		Again(caller, "with at most %d characters in %s: the few words that matter most", fit, longest.name)
}
