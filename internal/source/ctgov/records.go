package ctgov

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	api "github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A Record is a study in its stored form: mapped, for both tools that read it.
type Record struct {
	recordHead
	Trial json.RawMessage // an entity.Trial, as in the answer
	Sites json.RawMessage // a list of entity.TrialLocation
}

// A recordHead holds the small members of a record.
type recordHead struct {
	ID      string `json:"id"`      // CURIE
	Central bool   `json:"central"` // it has contacts for the whole study
	Limits  int    `json:"limits"`  // the number of bytes of the limits of the criteria
	Version string `json:"version,omitempty"`
}

// MarshalBinary returns the head of the record, the trial and the sites, each on a line. The trial is sent as it is stored; only the head
// is decoded.
func (r *Record) MarshalBinary() ([]byte, error) {
	head, err := json.Marshal(r.recordHead)
	return slices.Concat(head, []byte("\n"), r.Trial, []byte("\n"), r.Sites), err
}

// UnmarshalBinary reads what MarshalBinary has written. The record shares its bytes.
func (r *Record) UnmarshalBinary(text []byte) error {
	parts := bytes.SplitN(text, []byte("\n"), 3)
	if len(parts) != 3 {
		return errors.New("the stored record does not have three lines")
	}
	r.Trial, r.Sites = slices.Clip(parts[1]), parts[2]
	return json.Unmarshal(parts[0], &r.recordHead)
}

// Valid reports whether the parts, which are not decoded with the record, have the right form.
func (r *Record) Valid() bool {
	return r.ID != "" && bytes.HasPrefix(r.Trial, []byte("{")) && (bytes.HasPrefix(r.Sites, []byte("[")) || string(r.Sites) == "null")
}

// fetchRecords requests the records of some studies.
func fetchRecords(ctx context.Context, c *client, ids []string) (source.Reply[Record], error) {
	return fetchStudies(ctx, c, ids, trials.TrialFields(), recordOf)
}

// fetchStudies requests the studies of some ids in one request, and maps each. It also finds aliases. An id that is on no page has no
// record, unless a page has a study that was not requested: that study may be the record under an unknown alias, so the id counts as
// unreadable. of maps a study; it returns nil for a study that it cannot map, which does not affect the others.
func fetchStudies[T any](
	ctx context.Context, client *client, ids, fields []string, of func(*api.Study) (*T, error),
) (source.Reply[T], error) {
	query := &Query{FilterIds: &ids, PageSize: new(int32(len(ids))), Fields: &fields}
	reply := source.Reply[T]{Answers: map[string]*T{}}
	unrequested := false
	for {
		page, retrieval, err := client.listStudies(ctx, query)
		if err != nil {
			return reply, err
		}
		reply.Requests += retrieval.Requests
		reply.Fetched = retrieval.Fetched
		for i := range page.Studies {
			if err := upstream.Working(ctx); err != nil {
				return reply, err
			}
			study, known := &page.Studies[i], false
			record, err := of(study)
			if err != nil && !errors.Is(err, errIncomplete) {
				return reply, err
			}
			for _, id := range ids {
				if hasID(study, id) {
					reply.Answers[id], known = record, true
				}
			}
			unrequested = unrequested || !known
		}
		if page.NextPageToken != "" && len(reply.Answers) < len(ids) && reply.Requests <= len(ids) {
			query.PageToken = &page.NextPageToken
			continue
		}
		if unrequested || page.NextPageToken != "" { // pages that do not end
			markUnread(reply.Answers, ids)
		}
		return reply, nil
	}
}

// markUnread marks the ids without a record as unreadable instead of absent.
func markUnread[T any](records map[string]*T, ids []string) {
	for _, id := range ids {
		if _, ok := records[id]; !ok {
			records[id] = nil
		}
	}
}

// errIncomplete is in the chain of the error for a study that lacks a required field. The lookup of this study fails, not the request.
var errIncomplete = errors.New("the record lacks a required field")

func recordOf(study *api.Study) (*Record, error) {
	trial, err := trials.Trial(study)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errIncomplete, err)
	}
	record := &Record{recordHead: recordHead{ID: trial.ID, Central: len(trial.CentralContacts) > 0, Version: trials.DataVersion(study)}}
	if c := trial.EligibilityCriteria; c != nil {
		record.Limits = entity.Size(c.Limits)
	}
	if record.Trial, err = entity.JSON(trial); err != nil {
		return nil, err
	}
	record.Sites, err = entity.JSON(trials.TrialLocations(study))
	return record, err
}

// hasID reports whether a study has an id, now or as an alias.
func hasID(study *api.Study, id string) bool {
	m := &study.ProtocolSection.IdentificationModule
	return m.NctId == id || slices.Contains(m.NctIdAliases, id)
}
