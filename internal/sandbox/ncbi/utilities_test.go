package ncbi

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/reply"
	"github.com/biofact-mcp/biofact/internal/sandbox/pmc"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// openPath returns the utilities for the records at a path.
func openPath(ctx context.Context, path string) (*Utilities, error) {
	f, err := records.Open(ctx, path, records.DefaultLimits)
	if err != nil {
		return nil, err
	}
	u := New(ctx, f, pmc.Embedded)
	_, err = u.Count()
	return u, err
}

var openEmbedded = sync.OnceValues(func() (*Utilities, error) { return openPath(context.Background(), "../data/ncbi") })

// embedded returns the sandbox of the embedded data set.
func embedded(t testing.TB) *Utilities {
	t.Helper()
	s, err := openEmbedded()
	expect.NoError(t, err)
	return s
}

func put(t testing.TB, path, text string) {
	t.Helper()
	expect.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

// utility sends a request and returns the response. The query is unescaped: it may contain spaces, quotes and brackets.
func utility(t testing.TB, s *Utilities, query string) (*http.Response, string) {
	t.Helper()
	name, rest, _ := strings.Cut(query, "?")
	var pairs []string
	for _, pair := range strings.Split(rest, "&") {
		key, value, _ := strings.Cut(pair, "=")
		pairs = append(pairs, key+"="+url.QueryEscape(value))
	}
	return exchanged(t, s, http.MethodGet, "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/"+name+".fcgi?"+strings.Join(pairs, "&"), nil)
}

func exchanged(t testing.TB, u *Utilities, method, address string, form url.Values) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
	expect.NoError(t, err)
	resp, err := reply.Func(u.Answer).RoundTrip(req)
	expect.Must(t, err == nil, "%s: %v", address, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	expect.Must(t, err == nil, "%s: %v", address, err)
	return resp, string(body)
}

// TestUtilityErrors: the errors are literally those of NCBI.
func TestUtilityErrors(t *testing.T) {
	t.Parallel()
	header := func(utility string) string { return `{"header":{"type":"` + utility + `","version":"0.3"},` }
	const prolog = `<?xml version="1.0" encoding="UTF-8" ?>` + "\n"
	for _, tt := range []struct {
		query  string
		status int
		body   string
	}{
		{"esearch?db=nothing&term=x&retmode=json", 200, header("esearch") +
			`"esearchresult":{"ERROR":"Invalid db name specified: nothing"}}`},
		{"esearch?db=gene&term=&retmode=json", 200, header("esearch") +
			`"esearchresult":{"ERROR":"Empty term and query_key - nothing todo"}}`},
		{"esearch?db=gene&retmode=json", 200, header("esearch") + `"esearchresult":{"ERROR":"Empty term and query_key - nothing todo"}}`},
		{"esummary?db=gene&retmode=json&query_key=1&WebEnv=MCID_0", 200, header("esummary") + `"error":"Unable to obtain query #1"}`},
		{"esearch?db=pubmed&retmode=json&term=x&mindate=2005", 400, "the sandbox does not serve the parameter `mindate` of esearch"},
		{"efetch?db=gene&retmode=xml&query_key=1&WebEnv=MCID_0", 400, "the sandbox does not serve the parameter `query_key` of efetch"},
		{"esearch?db=gene&retmode=json&term=((", 200, header("esearch") +
			"\"esearchresult\":{\"ERROR\":\"Search Backend failed: Exception:\n'Syntax error in query (( at " +
			"http://searchbackend.internal.invalid:4445/search'\"}}"},
		{"esummary?db=gene&id=abc&retmode=json", 200, header("esummary") +
			`"error":"Invalid uid abc at position= 0","result":{"uids":[]}}`},
		{"esummary?db=gene&id=999999999&retmode=json", 200, header("esummary") +
			`"result":{"uids":["999999999"],"999999999":{"uid":"999999999","error":"cannot get document summary"}}}`},
		{"esummary?db=gene&id=" + strings.Repeat("672,", 501) + "&retmode=json", 200, header("esummary") +
			`"error":"Too many UIDs in request. Maximum number of UIDs is 500 for JSON format output."}`},
		{"esummary?db=gene&retmode=json", 200, header("esummary") + `"error":"Neither query_key nor id specified"}`},
		{"esummary?db=gene&id=&retmode=json", 200, header("esummary") + `"error":"Empty id list - nothing todo"}`},
		{"esummary?db=nothing&id=1&retmode=json", 200, header("esummary") + `"error":"Invalid db name specified: nothing"}`},
		{"efetch?db=gene&id=0&retmode=xml",
			400, prolog + "<eFetchResult><ERROR>ID list is empty! Possibly it has no correct IDs.</ERROR></eFetchResult>\n"},
		{"efetch?db=gene&retmode=xml",
			400, prolog + "<eFetchResult><ERROR>ID list is empty! Possibly it has no correct IDs.</ERROR></eFetchResult>\n"},
		{"efetch?db=gene&id=0&retmode=text", 400, "ID+list+is+empty!+Possibly+it+has+no+correct+IDs."},
		{"efetch?db=gene&id=672&retmode=json", 400, "the sandbox does not serve retmode `json`, rettype `` of efetch"},
		{"einfo?retmode=xml", 400, "the sandbox does not serve a retmode of einfo other than `json`"},
		{"elink?dbfrom=gene&db=pubmed&id=672,673&linkname=gene_pubmed&retmode=json", 400,
			"the sandbox does not serve several ids in one parameter of elink"},
		{"elink?dbfrom=gene&db=pubmed&id=672&retmode=json", 400, "the sandbox does not serve linkname `` of elink"},
		{"elink?dbfrom=gene&db=pubmed&id=672&linkname=gene_pubmed&cmd=acheck&retmode=json", 400,
			"the sandbox does not serve cmd `acheck` of elink"},
		{"elink?dbfrom=gene&db=pubmed&id=7124&linkname=gene_pubmed&retmode=json", 200, header("elink") +
			`"linksets":[{"dbfrom":"gene","ids":["7124"]}]}`},
		{"elink?dbfrom=gene&db=pubmed&id=999999999&linkname=gene_pubmed&retmode=json", 200, header("elink") +
			`"linksets":[{"dbfrom":"gene","ids":["999999999"]}]}`},
		{"elink?dbfrom=gene&db=nothing&id=672&retmode=json", 200, header("elink") +
			`"linksets":[],"ERROR":"Invalid db name specified: nothing"}`},
		{"einfo?db=nothing&retmode=json", 200, header("einfo") + `"einforesult":{"ERROR":"Invalid db name specified: nothing"}}`},
		{"einfo?retmode=json", 200, header("einfo") + `"einforesult":{"dblist":["clinvar","gene","mesh","pmc","pubmed"]}}`},
		{"esearch?db=gene&term=x&retmode=json&api_key=", 400,
			`{"error":"API key invalid","api-key":"","type":"invalid","status":"unknown"}`},
		{"efetch?db=gene&id=672&retmode=xml&api_key=invalid", 400,
			`{"error":"API key invalid","api-key":"invalid","type":"invalid","status":"unknown"}`},
	} {
		resp, body := utility(t, embedded(t), tt.query)
		expect.That(t, resp.StatusCode == tt.status && body == tt.body,
			"%.80s:\n%d %s\nwant\n%d %s", tt.query, resp.StatusCode, body, tt.status, tt.body)
		media := "application/json; charset=UTF-8"
		if !strings.HasPrefix(body, "{") {
			media = "text/"
		}
		if got := resp.Header.Get("Content-Type"); !strings.HasPrefix(got, media) {
			t.Errorf("%.80s: Content-Type %s", tt.query, got)
		}
	}
}

// TestUtilityRequests: any base path, GET or POST, parameters in the URL or the form, and the headers and limits of NCBI's gateway.
func TestUtilityRequests(t *testing.T) {
	t.Parallel()
	s := embedded(t)
	form := url.Values{"db": {"gene"}, "term": {"672[uid]"}, "retmode": {"json"}, "what": {"ever"}}
	want := `{"header":{"type":"esearch","version":"0.3"},"esearchresult":{"count":"1","retmax":"1","retstart":"0","idlist":["672"],"querytranslation":"672[uid]"}}`
	for _, tt := range []struct {
		method, address string
		form            url.Values
		status          int
	}{
		{"GET", "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esearch.fcgi?" + form.Encode(), nil, 200},
		{"GET", "http://localhost:1/proxy/esearch.fcgi?" + form.Encode(), nil, 200},
		{"POST", "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esearch.fcgi", form, 200},
		{"POST", "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esearch.fcgi?retmode=json&db=gene", url.Values{"term": {"672[uid]"}}, 200},
		{"PUT", "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esearch.fcgi?" + form.Encode(), nil, 405},
		{"GET", "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esearch.fcgi?term=" + strings.Repeat("1234567,", 2048), nil, 414},
		{"GET", "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/other.fcgi", nil, 404},
	} {
		resp, body := exchanged(t, s, tt.method, tt.address, tt.form)
		expect.That(t, resp.StatusCode == tt.status && (tt.status != 200 || body == want),
			"%s %.80s: %d %.200s", tt.method, tt.address, resp.StatusCode, body)
	}
}

// esearched has the fields of ESearch that tests read.
type esearched struct {
	Count            string   `json:"count"`
	RetMax           string   `json:"retmax"`
	RetStart         string   `json:"retstart"`
	QueryKey         string   `json:"querykey"`
	WebEnv           string   `json:"webenv"`
	IDs              []string `json:"idlist"`
	QueryTranslation string   `json:"querytranslation"`
	Errors           struct {
		Phrases []string `json:"phrasesnotfound"`
		Fields  []string `json:"fieldsnotfound"`
	} `json:"errorlist"`
	Warnings struct {
		Messages []string `json:"outputmessages"`
		Ignored  []string `json:"phrasesignored"`
		Quoted   []string `json:"quotedphrasesnotfound"`
	} `json:"warninglist"`
}

func esearch(t testing.TB, s *Utilities, parameters string) esearched {
	t.Helper()
	return esearchIn(t, s, "gene", parameters)
}

func esearchIn(t testing.TB, s *Utilities, db, parameters string) esearched {
	t.Helper()
	_, body := utility(t, s, "esearch?db="+db+"&retmode=json&"+parameters)
	var out struct {
		Result esearched `json:"esearchresult"`
	}
	if err := json.Unmarshal([]byte(body), &out); err != nil || out.Result.Count == "" {
		t.Fatalf("%s: %v in %s", parameters, err, body)
	}
	return out.Result
}

func TestTerms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ term, ids, translated string }{
		{"BRCA1[sym] AND human[orgn] AND alive[prop]", "672", `BRCA1[sym] AND "Homo sapiens"[Organism] AND alive[prop]`},
		{"brca1[Gene Name] AND txid9606[orgn]", "672", `brca1[Gene Name] AND "Homo sapiens"[Organism]`},
		{`PARK2[gene]`, "5071", ""},
		{`PARK2[sym]`, "", ""},
		{`"Mus musculus"[Organism] AND apoe[sym]`, "11816", ""},
		{`mouse[orgn] AND apoe[sym]`, "11816", `"Mus musculus"[Organism] AND apoe[sym]`},
		{`"Mus musculus"[porgn:__txid10090] AND apoe[sym]`, "11816", ""},
		{"lacZ AND txid562[orgn]", "945006", ""},
		{"lacZ AND txid562[porgn]", "", ""},
		{"HGNC:11998", "7157", "HGNC:11998[All Fields]"},
		{"ENSG00000141510", "7157", ""},
		{"191170", "7157", ""},
		{"P04637", "7157", ""},
		{"NM_000546[accn]", "7157", ""},
		{"191170[mim] OR 672[uid]", "672 7157", ""},
		{"30516102[pmid]", "2064", ""},
		{`"hepatocyte growth factor"[Gene Full Name]`, "3082", ""},
		{`hepatocyte growth[gfn]`, "3082", ""},
		{`growth hepatocyte[gfn]`, "", ""},
		{`growth hepatocyte factor`, "3082", "(growth[All Fields] AND hepatocyte[All Fields] AND factor[All Fields])"},
		{"BRC*[sym] AND human[orgn] AND alive[prop]", "672 675", ""},
		{"genetype ncrna[prop]", "7503 406991", ""},
		{"Y[chr]", "3581", ""},
		{"7668402:7687550[cpos] AND 17[chr]", "7157", ""},
		{"7668300:7668401[cpos] AND 17[chr]", "", ""},
		{"7687490:7687490[cpos] AND 17[chr]", "7157", ""},
		{"HGF[sym] OR IL6[sym] NOT HGF[sym]", "3569", ""}, // left to right
		{"IL6[sym] OR HGF[sym] AND HGF[sym]", "3082", ""}, // no precedence
		{"IL6[sym] OR (HGF[sym] AND HGF[sym])", "3082 3569", "IL6[sym] OR (HGF[sym] AND HGF[sym])"},
		{"p53[sym]", "42722 2768677", ""},
		{"p53[sym] AND alive[prop]", "2768677", ""},
		{"brca2 human", "675", `(brca2[All Fields] AND ("Homo sapiens"[Organism] OR human[All Fields]))`},
		{"beta-globin", "3043", ""},
		{"globin", "3043", ""},
		{"MT-ND1", "4535", ""},
		{"lacZ OR hepatocyte growth", "3082 945006", "lacZ[All Fields] OR (hepatocyte[All Fields] AND growth[All Fields])"},
		{"xyzzy OR lacZ[sym]", "945006", ""},
	} {
		got := esearch(t, embedded(t), "term="+tt.term)
		if ids := strings.Join(got.IDs, " "); ids != tt.ids || tt.translated != "" && got.QueryTranslation != tt.translated {
			t.Errorf("%s: %s, %s; want %s, %s", tt.term, ids, got.QueryTranslation, tt.ids, tt.translated)
		}
		expect.That(t, got.Count == strconv.Itoa(len(got.IDs)) && got.RetMax == got.Count && got.RetStart == "0",
			"%s: count %s, retmax %s of %d ids", tt.term, got.Count, got.RetMax, len(got.IDs))
	}
}

func TestTermsThatFindNothing(t *testing.T) {
	t.Parallel()
	got := esearch(t, embedded(t), "term=TP53[sym] AND klingon[orgn]")
	expect.That(t, got.Count == "0" && cmp.Equal(got.Errors.Phrases, []string{"klingon[orgn]"}) &&
		cmp.Equal(got.Warnings.Messages, []string{"No items found."}) && got.IDs != nil,
		"unknown organism: %+v", got)
	got = esearch(t, embedded(t), "term=lacZ[sym] OR xyzzy")
	expect.That(t, got.Count == "1" && cmp.Equal(got.Errors.Phrases, []string{"xyzzy"}) && got.Warnings.Messages == nil,
		"an error list is no failure: %+v", got)
	got = esearch(t, embedded(t), "term=lacZ[badfield]&retmax=1")
	expect.That(t, got.Count == esearch(t, embedded(t), "term=all[badfield]").Count && got.Count != "1" &&
		cmp.Equal(got.Errors.Fields, []string{"badfield"}),
		"an unknown field makes a search broad: %+v", got)
	got = esearch(t, embedded(t), "term=lacZ OR -- ?")
	expect.That(t, got.Count == "1" && cmp.Equal(got.Warnings.Ignored, []string{"--", "?"}), "no words: %+v", got)
	for _, term := range []string{"((", "(a", "a)", "AND", "a AND", "a OR OR b", `"a`, "a[sym", "[sym]", "a[]", "()",
		strings.Repeat("(", 500) + "a"} {
		if _, body := utility(t, embedded(t), "esearch?db=gene&retmode=json&term="+term); !strings.Contains(body,
			`"ERROR":"Search Backend failed: `) {
			t.Errorf("%.20s: %.300s", term, body)
		}
	}
}

// TestRelevance: hits are in NCBI's order, in which an exact symbol is not always first; pages have the same order.
func TestRelevance(t *testing.T) {
	t.Parallel()
	s := embedded(t)
	for term, want := range map[string]string{
		"HGF":                        "3569 3082",  // an alias of the better known gene
		"apoe":                       "11816 348",  // mouse before human
		"p53":                        "7157 22059", // no exact symbol
		"PTEN2":                      "11191",      //
		"APOE[gene] AND human[orgn]": "348",
	} {
		got := strings.Join(esearch(t, s, "sort=relevance&term="+term).IDs, " ")
		expect.That(t, strings.HasPrefix(got, want), "%s: %s, want %s", term, got, want)
	}
	full := esearch(t, s, "sort=relevance&term=alive[prop]&retmax=10000")
	var paged []string
	for start := 0; ; start += 7 {
		page := esearch(t, s, "sort=relevance&term=alive[prop]&retmax=7&retstart="+strconv.Itoa(start))
		if len(page.IDs) == 0 {
			break
		}
		paged = append(paged, page.IDs...)
	}
	if diff := cmp.Diff(full.IDs, paged); diff != "" {
		t.Error(diff)
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	s := embedded(t)
	first := esearch(t, s, "term=TP53[sym] AND human[orgn]&usehistory=y")
	expect.Must(t, first.QueryKey == "1" && strings.HasPrefix(first.WebEnv, "MCID_"), "%+v", first)
	if _, body := utility(t, s, "esummary?db=gene&retmode=json&WebEnv="+first.WebEnv+"&query_key=1"); !strings.Contains(body,
		`"uids":["7157"]`) {
		t.Errorf("summary: %.200s", body)
	}
	if _, body := utility(t, s, "esummary?db=gene&retmode=json&query_key=3&WebEnv="+first.WebEnv); !strings.Contains(body,
		`"error":"Unable to obtain query #3"`) {
		t.Error(body)
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	u := embedded(t)
	for parameters, want := range map[string]string{
		"id=673&id=7124&cmd=neighbor&linkname=gene_pubmed": `[{"dbfrom":"gene","ids":["673"],"linksetdbs":[{"dbto":"pubmed","linkname":"gene_pubmed","links":["12068308"]}]},{"dbfrom":"gene","ids":["7124"]}]`,
		"id=3845&linkname=gene_pubmed_rif":                 `[{"dbfrom":"gene","ids":["3845"],"linksetdbs":[{"dbto":"pubmed","linkname":"gene_pubmed_rif","links":["24256730"]}]}]`,
	} {
		_, body := utility(t, u, "elink?dbfrom=gene&db=pubmed&retmode=json&"+parameters)
		expect.Is(t, body, `{"header":{"type":"elink","version":"0.3"},"linksets":`+want+"}", "%s", parameters)
	}
	_, body := utility(t, u, "elink?dbfrom=gene&db=pubmed&retmode=json&id=7157&linkname=gene_pubmed")
	expect.That(t, strings.Count(body, `","`) >= 2000, "few links of TP53: %.200s", body)
}

func TestInfo(t *testing.T) {
	t.Parallel()
	_, body := utility(t, embedded(t), "einfo?db=gene&retmode=json")
	var out struct {
		Result struct {
			Info []struct {
				Name   string           `json:"dbname"`
				Count  string           `json:"count"`
				Fields []map[string]any `json:"fieldlist"`
				Links  []map[string]any `json:"linklist"`
			} `json:"dbinfo"`
		} `json:"einforesult"`
	}
	if err := json.Unmarshal([]byte(body), &out); err != nil || len(out.Result.Info) != 1 {
		t.Fatal(err, body)
	}
	if info := out.Result.Info[0]; info.Name != "gene" || info.Count == "0" || len(info.Fields) < 10 || len(info.Links) != 2 {
		t.Errorf("%+v", info)
	}
}

// TestSpell: words that are in no record are corrected to those that are.
func TestSpell(t *testing.T) {
	t.Parallel()
	for term, want := range map[string]string{"asthmaa": "asthma", "asthma": "", "asthmaa OR Remdesivr": "asthma or remdesivir",
		"qwxzvkjq": "", "covid19x": ""} {
		_, body := utility(t, embedded(t), "espell?db=pubmed&term="+term)
		expect.That(t, strings.Contains(body, "<CorrectedQuery>"+want+"</CorrectedQuery>"), "%s: %s", term, body)
	}
}
