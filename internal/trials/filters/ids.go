package filters

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/register"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// PlaceholderNCT is a well-formed id that no trial has. The registry refuses a request with several ids that contains it.
const PlaceholderNCT = "NCT00000000"

// ReadNCT returns an id as the registry writes it, NCT00461032. It accepts any unambiguous form. Any other text is UNRESOLVED_ENTITY.
func ReadNCT(name, text string) (string, error) {
	text = strings.TrimSpace(text)
	if only, bad := id.NCT.Only(text); len(only) == 1 && bad == nil { // also in the address of its page
		return only[0], nil
	}
	if pasted := envelope.PastedSearch(name, "nct_id", text, false); pasted != nil {
		pasted.Code = entity.UnresolvedEntity
		return "", pasted
	}
	e := &entity.Error{Code: entity.UnresolvedEntity, Input: text}
	found, bad := id.NCT.Find(text)
	if len(found)+len(bad) == 0 { // NCT00461032x
		found, bad = id.NCT.Find(strings.TrimRightFunc(text, unicode.IsLetter))
	}
	number, isNumber := register.Only(text)
	guess, guessed := register.Guess(text)
	switch {
	case isNumber && number.Register != register.ClinicalTrialsGov:
		e.Message = "This is " + number.ID + ", a number of " + number.Register + ", which is no id of a record of ClinicalTrials.gov."
		e.Hint = "The search finds the records that hold it."
		e.Next = entity.Call(tools.SearchTrials, map[string]any{"query": number.ID})
	case guessed && guess.Register != register.ClinicalTrialsGov:
		e.Message, e.Hint = name+" takes an NCT id, and this is no complete number of "+guess.Register+".", envelope.GuessedNumber
		e.Next = entity.Call(tools.SearchTrials, map[string]any{"query": guess.ID})
	case guessed:
		e = envelope.MalformedNCT(e.Code, "nct_id", text, []string{text})
		e.Next.Tool = name
	case len(found) > 0:
		e.Message, e.Hint = oneNCT(name, found)
		if len(bad) > 0 {
			e.Message += " Of the others, " + envelope.WrongDigits(bad) + "."
		}
	case len(bad) > 0:
		e = envelope.MalformedNCT(e.Code, "nct_id", text, bad)
	default:
		e.Message = name + " takes a resolved NCT id in the form NCT:00461032, not words or another kind of id."
		e.Hint = FindTrialHint(name, text)
		if complete := "NCT0" + text; id.NCT.Is(complete) { // as a spreadsheet leaves it: every number of today begins with 0
			e.Hint = "The next call has a guess: the digits as those of an NCT id. " + e.Hint
			e.Next = entity.Call(name, map[string]any{"nct_id": id.NCT.CURIE(complete)})
		}
	}
	return "", e
}

// oneNCT returns the message and the hint for a text that holds NCT ids and something else, or several of them.
func oneNCT(name string, found []string) (message, hint string) {
	ids := entity.Once(found)
	switch {
	case len(ids) == 1:
		return name + " takes one NCT id alone, in the form NCT:00461032.", "Call " + name + " again with " +
			tool.Object("nct_id", id.NCT.CURIE(ids[0])) + "."
	case name == tools.GetTrial || name == tools.GetTrialResults:
		several := tool.Show(map[string]any{"nct_id": nil, "nct_ids": ids[:min(20, len(ids))]})
		return "nct_id takes one NCT id.", "Call " + name + " again with " + several + "."
	}
	return name + " takes one NCT id at a time.", tool.OnceForEach(name+" again", "nct_id", ids)
}

// TrialIDs returns the distinct ids of the argument nct_ids as the registry writes them, and a notice that names the texts without a valid
// id. If no text has one, it returns no ids.
func TrialIDs(texts []string) (ids, notices []string) {
	var bad, words []string
	for _, text := range texts {
		found, malformed := id.NCT.Find(text)
		ids, bad = append(ids, found...), append(bad, malformed...)
		if len(found)+len(malformed) == 0 {
			words = append(words, envelope.Quoted(text)+" "+envelope.NoNCT(text))
		}
	}
	if len(bad) > 0 {
		words = append(words, envelope.WrongDigits(bad))
	}
	if len(words) > 0 {
		notices = []string{"nct_ids: left out, as " + entity.Cut(strings.Join(words, ", "), 300) + "."}
	}
	return entity.Once(ids), notices
}

// chosenTrials returns the ids of the argument nct_ids as the registry writes them, and notices.
func chosenTrials(texts []string) (ids, notices []string, err error) {
	ids, notices = TrialIDs(texts)
	if len(ids) == 0 && len(texts) > 0 {
		if _, bad := id.NCT.Find(texts[0]); len(bad) > 0 {
			return nil, nil, Misread{Argument: "nct_ids", Text: texts[0], bad: bad}
		}
		return nil, nil, Misread{Argument: "nct_ids", Text: texts[0], short: true, Reason: TheText + " is not an NCT id",
			Again: "with ids such as NCT:00461032; words belong in query"}
	}
	if len(ids) > ctgov.MaxIDs {
		return nil, nil, Misread{Argument: "nct_ids", hint: "Call " + TheTool + " once for each part of the list.",
			Reason: fmt.Sprintf("has %d ids, at most %d can be looked up at once", len(ids), ctgov.MaxIDs)}
	}
	return ids, notices, nil
}

// FindTrialHint returns a hint with the calls that find a trial by words, or by an id of an article or a gene, which the registry does not
// know.
func FindTrialHint(name, text string) string {
	kind, ids := id.Recognise(text)
	thenTrial := ", then " + name + " with one of its nctIds."
	switch trial := "NCT" + text; {
	case id.NCT.Is(trial) && text[0] == '0' && name != tools.CompareTrials: // no PMID begins with 0
		return "Call " + name + " again with " + tool.Object("nct_id", id.NCT.CURIE(trial)) + "."
	case kind == id.PMID:
		return "If this is the PMID of an article, " + envelope.CallWith(kind, ids) + thenTrial + " For words use search_trials."
	case kind == id.Gene:
		return "This is the " + kind.Name + ": " + envelope.CallWith(kind, ids) + ", then search_trials with its symbol as query."
	case kind != nil:
		return "This is the " + kind.Name + ": " + envelope.CallWith(kind, ids) + thenTrial
	}
	if !query.ReadText(text).Distinguishes() || !envelope.MayFind(text) {
		return "Call search_trials with words of its title, then " + name + " with the id of a result."
	}
	return "Call search_trials with " + tool.Object("query", text) + ", then " + name + " with the id of a result."
}

// TrialNotFound returns the error for a well-formed id without a record.
func TrialNotFound(toolName, nct string) *entity.Error {
	curie := id.NCT.CURIE(nct)
	return envelope.Refuse("", curie, "ClinicalTrials.gov has no trial %s", curie).As(entity.EntityNotFound).
		Hint("Check the digits of the id at its source. To find the trial call search_trials with words of its title or condition, "+
			"then %s with the id of a result.", toolName)
}
