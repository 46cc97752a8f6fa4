package e2e

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/service"
)

// A hostileBody is a response body that would fill the memory of a client: a head, and a piece that is repeated.
type hostileBody struct{ name, head, piece string }

// hostileSize is the maximum size of a body that is sent if the client does not hang up.
const hostileSize = 1 << 30

const (
	geneHead = `<?xml version="1.0"?><Entrezgene-Set><Entrezgene><Entrezgene_track-info><Gene-track><Gene-track_geneid>7157</Gene-track_geneid>` +
		`</Gene-track></Entrezgene_track-info>`
	articleHead = `<?xml version="1.0"?><PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>26027431</PMID><Article>`
)

// hostileTokens returns documents with one endless token, or with endlessly many tokens, within an element that is read.
func hostileTokens(head, name string) (bodies []hostileBody) {
	for _, token := range []hostileBody{
		{"text", "<" + name + ">", "text "},
		{"text in pieces", "<" + name + ">", "text<!-- -->"},
		{"comment", "<" + name + "><!--", " < > comment"},
		{"attribute", "<" + name + ` a="`, "value "},
		{"attributes", "<" + name, ` a="b"`},
		{"name", "<" + name, "a"},
		{"instruction", "<" + name + "><?a ", "< > "},
		{"CDATA", "<" + name + "><![CDATA[", "< > "},
		{"directive", "<" + name + "><!DOCTYPE a [ ", "<a> </a>"},
		{"elements", "<" + name + ">", "<a/>"},
		{"nested elements", "<" + name + ">", "<a>"},
		{"entities", "<" + name + ">", "&lt;"},
		{"blanks", "<" + name + ">", "        "},
	} {
		bodies = append(bodies, hostileBody{name + ": " + token.name, head + token.head, token.piece})
	}
	return bodies
}

// hostileXML returns hostile records.
func hostileXML(operation, database string) []hostileBody {
	if operation != "efetch.fcgi" {
		return nil
	}
	if database == "pmc" {
		return append(append(hostileTokens(textHead, "p"), hostileTokens(textHead, "italic")[2:6]...), hostileTexts...)
	}
	if database == "gene" {
		return append(append(hostileTokens(geneHead+"<Entrezgene_gene><Gene-ref>", "Gene-ref_desc"),
			hostileTokens(geneHead, "Entrezgene_location")[2:6]...),
			hostileBody{"synonyms", geneHead + "<Entrezgene_gene><Gene-ref><Gene-ref_syn>", "<Gene-ref_syn_E>#</Gene-ref_syn_E>"},
			hostileBody{"ids", geneHead + "<Entrezgene_gene><Gene-ref>",
				"<Gene-ref_db><Dbtag><Dbtag_db>#</Dbtag_db><Object-id_id>1</Object-id_id></Dbtag></Gene-ref_db>"},
			hostileBody{"genes", "<Entrezgene-Set>",
				"<Entrezgene><Gene-track><Gene-track_geneid>1</Gene-track_geneid></Gene-track></Entrezgene>"},
			hostileBody{"prolog", "<?xml version='1.0'?><!--", " comment "})
	}
	return append(append(hostileTokens(articleHead, "ArticleTitle"), hostileTokens(articleHead, "Pagination")[2:6]...),
		hostileBody{"authors", articleHead + "<AuthorList>", "<Author/>"},
		hostileBody{"formula", articleHead + "<ArticleTitle><math>", "<a/>b<!-- -->"},
		hostileBody{"articles", "<PubmedArticleSet>", "<PubmedArticle><MedlineCitation><PMID>#</PMID></MedlineCitation></PubmedArticle>"},
		hostileBody{"MEDLINE", "PMID- 26027431\n", "TI  - title\n"},
		hostileBody{"MEDLINE records", "", "PMID- #\n\n"},
		hostileBody{"MEDLINE in one line", "PMID- 26027431\nTI  - ", "title "})
}

const textHead = `<?xml version="1.0"?><pmc-articleset><article><front><article-meta><article-id pub-id-type="pmcid">PMC7383595</article-id></article-meta></front><body>`

// hostileText returns a complete full text.
func hostileText(name, body string) hostileBody {
	return hostileBody{name, textHead + body + `</body></article></pmc-articleset>`, ""}
}

// hostileTable returns a table in a full text.
func hostileTable(head, body string) string {
	return `<table-wrap><label>T</label><table><thead>` + head + `</thead><tbody>` + body + `</tbody></table></table-wrap>`
}

// hostileTexts are full texts that expand to more data than they have bytes, or that are larger than any real one.
var hostileTexts = []hostileBody{
	hostileText("wide heads", strings.Repeat(hostileTable(strings.Repeat(`<tr><th colspan="1000">`+strings.Repeat("h", 190)+`</th></tr>`,
		499), ""), 20)),
	hostileText("spans", strings.Repeat(hostileTable("", `<tr><td rowspan="500" colspan="999">a</td><td>b</td></tr>`+
		strings.Repeat(`<tr><td>a</td></tr>`, 499)), 20)),
	hostileText("tables", strings.Repeat(hostileTable("", `<tr><td colspan="1000">a</td></tr>`), 5000)),
	hostileText("cells", hostileTable("", strings.Repeat(`<tr>`+strings.Repeat(`<td>a</td>`, 300)+`</tr>`, 640))),
	hostileText("long paragraph", `<p>`+strings.Repeat("word ", 1_600_000)+`</p>`),
	hostileText("long paragraphs", strings.Repeat(`<p>`+strings.Repeat("word ", 180_000)+`</p>`, 9)),
	hostileText("text and cells", strings.Repeat(`<p>`+strings.Repeat("word ", 180_000)+`</p>`, 3)+
		hostileTable("", strings.Repeat(`<tr>`+strings.Repeat(`<td>abcdef</td>`, 300)+`</tr>`, 310))),
	hostileText("attributes", strings.Repeat(`<p `+strings.Repeat(`a="b" `, 170_000)+`/>`, 8)),
	hostileText("quotations", strings.Repeat(`<disp-quote>`, 240)+strings.Repeat(`<p>a</p>`, 90_000)+strings.Repeat(`</disp-quote>`, 240)),
	hostileText("sections", strings.Repeat(`<sec><title>Methods</title><p>a</p></sec>`, 30_000)),
	hostileText("references", `<ref-list>`+strings.Repeat(`<ref><mixed-citation>a.</mixed-citation></ref>`, 48_000)+`</ref-list>`),
	hostileText("label of tables", `<table-wrap><label>`+strings.Repeat("L", 900_000)+`</label>`+
		strings.Repeat(`<table><tr><td>a</td></tr></table>`, 30_000)+`</table-wrap>`),
}

// hostileJSON are hostile JSON answers. The last ones are near the size limits and invalid at the end.
var hostileJSON = []hostileBody{
	{"text", `{"esearchresult":{"count":"`, "text "},
	{"escapes", `{"studies":[{"protocolSection":{"identificationModule":{"nctId":"`, `\u0041`},
	{"number", `{"studies":[],"totalCount":`, "1234567890"},
	{"blanks", `{"studies":[`, "        "},
	{"lists", "", "["},
	{"objects", "", `{"result":`},
	{"keys", `{`, `"#":1,`},
	{"error", `{"error":[`, `"sentence",`},
	{"studies", `{"studies":[`, `{},`},
	{"sites", `{"studies":[{"protocolSection":{"contactsLocationsModule":{"locations":[`, `{},`},
	{"conditions", `{"studies":[{"protocolSection":{"conditionsModule":{"conditions":[`, `"",`},
	{"uids", `{"result":{"uids":[`, `"1",`},
	{"documents", `{"result":{`, `"#":{},`},
	{"texts of documents", `{"result":{`, `"#":1,`},
	{"ids", `{"esearchresult":{"count":"1","idlist":[`, `"#",`},
	{"link sets", `{"linksets":[`, `{"ids":["7157"]},`},
	{"links", `{"linksets":[{"ids":["7157"],"linksetdbs":[{"linkname":"gene_pubmed","links":[`, `"#",`},
	{"near studies", `{"studies":[` + strings.Repeat(`{},`, 1990), ""},
	{"near sites", `{"studies":[{"protocolSection":{"contactsLocationsModule":{"locations":[` + strings.Repeat(`{},`, 199_000) +
		`{}]}}}]} x`, ""},
	{"near links", `{"linksets":[{"ids":["7157"],"linksetdbs":[{"linkname":"gene_pubmed","links":[` +
		strings.Repeat(`"12345678",`, 390_000) + `{}]}]}]} x`, ""},
	{"plain text", "", "text "},
	{"web page", "<html><body>", "page "},
}

// write sends the compressed body to a client that may hang up. It replaces # with a different number in each piece.
func (h hostileBody) write(w http.ResponseWriter) {
	w.Header().Set("Content-Encoding", "gzip")
	to, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
	defer to.Close()
	_, err := io.WriteString(to, h.head)
	if h.piece == "" {
		return
	}
	block := strings.Repeat(h.piece, 1+(1<<16)/len(h.piece))
	for sent, n := 0, 0; sent < hostileSize && err == nil; {
		text := block
		if strings.Contains(h.piece, "#") {
			var numbered strings.Builder
			for range 1000 {
				n++
				numbered.WriteString(strings.ReplaceAll(h.piece, "#", strconv.Itoa(n)))
			}
			text = numbered.String()
		}
		_, err = io.WriteString(to, text)
		sent += len(text)
	}
}

// A hostileSource answers one operation with a hostile body, and the others as the sandbox does.
type hostileSource struct {
	operation string
	body      hostileBody
	reached   bool
	seen      sync.Map // operations that were called
	honest    http.RoundTripper
}

func (h *hostileSource) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	h.seen.Store(path.Base(req.URL.Path), true)
	if path.Base(req.URL.Path) == h.operation {
		h.reached = true
		h.body.write(w)
		return
	}
	out := req.Clone(req.Context())
	out.URL.Scheme, out.URL.Host, out.RequestURI = "https", req.Host, ""
	resp, err := h.honest.RoundTrip(out)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	maps.Copy(w.Header(), resp.Header)
	w.WriteHeader(resp.StatusCode)
	_, _ = io.Copy(w, resp.Body)
}

// hostileQuestions returns calls that reach every reader of every tool: the example of each tool, and calls that need further requests.
func hostileQuestions(t *testing.T) (questions []question) {
	for _, tool := range byDefault(tools.Table(service.New(service.Options{}))) {
		example := map[string]string{}
		for i, a := range tool.Arguments {
			if a.Required || i == 0 {
				example[a.Name] = a.Example
			}
		}
		text, err := json.Marshal(example)
		expect.NoError(t, err)
		questions = append(questions, question{tool.Name, string(text)})
	}
	return append(questions,
		question{"searchPubMedArticles", `{"queryTerm":"cancer","fetchBriefSummaries":5}`},
		question{"fetchArticleDetails", `{"pmids":["26027431"],"detailLevel":"medline_text"}`},
		question{"getArticleRelationships", `{"sourcePmid":"26027431","relationshipType":"pubmed_citedin"}`})
}

// TestHostileBodies checks that a call with a hostile body ends with UPSTREAM_ERROR and little memory, for every tool and every
// operation. New tools are included.
func TestHostileBodies(t *testing.T) {
	expect.Slow(t)
	honest, err := sandbox.New()
	expect.NoError(t, err)
	biofact, limit := binary(t), 100_000
	for _, q := range hostileQuestions(t) {
		t.Run(q.String(), func(t *testing.T) {
			source := &hostileSource{honest: honest}
			server := httptest.NewServer(source)
			defer server.Close()
			start := func() *process {
				return launch(t, exec.Command(biofact), "BIOFACT_CTGOV_URL="+server.URL+"/api/v2", "BIOFACT_EUTILS_URL="+server.URL+
					"/entrez/eutils",
					"BIOFACT_DATASETS_URL="+server.URL+"/datasets/v2", "BIOFACT_IDCONV_URL="+server.URL+"/tools/idconv/api/v1/articles/",
					"BIOFACT_SOURCES=ctgov,ncbi,datasets", // Europe PMC would take one second for each request
					"BIOFACT_CTGOV_RPS=1000", "NCBI_REQUEST_DELAY_MS=1", "NCBI_MAX_RETRIES=0", "BIOFACT_CALL_TIMEOUT=2s").listen()
			}
			honestly := start()
			_, _, err := honestly.call(q)
			expect.NoError(t, err)
			honestly.end(t)
			most, peak := "", 0
			for _, operation := range []string{"studies", "esearch.fcgi", "esummary.fcgi", "efetch.fcgi", "elink.fcgi", "einfo.fcgi",
				"espell.fcgi", "ecitmatch.cgi",
				"orthologs", "product_report", "articles"} {
				if _, called := source.seen.Load(operation); !called {
					continue // this tool does not call the operation
				}
				p := start() // a new process, because the answers of other operations are cached
				database := "pubmed"
				if strings.Contains(q.tool, "gene") {
					database = "gene"
				}
				if strings.Contains(q.arguments, "PMC") {
					database = "pmc"
				}
				source.operation = operation
				for _, body := range append(hostileXML(operation, database), hostileJSON...) {
					source.body, source.reached = body, false
					envelope, _, err := p.call(q)
					expect.Must(t, source.reached, "%s: %s: %s was not called", operation, body.name, operation)
					expect.Must(t, err == nil, "%s: %s: %v", operation, body.name, err)
					// For similar articles the ids are the answer. The summaries and the spelling are optional, so their failure is
					// only a notice.
					gift := q.tool == "getArticleRelationships" && operation == "esummary.fcgi" || operation == "espell.fcgi"
					// A full text that is too large is requested once: its outcome is kept.
					large := strings.Contains(envelope, `"outcome":"too_large"`)
					expect.That(t, gift || large || strings.Contains(envelope, `"UPSTREAM_ERROR"`),
						"%s: %s: answered with %.300s", operation, body.name, envelope)
					if now := peakKB(t, p.cmd.Process.Pid); now > peak {
						most, peak = operation+": "+body.name, now
					}
					if large {
						p.end(t)
						p = start()
					}
				}
				p.end(t)
			}
			t.Logf("at most %d kB resident, with %s", peak, most)
			expect.That(t, peak <= limit, "%d kB resident, want under %d", peak, limit)
		})
	}
}

// TestHostileFullTexts checks that the answer is the abstract and reports a failure of Europe PMC, if Europe PMC sends a hostile body
// instead of a text that PMC withholds. Each body gets its own process, because Europe PMC allows one request per second.
func TestHostileFullTexts(t *testing.T) {
	expect.Slow(t)
	honest, err := sandbox.New()
	expect.NoError(t, err)
	biofact := binary(t)
	for _, body := range append(hostileXML("efetch.fcgi", "pmc"), hostileJSON...) {
		t.Run(body.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(&hostileSource{honest: honest, operation: "fullTextXML", body: body})
			defer server.Close()
			p := launch(t, exec.Command(biofact), "BIOFACT_EUTILS_URL="+server.URL+"/entrez/eutils", "BIOFACT_EUROPEPMC_URL="+server.URL+
				"/europepmc/webservices/rest",
				"NCBI_REQUEST_DELAY_MS=1", "NCBI_MAX_RETRIES=0", "BIOFACT_CALL_TIMEOUT=2s").listen()
			envelope, _, err := p.call(question{"getArticleFullText", `{"id":"PMC7787219"}`})
			expect.NoError(t, err)
			failed := strings.Contains(envelope, `"source":"Europe PMC","outcome":"failed"`)
			expect.That(t, failed || strings.Contains(envelope, `"UPSTREAM_ERROR"`), "answered with %.300s", envelope)
			peak := peakKB(t, p.cmd.Process.Pid)
			expect.That(t, peak <= 100_000, "%d kB resident", peak)
			p.end(t)
		})
	}
}

// peakKB returns the peak resident memory of a process, or 0 if the system does not report it.
func peakKB(tb testing.TB, pid int) int {
	tb.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	kb, err := strconv.Atoi(fields[0])
	expect.NoError(tb, err)
	return kb
}
