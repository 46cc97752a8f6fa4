package filters

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
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/register"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// SearchWords returns the arguments that take words, which AND, OR and NOT join: texts, which the upstream reads as words, and those that
// are looked for in one piece.
func SearchWords(texts []tool.Text, args *tools.TrialFilters) []tool.Text {
	return append(texts, args.PieceTexts()...)
}

// Words are an argument that takes words, after reading: an expression, or ids to look up. The place of location has neither.
type Words struct {
	Name, Param, Text string      // param is that of the source; empty for words of one piece
	read              *query.Text // nil: not given
	Expression        string
	ids, bad          []string         // NCT ids, and those with a wrong number of digits
	number            *register.Number // of a trial in another register; nil: none
}

// readTexts reads texts. location is the text of location that is not read as near.
func readTexts(texts []tool.Text, location string) (all []Words, err error) {
	for _, a := range texts {
		given := Words{Name: a.Name, Param: a.Param, Text: *a.Value}
		if a.Name == "location" {
			given.Text = location
		}
		read, wrong := ReadText(given)
		if err == nil {
			err = wrong
		}
		all = append(all, read)
	}
	return all, err
}

// wholeTerm returns a text in quotation marks if it is a MeSH term of several words.
func wholeTerm(name, text string) string {
	if name == "mesh" && strings.Contains(text, " ") && !notOnlyCommas.MatchString(text) {
		return `"` + text + `"`
	}
	return text
}

// ReadText reads a text argument. Only query takes NCT ids.
func ReadText(w Words) (Words, error) {
	name, text := w.Name, w.Text
	if text == "" {
		return w, nil
	}
	read := query.ReadText(wholeTerm(name, text))
	w.read = read
	ids, bad := id.NCT.Only(text, read.Expression) // the registry ignores every filter if it gets such a text as words
	switch {
	case len(ids) == 0 && len(bad) > 0:
		return w, Misread{Argument: name, Text: text, bad: bad}
	case name == "query" && len(ids) == 0 && isAlmostNCT(text):
		return w, Misread{Argument: name, Text: text, bad: []string{text}}
	case name == "query" && w.readNumber():
		return w, nil
	case len(ids) > 0:
		return w.withIDs(ids, bad)
	case name == "location":
		return w, nil
	case isPlaceholder(text) && text != "ALL": // ALL is also a leukemia
		return w, placeholderError(name, text)
	case IsExactName(name, text):
		w.Expression = exactName(text).String()
		return w, nil
	case !read.Distinguishes():
		return w, indistinct(name, text)
	}
	w.Expression = read.Expression
	return w, nil
}

// withIDs returns the words with the NCT ids that their text holds. Only query takes ids, and only as many as one request has.
func (w Words) withIDs(ids, bad []string) (Words, error) {
	switch {
	case w.Name != "query":
		return w, Misread{Argument: w.Name, Text: w.Text, Reason: "does not take NCT ids", hint: "Call get_trial with " +
			tool.Object("nct_id", id.NCT.CURIE(ids[0])) + " to read a trial, or " + TheTool + " with " + tool.Object("query", w.Text) + "."}
	case len(ids) > ctgov.MaxIDs:
		return w, Misread{Argument: "query", Text: w.Text, hint: "Call " + TheTool + " once for each part of the list.",
			Reason: fmt.Sprintf("holds %d NCT ids, at most %d can be looked up at once", len(ids), ctgov.MaxIDs)}
	}
	w.ids, w.bad = ids, bad
	return w, nil
}

func isAlmostNCT(text string) bool {
	guess, ok := register.Guess(text)
	return ok && guess.Register == register.ClinicalTrialsGov
}

// readNumber reads words that are the number of a trial in another register as a search of the ids of the records.
func (w *Words) readNumber() bool {
	number, ok := register.Only(w.Text)
	if !ok || number.Register == register.ClinicalTrialsGov {
		return false
	}
	var spelled []query.Node
	for _, piece := range mapping.NumberPieces() {
		for _, text := range number.Spellings {
			spelled = append(spelled, query.Named(piece, text))
		}
	}
	w.number, w.Expression = &number, query.AnyOf(spelled...).String()
	return true
}

// meshID matches the id of a MeSH term: D001249, MESH:D001249.
var meshID = lazyregexp.New(`^(?i)\s*(?:mesh:?)?\s*([DC][0-9]{6,9})\s*$`)

// in returns the node for the words in a piece, nil if they were not given.
func (w Words) in(piece string) query.Node {
	switch {
	case w.read == nil:
		return nil
	case w.Name == "primary_outcome":
		return w.read.In(piece, "PrimaryOutcomeDescription")
	case w.Name == "mesh" && meshID.MatchString(w.Text):
		number := strings.ToUpper(meshID.FindStringSubmatch(w.Text)[1])
		return query.AnyOf(query.Named("ConditionMeshId", number), query.Named("InterventionMeshId", number))
	case w.Name == "mesh" && !notOnlyCommas.MatchString(w.Text):
		return query.AnyOf(query.ExactName(piece, w.Text), query.ExactName("InterventionMeshTerm", w.Text))
	case w.Name == "mesh":
		return w.read.In(piece, "InterventionMeshTerm")
	}
	return w.read.In(piece)
}

// notices says how the words were read, and names the call that the caller may mean.
func (w Words) notices(caller string) (notices []string) {
	switch {
	case w.read == nil || w.Name == "location" || IsExactName(w.Name, w.Text):
		return nil
	case w.number != nil:
		return []string{"Searched as " + w.number.ID + " (" + w.number.Register + ")."}
	case len(w.ids) > 0 && len(w.bad) > 0:
		return append(w.read.Notices, "Ids were left out: "+envelope.WrongDigits(w.bad)+".")
	case len(w.ids) > 0:
		return w.read.Notices
	}
	return slices.Concat(w.read.Notices, w.meshNotice(caller), w.syntaxNotice(caller),
		envelope.MalformedNCTNotice(w.Name, w.Text))
}

// notOnlyCommas matches a text in which more than commas joins words.
var notOnlyCommas = lazyregexp.New(`["()\[\]]|\b(?:AND|OR|NOT|or)\b`)

// meshNotice says that the trials of narrower MeSH terms are others, and names the call that finds them.
func (w Words) meshNotice(caller string) []string {
	if w.Name != "mesh" || notOnlyCommas.MatchString(w.Text) {
		return nil
	}
	wider := query.AnyOf(query.ExactName("ConditionMeshTerm", w.Text), query.ExactName("ConditionAncestorTerm", w.Text)).String()
	if m := meshID.FindStringSubmatch(w.Text); m != nil {
		number := strings.ToUpper(m[1])
		wider = query.AnyOf(query.Named("ConditionMeshId", number), query.Named("ConditionAncestorId", number)).String()
	}
	return []string{"mesh: a trial was found by this term alone, not by a narrower one. For a condition with its narrower terms call " +
		caller + " again with " + tool.Show(map[string]any{"mesh": nil, "expression": wider}) + "."}
}

// syntaxNotice returns a notice about syntax in a text that was read as words, with the call that the caller may mean.
func (w Words) syntaxNotice(caller string) []string {
	rewritten, findings := query.Rewrite(w.Text)
	if len(findings) == 0 {
		return nil
	}
	return []string{w.Name + ": " + strings.Join(findings, "; ") + ". If you meant more than words, call " + caller + " again with " +
		tool.Object(w.Name, rewritten) + "."}
}

// indistinct returns the error for words that every record has, or no record.
func indistinct(argument, text string) error {
	return Misread{Argument: argument, Text: text, code: entity.AmbiguousQuery,
		Reason: TheLiteral + " has no word that distinguishes trials",
		hint: "Give a word of two letters or more that is not in every record, such as a disease, a drug or a name: call " + TheTool +
			" again with it in " + argument + "."}
}

// tooLong returns the error for a search that does not fit into a URL of the registry. It names the longest argument and how much of it
// fits together with the other arguments. size is the length of the query, 0 if it is unknown.
func tooLong(caller string, texts []Words, size int) *entity.Error {
	longest, most := Words{}, -1 // with its length in a URL
	for _, t := range texts {
		if length := len(url.QueryEscape(t.Expression)); length > most {
			longest, most = t, length
		}
	}
	chars := utf8.RuneCountInString(longest.Text)
	fit := chars / 2
	if size > 0 {
		fit = max(1, chars*(most-(size-ctgov.MaxQuery))/max(1, most)*9/10) // letters differ in length
	}
	return envelope.Refuse(longest.Name, entity.Cut(longest.Text, 200),
		"has %d characters, at most about %d fit into a search of ClinicalTrials.gov with the other arguments", chars, fit).
		Again(caller, "with at most %d characters in %s: the few words that matter most", fit, longest.Name)
}
