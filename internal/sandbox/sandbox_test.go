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
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/registry"
)

// few is the sandbox over the handful of studies that the tables speak of.
func few(t testing.TB) *Sandbox {
	t.Helper()
	s, err := Open(t.Context(), "../registry/testdata/studies.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// get asks for a path and query below /api/v2 and returns the answer.
func get(t testing.TB, s *Sandbox, path string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://clinicaltrials.gov/api/v2"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := s.RoundTrip(req)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.ContentLength != int64(len(body)) {
		t.Errorf("%s: ContentLength %d for %d bytes", path, resp.ContentLength, len(body))
	}
	return resp, string(body)
}

// studies is the path of a search; pairs are names and values.
func studies(pairs ...string) string {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return "/studies?" + values.Encode()
}

// found is a page of a search that asked for anything that has NCTId in it.
type found struct {
	TotalCount    *int             `json:"totalCount"`
	Studies       []map[string]any `json:"studies"`
	NextPageToken string           `json:"nextPageToken"`
}

func (f found) ids() []string {
	ids := []string{}
	for _, study := range f.Studies {
		ids = append(ids, registry.First(study, "NCTId"))
	}
	return ids
}

func search200(t testing.TB, s *Sandbox, pairs ...string) found {
	t.Helper()
	resp, body := get(t, s, studies(pairs...))
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%v: %d %s", pairs, resp.StatusCode, body)
	}
	if got := resp.Header.Get("Content-Type"); got != "application/json" {
		t.Errorf("%v: Content-Type %q", pairs, got)
	}
	var f found
	if err := json.Unmarshal([]byte(body), &f); err != nil {
		t.Fatalf("%v: %v", pairs, err)
	}
	return f
}

func TestNewServesTheEmbeddedDataSet(t *testing.T) {
	t.Parallel()
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatalf("%s %s: %v", tt.method, tt.url, err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != tt.status || string(body) != tt.body {
			t.Errorf("%s %s: %d %q, want %d %q", tt.method, tt.url, resp.StatusCode, body, tt.status, tt.body)
		}
	}
}

func TestResponseIsComplete(t *testing.T) {
	t.Parallel()
	s := few(t)
	s.now = func() time.Time { return time.Date(2026, 8, 5, 14, 30, 0, 0, time.FixedZone("", 2*3600)) }
	resp, _ := get(t, s, "/studies/foo")
	want := http.Header{
		"Date":         {"Wed, 05 Aug 2026 12:30:00 GMT"},
		"Content-Type": {"text/plain;charset=UTF-8"},
	}
	if diff := cmp.Diff(want, resp.Header); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
	if resp.Request == nil || resp.Status != "400 Bad Request" || resp.Proto != "HTTP/1.1" {
		t.Errorf("request %v, status %q, proto %q", resp.Request, resp.Status, resp.Proto)
	}
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
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.RoundTrip(req); !errors.Is(err, wantErr) {
			t.Errorf("error %v, want %v", err, wantErr)
		}
		if body.closed != 1 {
			t.Errorf("body closed %d times", body.closed)
		}
		cancel()
	}
}

func TestThroughAnHTTPClient(t *testing.T) {
	t.Parallel()
	client := &http.Client{Transport: few(t)}
	resp, err := client.Get("https://clinicaltrials.gov/api/v2/studies/NCT90000011?fields=NCTId")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var study map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&study); err != nil {
		t.Fatal(err)
	}
	if got := registry.First(study, "NCTId"); got != "NCT90000001" || registry.First(study, "BriefTitle") == "" {
		t.Errorf("an alias leads to %q, and its redirect must drop fields", got)
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
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
