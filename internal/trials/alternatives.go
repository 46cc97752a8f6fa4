package trials

import (
	"context"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/essie"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// maxAlternatives limits the requests that decide whether a small "or" in an argument joins alternatives.
const maxAlternatives = 4

// smallAlternatives returns the parts of an argument that a small "or" joins; nil for other arguments. alike is that of essie.Alternatives.
func smallAlternatives(a tool.Text) (parts []string, alike bool) {
	parts, alike = essie.Alternatives(*a.Value)
	if len(parts) < 2 || len(parts) > maxAlternatives || a.Name == "location" || isExactName(a) {
		return nil, false
	}
	return parts, alike
}

// readAlternatives replaces a small "or" in the words of an argument with OR if each part alone finds trials, and returns notices. For
// parts that may share a word (heart or kidney failure), no trial may have all words of the text as well.
func (s *Trials) readAlternatives(ctx context.Context, caller string, args *tools.TrialFilters, notes *entity.Notes) (notices []string,
	err error) {
	args.LeadSponsor = slices.Clone(args.LeadSponsor)
	for _, a := range searchWords(args) {
		parts, alike := smallAlternatives(a)
		if parts == nil {
			continue
		}
		given, either := *a.Value, strings.Join(parts, " OR ")
		together := 0
		if !alike {
			if together, err = s.hits(ctx, caller, a.Name, given, notes); err != nil {
				return nil, err
			}
		}
		if together > 0 {
			notices = append(notices, a.Name+`: "or" was read as a word: a trial needs all words of `+envelope.Quoted(given)+". For either part call "+caller+
				" again with "+tool.Object(a.Name, either)+".")
			continue
		}
		missing, found, err := s.foundAlone(ctx, caller, a.Name, parts, notes)
		if err != nil {
			return nil, err
		}
		if missing != "" {
			notice := a.Name + `: "or" in ` + envelope.Quoted(given) + " was read as a word, because " + envelope.Quoted(missing) + " alone finds no trial."
			if found != "" {
				notice += " For the trials of the other part call " + caller + " again with " + tool.Object(a.Name, found) + "."
			}
			notices = append(notices, notice)
			continue
		}
		*a.Value = either
		why := "each part alone finds trials"
		if !alike {
			why = "no trial has all of its words, and " + why
		}
		notices = append(notices, a.Name+": "+envelope.Quoted(given)+" was read as "+envelope.Quoted(either)+": "+why+
			". AND in capitals requires all parts.")
	}
	return notices, nil
}

// foundAlone returns a part that alone finds no trial, or "", and the others, joined by OR.
func (s *Trials) foundAlone(ctx context.Context, caller, argument string, parts []string, notes *entity.Notes) (missing, found string,
	err error) {
	var good []string
	for _, part := range parts {
		n, err := s.hits(ctx, caller, argument, part, notes)
		if err != nil {
			return "", "", err
		}
		if n > 0 {
			good = append(good, part)
		} else if missing == "" {
			missing = part
		}
	}
	return missing, strings.Join(good, " OR "), nil
}

// hits returns the number of trials that one argument with words finds alone; 0 for words that cannot be searched for.
func (s *Trials) hits(ctx context.Context, caller, argument, words string, notes *entity.Notes) (int, error) {
	filters := tools.TrialFilters{LeadSponsor: []string{""}}
	for _, a := range searchWords(&filters) {
		if a.Name == argument {
			*a.Value = words
		}
	}
	query, _, err := trialQuery(caller, filters, ranges.CalendarOf(""))
	if err != nil {
		return 0, nil //nolint:nilerr // the message of the whole call names the words
	}
	query.PageSize, query.CountTotal = new(int32(1)), new(true)
	page, err := s.sources.Trials.Tally(ctx, ctgov.Tally{Query: query}, notes)
	if refused := refusedSearch(caller, err, tools.SearchTrialsArgs{TrialFilters: filters}); refused != nil {
		return 0, refused
	}
	if err != nil {
		return 0, err
	}
	if page.Total == nil {
		return 0, missingTotal()
	}
	return *page.Total, nil
}
