package drugs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/drugs"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/openfda"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// periodError returns the error for a text that is no period.
func periodError(text string, err error) error {
	e := envelope.Refuse("date_range", text, "%s", err).Again(tools.CountDrugEvents, "with %s", ranges.DateForms)
	if wrong, ok := errors.AsType[*ranges.Problem](err); ok && wrong.Instead != "" {
		e.Hint, e.Next = "", entity.Again(tools.CountDrugEvents, map[string]any{"date_range": wrong.Instead})
	}
	return e
}

// CountDrugEvents serves count_drug_events: the number of reports, then the groups.
func (s *Drugs) CountDrugEvents(
	ctx context.Context, args tools.CountDrugEventsArgs,
) (answer entity.Answer[entity.DrugEventCounts], err error) {
	given, curie, err := readID(tools.CountDrugEvents, args.DrugID)
	if err != nil {
		return answer, err
	}
	search := openfda.ReportSearch{ID: given, Reaction: strings.TrimSpace(args.Reaction), Serious: args.Serious}
	if args.Reaction != "" && openfda.Clean(args.Reaction) == "" {
		return answer, envelope.Refuse("reaction", args.Reaction, "has no letter or digit").
			Again(tools.CountDrugEvents, "with %s", tool.Show(map[string]any{"drug_id": curie, "by": "reaction"}))
	}
	if args.DateRange != "" {
		days, err := ranges.ReadDates(args.DateRange, time.Now())
		if err != nil {
			return answer, periodError(args.DateRange, err)
		}
		search.Since, search.Until = days.From, days.To
	}
	reading := s.sources.OpenFDA.Read(&answer.Notes)
	total, err := reading.Reports(ctx, search)
	if err == nil && total == 0 {
		total, err = widen(ctx, reading, &search, curie, &answer.Notes)
	}
	if err != nil {
		return answer, err
	}
	var groups []mapping.Group
	if total > 0 {
		if groups, err = reading.ReportGroups(ctx, search, args.By); err != nil {
			return answer, err
		}
	}
	out := mapping.Events(groups, args.By, total, args.Top)
	out.ID, out.MatchedBy, out.DataDate = curie, search.MatchedBy(), reading.Days[string(openfda.Reports)]
	if out.WithoutValue != nil && *out.WithoutValue > 0 && args.By == "year" {
		answer.Add(fmt.Sprintf("openFDA did not return the days of %d reports: the numbers by year are too low.", *out.WithoutValue))
	}
	answer.Value, answer.Provenance.DataVersion = out, out.DataDate
	return answer, nil
}

// maxSuggested limits the terms that a notice proposes.
const maxSuggested = 5

// widen searches for reports by the names of a drug too, if none has its id and matches: openFDA adds ids by exact names only. It returns
// their number. If none is found, a notice proposes reactions that reports of the drug have.
func widen(ctx context.Context, r *openfda.Reading, search *openfda.ReportSearch, curie string, notes *entity.Notes) (int, error) {
	g := getting{reading: r, notes: notes, id: search.ID, curie: curie}
	records, err := g.seed(ctx)
	if err != nil {
		return 0, err
	}
	found := mapping.Fold(records)
	if len(found) == 0 {
		return 0, notFound(tools.CountDrugEvents, curie)
	}
	search.Names = append(slices.Clone(found[0].Names), found[0].Brands()...)
	notes.Add("No report with this id matches; reports were also searched by names of the drug, which people write in many ways.")
	total, err := r.Reports(ctx, *search)
	if total > 0 || err != nil || search.Reaction == "" {
		return total, err
	}
	terms, err := r.ReportGroups(ctx, openfda.ReportSearch{ID: search.ID, Names: search.Names}, "reaction")
	notes.Add(suggestion(search.Reaction, curie, terms))
	return 0, err
}

// suggestion returns the notice for a reaction that no report of a drug has, with similar terms of its reports.
func suggestion(reaction, curie string, terms []mapping.Group) string {
	var similar []string
	for _, term := range terms {
		have, want := entity.Fold(term.Value), entity.Fold(reaction)
		if strings.Contains(have, want) || strings.Contains(want, have) || entity.Distance(term.Value, reaction) <= len(reaction)/4 {
			similar = append(similar, term.Value)
		}
	}
	notice := "No report of this drug has the MedDRA term " + envelope.Quoted(strings.ToUpper(reaction)) + "."
	if len(similar) == 0 {
		return notice + " For the terms of its reports call count_drug_events with " +
			tool.Show(map[string]any{"drug_id": curie, "by": "reaction", "top": 100}) + "."
	}
	similar = similar[:min(maxSuggested, len(similar))]
	return notice + " Did you mean " + strings.Join(similar, ", ") + "? Call count_drug_events with " +
		tool.Show(map[string]any{"drug_id": curie, "reaction": similar[0]}) + "."
}
