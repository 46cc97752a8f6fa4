package articles

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// ncbiURL is the base of the URLs in answers, with any base URL of requests.
const ncbiURL = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/"

// TestArticleSecrets: tool, e-mail address and key are in every request to NCBI, and neither key nor address is in any answer, although
// NCBI repeats them. The info resource shows the address on purpose.
func TestArticleSecrets(t *testing.T) {
	t.Parallel()
	const key, email = "0123456789abcdef0123", "someone@lab.example.org"
	var broken atomic.Value
	broken.Store("")
	p := embeddedPubMed(t)
	real := p.next
	p.next = byUtility(func(utility string, req *http.Request) (*http.Response, error) {
		if broken.Load() != utility && broken.Load() != "all" {
			return real.RoundTrip(req)
		}
		secrets := key + " " + email + " " + req.URL.String() + " " + url.QueryEscape(email)
		if utility == "efetch" {
			return sourcetest.FixedReply("<eFetchResult><ERROR>" + strings.ReplaceAll(secrets, "&", "&amp;") +
				"</ERROR></eFetchResult>").RoundTrip(req)
		}
		return sourcetest.FixedReply(fmt.Sprintf(`{"error":%q,"api-key":%q}`, secrets, key)).RoundTrip(req)
	})
	o := eutilsManners(p)
	o.Secrets = []string{key, email}
	s := serveArticles(t, sourcetest.InMemory(), o, func(o *articlesSetup) { o.APIKey, o.Email, o.Tool = key, email, "lab/1" })

	calls := eachArticleCall()
	var many []string
	for n := range 200 {
		many = append(many, fmt.Sprint(100200300+n))
	}
	failures := 0
	for _, failing := range []string{"", "all", "esummary", "elink"} {
		broken.Store(failing)
		if failing != "" { // nothing is cached that could answer
			s = serveArticles(t, nil, o, func(o *articlesSetup) { o.APIKey, o.Email, o.Tool = key, email, "lab/1" })
		}
		for name, call := range calls {
			got := call(t.Context(), s)
			shown := fmt.Sprint(got.Err)
			if got.Err == nil {
				text, err := entity.JSON(got.Value)
				expect.NoError(t, err)
				shown = string(text)
				expect.That(t, failing != "" || strings.Contains(shown, ncbiURL) ||
					slices.Contains([]string{"citation_formats", "citation"}, name),
					"%s shows no URL: %.300s", name, shown)
			} else {
				text, err := entity.JSON(entity.AsError(got.Err).Envelope())
				expect.NoError(t, err)
				shown += string(text) + fmt.Sprint(entity.AsError(got.Err).Cause) // for the log
			}
			shown += strings.Join(got.Notices, " ")
			for _, secret := range []string{key, email, url.QueryEscape(email), "lab/1", "lab%2F1"} {
				expect.That(t, !strings.Contains(shown, secret), "%s, %q failing: %s is shown: %s", name, failing, secret, shown)
			}
			failures += len(shown)
		}
	}
	broken.Store("")
	// The resource is available in any state of NCBI.
	var info entity.ServerInfo
	text := string(readResource(t, s, "pubmed-connect://info", &info))
	expect.That(t, !strings.Contains(text, key) && info.ContactEmail == email && strings.Count(text, email) == 1 &&
		info.NCBICompliance.ToolIdentifier == "lab/1",
		"info: %s", text)
	// Many PMIDs are posted, and the answer says so.
	p.since()
	for method, pmids := range map[string][]string{http.MethodGet: many[:5], http.MethodPost: many} {
		answer, err := s.FetchArticleDetails(t.Context(), detailsOf(abstractPlus, pmids...))
		expect.That(t, err == nil && answer.Value.EFetchDetails.RequestMethod == method && len(answer.Value.EFetchDetails.URLs) == 1,
			"%d PMIDs: %+.200v, %v; want %s", len(pmids), answer.Value.EFetchDetails, err, method)
		requests := p.since()
		expect.That(t, len(requests) == 1 && requests[0].method == method && len(requests[0].ids()) == len(pmids),
			"%d PMIDs: %d requests, %+.300v", len(pmids), len(requests), requests)
		for _, a := range requests {
			expect.That(t, a.form.Get("tool") == "lab/1" && a.form.Get("email") == email && a.form.Get("api_key") == key,
				"asked with %+.200v", a.form)
		}
	}
	for _, call := range calls {
		call(t.Context(), s)
	}
	requests := p.since()
	for _, a := range requests {
		expect.That(t, a.form.Get("tool") == "lab/1" && a.form.Get("email") == email && a.form.Get("api_key") == key,
			"%s is asked with %+.200v", a.utility, a.form)
	}
	expect.That(t, len(requests) >= len(calls) && failures != 0, "%d requests for %d calls", len(requests), len(calls))
}

// TestURLsAreOfTheCaller: the URL in an answer has its own PMIDs, not those of the batched request.
func TestURLsAreOfTheCaller(t *testing.T) {
	t.Parallel()
	p := embeddedPubMed(t)
	o := eutilsManners(p)
	o.Interval = 50 * time.Millisecond
	s := serveArticles(t, nil, o, nil)
	answers := make(chan entity.ArticleDetails, 3)
	for _, pmid := range []string{"32445440", "33301246", "29768149"} {
		go func() {
			answer, err := s.FetchArticleDetails(t.Context(), detailsOf(abstractPlus, pmid))
			expect.That(t, err == nil, "%v", err)
			answers <- answer.Value
		}()
	}
	for range 3 {
		answer := <-answers
		want := ncbiURL + "efetch.fcgi?db=pubmed&retmode=xml&id=" + strings.Join(answer.RequestedPMIDs, ",")
		shown, err := url.Parse(strings.Join(answer.EFetchDetails.URLs, " "))
		expect.That(t, err == nil && shown.Query().Get("id") == strings.Join(answer.RequestedPMIDs, ",") &&
			strings.HasPrefix(shown.String(), ncbiURL),
			"%v, want %s", answer.EFetchDetails.URLs, want)
	}
}
