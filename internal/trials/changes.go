package trials

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/many"
)

const (
	// maxChanges limits the bytes of an answer with changes.
	maxChanges = 8000
	// changesReserve is the size reserved for the pagination, the compared states and the last notices.
	changesReserve = 1400
	// changesDays is the number of days that are compared if the call does not say since when.
	changesDays = 30
)

// A ChangesAnswer is the answer of trial_changes.
type ChangesAnswer = entity.Answer[entity.PageWith[entity.TrialChange, entity.ChangesCompared]]

// HasChanges reports whether trial_changes can answer.
func (s *Trials) HasChanges(ctx context.Context) bool { return s.sources.Trials.HasPast(ctx) }

// TrialChanges serves trial_changes. It reads the mirror alone.
func (s *Trials) TrialChanges(ctx context.Context, args tools.TrialChangesArgs) (answer ChangesAnswer, err error) {
	unpaged := args
	unpaged.PageSize, unpaged.Cursor = 0, ""
	at, err := envelope.PageAt(tools.TrialChanges, unpaged, args, args.Cursor)
	if err != nil {
		return answer, err
	}
	err = s.sources.Trials.Past(ctx, &answer.Notes, func(past *ctgov.Past) error {
		w := &changesWalk{Trials: *s, args: args, at: at, past: past, answer: &answer}
		w.sources.Trials = s.sources.Trials.Mirrored()
		return w.serve(ctx)
	})
	return answer, err
}

// A changesWalk answers one call of trial_changes. Its sources are those of the mirror.
type changesWalk struct {
	Trials
	args   tools.TrialChangesArgs
	at     envelope.Cursor
	past   *ctgov.Past
	answer *ChangesAnswer
	span   ctgov.Span
	shown  []*ctgov.Change // of this page, and the one after it
	total  int
}

func (w *changesWalk) serve(ctx context.Context) error {
	if w.args.Of != "" && w.args.NCTIDs != nil {
		return envelope.Refuse("of", w.args.Of, "was given together with nct_ids").
			Again(tools.TrialChanges, "with %s", tool.Object("of", nil))
	}
	if err := w.readSpan(); err != nil {
		return err
	}
	if err := w.selectTrials(ctx); err != nil {
		return err
	}
	if err := w.find(ctx); err != nil {
		return err
	}
	value := &w.answer.Value
	value.Beside.Compared.From, value.Beside.Compared.To = w.past.Name(w.span.Since), w.past.Name(w.span.Until)
	value.Pagination.PageSize = w.args.PageSize
	if w.total == 0 {
		what := "Nothing"
		if len(w.args.Fields) > 0 {
			what = "Nothing in these fields"
		}
		compared := value.Beside.Compared
		w.answer.Add(fmt.Sprintf("%s changed from the data of %s to those of %s.", what, compared.From, compared.To))
	}
	shown, err := w.readItems(ctx)
	if err != nil {
		return err
	}
	next := envelope.Cursor{Query: w.at.Query, From: w.span.Since.Stamp, Data: w.span.Until.Stamp, Seen: w.at.Seen + shown, Total: &w.total}
	if shown > 0 {
		next.Last = w.placeOf(w.shown[shown-1])
	}
	return envelope.FinishPage(&value.Pagination, next, shown < len(w.shown))
}

// placeOf returns the position of a change in the list.
func (w *changesWalk) placeOf(c *ctgov.Change) string {
	return fmt.Sprint(w.past.State(c).Stamp, " ", c.ID)
}

// readSpan reads the two states that are compared.
func (w *changesWalk) readSpan() error {
	first, newest := w.past.First(), w.past.Newest()
	w.span = ctgov.Span{Until: newest, NewestFirst: true}
	if w.at.Given != "" {
		since, hasSince := w.past.Stamped(w.at.From)
		until, hasUntil := w.past.Stamped(w.at.Data)
		w.span.Since, w.span.Until = since, until
		if !hasSince || !hasUntil {
			return w.at.Refused("is of a history that the mirror no longer has", w.at.Given)
		}
		return nil
	}
	var err error
	if w.args.Until != "" {
		if w.span.Until, err = w.state("until", w.args.Until); err != nil {
			return err
		}
	}
	if w.args.Since != "" {
		w.span.Since, err = w.state("since", w.args.Since)
	} else {
		w.span.Since = first
		if day, bad := time.Parse(time.DateOnly, w.span.Until.Day()); bad == nil {
			if at, outside := w.past.At(day.AddDate(0, 0, -changesDays).Format(time.DateOnly)); outside == nil {
				w.span.Since = at
			} else {
				w.answer.Add("since: " + beginsAt(first))
			}
		}
	}
	if err == nil && w.span.Since.ID > w.span.Until.ID {
		err = envelope.Refuse("until", w.args.Until, "is before since, %s", w.args.Since).
			Again(tools.TrialChanges, "with %s", tool.Object("until", nil))
	}
	return err
}

func beginsAt(first ctgov.Sync) string {
	return "the history of the mirror begins with the data of " + first.Day() + "; earlier changes are not known."
}

// state reads a day, or the time of a publication as the answers have it. Outside the history the nearest state is taken, with a notice,
// unless no change could be known.
func (w *changesWalk) state(argument, given string) (ctgov.Sync, error) {
	if state, known := w.past.Stamped(given); known {
		return state, nil
	}
	first, newest := w.past.First(), w.past.Newest()
	read, err := ranges.ReadDates(given, time.Now())
	day := cmp.Or(read.From, read.To)
	if argument == "until" {
		day = cmp.Or(read.To, read.From)
	}
	again := func(refusal envelope.Refusal, day string) (ctgov.Sync, error) {
		return ctgov.Sync{}, refusal.Again(tools.TrialChanges, "with %s", tool.Object(argument, day))
	}
	switch {
	case err != nil || day == "":
		return again(envelope.Refuse(argument, given, "is no day; days are written as %s", newest.Day()), first.Day())
	case argument == "since" && day > newest.Day():
		return again(envelope.Refuse(argument, given, "the newest data of the mirror are of %s; later changes are not known before "+
			"the next biofact mirror sync", newest.Day()), first.Day())
	case argument == "until" && day < first.Day():
		return again(envelope.Refuse(argument, given, "the history of the mirror begins with the data of %s", first.Day()), newest.Day())
	case day < first.Day():
		w.answer.Add(argument + ": " + beginsAt(first))
		return first, nil
	case day > newest.Day():
		w.answer.Add(argument + ": the newest data of the mirror are of " + newest.Day() + ".")
		return newest, nil
	}
	return w.past.At(day)
}

// selectTrials restricts the changes to the trials of the call.
func (w *changesWalk) selectTrials(ctx context.Context) error {
	var ids []int64
	var err error
	switch {
	case w.args.NCTIDs != nil:
		ids, err = w.named(ctx)
	case w.args.Of != "":
		ids, err = w.matching(ctx)
	default:
		return nil
	}
	slices.Sort(ids)
	w.span.IDs = append([]int64{}, slices.Compact(ids)...) // not nil, which stands for all trials
	return err
}

// named returns the trials of the ids of the call: those that the registry has, and those that it had.
func (w *changesWalk) named(ctx context.Context) (ids []int64, err error) {
	request, err := many.Read(tools.TrialChanges, w.args.NCTIDs)
	if err != nil {
		return nil, err
	}
	records, err := w.sources.Trials.Records(ctx, request.IDs, &w.answer.Notes)
	if err != nil {
		return nil, err
	}
	known := map[string]*string{} // CURIE, by id
	for nct, record := range records {
		if record != nil {
			known[nct] = &record.ID
		}
	}
	for _, nct := range request.IDs {
		ids = append(ids, ctgov.NumberOf(nct)) // an id that was merged has its own past
	}
	slices.Sort(ids)
	all := ctgov.Span{Since: w.past.First(), Until: w.past.Newest(), IDs: ids}
	err = w.past.Changes(ctx, all, func(c *ctgov.Change) error {
		if nct := c.Line().NCTID; known[nct] == nil {
			known[nct] = new(id.NCT.CURIE(nct))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	found, err := many.Found(request, known, func(curie *string) string { return *curie }, &w.answer.Notes)
	for _, curie := range found {
		ids = append(ids, ctgov.NumberOf(strings.Replace(*curie, ":", "", 1)))
	}
	return ids, err
}

// matching returns the trials of the search of the call that have changed.
func (w *changesWalk) matching(ctx context.Context) ([]int64, error) {
	given, err := readSearched(tools.TrialChanges, w.args.Of)
	if err != nil {
		return nil, err
	}
	notes := &w.answer.Notes
	if w.at.Given != "" { // notices about the search belong to the first page
		notes = &entity.Notes{}
	}
	search, err := w.prepared(ctx, given, notes)
	if err != nil {
		return nil, err
	}
	page, some, err := search.page(ctx, w.sources.Trials, 1, notes)
	if err != nil || !some || page.Total != nil && *page.Total == 0 {
		if err == nil {
			notes.Add(noneOf(w.args.Of))
		}
		return nil, err
	}
	var changed []int64
	err = w.past.Changes(ctx, w.span, func(c *ctgov.Change) error {
		changed = append(changed, c.ID)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(changed)
	return w.past.Matching(ctx, search.Search, slices.Compact(changed), notes)
}

// find collects the changes of the page and counts all.
func (w *changesWalk) find(ctx context.Context) error {
	fields := ctgov.FieldSet(w.args.Fields)
	stamp, trial, paged := strings.Cut(w.at.Last, " ")
	last, err := strconv.ParseInt(trial, 10, 64)
	state, known := w.past.Stamped(stamp)
	if paged && (err != nil || !known) {
		return w.at.Refused("is of a history that the mirror no longer has", w.at.Given)
	}
	return w.past.Changes(ctx, w.span, func(c *ctgov.Change) error {
		switch {
		case c.Quiet():
			w.answer.Value.Beside.QuietVersions++
			return nil
		case len(w.args.Fields) > 0 && !c.Concerns(fields):
			return nil
		}
		w.total++
		shown := paged && (c.Sync > state.ID || c.Sync == state.ID && c.ID >= last)
		if !shown && len(w.shown) <= w.args.PageSize {
			w.shown = append(w.shown, c)
		}
		return nil
	})
}

// readItems adds the changes that fit into the answer, and returns their number.
func (w *changesWalk) readItems(ctx context.Context) (shown int, err error) {
	left := min(maxChanges, w.maxAnswer) - changesReserve - entity.Size(w.answer.Notices)
	narrow := len(w.args.NCTIDs) == 1 && len(w.args.Fields) == 1
	more := ""
	for _, c := range w.shown[:min(len(w.shown), w.args.PageSize)] {
		item, err := w.past.Read(ctx, c, w.args.Fields)
		if err != nil {
			return shown, err
		}
		cut := fitChange(&item, left, narrow, shown == 0)
		size := entity.Size(item) + 1
		if shown > 0 && size > left {
			break
		}
		if cut != "" && more == "" {
			more = wholeChange(item, cut, narrow)
		}
		left -= size
		shown++
		w.answer.Value.Items = append(w.answer.Value.Items, item)
	}
	if more != "" {
		w.answer.Add(more)
	}
	return shown, nil
}

// wholeChange returns the notice about changes that were cut, with the call that shows more of the first one.
func wholeChange(item entity.TrialChange, field string, narrow bool) string {
	if !narrow {
		return "Long texts and lists are cut (… and numbers ending in _total). One field of one trial has more room, here first: " +
			tools.TrialChanges + fmt.Sprintf(` with {"nct_ids":[%q],"fields":[%q],"since":%q,"until":%q}.`, item.ID, field, item.From, item.To)
	}
	return "Long texts and lists are cut to the size of an answer. Whole on the command line: " + fmt.Sprintf(
		"biofact mirror changes --id %s --since %.10s --until %.10s --patch. The values of now: ", item.ID, item.From, item.To) +
		nowOf(item.ID, field)
}

// nowOf returns the call that shows a field as it is now.
func nowOf(curie, field string) string {
	if field == "sites" {
		return tools.GetTrialLocations + " with " + tool.Object("nct_id", curie) + "."
	}
	return tools.GetTrial + " with " + tool.Object("nct_id", curie) + "."
}
