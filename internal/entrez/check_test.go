package entrez_test

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// Kinds of results of Check.
const (
	answer    = "answer"
	limited   = "limited"
	badKey    = "key"
	refused   = "refused"
	transient = "transient"
)

// kind names the kind of an error, and checks the message and the hint that a client would see.
func kind(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return answer
	}
	shown, ok := errors.AsType[*entity.Error](err)
	if !ok {
		return transient
	}
	for _, secret := range []string{"SECRET", "http", "@"} {
		expect.That(t, !strings.Contains(shown.Message+shown.Hint+err.Error(), secret), "the error shows %q: %v", secret, shown)
	}
	refusal, isRefusal := errors.AsType[*entrez.Refusal](err)
	switch {
	case shown.Code == entity.RateLimited:
		return limited
	case shown.Code != entity.UpstreamError:
		t.Errorf("code %s", shown.Code)
	case isRefusal:
		expect.That(t, refusal.Sentence != "" && !strings.ContainsAny(refusal.Sentence, "\n\t") &&
			!strings.Contains(shown.Message, refusal.Sentence),
			"refusal %q, message %q", refusal.Sentence, shown.Message)
		return refused
	case strings.Contains(shown.Hint, "NCBI_API_KEY"):
		return badKey
	}
	return "unknown"
}

const (
	jsonSearch  = `{"header":{"type":"esearch","version":"0.3"},"esearchresult":`
	jsonSummary = `{"header":{"type":"esummary","version":"0.3"},`
	jsonLink    = `{"header":{"type":"elink","version":"0.3"},"linksets":`
	prolog      = "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<!DOCTYPE eSearchResult PUBLIC \"-//NLM//DTD esearch 20060628//EN\" " +
		"\"https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20060628/esearch.dtd\">\n"
)

var bodies = []struct {
	name   string
	status int // 0 means 200
	query  string
	body   string
	want   string
}{
	{"search", 0, "retmode=json", jsonSearch + `{"count":"0","idlist":[]}}`, answer},
	{"phrase not found", 0, "retmode=json",
		jsonSearch + `{"count":"0","idlist":[],"errorlist":{"phrasesnotfound":["abcXYZ"],"fieldsnotfound":[]},"warninglist":{"outputmessages":["No items found."]}}}`, answer},
	{"phrase not found, XML", 0, "",
		prolog + `<eSearchResult><Count>0</Count><ErrorList><PhraseNotFound>abcXYZ</PhraseNotFound></ErrorList></eSearchResult>`, answer},
	{"unknown uid", 0, "retmode=json", jsonSummary + `"result":{"uids":["9"],"9":{"uid":"9","error":"cannot get document summary"}}}`,
		answer},
	{"unknown uid, XML", 0, "", `<eSummaryResult><DocumentSummarySet status="OK"><DocumentSummary uid="9"><error>cannot get document summary</error></DocumentSummary></DocumentSummarySet></eSummaryResult>`, answer},
	{"title of a failure", 0, "retmode=json",
		jsonSummary + `"result":{"uids":["9"],"9":{"uid":"9","title":"ERROR","error":"","x":"\"error\":\"API rate limit exceeded\""}}}`,
		answer},
	{"no links", 0, "retmode=json", jsonLink + `[{"dbfrom":"gene","ids":["1"]}]}`, answer},
	{"empty ERROR", 0, "", prolog + "<eSpellResult><ERROR/></eSpellResult>\n", answer},
	{"empty ERROR, two tags", 0, "", prolog + "<eSpellResult><ERROR> </ERROR></eSpellResult >", answer},
	{"empty set", 0, "retmode=xml", "<?xml version=\"1.0\" ?>\n<!-- a remark --><PubmedArticleSet></PubmedArticleSet>", answer},
	{"empty set, one tag", 0, "retmode=xml", "<Entrezgene-Set/>", answer},
	{"byte order mark", 0, "", "\ufeff<Entrezgene-Set></Entrezgene-Set>", answer},
	{"MEDLINE", 0, "retmode=text&rettype=medline", "\nPMID- 12230038\nOWN - NLM\nAB  - Error occurred: API rate limit exceeded.\n", answer},
	{"MEDLINE, not known from the request", 0, "", "\nPMID- 12230038\nOWN - NLM\n", answer},
	{"MEDLINE of an unknown PMID", 0, "retmode=text", "\nid: 99999999 Error occurred: The following PMID is not available: 99999999\n",
		answer},
	{"MEDLINE of nothing", 0, "retmode=text", "\n", answer},

	{"rate", 429, "", `{"error":"API rate limit exceeded","api-key":"SECRET","count":"4","limit":"3"}`, limited},
	{"rate under 200", 0, "retmode=xml", `{"error":"API rate limit exceeded","api-key":"SECRET","count":"4","limit":"3"}`, limited},
	{"rate, XML", 0, "", `<eSearchResult><ERROR>API rate limit exceeded</ERROR></eSearchResult>`, limited},
	{"rate, text", 400, "retmode=text", `API rate limit exceeded`, limited},
	{"key", 400, "", `{"error":"API key invalid","api-key":"SECRET","type":"invalid","status":"unknown"}`, badKey},
	{"key in the sentence", 400, "", `{"error":"API key SECRET is invalid"}`, badKey},

	{"uid", 0, "retmode=json", jsonSummary + `"error":"Invalid uid abc at position= 0","result":{"uids":[]}}`, refused},
	{"empty term", 0, "retmode=json", jsonSearch + `{"ERROR":"Empty term and query_key - nothing todo"}}`, refused},
	{"retstart, raw newline", 0, "retmode=json", jsonSearch +
		"{\"ERROR\":\"Search Backend failed: Exception:\n'retstart' cannot be larger than 9998. For PubMed, ESearch can only retrieve " +
		"the first 9,999 records\"}}", refused},
	{"syntax", 0, "retmode=json", jsonSearch + "{\"ERROR\":\"Search Backend failed: Exception:\n'Syntax error in query (( at https://internal/\"}}",
		refused},
	{"syntax in the words of the caller", 0, "retmode=json", jsonSearch +
		`{"ERROR":"Search Backend failed: at https://internal/?q=Exception: 'Syntax error in query"}}`, transient},
	{"too many uids", 0, "retmode=json",
		jsonSummary + `"error":"Too many UIDs in request. Maximum number of UIDs is 500 for JSON format output."}`, refused},
	{"history", 0, "retmode=json", jsonSearch + `{"ERROR":"Unable to obtain query #1"}}`, refused},
	{"range", 400, "retmode=xml", "<eFetchResult><ERROR>Cannot retrieve history data: OUT OF RANGE. Parameter retstart=1 + 1 is greater " +
		"than number of records available in history.</ERROR></eFetchResult>", refused},
	{"no ids", 400, "retmode=xml", "<eFetchResult>\n<ERROR>ID list is empty! Possibly it has no correct IDs.</ERROR></eFetchResult>",
		refused},
	{"no ids, text", 400, "retmode=text", "ID+list+is+empty!+Possibly+it+has+no+correct+IDs.", refused},
	{"nothing asked", 0, "", "<eSummaryResult><ERROR>Neither query_key nor id specified</ERROR></eSummaryResult>", refused},

	{"backend", 0, "retmode=json", jsonSearch + `{"ERROR":"Search Backend failed: at https://internal/?q=API+key+out of range"}}`,
		transient},
	{"database in an outage", 0, "retmode=json", jsonSearch + `{"ERROR":"Invalid db name specified: pubmed"}}`, transient},
	{"database, ESummary", 0, "retmode=json", jsonSummary + `"esummaryresult":["Invalid db name specified: gene"]}`, transient},
	{"database not supported", 0, "", "<eFetchResult><ERROR>Database is not supported</ERROR></eFetchResult>", transient},
	{"links fail", 0, "retmode=json",
		jsonLink + "[],\"ERROR\":\"NCBI C++ Exception:\n    Error: TXCLIENT(CException::eUnknown) Read failed: EOF\"}", transient},
	{"a link set fails", 0, "retmode=json",
		jsonLink + `[{"dbfrom":"gene","ids":["1"],"ERROR":"Couldn't resolve #exLinkSrv2, the address table is empty."}]}`, transient},
	{"no link set", 0, "retmode=json", jsonLink + `[]}`, transient},
	{"document summary", 400, "retmode=xml", "<eFetchResult><ERROR> Error occurred: cannot get document summary</ERROR></eFetchResult>",
		transient},
	{"route", 0, "retmode=xml", "Unable to route request! service name: /http/service/ratecontrol", transient},
	{"route, text", 400, "retmode=text", "Unable to route request! service name: /http/service/ratecontrol", transient},
	{"empty", 0, "retmode=text", "", transient},
	{"blank", 0, "", " \n", transient},
	{"prolog", 0, "", prolog, transient},
	{"half a prolog", 0, "", prolog[:60], transient},
	{"cut XML", 0, "", prolog + "<eSearchResult><Count>3</Count>", transient},
	{"cut in the end", 0, "", "<Entrezgene-Set><Entrezgene></Entrezgene></Entrezgene-Se", transient},
	{"another end", 0, "", "<Entrezgene-Set><Entrezgene></Entrezgene>", transient},
	{"unexpected root", 0, "", "<error>what</error>", transient},
	{"no element", 0, "", "<", transient},
	{"cut JSON", 0, "retmode=json", jsonSearch + `{"count":"1"}`, transient},
	{"control character", 0, "retmode=json", jsonSearch + "{\"count\":\"1\n\"}}", transient},
	{"text for JSON", 0, "retmode=json", "busy", transient},
	{"XML for JSON", 0, "retmode=json", "<eSearchResult><Count>3</Count></eSearchResult>", transient},
	{"JSON for XML", 0, "retmode=xml", jsonSearch + `{"count":"0"}}`, transient},
	{"an error that is no text", 0, "", `{"error":{"a":1}}`, transient},
	{"status", 404, "retmode=json", jsonSearch + `{"count":"0"}}`, transient},
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range bodies {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			resp := &http.Response{StatusCode: max(tt.status, http.StatusOK),
				Request: httptest.NewRequest(http.MethodGet, "/e.fcgi?"+tt.query, nil)}
			err := entrez.Check(resp, []byte(tt.body))
			if got := kind(t, err); got != tt.want {
				t.Errorf("%s: %v", got, err)
			}
		})
	}
}

// TestCheckPosted: the parameters of a posted form are also used.
func TestCheckPosted(t *testing.T) {
	t.Parallel()
	var sent *http.Request
	client := entrez.Identified{Next: doerFunc(func(req *http.Request) (*http.Response, error) {
		sent = req
		return nil, io.EOF
	})}
	_, _ = client.Do(httptest.NewRequest(http.MethodGet, "/e.fcgi?retmode=JSON&id="+strings.Repeat("1", 3000), nil))
	resp := &http.Response{StatusCode: http.StatusOK, Request: sent}
	if err := entrez.Check(resp, []byte("<Entrezgene-Set/>")); kind(t, err) != transient {
		t.Errorf("XML where JSON was asked: %v", err)
	}
	resp.Request.GetBody = func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("api_key=SECRET&email=me%40example.org")), nil
	}
	const repeats = "<eFetchResult><ERROR>What is api_key=SECRET&amp;email=me%40example.org?</ERROR></eFetchResult>"
	if err := entrez.Check(resp, []byte(repeats)); kind(t, err) != transient || strings.Contains(err.Error(), "SECRET") ||
		strings.Contains(err.Error(), "me%40") {
		t.Error(err)
	}
	resp.Request.GetBody = func() (io.ReadCloser, error) { return nil, errors.New("gone") }
	expect.Succeeds(t, entrez.Check(resp, []byte("<Entrezgene-Set/>")), "error")
	expect.Succeeds(t, entrez.Check(&http.Response{StatusCode: http.StatusOK}, []byte("<Entrezgene-Set/>")), "error")
}

// TestCheckCorpus: real responses are valid, except those that are known to be invalid; a truncated response is an error.
func TestCheckCorpus(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"errors/efetch_empty_id_list.xml":  refused,
		"errors/rate_limit.json":           limited,
		"samples/einfo.error.json":         transient,
		"samples/einfo.error.xml":          transient,
		"samples/esearch.baderror.json":    transient,
		"samples/esearch.baderror.xml":     transient,
		"samples/esummary.error.json":      transient,
		"samples/esummary.error.xml":       transient,
		"epost/biopython_epost2.xml":       transient,
		"epost/biopython_epost3.xml":       refused,
		"esummary/biopython_esummary8.xml": refused,
		"einfo/biopython_einfo4.xml":       transient, // broken on purpose
		// An excerpt of a response.
		"efetch/MedlineImporterTestPubmedBook.xml": transient,
	}
	corpusDir, files := expect.Corpus(t, "", "broken answers and errors of the source are not embedded"), 0
	for _, dir := range []string{"pubmed/*/*", "gene/esummary*"} {
		names, _ := filepath.Glob(filepath.Join(corpusDir, dir))
		for _, name := range names {
			body, err := os.ReadFile(name)
			expect.NoError(t, err)
			short := strings.TrimPrefix(filepath.ToSlash(name), corpusDir+"/pubmed/")
			files++
			resp := &http.Response{StatusCode: http.StatusOK}
			err = entrez.Check(resp, body)
			result := cmp.Or(want[short], answer)
			if got := kind(t, err); got != result {
				t.Errorf("%s: %s: %v", short, got, err)
			}
			if strings.HasSuffix(name, ".txt") || result != answer {
				continue
			}
			full := len(strings.TrimRight(string(body), " \r\n"))
			for _, part := range []int{full - 1, full * 3 / 4, full / 2, full / 4, 30} {
				if err := entrez.Check(resp, body[:min(part, full-1)]); kind(t, err) != transient {
					t.Errorf("%s cut to %d of %d bytes: %v", short, part, len(body), err)
				}
			}
		}
	}
	expect.That(t, files > 0, "no files")
}

func FuzzCheck(f *testing.F) {
	for _, tt := range bodies {
		f.Add(max(tt.status, http.StatusOK), tt.query, []byte(tt.body))
	}
	f.Fuzz(func(t *testing.T, status int, query string, body []byte) {
		resp := &http.Response{StatusCode: status, Request: &http.Request{Method: http.MethodGet}}
		if req, err := http.NewRequest(http.MethodGet, "/?"+query, nil); err == nil {
			resp.Request = req
		}
		err := entrez.Check(resp, body)
		if shown, ok := errors.AsType[*entity.Error](err); ok && (shown.Hint == "" || shown.Message == "") {
			t.Errorf("an error without words: %v", err)
		}
		expect.That(t, err != nil || status == http.StatusOK, "status %d is an answer", status)
	})
}

// BenchmarkCheck measures the cost of checking the largest response that is requested: 500 documents.
func BenchmarkCheck(b *testing.B) {
	var body strings.Builder
	body.WriteString(jsonSummary + `"result":{"uids":["0"]`)
	for i := range 500 {
		fmt.Fprintf(&body, `,"%d":{"uid":"%d","title":"%s","authors":[%s{"name":"A B"}]}`, i, i, strings.Repeat("word ", 200),
			strings.Repeat(`{"name":"Somebody A","authtype":"Author","clusterid":""},`, 30))
	}
	body.WriteString("}}")
	text := []byte(body.String())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		expect.NoError(b, entrez.Check(&http.Response{StatusCode: http.StatusOK}, text))
	}
}
