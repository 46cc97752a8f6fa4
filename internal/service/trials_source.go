package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// trialSource reads ClinicalTrials.gov: from the store where what it keeps is
// still exact, else from the upstream, in as few requests as will do.
type trialSource struct {
	client  *ctgov.Client
	store   *store.Store              // nil: nothing is kept
	base    string                    // of the upstream, for keys
	records *upstream.Batch[exchange] // by NCT id
	pages   *upstream.Batch[exchange] // by query
	stamps  *upstream.Batch[exchange] // one key

	newest atomic.Pointer[store.Entry] // stamp that was read last
}

// An exchange is what a request was answered, in the form in which it is kept.
type exchange struct {
	value    []byte
	decoded  any // what value holds: a *trialRecord, a *trialPage or nothing
	requests int
	fetched  time.Time // by the upstream's clock
}

// A trialRecord is a study as it is kept: mapped, for both tools that read it.
type trialRecord struct {
	ID      string          `json:"id"`      // CURIE
	Trial   json.RawMessage `json:"trial"`   // an entity.Trial, as it goes out
	Central bool            `json:"central"` // it has contacts for the whole study
	Sites   json.RawMessage `json:"sites"`   // a list of entity.TrialLocation
	Version string          `json:"version,omitempty"`
}

// A trialPage is an upstream page of search candidates as it is kept.
type trialPage struct {
	Candidates []entity.TrialSearchCandidate `json:"candidates"`
	Rows       []int                         `json:"rows"`  // place of each candidate in the upstream page
	Count      int                           `json:"count"` // rows of the upstream page
	Token      string                        `json:"token,omitempty"`
	Total      *int                          `json:"total,omitempty"`
	Version    string                        `json:"version,omitempty"`
}

const (
	// keptFormat changes with what trialRecord and trialPage hold, and so with
	// the mapping.
	keptFormat = 1
	// knownFor is how long it counts as known what the version of the data is,
	// and so that an answer is exact by itself, and that an id has no record. The
	// registry publishes once in a working day.
	knownFor = 10 * time.Minute
	// publishing is how long a new version may take to reach every answer: what
	// was fetched so soon after its stamp may be of the one before.
	publishing = 5 * time.Minute
)

func newTrialSource(o Options) (*trialSource, error) {
	base, err := url.Parse(o.CTGovURL)
	if err != nil {
		return nil, err
	}
	client, err := ctgov.NewClient(o.CTGovURL, ctgov.WithHTTPClient(o.CTGov))
	if err != nil {
		return nil, err
	}
	s := &trialSource{client: client, store: o.Store, base: strings.TrimSuffix(o.CTGovURL, "/")}
	turn := func(ctx context.Context) (context.Context, error) { return o.CTGov.Turn(ctx, base.Host) }
	s.records = &upstream.Batch[exchange]{Max: maxIDs, Turn: turn, Fetch: s.keeping("trial", s.fetchRecords)}
	s.pages = &upstream.Batch[exchange]{Max: 1, Turn: turn, Fetch: s.keeping("search", s.fetchPage)}
	s.stamps = &upstream.Batch[exchange]{
		Max:  1,
		Turn: func(ctx context.Context) (context.Context, error) { return ctx, nil }, // the request takes it, if there is one
		Fetch: func(ctx context.Context, keys []string) (map[string]exchange, error) {
			answer, err := s.fetchStamp(ctx)
			return map[string]exchange{keys[0]: answer}, err
		},
	}
	return s, nil
}

// record reads one study by its id, NCT00461032. Without one the record is nil.
func (s *trialSource) record(ctx context.Context, id string, p *entity.Provenance) (*trialRecord, []string, error) {
	record, notices, err := read[trialRecord](ctx, s, s.records, "trial", id, p)
	if err != nil || record == nil {
		return nil, nil, err
	}
	p.DataVersion = record.Version
	return record, notices, nil
}

// page reads one page of a search.
func (s *trialSource) page(ctx context.Context, params *ctgov.ListStudiesParams, p *entity.Provenance) (*trialPage, []string, error) {
	query, err := json.Marshal(params)
	if err != nil {
		return nil, nil, err
	}
	page, notices, err := read[trialPage](ctx, s, s.pages, "search", string(query), p)
	if err != nil {
		return nil, nil, err
	}
	p.DataVersion = page.Version
	return page, notices, nil
}

// read reads one answer, from the store or by a batch, and says what the caller
// should know of its age. An id without a record has no answer, nil.
func read[T any](ctx context.Context, s *trialSource, batch *upstream.Batch[exchange], kind, question string, p *entity.Provenance) (*T, []string, error) {
	kept, known := s.get(ctx, kind, question)
	value, err := keptValue[T](kept.Value)
	if known = known && err == nil; known { // what cannot be read is asked again
		exact, err := s.exact(ctx, kept, p)
		if exact {
			p.Cache, p.RetrievedAt = entity.CacheHit, kept.Fetched
			return value, nil, nil
		}
		if err != nil {
			return stale(ctx, kept, value, p, err)
		}
	}
	answer, found, err := batch.Get(ctx, question)
	if err == nil && found && answer.value == nil {
		err = nonsense(mapping.ErrIncomplete)
	}
	if err != nil {
		err = upstream.Failure("ClinicalTrials.gov", err)
		if _, ok := errors.AsType[*refused](err); known && !ok {
			return stale(ctx, kept, value, p, err)
		}
		return nil, nil, err
	}
	if !found {
		answer.value = absent
	}
	p.UpstreamRequests += max(1, answer.requests)
	p.RetrievedAt = answer.fetched
	if s.store != nil {
		p.Cache = entity.CacheMiss
	}
	if decoded, ok := answer.decoded.(*T); ok {
		mine := *decoded // shared with all who asked: what it points to must not be changed
		return &mine, nil, nil
	}
	value, err = keptValue[T](answer.value)
	return value, nil, err
}

// absent is what is kept for an id without a record.
var absent = []byte("null")

// keptValue reads what is kept; nil for absent.
func keptValue[T any](text []byte) (value *T, err error) {
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	if record, ok := any(value).(*trialRecord); ok && record != nil && !record.whole() {
		return nil, errors.New("what is kept is no record")
	}
	return value, nil
}

// whole tells that the parts, which are not decoded here, are what they should be.
func (r *trialRecord) whole() bool {
	return r.ID != "" && bytes.HasPrefix(r.Trial, []byte("{")) && (bytes.HasPrefix(r.Sites, []byte("[")) || bytes.Equal(r.Sites, absent))
}

// stale answers from the store although the upstream may know better: a fact of
// known age is more than an error. That an id had no record is no such fact.
func stale[T any](ctx context.Context, kept store.Entry, value *T, p *entity.Provenance, cause error) (*T, []string, error) {
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) || value == nil {
		return nil, nil, cause
	}
	p.Cache, p.RetrievedAt = entity.CacheStale, kept.Fetched
	notice := fmt.Sprintf("ClinicalTrials.gov cannot be asked at the moment. This answer was stored %s ago and may be out of date.", age(time.Since(kept.Stored)))
	return value, []string{notice}, nil
}

// age words a duration for a reader.
func age(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return "a minute"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d minutes", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d hours", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// exact tells whether a kept answer is what upstream would answer now: it was
// fetched after the newest version of the data was published. The error is of
// an upstream that cannot tell.
func (s *trialSource) exact(ctx context.Context, kept store.Entry, p *entity.Provenance) (bool, error) {
	if string(kept.Value) == string(absent) {
		return lately(kept.Stored), nil
	}
	stamp, known := s.stamp(ctx)
	if !known && lately(kept.Stored) {
		return true, nil // it tells as much as a stamp of its age would
	}
	if !known {
		answer, _, err := s.stamps.Get(ctx, "")
		if err != nil {
			return false, upstream.Failure("ClinicalTrials.gov", err)
		}
		p.UpstreamRequests += answer.requests
		stamp.Value = answer.value
	}
	published, err := time.Parse("2006-01-02T15:04:05", string(stamp.Value)) // UTC, without saying so
	// A stamp that cannot be read keeps nothing exact.
	return err == nil && kept.Fetched.After(published.Add(publishing)), nil
}

// stamp is the time stamp of the data that was asked for not long ago.
func (s *trialSource) stamp(ctx context.Context) (store.Entry, bool) {
	if last := s.newest.Load(); last != nil && lately(last.Stored) {
		return *last, true
	}
	stamp, known := s.get(ctx, "stamp", "")
	if !known || !lately(stamp.Stored) {
		return store.Entry{}, false
	}
	s.newest.Store(&stamp)
	return stamp, true
}

// lately tells whether what was stored then still counts as known. What a clock
// stored that has been set back since counts for nothing.
func lately(stored time.Time) bool {
	since := time.Since(stored)
	return since >= 0 && since < knownFor
}

func (s *trialSource) key(kind, question string) string {
	return fmt.Sprintf("%d %s %s %s", keptFormat, s.base, kind, question)
}

func (s *trialSource) get(ctx context.Context, kind, question string) (store.Entry, bool) {
	if s.store == nil {
		return store.Entry{}, false
	}
	return s.store.Get(ctx, s.key(kind, question))
}

func (s *trialSource) put(ctx context.Context, kind, question string, e exchange) {
	s.store.Put(ctx, s.key(kind, question), store.Entry{Value: e.value, Fetched: e.fetched, Stored: time.Now()})
}

// keeping returns a fetch that keeps what it finds, and that there is nothing to
// be found, before anybody can ask again.
func (s *trialSource) keeping(kind string, fetch func(context.Context, []string) (map[string]exchange, error)) func(context.Context, []string) (map[string]exchange, error) {
	if s.store == nil {
		return fetch
	}
	return func(ctx context.Context, questions []string) (map[string]exchange, error) {
		answers, err := fetch(ctx, questions)
		if err != nil {
			return nil, err
		}
		for _, q := range questions {
			answer, found := answers[q]
			if !found {
				answer.value = absent
			}
			if answer.value != nil {
				s.put(ctx, kind, q, answer)
			}
		}
		return answers, nil
	}
}

// fetchRecords asks for the studies of some ids in one request. It finds
// aliases too; an id that no page holds has no record, unless a page holds what
// nobody asked for: that may be it, and cannot be read.
func (s *trialSource) fetchRecords(ctx context.Context, ids []string) (map[string]exchange, error) {
	fields := mapping.TrialFields()
	params := &ctgov.ListStudiesParams{FilterIds: &ids, PageSize: new(int32(len(ids))), Fields: &fields}
	found, strays := map[string]exchange{}, false
	for requests := 0; ; {
		page, made, err := s.listStudies(ctx, params)
		if err != nil {
			return nil, err
		}
		requests += made.requests
		for i := range page.Studies {
			study := &page.Studies[i]
			answer, err := keptRecord(study)
			if err != nil {
				return nil, err
			}
			answer.requests, answer.fetched = requests, made.fetched
			stray := true
			for _, id := range ids {
				if answersTo(study, id) {
					found[id], stray = answer, false
				}
			}
			strays = strays || stray
		}
		if page.NextPageToken != "" && len(found) < len(ids) && requests <= len(ids) {
			params.PageToken = &page.NextPageToken
			continue
		}
		strays = strays || page.NextPageToken != "" // pages that do not end
		for _, id := range ids {
			if _, ok := found[id]; !ok && strays {
				found[id] = exchange{requests: requests, fetched: made.fetched}
			}
		}
		return found, nil
	}
}

// keptRecord maps a study to what is kept of it. Of a study that cannot be
// mapped nothing is, and it spoils no other of its batch.
func keptRecord(study *ctgov.Study) (exchange, error) {
	trial, err := mapping.Trial(study)
	if err != nil {
		return exchange{}, nil //nolint:nilerr // the lookup of this study fails, not the request
	}
	record := &trialRecord{ID: trial.ID, Central: len(trial.CentralContacts) > 0, Version: mapping.DataVersion(study)}
	if record.Trial, err = entity.JSON(trial); err != nil {
		return exchange{}, err
	}
	if record.Sites, err = entity.JSON(mapping.TrialLocations(study)); err != nil {
		return exchange{}, err
	}
	value, err := entity.JSON(record)
	return exchange{value: value, decoded: record}, err
}

func (s *trialSource) fetchPage(ctx context.Context, queries []string) (map[string]exchange, error) {
	var params ctgov.ListStudiesParams
	if err := json.Unmarshal([]byte(queries[0]), &params); err != nil {
		return nil, err
	}
	page, made, err := s.listStudies(ctx, &params)
	if err != nil {
		return nil, err
	}
	mapped := trialPage{Count: len(page.Studies), Token: page.NextPageToken}
	mapped.Candidates, mapped.Rows = mapCandidates(page.Studies)
	if page.TotalCount != nil {
		mapped.Total = new(int(*page.TotalCount))
	}
	if len(page.Studies) > 0 {
		mapped.Version = mapping.DataVersion(&page.Studies[0])
	}
	made.decoded = &mapped
	made.value, err = json.Marshal(mapped)
	return map[string]exchange{queries[0]: made}, err
}

// Of the processes that find the stamp old, one asks for the new one. The
// others look for its answer, and ask themselves where it does not come.
const (
	asking = 2 * time.Second
	look   = 50 * time.Millisecond
)

// fetchStamp finds out the time stamp of the registry's data and keeps it.
func (s *trialSource) fetchStamp(ctx context.Context) (made exchange, err error) {
	turn, alone := s.store.Reserve(ctx, s.key("stamp", ""), asking, 0)
	if !alone {
		if stamp, ok := s.awaitStamp(ctx); ok {
			return exchange{value: stamp.Value, fetched: stamp.Fetched}, nil
		}
	}
	defer func() {
		if err != nil && alone {
			s.store.Release(ctx, s.key("stamp", ""), turn, asking) // nobody need wait for an answer
		}
	}()
	resp, err := s.client.Version(ctx)
	if err != nil {
		return exchange{}, err
	}
	defer resp.Body.Close()
	var version ctgov.Version
	made, err = readJSON(resp, &version)
	if err != nil {
		return exchange{}, err
	}
	made.value = []byte(version.DataTimestamp)
	s.put(ctx, "stamp", "", made)
	return made, nil
}

// awaitStamp waits for the stamp that another process asks for.
func (s *trialSource) awaitStamp(ctx context.Context) (store.Entry, bool) {
	ctx, cancel := context.WithTimeout(ctx, asking)
	defer cancel()
	again := time.NewTicker(look)
	defer again.Stop()
	for {
		if stamp, ok := s.stamp(ctx); ok {
			return stamp, true
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return store.Entry{}, false
		}
	}
}

// listStudies makes the one request that all trial tools stand on.
func (s *trialSource) listStudies(ctx context.Context, params *ctgov.ListStudiesParams) (*ctgov.PagedStudies, exchange, error) {
	resp, err := s.client.ListStudies(ctx, params)
	if err != nil {
		return nil, exchange{}, err
	}
	defer resp.Body.Close()
	var page ctgov.PagedStudies
	made, err := readJSON(resp, &page)
	if err != nil {
		return nil, made, err
	}
	if page.Studies == nil {
		return nil, made, nonsense(errors.New("an answer without a list of studies"))
	}
	return &page, made, nil
}

// A refused request is one that upstream could not read (400).
type refused struct{ sentence string }

func (r *refused) Error() string { return "upstream refused the request: " + r.sentence }

// readJSON decodes the answer of a request.
func readJSON(resp *http.Response, into any) (exchange, error) {
	made := exchange{requests: upstream.Attempts(resp), fetched: upstream.Date(resp)}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return made, nonsense(err)
	}
	if resp.StatusCode != http.StatusOK {
		e := nonsense(&refused{sentence: strings.TrimSpace(string(body))})
		e.Message = fmt.Sprintf("ClinicalTrials.gov refused the request (status %d).", resp.StatusCode)
		return made, e
	}
	if err := json.Unmarshal(body, into); err != nil {
		return made, nonsense(err)
	}
	return made, nil
}

// nonsense is the error of an answer that cannot be read.
func nonsense(cause error) *entity.Error {
	return &entity.Error{
		Code:    entity.UpstreamError,
		Message: "ClinicalTrials.gov answered something that cannot be read.",
		Hint:    "This is not an empty result. Make the same call again in a minute; the arguments need no change.",
		Cause:   cause,
	}
}

// answersTo tells whether a record is the one of an id or of an alias.
func answersTo(study *ctgov.Study, id string) bool {
	m := &study.ProtocolSection.IdentificationModule
	return m.NctId == id || slices.Contains(m.NctIdAliases, id)
}

// mapCandidates maps the studies that can be mapped; rows tells at which place
// of studies each candidate stands.
func mapCandidates(studies []ctgov.Study) (candidates []entity.TrialSearchCandidate, rows []int) {
	for i := range studies {
		c, err := mapping.TrialCandidate(&studies[i])
		if err != nil {
			continue
		}
		candidates, rows = append(candidates, c), append(rows, i)
	}
	return candidates, rows
}
