package ctgov

import (
	"context"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/ranges"
)

// MaxDue limits the trials whose dates are read for one search.
const MaxDue = 40_000

// Due has the trials of a search whose results are due.
type Due struct {
	IDs []string // NCT00461032
	Day string   // of the data
	// TooMany reports that too many trials may be due to read them all.
	TooMany bool
}

// Due returns the trials of a search whose results have a status of entity.Reporting, if the mirror answers the search; false: it does
// not.
func (r *Registry) Due(ctx context.Context, search *Search, status string) (due Due, ok bool, err error) {
	if err := ctx.Err(); err != nil || r.mirror == nil { // a cancelled call gets one answer, with a mirror and without
		return due, false, err
	}
	params := search.Written()
	used, answers, err := r.mirror.plan(ctx, &params, &entity.Notes{})
	if err != nil || !answers {
		return due, false, err
	}
	due.Day = used.state.Day()
	fields := trials.RowPieces([]string{"due_date_computed"})
	params = Written(search.Query, query.AllOf(search.Filter, perhapsDue(due.Day)))
	params.Fields, params.PageSize, params.CountTotal, params.Sort = &fields, new(int32(MaxPage)), new(true), nil
	for {
		page, _, err := r.mirror.listStudies(ctx, &params)
		if served, err := r.mirror.outcome(ctx, err); !served {
			return due, false, err
		}
		if page.TotalCount != nil && int(*page.TotalCount) > MaxDue {
			due.TooMany = true
			return due, true, nil
		}
		for i := range page.Studies {
			if trials.ReportingStatus(&page.Studies[i]) == status {
				due.IDs = append(due.IDs, page.Studies[i].ProtocolSection.IdentificationModule.NctId)
			}
		}
		if page.NextPageToken == "" {
			return due, true, nil
		}
		params.PageToken, params.CountTotal = &page.NextPageToken, nil
	}
}

// perhapsDue returns the condition that all trials with due results meet on a day, and few others. The mirror has an index of each part.
func perhapsDue(day string) query.Node {
	latest := ranges.Range{From: "2017-01-01"}
	if at, err := time.Parse(time.DateOnly, day); err == nil {
		latest.To = at.AddDate(-1, 0, 0).Format(time.DateOnly)
	}
	return query.AllOf(query.Has("StudyType", "INTERVENTIONAL"), query.Lacks("ResultsFirstPostDate"),
		query.Not{Node: query.Has("OverallStatus", "WITHDRAWN")},
		query.AnyOf(query.InRange("PrimaryCompletionDate", latest), query.Lacks("PrimaryCompletionDate")),
		query.AnyOf(query.Has("IsFDARegulatedDrug", "true"), query.Has("IsFDARegulatedDevice", "true"),
			query.AllOf(query.Lacks("IsFDARegulatedDrug"), query.Lacks("IsFDARegulatedDevice"))))
}
