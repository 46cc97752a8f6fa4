package results

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
)

// overviewBytes limits an overview.
const overviewBytes = 15_500

// overviewLimits say how much of a record an overview shows.
type overviewLimits struct {
	text           int // characters of a description or a comment
	more           int // characters of the limitations, and of the agreement
	rows, analyses int // of a primary outcome
	primaries      int // bytes of the primary outcomes
	index          int // entries of the index
	events         int // events of each kind: serious and other
	groups         int // of the flow and of the adverse events
}

// overviewSteps are tried in turn until the overview fits.
var overviewSteps = []overviewLimits{
	{80, 5000, 12, 3, 8000, 60, 8, 40},
	{80, 5000, 12, 3, 8000, 60, 8, 12},
	{80, 1000, 12, 3, 6000, 40, 6, 12},
	{80, 500, 8, 2, 4000, 30, 5, 8},
	{80, 200, 6, 1, 2500, 20, 3, 6},
	{60, 60, 4, 1, 1500, 10, 2, 4},
	{40, 40, 2, 1, 800, 5, 1, 2},
}

// overview writes the most important facts of all sections.
func (c *Call) overview(r *entity.TrialResults, out *entity.TrialResults) {
	head, budget := *out, min(overviewBytes, c.budget-envelope.ReservedBytes)
	for i, limits := range overviewSteps {
		o := overviewBuilder{record: r, overviewLimits: limits}
		*out = head
		o.build(c, out)
		if entity.Size(*out)+entity.Size(o.notices) <= budget || i == len(overviewSteps)-1 {
			c.Notes.Add(o.notices...)
			return
		}
	}
}

// An overviewBuilder builds the overview of a record.
type overviewBuilder struct {
	overviewLimits
	record  *entity.TrialResults
	notices []string
	left    []string // parts that are not shown
	texts   bool     // a text was cut
}

func (o *overviewBuilder) build(c *Call, out *entity.TrialResults) {
	r := o.record
	out.Limitations, out.Agreement, out.PointOfContact = entity.Cut(r.Limitations, o.more), r.Agreement, r.PointOfContact
	if r.Agreement != nil {
		agreement := *r.Agreement
		agreement.Details = entity.Cut(agreement.Details, o.more)
		out.Agreement = &agreement
	}
	if out.Limitations != r.Limitations || r.Agreement != nil && out.Agreement.Details != r.Agreement.Details {
		o.leftOut("limitations or agreement (whole: %s)", c.sectionCall(moreInfo))
	}
	out.PubMed = r.PubMed[:min(len(r.PubMed), 20)]
	if n := len(r.PubMed) - len(out.PubMed); n > 0 {
		o.leftOut("%d PMIDs (all: %s with {\"nct_id\":%q,\"sections\":[\"references\"]})", n, tools.GetTrial, c.NCTID)
	}
	out.ParticipantFlow = o.flow()
	out.OutcomeMeasures = o.primaries(c)
	out.OutcomeIndex = o.outcomeIndex(out.OutcomeMeasures)
	out.AdverseEvents = o.adverseEvents()
	if o.texts {
		o.leftOut("texts that end in …")
	}
	text := ""
	if o.left != nil {
		text = "Left out or cut: " + strings.Join(o.left, "; ") + ". "
	}
	var calls []string
	for _, section := range []string{outcomes, adverseEvents, participantFlow, baseline} {
		calls = append(calls, c.sectionCall(section))
	}
	o.note("%sIn full: %s.", text, strings.Join(calls, "; "))
}

// leftOut notes a part that the overview does not show.
func (o *overviewBuilder) leftOut(format string, args ...any) {
	o.left = append(o.left, fmt.Sprintf(format, args...))
}

func (o *overviewBuilder) note(format string, args ...any) {
	o.notices = append(o.notices, fmt.Sprintf(format, args...))
}

// short cuts a text to the limit of the overview.
func (o *overviewBuilder) short(text string) string { return o.cutTo(text, o.text) }

func (o *overviewBuilder) cutTo(text string, limit int) string {
	out := entity.Cut(text, limit)
	o.texts = o.texts || len(out) < len(text)
	return out
}

func (o *overviewBuilder) flow() *entity.ParticipantFlow {
	f := o.record.ParticipantFlow
	if f == nil {
		o.note("The record has no participant flow.")
		return nil
	}
	out := &entity.ParticipantFlow{Units: f.Units, Groups: slices.Clone(f.Groups[:min(len(f.Groups), o.groups)])}
	for i := range out.Groups {
		out.Groups[i].Description = o.short(out.Groups[i].Description)
	}
	const maxPeriods = 4
	withdrawals := false
	for i := range f.Periods[:min(len(f.Periods), maxPeriods)] {
		p := &f.Periods[i]
		withdrawals = withdrawals || len(p.Withdrawals) > 0
		out.Periods = append(out.Periods, entity.FlowPeriod{Title: p.Title, Milestones: o.flowRows(p.Milestones)})
	}
	if withdrawals {
		o.leftOut("reasons of withdrawal")
	}
	if n := len(f.Groups) - len(out.Groups); n > 0 {
		o.leftOut("%d of %d groups of the flow", n, len(f.Groups))
	}
	if n := len(f.Periods) - len(out.Periods); n > 0 {
		o.leftOut("%d of %d periods", n, len(f.Periods))
	}
	return out
}

// flowRows returns rows with the cells of the shown groups, without comments.
func (o *overviewBuilder) flowRows(rows []entity.FlowRow) []entity.FlowRow {
	var out []entity.FlowRow
	for i := range rows {
		row := entity.FlowRow{Type: rows[i].Type}
		for _, cell := range rows[i].Cells {
			if cell.Group <= o.groups {
				cell.Comment = ""
				row.Cells = append(row.Cells, cell)
			}
		}
		out = append(out, row)
	}
	return out
}

// primaries returns the primary outcomes in the order of the record, until their limit is reached.
func (o *overviewBuilder) primaries(c *Call) []entity.ResultMeasure {
	var out []entity.ResultMeasure
	all, used, partly := 0, 0, []string(nil)
	for i := range o.record.OutcomeMeasures {
		m := o.record.OutcomeMeasures[i]
		if m.Type != "PRIMARY" {
			continue
		}
		if all++; all > len(out)+1 {
			continue // an earlier one did not fit
		}
		full := m
		o.trim(&m)
		if size := entity.Size(m); used+size > o.overviewLimits.primaries {
			if len(out) > 0 {
				continue
			}
			m.Rows = envelope.DropLast(m.Rows, size-o.overviewLimits.primaries)
			m.Analyses = envelope.DropLast(m.Analyses, entity.Size(m)-o.overviewLimits.primaries)
		}
		if len(m.Rows) < len(full.Rows) || len(m.Analyses) < len(full.Analyses) {
			partly = append(partly, fmt.Sprintf("%d (%d of %d rows, %d of %d analyses)", m.Number, len(m.Rows), len(full.Rows),
				len(m.Analyses), len(full.Analyses)))
		}
		used += entity.Size(m)
		out = append(out, m)
	}
	if len(out) < all {
		o.leftOut("%d of %d primary outcomes", all-len(out), all)
	}
	if partly != nil {
		o.leftOut("outcome %s: outcome %d in full: %s", strings.Join(partly, ", "), out[0].Number,
			c.call(tools.GetTrialResultsArgs{Outcome: strconv.Itoa(out[0].Number)}))
	}
	return out
}

// trim removes the parts of a measure that an overview does not show.
func (o *overviewBuilder) trim(m *entity.ResultMeasure) {
	m.Description, m.Population, m.ReportingStatus = "", o.short(m.Population), ""
	m.TimeFrame, m.Groups = o.cutTo(m.TimeFrame, 2*o.text), withoutDescriptions(m.Groups)
	m.Rows = slices.Clone(m.Rows[:min(len(m.Rows), o.rows)])
	for i := range m.Rows {
		m.Rows[i].Cells = slices.Clone(m.Rows[i].Cells)
		for j := range m.Rows[i].Cells {
			m.Rows[i].Cells[j].Number = nil // the field value has it
		}
	}
	m.Analyses = slices.Clone(m.Analyses[:min(len(m.Analyses), o.analyses)])
	for i := range m.Analyses {
		a := &m.Analyses[i]
		a.POperator, a.PNumber, a.TestedNonInferiority = "", nil, nil // the fields p_value and hypothesis have them
		for _, text := range []*string{&a.Description, &a.MethodComment, &a.PComment, &a.LowerComment, &a.UpperComment,
			&a.HypothesisComment, &a.Comment, &a.OtherAnalysis} {
			*text = o.short(*text)
		}
	}
}

// outcomeIndex lists the outcomes that are not shown.
func (o *overviewBuilder) outcomeIndex(shown []entity.ResultMeasure) []entity.OutcomeIndexEntry {
	all := o.record.OutcomeMeasures
	var out []entity.OutcomeIndexEntry
	for i := range all[:min(len(all), o.index)] {
		if slices.ContainsFunc(shown, func(m entity.ResultMeasure) bool { return m.Number == all[i].Number }) {
			continue
		}
		out = append(out, entity.OutcomeIndexEntry{Number: all[i].Number, Type: all[i].Type})
	}
	nameApart(out, all)
	switch {
	case len(all) == 0:
		o.note("The record has no outcome measures.")
	case len(all) > len(out)+len(shown):
		o.leftOut("%d of %d outcomes (the argument outcome finds them by words)", len(all)-len(out)-len(shown), len(all))
	}
	return out
}

// nameApart sets the titles of entries of the index, and time frames where titles are equal.
func nameApart(entries []entity.OutcomeIndexEntry, all []entity.ResultMeasure) {
	const limit = 50
	titles, times, count := make([]string, len(entries)), make([]string, len(entries)), map[string]int{}
	for i := range entries {
		m := &all[entries[i].Number-1]
		titles[i], times[i] = m.Title, m.TimeFrame
		count[m.Title]++
	}
	cutTitles, cutTimes := entity.CutApart(titles, limit), entity.CutApart(times, limit)
	for i := range entries {
		entries[i].Title = cutTitles[i]
		if count[titles[i]] > 1 {
			entries[i].TimeFrame = cutTimes[i]
		}
	}
}

func (o *overviewBuilder) adverseEvents() *entity.AdverseEventResults {
	a := o.record.AdverseEvents
	if a == nil {
		o.note("The record has no adverse events module. This does not mean that no adverse events occurred.")
		return nil
	}
	out := &entity.AdverseEventResults{
		TimeFrame: o.cutTo(a.TimeFrame, 2*o.text), Description: o.short(a.Description), FrequencyThreshold: a.FrequencyThreshold,
		MortalityComment: o.short(a.MortalityComment), Groups: slices.Clone(a.Groups[:min(len(a.Groups), o.groups)]),
	}
	for i := range out.Groups {
		out.Groups[i].Description = ""
	}
	out.Events = append(o.frequent(a, true), o.frequent(a, false)...)
	if len(a.Events) == 0 {
		o.note("The record lists no adverse event terms.")
	}
	if n := len(a.Events) - len(out.Events); n > 0 {
		o.leftOut("%d of %d adverse events (lower rates)", n, len(a.Events))
	}
	if n := len(a.Groups) - len(out.Groups); n > 0 {
		o.leftOut("%d of %d groups of the adverse events", n, len(a.Groups))
	}
	if notice := overlap(o.record); notice != "" {
		o.note("%s", notice)
	}
	return out
}

// frequent returns the events with the highest rate in any of the shown groups. A cell omits a number at risk that is equal to that of its
// group.
func (o *overviewBuilder) frequent(a *entity.AdverseEventResults, serious bool) []entity.AdverseEvent {
	type rated struct {
		*entity.AdverseEvent
		rate float64
	}
	var all []rated
	for i := range a.Events {
		if rate, _ := highestRate(&a.Events[i], o.groups); rate > 0 && a.Events[i].Serious == serious {
			all = append(all, rated{&a.Events[i], rate})
		}
	}
	slices.SortStableFunc(all, func(a, b rated) int { return cmp.Compare(b.rate, a.rate) })
	var out []entity.AdverseEvent
	for _, e := range all[:min(len(all), o.events)] {
		brief := entity.AdverseEvent{Term: e.Term, Serious: e.Serious}
		for _, cell := range e.Cells {
			if cell.Group > o.groups {
				continue
			}
			cell.Events = nil
			if cell.Affected != nil && *cell.Affected == 0 {
				cell.PercentComputed = nil
			}
			if cell.AtRisk != nil && cell.Affected != nil && atRisk(&a.Groups[cell.Group-1], serious) == *cell.AtRisk {
				cell.AtRisk = nil
			}
			brief.Cells = append(brief.Cells, cell)
		}
		out = append(out, brief)
	}
	return out
}

// atRisk returns the number at risk of a group; -1 if it is not stated.
func atRisk(g *entity.EventGroup, serious bool) int {
	n := g.OtherAtRisk
	if serious {
		n = g.SeriousAtRisk
	}
	if n == nil {
		return -1
	}
	return *n
}

// noteOverlap adds a notice if the numbers show that groups overlap.
func (c *Call) noteOverlap(r *entity.TrialResults) {
	if notice := overlap(r); notice != "" {
		c.Notes.Add(notice)
	}
}

// overlap returns a notice if the groups have more participants at risk than participants who started: some are then in several groups. It
// returns "" if the numbers do not show that.
func overlap(r *entity.TrialResults) string {
	if r.ParticipantFlow == nil {
		return ""
	}
	atRisk, started := 0, 0
	for _, g := range r.AdverseEvents.Groups {
		if g.SeriousAtRisk != nil {
			atRisk += *g.SeriousAtRisk
		}
	}
	most := map[int]int{} // participants who started, by group, in the period with the most
	for _, p := range r.ParticipantFlow.Periods {
		for _, m := range p.Milestones {
			for _, cell := range m.Cells {
				if n, err := strconv.Atoi(cell.Participants); err == nil && m.Type == "STARTED" {
					most[cell.Group] = max(most[cell.Group], n)
				}
			}
		}
	}
	for _, n := range most {
		started += n
	}
	if started == 0 || atRisk <= started {
		return ""
	}
	return fmt.Sprintf("The groups of the adverse events overlap: no more than %d participants started, and the groups have %d at risk "+
		"together. A participant counts in several of them; do not add their numbers up.", started, atRisk)
}
