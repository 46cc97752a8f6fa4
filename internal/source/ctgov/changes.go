package ctgov

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

type (
	// Change is a version that replaced another one.
	Change = history.Change
	// Sync is a state of the registry.
	Sync = history.Sync
	// Span has the changes between two states.
	Span = history.Span
)

// Past is the history of the mirror.
type Past struct {
	*history.Reader
	mirrored *Registry
}

// Mirrored returns the registry as its mirror alone answers, nil without a mirror. It makes no request.
func (r *Registry) Mirrored() *Registry { return r.mirrored }

// HasPast reports whether a complete mirror has a history.
func (r *Registry) HasPast(ctx context.Context) bool {
	return r.Past(ctx, &entity.Notes{}, func(*Past) error { return nil }) == nil
}

// Past calls a function with the history of the mirror. Without a history it returns an error that names the command to run.
func (r *Registry) Past(ctx context.Context, notes *entity.Notes, read func(*Past) error) error {
	if r.mirrored == nil {
		return noPast("none is used (BIOFACT_MIRROR is off, or the user has no data folder)",
			"set BIOFACT_MIRROR to exact, then run biofact mirror sync", nil)
	}
	l := r.mirrored.mirror
	state, err := l.Reader.State(ctx)
	if err == nil && state.Source != l.Source {
		err = fmt.Errorf("%w: %s", mirror.ErrSource, state.Source)
	}
	if err == nil && !state.Complete() {
		err = mirror.ErrUnfinished
	}
	if err == nil {
		err = l.Reader.History(ctx, func(h *history.Reader) error {
			(&mirrorUse{local: l, state: state}).note(notes)
			return read(&Past{h, r.mirrored})
		})
	}
	damaged, isDamaged := errors.AsType[*history.DamagedError](err)
	switch {
	case err == nil || errors.As(err, new(*entity.Error)) || ctx.Err() != nil:
		return err
	case errors.Is(err, os.ErrNotExist):
		return noPast("it does not exist", mirror.Remedy(err), nil)
	case errors.Is(err, history.ErrNone):
		return noPast("it has no history", "biofact mirror sync begins it, unless BIOFACT_MIRROR_HISTORY is 0", nil)
	case isDamaged:
		return noPast(damaged.Error(), "a later since reads the rest; biofact mirror verify checks the file", err)
	}
	return noPast("it cannot be read", mirror.Remedy(err), err)
}

// noPast returns the error for a history that cannot be read.
func noPast(why, remedy string, cause error) error {
	return &entity.Error{
		Code: entity.UpstreamError, Cause: cause,
		Message: "Changes are read from the local mirror of ClinicalTrials.gov: " + why + ".",
		Hint: "This is not an empty result: the changes are not known. For the operator of Biofact: " + remedy +
			". The history begins with the first complete biofact mirror sync.",
	}
}

// NumberOf returns the number of an NCT id in changes.
func NumberOf(nct string) int64 {
	n, _ := stored.Number(nct) // 0 is no trial
	return n
}

// FieldSet returns the set of some names of fields.
func FieldSet(names []string) history.Fields {
	set, _ := history.FieldsOf(names...) // the arguments have been checked
	return set
}

// Matching returns the numbers of the requested trials that a search finds in the mirror now, in ascending order. Page has answered the
// search before, so that it is known to be valid.
func (p *Past) Matching(ctx context.Context, search *Search, requested []int64, notes *entity.Notes) ([]int64, error) {
	params := search.Written()
	read, ok := searchOf(&params)
	if !ok {
		return nil, errors.New("the mirror cannot read a search that it has answered")
	}
	found, err := p.mirrored.mirror.Reader.Matching(ctx, read)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(id int64) bool {
		_, is := slices.BinarySearch(requested, id)
		return !is
	})
	if !search.RecruitsNear && !search.OnlyIncluded {
		return found, nil
	}
	var left []int64 // by the conditions that only the records decide
	for some := range slices.Chunk(found, MaxPage) {
		ids := make([]string, len(some))
		for i, id := range some {
			ids[i] = stored.NCT(id)
		}
		mine, query := *search, *search.Query
		query.FilterIds, query.PageSize, mine.Query = &ids, new(int32(MaxPage)), &query
		page, err := p.mirrored.Page(ctx, &mine, notes)
		if err != nil {
			return nil, err
		}
		for _, c := range page.Candidates {
			left = append(left, NumberOf("NCT"+c.ID[len("NCT:"):]))
		}
	}
	slices.Sort(left)
	return left, nil
}

// Read reads the two versions of a change, and maps their differences in some fields; no fields: in all.
func (p *Past) Read(ctx context.Context, c *Change, fields []string) (change entity.TrialChange, err error) {
	line := c.Line()
	v := trials.RecordVersions{ID: line.NCTID, From: c.From, To: c.To, Posted: c.Posted, MergedInto: line.MergedInto}
	before, after, err := p.Versions(ctx, c)
	if err != nil {
		return change, err
	}
	if !before.Missing() {
		v.Old, err = stored.Decode(before.Main)
	}
	if err == nil && !after.Missing() {
		v.Current, err = stored.Decode(after.Main)
	}
	if err != nil {
		return change, err
	}
	if v.Old != nil && v.Current != nil {
		names := history.Names()
		for _, part := range history.Parts(before, after) {
			v.Parts = append(v.Parts, trials.ChangedPart(part))
		}
		slices.SortStableFunc(v.Parts, func(a, b trials.ChangedPart) int {
			return slices.Index(names, a.Field) - slices.Index(names, b.Field)
		})
	}
	return trials.TrialChange(&v, fields), nil
}
