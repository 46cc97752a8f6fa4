package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
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
}

// An exchange is what a request was answered, in the form in which it is kept.
type exchange struct {
	value    []byte
	requests int
	fetched  time.Time // by the upstream's clock
}

// A trialRecord is a study as it is kept: mapped, for both tools that read it.
type trialRecord struct {
	Trial   entity.Trial    `json:"trial"`
	Sites   json.RawMessage `json:"sites"` // read by one of the tools only
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
	// stampAge is how long the version of the data counts as known. The registry
	// publishes once in a working day.
	stampAge = 10 * time.Minute
	// publishing is how long a new version may take to reach every answer: what
	// was fetched so soon after its stamp may be of the one before.
	publishing = 5 * time.Minute
	// absentAge is how long it counts as known that an id has no record.
	absentAge = 10 * time.Minute
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
	s.records = &upstream.Batch[exchange]{Max: maxIDs, Turn: turn, Fetch: s.fetchRecords}
	s.pages = &upstream.Batch[exchange]{Max: 1, Turn: turn, Fetch: s.fetchPage}
	s.stamps = &upstream.Batch[exchange]{Max: 1, Turn: turn, Fetch: s.fetchStamp}
	return s, nil
}

// record reads one study by its id, NCT00461032. Without one the record is nil.
func (s *trialSource) record(ctx context.Context, id string, p *entity.Provenance) (*trialRecord, []string, error) {
	var record trialRecord
	found, notices, err := s.read(ctx, s.records, "trial", id, &record, p)
	if err != nil || !found {
		return nil, nil, err
	}
	if record.Trial.ID == "" {
		return nil, nil, nonsense(mapping.ErrIncomplete)
	}
	p.DataVersion = record.Version
	return &record, notices, nil
}

// page reads one page of a search.
func (s *trialSource) page(ctx context.Context, params *ctgov.ListStudiesParams, p *entity.Provenance) (*trialPage, []string, error) {
	query, err := json.Marshal(params)
	if err != nil {
		return nil, nil, err
	}
	var page trialPage
	_, notices, err := s.read(ctx, s.pages, "search", string(query), &page, p)
	if err != nil {
		return nil, nil, err
	}
	p.DataVersion = page.Version
	return &page, notices, nil
}

// read reads one answer into value, from the store or by a batch, and says what
// the caller should know of its age.
func (s *trialSource) read(ctx context.Context, batch *upstream.Batch[exchange], kind, question string, value any, p *entity.Provenance) (found bool, notices []string, err error) {
	kept, known := s.get(ctx, kind, question)
	if known {
		exact, err := s.exact(ctx, kept, p)
		if exact {
			p.Cache, p.RetrievedAt = entity.CacheHit, kept.Fetched
			return keptValue(kept, value)
		}
		if err != nil {
			return s.stale(ctx, kept, value, p, err)
		}
	}
	answer, found, err := batch.Get(ctx, question)
	if err != nil {
		err = upstream.Failure("ClinicalTrials.gov", err)
		if known {
			return s.stale(ctx, kept, value, p, err)
		}
		return false, nil, err
	}
	if !found {
		answer.value = absent
	}
	p.UpstreamRequests += max(1, answer.requests)
	p.RetrievedAt = answer.fetched
	if s.store != nil {
		p.Cache = entity.CacheMiss
		s.put(ctx, kind, question, answer)
	}
	found, _, err = keptValue(store.Entry{Value: answer.value}, value)
	return found, nil, err
}

// absent is what is kept for an id without a record.
var absent = []byte("null")

func keptValue(e store.Entry, value any) (found bool, notices []string, err error) {
	if string(e.Value) == string(absent) {
		return false, nil, nil
	}
	return true, nil, json.Unmarshal(e.Value, value)
}

// stale answers from the store although the upstream may know better: a fact of
// known age is more than an error. That an id had no record is no such fact.
func (s *trialSource) stale(ctx context.Context, kept store.Entry, value any, p *entity.Provenance, cause error) (found bool, notices []string, err error) {
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) || string(kept.Value) == string(absent) {
		return false, nil, cause
	}
	p.Cache, p.RetrievedAt = entity.CacheStale, kept.Fetched
	notice := fmt.Sprintf("ClinicalTrials.gov cannot be asked at the moment. This answer was stored %s ago and may be out of date.", age(time.Since(kept.Stored)))
	found, _, err = keptValue(kept, value)
	return found, []string{notice}, err
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
		return time.Since(kept.Stored) < absentAge, nil
	}
	stamp, known := s.get(ctx, "stamp", "")
	if !known || time.Since(stamp.Stored) >= stampAge {
		answer, _, err := s.stamps.Get(ctx, "")
		if err != nil {
			return false, upstream.Failure("ClinicalTrials.gov", err)
		}
		p.UpstreamRequests += max(1, answer.requests)
		s.put(ctx, "stamp", "", answer)
		stamp.Value = answer.value
	}
	published, err := time.Parse("2006-01-02T15:04:05", string(stamp.Value)) // UTC, without saying so
	// A stamp that cannot be read keeps nothing exact.
	return err == nil && kept.Fetched.After(published.Add(publishing)), nil
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

// fetchRecords asks for the studies of some ids in one request. It finds
// aliases too; an id that no page holds has no record.
func (s *trialSource) fetchRecords(ctx context.Context, ids []string) (map[string]exchange, error) {
	fields := mapping.TrialFields()
	params := &ctgov.ListStudiesParams{FilterIds: &ids, PageSize: new(int32(len(ids))), Fields: &fields}
	found := map[string]exchange{}
	for requests := 0; ; {
		page, made, err := s.listStudies(ctx, params)
		if err != nil {
			return nil, err
		}
		requests += made.requests
		for i := range page.Studies {
			study := &page.Studies[i]
			value, err := keptRecord(study)
			if err != nil {
				return nil, err
			}
			for _, id := range ids {
				if answersTo(study, id) {
					found[id] = exchange{value: value, requests: requests, fetched: made.fetched}
				}
			}
		}
		if page.NextPageToken == "" || len(found) == len(ids) || requests > len(ids) {
			return found, nil
		}
		params.PageToken = &page.NextPageToken
	}
}

// keptRecord maps a study to what is kept of it. A study that cannot be mapped
// is kept as a record without an id, so that it spoils no other of its batch.
func keptRecord(study *ctgov.Study) ([]byte, error) {
	trial, err := mapping.Trial(study)
	if err != nil {
		return json.Marshal(trialRecord{Sites: absent})
	}
	sites, err := json.Marshal(mapping.TrialLocations(study))
	if err != nil {
		return nil, err
	}
	return json.Marshal(trialRecord{Trial: trial, Sites: sites, Version: mapping.DataVersion(study)})
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

// fetchStamp asks for the time stamp of the registry's data.
func (s *trialSource) fetchStamp(ctx context.Context, keys []string) (map[string]exchange, error) {
	resp, err := s.client.Version(ctx)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var version ctgov.Version
	made, err := readJSON(resp, &version)
	if err != nil {
		return nil, err
	}
	made.value = []byte(version.DataTimestamp)
	return map[string]exchange{keys[0]: made}, nil
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
	if m.NctId == id {
		return true
	}
	for _, alias := range m.NctIdAliases {
		if alias == id {
			return true
		}
	}
	return false
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
