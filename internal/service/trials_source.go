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
	shelf
	client  *ctgov.Client
	records *upstream.Batch[exchange] // by NCT id
	pages   *upstream.Batch[exchange] // by query
	stamps  *upstream.Batch[exchange] // one key

	newest atomic.Pointer[store.Entry] // stamp that was read last
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
	keptFormat = 2
	// publishing is how long a new version may take to reach every answer: what
	// was fetched so soon after its stamp may be of the one before.
	publishing = 5 * time.Minute
)

// ctgovName is how messages call the source of the trials.
const ctgovName = "ClinicalTrials.gov"

func newTrialSource(o Options) (*trialSource, error) {
	base, err := url.Parse(o.CTGovURL)
	if err != nil {
		return nil, err
	}
	client, err := ctgov.NewClient(o.CTGovURL, ctgov.WithHTTPClient(o.CTGov))
	if err != nil {
		return nil, err
	}
	s := &trialSource{client: client}
	s.shelf = shelf{
		source: ctgovName, store: o.Store, exact: s.exact,
		prefix:  fmt.Sprintf("%d %s", keptFormat, strings.TrimSuffix(o.CTGovURL, "/")),
		observe: o.Observe, name: "ctgov",
	}
	turn := func(ctx context.Context) (context.Context, error) { return o.CTGov.Turn(ctx, base.Host) }
	s.records = s.batch(maxIDs, "trial", turn, s.fetchRecords)
	s.pages = s.batch(1, "search", turn, s.fetchPage)
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
	record, notices, err := read[trialRecord](ctx, &s.shelf, s.records, "trial", id, p)
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
	page, notices, err := read[trialPage](ctx, &s.shelf, s.pages, "search", string(query), p)
	if err != nil {
		return nil, nil, err
	}
	p.DataVersion = page.Version
	return page, notices, nil
}

// whole tells that the parts, which are not decoded here, are what they should be.
func (r *trialRecord) whole() bool {
	return r.ID != "" && bytes.HasPrefix(r.Trial, []byte("{")) && (bytes.HasPrefix(r.Sites, []byte("[")) || bytes.Equal(r.Sites, absent))
}

// exact tells whether a kept answer is what upstream would answer now: it was
// fetched after the newest version of the data was published. The error is of
// an upstream that cannot tell.
func (s *trialSource) exact(ctx context.Context, _ string, kept store.Entry, p *entity.Provenance) (bool, error) {
	if string(kept.Value) == string(absent) {
		return within(kept.Stored, knownFor), nil
	}
	stamp, known := s.stamp(ctx)
	if !known && within(kept.Stored, knownFor) {
		return true, nil // it tells as much as a stamp of its age would
	}
	if !known {
		answer, _, err := s.stamps.Get(ctx, "")
		if err != nil {
			return false, upstream.Failure(ctgovName, err)
		}
		p.UpstreamRequests += answer.requests
		stamp.Value, stamp.Fetched = answer.value, answer.fetched
	}
	published, err := time.Parse("2006-01-02T15:04:05", string(stamp.Value)) // UTC, without saying so
	// A stamp that cannot be read keeps nothing exact, nor does a clock of the
	// source, or of a proxy, that was ahead when the answer was fetched.
	ahead := !stamp.Fetched.IsZero() && kept.Fetched.After(stamp.Fetched.Add(2*knownFor))
	return err == nil && !ahead && kept.Fetched.After(published.Add(publishing)), nil
}

// stamp is the time stamp of the data that was asked for not long ago.
func (s *trialSource) stamp(ctx context.Context) (store.Entry, bool) {
	if last := s.newest.Load(); last != nil && within(last.Stored, knownFor) {
		return *last, true
	}
	stamp, known := s.get(ctx, "stamp", "")
	if !known || !within(stamp.Stored, knownFor) {
		return store.Entry{}, false
	}
	s.newest.Store(&stamp)
	return stamp, true
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
	return exchange{value: value}, err
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
		return nil, made, nonsense(ctgovName, errors.New("an answer without a list of studies"))
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
		return made, nonsense(ctgovName, err)
	}
	if resp.StatusCode != http.StatusOK {
		e := nonsense(ctgovName, &refused{sentence: strings.TrimSpace(string(body))})
		e.Message = fmt.Sprintf("ClinicalTrials.gov refused the request (status %d).", resp.StatusCode)
		return made, e
	}
	if err := json.Unmarshal(body, into); err != nil {
		return made, nonsense(ctgovName, err)
	}
	return made, nil
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
