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

// CountDrugEvents serves count_drug_events: the number of reports, then the groups; for a reaction in addition its share beside other
// drugs.
func (s *Drugs) CountDrugEvents(
	ctx context.Context, args tools.CountDrugEventsArgs,
) (answer entity.Answer[entity.DrugEventCounts], err error) {
	only, err := codes(args)
	if err != nil {
		return answer, err
	}
	search := openfda.ReportSearch{Reaction: strings.ToUpper(strings.TrimSpace(args.Reaction)), Only: only}
	curie := ""
	if args.DrugID != "" {
		if search.ID, curie, err = readID(tools.CountDrugEvents, args.DrugID); err != nil {
			return answer, err
		}
	}
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
	c := counting{reading: s.sources.OpenFDA.Read(&answer.Notes), search: search, by: args.By, curie: curie, notes: &answer.Notes}
	if err := c.count(ctx); err != nil {
		return answer, err
	}
	out := mapping.Events(c.groups, args.By, c.total, args.Top)
	out.ID, out.MatchedBy, out.DataDate = curie, c.search.MatchedBy(), c.reading.Days[string(openfda.Reports)]
	out.Reaction = c.search.Reaction
	if err = c.compare(ctx, &out); err != nil {
		return answer, err
	}
	if out.WithoutValue != nil && *out.WithoutValue > 0 && args.By == "year" {
		answer.Add(fmt.Sprintf("openFDA did not return the days of %d reports: the numbers by year are too low.", *out.WithoutValue))
	}
	answer.Value, answer.Provenance.DataVersion = out, out.DataDate
	return answer, nil
}

// codes returns the codes of the fields by which a call selects reports.
func codes(args tools.CountDrugEventsArgs) (map[string]string, error) {
	only := map[string]string{}
	if args.Serious != nil {
		only["serious"] = mapping.Code("serious", map[bool]string{true: "serious", false: "not serious"}[*args.Serious])
	}
	for _, word := range args.Only {
		for _, by := range []string{"sex", "age_group", "outcome", "reporter", ""} {
			if code := mapping.Code(by, strings.ToLower(word)); code != "" {
				only[by] = code
				break
			} else if by == "" {
				return nil, envelope.Refuse("only", word, "has %s, which is no value of sex, age_group, outcome or reporter",
					envelope.Quoted(word)).
					Hint("The values are %s.", strings.Join(mapping.Words("sex", "age_group", "outcome", "reporter"), ", "))
			}
		}
	}
	return only, nil
}

// A counting is a call of count_drug_events.
type counting struct {
	reading   *openfda.Reading
	search    openfda.ReportSearch
	by, curie string
	notes     *entity.Notes

	total  int
	groups []mapping.Group
}

// count counts the reports and their groups. If none matches, the reaction is searched among the terms of the drug's reports, and then
// reports by the names of the drug: openFDA adds ids by exact names only.
func (c *counting) count(ctx context.Context) error {
	if err := c.ask(ctx); err != nil || c.total > 0 {
		return err
	}
	if found, err := c.otherTerm(ctx); err != nil || found || c.search.ID.Kind == "" {
		return err
	}
	g := getting{reading: c.reading, notes: c.notes, id: c.search.ID, curie: c.curie}
	records, err := g.seed(ctx)
	if err != nil {
		return err
	}
	found := mapping.Fold(records)
	if len(found) == 0 {
		return notFound(tools.CountDrugEvents, c.curie)
	}
	c.search.Names = append(slices.Clone(found[0].Names), found[0].Brands()...)
	c.notes.Add("No report with this id matches; reports were also searched by names of the drug, which people write in many ways.")
	if c.search.Reaction == "" {
		return c.ask(ctx)
	}
	_, err = c.otherTerm(ctx)
	return err
}

// ask asks for the number of reports and their groups. The groups by reaction have that of the searched reaction.
func (c *counting) ask(ctx context.Context) (err error) {
	if c.search.Reaction != "" && (c.by == "reaction" || c.search.ByWords()) {
		if c.groups, err = c.reading.ReportGroups(ctx, c.search, "reaction"); err != nil {
			return err
		}
		c.total = mapping.CountOf(c.groups, c.search.Reaction)
	} else if c.total, err = c.reading.Reports(ctx, c.search); err != nil {
		return err
	}
	if c.total > 0 && (c.search.Reaction == "" || c.by != "reaction") {
		c.groups, err = c.reading.ReportGroups(ctx, c.search, c.by)
	}
	if c.total > 0 && c.search.ByWords() {
		c.notes.Add("openFDA cannot search for the sign ^: the groups are those of reports with a term that has the words of " +
			c.search.Reaction + ".")
	}
	return err
}

// otherTerm looks for the reaction among the terms of the drug's reports, in another order, spelling or with other signs. It reports
// whether reports of the drug have terms. If none is that reaction, a notice proposes similar ones.
func (c *counting) otherTerm(ctx context.Context) (known bool, err error) {
	if c.search.Reaction == "" {
		return false, nil
	}
	all := c.search
	all.Reaction = ""
	terms, err := c.reading.ReportGroups(ctx, all, "reaction")
	if err != nil || len(terms) == 0 {
		return false, err
	}
	given := c.search.Reaction
	if term := mapping.SameTerm(terms, given); term != "" && (term != given || len(c.search.Names) > 0) {
		if c.search.Reaction = term; term == given {
			return true, c.ask(ctx)
		}
		c.notes.Add("reaction: " + envelope.Quoted(given) + " was read as the term " + term + ".")
		return true, c.ask(ctx)
	}
	c.notes.Add(suggestion(given, c.curie, terms))
	return true, nil
}

// compare compares the reports of a drug and a reaction with those of other drugs and reactions, in out. It does nothing for a call that
// has not both, and adds a notice if no request is left.
func (c *counting) compare(ctx context.Context, out *entity.DrugEventCounts) error {
	if c.total == 0 || c.search.Reaction == "" || c.search.ID.Kind == "" {
		return nil
	}
	if c.by != "reaction" || c.reading.Requests > maxRequests-3 {
		c.notes.Add("For the reports of this drug and reaction beside all others call count_drug_events with " +
			tool.Show(map[string]any{"drug_id": c.curie, "reaction": c.search.Reaction}) + ".")
		return nil
	}
	drug, reaction, all := c.search, c.search, c.search
	drug.Reaction, all.Reaction = "", ""
	reaction.ID, reaction.Names, all.ID, all.Names = openfda.ID{}, nil, openfda.ID{}, nil
	ofDrug, err := c.reading.Reports(ctx, drug)
	if err != nil {
		return err
	}
	of := counting{reading: c.reading, search: reaction, by: "reaction", notes: &entity.Notes{}}
	if err := of.ask(ctx); err != nil {
		return err
	}
	ofAll, err := c.reading.Reports(ctx, all)
	if err == nil {
		out.Disproportionality = mapping.Compare(c.total, ofDrug, of.total, ofAll)
	}
	return err
}

// maxSuggested limits the terms that a notice proposes.
const maxSuggested = 5

// suggestion returns the notice for a reaction that no report of a drug has, with similar terms of its reports.
func suggestion(reaction, curie string, terms []mapping.Group) string {
	var similar []string
	for _, term := range terms {
		have, want := entity.Fold(term.Value), entity.Fold(reaction)
		if strings.Contains(have, want) || strings.Contains(want, have) || entity.Distance(term.Value, reaction) <= len(reaction)/4 {
			similar = append(similar, term.Value)
		}
	}
	of, call := "No report of this drug", map[string]any{"drug_id": curie}
	if curie == "" {
		of, call = "No report", map[string]any{}
	}
	notice := of + " has the MedDRA term " + envelope.Quoted(strings.ToUpper(reaction)) + "."
	if len(similar) == 0 {
		call["by"], call["top"] = "reaction", 100
		return notice + " For the terms of the reports call count_drug_events with " + tool.Show(call) + "."
	}
	similar = similar[:min(maxSuggested, len(similar))]
	call["reaction"] = similar[0]
	return notice + " Did you mean " + strings.Join(similar, ", ") + "? Call count_drug_events with " + tool.Show(call) + "."
}
