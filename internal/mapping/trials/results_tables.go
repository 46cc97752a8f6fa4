package trials

import (
	"math"
	"strconv"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

func participantFlow(f *ctgov.ParticipantFlowModule) *entity.ParticipantFlow {
	groups := &groupTable{}
	for i := range f.Groups {
		groups.add(f.Groups[i].Id, f.Groups[i].Title, f.Groups[i].Description)
	}
	out := entity.ParticipantFlow{
		Recruitment:   text.CleanMarkup(f.RecruitmentDetails),
		PreAssignment: text.CleanMarkup(f.PreAssignmentDetails),
		Units:         text.Clean(f.TypeUnitsAnalyzed),
	}
	for i := range f.Periods {
		p := &f.Periods[i]
		period := entity.FlowPeriod{Title: text.Clean(p.Title)}
		for j := range p.Milestones {
			m := &p.Milestones[j]
			period.Milestones = appendFlow(period.Milestones, m.Type, m.Comment, flowCells(m.Achievements, groups))
		}
		for j := range p.DropWithdraws {
			w := &p.DropWithdraws[j]
			period.Withdrawals = appendFlow(period.Withdrawals, w.Type, w.Comment, flowCells(w.Reasons, groups))
		}
		if period.Title != "" || period.Milestones != nil || period.Withdrawals != nil {
			out.Periods = append(out.Periods, period)
		}
	}
	out.Groups = groups.groups
	return text.NonZero(out)
}

// appendFlow appends a row unless it is empty.
func appendFlow(rows []entity.FlowRow, kind, comment string, cells []entity.FlowCell) []entity.FlowRow {
	row := entity.FlowRow{Type: text.Clean(kind), Comment: text.CleanMarkup(comment), Cells: cells}
	if row.Type == "" && row.Comment == "" && row.Cells == nil {
		return rows
	}
	return append(rows, row)
}

func flowCells(stats []ctgov.FlowStats, groups *groupTable) []entity.FlowCell {
	var cells []entity.FlowCell
	for i := range stats {
		cells = append(cells, entity.FlowCell{
			Group: groups.number(stats[i].GroupId), Participants: text.Clean(stats[i].NumSubjects),
			Units: text.Clean(stats[i].NumUnits), Comment: text.CleanMarkup(stats[i].Comment),
		})
	}
	return cells
}

func adverseEvents(a *ctgov.AdverseEventsModule) *entity.AdverseEventResults {
	groups := &groupTable{}
	for i := range a.EventGroups {
		groups.add(a.EventGroups[i].Id, a.EventGroups[i].Title, a.EventGroups[i].Description)
	}
	out := entity.AdverseEventResults{
		TimeFrame:          text.Clean(a.TimeFrame),
		Description:        text.CleanMarkup(a.Description),
		FrequencyThreshold: text.Clean(a.FrequencyThreshold),
		MortalityComment:   text.CleanMarkup(a.AllCauseMortalityComment),
	}
	out.Events = appendEvents(out.Events, a.SeriousEvents, true, groups)
	out.Events = appendEvents(out.Events, a.OtherEvents, false, groups)
	for i := range groups.groups {
		g := &groups.groups[i]
		total := entity.EventGroup{Number: g.Number, Title: g.Title, Description: g.Description}
		if i < len(a.EventGroups) {
			given := &a.EventGroups[i]
			total.SeriousAffected, total.SeriousAtRisk = given.SeriousNumAffected, given.SeriousNumAtRisk
			total.OtherAffected, total.OtherAtRisk = given.OtherNumAffected, given.OtherNumAtRisk
			total.Deaths, total.DeathsAtRisk = given.DeathsNumAffected, given.DeathsNumAtRisk
		}
		out.Groups = append(out.Groups, total)
	}
	if out.Groups == nil && out.Events == nil && out.TimeFrame == "" && out.Description == "" && out.MortalityComment == "" {
		return nil
	}
	return &out
}

func appendEvents(events []entity.AdverseEvent, given []ctgov.AdverseEvent, serious bool, groups *groupTable) []entity.AdverseEvent {
	for i := range given {
		e := &given[i]
		event := entity.AdverseEvent{
			Term:        text.Clean(e.Term),
			OrganSystem: text.Clean(e.OrganSystem),
			Serious:     serious,
			Vocabulary:  text.Clean(e.SourceVocabulary),
			Assessment:  text.Clean(string(e.AssessmentType)),
			Notes:       text.CleanMarkup(e.Notes),
		}
		for j := range e.Stats {
			s := &e.Stats[j]
			event.Cells = append(event.Cells, entity.EventCell{
				Group: groups.number(s.GroupId), Affected: s.NumAffected, AtRisk: s.NumAtRisk, Events: s.NumEvents,
				PercentComputed: percent(s.NumAffected, s.NumAtRisk),
			})
		}
		events = append(events, event)
	}
	return events
}

// percent returns affected as a percentage of atRisk with one decimal place, below 0.1 with two significant digits. It returns nil if no
// participant is at risk.
func percent(affected, atRisk *int) *float64 {
	if affected == nil || atRisk == nil || *affected < 0 || *atRisk <= 0 {
		return nil
	}
	p := 100 * float64(*affected) / float64(*atRisk)
	digits := 1
	if p > 0 && p < 0.1 {
		digits = 1 - int(math.Floor(math.Log10(p)))
	}
	p, _ = strconv.ParseFloat(strconv.FormatFloat(p, 'f', digits, 64), 64)
	return &p
}
