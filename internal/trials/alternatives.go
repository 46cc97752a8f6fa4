package trials

import (
	"context"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// readAlternatives returns the wishes with OR in place of a small "or" in the words of an argument, if requests decide that it joins
// alternatives, and a notice for each small "or".
func (s *Trials) readAlternatives(ctx context.Context, w *filters.Wishes, notes *entity.Notes) (
	decided *filters.Wishes, notices []string, err error) {
	texts := slices.Clone(w.Texts)
	for i, t := range texts {
		if parts, _ := t.Alternatives(); parts == nil {
			continue
		}
		notice, joins, err := s.joinsAlternatives(ctx, w.Caller, t, notes)
		if err != nil {
			return nil, nil, err
		}
		notices = append(notices, t.Name+": "+notice)
		if !joins {
			continue
		}
		if texts[i], err = filters.ReadText(filters.Words{Name: t.Name, Param: t.Param, Text: t.Either()}); err != nil {
			return nil, nil, filters.ForTool(w.Caller, err)
		}
	}
	if notices == nil {
		return w, nil, nil
	}
	decided, err = w.With(texts)
	return decided, notices, err
}

// joinsAlternatives reports whether the small "or" of an argument joins alternatives: each part alone finds trials. For parts that may
// share a word (heart or kidney failure), no trial may have all words of the text as well.
func (s *Trials) joinsAlternatives(ctx context.Context, caller string, t filters.Words, notes *entity.Notes) (
	notice string, joins bool, err error) {
	parts, alike := t.Alternatives()
	if !alike {
		together, err := s.hits(ctx, caller, t.Name, t.Text, notes)
		if err != nil {
			return "", false, err
		}
		if together > 0 {
			return `"or" was read as a word: a trial needs all words of ` + envelope.Quoted(t.Text) + ". For either part call " + caller +
				" again with " + tool.Object(t.Name, t.Either()) + ".", false, nil
		}
	}
	missing, found, err := s.foundAlone(ctx, caller, t.Name, parts, notes)
	if err != nil {
		return "", false, err
	}
	if missing != "" {
		notice = `"or" in ` + envelope.Quoted(t.Text) + " was read as a word, because " + envelope.Quoted(missing) + " alone finds no trial."
		if found != "" {
			notice += " For the trials of the other part call " + caller + " again with " + tool.Object(t.Name, found) + "."
		}
		return notice, false, nil
	}
	why := "each part alone finds trials"
	if !alike {
		why = "no trial has all of its words, and " + why
	}
	return envelope.Quoted(t.Text) + " was read as " + envelope.Quoted(t.Either()) + ": " + why +
		". AND in capitals requires all parts.", true, nil
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
	args := tools.TrialFilters{LeadSponsor: []string{""}}
	for _, a := range filters.SearchWords(args.Texts(), &args) {
		if a.Name == argument {
			*a.Value = words
		}
	}
	only, err := filters.Read(caller, args, ranges.CalendarOf(""))
	if err != nil {
		return 0, nil //nolint:nilerr // the message of the whole call names the words
	}
	params := *only.Query
	params.PageSize, params.CountTotal = new(int32(1)), new(true)
	page, err := s.sources.Trials.Tally(ctx, ctgov.Tally{Query: &params, Filter: only.Filter}, notes)
	if refused := only.Refused(err); refused != nil {
		return 0, refused
	}
	if err != nil {
		return 0, err
	}
	if page.Total == nil {
		return 0, filters.MissingTotal()
	}
	return *page.Total, nil
}
