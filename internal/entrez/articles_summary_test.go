package entrez_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestReadArticleSummary(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, doc string
		want      *entrez.ArticleSummary
	}{
		{"journal article", `{"uid":"111","pubdate":"2025 Nov 27","epubdate":"2025 Oct 1","source":"J Inv Moss",
			"authors":[{"name":"Doe JK","authtype":"Author","clusterid":""},{"name":"Moss Group","authtype":"CollectiveName"},{"name":"","authtype":"Author"}],
			"lastauthor":"Moss Group","title":"On moss.","volume":"12","issue":"3","pages":"113-25","lang":["eng"],"pubtype":["Journal Article","Review"],
			"pubstatus":"4","articleids":[{"idtype":"pubmed","idtypen":1,"value":"111"},{"idtype":"doi","idtypen":3,"value":"10.9999/m"},{"idtype":"pmcid","idtypen":5,"value":"pmc-id: PMC7;"},{"idtype":"pmc","idtypen":8,"value":"PMC7"}],
			"pmcrefcount":"","fulljournalname":"Journal of invented moss","elocationid":"doi: 10.9999/other","booktitle":"","sortpubdate":"2025/11/27 00:00","attributes":["Has Abstract"]}`,
			&entrez.ArticleSummary{UID: "111", Title: "On moss.",
				Authors: []entrez.SummaryAuthor{{Name: "Doe JK", Type: "Author"}, {Name: "Moss Group", Type: "CollectiveName"}},
				Source:  "J Inv Moss", PubDate: "2025 Nov 27", EPubDate: "2025 Oct 1", SortPubDate: "2025/11/27 00:00",
				FullJournalName: "Journal of invented moss", DOI: "10.9999/m", PMCID: "PMC7",
				PubTypes: []string{"Journal Article", "Review"}}},
		{"book", `{"uid":"2","title":"","booktitle":"Guide to &lt;i&gt;Moss&lt;/i&gt;","source":"","authors":[{"name":"Poe A","authtype":"Editor"}],"pubdate":"1993","pubtype":["Book"]}`,
			&entrez.ArticleSummary{UID: "2", BookTitle: "Guide to Moss", Authors: []entrez.SummaryAuthor{{Name: "Poe A", Type: "Editor"}},
				PubDate: "1993", PubTypes: []string{"Book"}}},
		{"numbers, nulls and white space",
			`{"uid":7,"volume":6,"issue":null,"pages":103,"authors":[{"name":"Doe J","authtype":"\n\t\tAuthor\n\t"}],"pubtype":"Letter","articleids":null,"source":"R &amp; D"}`,
			&entrez.ArticleSummary{UID: "7", Authors: []entrez.SummaryAuthor{{Name: "Doe J", Type: "Author"}}, PubTypes: []string{"Letter"},
				Source: "R & D"}},
		{"lists that are empty texts", `{"uid":"7","authors":"","articleids":" ","pubtype":""}`, &entrez.ArticleSummary{UID: "7"}},
		{"the PMID alone", `{"uid":"7"}`, &entrez.ArticleSummary{UID: "7"}},
		{"DOI in the location", `{"uid":"7","elocationid":"pii: e12. doi: 10.9999/a.b."}`,
			&entrez.ArticleSummary{UID: "7", DOI: "10.9999/a.b"}},
		{"another location", `{"uid":"7","elocationid":"pii: e12"}`, &entrez.ArticleSummary{UID: "7"}},
		{"PMC id of former days", `{"uid":"7","articleids":[{"idtype":"pmcid","value":"pmc-id: PMC12;embargo-date: 2026/01/01;"}]}`,
			&entrez.ArticleSummary{UID: "7", PMCID: "PMC12"}},
		{"no object", `[]`, nil},
		{"nothing", `null`, nil},
		{"no PMID", `{"uid":"","title":"t"}`, nil},
		{"an invalid PMID", `{"uid":"12a"}`, nil},
		{"unknown", `{"uid":"999999999","error":"cannot get document summary"}`, nil},
		{"an invalid title", `{"uid":"7","title":{}}`, nil},
		{"invalid authors", `{"uid":"7","authors":"x"}`, nil},
		{"authors in words", `{"uid":"7","authors":"Doe J"}`, nil},
		{"cut", `{"uid":"7","title":"t`, nil},
		{"control character", "{\"uid\":\"7\",\"title\":\"t\n\"}", nil},
	} {
		got, err := entrez.ReadArticleSummary(json.RawMessage(tt.doc))
		if diff := cmp.Diff(tt.want, got); diff != "" || (err == nil) != (tt.want != nil) {
			t.Errorf("%s: %v\n%s", tt.name, err, diff)
		}
	}
}

func TestReadArticleSummaryTitle(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`Moss &lt;i&gt;in vivo&lt;/i&gt; &amp;amp; stone`:                                                      "Moss in vivo & stone",
		`Moss <i>in <b>vivo</b></i>: H<sub>2</sub>O, CD4<sup>+</sup>, 10<sup>6</sup>/kg`:                       "Moss in vivo: H2O, CD4+, 10^6/kg",
		`Moss &amp;lt;sub&amp;gt;x&amp;lt;/sub&amp;gt;`:                                                        "Moss x",
		`Moss at p &lt; 0.05 and n > 3`:                                                                        "Moss at p < 0.05 and n > 3",
		`Moss <i>if</i> p < 0.05 & n > 3`:                                                                      "Moss if p < 0.05 & n > 3",
		`<mml:math xmlns:mml="x"><mml:msup><mml:mi>R</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math> of moss`: "R^2 of moss",
		`Moss <i>cut`:             "Moss cut",
		`</i>Moss</title><i>`:     "Moss</title>",
		`Moss</sup> <title><b/>`:  "Moss <title>",
		"Moss\t on \u00a0stone":   "Moss on stone",
		`Moss <sup>&#x3b1;</sup>`: "Moss α",
	} {
		doc, err := json.Marshal(map[string]string{"uid": "1", "title": given})
		expect.NoError(t, err)
		if got, err := entrez.ReadArticleSummary(doc); err != nil || got.Title != want {
			t.Errorf("%q: %q, want %q: %v", given, got.Title, want, err)
		}
	}
}

func TestReadArticleSummaryCorpus(t *testing.T) {
	t.Parallel()
	docs, missing, err := entrez.ReadSummaries(realAnswer(t, "pubmed/samples/esummary.pubmed.json"))
	expect.Must(t, err == nil && len(docs) == 2 && len(missing) == 0, "%d documents: %v", len(docs), err)
	for _, want := range []entrez.ArticleSummary{
		{UID: "5683731", Source: "Paraplegia", PubDate: "1968 Aug", SortPubDate: "1968/08/01 00:00",
			FullJournalName: "Paraplegia", DOI: "10.1038/sc.1968.18", PubTypes: []string{"Journal Article"}},
		{UID: "22144687", Source: "Nucleic Acids Res", PubDate: "2012 Jan", EPubDate: "2011 Dec 5", SortPubDate: "2012/01/01 00:00",
			FullJournalName: "Nucleic acids research", DOI: "10.1093/nar/gkr1202", PMCID: "PMC3245039",
			PubTypes: []string{"Journal Article"}},
	} {
		got, err := entrez.ReadArticleSummary(docs[want.UID])
		expect.NoError(t, err)
		expect.That(t, got.Title != "" && len(got.Authors) >= 2 && got.Authors[0].Type == "Author",
			"%s: %q by %d authors", want.UID, got.Title, len(got.Authors))
		got.Title, got.Authors = "", nil
		expect.Equal(t, want.UID, &want, got)
	}
}

func FuzzReadArticleSummary(f *testing.F) {
	f.Add([]byte(`{"uid":"1","title":"a <i>b</i> &lt;sup&gt;2","authors":[{"name":"A &amp; B"}],"articleids":[{"idtype":"doi","value":"10.1/2"}],"elocationid":"doi: 1"}`))
	f.Add([]byte(`{"uid":1,"booktitle":"<mml:math><mml:mfrac><mml:mn>1</mml:mn></mml:mfrac></mml:math>","authors":"","pubtype":["",null]}`))
	f.Add([]byte(`{"uid":"1","error":"cannot get document summary"}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		s, err := entrez.ReadArticleSummary(doc)
		expect.Must(t, (s == nil) == (err != nil), "neither a summary nor an error")
		if s == nil {
			return
		}
		expect.That(t, s.UID != "" && strings.Trim(s.UID, "0123456789") == "", "the PMID %q", s.UID)
		for _, text := range []string{s.Title, s.BookTitle, s.Source, s.DOI} {
			expect.That(t, text == strings.Join(strings.Fields(text), " "), "%q is no single line", text)
		}
	})
}

func TestReadNeighbors(t *testing.T) {
	t.Parallel()
	near := func(ids ...string) (out []entrez.Neighbor) {
		for _, id := range ids {
			out = append(out, entrez.Neighbor{PMID: id})
		}
		return out
	}
	const set = `[{"dbfrom":"pubmed","ids":["7"],"linksetdbs":[{"dbto":"pubmed","linkname":"pubmed_pubmed","links":`
	for _, tt := range []struct {
		name, body string
		want       map[string][]entrez.Neighbor
		kind       string
	}{
		{"in its own order, of one linkname",
			jsonLink + `[{"dbfrom":"pubmed","ids":["7"],"linksetdbs":[{"dbto":"pubmed","linkname":"pubmed_pubmed_citedin","links":["5"]},{"dbto":"pubmed","linkname":"pubmed_pubmed","links":["7","100","20","100","030"]}]},{"dbfrom":"pubmed","ids":[348]}]}`,
			map[string][]entrez.Neighbor{"7": near("7", "100", "20", "30"), "348": nil}, answer},
		{"scores", jsonLink + set + `[{"id":"42026145","score":28347383},{"id":9,"score":"24718838"},{"id":"8"},{"id":"6","score":null}]}]}]}`,
			map[string][]entrez.Neighbor{"7": {{PMID: "42026145", Score: 28347383}, {PMID: "9", Score: 24718838}, {PMID: "8"},
				{PMID: "6"}}}, answer},
		{"the first of two scores", jsonLink + set + `[{"id":"9","score":5},{"id":"9","score":4}]}]}]}`,
			map[string][]entrez.Neighbor{"7": {{PMID: "9", Score: 5}}}, answer},
		{"more than 32 bits", jsonLink + set + `[{"id":"9","score":9000000000}]}]}]}`,
			map[string][]entrez.Neighbor{"7": {{PMID: "9", Score: 9000000000}}}, answer},
		{"one record in two sets", jsonLink +
			`[{"ids":["7"],"linksetdbs":[{"linkname":"pubmed_pubmed","links":["1"]}]},{"ids":["7"],"linksetdbs":[{"linkname":"pubmed_pubmed","links":["2","1"]}]}]}`,
			map[string][]entrez.Neighbor{"7": near("1", "2")}, answer},
		{"other links only", jsonLink + `[{"ids":["7"],"linksetdbs":[{"linkname":"pubmed_gene","links":["1"]}]}]}`,
			map[string][]entrez.Neighbor{"7": nil}, answer},
		{"an invalid score", jsonLink + set + `[{"id":"9","score":"much"},"5"]}]}]}`,
			map[string][]entrez.Neighbor{"7": near("", "5")}, answer},
		{"a link without an id", jsonLink + set + `[{"score":1}]}]}]}`, map[string][]entrez.Neighbor{"7": near("")}, answer},
		{"an invalid link", jsonLink + set + `[null,{},null]}]}]}`, map[string][]entrez.Neighbor{"7": near("", "", "")}, answer},
		{"links in words", jsonLink + set + `"9"}]}]}`, nil, transient},
		{"pooled", jsonLink + `[{"ids":["1","2"]}]}`, nil, transient},
		{"no id", jsonLink + `[{"ids":[]}]}`, nil, transient},
		{"an invalid id", jsonLink + `[{"ids":["x"]},{"ids":["7"]}]}`, map[string][]entrez.Neighbor{"x": nil, "7": nil}, answer},
		{"nothing", jsonLink + `[]}`, nil, transient},
		{"no sets", `{"header":{}}`, nil, transient},
		{"fails", jsonLink + "[],\"ERROR\":\"NCBI C++ Exception:\n    Error: TXCLIENT(CException::eUnknown) Read failed: EOF\"}", nil,
			transient},
		{"one fails", jsonLink + `[{"ids":["1"],"ERROR":"Couldn't resolve #exLinkSrv2, the address table is empty."}]}`, nil, transient},
		{"cut", jsonLink + set + `["1","2"`, nil, transient},
		{"cut between sets", jsonLink + `[{"ids":["1"]},`, nil, transient},
		{"control character", jsonLink + "[{\"ids\":[\"1\n\"]}]}", nil, transient},
		{"rate", `{"error":"API rate limit exceeded","count":"4","limit":"3"}`, nil, limited},
	} {
		got, err := entrez.ReadNeighbors([]byte(tt.body), "pubmed_pubmed")
		if kind := kind(t, err); kind != tt.kind {
			t.Errorf("%s: %s: %v", tt.name, kind, err)
		}
		expect.Equal(t, tt.name, tt.want, got)
	}
}

func TestReadNeighborsCorpus(t *testing.T) {
	t.Parallel()
	got, err := entrez.ReadNeighbors(realAnswer(t, "pubmed/elink/elink_neighbor_score_trimmed.json"), "pubmed_pubmed")
	want := map[string][]entrez.Neighbor{"37258680": {{PMID: "42026145", Score: 28347383}, {PMID: "39636237", Score: 24718838},
		{PMID: "41896605", Score: 22621790}}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func FuzzReadNeighbors(f *testing.F) {
	f.Add([]byte(jsonLink + `[{"ids":["1"],"linksetdbs":[{"linkname":"pubmed_pubmed","links":["1","3",{"id":"2","score":4}]}]},{"ids":[2]}]}`))
	f.Add([]byte(jsonLink + "[],\"ERROR\":\"a\nb\"}"))
	f.Fuzz(func(t *testing.T, body []byte) {
		near, err := entrez.ReadNeighbors(body, "pubmed_pubmed")
		expect.That(t, (err == nil) == (len(near) > 0), "%d records and the error %v", len(near), err)
		links, linksErr := entrez.ReadLinks(body, "pubmed_pubmed")
		expect.That(t, (err == nil) == (linksErr == nil) && len(links) == len(near),
			"links: %d records of %d, %v", len(links), len(near), linksErr)
		for id, all := range near {
			seen := map[string]bool{}
			for _, n := range all {
				expect.That(t, strings.Trim(n.PMID, "0123456789") == "" && !seen[n.PMID], "%q twice, or no id", n.PMID)
				seen[n.PMID] = n.PMID != ""
			}
			if len(links[id]) != len(all) {
				t.Errorf("%s: %d links of %d", id, len(links[id]), len(all))
			}
		}
	})
}
