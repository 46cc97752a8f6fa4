package envelope

import (
	"fmt"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/register"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// GuessedNumber says that the next call has another number than the call.
const GuessedNumber = "The next call has a guess: the letters are corrected, zeros are added or left out, or a version is left out."

// WrongDigits says how many digits some ids have: "an NCT id has 8 digits, NCT0412345 has 7". Of a text with other letters it says the
// form of an id.
func WrongDigits(bad []string) string {
	if !id.NCT.Within(bad[0]) || id.NCT.Is("NCT"+digitsOf(bad[0])) {
		return Quoted(bad[0]) + " is no NCT id, which is NCT and 8 digits"
	}
	text := "an NCT id has 8 digits"
	for _, given := range bad {
		text += fmt.Sprintf(", %s has %d", entity.Cut(given, 40), len(digitsOf(given)))
	}
	return text
}

func digitsOf(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

// MalformedNCT returns the error for an argument in which all ids have a wrong number of digits. Such an id is never padded: it could
// become the id of another trial. The id with zeros added or left out is the next call, as a guess.
func MalformedNCT(code entity.Code, argument, text string, bad []string) *entity.Error {
	e := Refuse(argument, text, "%s", WrongDigits(bad)).As(code).
		Hint("Check the id at its source. To find the trial call search_trials with words of its title, and take the id of a result.")
	if number, ok := register.Guess(bad[0]); ok && len(bad) == 1 && number.Register == register.ClinicalTrialsGov {
		e.Hint += " " + GuessedNumber
		e.Next = entity.Call(tools.GetTrial, map[string]any{"nct_id": id.NCT.CURIE(number.ID)})
	}
	return e
}

// MalformedNCTNotice returns a notice about words of a search that are NCT ids with a wrong number of digits.
func MalformedNCTNotice(argument, text string) []string {
	_, bad := id.NCT.Find(text)
	if bad == nil {
		return nil
	}
	return []string{"In " + argument + ", " + WrongDigits(bad) + "."}
}

// CallWith returns the calls that read some ids of a kind: all PMIDs, or the first id of another kind.
func CallWith(kind *id.Kind, ids []string) string {
	value := kind.Value(ids[0])
	if kind == id.PMID {
		value = strings.Join(ids, ",")
	}
	call := "call " + kind.Tool + " with " + tool.Object(kind.Argument, value)
	if kind.Tool == tools.SearchPubMedArticles {
		call += ", then fetchArticleDetails with the PMID of a result"
	}
	return call
}

// NoNCT says what a text is that has no NCT id: the number of a trial in another register, or something else.
func NoNCT(text string) string {
	if number, ok := register.Only(text); ok {
		return "is a number of " + number.Register + ", by which " + tools.SearchTrials + " finds the trial"
	}
	return "is not an NCT id"
}

// noSearch matches an id of an unknown kind, such as NCBIGene:0, and a question in words.
var noSearch = lazyregexp.New(`(?i)^\w+:\s*[0-9]+$|\?\s*$|^(?:what|which|who|why|how|where|when|is|are|do|does|can|should)\s(?:\S+\s+){3}`)

// MayFind reports whether a search by all words of a text may find something. A hint has no call with other texts, such as the number of a
// trial in a register.
func MayFind(text string) bool {
	_, number := register.Only(text)
	_, almost := register.Guess(text)
	return !number && !almost && !noSearch.MatchString(strings.TrimSpace(text))
}

// NoArticle returns the error for a PMID without a record.
func NoArticle(toolName, pmid string) *entity.Error {
	return Refuse("", pmid, "PubMed has no article with the PMID %s", pmid).As(entity.EntityNotFound).
		Hint("Check the digits of the PMID at its source. To find the article call searchPubMedArticles with words of its title, then %s "+
			"with the PMID of a result.", toolName)
}

// ReadPMID returns the digits of a PMID. For other text it returns UNRESOLVED_ENTITY with a search that finds a PMID.
func ReadPMID(toolName, text string) (string, error) {
	if pmid, ok := id.PMID.Read(entity.Clean(text)); ok {
		return pmid, nil
	}
	if pasted := PastedSearch(toolName, "", text, false); pasted != nil {
		pasted.Code = entity.UnresolvedEntity
		return "", pasted
	}
	words := id.PMID.Unlabel(entity.Clean(text))
	search := func(query string) string {
		return "Call searchPubMedArticles with " + tool.Object("queryTerm", query) + ", then " + toolName + " with the PMID of a result."
	}
	hint := "Call searchPubMedArticles with words of its title, then " + toolName + " with the PMID of a result."
	_, bad := id.NCT.Find(words)
	number, isNumber := register.Only(words)
	switch kind, ids := id.Recognise(words); {
	case kind == id.NCT:
		hint = "This is the " + kind.Name + ". " + search(ids[0]+"[si]") + " For the trial itself " + CallWith(kind, ids) + "."
	case kind == id.DOI || kind == id.PMCID:
		hint = search(kind.Value(ids[0]))
	case kind == id.Gene:
		hint = "This is the " + kind.Name + ": call get_pubmed_links with " + tool.Object("entrez_id", kind.Value(ids[0])) +
			" for the PMIDs of its articles."
	case isNumber:
		hint = "This is the number of a trial in " + number.Register + ". " + search(number.ID+"[si]")
	case len(bad) > 0:
		hint = "This looks like an NCT id, but " + WrongDigits(bad) + ". " + hint
	case entrez.Distinguishes(words) && MayFind(words):
		hint = search(words)
	}
	return "", Refuse("", text, "%s takes resolved PMIDs, which are digits such as 26027431, not words or another kind of id", toolName).
		As(entity.UnresolvedEntity).Hint("%s", hint)
}
