package ctgov

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	api "github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// An IDPage is a page of the ids of a search.
type IDPage struct {
	IDs     []string // NCT00461032
	LeftOut int      // trials of the page that the search excludes
	Token   string
	Total   *int
	// Revision identifies the data of the page; empty: unknown.
	Revision string
}

// IDs returns a page of the ids of a search. The page is not cached.
func (r *Registry) IDs(ctx context.Context, search *Search) (*IDPage, error) {
	query, fields := search.Written(), []string{"NCTId", "VersionHolder"}
	if search.RecruitsNear {
		fields = append(append(fields, "OverallStatus"), trials.NearSiteFields()...)
	}
	var words *trials.CriteriaWords
	if search.OnlyIncluded {
		fields, words = append(fields, "EligibilityCriteria"), trials.NewCriteriaWords(search.Criteria)
	}
	query.Fields, query.PageSize = &fields, new(int32(MaxPage))
	var found *api.PagedStudies
	var retrieval source.Retrieval
	err := r.withMirror(ctx, &query, func(c *client) (err error) {
		found, retrieval, err = c.listStudies(ctx, &query)
		return err
	})
	if err != nil {
		return nil, upstream.Failure(r.client.Title, err)
	}
	page := &IDPage{Token: found.NextPageToken, Revision: cmp.Or(retrieval.Revision, sharedVersion(found.Studies))}
	if found.TotalCount != nil {
		page.Total = new(int(*found.TotalCount))
	}
	for i := range found.Studies {
		if err := upstream.Working(ctx); err != nil {
			return nil, upstream.Failure(r.client.Title, err)
		}
		study := &found.Studies[i]
		id := study.ProtocolSection.IdentificationModule.NctId
		if id == "" {
			return nil, r.client.Unreadable(errors.New("a study without an id"))
		}
		if search.RecruitsNear && !search.recruits(study) || words != nil && words.Match(study).Excluded {
			page.LeftOut++
			continue
		}
		page.IDs = append(page.IDs, id)
	}
	return page, nil
}

// recruits reports whether a site of a study recruits in the circle of the search.
func (s *Search) recruits(study *api.Study) bool {
	status := entity.Status(study.ProtocolSection.StatusModule.OverallStatus)
	return s.Near.Nearest(status, trials.TrialLocations(study)).Recruits
}

// A RawTrial is the record of a trial as the registry writes it.
type RawTrial struct {
	ID      string // NCT00461032
	Aliases []string
	Record  json.RawMessage
}

// UnmarshalJSON stores the record, and reads its ids.
func (t *RawTrial) UnmarshalJSON(text []byte) error {
	var study struct {
		ProtocolSection struct {
			IdentificationModule struct {
				NctID        string   `json:"nctId"`
				NctIDAliases []string `json:"nctIdAliases"`
			} `json:"identificationModule"`
		} `json:"protocolSection"`
	}
	if err := json.Unmarshal(text, &study); err != nil {
		return err
	}
	m := &study.ProtocolSection.IdentificationModule
	t.ID, t.Aliases, t.Record = m.NctID, m.NctIDAliases, append(t.Record[:0], text...)
	return nil
}

// Trial returns the record in the form of get_trial.
func (t *RawTrial) Trial() (entity.Trial, error) {
	var study api.Study
	if err := json.Unmarshal(t.Record, &study); err != nil {
		return entity.Trial{}, err
	}
	return trials.Trial(&study)
}

// Results returns the posted results of the record.
func (t *RawTrial) Results() (*entity.TrialResults, error) {
	var study api.Study
	if err := json.Unmarshal(t.Record, &study); err != nil {
		return nil, err
	}
	results, err := resultsOf(&study)
	if err != nil {
		return nil, err
	}
	return results.withArms(), nil
}

// RawTrials returns the records of up to MaxIDs trials by their ids, or by aliases. With mapped they have only the fields that Trial maps.
// They are not cached.
func (r *Registry) RawTrials(ctx context.Context, ids []string, mapped bool) ([]RawTrial, error) {
	query := &Query{FilterIds: &ids, PageSize: new(int32(len(ids)))}
	if mapped {
		fields := trials.TrialFields()
		query.Fields = &fields
	}
	var trials []RawTrial
	err := r.withMirror(ctx, nil, func(c *client) (err error) {
		trials, err = c.rawTrials(ctx, query, ids)
		return err
	})
	if err != nil {
		return nil, upstream.Failure(r.client.Title, err)
	}
	return trials, nil
}

func (c *client) rawTrials(ctx context.Context, query *Query, ids []string) (trials []RawTrial, err error) {
	for requests := 0; requests <= len(ids); requests++ {
		var page struct {
			Studies       []RawTrial `json:"studies"`
			NextPageToken string     `json:"nextPageToken"`
		}
		answer, err := c.read(c.ListStudies(ctx, query))
		if err == nil {
			err = answer.Decode(&page)
		}
		if err == nil && page.Studies == nil {
			err = c.Unreadable(errors.New("an answer without a list of studies"))
		}
		if err != nil {
			return nil, err
		}
		trials = append(trials, page.Studies...)
		if page.NextPageToken == "" || len(trials) >= len(ids) {
			return trials, nil
		}
		query.PageToken = &page.NextPageToken
	}
	return nil, c.Unreadable(errors.New("pages that do not end"))
}
