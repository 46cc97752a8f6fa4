package trials

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/essie"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// widestSearch is the longest distance that a search takes.
const widestSearch = "500 mi"

// search returns the search for the filters of a call, without its page, and notices. The location of near is found from the sites of the
// registry, which may take further requests.
func (s *Trials) search(ctx context.Context, w *wishes, notes *entity.Notes) (*ctgov.Search, []string, error) {
	decided, read, err := s.readAlternatives(ctx, w, notes)
	if err != nil {
		return nil, nil, err
	}
	query := *decided.query
	search := &ctgov.Search{Query: &query, Criteria: decided.words("criteria").expression, OnlyIncluded: w.args.CriteriaIn != "",
		RecruitsNear: w.near != nil && w.args.RecruitingSite}
	if len(read) > 0 {
		search.Given = w.query
	}
	notices := slices.Concat(w.asNearNotice(), read, decided.notices())
	if w.near == nil {
		return search, notices, nil
	}
	more, err := s.searchNear(ctx, w, search, notes)
	return search, append(notices, more...), err
}

// searchNear adds near, within and recruiting_site to a search.
func (s *Trials) searchNear(ctx context.Context, w *wishes, search *ctgov.Search, notes *entity.Notes) (notices []string, err error) {
	var found entity.Notes // its notices belong to the first page only
	at, err := s.spot(ctx, *w.near, nil, &found)
	notes.Provenance.UpstreamRequests += found.Provenance.UpstreamRequests
	if err != nil {
		return nil, err
	}
	notices = append(notices, found.Notices...)
	if w.radius.Guessed {
		notices = append(notices, guessedUnit(w.args.Within, w.radius))
	}
	search.Near = &place.Circle{Center: at.Point, Radius: w.radius, Misplaced: at.Misplaced}
	filter, fields := search.Near.Filter(), slices.Concat(*search.Fields, mapping.NearSiteFields())
	search.FilterGeo, search.Fields = &filter, &fields
	text := "near: trials with a site within " + w.radius.Text + " of " + at.String() + " were searched. " +
		"A distance is that of the site's city."
	if len(at.Misplaced) > 0 { // filter.geo knows coordinates only
		search.FilterGeo = nil
		restrict(search.Query, essie.Near(*search.Near))
		text += misplacedNotice
	}
	return append(notices, text), nil
}

// restrict adds an expression to the filter of a query.
func restrict(query *ctgov.Query, expression string) {
	if query.FilterAdvanced != nil {
		expression = essie.And(*query.FilterAdvanced, expression)
	}
	query.FilterAdvanced = &expression
}

// misplacedNotice says how sites with wrong coordinates count.
const misplacedNotice = " Some sites of this place have the coordinates of another one in the records; they count as here."

// searchRadius reads the argument within of a search.
func searchRadius(text string) (place.Radius, error) {
	radius, err := readRadius(text)
	widest, _ := place.ParseRadius(widestSearch)
	if err == nil && radius.KM > widest.KM {
		err = envelope.Refuse("within", text, "%s is more than %s, the longest distance of a search", envelope.Quoted(text), widestSearch).
			Again(theTool, `with %s, or with a country in place of near: {"near":null,"within":null,"country":"United States"}`,
				tool.Object("within", widestSearch))
	}
	return radius, err
}

// readLocationAsNear reads location as near in a call with a distance and without near. It returns the text of location if it is a place
// of its own.
func (w *wishes) readLocationAsNear() (location string, err error) {
	if location = w.args.Location; w.args.Near != "" || w.args.Within == "" || location == "" {
		return location, nil
	}
	near, err := readNear(location, w.args.Country, true)
	if err != nil { // several places, or none
		return "", envelope.Refuse("within", w.args.Within, "is a distance from one city, ZIP code or point, and location is another text").
			Again(theTool, `with {"within":null}`)
	}
	w.near, w.asNear = &near, true
	return "", nil
}

// asNearNotice says that location was read as near.
func (w *wishes) asNearNotice() []string {
	if !w.asNear {
		return nil
	}
	return []string{"location: " + envelope.Quoted(w.args.Location) + " was read as near, because within is a distance from it."}
}

// readCircle reads near and within, and checks recruiting_site.
func (w *wishes) readCircle() error {
	switch {
	case w.args.Near != "":
		near, err := readNear(w.args.Near, w.args.Country, true)
		if err != nil {
			return err
		}
		w.near = &near
	case !w.asNear:
		return needsNear("within", w.args.Within)
	}
	var err error
	w.near.tool = w.caller
	if w.radius, err = searchRadius(w.args.Within); err != nil || !w.args.RecruitingSite {
		return err
	}
	if w.caller != tools.SearchTrials && w.caller != ExportTrialsName { // these callers check the sites of each trial
		return envelope.Refuse("recruiting_site", "true",
			"ClinicalTrials.gov does not count the trials with a recruiting site near a place").
			Hint("For the trials that recruit and have a site there, which may not recruit itself, call %s again with %s. "+
				"search_trials with the same filters lists those whose site recruits.", theTool,
				`{"recruiting_site":null,"status":"RECRUITING"}`)
	}
	return nil
}

// checkStatus returns the error for a call with recruiting_site whose status does not allow it: the sites of trials with another status
// than RECRUITING do not recruit.
func checkStatus(args tools.TrialFilters, status []string) error {
	if !args.RecruitingSite || len(status) == 0 || slices.Contains(status, string(recruiting)) {
		return nil
	}
	return envelope.Refuse("recruiting_site", "true",
		"a trial has a recruiting site only while its status is RECRUITING, and status is another one").
		Again(theTool, "with status RECRUITING, or without recruiting_site")
}

// statusNotice says that only recruiting trials were searched. The sites of a trial with status UNKNOWN have their last known status.
func statusNotice(status []string) []string {
	switch len(status) {
	case 0:
		return []string{"recruiting_site: trials with status RECRUITING were searched. Where the status of a trial is UNKNOWN, " +
			"a site may still have the status RECRUITING, which is its last known one."}
	case 1:
		return nil
	}
	return []string{"status: trials with status RECRUITING were searched. Others have no recruiting site."}
}

// needsNear returns the error for an argument that has no meaning without near.
func needsNear(name, value string) error {
	if value == "" {
		return nil
	}
	return envelope.Refuse(name, value, "needs near, the place that distances are from").
		Again(theTool, "with %s, or with near as well: a city, a ZIP code, or latitude and longitude", tool.Object(name, nil))
}

// recruitingNotice says from how many trials a page was selected.
func recruitingNotice(search *ctgov.Search, remain, examined int, total *int) string {
	text := fmt.Sprintf("recruiting_site: %d trials were checked for this page. Those without a recruiting site within %s were left "+
		"out; %d remain.",
		examined, search.Near.Radius.Text, remain)
	if total != nil && *total > examined {
		text += fmt.Sprintf(" In all %d recruiting trials have a site there; at how many of them it recruits is not known.", *total)
	}
	return text
}

// nearArguments are the arguments that select trials by the position of their sites only.
var nearArguments = []string{"near", "within", "recruiting_site"}

// onlyNear reports whether a search has no filter but near.
func onlyNear(given []string) bool {
	return slices.Contains(given, "near") &&
		!slices.ContainsFunc(given, func(name string) bool { return !slices.Contains(nearArguments, name) })
}

// nearAdvice says how to widen a search that found nothing near a place.
func (w *wishes) nearAdvice() string {
	if w.args.Near == "" {
		return ""
	}
	radius, _ := place.ParseRadius(cmp.Or(w.args.Within, place.DefaultRadius))
	what := "Among the trials that match the rest, none has " + w.aSite() + " within " + radius.Text + " of " +
		envelope.Quoted(w.args.Near) + "."
	if onlyNear(w.given) {
		what = "No trial has " + w.aSite() + " within " + radius.Text + " of " + envelope.Quoted(w.args.Near) + "."
	}
	for _, wider := range []string{"200 mi", widestSearch} {
		if r, _ := place.ParseRadius(wider); radius.KM < r.KM {
			return what + " Call search_trials again with " + tool.Object("within", wider) + "."
		}
	}
	if onlyNear(w.given) {
		return what
	}
	return what + ` For all places call search_trials again with {"near":null,"within":null,"recruiting_site":null}.`
}

// aSite returns the kind of site that a search requires.
func (w *wishes) aSite() string {
	if w.args.RecruitingSite {
		return "a recruiting site"
	}
	return "a site"
}

// lastKnown returns a notice if the statuses of sites are outdated.
func lastKnown(candidates []entity.TrialSearchCandidate) []string {
	if !slices.ContainsFunc(candidates, func(c entity.TrialSearchCandidate) bool {
		return c.Status == "UNKNOWN" && c.NearestSite != nil && c.NearestSite.RecruitmentStatus != ""
	}) {
		return nil
	}
	return []string{"The recruitment_status of a site is the last known one where the status of the trial is UNKNOWN."}
}
