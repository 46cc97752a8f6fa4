package e2e

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/service"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// An anyGene answers EFetch with a record for each requested id, and records the number of ids.
type anyGene struct {
	mu    sync.Mutex
	sizes []int
}

func (a *anyGene) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.ParseForm(); err != nil {
		return nil, err
	}
	ids := strings.Split(req.Form.Get("id"), ",")
	a.mu.Lock()
	a.sizes = append(a.sizes, len(ids))
	a.mu.Unlock()
	body := &bytes.Buffer{}
	body.WriteString(`<?xml version="1.0" ?><Entrezgene-Set>`)
	for _, id := range ids {
		fmt.Fprintf(body, `<Entrezgene><Entrezgene_track-info><Gene-track><Gene-track_geneid>%s</Gene-track_geneid>`+
			`<Gene-track_status value="live">0</Gene-track_status></Gene-track></Entrezgene_track-info>`+
			`<Entrezgene_source><BioSource><BioSource_org><Org-ref><Org-ref_taxname>Homo sapiens</Org-ref_taxname></Org-ref></BioSource_org></BioSource></Entrezgene_source>`+
			`<Entrezgene_gene><Gene-ref><Gene-ref_locus>GENE%s</Gene-ref_locus><Gene-ref_desc>example</Gene-ref_desc></Gene-ref></Entrezgene_gene>`+
			`<Entrezgene_comments/></Entrezgene>`, id, id)
	}
	body.WriteString(`</Entrezgene-Set>`)
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/xml; charset=UTF-8"}}, Body: io.NopCloser(body), Request: req,
	}, nil
}

// TestManyGenes requests 100 different genes at once from one process, at the pace that NCBI allows without a key.
func TestManyGenes(t *testing.T) {
	expect.Slow(t)
	genes := &anyGene{}
	up := newRegistry(t, genes)
	base := strings.TrimSuffix(up.url, "/api/v2") + "/entrez/eutils"
	p := launch(t, exec.Command(binary(t)), "BIOFACT_EUTILS_URL="+base).listen()
	start := time.Now()
	var wait sync.WaitGroup
	for n := range 100 {
		id := fmt.Sprint(1000 + n)
		wait.Go(func() {
			envelope, _, err := p.call(question{"get_gene", fmt.Sprintf(`{"entrez_id":"NCBIGene:%s"}`, id)})
			var gene entity.Gene
			expect.That(t, err == nil && json.Unmarshal([]byte(envelope), &gene) == nil && gene.Symbol == "GENE"+id,
				"gene %s: %v %.200s", id, err, envelope)
		})
	}
	wait.Wait()
	took := time.Since(start)
	silent(t, p)
	t.Logf("100 genes in %v, by requests of %v genes", took, genes.sizes)
	// The first gene is requested at once. The others wait and are requested together, 20 in a request.
	if n := len(genes.sizes); n < 5 || n > 7 {
		t.Errorf("%d requests, want 6", n)
	}
	up.keepsPace(t, start, 400*time.Millisecond)
}

// The real record of TP53, which is outside the repository, has 15.8 MB.
const corpusTP53 = "../../shared/corpus/gene/efetch_gene_7157.xml.gz"

// BenchmarkLargestGene reads TP53 over the loopback and prints how much of the body was transferred and how much heap that took.
func BenchmarkLargestGene(b *testing.B) {
	file, err := os.Open(corpusTP53)
	if err != nil {
		b.Skipf("the real records are not here: %v", err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	expect.NoError(b, err)
	record, err := io.ReadAll(unzipped)
	expect.NoError(b, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/xml; charset=UTF-8")
		_, _ = w.Write(record) // the client hangs up
	}))
	defer server.Close()
	var wire atomic.Int64
	log := slog.New(slog.DiscardHandler)
	network := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		return &countedConn{Conn: conn, read: &wire}, err
	}}
	handlers := service.New(service.Options{MaxAnswerBytes: 400_000, Sources: sourcetest.Setup{
		EUtilsURL: server.URL,
		EUtils: upstream.NewClient(upstream.Options{
			Source: "NCBI", Base: network, Tries: 1, MaxBody: 16 << 20, Check: entrez.Check, Log: log,
		}),
	}.Sources(b)})
	peak := uint64(0)
	for b.Loop() {
		stop, most := watchHeap()
		answer, err := handlers.GetGene(b.Context(), tools.GetGeneArgs{EntrezID: "7157"})
		if err != nil || len(answer.Encoded) == 0 {
			b.Fatal(err)
		}
		stop()
		peak = max(peak, most())
	}
	share := 100 * float64(wire.Load()) / float64(b.N) / float64(len(record))
	b.ReportMetric(share, "%read")
	b.ReportMetric(float64(peak)/1e6, "MB-extra-heap")
}

// watchHeap records by how much the heap grows until stop is called.
func watchHeap() (stop func(), most func() uint64) {
	var start, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&start)
	done, ended := make(chan struct{}), make(chan struct{})
	peak := uint64(0)
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			runtime.ReadMemStats(&now)
			if now.HeapAlloc > start.HeapAlloc {
				peak = max(peak, now.HeapAlloc-start.HeapAlloc)
			}
			select {
			case <-done:
				return
			case <-tick.C:
			}
		}
	}()
	return func() { close(done); <-ended }, func() uint64 { return peak }
}

type countedConn struct {
	net.Conn
	read *atomic.Int64
}

func (c *countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.read.Add(int64(n))
	return n, err
}

// TestSecrets checks that tool, email and api_key are sent with every request of every tool to NCBI, with GET and POST, and that
// neither the key nor the address is in an answer or in the log, although NCBI repeats them.
func TestSecrets(t *testing.T) {
	const key, email = "0123456789abcdef0123", "someone@lab.example.org"
	var requests []string
	echo := roundTrip(func(req *http.Request) (*http.Response, error) {
		if err := req.ParseForm(); err != nil {
			return nil, err
		}
		requests = append(requests, fmt.Sprintf("%s %s %s %s", req.Method, req.Form.Get("tool"), req.Form.Get("email"),
			req.Form.Get("api_key")))
		body := fmt.Sprintf(`{"error":"API key invalid","api-key":%q,"email":%q,"type":"invalid"}`, req.Form.Get("api_key"),
			req.Form.Get("email"))
		status := http.StatusBadRequest
		if strings.HasSuffix(req.URL.Path, "elink.fcgi") {
			status, body = http.StatusServiceUnavailable, req.URL.String()+" "+req.Form.Encode()
		}
		return &http.Response{
			StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)),
			Request: req,
		}, nil
	})
	up := newRegistry(t, echo)
	base := strings.TrimSuffix(up.url, "/api/v2") + "/entrez/eutils"
	p := launch(t, exec.Command(binary(t)), "BIOFACT_EUTILS_URL="+base, "NCBI_API_KEY="+key, "NCBI_ADMIN_EMAIL="+email,
		"NCBI_TOOL_IDENTIFIER=lab/1", "NCBI_REQUEST_DELAY_MS=1", "NCBI_MAX_RETRIES=1", "MCP_LOG_LEVEL=debug").listen()
	var output strings.Builder
	var many []string
	for n := range 190 {
		many = append(many, fmt.Sprintf("NCBIGene:%d", 100200300+n))
	}
	for _, q := range []question{
		{"search_genes", `{"query":"TP53"}`}, {"get_gene", `{"entrez_id":"7157"}`}, {"get_pubmed_links", `{"entrez_id":"7157"}`},
		{"search_genes", fmt.Sprintf(`{"query":%q,"page_size":200}`, strings.Join(many, ","))},
		{"searchPubMedArticles", `{"queryTerm":"finding","fetchBriefSummaries":3}`},
		{"fetchArticleDetails", fmt.Sprintf(`{"pmids":["%s"]}`, strings.ReplaceAll(strings.Join(many, `","`), "NCBIGene:", ""))},
		{"fetchArticleDetails", `{"pmids":["999"],"detailLevel":"medline_text"}`},
		{"getArticleRelationships", `{"sourcePmid":"999"}`},
		{"getArticleRelationships", `{"sourcePmid":"999","relationshipType":"citation_formats"}`},
		{"search_genes", `{"pmid":"998"}`}, {"get_pubmed_links", `{"entrez_id":"7157","generif":true}`},
		{"get_gene_variants", `{"entrez_id":"672"}`},
	} {
		envelope, _, err := p.call(q)
		expect.That(t, err == nil && strings.Contains(envelope, `"UPSTREAM_ERROR"`), "%.80s: %v %.300s", q, err, envelope)
		output.WriteString(envelope)
	}
	output.WriteString(p.end(t))
	for _, secret := range []string{key, email, url.QueryEscape(email), "lab/1", "lab%2F1"} {
		expect.That(t, !strings.Contains(output.String(), secret), "%s is shown:\n%s", secret, output.String())
	}
	var want []string
	// The links are requested twice.
	for _, method := range strings.Fields("GET GET GET GET POST GET POST GET GET GET GET GET GET GET GET GET GET GET") {
		want = append(want, method+" lab/1 "+email+" "+key)
	}
	expect.Equal(t, "requests", want, requests)
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
