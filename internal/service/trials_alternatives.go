package service

import (
	"context"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/essie"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
)

// maxAlternatives limits the requests that decide whether a small "or" in an argument joins alternatives.
const maxAlternatives = 4

// readAlternatives replaces a small "or" in the words of an argument with OR if each part alone finds trials, and returns notices. For
// parts that may share a word (heart or kidney failure), no trial may have all words of the text as well.
func (s *Service) readAlternatives(ctx context.Context, caller string, args *tools.TrialFilters, notes *entity.Notes) ([]string, error) {
	args.LeadSponsor = slices.Clone(args.LeadSponsor)
	var notices []string
	for _, a := range searchWords(args) {
		parts, alike := essie.Alternatives(*a.Value)
		if len(parts) < 2 || len(parts) > maxAlternatives || a.Name == "location" || isExactName(a) {
			continue
		}
		why := "each part alone finds trials"
		if !alike {
			n, err := s.hits(ctx, caller, a.Name, *a.Value, notes)
			if err != nil {
				return nil, err
			}
			if n > 0 {
				continue
			}
			why = "no trial has all of its words, and " + why
		}
		all := true
		for _, part := range parts {
			n, err := s.hits(ctx, caller, a.Name, part, notes)
			if err != nil {
				return nil, err
			}
			if all = n > 0; !all {
				break
			}
		}
		if all {
			given := *a.Value
			*a.Value = strings.Join(parts, " OR ")
			notices = append(notices, a.Name+": "+quoted(given)+" was read as "+quoted(*a.Value)+": "+why+". AND in capitals requires all parts.")
		}
	}
	return notices, nil
}

// hits returns the number of trials that one argument with words finds alone; 0 for words that cannot be searched for.
func (s *Service) hits(ctx context.Context, caller, argument, words string, notes *entity.Notes) (int, error) {
	filters := tools.TrialFilters{LeadSponsor: []string{""}}
	for _, a := range searchWords(&filters) {
		if a.Name == argument {
			*a.Value = words
		}
	}
	query, _, err := trialQuery(caller, filters)
	if err != nil {
		return 0, nil
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
