package e2e

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// fixed answers every request with a body.
type fixed []byte

// RoundTrip implements http.RoundTripper.
func (f fixed) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader(f))}, nil
}

// TestLargestLookupFits checks that a lookup of the 100 largest real records can be read, also if they grow to twice their size.
func TestLargestLookupFits(t *testing.T) {
	expect.Slow(t)
	for _, name := range []string{"studies", "results", "more"} {
		path := "../../shared/corpus/ctgov/" + name + ".jsonl.gz"
		if _, err := os.Stat(path); err != nil {
			t.Skip("the real records are not in the corpus folder")
		}
		records, err := sandbox.Open(t.Context(), path)
		expect.NoError(t, err)
		studies := projected(t, records)
		slices.SortFunc(studies, func(a, b json.RawMessage) int { return cmp.Compare(len(b), len(a)) })
		studies = studies[:100]
		var list []string
		for _, study := range slices.Concat(studies, studies) {
			list = append(list, string(study))
		}
		body := `{"studies":[` + strings.Join(list, ",") + `]}`
		client := upstream.NewClient(upstream.Options{Source: "registry", Base: fixed(body), MaxBody: 16 << 20,
			Log: slog.New(slog.DiscardHandler)})
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://registry.test/studies", nil)
		expect.NoError(t, err)
		if _, err := client.Do(req); err != nil {
			t.Errorf("%s: twice 100 records of %d bytes: %v", name, len(body)/2, err)
		}
		t.Logf("%s: the 100 largest have %d bytes", name, len(body)/2)
	}
}

// projected returns the studies of a sandbox with the fields that a lookup requests.
func projected(t *testing.T, records *sandbox.Sandbox) (studies []json.RawMessage) {
	t.Helper()
	query := url.Values{"fields": {strings.Join(trials.TrialFields(), "|")}, "pageSize": {strconv.Itoa(1000)}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://clinicaltrials.gov/api/v2/studies?"+query.Encode(), nil)
	expect.NoError(t, err)
	resp, err := records.RoundTrip(req)
	expect.NoError(t, err)
	defer resp.Body.Close()
	var page struct{ Studies []json.RawMessage }
	expect.NoError(t, json.NewDecoder(resp.Body).Decode(&page))
	return page.Studies
}
