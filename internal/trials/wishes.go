package trials

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
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
)

// wishes are the filters of a call, each read once. The query, the notices and the advice of a search, a count and an export are made from
// them. Nothing changes them.
type wishes struct {
	caller string             // the called tool
	args   tools.TrialFilters // as the caller wrote them, for messages
	given  []string           // the names of the filters that the call has

	values registryValues
	ids    []string // of nct_ids
	badIDs []string // notices about them
	texts  []words  // in the order of searchWords
	sites  placesRead
	phases []phaseRead
	pieces []pieceRead
	near   nearPlace // its text is empty: anywhere
	asNear bool      // near is the text of location
	radius place.Radius
	today  string // the day that dates may depend on

	query  *ctgov.Query // without filter, page, order and near
	filter query.Node   // without near; nil: none
}

// readWishes reads the filters of a call. Its errors name the called tool; the parsers that it calls know no tool.
func readWishes(caller string, args tools.TrialFilters, today *ranges.Calendar) (*wishes, error) {
	w := &wishes{caller: caller, args: args, given: args.Given()}
	texts, pieces := args.Texts(), args.Pieces()
	counts, location := caller == tools.CountTrials, args.Location
	asNear, badWithin := readLocationAsNear(args)
	if w.asNear = asNear.text != ""; w.asNear {
		location = ""
	}
	var badValue, badID, badText, badPlace, badPhase, badPiece, badQuery, badNear error
	w.values, badValue = readValues(args)
	w.ids, w.badIDs, badID = chosenTrials(args.NCTIDs)
	w.texts, badText = readTexts(searchWords(texts, &args), location)
	w.sites, badPlace = readPlaces(args, location, w.asNear)
	w.phases, badPhase = readPhases(args.Phase)
	w.pieces, badPiece = readPieces(args, pieces, w.values, today, counts)
	badStatus := checkStatus(args, w.values.named["status"])
	err := cmp.Or(badWithin, badValue, badID, badText, badPlace, badPhase, badPiece, badStatus)
	if err == nil {
		badQuery = w.makeQuery()
		w.near, w.radius, badNear = readCircle(args, asNear, counts)
		err = cmp.Or(badQuery, checkCriteria(args, w.wordsOf("criteria").expression, counts), badNear)
	}
	if err != nil {
		return nil, forTool(caller, err)
	}
	w.near.tool, w.today = caller, today.Today.Format(time.DateOnly)
	return w, nil
}

// with returns the wishes with other words.
func (w *wishes) with(texts []words) (*wishes, error) {
	other := *w
	other.texts = texts
	if err := other.makeQuery(); err != nil {
		return nil, forTool(w.caller, err)
	}
	return &other, nil
}

// makeQuery makes the upstream query for wishes, without the page, near and the order.
func (w *wishes) makeQuery() error {
	words, sites := w.sites.condition(w.args.RecruitingSite)
	w.query = w.parameters(words).ListStudiesParams()
	types := anyOf("StudyType", w.values.named["study_type"])
	w.filter = query.AllOf(append([]query.Node{sites, phaseFilter(w.phases), types, w.exactSponsors()}, w.conditions()...)...)
	if ids := slices.Compact(w.trialIDs()); len(ids) > 0 {
		w.query.FilterIds = &ids
	}
	fields := append(mapping.CandidateFields(), chosenFields(w.given)...)
	w.query.Fields = &fields
	if size := ctgov.QuerySize(w.query, w.filter); size > ctgov.MaxQuery {
		return tooLong(w.caller, w.longTexts(), size)
	}
	return nil
}

// parameters returns the filters that become parameters of the upstream, as it takes them. location has the words for its location query,
// nil for none.
func (w *wishes) parameters(location query.Node) (to tools.TrialFilters) {
	to.Status = w.values.named["status"]
	if w.args.RecruitingSite {
		to.Status = []string{string(recruiting)}
	}
	if w.exactSponsors() == nil { // an exact name has no influence on relevance
		to.LeadSponsor = make([]string, len(w.args.LeadSponsor))
	}
	for i, a := range to.Texts() {
		*a.Value = w.texts[i].expression
	}
	if location != nil {
		to.Location = location.String()
	}
	return to
}

// conditions returns the nodes of the filters that compare fields of a record.
func (w *wishes) conditions() (all []query.Node) {
	for _, p := range w.pieces {
		switch {
		case p.within != ranges.Range{}:
			p.node = query.InRange(p.piece, p.within)
		case p.name != "":
			p.node = w.wordsOf(p.name).in(p.piece)
		}
		all = append(all, p.node)
	}
	return all
}

// wordsOf returns the argument with the name.
func (w *wishes) wordsOf(name string) (found words) {
	for _, t := range w.texts {
		if t.name == name {
			found = t
		}
	}
	return found
}

// exactSponsors returns the filter for the lead sponsors if all of them are exact names, nil if not.
func (w *wishes) exactSponsors() query.Node {
	var names []query.Node
	for _, t := range w.texts {
		switch {
		case t.name != "lead_sponsor":
		case !isExactName(t.name, t.text):
			return nil
		default:
			names = append(names, exactName(t.text))
		}
	}
	return query.AnyOf(names...)
}

// trialIDs returns the ids to look up, those of nct_ids and of query, in ascending order.
func (w *wishes) trialIDs() []string {
	ids := slices.Clone(w.ids)
	for _, t := range w.texts {
		ids = append(ids, t.ids...)
	}
	slices.Sort(ids)
	return ids
}

// notices says how the filters were read.
func (w *wishes) notices() []string {
	notices := slices.Concat(w.values.notices, w.badIDs)
	for _, t := range w.texts {
		notices = append(notices, t.notices(w.caller)...)
	}
	notices = slices.Concat(notices, w.sites.notices(w.caller), phaseNotices(w.caller, w.phases))
	for _, p := range w.pieces {
		if p.within.Relative {
			notices = append(notices,
				fmt.Sprintf("%s: %s was read as %s; today is %s.", p.name, envelope.Quoted(p.text), p.within, w.today))
		}
	}
	if w.args.RecruitingSite {
		notices = append(notices, statusNotice(w.values.named["status"])...)
	}
	if ids := w.trialIDs(); len(ids) > 1 && slices.Contains(ids, placeholderNCT) {
		notices = append(notices, "No trial has the id "+id.NCT.CURIE(placeholderNCT)+".")
	}
	return notices
}

// longTexts returns the arguments that can be long, with their expressions: those that are texts, then expression, then those that compare
// one piece.
func (w *wishes) longTexts() (texts []words) {
	for _, t := range w.texts {
		if t.param == "" {
			continue
		}
		if t.name == "location" && w.sites.location != nil {
			words, filter := query.At(*w.sites.location, false)
			if at := query.AllOf(words, filter); at != nil {
				t.expression = at.String()
			}
		}
		texts = append(texts, t)
	}
	texts = append(texts, words{name: "expression", text: w.args.Expression, expression: w.args.Expression})
	for _, p := range w.args.Pieces() {
		texts = append(texts, words{name: p.Name, text: p.Text, expression: query.ReadText(p.Text).Expression})
	}
	return texts
}

// dropPlaceholder removes placeholderNCT from a lookup, and reports whether any id remains.
func dropPlaceholder(params *ctgov.Query) bool {
	ids := slices.DeleteFunc(slices.Clone(*params.FilterIds), func(nct string) bool { return nct == placeholderNCT })
	params.FilterIds = &ids
	return len(ids) > 0
}
