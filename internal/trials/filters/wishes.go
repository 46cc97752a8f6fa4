// Package filters reads the filters of a call once, into wishes, and makes from them the query of the registry, the notices about how they
// were read, and the advice for an empty answer. It sends nothing.
package filters

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/register"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
)

// Wishes are the filters of a call, each read once. The query, the notices and the advice of a search, a count and an export are made from
// them. Nothing changes them.
type Wishes struct {
	Caller string             // the called tool
	Args   tools.TrialFilters // as the caller wrote them, for messages
	Given  []string           // the names of the filters that the call has

	values registryValues
	ids    []string // of nct_ids
	badIDs []string // notices about them
	Texts  []Words  // in the order of searchWords
	sites  Places
	phases []PhaseSet
	pieces []pieceRead
	Near   Near // its text is empty: anywhere
	AsNear bool // near is the text of location
	Radius place.Radius
	today  string // the day that dates may depend on

	Query  *ctgov.Query // without filter, page, order and near
	Filter query.Node   // without near; nil: none
}

// Read reads the filters of a call. Its errors name the called tool; the parsers that it calls know no tool.
func Read(caller string, args tools.TrialFilters, today *ranges.Calendar) (*Wishes, error) {
	w := &Wishes{Caller: caller, Args: args, Given: slices.DeleteFunc(args.Given(), isWords)}
	texts, pieces := args.Texts(), args.Pieces()
	for _, a := range texts {
		if pasted := envelope.PastedSearch(caller, a.Name, *a.Value, caller != tools.MatchTrials); pasted != nil {
			return nil, pasted
		}
	}
	counts, location := caller == tools.CountTrials, args.Location
	asNear, badWithin := readLocationAsNear(args)
	if w.AsNear = asNear.Text != ""; w.AsNear {
		location = ""
	}
	var badValue, badID, badText, badPlace, badPhase, badPiece, badQuery, badNear error
	w.values, badValue = readValues(args)
	w.ids, w.badIDs, badID = chosenTrials(args.NCTIDs)
	w.Texts, badText = readTexts(SearchWords(texts, &args), location)
	w.sites, badPlace = readPlaces(args, location, w.AsNear)
	w.sites.facility = w.Read("facility")
	w.phases, badPhase = readPhases(args.Phase)
	w.pieces, badPiece = readPieces(args, pieces, w.values, today, counts)
	badStatus := checkStatus(args, w.values.named["status"])
	err := cmp.Or(badWithin, badValue, badID, badText, badPlace, badPhase, badPiece, badStatus)
	if err == nil {
		badQuery = w.makeQuery()
		w.Near, w.Radius, badNear = readCircle(args, asNear, counts)
		err = cmp.Or(badQuery, checkCriteria(args, w.WordsOf("criteria").Expression), badNear)
	}
	if err != nil {
		return nil, ForTool(caller, err)
	}
	w.Near.Tool, w.today = caller, today.Today.Format(time.DateOnly)
	return w, nil
}

// makeQuery makes the upstream query for wishes, without the page, near and the order.
func (w *Wishes) makeQuery() error {
	words, sites := w.sites.condition(w.Args.RecruitingSite)
	w.Query = w.parameters(words).ListStudiesParams()
	types := anyOf("StudyType", w.values.named["study_type"])
	w.Filter = query.AllOf(append([]query.Node{sites, phaseFilter(w.phases), types, w.exactSponsors()}, w.conditions()...)...)
	if ids := slices.Compact(w.trialIDs()); len(ids) > 0 {
		w.Query.FilterIds = &ids
	}
	fields := append(mapping.CandidateFields(), chosenFields(w.Given)...)
	w.Query.Fields = &fields
	if size := ctgov.QuerySize(w.Query, w.Filter); size > ctgov.MaxQuery {
		return tooLong(w.Caller, w.longTexts(), size)
	}
	return nil
}

// parameters returns the filters that become parameters of the upstream, as it takes them. location has the words for its location query,
// nil for none.
func (w *Wishes) parameters(location query.Node) (to tools.TrialFilters) {
	to.Status = w.values.named["status"]
	if w.Args.RecruitingSite {
		to.Status = []string{string(Recruiting)}
	}
	if w.exactSponsors() == nil { // an exact name has no influence on relevance
		to.LeadSponsor = make([]string, len(w.Args.LeadSponsor))
	}
	for i, a := range to.Texts() {
		*a.Value = w.Texts[i].Expression
	}
	if location != nil {
		to.Location = location.String()
	}
	return to
}

// conditions returns the nodes of the filters that compare fields of a record.
func (w *Wishes) conditions() (all []query.Node) {
	for _, p := range w.pieces {
		switch {
		case p.within != ranges.Range{}:
			p.node = query.InRange(p.piece, p.within)
		case p.name == "facility": // a condition of the site at the place
		case p.name != "":
			p.node = w.WordsOf(p.name).in(p.piece)
		}
		all = append(all, p.node)
	}
	return all
}

// WordsOf returns the argument with the name.
func (w *Wishes) WordsOf(name string) (found Words) {
	for _, t := range w.Texts {
		if t.Name == name {
			found = t
		}
	}
	return found
}

// Read returns a text argument as it was read, nil if it was not given.
func (w *Wishes) Read(argument string) *query.Text { return w.WordsOf(argument).read }

// Number returns the number in another register that query is; nil: it is other words.
func (w *Wishes) Number() *register.Number { return w.WordsOf("query").number }

// exactSponsors returns the filter for the lead sponsors if all of them are exact names, nil if not.
func (w *Wishes) exactSponsors() query.Node {
	var names []query.Node
	for _, t := range w.Texts {
		switch {
		case t.Name != "lead_sponsor":
		case !IsExactName(t.Name, t.Text):
			return nil
		default:
			names = append(names, exactName(t.Text))
		}
	}
	return query.AnyOf(names...)
}

// trialIDs returns the ids to look up, those of nct_ids and of query, in ascending order.
func (w *Wishes) trialIDs() []string {
	ids := slices.Clone(w.ids)
	for _, t := range w.Texts {
		ids = append(ids, t.ids...)
	}
	slices.Sort(ids)
	return ids
}

// Notices says how the filters were read.
func (w *Wishes) Notices() []string {
	notices := slices.Concat(w.values.notices, w.badIDs)
	for _, t := range w.Texts {
		notices = append(notices, t.notices(w.Caller)...)
	}
	notices = slices.Concat(notices, w.sites.notices(w.Caller), phaseNotices(w.phases))
	for _, p := range w.pieces {
		if p.within.Relative {
			notices = append(notices,
				fmt.Sprintf("%s: %s was read as %s; today is %s.", p.name, envelope.Quoted(p.text), p.within, w.today))
		}
	}
	if w.Args.CriteriaIn != "" && w.Caller == tools.CountTrials { // other tools read the text of each trial
		notices = append(notices, "criteria_in: ClinicalTrials.gov does not count inclusion and exclusion criteria apart. The numbers are "+
			"upper bounds, with the trials that have the words among their exclusions alone; search_trials leaves these out.")
	}
	if w.sites.facility != nil && w.Near.Text != "" {
		notices = append(notices, "facility: the site with this name may be another one than that near the place.")
	}
	if w.Args.RecruitingSite {
		notices = append(notices, statusNotice(w.values.named["status"])...)
	}
	if ids := w.trialIDs(); len(ids) > 1 && slices.Contains(ids, PlaceholderNCT) {
		notices = append(notices, "No trial has the id "+id.NCT.CURIE(PlaceholderNCT)+".")
	}
	return notices
}

// longTexts returns the arguments that can be long, with their expressions: those that are texts, then expression, then those that compare
// one piece.
func (w *Wishes) longTexts() (texts []Words) {
	for _, t := range w.Texts {
		if t.Param == "" {
			continue
		}
		if t.Name == "location" && len(w.sites.location) > 0 {
			words, filter := query.At(place.Readings(w.sites.location), nil)
			if at := query.AllOf(words, filter); at != nil {
				t.Expression = at.String()
			}
		}
		texts = append(texts, t)
	}
	texts = append(texts, Words{Name: "expression", Text: w.Args.Expression, Expression: w.Args.Expression})
	for _, p := range w.Args.Pieces() {
		texts = append(texts, Words{Name: p.Name, Text: p.Text, Expression: query.ReadText(p.Text).Expression})
	}
	return texts
}

// DropPlaceholder removes placeholderNCT from a lookup, and reports whether any id remains.
func DropPlaceholder(params *ctgov.Query) bool {
	ids := slices.DeleteFunc(slices.Clone(*params.FilterIds), func(nct string) bool { return nct == PlaceholderNCT })
	params.FilterIds = &ids
	return len(ids) > 0
}

// AsNearNotice says that location was read as near.
func (w *Wishes) AsNearNotice() []string {
	if !w.AsNear {
		return nil
	}
	return []string{"location: " + envelope.Quoted(w.Args.Location) + " was read as near, because within is a distance from it."}
}
