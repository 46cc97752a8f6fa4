package ctgov

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	api "github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping"
	"github.com/biofact-mcp/biofact/internal/source"
)

// A Record is a study as it is kept: mapped, for both tools that read it.
type Record struct {
	ID      string          `json:"id"`      // CURIE
	Trial   json.RawMessage `json:"trial"`   // an entity.Trial, as it is answered
	Central bool            `json:"central"` // it has contacts for the whole study
	Sites   json.RawMessage `json:"sites"`   // a list of entity.TrialLocation
	Version string          `json:"version,omitempty"`
}

// Valid reports whether the parts, which are not decoded with the record, are
// what they should be.
func (r *Record) Valid() bool {
	return r.ID != "" && bytes.HasPrefix(r.Trial, []byte("{")) && (bytes.HasPrefix(r.Sites, []byte("[")) || string(r.Sites) == "null")
}

// Record returns the record of a study by its id, NCT00461032, or by an alias;
// nil: there is none.
func (r *Registry) Record(ctx context.Context, id string, notes *entity.Notes) (*Record, error) {
	record, err := r.records.Get(ctx, id, notes)
	if record != nil {
		notes.Provenance.DataVersion = record.Version
	}
	return record, err
}

// fetchRecords asks for the studies of some ids in one request. It finds
// aliases too; an id that no page holds has no record, unless a page holds what
// nobody asked for: that may be it, and cannot be read.
func (r *Registry) fetchRecords(ctx context.Context, ids []string) (source.Reply[Record], error) {
	fields := mapping.TrialFields()
	query := &Query{FilterIds: &ids, PageSize: new(int32(len(ids))), Fields: &fields}
	reply := source.Reply[Record]{Answers: map[string]*Record{}}
	strays := false
	for {
		page, made, err := r.listStudies(ctx, query)
		if err != nil {
			return reply, err
		}
		reply.Requests += made.requests
		reply.Fetched = made.fetched
		for i := range page.Studies {
			known, err := addRecord(reply.Answers, ids, &page.Studies[i])
			if err != nil {
				return reply, err
			}
			strays = strays || !known
		}
		if page.NextPageToken != "" && len(reply.Answers) < len(ids) && reply.Requests <= len(ids) {
			query.PageToken = &page.NextPageToken
			continue
		}
		if strays || page.NextPageToken != "" { // pages that do not end
			leaveUnread(reply.Answers, ids)
		}
		return reply, nil
	}
}

// addRecord adds the record of a study under the ids that it answers to. Of a
// study that cannot be mapped the record is nil, which spoils no other. Known
// reports whether an id was one of those asked for.
func addRecord(records map[string]*Record, ids []string, study *api.Study) (known bool, err error) {
	record, err := recordOf(study)
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		if answersTo(study, id) {
			records[id], known = record, true
		}
	}
	return known, nil
}

// leaveUnread marks the ids without a record as not read, rather than as having
// none.
func leaveUnread(records map[string]*Record, ids []string) {
	for _, id := range ids {
		if _, ok := records[id]; !ok {
			records[id] = nil
		}
	}
}

// recordOf maps a study; nil: it lacks what every study has.
func recordOf(study *api.Study) (*Record, error) {
	trial, err := mapping.Trial(study)
	if err != nil {
		return nil, nil //nolint:nilerr // the lookup of this study fails, not the request
	}
	record := &Record{ID: trial.ID, Central: len(trial.CentralContacts) > 0, Version: mapping.DataVersion(study)}
	if record.Trial, err = entity.JSON(trial); err != nil {
		return nil, err
	}
	record.Sites, err = entity.JSON(mapping.TrialLocations(study))
	return record, err
}

// answersTo reports whether a study has an id, now or as an alias.
func answersTo(study *api.Study, id string) bool {
	m := &study.ProtocolSection.IdentificationModule
	return m.NctId == id || slices.Contains(m.NctIdAliases, id)
}
