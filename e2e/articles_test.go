package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/sandbox"
)

// A pubmed answers as the sandbox does and records the requested ids by utility.
type pubmed struct {
	records http.RoundTripper

	mu        sync.Mutex
	requested map[string][][]string // ids by utility
}

func (p *pubmed) RoundTrip(req *http.Request) (*http.Response, error) {
	form := req.URL.Query()
	if req.Method == http.MethodPost {
		text, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		if form, err = url.ParseQuery(string(text)); err != nil {
			return nil, err
		}
		req.Body = io.NopCloser(strings.NewReader(string(text)))
	}
	utility := strings.TrimSuffix(req.URL.Path[strings.LastIndex(req.URL.Path, "/")+1:], ".fcgi")
	p.mu.Lock()
	p.requested[utility] = append(p.requested[utility], strings.Split(strings.Join(form["id"], ","), ","))
	p.mu.Unlock()
	return p.records.RoundTrip(req)
}

// since returns the requests since the last call of since.
func (p *pubmed) since() map[string][][]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	requested := p.requested
	p.requested = map[string][][]string{}
	return requested
}

// holding returns a pubmed with n articles, ten for each subject.
func holding(t *testing.T, n int) (p *pubmed, pmids []string) {
	t.Helper()
	var set, texts strings.Builder
	set.WriteString(`<?xml version="1.0" ?><PubmedArticleSet>`)
	for i := range n {
		pmid := 30_000_000 + i
		pmids = append(pmids, fmt.Sprint(pmid))
		fmt.Fprintf(&texts, "\nPMID- %d\nTI  - Finding %[1]d.\nSO  - J Ex. 2023.\n", pmid)
		fmt.Fprintf(&set, `<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">%d</PMID>`+
			`<Article PubModel="Print"><Journal><JournalIssue CitedMedium="Print"><PubDate><Year>2023</Year></PubDate></JournalIssue><Title>Journal of examples</Title></Journal>`+
			`<ArticleTitle>Finding %[1]d.</ArticleTitle><PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType></PublicationTypeList></Article>`+
			`<MeshHeadingList><MeshHeading><DescriptorName UI="D1%[2]d" MajorTopicYN="N">Subject %[2]d</DescriptorName></MeshHeading>`+
			`<MeshHeading><DescriptorName UI="D2%[2]d" MajorTopicYN="N">Method %[2]d</DescriptorName></MeshHeading></MeshHeadingList></MedlineCitation>`+
			`<PubmedData><PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">%[1]d</ArticleId></ArticleIdList></PubmedData></PubmedArticle>`,
			pmid, pmid/10)
	}
	set.WriteString(`</PubmedArticleSet>`)
	folder := t.TempDir()
	expect.NoError(t, os.WriteFile(filepath.Join(folder, "articles.xml"), []byte(set.String()), 0o600))
	expect.NoError(t, os.WriteFile(filepath.Join(folder, "articles.nbib"), []byte(texts.String()), 0o600))
	records, err := sandbox.Open(t.Context(), folder)
	expect.NoError(t, err)
	return &pubmed{records: records, requested: map[string][][]string{}}, pmids
}

// TestManyArticles requests 200 articles from one process by 50 concurrent, overlapping calls, and the neighbours of 50 articles, at
// the pace that NCBI allows without a key. The same calls again need no request.
func TestManyArticles(t *testing.T) {
	expect.Slow(t)
	n, pmids := holding(t, 200)
	up := newRegistry(t, n)
	base := strings.TrimSuffix(up.url, "/api/v2") + "/entrez/eutils"
	p := launch(t, exec.Command(binary(t)), "BIOFACT_EUTILS_URL="+base, "BIOFACT_CACHE_DIR="+t.TempDir()).listen()
	details := func(level string) {
		var wait sync.WaitGroup
		for caller := range 50 {
			var mine []string // four of its own, and four that the next call also requests
			for i := range 8 {
				mine = append(mine, pmids[(4*caller+i)%len(pmids)])
			}
			wait.Go(func() {
				arguments := fmt.Sprintf(`{"pmids":["%s"],"detailLevel":%q}`, strings.Join(mine, `","`), level)
				envelope, _, err := p.call(question{"fetchArticleDetails", arguments})
				var answer entity.ArticleDetails
				expect.That(t, err == nil && json.Unmarshal([]byte(envelope), &answer) == nil && len(answer.NotFoundPMIDs) == 0 &&
					slices.Equal(answer.RequestedPMIDs, mine),
					"%s %v: %v %.300s", level, mine, err, envelope)
				for i, a := range answer.Articles {
					expect.That(t, a.PMID == mine[i] && a.Title == "Finding "+mine[i]+".",
						"article %d of %v is %s, %q", i, mine, a.PMID, a.Title)
				}
				expect.That(t, (level == "medline_text" || len(answer.Articles) == len(mine)) &&
					(level != "medline_text" || strings.Count(*answer.Content, "PMID- ") == len(mine)),
					"%s: %d articles of %d", level, len(answer.Articles), len(mine))
			})
		}
		wait.Wait()
	}
	similar := func() {
		var wait sync.WaitGroup
		for _, pmid := range pmids[:50] {
			wait.Go(func() {
				envelope, _, err := p.call(question{"getArticleRelationships", fmt.Sprintf(`{"sourcePmid":%q}`, pmid)})
				var answer entity.ArticleRelationships
				expect.That(t, err == nil && json.Unmarshal([]byte(envelope), &answer) == nil && len(answer.RelatedArticles) == 5,
					"%s: %v %.300s", pmid, err, envelope)
				for _, r := range answer.RelatedArticles {
					expect.That(t, r.PMID != pmid && r.PMID[:7] == pmid[:7] && r.Title == "Finding "+r.PMID+"." && r.Score != nil,
						"%s: %+v", pmid, r)
				}
			})
		}
		wait.Wait()
	}
	search := func() {
		envelope, _, err := p.call(question{"searchPubMedArticles", `{"queryTerm":"finding","fetchBriefSummaries":10}`})
		var answer entity.ArticleSearch
		expect.That(t, err == nil && json.Unmarshal([]byte(envelope), &answer) == nil && answer.TotalFound == 200 &&
			len(answer.PMIDs) == 20 && len(answer.BriefSummaries) == 10,
			"search: %v %.300s", err, envelope)
	}
	for _, level := range []string{"abstract_plus", "medline_text"} {
		start := time.Now()
		details(level)
		up.keepsPace(t, start, 400*time.Millisecond)
		requested := n.since()
		sizes := []int{}
		for _, ids := range requested["efetch"] {
			sizes = append(sizes, len(ids))
		}
		t.Logf("%s: 200 articles of 50 calls by %d requests, of %v articles", level, len(sizes), sizes)
		expect.That(t, len(sizes) != 0 && len(sizes) <= 3 && len(requested) == 1,
			"%s: %d requests for %d kinds, want at most 3", level, len(sizes), len(requested))
	}
	start := time.Now()
	similar()
	up.keepsPace(t, start, 400*time.Millisecond)
	requested := n.since()
	links, summaries := len(requested["elink"]), len(requested["esummary"])
	t.Logf("neighbours of 50 articles by %d requests for links and %d for titles", links, summaries)
	expect.That(t, links >= 5 && links <= 7 && summaries != 0 && summaries <= links+1,
		"%d requests for links and %d for titles, want some 6 and no more", links, summaries)
	search()
	requested = n.since()
	expect.That(t, len(requested["esearch"]) == 1 && len(requested["esummary"]) == 1 && len(requested) == 2,
		"a search with summaries asked %v", requested)
	for _, level := range []string{"abstract_plus", "abstract", "full_xml", "citation_data", "medline_text"} {
		if level != "full_xml" {
			details(level)
		}
	}
	similar()
	search()
	if requested := n.since(); len(requested) != 0 {
		t.Errorf("the same again asked %v", requested)
	}
	silent(t, p)
}
