package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
)

// few returns the sandbox over the studies of the tables below.
func few(t testing.TB) *Sandbox {
	t.Helper()
	s, err := Open(t.Context(), "../query/testdata/studies.jsonl")
	expect.NoError(t, err)
	return s
}

// own returns the sandbox over the embedded records.
func own(t testing.TB) *Sandbox {
	t.Helper()
	s, err := openEmbedded()
	expect.NoError(t, err)
	return s
}

var openEmbedded = sync.OnceValues(New)

// request makes a request and returns its response.
func request(t testing.TB, via http.RoundTripper, method, address string, form url.Values) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
	expect.NoError(t, err)
	resp, err := via.RoundTrip(req)
	expect.Must(t, err == nil, "%s: %v", address, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	expect.NoError(t, err)
	return resp, string(body)
}

// get requests a path and query of the registry.
func get(t testing.TB, s *Sandbox, path string) (*http.Response, string) {
	t.Helper()
	resp, body := request(t, s, http.MethodGet, "https://clinicaltrials.gov/api/v2"+path, nil)
	expect.Is(t, resp.ContentLength, int64(len(body)), "%s: ContentLength", path)
	return resp, body
}

// studies returns the path of a search; pairs are names and values.
func studies(pairs ...string) string {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return "/studies?" + values.Encode()
}

// found is a page of a search whose fields include NCTId.
type found struct {
	TotalCount    *int             `json:"totalCount"`
	Studies       []map[string]any `json:"studies"`
	NextPageToken string           `json:"nextPageToken"`
}

func (f found) ids() []string {
	ids := []string{}
	for _, study := range f.Studies {
		ids = append(ids, query.First(study, "NCTId"))
	}
	return ids
}

func search200(t testing.TB, s *Sandbox, pairs ...string) found {
	t.Helper()
	resp, body := get(t, s, studies(pairs...))
	expect.Must(t, resp.StatusCode == http.StatusOK, "%v: %d %s", pairs, resp.StatusCode, body)
	expect.Is(t, resp.Header.Get("Content-Type"), "application/json", "%v: Content-Type", pairs)
	var f found
	expect.NoErrorf(t, json.Unmarshal([]byte(body), &f), "%v", pairs)
	return f
}

// pubmed returns the PMIDs that a search finds.
func pubmed(t testing.TB, s *Sandbox, term string) []string {
	t.Helper()
	_, body := request(t, s, http.MethodGet, "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esearch.fcgi?db=pubmed&retmode=json&term="+
		url.QueryEscape(term), nil)
	var out struct {
		Result struct {
			IDs []string `json:"idlist"`
		} `json:"esearchresult"`
	}
	expect.NoError(t, json.Unmarshal([]byte(body), &out))
	return out.Result.IDs
}

// TestLinksAreClosed: trials and articles that refer to each other are in the records.
func TestLinksAreClosed(t *testing.T) {
	t.Parallel()
	s := own(t)
	registered, published := 0, map[string]bool{}
	for _, study := range search200(t, s, "pageSize", "1000", "fields", "NCTId|ReferencePMID").Studies {
		registered += len(pubmed(t, s, query.First(study, "NCTId")+"[si]"))
		for _, pmid := range query.Values(study, "ReferencePMID") {
			for _, found := range pubmed(t, s, pmid+"[uid]") {
				published[found] = true
			}
		}
	}
	expect.That(t, registered >= 15 && len(published) >= 15, "%d articles of registered trials, %d articles of trials", registered,
		len(published))
}

func TestNewServesTheEmbeddedDataSet(t *testing.T) {
	t.Parallel()
	s := own(t)
	if got := search200(t, s, "countTotal", "true"); got.TotalCount == nil || *got.TotalCount == 0 {
		t.Errorf("no study in the embedded data set: %+v", got)
	}
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	s := few(t)
	for _, tt := range []struct {
		method, url string
		status      int
		body        string
	}{
		{"GET", "https://clinicaltrials.gov/api/v2/version", 200, `{"apiVersion":"2.0.5","dataTimestamp":"2026-08-05T09:00:05"}`},
		{"GET", "http://localhost:1/version", 200, `{"apiVersion":"2.0.5","dataTimestamp":"2026-08-05T09:00:05"}`},
		{"GET", "https://clinicaltrials.gov/api/v2/version?x=1", 400, "`x` is unknown parameter"},
		{"", "https://clinicaltrials.gov/api/v2/studies?filter.ids=NCT1&countTotal=true", 200, `{"totalCount":0,"studies":[]}`},
		{"POST", "https://clinicaltrials.gov/api/v2/studies", 405, ""},
		{"HEAD", "https://clinicaltrials.gov/api/v2/studies/NCT90000001", 405, ""},
		{"GET", "https://clinicaltrials.gov/api/v2/studies/", 404, ""},
		{"GET", "https://clinicaltrials.gov/api/v2/studies/metadata", 404, ""},
		{"GET", "https://clinicaltrials.gov/api/v2/studies/NCT90000001/x", 404, ""},
		{"GET", "https://clinicaltrials.gov/api/v1/studies", 404, ""},
		{"GET", "https://clinicaltrials.gov/", 404, ""},
	} {
		req := &http.Request{Method: tt.method, Header: http.Header{}}
		var err error
		if req.URL, err = url.Parse(tt.url); err != nil {
			t.Fatal(err)
		}
		resp, err := s.RoundTrip(req)
		expect.Must(t, err == nil, "%s %s: %v", tt.method, tt.url, err)
		body, err := io.ReadAll(resp.Body)
		expect.NoError(t, err)
		expect.That(t, resp.StatusCode == tt.status && string(body) == tt.body,
			"%s %s: %d %q, want %d %q", tt.method, tt.url, resp.StatusCode, body, tt.status, tt.body)
	}
}

func TestResponseIsComplete(t *testing.T) {
	t.Parallel()
	s := few(t)
	resp, _ := get(t, s, "/studies/foo")
	_, err := http.ParseTime(resp.Header.Get("Date"))
	expect.NoError(t, err)
	expect.Is(t, resp.Header.Get("Content-Type"), "text/plain;charset=UTF-8", "Content-Type")
	expect.That(t, resp.Request != nil && resp.Status == "400 Bad Request" && resp.Proto == "HTTP/1.1",
		"request %v, status %q, proto %q", resp.Request, resp.Status, resp.Proto)
}

type closeCounter struct {
	io.Reader
	closed int
}

func (c *closeCounter) Close() error { c.closed++; return nil }

func TestBodyIsClosedAndContextHonoured(t *testing.T) {
	t.Parallel()
	s := few(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, wantErr := range []error{nil, context.Canceled} {
		body := &closeCounter{Reader: strings.NewReader("x")}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://x/version", body)
		expect.NoError(t, err)
		if _, err := s.RoundTrip(req); !errors.Is(err, wantErr) {
			t.Errorf("error %v, want %v", err, wantErr)
		}
		expect.That(t, body.closed == 1, "body closed %d times", body.closed)
		cancel()
	}
}

func TestThroughAnHTTPClient(t *testing.T) {
	t.Parallel()
	client := &http.Client{Transport: few(t)}
	resp, err := client.Get("https://clinicaltrials.gov/api/v2/studies/NCT90000011?fields=NCTId")
	expect.NoError(t, err)
	defer resp.Body.Close()
	var study map[string]any
	expect.NoError(t, json.NewDecoder(resp.Body).Decode(&study))
	if got := query.First(study, "NCTId"); got != "NCT90000001" || query.First(study, "BriefTitle") == "" {
		t.Errorf("an alias leads to %q, and its redirect must drop fields", got)
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	s := own(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, query := range []string{"asthma", "breast cancer", "Boston OR Paris"} {
				search200(t, s, "query.term", query, "sort", "@relevance")
			}
		})
	}
	wg.Wait()
}
