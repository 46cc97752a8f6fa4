package articles

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// readResource decodes a resource into the type of its documentation.
func readResource(t testing.TB, s *Articles, uri string, into any) []byte {
	t.Helper()
	for _, r := range s.Resources() {
		if r.URI != uri {
			continue
		}
		text, err := r.Read(t.Context())
		expect.NoError(t, err)
		expect.NoError(t, json.Unmarshal(text, into))
		return text
	}
	t.Fatalf("no resource %s", uri)
	return nil
}

// keysOf returns the keys of an object; nested keys follow a full stop, and a list has the keys of its elements.
func keysOf(value any) (keys []string) {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			keys = append(keys, key)
			for _, k := range keysOf(inner) {
				keys = append(keys, key+"."+k)
			}
		}
	case []any:
		for _, inner := range v {
			keys = append(keys, keysOf(inner)...)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// TestResourceKeys: the documents have the keys that clients rely on.
func TestResourceKeys(t *testing.T) {
	t.Parallel()
	s := serveArticles(t, nil, eutilsManners(saysByUtility(map[string]string{
		"einfo": `{"einforesult":{"dbinfo":[{"dbname":"pubmed","menuname":"PubMed","description":"Citations","count":"38000000","lastupdate":"2025/11/27 06:33",` +
			`"fieldlist":[{"name":"UID","fullname":"UID","description":"Number","termcount":"38000000","isdate":"N","isnumerical":"Y"}],` +
			`"linklist":[{"name":"pubmed_pubmed_refs","menu":"References","description":"Cited","dbto":"pubmed"}]}]}}`,
	})), func(o *articlesSetup) {
		o.Email, o.facts.Version, o.facts.ProtocolVersion = "someone@lab.example.org", "1.2.3", "2025-11-25"
	})
	for _, test := range []struct {
		uri  string
		want []string
	}{
		{"pubmed-connect://stats/pubmed", []string{
			"databaseName", "menuName", "description", "totalRecordCount", "lastUpdate", "lastUpdateTimeZone", "availableSearchFields",
			"availableSearchFields.name",
			"availableSearchFields.fullName", "availableSearchFields.description", "availableSearchFields.isDate",
			"availableSearchFields.isNumerical",
			"availableSearchFields.termCount", "availableLinkNames", "availableLinkNames.name", "availableLinkNames.description",
			"availableLinkNames.dbTo", "eInfoUrl",
		}},
		{"pubmed-connect://info", []string{
			"serverName", "serverVersion", "description", "contactEmail", "mcpSpecVersion", "ncbiCompliance",
			"ncbiCompliance.apiUsageStatus",
			"ncbiCompliance.toolIdentifier", "ncbiCompliance.ncbiUsagePolicyUrl", "ncbiCompliance.currentRateLimitAdherence",
			"supportedEutilities",
			"operationalStatus", "operationalStatus.lastNcbiConnectivityCheck", "operationalStatus.ncbiStatus",
			"operationalStatus.internalQueueLength", "documentationUrl",
		}},
	} {
		var document map[string]any
		readResource(t, s, test.uri, &document)
		slices.Sort(test.want)
		expect.Equal(t, test.uri, test.want, keysOf(document))
	}
	for _, r := range s.Resources() {
		expect.That(t, r.Name != "" && r.Title != "" && r.Description != "" && r.MIMEType == "application/json" && r.Toolset == "articles",
			"%+v", r)
	}
}

// TestServerInfo: the document has the status of the API key, the e-mail address and the request rate.
func TestServerInfo(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		key, email string
		interval   time.Duration
		usage      string
		pace       []string
	}{
		"without key": {"", "", 400 * time.Millisecond, "No NCBI API key", []string{"400 ms", "3 a second"}},
		"with key": {"0123456789abcdef0123", "someone@lab.example.org", 110 * time.Millisecond, "NCBI API key in use",
			[]string{"110 ms", "10 a second"}},
	} {
		o := eutilsManners(embeddedPubMed(t))
		o.Interval = test.interval
		s := serveArticles(t, nil, o, func(o *articlesSetup) {
			o.APIKey, o.Email, o.Tool, o.facts.Version, o.facts.ProtocolVersion = test.key, test.email, "lab/1", "1.2.3", "2025-11-25"
		})
		var info entity.ServerInfo
		text := readResource(t, s, "pubmed-connect://info", &info)
		c := info.NCBICompliance
		expect.That(t, info.ContactEmail == test.email && info.ServerVersion == "1.2.3" && info.MCPSpecVersion == "2025-11-25" &&
			c.APIUsageStatus == test.usage && c.ToolIdentifier == "lab/1",
			"%s: %+v", name, info)
		for _, part := range test.pace {
			expect.That(t, strings.Contains(c.CurrentRateLimitAdherence, part),
				"%s: %s does not say %s", name, c.CurrentRateLimitAdherence, part)
		}
		expect.That(t, test.key == "" || !strings.Contains(string(text), test.key), "the key is shown: %s", text)
		want := []string{"ECitMatch", "EFetch", "EInfo", "ELink", "ESearch", "ESpell", "ESummary"}
		expect.Equal(t, "", want, info.SupportedEUtilities)
	}
}

// TestOperationalStatus: the status is that of the last request, and no request is sent for it.
func TestOperationalStatus(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var fault atomic.Value
		fault.Store(sandbox.NoFault)
		faults := &sandbox.Faults{Next: embeddedPubMed(t).next,
			Plan: func(int, *http.Request) sandbox.Fault { return fault.Load().(sandbox.Fault) }}
		o := eutilsManners(faults)
		o.MaxBody = 1 << 20
		s := serveArticles(t, nil, o, nil)
		status := func(when, want string, at time.Time) {
			t.Helper()
			before := faults.Requests()
			var info entity.ServerInfo
			readResource(t, s, "pubmed-connect://info", &info)
			checked := ""
			if !at.IsZero() {
				checked = at.UTC().Format(time.RFC3339)
			}
			status := entity.OperationalStatus{NCBIStatus: want, LastNCBIConnectivityCheck: checked}
			if info.OperationalStatus != status || faults.Requests() != before {
				t.Errorf("%s: %+v after %d requests, want %+v without any", when, info.OperationalStatus, faults.Requests()-before, status)
			}
		}
		ask := func(now sandbox.Fault) time.Time {
			fault.Store(now)
			ctx, cancel := context.WithTimeout(t.Context(), sourcetest.CallTimeout)
			defer cancel()
			_, _ = s.FetchArticleDetails(ctx, detailsOf(abstractPlus, "32445440"))
			last := time.Now()
			time.Sleep(time.Minute)
			return last
		}
		status("before the first request", "Unknown", time.Time{})
		last := ask(sandbox.NoFault)
		status("after an answer", "Nominal", last)
		for _, f := range []sandbox.Fault{sandbox.Unavailable, sandbox.Page, sandbox.EutilsError, sandbox.Truncated, sandbox.Reset,
			sandbox.Slow} {
			last = ask(f)
			status("after "+string(f), "Failing", last)
		}
		last = ask(sandbox.NoFault)
		status("after another answer", "Nominal", last)
		last = ask(sandbox.EutilsError)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		fault.Store(sandbox.Slow)
		_, _ = s.FetchArticleDetails(ctx, detailsOf(abstractPlus, "32445440"))
		status("after a caller that gave up", "Failing", last)
		last = ask(sandbox.NoFault)
		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		fault.Store(sandbox.Slow)
		_, _ = s.FetchArticleDetails(ctx, detailsOf(abstractPlus, "32445440"))
		status("after another that gave up", "Nominal", last)
	})
}

// TestQueueLength: the document has the number of waiting requests.
func TestQueueLength(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := eutilsManners(embeddedPubMed(t))
		o.Interval = 10 * time.Second
		s := serveArticles(t, nil, o, nil)
		queued := func() int {
			synctest.Wait()
			var info entity.ServerInfo
			readResource(t, s, "pubmed-connect://info", &info)
			return info.OperationalStatus.InternalQueueLength
		}
		if n := queued(); n != 0 {
			t.Errorf("%d wait before the first request", n)
		}
		var callers sync.WaitGroup
		calls := eachArticleCall()
		for _, name := range slices.Sorted(maps.Keys(calls)) {
			if name == abstractPlus || name == medlineText || name == "stats" || name == "search with 0 summaries" {
				callers.Go(func() { calls[name](t.Context(), s) })
			}
		}
		expect.Equal(t, "wait of four", 3, queued())
		time.Sleep(20 * time.Second)
		if n := queued(); n == 0 || n > 2 {
			t.Errorf("%d wait after two turns", n)
		}
		callers.Wait()
		if n := queued(); n != 0 {
			t.Errorf("%d wait when all are answered", n)
		}
	})
}

// TestPubMedStats: the figures are those of EInfo, cached for a day.
func TestPubMedStats(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := embeddedPubMed(t)
		s := serveArticles(t, sourcetest.InMemory(), eutilsManners(p), nil)
		var stats entity.PubMedStats
		readResource(t, s, "pubmed-connect://stats/pubmed", &stats)
		expect.That(t, stats.DatabaseName == "PubMed" && stats.TotalRecordCount >= 80 && len(stats.AvailableSearchFields) >= 30 &&
			len(stats.AvailableLinkNames) >= 4,
			"%d records, %d fields, %d link names", stats.TotalRecordCount, len(stats.AvailableSearchFields), len(stats.AvailableLinkNames))
		if _, err := time.Parse("2006-01-02T15:04:05", stats.LastUpdate); err != nil {
			t.Error(err)
		}
		field := func(name string) (found entity.SearchField) {
			for _, f := range stats.AvailableSearchFields {
				if f.Name == name {
					found = f
				}
			}
			return found
		}
		if uid, date := field("UID"), field("PDAT"); uid.FullName == "" || !uid.IsNumerical || uid.IsDate || !date.IsDate {
			t.Errorf("%+v, %+v", uid, date)
		}
		if !slices.ContainsFunc(stats.AvailableLinkNames, func(l entity.LinkName) bool {
			return l.Name == "pubmed_pubmed_refs" && l.DBTo == "pubmed" && l.Description != ""
		}) {
			t.Errorf("%+v", stats.AvailableLinkNames)
		}
		expect.That(t, stats.EInfoURL == ncbiURL+"einfo.fcgi?db=pubmed&retmode=json&version=2.0", "%v", stats.EInfoURL)
		p.wantAsked(t, "first", "einfo")
		time.Sleep(23 * time.Hour)
		readResource(t, s, "pubmed-connect://stats/pubmed", &stats)
		p.wantAsked(t, "within a day")
		time.Sleep(2 * time.Hour)
		readResource(t, s, "pubmed-connect://stats/pubmed", &stats)
		p.wantAsked(t, "after a day", "einfo")
	})
}
