package trials

import (
	"slices"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// firstPageNotices returns notices about the hits of a search, or about the cause of an empty result.
func (w *wishes) firstPageNotices(query *ctgov.Query, page candidatePage) []string {
	if notice := w.missingIDs(query, page); notice != "" {
		return []string{notice}
	}
	if total := page.next.Total; total != nil && *total == 0 {
		return slices.DeleteFunc([]string{w.noHitsAdvice(), w.locationAdvice(), w.nearAdvice(),
			sponsorAdvice(tools.SearchTrials, w.args.LeadSponsor), w.languageAdvice()}, func(s string) bool { return s == "" })
	}
	statuses := query.FilterOverallStatus
	if w.args.Location != "" && !w.args.RecruitingSite && statuses != nil && slices.Contains(*statuses, "RECRUITING") &&
		len(page.candidates) > 0 {
		return []string{"status is that of the whole trial; its site in this place may not recruit. recruitment_status of each site: " +
			"call get_trial_locations with " + tool.Object("nct_id", page.candidates[0].ID) + "."}
	}
	return nil
}

// missingIDs returns a notice with the ids that no trial of a complete page has, if a search has no other filter. The registry also finds
// a trial by a former id; its row then has another id.
func (w *wishes) missingIDs(query *ctgov.Query, page candidatePage) string {
	if query.FilterIds == nil || page.more || page.bad > 0 || len(w.given) > 1 {
		return ""
	}
	var missing []string
	for _, nct := range *query.FilterIds {
		curie := id.NCT.CURIE(nct)
		if !slices.ContainsFunc(page.candidates, func(c entity.TrialSearchCandidate) bool { return c.ID == curie }) {
			missing = append(missing, curie)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	ids := "the id " + missing[0]
	if len(missing) > 1 {
		ids = "any of the ids " + tool.Listed(missing)
	}
	if len(page.candidates)+len(missing) > len(*query.FilterIds) {
		return "No row has " + ids + ". ClinicalTrials.gov has no such trial, or lists it under the id of another row."
	}
	return "No trial has " + ids + "."
}

// noHitsAdvice says how to widen a search that found nothing.
func (w *wishes) noHitsAdvice() string {
	given := slices.Clone(w.given)
	if w.args.Query != "" && len(given) == 1 {
		advice := "No trial has all words of query. Give fewer words, or each part in its own argument: condition, intervention, phase, " +
			"status, location."
		if call := inArguments(w.args.Query); call != "" {
			advice += " For example, call search_trials with " + call + "."
		}
		return advice
	}
	if len(given) == 1 && w.args.Location != "" {
		return "" // see locationAdvice
	}
	if onlyNear(given) {
		return "" // see nearAdvice
	}
	if len(given) == 1 {
		return "No trial matches. Try other or fewer words."
	}
	slices.Sort(given)
	return "No trial matches all of " + strings.Join(given, ", ") + ": leave one out or widen it."
}

var (
	phaseInText  = lazyregexp.New(`(?i)\bphase[ -]*(1/2|2/3|[1-4]|i{1,3}|iv)\b`)
	statusInText = lazyregexp.New(`(?i)\b(?:not yet )?recruiting\b|\b(?:completed|terminated|withdrawn|suspended)\b`)
	fillers      = lazyregexp.New(`(?i)\b(?:clinical|trials?|stud(?:y|ies)|for|of|on|in|about|with)\b`)
)

// inArguments returns the arguments that a text of query such as "recruiting phase 3 asthma trials" means, empty if it has search words
// only.
func inArguments(text string) string {
	call := map[string]string{}
	rest := text
	if m := phaseInText.FindStringSubmatch(rest); m != nil {
		call["phase"] = strings.ToUpper(m[1])
		rest = phaseInText.ReplaceAllString(rest, " ")
	}
	if status := statusInText.FindString(rest); status != "" {
		call["status"] = strings.ToUpper(strings.ReplaceAll(status, " ", "_"))
		rest = statusInText.ReplaceAllString(rest, " ")
	}
	rest = strings.Join(strings.Fields(fillers.ReplaceAllString(rest, " ")), " ")
	if rest == strings.Join(strings.Fields(text), " ") || !query.ReadText(rest).Distinguishes() || !envelope.MayFind(text) {
		return ""
	}
	call["query"] = rest
	arguments, err := entity.JSON(call)
	if err != nil {
		return ""
	}
	return string(arguments)
}

// locationAdvice says that the place may be the cause of an empty result, and names the next call.
func (w *wishes) locationAdvice() string {
	switch {
	case w.args.Location == "":
		return ""
	case len(w.given) > 1:
		anyPlace := map[string]any{"location": nil, "within": nil}
		if len(w.args.Country) == 0 {
			anyPlace["recruiting_site"] = nil // it needs a place
		}
		return "Among the trials that match the rest, none has " + w.aSite() + " at location " + envelope.Quoted(w.args.Location) + "; " +
			placeForms +
			". For all places call search_trials again with " + callOf(anyPlace) + "."
	}
	what := "No trial has a site at location " + envelope.Quoted(w.args.Location) + "; " + placeForms + ". "
	parts := strings.Split(w.args.Location, ",")
	first, last := strings.TrimSuffix(w.args.Location, " OR"), strings.TrimSpace(parts[len(parts)-1])
	switch {
	case len(parts) == 1 && first != w.args.Location: // "OR" was read as Oregon
		return what + "For the place without OR, call search_trials with " + tool.Object("location", first) + "."
	case len(parts) == 1 && tool.Nearest(first, place.Names()) != "":
		return what + "For the nearest known name call search_trials again with " +
			tool.Object("location", tool.Nearest(first, place.Names())) + "."
	case len(parts) == 1:
		return what + "Check its spelling."
	case place.IsCountryOrState(last):
		return what + "For a wider place, call search_trials with " + tool.Object("location", last) + "."
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return what + "For trials with a site in one of its parts, call search_trials with " +
		tool.Object("location", strings.Join(parts, " OR ")) + "."
}

// foreignWords are words (with spaces around them) and parts of words of other languages.
var foreignWords = []string{
	" de ", " du ", " del ", " della ", " und ", " mit ", " bei ", " avec ", " con ", "krebs", "krankung", "krankheit", "schmerz",
	"behandlung",
	"maladie", "traitement", "douleur", "enfermedad", "tratamiento", "malattia", "trattamento", "tumore", "ziekte", "kanker",
}

// languageAdvice names the arguments whose words look like another language, because the registry is in English; empty if no argument does.
func (w *wishes) languageAdvice() string {
	var found []string
	for _, t := range w.texts {
		if t.name != "location" && t.name != "sponsor" && t.name != "lead_sponsor" && foreign(t.text) {
			found = append(found, t.name)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return "ClinicalTrials.gov is in English. If the words of " + strings.Join(found, ", ") +
		" are in another language, call search_trials again with the English ones."
}

// foreign reports whether a text has a letter that is neither English nor Greek, or a word of another language.
func foreign(text string) bool {
	if strings.ContainsFunc(text, func(r rune) bool {
		return r > unicode.MaxASCII && unicode.IsLetter(r) && !unicode.Is(unicode.Greek, r) && r != 'µ'
	}) {
		return true
	}
	words := " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }), " ") + " "
	return slices.ContainsFunc(foreignWords, func(w string) bool { return strings.Contains(words, w) })
}
