package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/registry"
)

// trials is ClinicalTrials.gov API v2 over full study records.
type trials struct {
	studies *registry.Studies
	version string // date of the data set
}

var canonicalID = lazyregexp.New(`^NCT[0-9]{8}$`)

// newTrials serves the records.
func newTrials(records []record) (*trials, error) {
	// A data set that does not tell its date is older than any other.
	version := "1970-01-01"
	bodies := make([]map[string]any, 0, len(records))
	from := make(map[string]string, len(records))
	for _, r := range records {
		id := registry.First(r.body, "NCTId")
		if !canonicalID.MatchString(id) {
			return nil, fmt.Errorf("%s: no NCT id in protocolSection.identificationModule.nctId, but %q", r.from, id)
		}
		if before, twice := from[id]; twice {
			return nil, fmt.Errorf("%s: %s stands already in %s", r.from, id, before)
		}
		from[id] = r.from
		bodies = append(bodies, r.body)
		version = max(version, registry.First(r.body, "VersionHolder"))
	}
	return &trials{studies: registry.NewStudies(bodies), version: version}, nil
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
func (t *trials) fetch(req *http.Request, text string) (answer, error) {
	id, ok := registry.ParseID(text)
	if !ok {
		return answer{}, registry.BadRequest{Reason: "Parameter `nctId` has incorrect format"}
	}
	wanted, err := registry.ReadFetch(req.URL.RawQuery)
	if err != nil {
		return answer{}, err
	}
	study, canonical, known := t.studies.Get(id)
	switch {
	case !known:
		return plain(http.StatusNotFound, fmt.Sprintf("NCT number %s not found", id)), nil
	case canonical != id:
		location := strings.TrimSuffix(req.URL.Path, text) + canonical
		return answer{status: http.StatusMovedPermanently, location: location}, nil
	}
	return data(wanted.Project(study))
}

func (t *trials) serveVersion(req *http.Request) (answer, error) {
	if err := registry.ReadNothing(req.URL.RawQuery); err != nil {
		return answer{}, err
	}
	return data(map[string]string{"apiVersion": "2.0.5", "dataTimestamp": t.version + "T09:00:05"})
}

// list is /studies.
func (t *trials) list(req *http.Request) (answer, error) {
	search, err := registry.ReadSearch(req.URL.RawQuery)
	if err != nil {
		return answer{}, err
	}
	page, err := t.studies.Search(req.Context(), search)
	if err != nil {
		return answer{}, err
	}
	return data(page)
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
