package ncbi

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// ownArticles returns the embedded records.
func ownArticles(t testing.TB) *articles {
	t.Helper()
	db, err := embedded(t).open("pubmed")
	expect.NoError(t, err)
	return db.(*articles)
}

func pmids(list []*article) []string {
	return mapSlice(list, func(a *article) string { return decimal(a.PMID) })
}

// read reads the articles of a response as the client does.
func read(t testing.TB, body string) map[string]*entrez.Article {
	t.Helper()
	all := map[string]*entrez.Article{}
	err := entrez.ReadArticles(strings.NewReader(body), func(a *entrez.Article) error {
		all[a.PMID] = a
		return nil
	})
	expect.NoError(t, err)
	return all
}

// TestKindsOfArticles: the sandbox has each kind of record that is difficult for clients.
func TestKindsOfArticles(t *testing.T) {
	t.Parallel()
	a := ownArticles(t)
	expect.That(t, len(a.list) >= 80, "%d articles", len(a.list))
	_, body := utility(t, embedded(t), "efetch?db=pubmed&retmode=xml&id="+strings.Join(pmids(a.list), ","))
	all := read(t, body)
	expect.Must(t, len(all) == len(a.list), "%d articles of %d", len(all), len(a.list))
	expect.That(t, !strings.ContainsFunc(body, func(r rune) bool { return r >= 0x80 }), "an answer is not ASCII")
	count := func(is func(*entrez.Article) bool) int {
		n := 0
		for _, article := range all {
			if is(article) {
				n++
			}
		}
		return n
	}
	section := func(is func(entrez.AbstractText) bool) func(*entrez.Article) bool {
		return func(a *entrez.Article) bool { return slices.ContainsFunc(a.Abstract.Texts, is) }
	}
	author := func(is func(entrez.Author) bool) func(*entrez.Article) bool {
		return func(a *entrez.Article) bool { return slices.ContainsFunc(a.Authors, is) }
	}
	date := func(is func(entrez.Date) bool) func(*entrez.Article) bool {
		return func(a *entrez.Article) bool { return a.Journal != nil && is(a.Journal.PubDate) }
	}
	kind := func(name string) func(*entrez.Article) bool {
		return func(a *entrez.Article) bool { return slices.Contains(a.PublicationTypes, name) }
	}
	for what, n := range map[string]int{
		"labels with categories":    count(section(func(s entrez.AbstractText) bool { return s.Label != "" && s.NlmCategory != "" })),
		"labels without categories": count(section(func(s entrez.AbstractText) bool { return s.Label != "" && s.NlmCategory == "" })),
		"no labels":                 count(section(func(s entrez.AbstractText) bool { return s.Label == "" })),
		"no abstract":               count(func(a *entrez.Article) bool { return len(a.Abstract.Texts) == 0 }),
		"groups":                    count(author(func(p entrez.Author) bool { return p.CollectiveName != "" })),
		"suffixes":                  count(author(func(p entrez.Author) bool { return p.Suffix == "Jr" })),
		"several affiliations":      count(author(func(p entrez.Author) bool { return len(p.Affiliations) > 1 })),
		"cut lists of authors":      count(func(a *entrez.Article) bool { return a.AuthorsIncomplete }),
		"no authors":                count(func(a *entrez.Article) bool { return len(a.Authors) == 0 }),
		"chapters": count(func(a *entrez.Article) bool {
			return a.Book != nil && a.Title != "" && len(a.Book.Editors)+len(a.Editors) > 0
		}),
		"books": count(func(a *entrez.Article) bool { return a.Book != nil && a.Title == "" }),
		"other languages": count(func(a *entrez.Article) bool {
			return strings.HasPrefix(a.Title, "[") && a.VernacularTitle != "" && a.Languages[0] != "eng"
		}),
		"seasons":        count(date(func(d entrez.Date) bool { return d.Season != "" })),
		"dates in words": count(date(func(d entrez.Date) bool { return d.MedlineDate != "" })),
		"years":          count(date(func(d entrez.Date) bool { return d.Year != "" && d.Month == "" && d.Season == "" })),
		"keywords":       count(func(a *entrez.Article) bool { return len(a.Keywords) > 0 }),
		"grants":         count(func(a *entrez.Article) bool { return len(a.Grants) > 0 && a.Grants[0].ID != "" }),
		"chemicals":      count(func(a *entrez.Article) bool { return len(a.Chemicals) > 0 }),
		"qualified subjects": count(func(a *entrez.Article) bool {
			return slices.ContainsFunc(a.MeshHeadings,
				func(h entrez.MeshHeading) bool { return len(h.Qualifiers) > 0 && h.Qualifiers[0].MajorTopicYN == "Y" })
		}),
		"PMC ids": count(func(a *entrez.Article) bool {
			return slices.ContainsFunc(a.IDs, func(id entrez.ArticleID) bool { return id.Type == "pmc" })
		}),
		"references":             count(func(a *entrez.Article) bool { return a.References > 1 }),
		"retracted":              count(kind("Retracted Publication")),
		"retraction notices":     count(kind("Retraction of Publication")),
		"expressions of concern": count(kind("Expression of Concern")),
		"errata":                 count(kind("Published Erratum")),
	} {
		expect.That(t, n != 0, "no article: %s", what)
	}
	for _, tagged := range []string{"<i>", "<sub>", "<sup>", "<mml:math ", "&amp;", "&#x2019;"} {
		expect.That(t, strings.Contains(body, tagged), "no markup: %s", tagged)
	}
}

// withdrawal finds the links of a record to its retraction or to an expression of concern.
var withdrawal = regexp.MustCompile(`(?s)<CommentsCorrections RefType="((?:Retraction|ExpressionOfConcern)\w*)">.*?<PMID[^>]*>([0-9]+)<`)

// TestLinksAreClosed: links among articles, and between articles and genes, exist in both directions.
func TestLinksAreClosed(t *testing.T) {
	t.Parallel()
	s, a, g := embedded(t), ownArticles(t), ownGenes(t)
	fromGenes := map[uint64]bool{}
	for _, gene := range g.list {
		for _, pmid := range gene.PMIDs {
			if a.byID[pmid] == nil {
				continue
			}
			fromGenes[pmid] = true
			_, body := utility(t, s, "elink?dbfrom=pubmed&db=gene&linkname=pubmed_gene&retmode=json&id="+decimal(pmid))
			if links, err := entrez.ReadLinks([]byte(body), "pubmed_gene"); err != nil ||
				!slices.Contains(links[decimal(pmid)], decimal(gene.ID)) {
				t.Errorf("%d does not lead back to gene %d: %v %v", pmid, gene.ID, links, err)
			}
		}
	}
	expect.That(t, len(fromGenes) >= 15, "%d articles of genes", len(fromGenes))
	refs := 0
	for _, record := range a.list {
		for _, found := range withdrawal.FindAllStringSubmatch(record.xml, -1) {
			expect.That(t, a.byID[uint64From(t, found[2])] != nil, "%d: no %s %s", record.PMID, found[1], found[2])
		}
		id := decimal(record.PMID)
		for linkname, back := range map[string]string{"pubmed_pubmed_refs": "pubmed_pubmed_citedin",
			"pubmed_pubmed_citedin": "pubmed_pubmed_refs"} {
			for _, other := range linked(t, s, id, linkname) {
				refs++
				expect.That(t, slices.ContainsFunc(linked(t, s, other.PMID, back), func(n entrez.Neighbor) bool { return n.PMID == id }),
					"%s %s %s, but not back", id, linkname, other.PMID)
			}
		}
	}
	expect.That(t, refs >= 30, "%d citations", refs)
}

func linked(t testing.TB, s *Utilities, id, linkname string) []entrez.Neighbor {
	t.Helper()
	_, body := utility(t, s, "elink?dbfrom=pubmed&db=pubmed&cmd=neighbor_score&retmode=json&linkname="+linkname+"&id="+id)
	links, err := entrez.ReadNeighbors([]byte(body), linkname)
	expect.NoError(t, err)
	return links[id]
}

// TestSimilarArticles: the article itself is first, then the others by descending score.
func TestSimilarArticles(t *testing.T) {
	t.Parallel()
	s, a := embedded(t), ownArticles(t)
	some := 0
	for _, id := range pmids(a.list) {
		similar := linked(t, s, id, "pubmed_pubmed")
		expect.Must(t, len(similar) != 0 && similar[0].PMID == id, "%s: %v", id, similar)
		for i, one := range similar[1:] {
			if one.Score <= 0 || one.Score > similar[i].Score {
				t.Errorf("%s: score %d of %s after %d", id, one.Score, one.PMID, similar[i].Score)
			}
		}
		if len(similar) > 1 {
			some++
		}
	}
	expect.That(t, some >= len(a.list)/2, "%d articles have similar ones", some)
	if got := linked(t, s, "32678530", "pubmed_pubmed"); !slices.ContainsFunc(got[:5],
		func(n entrez.Neighbor) bool { return n.PMID == "33031652" }) || got[0].Score < 1_000_000 {
		t.Errorf("%v", got)
	}
}

func TestArticleTerms(t *testing.T) {
	t.Parallel()
	s := embedded(t)
	for _, tt := range []struct{ term, ids string }{
		{"dexamethasone[ti]", "32678530"},
		{"dexamethasone[Title] NOT 32678530[uid]", ""},
		{"horby p[au] AND tocilizumab[tiab]", ""},
		{"wright jt jr[au]", "26551272"},
		{"Wright JT[Author]", "26551272"},
		{"zinman[1au]", "26378978"},
		{"inzucchi se[lastau] OR zinman[1au]", "26378978"},
		{"\"zinman b\"[au]", "26378978"},
		{"RECOVERY Collaborative Group[cn]", "33933206 33031652 32678530"},
		{"NCT04381936[si]", "33933206 33031652 32678530"},
		{"NCT04381936", "33933206 33031652 32678530"},
		{"10.1056/NEJMoa1504720[doi]", "26378978"},
		{"10.1056/NEJMoa1504720[aid]", "26378978"},
		{"PMC7262788[aid]", "32445440"},
		{"26378978[pmid] OR 9500320[uid]", "26378978 9500320"},
		{"26378978", "26378978"},
		{"cystic fibrosis/genetics[mh]", "2772657 2570460 2475911"},
		{"Cystic Fibrosis[majr]", "2772657 2570460 2475911"},
		{"Cystic Fibrosis[mh:noexp]", "2772657 2570460 2475911"},
		{"dystrop*[ti]", "3319190"},
		{"dys*[ti] AND 3319190[uid]", ""}, // too short to be truncated
		{"Retracted Publication[pt]", "32450107 9500320"},
		{"Retraction of Publication[pt] AND Lancet[ta]", "32511943 20137807"},
		{"French[la]", "13639368"},
		{"fre[la] AND all[filter]", "13639368"},
		{"9500320[uid] AND hasabstract", "9500320"},
		{"20137807[uid] AND hasabstract", ""},
		{"2570460[uid] AND free full text[sb]", ""},
		{"32678530[uid] AND free full text[sb]", "32678530"},
		{"JAK2 AND 2005:2005[dp]", "15793561 15781101"},
		{"JAK2 AND 2005/04:2005[dp]", "15793561"},
		{`JAK2 AND ("2005/03/01"[Date - Publication] : "2005/03/31"[Date - Publication])`, "15793561 15781101"}, // epub before print
		{"wakefield[au] AND 1998/02/28[dp]", "9500320"},
		{"29221645[uid] AND 2017/12/05[p1dat]", "29221645"}, // epub before print
		{"29221645[uid] AND 2018:3000[p1dat]", ""},
		{"2001:3000[p1dat] AND 2001[isbn]", ""},
		{"bismuth[nm] NOT drug therapy[sh]", ""},
		{"U015TT5I8H[rn]", "39626064"},
		{"GeneReviews[book]", "20301577"},
		{"NBK1403[book]", "20301577"},
		{`"type 2 diabetes remission"[ti:~3]`, "30852132 29221645"},
		{`"type 2 diabetes remission"[ti]`, ""},
	} {
		got := esearchIn(t, s, "pubmed", "term="+tt.term)
		expect.Is(t, strings.Join(got.IDs, " "), tt.ids, "%s", tt.term)
	}
	got := esearchIn(t, s, "pubmed", "term=asthma formoterol")
	if want := `(("asthma"[MeSH Terms] OR "asthma"[All Fields]) AND formoterol[All Fields])`; got.QueryTranslation != want {
		t.Error(got.QueryTranslation)
	}
	none := esearchIn(t, s, "pubmed", "term=abcXYZ")
	expect.That(t, none.Count == "0" && cmp.Equal(none.Errors.Phrases, []string{"abcXYZ"}) &&
		cmp.Equal(none.Warnings.Messages, []string{"No items found."}),
		"%+v", none)
}

// TestTagsThatClientsSend: the sandbox knows every tag that clients send.
func TestTagsThatClientsSend(t *testing.T) {
	t.Parallel()
	for _, tag := range strings.Split("all,all fields,pmid,uid,filter,filt,sb,subset,ti,titl,title,tiab,title/abstract,tw,word,text "+
		"word,text words,mh,mesh,mesh terms,majr,mesh major topic,"+
		"sh,subh,mesh subheading,mesh subheadings,ta,jour,journal,journal title,jid,nlm unique id,ad,affl,affiliation,rn,ecno,ec/rn "+
		"number,nm,subs,supplementary concept,substance name,"+
		"dp,pdat,date - publication,publication date,edat,date - entry,entry date,entrez date,crdt,date - create,create date,mdat,date "+
		"- modification,modification date,"+
		"mhda,date - mesh,mesh date,cdat,dcom,date - completion,completion date,ppdt,print publication date,epdt,electronic publication "+
		"date,p1dat,vi,vol,volume,ip,iss,issue,"+
		"pg,page,pagination,pt,ptyp,publication type,la,lang,language,au,auth,author,1au,faut,author - first,first author,first author "+
		"name,lastau,laut,author - last,last author,"+
		"last author name,fau,full,full author name,cn,coln,author - corporate,corporate author,auid,author - identifier,author "+
		"identifier,aucl,author cluster id,ir,investigator,"+
		"fir,finv,full investigator name,si,secondary source id,ot,otrm,other term,pl,cnty,place of publication,pa,papx,pharmacological "+
		"action,gr,grnt,grants and funding,grant number,"+
		"tt,transliterated title,lid,location id,aid,article identifier,doi,pid,publisher id,ps,subject - personal name,personal name "+
		"as subject,cois,conflict of interest statements,"+
		"book,ed,editor,isbn,pubn,publisher,eid,extended pmid,dso", ",") {
		_, body := utility(t, embedded(t), "esearch?db=pubmed&retmode=json&term=xyzzy["+tag+"]")
		expect.That(t, strings.Contains(body, `"count":"0"`) && !strings.Contains(body, "fieldsnotfound\":[\""), "[%s]: %s", tag, body)
	}
	if got := esearchIn(t, embedded(t), "pubmed", "term=xyzzy[badfield]"); got.Count == "0" ||
		!cmp.Equal(got.Errors.Fields, []string{"badfield"}) {
		t.Errorf("%+v", got)
	}
}

func TestArticleOrder(t *testing.T) {
	t.Parallel()
	s, a := embedded(t), ownArticles(t)
	all := func(sort string) []string {
		return esearchIn(t, s, "pubmed", "term=all[filter]&retmax=10000&sort="+sort).IDs
	}
	if got := all(""); !cmp.Equal(got, pmids(a.list)) || len(got) < 80 {
		t.Errorf("the default is by falling PMID: %v", got)
	}
	expect.That(t, cmp.Equal(all("nonsense"), all("")), "an unknown order is not ignored")
	for sort, key := range map[string]func(*article) string{
		"pub_date":    func(a *article) string { return sortDate(a.date()) },
		"Author":      func(a *article) string { return a.firstAuthor() },
		"JournalName": func(a *article) string { return strings.ToLower(a.text(shortPath)) },
	} {
		keys := mapSlice(all(sort), func(id string) string { return key(a.byID[uint64From(t, id)]) })
		if sort == "pub_date" {
			slices.Reverse(keys)
		}
		expect.That(t, slices.IsSorted(keys), "%s: %v", sort, keys)
	}
	if got := esearchIn(t, s, "pubmed", "term=melanoma&sort=relevance").IDs; len(got) < 3 || got[2] != "12068308" {
		t.Errorf("an article with the word in its title comes first: %v", got)
	}
	if got := esearchIn(t, s, "pubmed", "term=all[filter]&retmax=2&retstart=3"); !cmp.Equal(got.IDs, pmids(a.list[3:5])) ||
		got.Count != strconv.Itoa(len(a.list)) {
		t.Errorf("%+v", got)
	}
}

// TestArticleErrors: the errors are literally those of NCBI.
func TestArticleErrors(t *testing.T) {
	t.Parallel()
	const (
		xmlProlog = `<?xml version="1.0" encoding="UTF-8" ?>` + "\n"
		emptySet  = `<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
<PubmedArticleSet></PubmedArticleSet>
`
		reach = "'retstart' cannot be larger than 9998. For PubMed, ESearch can only retrieve the first 9,999 records matching the " +
			"query. To obtain more than 9,999 PubMed records, consider using EDirect that contains additional logic to batch PubMed " +
			"search results automatically so that an arbitrary number can be retrieved. For details see " +
			"https://www.ncbi.nlm.nih.gov/books/NBK25499/"
	)
	for _, tt := range []struct {
		query  string
		status int
		body   string
	}{
		{"esearch?db=pubmed&term=asthma&retmode=json&retstart=9999", 200,
			`{"header":{"type":"esearch","version":"0.3"},"esearchresult":{"ERROR":"Search Backend failed: Exception:` + "\n" +
				reach + `"}}`},
		{"efetch?db=pubmed&id=999999999,999999998&retmode=xml", 200, emptySet},
		{"efetch?db=pubmed&id=0&retmode=xml", 400, xmlProlog +
			"<eFetchResult><ERROR>ID list is empty! Possibly it has no correct IDs.</ERROR></eFetchResult>\n"},
		{"efetch?db=pubmed&id=&retmode=xml", 400, xmlProlog +
			"<eFetchResult><ERROR>ID list is empty! Possibly it has no correct IDs.</ERROR></eFetchResult>\n"},
		{"efetch?db=pubmed&id=0&retmode=text&rettype=medline", 400, "ID+list+is+empty!+Possibly+it+has+no+correct+IDs."},
		{"efetch?db=pubmed&id=999999999&retmode=text&rettype=medline", 200, "\n"},
		{"efetch?db=pubmed&id=9500320&retmode=text&rettype=uilist", 400,
			"the sandbox does not serve retmode `text`, rettype `uilist` of efetch"},
		{"efetch?db=pubmed&id=9500320", 400, "the sandbox does not serve retmode ``, rettype `` of efetch"},
		{"efetch?db=gene&id=672&retmode=json", 400, "the sandbox does not serve retmode `json`, rettype `` of efetch"},
		{"esummary?db=pubmed&id=999999999&retmode=json", 200,
			`{"header":{"type":"esummary","version":"0.3"},"result":{"uids":["999999999"],"999999999":{"uid":"999999999","error":"cannot get document summary"}}}`},
	} {
		resp, body := utility(t, embedded(t), tt.query)
		expect.That(t, resp.StatusCode == tt.status && body == tt.body,
			"%s:\n%d %s\nwant\n%d %s", tt.query, resp.StatusCode, body, tt.status, tt.body)
	}
	if _, body := utility(t, embedded(t), "esearch?db=pubmed&term=asthma&retmode=json&retstart=9998"); !strings.Contains(body,
		`"idlist":[]`) {
		t.Error(body)
	}
}

// TestArticleXML: the records are unchanged from their file, each once.
func TestArticleXML(t *testing.T) {
	t.Parallel()
	want := articleSetOpen + ownArticles(t).byID[20137807].xml + "\n" + articleSetClose
	for _, ids := range []string{"20137807", "ABC20137807", "20137807,20137807,999999999"} {
		resp, body := utility(t, embedded(t), "efetch?db=pubmed&retmode=xml&id="+ids)
		expect.Is(t, body, want, "%s", ids)
		expect.That(t, strings.HasPrefix(resp.Header.Get("Content-Type"), "text/xml"), "%v", resp.Header)
	}
}

// TestMEDLINE: every embedded article has a recorded text, which NCBI's format can be read from; the other articles have an error.
func TestMEDLINE(t *testing.T) {
	t.Parallel()
	all := pmids(ownArticles(t).list)
	_, body := utility(t, embedded(t), "efetch?db=pubmed&retmode=text&rettype=medline&id="+strings.Join(all, ","))
	records, err := entrez.SplitMEDLINE(body)
	expect.That(t, err == nil && len(records) == len(all) && strings.HasPrefix(records["3319190"], "PMID- 3319190\n"), "%v", err)
	folder := t.TempDir()
	put(t, filepath.Join(folder, "one.xml"), "<PubmedArticleSet>"+storedOne+"</PubmedArticleSet>")
	s, err := openPath(t.Context(), folder)
	expect.NoError(t, err)
	resp, body := utility(t, s, "efetch?db=pubmed&retmode=text&rettype=medline&id=11")
	expect.That(t, resp.StatusCode == http.StatusBadRequest && strings.Contains(body, "no .nbib file has it"), "%s", body)
	put(t, filepath.Join(folder, "one.nbib"), "PMID- 11\nTI  - One.\n")
	s, err = openPath(t.Context(), folder)
	expect.NoError(t, err)
	_, body = utility(t, s, "efetch?db=pubmed&retmode=text&rettype=medline&id=11")
	expect.Is(t, body, "\nPMID- 11\nTI  - One.\n", "a recorded text")
}

func TestArticleSummaries(t *testing.T) {
	t.Parallel()
	docs := summariesIn(t, embedded(t), "pubmed", "9500320,29221645,20301577,21413195,999999999")
	for what, holds := range map[string]bool{
		"date":    docs["9500320"]["pubdate"] == "1998 Feb 28" && docs["9500320"]["sortpubdate"] == "1998/02/28 00:00",
		"no date": docs["9500320"]["epubdate"] == "" && docs["29221645"]["epubdate"] == "2017 Dec 5",
		"source":  docs["9500320"]["source"] == "Lancet" && docs["9500320"]["fulljournalname"] == "Lancet (London, England)",
		"DOI":     docs["9500320"]["elocationid"] == "doi: 10.1016/s0140-6736(97)11096-0",
		"chapter": docs["20301577"]["title"] == "&lt;i&gt;CACNA1C&lt;/i&gt;-Related Disorders",
		"book":    docs["21413195"]["title"] == "" && strings.HasPrefix(docs["21413195"]["booktitle"].(string), "Rheumatoid"),
		"none":    docs["999999999"]["error"] == "cannot get document summary",
	} {
		expect.That(t, holds, "%v", what)
	}
	_, body := utility(t, embedded(t), "esummary?db=pubmed&retmode=json&id="+strings.Join(pmids(ownArticles(t).list), ","))
	read, missing, err := entrez.ReadSummaries([]byte(body))
	expect.That(t, err == nil && len(missing) == 0 && len(read) >= 80 && !strings.Contains(body, "null"),
		"%v, missing %v of %d", err, missing, len(read))
}

func TestArticleInfo(t *testing.T) {
	t.Parallel()
	_, body := utility(t, embedded(t), "einfo?db=pubmed&retmode=json")
	info, err := entrez.ReadInfo([]byte(body))
	expect.That(t, err == nil && len(info.Fields) >= 40 && len(info.Links) >= 5 && info.LastUpdate != "", "%v: %+v", err, info)
	var out struct {
		Result struct {
			Info []struct {
				Build string `json:"dbbuild"`
				Count string `json:"count"`
			} `json:"dbinfo"`
		} `json:"einforesult"`
	}
	if err := json.Unmarshal([]byte(body), &out); err != nil || out.Result.Info[0].Count != strconv.Itoa(len(ownArticles(t).list)) ||
		!strings.HasPrefix(out.Result.Info[0].Build, "Build-") {
		t.Errorf("%v: %+v", err, out)
	}
}

// TestEveryArticleIsFound: a search finds each article by the data of its citation.
func TestEveryArticleIsFound(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	s := embedded(t)
	for _, record := range ownArticles(t).list {
		id := decimal(record.PMID)
		terms := []string{id + "[pmid]"}
		if record.id("doi") != "" && !strings.ContainsAny(record.id("doi"), "()<>") {
			terms = append(terms, record.id("doi")+"[doi]")
		}
		if people := record.people(); len(people) > 0 {
			terms = append(terms, `"`+nameOf(people[0])+`"[au]`, people[0].text("LastName")+"[1au]")
		}
		for _, subject := range record.texts("*/MeshHeadingList/MeshHeading/DescriptorName") {
			terms = append(terms, `"`+subject+`"[mh]`)
		}
		for _, kind := range record.texts(typesPath) {
			terms = append(terms, `"`+kind+`"[pt]`)
		}
		if record.text(shortPath) != "" {
			terms = append(terms, `"`+record.text(shortPath)+`"[ta]`, record.date()[:4]+":"+record.date()[:4]+"[dp]")
		}
		for _, term := range terms {
			if got := esearchIn(t, s, "pubmed", "retmax=10000&term="+term).IDs; !slices.Contains(got, id) {
				t.Errorf("%s does not find %s: %v", term, id, got)
			}
		}
	}
}
