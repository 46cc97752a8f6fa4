package trials

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/essie"
	"github.com/biofact-mcp/biofact/internal/id"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
)

// makeQuery returns the upstream query for wishes, without the page, near and the order.
func (w *wishes) makeQuery() (*ctgov.Query, error) {
	words, sites := w.sites.condition(w.args.RecruitingSite)
	query := w.parameters(words).ListStudiesParams()
	types := anyOf("StudyType", w.values.named["study_type"])
	if filter := essie.And(append([]string{sites, phaseFilter(w.phases), types, w.exactSponsors()}, w.conditions()...)...); filter != "" {
		query.FilterAdvanced = &filter
	}
	if ids := slices.Compact(w.trialIDs()); len(ids) > 0 {
		query.FilterIds = &ids
	}
	fields := append(mapping.CandidateFields(), chosenFields(w.given)...)
	query.Fields = &fields
	if size := ctgov.QuerySize(query); size > ctgov.MaxQuery {
		return nil, w.tooLong(size)
	}
	return query, nil
}

// parameters returns the filters that become parameters of the upstream, as it takes them. location has the words for its location query.
func (w *wishes) parameters(location string) (to tools.TrialFilters) {
	to.Status = w.values.named["status"]
	if w.args.RecruitingSite {
		to.Status = []string{string(recruiting)}
	}
	if w.exactSponsors() == "" { // an exact name has no influence on relevance
		to.LeadSponsor = make([]string, len(w.args.LeadSponsor))
	}
	for i, a := range to.Texts() {
		*a.Value = w.texts[i].expression
	}
	to.Location = location
	return to
}

// conditions returns the expressions of the filters that compare fields of a record.
func (w *wishes) conditions() (all []string) {
	for _, p := range w.pieces {
		if p.name != "" {
			p.expression = w.words(p.name).in(p.piece)
		}
		all = append(all, p.expression)
	}
	return all
}

// words returns the argument with a name.
func (w *wishes) words(name string) (found words) {
	for _, t := range w.texts {
		if t.name == name {
			found = t
		}
	}
	return found
}

// exactSponsors returns the filter for the lead sponsors if all of them are exact names, "" if not.
func (w *wishes) exactSponsors() string {
	var names []string
	for _, t := range w.texts {
		switch {
		case t.name != "lead_sponsor":
		case !isExactName(t.name, t.text):
			return ""
		default:
			names = append(names, t.expression)
		}
	}
	return essie.Or(names...)
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
		if p.notice != "" {
			notices = append(notices, p.notice)
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

// alternatives writes a list of names for a sentence: a, b or c.
func alternatives(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
