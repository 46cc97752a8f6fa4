package trials

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// search returns the search for the filters of a call, without its page, and notices. The location of near is found from the sites of the
// registry, which may take further requests.
func (s *Trials) search(ctx context.Context, w *wishes, notes *entity.Notes) (*ctgov.Search, []string, error) {
	decided, read, err := s.readAlternatives(ctx, w, notes)
	if err != nil {
		return nil, nil, err
	}
	params := *decided.query
	search := &ctgov.Search{Query: &params, Filter: decided.filter, Criteria: decided.wordsOf("criteria").expression,
		OnlyIncluded: w.args.CriteriaIn != "", RecruitsNear: w.near.text != "" && w.args.RecruitingSite}
	if len(read) > 0 {
		given := ctgov.Written(w.query, w.filter)
		search.Given = &given
	}
	notices := slices.Concat(w.asNearNotice(), read, decided.notices())
	if w.near.text == "" {
		return search, notices, nil
	}
	more, err := s.searchNear(ctx, w, search, notes)
	return search, append(notices, more...), err
}

// searchNear adds near, within and recruiting_site to a search.
func (s *Trials) searchNear(ctx context.Context, w *wishes, search *ctgov.Search, notes *entity.Notes) (notices []string, err error) {
	var found entity.Notes // its notices belong to the first page only
	at, err := s.spot(ctx, w.near, nil, &found)
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
		search.Filter = query.AllOf(search.Filter, query.Near(*search.Near))
		text += misplacedNotice
	}
	return append(notices, text), nil
}

// asNearNotice says that location was read as near.
func (w *wishes) asNearNotice() []string {
	if !w.asNear {
		return nil
	}
	return []string{"location: " + envelope.Quoted(w.args.Location) + " was read as near, because within is a distance from it."}
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

// spot returns the position of the place: from the given sites if they are enough, else from all sites of the registry.
func (s *Trials) spot(ctx context.Context, near nearPlace, sites []entity.TrialLocation, notes *entity.Notes) (place.Spot, error) {
	if near.at.Point != nil {
		return place.Spot{Point: *near.at.Point}, nil
	}
	spots, err := near.at.Spots(ctx, sites[:min(len(sites), place.MaxSites)])
	if err != nil {
		return place.Spot{}, err
	}
	code := ""
	if len(spots) != 1 || !near.isCertain() { // other places may have the same name, and the coordinates may be wrong
		var used entity.Notes // the age of a place is not the age of the answer, so only the requests are added
		found, err := s.sources.Trials.Places(ctx, near.at, &used)
		notes.Provenance.UpstreamRequests += used.Provenance.UpstreamRequests
		switch {
		case found != nil:
			spots, code = found.Spots, found.Code
		case len(spots) == 1:
			return spots[0], nil
		case err != nil:
			return place.Spot{}, err
		case len(spots) == 0:
			return place.Spot{}, near.notFoundError()
		}
	}
	if code != "" {
		notes.Add("near: no site has the ZIP code " + near.at.Postal + "; the nearest number with one, " + code + ", was taken.")
	}
	if near.at.Postal != "" {
		return spots[0], nil
	}
	meant, other, ok := place.Meant(spots)
	if !ok {
		return place.Spot{}, near.ambiguous(spots)
	}
	if other.Name != "" {
		notes.Add(fmt.Sprintf("near: %s was taken, where most sites called %s are. %s has this name too; for it call %s again with %s.",
			envelope.Quoted(meant.Name), envelope.Quoted(near.at.City), other.Name, near.tool, tool.Object("near", other.Name)))
	}
	return meant, nil
}
