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
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// widestSearch is the longest distance that a search takes.
const widestSearch = "500 mi"

// trialSearch returns the search for the filters of a call, without its page, and notices. The location of near is found from the sites of
// the registry, which may take further requests.
func (s *Trials) trialSearch(
	ctx context.Context, caller string, args tools.TrialFilters, today *ranges.Calendar, notes *entity.Notes,
) (*ctgov.Search, []string, error) {
	var asNear []string
	if args.Near == "" && args.Within != "" && args.Location != "" {
		if err := locationAsNear(caller, &args); err != nil {
			return nil, nil, err
		}
		asNear = []string{"location: " + envelope.Quoted(args.Near) + " was read as near, because within is a distance from it."}
	}
	search, notices, err := readSearch(caller, args, today) // before any request
	if err != nil {
		return nil, nil, err
	}
	read, err := s.readAlternatives(ctx, caller, &args, notes)
	if err == nil && len(read) > 0 {
		given := search.Query
		if search, notices, err = readSearch(caller, args, today); err == nil {
			search.Given = given
		}
	}
	if err != nil {
		return nil, nil, err
	}
	notices = slices.Concat(asNear, read, notices)
	if args.Near == "" {
		return search, notices, nil
	}
	more, err := s.searchNear(ctx, caller, args, search, notes)
	return search, append(notices, more...), err
}

// readSearch returns the search for the filters of a call, and notices. It checks near, within and recruiting_site, which searchNear adds.
func readSearch(caller string, args tools.TrialFilters, today *ranges.Calendar) (*ctgov.Search, []string, error) {
	query, notices, err := trialQuery(caller, args, today)
	if err != nil {
		return nil, nil, err
	}
	search := &ctgov.Search{Query: query, Criteria: essie.Parse(args.Criteria).Expression, OnlyIncluded: args.CriteriaIn != ""}
	if err := checkCriteria(caller, args, search.Criteria); err != nil {
		return nil, nil, err
	}
	if args.Near == "" {
		return search, notices, needsNear(caller, "within", args.Within)
	}
	_, _, err = readCircle(caller, args, search)
	return search, notices, err
}

// readCircle reads near, within and recruiting_site of a search.
func readCircle(caller string, args tools.TrialFilters, search *ctgov.Search) (near nearPlace, radius place.Radius, err error) {
	if near, err = readNear(caller, args.Near, args.Country); err == nil {
		radius, err = searchRadius(caller, args.Within)
	}
	if err == nil && args.RecruitingSite {
		err = recruitingNear(caller, search)
	}
	return near, radius, err
}

// searchNear adds near, within and recruiting_site to a search.
func (s *Trials) searchNear(ctx context.Context, caller string, args tools.TrialFilters, search *ctgov.Search,
	notes *entity.Notes) (notices []string, err error) {
	near, radius, err := readCircle(caller, args, search)
	if err != nil {
		return nil, err
	}
	var found entity.Notes // its notices belong to the first page only
	at, err := s.spot(ctx, near, nil, &found)
	notes.Provenance.UpstreamRequests += found.Provenance.UpstreamRequests
	if err != nil {
		return nil, err
	}
	notices = append(notices, found.Notices...)
	if radius.Guessed {
		notices = append(notices, guessedUnit(args.Within, radius))
	}
	search.Near = &place.Circle{Center: at.Point, Radius: radius, Misplaced: at.Misplaced}
	filter, fields := search.Near.Filter(), append(*search.Fields, mapping.NearSiteFields()...)
	search.FilterGeo, search.Fields = &filter, &fields
	text := "near: trials with a site within " + radius.Text + " of " + at.String() + " were searched. " +
		"A distance is that of the site's city."
	if len(at.Misplaced) > 0 { // filter.geo knows coordinates only
		byName := essie.Near(*search.Near)
		if search.FilterAdvanced != nil {
			byName = essie.And(*search.FilterAdvanced, byName)
		}
		search.FilterGeo, search.FilterAdvanced = nil, &byName
		text += misplacedNotice
	}
	return append(notices, text), nil
}

// misplacedNotice says how sites with wrong coordinates count.
const misplacedNotice = " Some sites of this place have the coordinates of another one in the records; they count as here."

// searchRadius reads the argument within of a search.
func searchRadius(caller, text string) (place.Radius, error) {
	radius, err := readRadius(caller, text)
	widest, _ := place.ParseRadius(widestSearch)
	if err == nil && radius.KM > widest.KM {
		err = &entity.Error{
			Code:    entity.InvalidInput,
			Message: "within: " + envelope.Quoted(text) + " is more than " + widestSearch + ", the longest distance of a search.",
			Hint: "Call " + caller + " again with " + tool.Object("within", widestSearch) +
				`, or with a country in place of near: {"near":null,"within":null,"country":"United States"}.`,
			Input: text,
		}
	}
	return radius, err
}

// recruitingNear restricts a search to trials with a recruiting site near the place.
func recruitingNear(caller string, search *ctgov.Search) error {
	if caller != tools.SearchTrials && caller != ExportTrialsName { // these callers check the sites of each trial
		return &entity.Error{
			Code:    entity.InvalidInput,
			Message: "recruiting_site: ClinicalTrials.gov does not count the trials with a recruiting site near a place.",
			Hint: "For the trials that recruit and have a site there, which may not recruit itself, call " + caller +
				` again with {"recruiting_site":null,"status":"RECRUITING"}. search_trials with the same filters lists those whose site recruits.`,
			Input: "true",
		}
	}
	search.RecruitsNear = true
	return nil
}

// onlyRecruiting restricts a search to trials with status RECRUITING: the sites of other trials do not recruit. The sites of a trial with
// status UNKNOWN have their last known status.
func onlyRecruiting(caller string, query *ctgov.Query) (notices []string, err error) {
	only := []ctgov.Status{"RECRUITING"}
	given := query.FilterOverallStatus
	query.FilterOverallStatus = &only
	switch {
	case given == nil:
		notices = append(notices, "recruiting_site: trials with status RECRUITING were searched. Where the status of a trial is UNKNOWN, "+
			"a site may still have the status RECRUITING, which is its last known one.")
	case slices.Equal(*given, only):
	case slices.Contains(*given, only[0]):
		notices = append(notices, "status: trials with status RECRUITING were searched. Others have no recruiting site.")
	default:
		return nil, &entity.Error{
			Code:    entity.InvalidInput,
			Message: "recruiting_site: a trial has a recruiting site only while its status is RECRUITING, and status is another one.",
			Hint:    "Call " + caller + " again with status RECRUITING, or without recruiting_site.",
			Input:   "true",
		}
	}
	return notices, nil
}

// locationAsNear reads location as near in a call with a distance and without near.
func locationAsNear(caller string, args *tools.TrialFilters) error {
	if _, err := readNear(caller, args.Location, args.Country); err != nil { // several places, or none
		return &entity.Error{
			Code: entity.InvalidInput, Message: "within: is a distance from one city, ZIP code or point, and location is another text.",
			Hint: "Call " + caller + ` again with {"within":null}.`, Input: args.Within,
		}
	}
	args.Near, args.Location = args.Location, ""
	return nil
}

// needsNear returns the error for an argument that has no meaning without near.
func needsNear(caller, name, value string) error {
	if value == "" {
		return nil
	}
	return &entity.Error{
		Code:    entity.InvalidInput,
		Message: name + ": needs near, the place that distances are from.",
		Hint: "Call " + caller + " again with " + tool.Object(name, nil) +
			", or with near as well: a city, a ZIP code, or latitude and longitude.",
		Input: value,
	}
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
func nearAdvice(args tools.TrialFilters) string {
	if args.Near == "" {
		return ""
	}
	radius, _ := place.ParseRadius(cmp.Or(args.Within, place.DefaultRadius))
	what := "Among the trials that match the rest, none has " + aSite(args) + " within " + radius.Text + " of " +
		envelope.Quoted(args.Near) + "."
	if onlyNear(args.Given()) {
		what = "No trial has " + aSite(args) + " within " + radius.Text + " of " + envelope.Quoted(args.Near) + "."
	}
	for _, wider := range []string{"200 mi", widestSearch} {
		if r, _ := place.ParseRadius(wider); radius.KM < r.KM {
			return what + " Call search_trials again with " + tool.Object("within", wider) + "."
		}
	}
	if onlyNear(args.Given()) {
		return what
	}
	return what + ` For all places call search_trials again with {"near":null,"within":null,"recruiting_site":null}.`
}

// aSite returns the kind of site that a search requires.
func aSite(args tools.TrialFilters) string {
	if args.RecruitingSite {
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
