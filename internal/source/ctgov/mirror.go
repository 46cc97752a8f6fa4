package ctgov

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"time"

	api "github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/source"
)

// A Mirror is a local copy of the registry.
type Mirror struct {
	// Reader answers from the file.
	Reader *mirror.Reader
	// Source is the registry that the file must be a copy of.
	Source string
	// Only disables the registry. Otherwise the registry answers if the mirror is not current, and all searches for words.
	Only bool
	// Log gets the reason if a mirror is not used.
	Log *slog.Logger
}

// A local answers from the mirror if possible.
type local struct {
	*Mirror
	*client // the mirror answers its requests
	stamps  *stamps

	mu     sync.Mutex
	warned string // the remedy of the last warning
}

func newLocal(m *Mirror, s *stamps, keeper *source.Keeper, base string) (*local, error) {
	requests, err := api.NewClient(base, api.WithHTTPClient(doer{m.Reader}))
	return &local{Mirror: m, client: &client{requests, keeper, mirror.Name + " of " + keeper.Title}, stamps: s}, err
}

// doer sends requests to a RoundTripper.
type doer struct{ http.RoundTripper }

// Do implements source.Doer.
func (d doer) Do(req *http.Request) (*http.Response, error) { return d.RoundTrip(req) }

// live returns a fetch function that queries the registry.
func live[Q, T any](r *Registry, fetch func(context.Context, *client, []Q) (source.Reply[T], error)) func(context.Context,
	[]Q) (source.Reply[T], error) {
	return func(ctx context.Context, questions []Q) (source.Reply[T], error) {
		return fetch(ctx, r.client, questions)
	}
}

// fromMirror returns a fetch function that queries the mirror if it can answer. This depends on the query of a question; nil: a lookup,
// which the mirror can always answer.
func fromMirror[Q, T any](
	r *Registry, query func(Q) *Query, fetch func(context.Context, *client, []Q) (source.Reply[T], error),
) func(context.Context, []Q, *entity.Notes) (source.Reply[T], bool, error) {
	if r.mirror == nil {
		return nil
	}
	return func(ctx context.Context, questions []Q, notes *entity.Notes) (reply source.Reply[T], served bool, err error) {
		var searched *Query
		if query != nil {
			searched = query(questions[0])
		}
		used, answers, err := r.mirror.plan(ctx, searched, notes)
		if err != nil || !answers {
			return reply, false, err
		}
		reply, err = fetch(ctx, r.mirror.client, questions)
		if served, err = r.mirror.outcome(ctx, err); served {
			used.note(notes)
		}
		return reply, served, err
	}
}

// withMirror queries the mirror if it can answer a query, else the registry.
func (r *Registry) withMirror(ctx context.Context, query *Query, ask func(*client) error) error {
	if r.mirror != nil {
		_, answers, err := r.mirror.plan(ctx, query, &entity.Notes{})
		if err != nil {
			return err
		}
		if answers {
			if served, err := r.mirror.outcome(ctx, ask(r.mirror.client)); served || err != nil {
				return err
			}
		}
	}
	return ask(r.client)
}

// A mirrorUse is a question that the mirror answers.
type mirrorUse struct {
	*local
	state mirror.State
	words bool // the query has words, which the registry searches with synonyms
}

// plan returns how the mirror answers a query; false if the registry must answer it.
func (l *local) plan(ctx context.Context, params *Query, notes *entity.Notes) (use *mirrorUse, answers bool, err error) {
	state, err := l.Reader.State(ctx)
	if err == nil && state.Source != l.Source {
		err = fmt.Errorf("%w: %s", mirror.ErrSource, state.Source)
	}
	if err == nil && !state.Complete() {
		err = mirror.ErrUnfinished
	}
	if err != nil {
		return nil, false, l.unusable(ctx, err)
	}
	use = &mirrorUse{local: l, state: state}
	search, readable := searchOf(params)
	if search != nil {
		use.words = !query.Exact(search)
	}
	if l.Only {
		return use, true, nil
	}
	if !readable || use.words {
		return nil, false, nil
	}
	if search != nil && search.Offset > 0 {
		return use, true, nil // a page token of the mirror, which the registry cannot read
	}
	return use, l.current(ctx, state, notes), nil
}

// searchOf returns the search of a query; false: the mirror cannot read it.
func searchOf(params *Query) (search *query.Search, readable bool) {
	if params == nil {
		return nil, true
	}
	req, err := api.NewListStudiesRequest("https://clinicaltrials.gov", params)
	if err != nil {
		return nil, false
	}
	search, err = query.ReadSearch(req.URL.RawQuery)
	return search, err == nil
}

// current reports whether the registry has published nothing since the mirror was synced.
func (l *local) current(ctx context.Context, state mirror.State, notes *entity.Notes) bool {
	newest, known := l.stamps.recent(ctx)
	if !known && source.Within(state.Synced, source.FreshFor) {
		return true // a stamp of the same age would be used without a check, too
	}
	if !known {
		var err error
		if newest, err = l.stamps.request(ctx, notes); err != nil {
			return false // the request itself follows, and fails for the same reason
		}
	}
	return string(newest.Value) == state.Stamp
}

// outcome reports whether the mirror has answered. If it cannot answer, the registry is queried.
func (l *local) outcome(ctx context.Context, err error) (served bool, _ error) {
	switch {
	case err == nil:
		return true, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	case source.Refused(err) && l.Only:
		return false, err
	case source.Refused(err):
		return false, nil
	}
	return false, l.unusable(ctx, err)
}

// unusable logs once why the mirror is not used. With Only it returns the error for the caller.
func (l *local) unusable(ctx context.Context, cause error) error {
	if ctx.Err() != nil { // the call has ended
		return ctx.Err()
	}
	missing := errors.Is(cause, os.ErrNotExist)
	if !missing { // most servers have no mirror
		l.mu.Lock()
		remedy := mirror.Remedy(cause) // each damaged record has its own cause
		first := l.warned != remedy
		l.warned = remedy
		l.mu.Unlock()
		if first {
			l.Log.WarnContext(ctx, "the local mirror of ClinicalTrials.gov cannot be used", "path", l.Reader.Path(), "cause", cause,
				"remedy", mirror.Remedy(cause))
		}
	}
	if !l.Only {
		return nil
	}
	e := &entity.Error{
		Code:    entity.UpstreamError,
		Message: "The local mirror of ClinicalTrials.gov cannot be read, and this server uses no other source (BIOFACT_MIRROR=only).",
		Hint: "This is not an empty result. The operator of Biofact finds the reason with biofact mirror status; biofact mirror remove " +
			"and then biofact mirror sync make a new mirror.",
		Cause: cause,
	}
	const remedy = "This is not an empty result. The operator of Biofact must run biofact mirror sync, or set BIOFACT_MIRROR to exact so " +
		"that the registry is asked."
	const elsewhere = "This is not an empty result. The operator of Biofact must set BIOFACT_MIRROR_PATH to another file, then run " +
		"biofact mirror sync."
	damaged, isDamaged := errors.AsType[*history.DamagedError](cause)
	switch {
	case isDamaged:
		e.Message = "In the local mirror of ClinicalTrials.gov " + damaged.Error() +
			", and this server uses no other source (BIOFACT_MIRROR=only)."
	case missing:
		e.Message, e.Hint = "The local mirror of ClinicalTrials.gov does not exist yet, and this server uses no other source "+
			"(BIOFACT_MIRROR=only).", remedy
	case errors.Is(cause, mirror.ErrUnfinished):
		e.Message, e.Hint = "The local mirror of ClinicalTrials.gov is not complete yet, and this server uses no other source "+
			"(BIOFACT_MIRROR=only).", remedy
	case errors.Is(cause, mirror.ErrSource):
		e.Message = "The local mirror is a copy of another registry than the one of this server, which uses no other source " +
			"(BIOFACT_MIRROR=only)."
		e.Hint = elsewhere
	case mirror.IsElsewhere(cause):
		e.Hint = elsewhere
	}
	return e
}

// oldAge is the age above which a notice reports that the mirror is old: the registry publishes every working day.
const oldAge = 4 * 24 * time.Hour

// note adds notices that the mirror has answered, and how the answer may differ from the registry's.
func (u *mirrorUse) note(notes *entity.Notes) {
	p := &notes.Provenance
	p.Mirror, p.MirrorSynced, p.DataVersion = u.Title, u.state.Synced, u.state.Day()
	notes.Used("", u.state.Synced)
	day := u.state.Day()
	if u.words {
		notes.Add("Words were searched in a local copy of ClinicalTrials.gov (data of " + day +
			"): it knows few synonyms, its order is not the registry's, and counts may differ.")
	}
	if time.Since(u.state.Synced) > oldAge {
		notes.Add("This answer is from a local copy of ClinicalTrials.gov with the data of " + day + "; later changes are not in it.")
	}
	if u.state.WithoutContacts() {
		notes.Add("Contacts of people are left out, because the local copy was not synced for 30 days.")
	}
}

// Groups are the numbers of the trials of a query by their values of some dimensions.
type Groups struct {
	Groups []trials.TrialGroup
	Total  int // of the trials
}

// Groups returns the number of trials of a query by their values of the dimensions, if the mirror can count them; false: the caller must
// count pages of trials.
func (r *Registry) Groups(ctx context.Context, tally Tally, notes *entity.Notes) (found Groups, ok bool, err error) {
	if r.mirror == nil {
		return found, false, nil
	}
	params := Written(tally.Query, tally.Filter)
	used, answers, err := r.mirror.plan(ctx, &params, notes)
	if err != nil || !answers {
		return found, false, err
	}
	search, readable := searchOf(&params)
	if !readable {
		return found, false, nil
	}
	var pieces []string
	for _, name := range tally.Dimensions {
		if trials.TrialDimensions[name].More != nil {
			return found, false, nil
		}
		pieces = append(pieces, trials.TrialDimensions[name].Piece)
	}
	counted, ok, err := r.mirror.Reader.Groups(ctx, search, pieces)
	if errors.As(err, new(query.BadRequest)) {
		return found, false, nil // the pages of the search are rejected with a better message
	}
	if served, err := r.mirror.outcome(ctx, err); !served || !ok {
		return found, false, err
	}
	used.note(notes)
	for _, g := range counted.Groups {
		found.Groups = append(found.Groups, trials.TrialGroupOf(tally.Dimensions, g.Values, g.Count))
	}
	found.Total = counted.Total
	return found, true, nil
}
