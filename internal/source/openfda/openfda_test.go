package openfda_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	api "github.com/biofact-mcp/biofact/gen/openfda"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/source/openfda"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// unii asks for the products with a substance.
func unii(text string) openfda.Query {
	return openfda.Query{Endpoint: openfda.Products, Search: openfda.Has(api.ProductFieldOpenfdaUniiExact, text), Limit: 5}
}

// TestAsk: a page has its records, their number and the day of the data; a search without hits has no records, and a count has groups.
func TestAsk(t *testing.T) {
	t.Parallel()
	records, err := sandbox.New()
	expect.NoError(t, err)
	o := sourcetest.All(t, records).OpenFDA
	var notes entity.Notes
	page, err := o.Ask(t.Context(), unii("8A1O1M485B"), &notes)
	expect.That(t, err == nil && page.Total == 1 && len(page.Results) == 1 && page.Updated == "2026-08-12", "%+v, %v", page, err)
	page, err = o.Ask(t.Context(), unii("AAAAAAAAAA"), &notes)
	expect.That(t, err == nil && page.Total == 0 && len(page.Results) == 0, "%+v, %v", page, err)
	page, err = o.Ask(t.Context(), openfda.Query{Endpoint: openfda.Reports, Limit: 3,
		Search: openfda.All(openfda.Has(api.ReportFieldPatientDrugOpenfdaUniiExact, "XXXXXXXXX1"),
			openfda.Between(api.ReportFieldReceivedate, "2018-01-01", "")),
		Count: string(api.ReportFieldPatientPatientsex)}, &notes)
	var first api.Group
	expect.That(t, err == nil && len(page.Results) == 3 && json.Unmarshal(page.Results[0], &first) == nil && *first.Count == 14,
		"%+v, %v", page, err)
}

// TestFailures: each way to fail has its code, is never an empty page, and is repeated only if that may help.
func TestFailures(t *testing.T) {
	t.Parallel()
	const html, text = "text/html", "application/json"
	for _, tt := range []struct {
		status     int
		kind, body string
		code       entity.Code
		says       string
	}{
		{404, text, `{"error":{"code":"NOT_FOUND","message":"No matches found!"}}`, "", ""},
		{404, text, `{"error":{"code":"NOT_FOUND","message":"Nothing to count"}}`, entity.UpstreamError, "refused the request"},
		{404, html, `<html><body>Not here</body></html>`, entity.UpstreamError, "status 404"},
		{400, text, `{"error":{"code":"BAD_REQUEST","message":"Invalid parameter: x"}}`, entity.UpstreamError, "refused the request"},
		{500, text, `{"error":{"code":"SERVER_ERROR","message":"Check your request and try again","details":"[parse_exception]"}}`,
			entity.UpstreamError, "refused the request"},
		{500, text, `{"error":{"code":"SERVER_ERROR","message":"Check your request","details":"[circuit_breaking_exception]"}}`,
			entity.UpstreamError, "status 500"},
		{403, text, `{"error":{"code":"API_KEY_INVALID","message":"An invalid api_key was supplied."}}`, entity.UpstreamError,
			"OPENFDA_API_KEY"},
		{403, text, `{}`, entity.UpstreamError, "refused this client"},
		{429, text, `{"error":{"code":"OVER_RATE_LIMIT","message":"Try again later"}}`, entity.RateLimited, "OPENFDA_API_KEY"},
		{200, text, `{}`, entity.UpstreamError, "instead of data"},
		{200, text, `{"meta":{},"results":[`, entity.UpstreamError, "instead of data"},
		{200, text, `{"error":{"code":"NOT_FOUND","message":"No matches found!"}}`, entity.UpstreamError, "instead of data"},
	} {
		o := sourcetest.All(t, answering(func(*http.Request) (int, string, string) { return tt.status, tt.kind, tt.body })).OpenFDA
		var notes entity.Notes
		page, err := o.Ask(t.Context(), unii("8A1O1M485B"), &notes)
		if tt.code == "" {
			expect.That(t, err == nil && len(page.Results) == 0, "%s: %+v, %v", tt.body, page, err)
			continue
		}
		expect.Must(t, err != nil, "%d %s is an empty answer", tt.status, tt.body)
		e := entity.AsError(err)
		expect.That(t, e.Code == tt.code && strings.Contains(e.Message+e.Hint, tt.says), "%d %s: %+v", tt.status, tt.body, e)
	}
}

// answering answers every request with a status, a media type and a body.
type answering func(*http.Request) (status int, kind, body string)

func (a answering) RoundTrip(req *http.Request) (*http.Response, error) {
	status, kind, body := a(req)
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {kind}}, Request: req,
		Body: io.NopCloser(strings.NewReader(body))}, nil
}

// FuzzHas: a text stays one quoted phrase in a query, with accepted characters only.
func FuzzHas(f *testing.F) {
	for _, text := range []string{`KEYTRUDA`, `a" OR b:"c`, `end\`, `\" OR "`, `Zürich®`, `MK-3475`, `x:[* TO *]`, "a\x00\n", `((`, `NOT`, `“x”`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		query := string(openfda.Has(api.ProductFieldBrandName, text))
		phrase, quoted := strings.CutPrefix(query, `brand_name:"`)
		if query == "" {
			return
		}
		inside := strings.NewReplacer(`\\`, "", `\"`, "").Replace(strings.TrimSuffix(phrase, `"`))
		expect.That(t, quoted && strings.HasSuffix(phrase, `"`) && !strings.ContainsAny(inside, "\"\\"), "%q becomes %q", text, query)
		expect.That(t, !strings.ContainsFunc(query, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune("?;~^#!|$`", r) }),
			"%q becomes %q", text, query)
	})
}
