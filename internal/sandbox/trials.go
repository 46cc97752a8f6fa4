package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// trials is ClinicalTrials.gov API v2 over full study records. Everything but
// its columns is fixed once it is made.
type trials struct {
	studies []map[string]any
	ids     []string       // canonical NCT id of each study
	byID    map[string]int // canonical and obsolete NCT ids
	version string         // date of the data set
	columns []column       // by ordinal of the piece
}

var canonicalID = regexp.MustCompile(`^NCT[0-9]{8}$`)

// newTrials serves the records.
func newTrials(records []record) (*trials, error) {
	t := &trials{
		studies: make([]map[string]any, 0, len(records)),
		ids:     make([]string, 0, len(records)),
		byID:    make(map[string]int, len(records)),
		columns: make([]column, len(pieces().list)),
		// A data set that does not tell its date is older than any other.
		version: "1970-01-01",
	}
	for i, r := range records {
		id := first(r.body, "NCTId")
		if !canonicalID.MatchString(id) {
			return nil, fmt.Errorf("%s: no NCT id in protocolSection.identificationModule.nctId, but %q", r.from, id)
		}
		if before, twice := t.byID[id]; twice {
			return nil, fmt.Errorf("%s: %s stands already in %s", r.from, id, records[before].from)
		}
		t.byID[id] = i
		t.ids = append(t.ids, id)
		t.studies = append(t.studies, r.body)
		t.version = max(t.version, first(r.body, "VersionHolder"))
	}
	for i, study := range t.studies {
		for _, v := range pieces().byName["NCTIdAlias"].values(study) {
			if _, taken := t.byID[v.text]; !taken {
				t.byID[v.text] = i
			}
		}
	}
	return t, nil
}

// first is the first value of a piece in a study, or "".
func first(study map[string]any, name string) string {
	values := pieces().byName[name].values(study)
	if len(values) == 0 {
		return ""
	}
	return values[0].text
}

// answer routes by the end of the path, so that any host and base serve.
func (t *trials) answer(req *http.Request) (answer, error) {
	path := strings.TrimPrefix(req.URL.Path, "/api/v2")
	id, single := strings.CutPrefix(path, "/studies/")
	single = single && !strings.Contains(id, "/") && !otherStudiesPath[id]
	if path != "/studies" && path != "/version" && !single {
		return answer{status: http.StatusNotFound}, nil
	}
	if req.Method != http.MethodGet && req.Method != "" {
		return answer{status: http.StatusMethodNotAllowed}, nil
	}
	switch {
	case single:
		return t.fetch(req, id)
	case path == "/version":
		return t.serveVersion(req)
	}
	return t.list(req)
}

// otherStudiesPath are the documented paths below /studies that are no NCT id
// and that the sandbox does not serve.
var otherStudiesPath = map[string]bool{"": true, "metadata": true, "search-areas": true, "enums": true}

// fetch is /studies/{nctId}. An obsolete id is redirected as upstream does it:
// to the canonical path alone, which drops the caller's query string.
func (t *trials) fetch(req *http.Request, id string) (answer, error) {
	if !looseID.MatchString(id) {
		return answer{}, refuse("Parameter `nctId` has incorrect format")
	}
	values, err := readParameters(req.URL.RawQuery, "format", "markupFormat", "fields")
	if err != nil {
		return answer{}, err
	}
	if err := values.checkFormat("csv", "json", "json.zip", "fhir.json", "ris"); err != nil {
		return answer{}, err
	}
	wanted, err := values.fields()
	if err != nil {
		return answer{}, err
	}
	canonical := canonicalise(id)
	study, known := t.byID[canonical]
	switch {
	case !known:
		return plain(http.StatusNotFound, fmt.Sprintf("NCT number %s not found", canonical)), nil
	case t.ids[study] != canonical:
		location := strings.TrimSuffix(req.URL.Path, id) + t.ids[study]
		return answer{status: http.StatusMovedPermanently, location: location}, nil
	}
	return data(wanted.project(t.studies[study]))
}

func (t *trials) serveVersion(req *http.Request) (answer, error) {
	if _, err := readParameters(req.URL.RawQuery); err != nil {
		return answer{}, err
	}
	return data(map[string]string{"apiVersion": "2.0.5", "dataTimestamp": t.version + "T09:00:05"})
}

// page is one page of /studies. The total is a pointer because zero hits have
// one too.
type page struct {
	TotalCount    *int             `json:"totalCount,omitempty"`
	Studies       []map[string]any `json:"studies"`
	NextPageToken string           `json:"nextPageToken,omitempty"`
}

// list is /studies.
func (t *trials) list(req *http.Request) (answer, error) {
	search, err := readSearch(req.URL.RawQuery)
	if err != nil {
		return answer{}, err
	}
	hits, err := t.find(req.Context(), search)
	if err != nil {
		return answer{}, err
	}
	from := min(search.offset, len(hits))
	to := min(from+search.pageSize, len(hits))
	out := page{Studies: make([]map[string]any, 0, to-from)}
	for _, h := range hits[from:to] {
		out.Studies = append(out.Studies, search.fields.project(t.studies[h.study]))
	}
	if search.countTotal && search.offset == 0 {
		total := len(hits)
		out.TotalCount = &total
	}
	if to < len(hits) {
		out.NextPageToken = pageToken(to)
	}
	return data(out)
}

// data writes an answer in the upstream's JSON, which leaves <, > and & as
// they are.
func data(v any) (answer, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return answer{}, fmt.Errorf("writing the answer: %w", err)
	}
	return answer{
		status:      http.StatusOK,
		contentType: "application/json",
		body:        bytes.TrimSuffix(body.Bytes(), []byte("\n")),
	}, nil
}
