package filters

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// Advice says how to change a search or a count that found nothing.
func (w *Wishes) Advice() []string {
	return slices.DeleteFunc([]string{w.noHitsAdvice(), w.locationAdvice(), w.nearAdvice(),
		sponsorAdvice(w.Caller, w.Args.LeadSponsor), sponsorsAdvice(w.Caller, w.Args.Sponsor), w.languageAdvice()},
		func(s string) bool { return s == "" })
}

// StatusOfTrial returns a notice if a call asks for trials that recruit, and for a site in a place; "" if not.
func (w *Wishes) StatusOfTrial() string {
	if w.Args.Location == "" || w.Args.RecruitingSite || !slices.Contains(w.values.named["status"], string(Recruiting)) {
		return ""
	}
	return "status is that of the whole trial; its site in this place may not recruit."
}

// CountNotices returns notices about a number of trials.
func (w *Wishes) CountNotices(total int) []string {
	statusNotice := w.StatusOfTrial()
	switch {
	case total == 0:
		return w.Advice()
	case statusNotice != "" && w.Near.Text == "":
		return []string{statusNotice + " For the trials whose site there recruits call count_trials again with " +
			callOf(map[string]any{"recruiting_site": true, "status": nil}) + "."}
	}
	return nil
}

// noHitsAdvice says how to widen a search that found nothing.
func (w *Wishes) noHitsAdvice() string {
	given := slices.Clone(w.Given)
	if kind, ids := id.Recognise(w.Args.Query); kind != nil && kind != id.NCT && len(given) == 1 {
		return "This is the " + kind.Name + ", and no trial has it: " + envelope.CallWith(kind, ids) + "."
	}
	if w.Args.Query != "" && len(given) == 1 {
		advice := "No trial has all words of query. Give fewer words, or each part in its own argument: condition, intervention, phase, " +
			"status, location."
		if call := inArguments(w.Args.Query); call != "" {
			advice += " For example, call " + w.Caller + " with " + call + "."
		}
		return advice
	}
	if len(given) == 1 && w.Args.Location != "" {
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
func (w *Wishes) locationAdvice() string {
	either := strings.Replace(w.Args.Location, " OR ", "; ", 1)
	switch {
	case w.Args.Location == "":
		return ""
	case w.sites.location != nil && w.sites.location.Place != nil && either != w.Args.Location:
		return "location: " + envelope.Quoted(w.Args.Location) + " was read as a place in Oregon, where no trial matches. " +
			"For either place call " + w.Caller + " again with " + tool.Object("location", either) + "."
	case len(w.Given) > 1:
		anyPlace := map[string]any{"location": nil, "within": nil}
		if len(w.Args.Country) == 0 {
			anyPlace["recruiting_site"] = nil // it needs a place
		}
		advice := "Among the trials that match the rest, none has " + w.aSite() + " at location " +
			envelope.Quoted(w.Args.Location) + "; " +
			PlaceForms + ". "
		if parts := w.placeParts(); parts != "" {
			advice += "For its parts call " + w.Caller + " again with " + tool.Object("location", parts) + ". "
		}
		return advice + "For all places call " + w.Caller + " again with " + callOf(anyPlace) + "."
	}
	what := "No trial has a site at location " + envelope.Quoted(w.Args.Location) + "; " + PlaceForms + ". "
	parts := strings.Split(w.Args.Location, ",")
	first, last := strings.TrimSuffix(w.Args.Location, " OR"), strings.TrimSpace(parts[len(parts)-1])
	switch {
	case len(parts) == 1 && first != w.Args.Location: // "OR" was read as Oregon
		return what + "For the place without OR, call " + w.Caller + " with " + tool.Object("location", first) + "."
	case len(parts) == 1 && tool.Nearest(first, place.Names()) != "":
		return what + "For the nearest known name call " + w.Caller + " again with " +
			tool.Object("location", tool.Nearest(first, place.Names())) + "."
	case len(parts) == 1:
		return what + "Check its spelling."
	case place.IsCountryOrState(last):
		return what + "For a wider place, call " + w.Caller + " with " + tool.Object("location", last) + "."
	case w.placeParts() == "":
		return what + "Check the spelling of each place."
	}
	return what + "For trials with a site in one of its parts, call " + w.Caller + " with " + tool.Object("location", w.placeParts()) + "."
}

var joinedPlaces = lazyregexp.New(`(?i)\b(?:and|or|not)\b|[;&]`)

// placeParts returns the parts of the location, joined by OR; "" if it has one only, ends with a country or a state, or joins places
// itself.
func (w *Wishes) placeParts() string {
	parts := strings.Split(w.Args.Location, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	if len(parts) == 1 || place.IsCountryOrState(parts[len(parts)-1]) || joinedPlaces.MatchString(w.Args.Location) {
		return ""
	}
	return strings.Join(parts, " OR ")
}

// foreignWords are words (with spaces around them) and parts of words of other languages.
var foreignWords = []string{
	" de ", " du ", " del ", " della ", " und ", " mit ", " bei ", " avec ", " con ", "krebs", "krankung", "krankheit", "schmerz",
	"behandlung",
	"maladie", "traitement", "douleur", "enfermedad", "tratamiento", "malattia", "trattamento", "tumore", "ziekte", "kanker",
}

// languageAdvice names the arguments whose words look like another language, because the registry is in English; empty if no argument does.
func (w *Wishes) languageAdvice() string {
	var found []string
	for _, t := range w.Texts {
		if t.Name != "location" && t.Name != "sponsor" && t.Name != "lead_sponsor" && foreign(t.Text) {
			found = append(found, t.Name)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return "ClinicalTrials.gov is in English. If the words of " + strings.Join(found, ", ") +
		" are in another language, call " + w.Caller + " again with the English ones."
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

// nearArguments are the arguments that select trials by the position of their sites only.
var nearArguments = []string{"near", "within", "recruiting_site"}

// onlyNear reports whether a search has no filter but near.
func onlyNear(given []string) bool {
	return slices.Contains(given, "near") &&
		!slices.ContainsFunc(given, func(name string) bool { return !slices.Contains(nearArguments, name) })
}

// nearAdvice says how to widen a search that found nothing near a place.
func (w *Wishes) nearAdvice() string {
	if w.Args.Near == "" {
		return ""
	}
	radius, _ := place.ParseRadius(cmp.Or(w.Args.Within, place.DefaultRadius))
	what := "Among the trials that match the rest, none has " + w.aSite() + " within " + radius.Text + " of " +
		envelope.Quoted(w.Args.Near) + "."
	if onlyNear(w.Given) {
		what = "No trial has " + w.aSite() + " within " + radius.Text + " of " + envelope.Quoted(w.Args.Near) + "."
	}
	for _, wider := range []string{"200 mi", WidestSearch} {
		if r, _ := place.ParseRadius(wider); radius.KM < r.KM {
			return what + " Call " + w.Caller + " again with " + tool.Object("within", wider) + "."
		}
	}
	if onlyNear(w.Given) {
		return what
	}
	return what + " For all places call " + w.Caller + ` again with {"near":null,"within":null,"recruiting_site":null}.`
}

// aSite returns the kind of site that a search requires.
func (w *Wishes) aSite() string {
	if w.Args.RecruitingSite {
		return "a recruiting site"
	}
	return "a site"
}

// sponsorAdvice says how else the lead sponsor of a search without hits can be written.
func sponsorAdvice(caller string, names []string) string {
	for _, name := range names {
		switch parts := severalSponsors.Split(name, -1); {
		case IsExactName("lead_sponsor", name):
			words := strings.TrimSpace(strings.NewReplacer(`"`, "", "“", "", "”", "").Replace(name))
			return "lead_sponsor in quotation marks is the whole name. To find words of the name call " + caller + " with " +
				tool.Object("lead_sponsor", words) + "."
		case len(parts) > 1 && !slices.ContainsFunc(parts, companyForm.MatchString):
			return "lead_sponsor is one name with all of these words. For several sponsors call " + caller + " with a list, " +
				tool.Object("lead_sponsor", parts) + "."
		}
	}
	return ""
}

// sponsorsAdvice says how several sponsors of a search without hits are written.
func sponsorsAdvice(caller, text string) string {
	parts := severalSponsors.Split(text, -1)
	if len(parts) < 2 || slices.ContainsFunc(parts, companyForm.MatchString) {
		return ""
	}
	return "sponsor is one name with all of these words. For any of several sponsors call " + caller + " again with " +
		tool.Object("sponsor", strings.Join(parts, " OR ")) + "."
}

var (
	// severalSponsors splits a text that may list several names.
	severalSponsors = lazyregexp.New(`\s*,\s*|\s+and\s+`)
	companyForm     = lazyregexp.New(`(?i)^(?:inc|incorporated|llc|ltd|limited|co|company|corp|gmbh|ag|kg|sas?|plc|[bn]\.?v)\.?$`)
)
