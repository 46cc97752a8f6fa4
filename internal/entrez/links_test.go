package entrez_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func realAnswer(t testing.TB, path string) []byte {
	t.Helper()
	return expect.Read(t, expect.Corpus(t, path, "the sandbox embeds records and writes such answers itself"))
}

func TestReadSummaries(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body string
		docs       map[string]json.RawMessage
		missing    []string
		want       string
	}{
		{"some", `{"result":{"uids":["2",1,"3","2","3"],"1":{"uid":"1","error":""},"2":{"uid":"2"},"3":{"uid":"3","error":"cannot get document summary"},"4":{"uid":"4"}}}`,
			map[string]json.RawMessage{"2": []byte(`{"uid":"2"}`), "1": []byte(`{"uid":"1","error":""}`)}, []string{"3"}, answer},
		{"none", `{"result":{"uids":[]}}`, map[string]json.RawMessage{}, nil, answer},
		{"refused", `{"error":"Invalid uid abc at position= 0","result":{"uids":[]}}`, nil, nil, refused},
		{"too many", `{"header":{},"error":"Too many UIDs in request. Maximum number of UIDs is 500 for JSON format output."}`, nil, nil,
			refused},
		{"fails", `{"esummaryresult":["Invalid db name specified: gene"]}`, nil, nil, transient},
		{"without uids", `{"result":{}}`, nil, nil, transient},
		{"without a result", `{"header":{}}`, nil, nil, transient},
		{"an invalid result", `{"result":[]}`, nil, nil, transient},
		{"one without a document", `{"result":{"uids":["1","2"],"2":{}}}`, map[string]json.RawMessage{"2": []byte(`{}`)}, nil, answer},
		{"an invalid document", `{"result":{"uids":["1"],"1":null}}`, map[string]json.RawMessage{}, nil, answer},
		{"cut", `{"result":{"uids":["1"],"1":{}}`, nil, nil, transient},
		{"rate", `{"error":"API rate limit exceeded","api-key":"SECRET"}`, nil, nil, limited},
	} {
		docs, missing, err := entrez.ReadSummaries([]byte(tt.body))
		if got := kind(t, err); got != tt.want {
			t.Errorf("%s: %s: %v", tt.name, got, err)
		}
		expect.Is(t, cmp.Diff(tt.docs, docs)+cmp.Diff(tt.missing, missing), "", "%s", tt.name)
	}
}

func TestReadGeneSummary(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, doc string
		want      *entrez.GeneSummary
	}{
		{"live", `{"uid":"7157","name":"TP53","description":"tumor protein p53","status":"","currentid":"","mim":["191170"],"otheraliases":"BCC7, LFS1","otherdesignations":"a|b","geneweight":846405,"organism":{"scientificname":"Homo sapiens","commonname":"human","taxid":9606},"genomicinfo":[]}`,
			&entrez.GeneSummary{UID: "7157", Name: "TP53", Description: "tumor protein p53", MIM: []string{"191170"},
				Aliases: []string{"BCC7", "LFS1"}, Organism: "Homo sapiens", TaxID: 9606}},
		{"live, in numbers", `{"uid":7157,"status":0,"currentid":0,"mim":[191170,""],"geneweight":"1"}`,
			&entrez.GeneSummary{UID: "7157", MIM: []string{"191170"}}},
		{"replaced", `{"uid":"1","status":"1","currentid":2}`, &entrez.GeneSummary{UID: "1", Status: 1, CurrentID: "2"}},
		{"discontinued", `{"uid":"1","status":2,"currentid":"0","mim":""}`, &entrez.GeneSummary{UID: "1", Status: 2}},
		{"former days", `{"uid":"1","orgname":"Mus musculus","taxid":"10090","mim":null,"summary":null}`,
			&entrez.GeneSummary{UID: "1", Organism: "Mus musculus", TaxID: 10090}},
		{"no object", `[]`, nil},
		{"no text", `{"name":{}}`, nil},
	} {
		got, err := entrez.ReadGeneSummary(json.RawMessage(tt.doc))
		if diff := cmp.Diff(tt.want, got); diff != "" || (err == nil) != (tt.want != nil) {
			t.Errorf("%s: %v\n%s", tt.name, err, diff)
		}
		if got != nil && got.Live() != (got.Status == 0) {
			t.Errorf("%s: live %v", tt.name, got.Live())
		}
	}
}

func TestReadGeneSummaryCorpus(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]entrez.GeneSummary{
		"esummary_gene_7157_TP53.TRIMMED.json": {UID: "7157", Name: "TP53", NomenclatureName: "tumor protein p53", Organism: "Homo sapiens",
			TaxID: 9606},
		"esummary_gene_7171_TPM4.json": {UID: "7171", Name: "TPM4", NomenclatureName: "tropomyosin 4", Organism: "Homo sapiens",
			TaxID: 9606},
		"esummary.gene.json": {UID: "21803", Name: "Tgfb1", NomenclatureName: "transforming growth factor, beta 1",
			Organism: "Mus musculus", TaxID: 10090},
	} {
		docs, missing, err := entrez.ReadSummaries(realAnswer(t, "gene/"+file))
		expect.Must(t, err == nil && len(docs) == 1 && len(missing) == 0, "%s: %d documents: %v", file, len(docs), err)
		got, err := entrez.ReadGeneSummary(docs[want.UID])
		expect.NoError(t, err)
		part := entrez.GeneSummary{UID: got.UID, Name: got.Name, NomenclatureName: got.NomenclatureName, Organism: got.Organism,
			TaxID: got.TaxID}
		if diff := cmp.Diff(want, part); diff != "" || !got.Live() || got.CurrentID != "" || len(got.Aliases) == 0 {
			t.Errorf("%s: %s", file, diff)
		}
	}
}

func TestReadLinks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body string
		links      map[string][]string
		want       string
	}{
		{"two", jsonLink + `[{"dbfrom":"gene","ids":["7157"],"linksetdbs":[{"dbto":"pubmed","linkname":"gene_pubmed_rif","links":["5"]},{"dbto":"pubmed","linkname":"gene_pubmed","links":["9","100","20","100"]}]},{"dbfrom":"gene","ids":[348]}]}`,
			map[string][]string{"7157": {"100", "20", "9"}, "348": nil}, answer},
		{"twice", jsonLink + `[{"ids":["1"],"linksetdbs":[{"linkname":"gene_pubmed","links":["1","3"]}]},{"ids":["1"],"linksetdbs":[{"linkname":"gene_pubmed","links":["2","3"]}]}]}`,
			map[string][]string{"1": {"3", "2", "1"}}, answer},
		{"scores and numbers", jsonLink +
			`[{"ids":["1"],"linksetdbs":[{"linkname":"gene_pubmed","links":[{"id":"42026145","score":28347383},{"id":7},8,"007"]}]}]}`,
			map[string][]string{"1": {"42026145", "8", "7"}}, answer},
		{"pooled", jsonLink + `[{"ids":["1","2"]}]}`, nil, transient},
		{"no id", jsonLink + `[{"ids":[]}]}`, nil, transient},
		{"an invalid link", jsonLink + `[{"ids":["1"],"linksetdbs":[{"linkname":"gene_pubmed","links":["x","5"]}]}]}`,
			map[string][]string{"1": {"5", ""}}, answer},
		{"nothing", jsonLink + `[]}`, nil, transient},
		{"no sets", `{"header":{}}`, nil, transient},
		{"fails", jsonLink + "[],\"ERROR\":\"NCBI C++ Exception:\n Read failed: EOF\"}", nil, transient},
		{"one fails", jsonLink + `[{"ids":["1"],"ERROR":"Read failed: EOF"}]}`, nil, transient},
	} {
		links, err := entrez.ReadLinks([]byte(tt.body), "gene_pubmed")
		if got := kind(t, err); got != tt.want {
			t.Errorf("%s: %s: %v", tt.name, got, err)
		}
		expect.Equal(t, tt.name, tt.links, links)
	}
}

func TestReadLinksCorpus(t *testing.T) {
	t.Parallel()
	links, err := entrez.ReadLinks(realAnswer(t, "pubmed/elink/elink_neighbor_score_trimmed.json"), "pubmed_pubmed")
	if diff := cmp.Diff(map[string][]string{"37258680": {"42026145", "41896605", "39636237"}}, links); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestReadSearch(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body string
		search     entrez.Search
		want       string
	}{
		{"hits", jsonSearch + `{"count":"63","retmax":"20","retstart":"0","querykey":"1","webenv":"MCID_x","idlist":["41282813",5],"translationset":[],"translationstack":[{"term":"a"},"GROUP"],"querytranslation":"a"}}`,
			entrez.Search{Count: 63, IDs: []string{"41282813", "5"}, QueryTranslation: "a", WebEnv: "MCID_x", QueryKey: 1}, answer},
		{"none", jsonSearch + `{"count":"0","idlist":[],"errorlist":{"phrasesnotfound":["abcXYZ"],"fieldsnotfound":["b"]},"warninglist":{"phrasesignored":["the"],"quotedphrasesnotfound":["\"q\""],"outputmessages":["No items found."]}}}`,
			entrez.Search{PhrasesNotFound: []string{"abcXYZ"}, FieldsNotFound: []string{"b"}, PhrasesIgnored: []string{"the"},
				QuotedPhrasesNotFound: []string{`"q"`}}, answer},
		{"count only", jsonSearch + `{"count":7}}`, entrez.Search{Count: 7}, answer},
		{"no count", jsonSearch + `{"idlist":[]}}`, entrez.Search{}, transient},
		{"an invalid count", jsonSearch + `{"count":"many","idlist":[]}}`, entrez.Search{}, transient},
		{"less than nothing", jsonSearch + `{"count":"-1","idlist":[]}}`, entrez.Search{}, transient},
		{"no result", `{"header":{}}`, entrez.Search{}, transient},
		{"result is null", `{"esearchresult":null}`, entrez.Search{}, transient},
		{"fails", jsonSearch + `{"ERROR":"Search Backend failed: x"}}`, entrez.Search{}, transient},
		{"expired", jsonSearch + `{"ERROR":"Unable to obtain query #1"}}`, entrez.Search{}, refused},
	} {
		search, err := entrez.ReadSearch([]byte(tt.body))
		if got := kind(t, err); got != tt.want {
			t.Errorf("%s: %s: %v", tt.name, got, err)
		}
		expect.Equal(t, tt.name, tt.search, search)
	}
}

func TestReadSearchCorpus(t *testing.T) {
	t.Parallel()
	got, err := entrez.ReadSearch(realAnswer(t, "pubmed/samples/esearch.pubmed.json"))
	expect.That(t, err == nil && got.Count == 15169 && len(got.IDs) == 100 && got.IDs[0] == "23175848" && got.QueryKey == 1 &&
		strings.HasPrefix(got.WebEnv, "NCID_1_") && got.QueryTranslation != "",
		"%+v: %v", got, err)
	got, err = entrez.ReadSearch(realAnswer(t, "pubmed/samples/esearch.error.json"))
	expect.That(t, err == nil && got.Count == 5163 && slices.Equal(got.PhrasesNotFound, []string{"fleegle[MeSH Terms]"}),
		"%+v: %v", got, err)
}

func TestReadInfo(t *testing.T) {
	t.Parallel()
	const db = `{"dbname":"pubmed","menuname":"PubMed","description":"d","dbbuild":"Build-1","count":"39730388","lastupdate":"2025/11/27 06:33",` +
		`"fieldlist":[{"name":"ALL","fullname":"All Fields","description":"x","termcount":"","isdate":"N","isnumerical":"Y","singletoken":"Y","hierarchy":"N","ishidden":"Y"}],` +
		`"linklist":[{"name":"pubmed_gene","menu":"Gene","description":"y","dbto":"gene"}]}`
	want := entrez.Info{MenuName: "PubMed", Description: "d", Count: 39730388, LastUpdate: "2025/11/27 06:33",
		Fields: []entrez.InfoField{{Name: "ALL", FullName: "All Fields", Description: "x", IsNumerical: true}},
		Links:  []entrez.InfoLink{{Name: "pubmed_gene", Menu: "Gene", Description: "y", DBTo: "gene"}},
	}
	for _, body := range []string{`{"einforesult":{"dbinfo":` + db + `}}`, `{"einforesult":{"dbinfo":[` + db + `]}}`} {
		got, err := entrez.ReadInfo([]byte(body))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
	}
	for _, body := range []string{
		`{}`, `{"einforesult":{"dbinfo":[]}}`, `{"einforesult":{"dbinfo":[{}]}}`, `{"einforesult":{"dbinfo":1}}`,
		`{"einforesult":{"dblist":["gene"]}}`, `{"einforesult":{"ERROR":"Can not retrieve DbInfo for db=fleegle"}}`,
	} {
		if got, err := entrez.ReadInfo([]byte(body)); err == nil {
			t.Errorf("%s: %+v", body, got)
		}
	}
}

func TestReadInfoCorpus(t *testing.T) {
	t.Parallel()
	got, err := entrez.ReadInfo(realAnswer(t, "pubmed/samples/einfo.pubmed.json"))
	expect.That(t, err == nil && got.Count == 22284197 && got.Fields[0].TermCount == 137022101 && len(got.Fields) >= 30 &&
		len(got.Links) >= 30,
		"%d, %d fields, %d links: %v", got.Count, len(got.Fields), len(got.Links), err)
}

func FuzzReadSummaries(f *testing.F) {
	f.Add([]byte(`{"result":{"uids":["1","2"],"1":{"uid":"1","status":1,"mim":[1],"organism":{"taxid":"9"}},"2":{"error":"x"}}}`))
	f.Add([]byte(`{"error":"Invalid uid abc at position= 0","result":{"uids":[]}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		docs, missing, err := entrez.ReadSummaries(body)
		expect.That(t, err == nil || docs == nil && missing == nil, "an error and documents")
		for _, doc := range docs {
			if g, err := entrez.ReadGeneSummary(doc); (g == nil) != (err != nil) {
				t.Error("neither a gene nor an error")
			}
		}
		_, _ = entrez.ReadSearch(body)
		_, _ = entrez.ReadInfo(body)
	})
}

func FuzzReadLinks(f *testing.F) {
	f.Add([]byte(jsonLink + `[{"ids":["1"],"linksetdbs":[{"linkname":"gene_pubmed","links":["1","3",{"id":"2","score":4}]}]},{"ids":[2]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		links, err := entrez.ReadLinks(body, "gene_pubmed")
		expect.That(t, err != nil || len(links) != 0, "no links and no error")
		for _, ids := range links {
			for i, id := range ids {
				expect.That(t, strings.Trim(id, "0123456789") == "" &&
					(i <= 0 || id == "" || len(ids[i-1]) >= len(id) && (len(ids[i-1]) != len(id) || ids[i-1] > id)),
					"%q", ids)
			}
		}
	})
}
