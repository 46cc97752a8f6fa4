package facts

import (
	"fmt"
	"strconv"
)

// The little of posted results that the facts can carry: who took part. Numbers
// are texts here, as they are upstream.
type (
	results struct {
		Flow participantFlow `json:"participantFlowModule"`
	}
	participantFlow struct {
		Groups  []flowGroup  `json:"groups"`
		Periods []flowPeriod `json:"periods"`
	}
	flowGroup struct {
		ID    string `json:"id"`
		Title string `json:"title"`
	}
	flowPeriod struct {
		Title      string      `json:"title"`
		Milestones []milestone `json:"milestones"`
	}
	milestone struct {
		Type         string      `json:"type"`
		Achievements []flowCount `json:"achievements"`
	}
	flowCount struct {
		GroupID  string `json:"groupId"`
		Subjects string `json:"numSubjects"`
	}
)

// newResults says how many started and completed, by group where the facts say so
// and for all participants together otherwise.
func newResults(s *study) *results {
	if !isTrue(s.results) {
		return nil
	}
	groups := s.flow
	if len(groups) == 0 {
		groups = []flow{{title: "All participants", started: strconv.Itoa(*s.enrollment.count)}}
	}
	started, completed := milestone{Type: "STARTED"}, milestone{Type: "COMPLETED"}
	var r results
	for i, g := range groups {
		id := fmt.Sprintf("FG%03d", i)
		r.Flow.Groups = append(r.Flow.Groups, flowGroup{id, g.title})
		started.Achievements = append(started.Achievements, flowCount{id, g.started})
		if g.completed != "" {
			completed.Achievements = append(completed.Achievements, flowCount{id, g.completed})
		}
	}
	period := flowPeriod{"Overall Study", []milestone{started}}
	if len(completed.Achievements) > 0 {
		period.Milestones = append(period.Milestones, completed)
	}
	r.Flow.Periods = []flowPeriod{period}
	return &r
}
