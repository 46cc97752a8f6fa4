package sandbox

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestEutilsFaults: each fault has the form that was observed, also if its JSON is invalid.
func TestEutilsFaults(t *testing.T) {
	t.Parallel()
	const limit = `{"error":"API rate limit exceeded","api-key":"192.0.2.1","count":"4","limit":"3"}`
	tested := map[Fault]bool{}
	for _, tt := range []struct {
		fault  Fault
		query  string
		status int
		body   string // its beginning
		valid  bool   // JSON
	}{
		{EutilsError, "esearch.fcgi?db=gene&retmode=json", 200,
			"{\"header\":{\"type\":\"esearch\",\"version\":\"0.3\"},\"esearchresult\":{\"ERROR\":\"Search Backend failed: Exception:\n",
			false},
		{EutilsError, "esummary.fcgi?db=gene&retmode=json", 200,
			`{"header":{"type":"esummary","version":"0.3"},"error":"Database is not supported: gene"}`, true},
		{EutilsError, "elink.fcgi?db=gene&retmode=json", 200,
			`{"header":{"type":"elink","version":"0.3"},"linksets":[],"ERROR":"NCBI C++ Exception:` + "\n", false},
		{EutilsError, "efetch.fcgi?db=gene&retmode=xml", 400, `<?xml version="1.0" encoding="UTF-8" ?>` +
			"\n<eFetchResult><ERROR> Error occurred: cannot get document summary</ERROR></eFetchResult>", false},
		{EutilsError, "einfo.fcgi?db=gene&retmode=json", 200, `{"header":{"type":"einfo","version":"0.3"},"einforesult":{"ERROR":`, true},
		{EutilsError, "esearch.fcgi?db=pubmed&retmode=json", 200,
			"{\"header\":{\"type\":\"esearch\",\"version\":\"0.3\"},\"esearchresult\":{\"ERROR\":\"Search Backend failed: Exception:\n",
			false},
		{EutilsError, "elink.fcgi?dbfrom=pubmed&db=pubmed&retmode=json", 200,
			`{"header":{"type":"elink","version":"0.3"},"linksets":[],"ERROR":"NCBI C++ Exception:` + "\n", false},
		{EutilsError, "efetch.fcgi?db=pubmed&retmode=text&rettype=medline", 400, "+Error+occurred:+cannot+get+document+summary", false},
		{EutilsLimit, "efetch.fcgi?db=gene&retmode=xml", 429, limit, true},
		{EutilsLimit, "esummary.fcgi?db=pubmed&retmode=json", 429, limit, true},
		{EutilsLimitInside, "efetch.fcgi?db=gene&retmode=xml", 200, limit, true},
		{EutilsProlog, "elink.fcgi?db=gene&retmode=json", 200, `<?xml version="1.0" encoding="UTF-8" ?>` + "\n", false},
	} {
		tested[tt.fault] = true
		f := &Faults{Next: own(t), Plan: always(tt.fault)}
		base, query, _ := strings.Cut(tt.query, "?")
		form, err := url.ParseQuery(query)
		expect.NoError(t, err)
		for _, by := range []struct {
			method, address string
			form            url.Values
		}{{"GET", "http://x/" + tt.query, nil}, {"POST", "http://x/" + base, form}} {
			resp, body := request(t, f, by.method, by.address, by.form)
			expect.That(t, resp.StatusCode == tt.status && strings.HasPrefix(body, tt.body) && json.Valid([]byte(body)) == tt.valid,
				"%s %s: %d %s", tt.fault, tt.query, resp.StatusCode, body)
			expect.That(t, tt.fault != EutilsLimit || resp.Header.Get("Retry-After") == "2", "%v", resp.Header)
		}
	}
	if len(tested) != len(EutilsFaults()) {
		t.Errorf("%d faults tested, want %v", len(tested), EutilsFaults())
	}
	for _, fault := range EutilsFaults() {
		f := &Faults{Next: few(t), Plan: always(fault)}
		if resp, body := request(t, f, "GET", "https://clinicaltrials.gov/api/v2/version", nil); resp.StatusCode != http.StatusOK ||
			!json.Valid([]byte(body)) {
			t.Errorf("%s is no fault of another source: %d %s", fault, resp.StatusCode, body)
		}
		expect.That(t, !slices.Contains(AllFaults(), fault), "%s is in both sets", fault)
	}
}

// TestSlowInTheMiddle: a long response begins at once and stalls after its lead.
func TestSlowInTheMiddle(t *testing.T) {
	t.Parallel()
	s := own(t)
	_, right := request(t, s, http.MethodGet, "http://x/efetch.fcgi?db=gene&id=672&retmode=xml", nil)
	synctest.Test(t, func(t *testing.T) {
		f := &Faults{Next: s, Plan: always(Slow), Stall: time.Minute, Lead: 5000}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://x/efetch.fcgi?db=gene&id=672&retmode=xml", nil)
		expect.NoError(t, err)
		start := time.Now()
		resp, err := f.RoundTrip(req)
		expect.NoError(t, err)
		defer resp.Body.Close()
		lead := make([]byte, 5000)
		if _, err := io.ReadFull(resp.Body, lead); err != nil || time.Since(start) != 0 {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		rest, err := io.ReadAll(resp.Body)
		if err != nil || time.Since(start) != time.Minute || !bytes.Equal(append(lead, rest...), []byte(right)) {
			t.Errorf("%v after %v: %d bytes", err, time.Since(start), len(rest))
		}
	})
}
