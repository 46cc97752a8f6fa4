package genes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/genes"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// manyGenes is an NCBI with 1,500 genes that match MYG1: number 1480 in its order is the human gene, 1450 has the symbol as an alias, and
// every tenth is an ortholog with the symbol.
type manyGenes struct {
	down     bool
	gone     int // a gene that was removed; another one was added at the end
	requests []string
}

const allGenes = 1500

func (m *manyGenes) RoundTrip(req *http.Request) (*http.Response, error) {
	q := req.URL.Query()
	if req.Body != nil {
		_ = req.ParseForm()
		q = req.Form
	}
	utility := strings.TrimSuffix(req.URL.Path[strings.LastIndex(req.URL.Path, "/")+1:], ".fcgi")
	m.requests = append(m.requests, strings.TrimSpace(utility+" "+q.Get("term")))
	if m.down {
		return nil, errors.New("connection refused")
	}
	var answer any
	if utility == "esearch" {
		var ids []string
		for n := 1; n <= allGenes+min(1, m.gone); n++ {
			if n == m.gone {
				continue
			}
			named, human := n%10 == 0 || n == 1480 || n == 1450, n == 1480 || n == 1450
			if strings.HasPrefix(q.Get("term"), "MYG1[gene]") && !named || strings.HasSuffix(q.Get("term"), "txid9606[orgn]") && !human {
				continue
			}
			ids = append(ids, strconv.Itoa(n))
		}
		from, _ := strconv.Atoi(q.Get("retstart"))
		most, _ := strconv.Atoi(q.Get("retmax"))
		page := ids[min(from, len(ids)):min(from+most, len(ids))]
		answer = map[string]any{"esearchresult": map[string]any{"count": strconv.Itoa(len(ids)), "idlist": page}}
	} else {
		result := map[string]any{}
		ids := strings.Split(q.Get("id"), ",")
		for _, id := range ids {
			n, _ := strconv.Atoi(id)
			doc := map[string]any{"uid": id, "name": "OTHER" + id, "description": "example",
				"organism": map[string]any{"scientificname": "Mus musculus", "taxid": 10090}}
			if n%10 == 0 {
				doc["name"] = "Myg1"
			}
			if n == 1480 || n == 1450 {
				doc["organism"] = map[string]any{"scientificname": "Homo sapiens", "taxid": 9606}
			}
			if n == 1450 {
				doc["name"], doc["otheraliases"] = "OTHER", "C12orf10, MYG1"
			}
			result[id] = doc
		}
		result["uids"] = ids
		answer = map[string]any{"result": result}
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body)),
		Request: req,
	}, nil
}

func serviceOver(t *testing.T, m http.RoundTripper, entries *store.Store) *genes.Genes {
	t.Helper()
	return genes.New(sourcetest.Setup{
		EUtilsURL: "https://eutils.test", RecordAge: 24 * time.Hour, SearchAge: time.Hour, Store: entries,
		EUtils: upstream.NewClient(upstream.Options{
			Source: "NCBI", Base: m, Tries: 1, MaxBody: 1 << 20, Check: entrez.Check, Log: slog.New(slog.DiscardHandler),
		}),
	}.Sources(t), 400_000)
}

// TestGeneOnRequest: the sections generifs and drugs are read only on request, and a failure of openFDA is not an empty section.
func TestGeneOnRequest(t *testing.T) {
	t.Parallel()
	records, err := sandbox.New()
	expect.NoError(t, err)
	ask := func(s *genes.Genes, sections ...string) (gene entity.Gene, notices string) {
		answer, err := s.GetGene(t.Context(), tools.GetGeneArgs{EntrezID: "1956", Sections: sections})
		expect.NoError(t, err)
		expect.NoError(t, json.Unmarshal(answer.Encoded, &gene))
		return gene, strings.Join(answer.Notices, "\n")
	}
	s := genes.New(sourcetest.All(t, records), 400_000)
	gene, notices := ask(s)
	expect.That(t, gene.GeneRIFs == nil && gene.Drugs == nil && notices == "", "%+v, %s", gene, notices)
	gene, notices = ask(s, "summary")
	expect.That(t, gene.GeneRIFs == nil && !strings.Contains(notices, "generifs") && !strings.Contains(notices, "drugs"), "%+v, %s",
		gene, notices)
	gene, notices = ask(s, "generifs", "drugs")
	expect.That(t, len(gene.GeneRIFs) > 0 && len(gene.Drugs.Items) == 2 && gene.Drugs.Items[0].Text != "" &&
		strings.Contains(notices, "Sections left out: summary."), "%+v, %s", gene, notices)

	s = genes.New(sourcetest.All(t, roundTripper(func(req *http.Request) (*http.Response, error) {
		if strings.HasPrefix(req.URL.Path, "/drug/") {
			return nil, errors.New("connection refused")
		}
		return records.RoundTrip(req)
	})), 400_000)
	gene, notices = ask(s, "drugs", "summary")
	expect.That(t, gene.Drugs == nil && gene.Summary != "" && strings.Contains(notices, "nothing is known of drugs") &&
		!strings.Contains(notices, "are empty: drugs") && !strings.Contains(notices, "refused"), "%+v, %s", gene, notices)
	gene, notices = ask(s, "drugs")
	expect.That(t, gene.Symbol == "EGFR" && gene.Summary == "", "%+v, %s", gene, notices)
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// TestGenePages reads 1,500 genes page by page: each one comes once, genes with the symbol first, human genes before others, also by an
// alias, and scores decrease strictly.
func TestGenePages(t *testing.T) {
	m := &manyGenes{}
	entries := store.New(store.Options{Log: slog.New(slog.DiscardHandler), MaxBytes: 1 << 24})
	s := serviceOver(t, m, entries)
	args := tools.SearchGenesArgs{Query: []string{"MYG1"}, PageSize: 70}
	var ids []string
	last := 2.0
	for {
		answer, err := s.SearchGenes(t.Context(), args)
		expect.NoError(t, err)
		if total := answer.Value.Pagination.TotalCount; total == nil || *total != allGenes {
			t.Fatalf("total %v", total)
		}
		for _, c := range answer.Value.Items {
			ids = append(ids, strings.TrimPrefix(c.ID, "NCBIGene:"))
			expect.Must(t, c.Score < last && c.Score > 0 && c.Score <= 1, "%s has score %v after %v", c.ID, c.Score, last)
			last = c.Score
		}
		if len(ids) == 70 { // ids of the first page
			want := []string{"esearch (MYG1 OR MYG1[gene]) AND alive[prop]", "esearch MYG1[gene] AND alive[prop]",
				"esearch MYG1[gene] AND alive[prop] AND txid9606[orgn]", "esummary"}
			expect.Equal(t, "requests of the first page", want, m.requests)
		}
		if args.Cursor = answer.Value.Pagination.Cursor; args.Cursor == "" {
			break
		}
	}
	expect.Equal(t, "the first, of which 1450 has the symbol as an alias", []string{"1480", "1450", "10", "20"}, ids[:4])
	slices.Sort(ids)
	if n := len(slices.Compact(ids)); n != allGenes {
		t.Errorf("%d different genes", n)
	}
}

// TestGenePagesWhileGenesChange: a gene that is removed before any page, while another one is added, makes no other gene missing.
func TestGenePagesWhileGenesChange(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	for _, pause := range []int{1, 9, 10, 11} {
		m := &manyGenes{}
		s := serviceOver(t, m, nil)
		args := tools.SearchGenesArgs{Query: []string{"example words"}, PageSize: 100}
		shown, notices := map[string]int{}, ""
		for n := 1; n == 1 || args.Cursor != ""; n++ {
			answer, err := s.SearchGenes(t.Context(), args)
			expect.NoError(t, err)
			for _, c := range answer.Value.Items {
				shown[c.ID]++
			}
			notices += strings.Join(answer.Notices, " ")
			if args.Cursor = answer.Value.Pagination.Cursor; n == pause {
				m.gone = 5
			}
		}
		for n := 1; n <= allGenes+1; n++ {
			expect.That(t, n == m.gone || shown[fmt.Sprint("NCBIGene:", n)] == 1, "after page %d: gene %d is shown %d times", pause, n,
				shown[fmt.Sprint("NCBIGene:", n)])
		}
		expect.That(t, strings.Contains(notices, "changed since"), "after page %d: %s", pause, notices)
	}
}

// TestGeneAges: searches and records are cached for their time, and for longer while NCBI cannot be reached.
func TestGeneAges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &manyGenes{}
		s := serviceOver(t, m, store.New(store.Options{Log: slog.New(slog.DiscardHandler), MaxBytes: 1 << 24}))
		ask := func(wantRequests int, wantCache entity.CacheUse, wantNotices int) {
			t.Helper()
			before := len(m.requests)
			answer, err := s.SearchGenes(context.WithoutCancel(t.Context()),
				tools.SearchGenesArgs{Query: []string{"some words"}, PageSize: 10})
			expect.NoError(t, err)
			if got := len(m.requests) - before; got != wantRequests || answer.Provenance.Cache != wantCache ||
				len(answer.Notices) != wantNotices {
				t.Errorf("%d requests, cache %s, notices %q; want %d, %s, %d", got, answer.Provenance.Cache, answer.Notices, wantRequests,
					wantCache, wantNotices)
			}
		}
		ask(2, entity.CacheMiss, 0)
		ask(0, entity.CacheHit, 0)
		time.Sleep(61 * time.Minute)
		ask(1, entity.CacheMiss, 0) // the search anew, not the summaries
		time.Sleep(24 * time.Hour)
		ask(2, entity.CacheMiss, 0)
		time.Sleep(25 * time.Hour)
		m.down = true
		ask(2, entity.CacheStale, 1)
	})
}

// TestGeneFaults: if NCBI fails, no call gets an empty answer or half a record, and the failure leaves no cache entry.
func TestGeneFaults(t *testing.T) {
	t.Parallel()
	for _, fault := range slices.Concat(sandbox.AllFaults(), sandbox.EutilsFaults()) {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			embedded, err := sourcetest.Embedded()
			expect.NoError(t, err)
			var well atomic.Bool
			faulty := &sandbox.Faults{Next: embedded, Plan: func(int, *http.Request) sandbox.Fault {
				if well.Load() {
					return sandbox.NoFault
				}
				return fault
			}}
			s := serviceOver(t, faulty, store.New(store.Options{Log: slog.New(slog.DiscardHandler), MaxBytes: 1 << 24}))
			calls := map[string]func(ctx context.Context) (any, error){
				"search_genes": func(ctx context.Context) (any, error) {
					return s.SearchGenes(ctx, tools.SearchGenesArgs{Query: []string{"BRCA1"}, PageSize: 5})
				},
				"get_gene": func(ctx context.Context) (any, error) { return s.GetGene(ctx, tools.GetGeneArgs{EntrezID: "7157"}) },
				"get_pubmed_links": func(ctx context.Context) (any, error) {
					return s.GetPubMedLinks(ctx, tools.GetPubMedLinksArgs{EntrezID: "672", Limit: 5})
				},
				"search_genes of a list": func(ctx context.Context) (any, error) {
					return s.SearchGenes(ctx, tools.SearchGenesArgs{Query: []string{"BRCA1", "HGNC:11998"}, PageSize: 5})
				},
				"search_genes of an article": func(ctx context.Context) (any, error) {
					return s.SearchGenes(ctx, tools.SearchGenesArgs{Pmid: "25842826", PageSize: 5})
				},
				"get_gene_variants": func(ctx context.Context) (any, error) {
					return s.GetGeneVariants(ctx, tools.GetGeneVariantsArgs{EntrezID: "7157", PageSize: 5})
				},
			}
			for name, call := range calls {
				ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond) // ends stalled responses
				answer, err := call(ctx)
				cancel()
				if err == nil {
					t.Errorf("%s answered %.300v", name, answer)
				} else if code := entity.AsError(err).Code; code != entity.UpstreamError && code != entity.RateLimited {
					t.Errorf("%s: %v", name, err)
				}
			}
			well.Store(true)
			for name, call := range calls {
				if _, err := call(t.Context()); err != nil {
					t.Errorf("%s after the fault: %v", name, err)
				}
			}
		})
	}
}

// TestGeneSummaryIncomplete: a gene without the required fields in its summary is left out with a notice. The search and the gene's links
// still work.
func TestGeneSummaryIncomplete(t *testing.T) {
	t.Parallel()
	s := serviceOver(t, sourcetest.Bodies(map[string]string{
		"esearch": `{"esearchresult":{"count":"2","idlist":["1","2"]}}`,
		"esummary": `{"result":{"uids":["1","2"],"1":{"uid":"1","name":"A1BG","description":"example","organism":{"scientificname":"Homo sapiens","taxid":9606}},
			"2":{"uid":"2","name":"LOC2"}}}`,
		"elink": `{"linksets":[{"dbfrom":"gene","ids":["2"]}]}`,
	}), nil)
	for _, query := range []string{"example words", "NCBIGene:1, NCBIGene:2, NCBIGene:1"} {
		answer, err := s.SearchGenes(t.Context(), tools.SearchGenesArgs{Query: []string{query}, PageSize: 10})
		expect.Must(t, err == nil, "%s: %v", query, err)
		expect.That(t, len(answer.Value.Items) == 1 && answer.Value.Items[0].ID == "NCBIGene:1" &&
			strings.Contains(strings.Join(answer.Notices, " "), "incomplete"),
			"%s: %+v, notices %q", query, answer.Value.Items, answer.Notices)
	}
	if links, err := s.GetPubMedLinks(t.Context(), tools.GetPubMedLinksArgs{EntrezID: "2", Limit: 5}); err != nil ||
		len(links.Value.Items) != 0 {
		t.Errorf("the links of a gene of which little is known: %+v, %v", links.Value, err)
	}
	_, err := s.SearchGenes(t.Context(), tools.SearchGenesArgs{Query: []string{"NCBIGene:1"}, PageSize: 10, Cursor: "nonsense"})
	expect.That(t, err != nil && entity.AsError(err).Code == entity.InvalidInput, "a cursor with ids: %v", err)
}

// TestGeneWordKnown: a notice does not say that a word was left out if the word finds genes, even if no gene has that name.
func TestGeneWordKnown(t *testing.T) {
	t.Parallel()
	const summary = `{"result":{"uids":["3064"],"3064":{"uid":"3064","name":"HTT","description":"huntingtin","organism":{"scientificname":"Homo sapiens","taxid":9606}}}}`
	const unknown = `"errorlist":{"phrasesnotfound":["huntingtin[gene]"%s],"fieldsnotfound":[]}`
	for _, tt := range []struct {
		query, search string
		notice        string
	}{
		{"huntingtin", `{"esearchresult":{"count":"1","idlist":["3064"],` + fmt.Sprintf(unknown, "") + `}}`, ""},
		{"huntingtin", `{"esearchresult":{"count":"0","idlist":[],` + fmt.Sprintf(unknown, `,"huntingtin"`) + `}}`,
			"NCBI finds nothing for: huntingtin."},
		{"huntingtin[gene] OR HTT", `{"esearchresult":{"count":"1","idlist":["3064"],` + fmt.Sprintf(unknown, "") + `}}`,
			"NCBI does not know and left out: huntingtin."},
	} {
		s := serviceOver(t, sourcetest.Bodies(map[string]string{"esearch": tt.search, "esummary": summary}), nil)
		answer, err := s.SearchGenes(t.Context(), tools.SearchGenesArgs{Query: []string{tt.query}, PageSize: 10})
		expect.Must(t, err == nil, "%s: %v", tt.query, err)
		expect.That(t, strings.Join(answer.Notices, " ") == tt.notice || tt.notice != "" && slices.Contains(answer.Notices, tt.notice),
			"%s: notices %q", tt.query, answer.Notices)
	}
}

// TestGeneBudget: an answer stays within its size and says which parts were cut. The next page continues after the last row.
func TestGeneBudget(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	const budget = 10_000
	pmids, transcripts := []string{}, ""
	for n := range 1500 {
		pmids = append(pmids, fmt.Sprintf("%q", strconv.Itoa(20_000_000+n)))
		transcripts += fmt.Sprintf("<Gene-commentary><Gene-commentary_type "+
			"value=\"mRNA\">3</Gene-commentary_type><Gene-commentary_accession>NM_%09d</Gene-commentary_accession></Gene-commentary>", n)
	}
	up := sourcetest.Bodies(map[string]string{
		"elink": `{"linksets":[{"dbfrom":"gene","ids":["7157"],"linksetdbs":[{"linkname":"gene_pubmed","links":[` +
			strings.Join(pmids, ",") + `]}]}]}`,
		"efetch": `<Entrezgene-Set><Entrezgene><Entrezgene_track-info><Gene-track><Gene-track_geneid>7157</Gene-track_geneid></Gene-track></Entrezgene_track-info>
			<Entrezgene_source><BioSource><BioSource_org><Org-ref><Org-ref_taxname>Homo sapiens</Org-ref_taxname></Org-ref></BioSource_org></BioSource></Entrezgene_source>
			<Entrezgene_gene><Gene-ref><Gene-ref_locus>TP53</Gene-ref_locus></Gene-ref></Entrezgene_gene>
			<Entrezgene_comments><Gene-commentary><Gene-commentary_heading>NCBI Reference Sequences (RefSeq)</Gene-commentary_heading><Gene-commentary_products>` +
			transcripts + `</Gene-commentary_products></Gene-commentary></Entrezgene_comments></Entrezgene></Entrezgene-Set>`,
	})
	s := genes.New(sourcetest.Setup{
		EUtilsURL: "https://eutils.test",
		EUtils: upstream.NewClient(upstream.Options{Source: "NCBI", Base: up, Tries: 1, MaxBody: 1 << 20, Check: entrez.Check,
			Log: slog.New(slog.DiscardHandler)}),
	}.Sources(t), budget)
	gene, err := s.GetGene(t.Context(), tools.GetGeneArgs{EntrezID: "7157"})
	if err != nil || entity.Size(gene) > budget || !strings.Contains(strings.Join(gene.Notices, " "), "refseq") ||
		!strings.Contains(string(gene.Encoded), "NM_000000000") {
		t.Errorf("the gene has %d bytes, notices %q, %v", entity.Size(gene), gene.Notices, err)
	}
	var got []string
	args := tools.GetPubMedLinksArgs{EntrezID: "7157", Limit: 1000}
	for {
		answer, err := s.GetPubMedLinks(t.Context(), args)
		expect.NoError(t, err)
		if size := entity.Size(answer); size > budget {
			t.Fatalf("a page has %d bytes", size)
		}
		for _, link := range answer.Value.Items {
			got = append(got, link.PMID)
		}
		if args.Cursor = answer.Value.Pagination.Cursor; args.Cursor == "" {
			break
		}
	}
	expect.That(t, len(got) == len(pmids) && slices.IsSortedFunc(got, func(a, b string) int { return strings.Compare(b, a) }),
		"%d links on all pages, want %d, falling", len(got), len(pmids))
}

// TestNamesOfGenes: a list is one search. A name that is of several genes gets all of them, and a date of a spreadsheet the symbols that it
// may have been, both from NCBI's own names.
func TestNamesOfGenes(t *testing.T) {
	t.Parallel()
	gene := func(id, symbol, name string) string {
		return fmt.Sprintf(`%q:{"uid":%[1]q,"name":%[2]q,"description":%[3]q,"organism":{"scientificname":"Homo sapiens","taxid":9606}}`, id,
			symbol, name)
	}
	documents := strings.Join([]string{gene("7157", "TP53", "tumor protein p53"), gene("915", "CD3D", "CD3 delta subunit of T-cell receptor complex"),
		gene("916", "CD3E", "CD3 epsilon subunit of T-cell receptor complex"), gene("917", "CD3G", "CD3 gamma subunit of T-cell receptor complex"),
		gene("919", "CD247", "CD247 molecule")}, ",")
	var terms []string
	s := serviceOver(t, roundTripper(func(req *http.Request) (*http.Response, error) {
		body, ids := `{"result":{"uids":["7157","915","916","917","919"],`+documents+`}}`, `"7157"`
		if term := req.URL.Query().Get("term"); term != "" {
			if terms = append(terms, term); strings.Contains(term, "[gfn]") {
				ids = `"915","916","917","919"`
			}
			body = fmt.Sprintf(`{"esearchresult":{"count":"4","idlist":[%s]}}`, ids)
		}
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
			Body: io.NopCloser(strings.NewReader(body)), Request: req}, nil
	}), nil)
	search := func(query ...string) (symbols, notices string) {
		terms = nil
		answer, err := s.SearchGenes(t.Context(), tools.SearchGenesArgs{Query: query, PageSize: 10})
		expect.NoError(t, err)
		for _, c := range answer.Value.Items {
			symbols += c.Matched + " " + c.Symbol + ";"
		}
		return symbols, strings.Join(answer.Notices, " ")
	}
	symbols, notices := search("CD3", "TP53")
	expect.Is(t, symbols, "CD3 CD3D;CD3 CD3E;CD3 CD3G;TP53 TP53;", "genes of the names")
	expect.That(t, strings.Contains(notices, "CD3 is of CD3D (NCBIGene:915), CD3E"), "%s", notices)
	expect.Is(t, terms[1], "(CD3[gfn]) AND alive[prop] AND txid9606[orgn]", "the second search")
	symbols, notices = search("2-Sep", "TP53")
	expect.Is(t, symbols, "TP53 TP53;", "genes of the names")
	expect.That(t, len(terms) == 1 && strings.Contains(notices,
		`2-Sep: a spreadsheet's date? For the symbols that it may have been call search_genes with {"query":["SEPT2","SEP2"]}.`), "%q %s", terms,
		notices)
	terms = nil
	_, err := s.SearchGenes(t.Context(), tools.SearchGenesArgs{Query: []string{"w"}, Organism: "fruit fly", PageSize: 10})
	expect.That(t, err == nil && terms[0] == "(w OR w[gene]) AND alive[prop] AND txid7227[orgn]", "%q %v", terms, err)
	_, notices = search("4-Oct")
	expect.That(t, strings.Contains(notices, `call search_genes with {"query":["OCT4"]}`), "%s", notices)
}
