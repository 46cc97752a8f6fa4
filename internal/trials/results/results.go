// Package results answers from the posted results of one trial: sections, tables, an overview. It reads no source.
package results

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// Answer returns the requested section.
func (c *Call) Answer(r *entity.TrialResults) (entity.TrialResults, error) {
	out := entity.TrialResults{
		ID: r.ID, BriefTitle: r.BriefTitle, HasResults: r.HasResults, ResultsFirstPosted: r.ResultsFirstPosted, Section: c.Section,
	}
	if !r.Posted() {
		out.Section, out.Unposted, out.PubMed = "", r.Unposted, r.PubMed
		c.Notes.Add(unpostedNotice(r))
		return out, nil
	}
	var err error
	switch c.Section {
	case outcomes:
		err = c.outcomes(r, &out)
	case adverseEvents:
		err = c.adverse(r, &out)
	case participantFlow:
		err = c.flow(r, &out)
	case baseline:
		err = c.baseline(r, &out)
	case comparisons, arms:
		err = c.rows(r, &out)
	case moreInfo:
		out.Limitations, out.Agreement, out.PointOfContact = r.Limitations, r.Agreement, r.PointOfContact
	default:
		c.overview(r, &out)
	}
	return out, err
}

// notPosted says that a trial has no posted results, or that its record does not say whether it has any.
func notPosted(r *entity.TrialResults) string {
	if r.HasResults == nil {
		return "The record does not say whether results are posted."
	}
	return "No results are posted."
}

// unpostedNotice reports the state of results that are not posted, and where else they may be.
func unpostedNotice(r *entity.TrialResults) string {
	u, text := r.Unposted, "This trial has posted no results at ClinicalTrials.gov, and its record mentions no submission of any."
	if u == nil {
		text = notPosted(r)
	} else if len(u.Events) > 0 || u.LastSubmitted != "" {
		var last entity.UnpostedEvent
		if n := len(u.Events); n > 0 {
			last = u.Events[n-1]
		}
		if u.LastSubmitted > last.Date && (last.Date != "" || last.Type == "") { // a step without a date may be later
			last = entity.UnpostedEvent{Type: "RELEASE", Date: u.LastSubmitted}
		}
		steps := map[string]string{
			"RELEASE":   "Results were submitted%s. ClinicalTrials.gov reviews them and has not posted them yet.",
			"RESET":     "Results were submitted, and ClinicalTrials.gov returned them for corrections%s. They are not posted.",
			"UNRELEASE": "Results were submitted, and withdrawn by the sponsor%s. They are not posted.",
		}
		on := ""
		if last.Date != "" {
			on = " on " + last.Date
		}
		text = "Results were submitted and are not posted."
		if step := steps[last.Type]; step != "" {
			text = fmt.Sprintf(step, on)
		}
	} else if u.Status == "WITHDRAWN" {
		text = "This trial was withdrawn before anybody was enrolled: it has no results, and none are to be expected."
	} else if u.DelayCertified != "" {
		text += " The sponsor certified on " + u.DelayCertified + " that they may come later."
	} else if u.PrimaryCompletionDate != "" {
		text += " Where the law demands results, they are due a year after the primary completion (" + u.PrimaryCompletionDate + ")."
	}
	if len(r.PubMed) > 0 {
		return text + " Publications: call fetchArticleDetails with " +
			tool.Object("pmids", strings.Join(r.PubMed[:min(len(r.PubMed), 20)], ",")) + "."
	}
	return text + " For publications call searchPubMedArticles with " + tool.Object("queryTerm", r.ID+"[si]") + "."
}

func (c *Call) outcomes(r *entity.TrialResults, out *entity.TrialResults) error {
	chosen, err := c.chooseOutcomes(r.OutcomeMeasures)
	if err != nil {
		return err
	}
	if c.Format == "csv" {
		return csvPage(c, out, measureColumns,
			chosen, func(w *csvTable, m entity.ResultMeasure) { w.measure(r.ID, &m, m.Groups, m.AnalyzedUnits) })
	}
	p, err := page(c, chosen, out, jsonSize)
	out.OutcomeMeasures, out.Pagination = p.items, p.pagination
	c.noteUnused(p.items)
	if len(r.OutcomeMeasures) == 0 {
		c.Notes.Add("The record has results, but no outcome measures among them.")
	}
	return err
}

func (c *Call) baseline(r *entity.TrialResults, out *entity.TrialResults) error {
	if r.Baseline == nil {
		c.Notes.Add("The record has results, but no baseline characteristics among them.")
		return nil
	}
	measures, err := c.chooseOutcomes(r.Baseline.Measures)
	if err != nil {
		return err
	}
	head := *r.Baseline
	head.Measures = nil
	if c.Format == "csv" {
		return csvPage(c, out, measureColumns, measures,
			func(w *csvTable, m entity.ResultMeasure) { w.measure(r.ID, &m, head.Groups, head.AnalyzedUnits) })
	}
	p, err := page(c, measures, head, jsonSize)
	if !p.first {
		head.Population, head.Groups = "", withoutDescriptions(head.Groups)
	}
	head.Measures = p.items
	out.Baseline, out.Pagination = &head, p.pagination
	c.noteUnused(p.items)
	return err
}

func (c *Call) flow(r *entity.TrialResults, out *entity.TrialResults) error {
	if r.ParticipantFlow == nil {
		c.Notes.Add("The record has results, but no participant flow among them.")
		return nil
	}
	head := *r.ParticipantFlow
	head.Periods = nil
	if c.Format == "csv" {
		return csvPage(c, out, flowColumns, r.ParticipantFlow.Periods,
			func(w *csvTable, p entity.FlowPeriod) { w.period(r.ID, &p, head.Groups) })
	}
	p, err := page(c, r.ParticipantFlow.Periods, head, jsonSize)
	if !p.first {
		head.Recruitment, head.PreAssignment, head.Groups = "", "", withoutDescriptions(head.Groups)
	}
	head.Periods = p.items
	out.ParticipantFlow, out.Pagination = &head, p.pagination
	return err
}

func (c *Call) adverse(r *entity.TrialResults, out *entity.TrialResults) error {
	if r.AdverseEvents == nil {
		c.Notes.Add("The record has results, but no adverse events module among them. " +
			"This does not mean that no adverse events occurred.")
		return nil
	}
	chosen := c.chooseEvents(r.AdverseEvents)
	head := *r.AdverseEvents
	head.Events = nil
	if c.Format == "csv" {
		return csvPage(c, out, eventColumns, chosen, func(w *csvTable, e entity.AdverseEvent) { w.event(r.ID, &e, head.Groups) })
	}
	p, err := page(c, chosen, head, jsonSize)
	head.Groups = slices.Clone(head.Groups)
	for i := range head.Groups {
		g := &head.Groups[i]
		switch {
		case !p.first:
			*g = entity.EventGroup{Number: g.Number, Title: g.Title}
		case c.searched() && g.Description != "":
			g.Description = ""
			c.Notes.Add("Descriptions of the groups: " + c.sectionCall(adverseEvents) + ".")
		}
	}
	if !p.first {
		head.TimeFrame, head.Description, head.MortalityComment = "", "", ""
	}
	head.Events = p.items
	out.AdverseEvents, out.Pagination = &head, p.pagination
	c.noteOverlap(r)
	return err
}
