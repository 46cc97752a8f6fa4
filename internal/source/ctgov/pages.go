package ctgov

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	api "github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/register"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// NearestSite is the field of a row that only a search near a place has.
const NearestSite = "nearest_site"

// Status is a status of a trial in a query.
type Status = api.Status

// A Search is a query with conditions on the sites and the eligibility text of each trial.
type Search struct {
	*Query
	Filter query.Node `json:"-"` // nil: none
	// Near adds to each trial its sites that are nearest to the center.
	Near *place.Circle `json:"near,omitempty"`
	// RecruitsNear excludes trials without a recruiting site in the circle.
	RecruitsNear bool `json:"recruitsNear,omitempty"`
	// Criteria is an expression. Each trial gets the lines of its eligibility text that have its words.
	Criteria string `json:"criteria,omitempty"`
	// OnlyIncluded excludes trials that have the words only among their exclusion criteria.
	OnlyIncluded bool `json:"onlyIncluded,omitempty"`
	// Number excludes trials without the number of a register among their ids; nil: none is looked for.
	Number *register.Number `json:"number,omitempty"`
	// Eligibility adds to each trial the statements of its record about the participants.
	Eligibility bool `json:"eligibility,omitempty"`
	// Columns are the fields of the rows, if the call chooses them.
	Columns []string `json:"columns,omitempty"`
}

// Order returns the piece by which the search is sorted, and whether the largest value comes first.
func (s *Search) Order() (piece string, descending bool) {
	if s.Sort == nil || len(*s.Sort) == 0 {
		return "", false
	}
	piece, direction, _ := strings.Cut((*s.Sort)[0], ":")
	return piece, direction == "desc"
}

// A Page is a page of search candidates in its stored form.
type Page struct {
	Candidates []entity.TrialSearchCandidate `json:"candidates"`
	Rows       []int                         `json:"rows"`              // index of each candidate in the registry's page
	LeftOut    []int                         `json:"leftOut,omitempty"` // indexes of the trials that the search excludes
	Count      int                           `json:"count"`             // rows of the registry's page
	Token      string                        `json:"token,omitempty"`
	Total      *int                          `json:"total,omitempty"`
	Version    string                        `json:"version,omitempty"`
	// Revision identifies the data of the page: the version, or the state of the mirror; empty: unknown.
	Revision string `json:"revision,omitempty"`
	// Criteria has the statements of each candidate about its participants, if the search requests them.
	Criteria []trials.Eligibility `json:"criteria,omitempty"`
	// Keys has the value that each row is sorted by, and its NCT id.
	Keys []RowKey `json:"keys,omitempty"`
}

// A RowKey is the position of a row in a sorted search. The value is empty for the order of relevance.
type RowKey struct {
	Value string `json:"value,omitempty"`
	ID    string `json:"id"`
}

// Written returns a copy of a query with its filter as text: a request may outlast the call, and the caller changes the query for the next
// page.
func Written(params *Query, filter query.Node) Query {
	written := *params
	if filter != nil {
		written.FilterAdvanced = new(filter.String())
	}
	return written
}

// Written returns a copy of the query of a search with its filter as text.
func (s *Search) Written() Query { return Written(s.Query, s.Filter) }

// QuerySize returns the length of the URL query for a page.
func QuerySize(params *Query, filter query.Node) int {
	written := Written(params, filter)
	req, err := api.NewListStudiesRequest("https://clinicaltrials.gov", &written)
	if err != nil {
		panic(err) // parameters are strings, numbers and lists of them
	}
	return len(req.URL.RawQuery)
}

// searchKey returns the key of a search in the cache: the JSON of the search. Of a search for a person it is a hash, because the cache
// keeps no words, age and sex of a person.
func searchKey(search Search) string {
	if !search.Eligibility {
		return key(search)
	}
	sum := sha256.Sum256([]byte(key(search)))
	return hex.EncodeToString(sum[:])
}

// key returns the JSON of a query.
func key(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // parameters are strings, numbers and lists of them
	}
	return string(text)
}

func fetchPage(ctx context.Context, c *client, searches []Search) (source.Reply[Page], error) {
	search := searches[0]
	found, retrieval, err := c.listStudies(ctx, search.Query)
	if err != nil {
		return source.Reply[Page]{}, err
	}
	page := &Page{Count: len(found.Studies), Token: found.NextPageToken}
	if err := page.add(ctx, search, found.Studies); err != nil {
		return source.Reply[Page]{}, err
	}
	if found.TotalCount != nil {
		page.Total = new(int(*found.TotalCount))
	}
	page.Version = sharedVersion(found.Studies)
	page.Revision = cmp.Or(retrieval.Revision, page.Version)
	return source.Reply[Page]{Answers: map[string]*Page{searchKey(search): page}, Retrieval: retrieval}, nil
}

// sharedVersion returns the data version of the studies, or "" if they have several: such a page is read while the registry publishes, or
// from a file of records of several days, and two versions of it cannot be compared.
func sharedVersion(studies []api.Study) (version string) {
	for i := range studies {
		v := trials.DataVersion(&studies[i])
		if i > 0 && v != version {
			return ""
		}
		version = v
	}
	return version
}

// add maps the studies that can be mapped, and records the indexes of those that the search excludes.
func (p *Page) add(ctx context.Context, search Search, studies []api.Study) error {
	words := trials.NewCriteriaWords(search.Criteria)
	piece, _ := search.Order()
	for i := range studies {
		if err := upstream.Working(ctx); err != nil {
			return err
		}
		p.Keys = append(p.Keys, RowKey{trials.SortValue(&studies[i], piece), studies[i].ProtocolSection.IdentificationModule.NctId})
		candidate, err := trials.TrialCandidate(&studies[i])
		if len(search.Columns) > 0 {
			row := trials.TrialFieldRow(&studies[i], search.Columns)
			candidate.ID, candidate.Row, err = row.ID, &row, nil
		}
		if err != nil || candidate.ID == "" {
			continue
		}
		if search.Number != nil && !trials.HoldsNumber(&studies[i], search.Number) {
			p.LeftOut = append(p.LeftOut, i)
			continue
		}
		if search.Eligibility {
			p.Criteria = append(p.Criteria, trials.EligibilityOf(&studies[i]))
		} else {
			trials.SetChosen(&candidate, &studies[i])
		}
		if !search.setNearest(&candidate, &studies[i]) {
			p.LeftOut = append(p.LeftOut, i)
			continue
		}
		if words != nil {
			match := words.Match(&studies[i])
			if search.OnlyIncluded && match.Excluded {
				p.LeftOut = append(p.LeftOut, i)
				continue
			}
			candidate.CriteriaMatch, candidate.CriteriaMatchMore = match.Shown, match.More
		}
		p.Candidates, p.Rows = append(p.Candidates, candidate), append(p.Rows, i)
	}
	return nil
}

// setNearest adds the nearest sites of a study to its candidate if the search is near a place. It reports false if the search excludes the
// study, because it requests a site that recruits there.
func (s *Search) setNearest(candidate *entity.TrialSearchCandidate, study *api.Study) bool {
	if s.Near == nil {
		return true
	}
	nearest := s.Near.Nearest(candidate.Status, trials.TrialLocations(study))
	if s.RecruitsNear && !nearest.Recruits {
		return false
	}
	candidate.NearestSite, candidate.NearestRecruitingSite = nearest.Site, nearest.RecruitingSite
	if candidate.Row != nil && slices.Contains(s.Columns, NearestSite) {
		candidate.Row.NearestSite = nearest.Site
	}
	return true
}
