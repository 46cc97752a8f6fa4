package filters

import (
	"cmp"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/register"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// Advice says how to change a search or a count that found nothing.
func (w *Wishes) Advice() []string {
	return slices.DeleteFunc([]string{w.noHitsAdvice(), w.locationAdvice(), w.nearAdvice(), w.exactAdvice()},
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
	if len(given) == 1 {
		if advice := w.queryAdvice(); advice != "" {
			return advice
		}
	}
	switch {
	case len(given) == 1 && w.Args.Location != "" || onlyNear(given):
		return "" // see locationAdvice and nearAdvice
	case len(given) == 1:
		return "No trial matches. Try other or fewer words. ClinicalTrials.gov is in English."
	}
	slices.Sort(given)
	return "No trial matches all of " + strings.Join(given, ", ") + ": leave one out or widen it."
}

// queryAdvice says how to change a query that found nothing, as the only filter of its call, or "" without a query.
func (w *Wishes) queryAdvice() string {
	kind, ids := id.Recognise(w.Args.Query)
	guess, guessed := register.Guess(w.Args.Query)
	switch number := w.Number(); {
	case number != nil && number.URL == "":
		return "No record of ClinicalTrials.gov holds " + number.ID + "."
	case number != nil:
		return "No record of ClinicalTrials.gov holds " + number.ID + ". It may be registered in " + number.Register + " alone: " +
			number.URL
	case guessed:
		return "This is no complete number of " + guess.Register + ". " + envelope.GuessedNumber + " Call " + w.Caller + " with " +
			tool.Object("query", guess.ID) + "."
	case kind != nil && kind != id.NCT:
		return "This is the " + kind.Name + ", and no trial has it: " + envelope.CallWith(kind, ids) + "."
	case w.Args.Query != "":
		return "No trial has all words of query. Give fewer words, or each part in its own argument: condition, intervention, phase, " +
			"status, location. ClinicalTrials.gov is in English."
	}
	return ""
}

// locationAdvice says that the place may be the cause of an empty result, and names the next call.
func (w *Wishes) locationAdvice() string {
	text := w.Args.Location
	if text == "" || w.AsNear {
		return ""
	}
	again := " call " + w.Caller + " again with "
	what := "No trial has " + w.aSite() + " at location " + envelope.Quoted(text) + "; " + PlaceForms + "."
	if len(w.Given) > 1 {
		anyPlace := map[string]any{"location": nil, "within": nil}
		if len(w.Args.Country) == 0 {
			anyPlace["recruiting_site"] = nil // it needs a place
		}
		return "Among the trials that match the rest, none has " + w.aSite() + " at location " + envelope.Quoted(text) + "; " + PlaceForms +
			". For all places" + again + callOf(anyPlace) + "."
	}
	first, last, two := strings.Cut(text, ", ")
	nearest := tool.Nearest(cmp.Or(last, first), place.Names())
	switch {
	case len(w.sites.location) > 1:
		return what
	case two && place.IsCountryOrState(last):
		return what + " For a wider place" + again + tool.Object("location", last) + "."
	case nearest != "" && two:
		return what + " For the nearest known name" + again + tool.Object("location", first+", "+nearest) + "."
	case nearest != "" && nearest != first:
		return what + " For the nearest known name" + again + tool.Object("location", nearest) + "."
	case two:
		return what + " For either name" + again + tool.Object("location", first+" OR "+last) + "."
	}
	return what
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
	if widest, _ := place.ParseRadius(WidestSearch); radius.KM < widest.KM {
		return what + " Call " + w.Caller + " again with " + tool.Object("within", WidestSearch) + "."
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

// exactAdvice says that a lead sponsor in quotation marks is the whole name.
func (w *Wishes) exactAdvice() string {
	for _, name := range w.Args.LeadSponsor {
		if IsExactName("lead_sponsor", name) {
			words := strings.TrimSpace(strings.NewReplacer(`"`, "", "“", "", "”", "").Replace(name))
			return "lead_sponsor in quotation marks is the whole name. To find words of the name call " + w.Caller + " with " +
				tool.Object("lead_sponsor", words) + "."
		}
	}
	return ""
}
