package articles_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/mappingtest"
)

// corpusSets returns EFetch responses by file. Articles under another root element are moved under the right one.
func corpusSets(t testing.TB) map[string][]byte {
	t.Helper()
	paths := expect.Articles("efetch", "samples").Paths
	if !expect.All() { // a sample
		slices.Sort(paths)
		paths = paths[:min(len(paths), 12)]
	}
	sets := map[string][]byte{}
	for _, p := range paths {
		text := expect.Read(t, p)
		root := branchOf(t, text)
		if root.name != "PubmedArticleSet" {
			if _, err := mapArticles(text); !errors.Is(err, entrez.ErrNoArticleSet) {
				t.Errorf("%s: the root %s gives %v", p, root.name, err)
			}
		}
		begin := bytes.Index(text, []byte("<"+root.name))
		switch root.name {
		case "PubmedArticleSet":
		case "PubmedBookArticleSet":
			text = bytes.ReplaceAll(text[begin:], []byte(root.name), []byte("PubmedArticleSet"))
		case "PubmedBookArticle":
			text = fmt.Appendf(nil, "<PubmedArticleSet>%s</PubmedArticleSet>", text[begin:])
		default:
			continue
		}
		sets[filepath.Base(p)] = text
	}
	return sets
}

// branch is an element that is read without any knowledge of articles.
type branch struct {
	name  string
	attr  map[string]string
	nodes []any // *branch or string
}

func branchOf(t testing.TB, text []byte) *branch {
	t.Helper()
	top := &branch{}
	stack := []*branch{top}
	for dec := xml.NewDecoder(bytes.NewReader(text)); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		expect.NoError(t, err)
		last := stack[len(stack)-1]
		switch token := token.(type) {
		case xml.StartElement:
			b := &branch{name: token.Name.Local, attr: map[string]string{}}
			for _, a := range token.Attr {
				b.attr[a.Name.Local] = a.Value
			}
			last.nodes = append(last.nodes, b)
			stack = append(stack, b)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			last.nodes = append(last.nodes, string(token))
		}
	}
	return top.all("*")[0]
}

// all returns the elements at a path such as A/B; * matches any name, A|B either name.
func (b *branch) all(path string) []*branch {
	step, rest, more := strings.Cut(path, "/")
	var found []*branch
	if b == nil {
		return nil
	}
	for _, n := range b.nodes {
		child, ok := n.(*branch)
		if !ok || step != "*" && !slices.Contains(strings.Split(step, "|"), child.name) {
			continue
		}
		if more {
			found = append(found, child.all(rest)...)
		} else {
			found = append(found, child)
		}
	}
	return found
}

func (b *branch) one(path string) *branch {
	if found := b.all(path); len(found) > 0 {
		return found[0]
	}
	return nil
}

func (b *branch) deep(name string) (n int) {
	for _, c := range b.all("*") {
		if c.name == name {
			n++
		}
		n += c.deep(name)
	}
	return n
}

var (
	raised  = regexp.MustCompile(`(\S)\x{E000}([-+−–][0-9])`)
	powers  = regexp.MustCompile(`([0-9])\x{E000}([0-9])`)
	lowered = regexp.MustCompile(`([0-9])\x{E001}([-+−–]?[0-9])`)
	folds   = regexp.MustCompile(`[\s\p{Z}\x{85}]+`)
)

// words returns the text with the marks that entrez.ReadArticles specifies; of a formula it returns only letters and digits.
func (b *branch) words() string {
	var raw func(b *branch) string
	raw = func(b *branch) string {
		var out string
		if b == nil {
			return ""
		}
		for _, n := range b.nodes {
			switch n := n.(type) {
			case string:
				out += n
			case *branch:
				out += map[string]string{"sup": "\uE000", "sub": "\uE001", "DispFormula": " "}[n.name] + raw(n)
			}
		}
		return out
	}
	s := strings.TrimSpace(folds.ReplaceAllString(raw(b), " "))
	for range 3 {
		s = lowered.ReplaceAllString(powers.ReplaceAllString(raised.ReplaceAllString(s, "$1^$2"), "$1^$2"), "${1}_$2")
	}
	s = strings.NewReplacer("\uE000", "", "\uE001", "").Replace(s)
	return strings.Map(func(r rune) rune {
		if mappingtest.Unwanted(r) {
			return -1
		}
		return r
	}, s)
}

func (b *branch) word(path string) string { return b.one(path).words() }

func (b *branch) wordsOf(path string) []any {
	var out []any
	for _, c := range b.all(path) {
		if w := c.words(); w != "" {
			out = append(out, w)
		}
	}
	return out
}

func readEach(branches []*branch, read func(*branch) any) []any {
	var out []any
	for _, b := range branches {
		if v := read(b); v != nil && v != "" {
			out = append(out, v)
		}
	}
	return out
}

func wantAuthors(branches []*branch) []any {
	return readEach(branches, func(b *branch) any {
		if b.attr["ValidYN"] == "N" {
			return nil
		}
		places := mappingtest.Distinct(b.wordsOf("AffiliationInfo/Affiliation"))
		var place, id any
		if len(places) > 0 {
			place, places = places[0], places[1:]
		}
		for _, i := range b.all("Identifier") {
			digits := strings.NewReplacer("https://orcid.org/", "", "http://orcid.org/", "", "-", "").Replace(i.words())
			if i.attr["Source"] == "ORCID" && len(digits) == 16 {
				id = digits[:4] + "-" + digits[4:8] + "-" + digits[8:12] + "-" + digits[12:]
				break
			}
		}
		return mappingtest.Object("lastName", b.word("LastName"), "firstName", b.word("ForeName"), "initials", b.word("Initials"),
			"suffix", b.word("Suffix"), "collectiveName", b.word("CollectiveName"),
			"affiliation", place, "affiliations", places, "orcid", id)
	})
}

var monthNames = strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")

func wantDate(b *branch) any {
	month := b.word("Month")
	if n, err := strconv.Atoi(month); err == nil {
		month = monthNames[n-1]
	}
	var year, day any
	if n, err := strconv.Atoi(b.word("Year") + b.word("MedlineDate")[:min(4, len(b.word("MedlineDate")))]); err == nil {
		year = float64(n)
	}
	if n, err := strconv.Atoi(b.word("Day")); err == nil {
		day = float64(n)
	}
	return mappingtest.Object("year", year, "month", month, "day", day, "season", b.word("Season"), "medlineDate", b.word("MedlineDate"))
}

func wantISO(b *branch) string {
	if b == nil {
		return ""
	}
	month := b.word("Month")
	if i := slices.Index(monthNames, month); i >= 0 {
		month = strconv.Itoa(i + 1)
	}
	var parts []string
	for _, p := range []string{b.word("Year"), month, b.word("Day")} {
		if p != "" {
			parts = append(parts, strings.Repeat("0", max(0, 2-len(p)))+p)
		}
	}
	return strings.Join(parts, "-")
}

func wantAbstract(b *branch) (text string, sections []any) {
	var lines []string
	for _, p := range b.all("AbstractText") {
		words, label := p.words(), strings.TrimSpace(p.attr["Label"])
		if words == "" {
			continue
		}
		label = strings.TrimSuffix(label, ":")
		if label == "UNLABELLED" {
			label = ""
		}
		if category := p.attr["NlmCategory"]; category != "" {
			sections = append(sections, mappingtest.Object("label", label, "nlmCategory", category))
		}
		if label != "" {
			words = label + ": " + words
		}
		lines = append(lines, words)
	}
	return strings.Join(lines, "\n"), sections
}

func wantPages(b *branch) string {
	if p := b.word("MedlinePgn"); p != "" || b == nil {
		return p
	}
	if b.word("EndPage") == "" || b.word("EndPage") == b.word("StartPage") {
		return b.word("StartPage")
	}
	return b.word("StartPage") + "-" + b.word("EndPage")
}

func firstWith(branches []*branch, key, value string) string {
	for _, b := range branches {
		if b.attr[key] == value && b.attr["ValidYN"] != "N" {
			return b.words()
		}
	}
	return ""
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func positive(n int) any {
	if n == 0 {
		return nil
	}
	return float64(n)
}

func wantArticle(a *branch) any {
	record := a.one("MedlineCitation|BookDocument")
	article := record
	if record.name == "MedlineCitation" {
		article = record.one("Article")
	}
	data := a.one("PubmedData|PubmedBookData")
	ids := slices.Concat(record.all("ArticleIdList/ArticleId"), data.all("ArticleIdList/ArticleId"))
	text, sections := wantAbstract(article.one("Abstract"))
	types := slices.Concat(article.wordsOf("PublicationTypeList/PublicationType"), article.wordsOf("PublicationType"))
	refs := data.one("ReferenceList") != nil || record.one("ReferenceList") != nil
	references := a.deep("Reference")
	if n, err := strconv.Atoi(record.word("NumberOfReferences")); err == nil && !refs {
		references = n
	}
	byType := func(kind string, lists []*branch) (out []*branch) {
		for _, l := range lists {
			if (l.attr["Type"] == "editors") == (kind == "editors") {
				out = append(out, l.all("Author")...)
			}
		}
		return out
	}
	var truth = func(is bool) any {
		if is {
			return true
		}
		return nil
	}
	linked := func(how string) bool {
		return slices.ContainsFunc(record.all("CommentsCorrectionsList/CommentsCorrections"),
			func(c *branch) bool { return c.attr["RefType"] == how })
	}
	var journal, book any
	title, people := article.word("ArticleTitle"), byType("authors", article.all("AuthorList"))
	if j := article.one("Journal"); j != nil {
		info := record.one("MedlineJournalInfo")
		journal = mappingtest.Object("title", j.word("Title"), "isoAbbreviation", j.word("ISOAbbreviation"), "medlineAbbreviation",
			info.word("MedlineTA"),
			"nlmUniqueId", info.word("NlmUniqueID"), "issn", or(j.word("ISSN"), info.word("ISSNLinking")),
			"volume", j.word("JournalIssue/Volume"), "issue", j.word("JournalIssue/Issue"), "pages", wantPages(article.one("Pagination")),
			"eLocation", firstWith(article.all("ELocationID"), "EIdType", "pii"), "publicationDate",
			wantDate(j.one("JournalIssue/PubDate")))
	}
	if b := record.one("Book"); b != nil {
		if title == "" {
			title = b.word("BookTitle")
			for _, kind := range []string{"authors", "editors"} {
				if len(people) == 0 {
					people = byType(kind, slices.Concat(b.all("AuthorList"), record.all("AuthorList")))
				}
			}
		}
		var labels []string
		for _, l := range record.wordsOf("LocationLabel") {
			labels = append(labels, l.(string))
		}
		book = mappingtest.Object("title", b.word("BookTitle"), "collectionTitle", b.word("CollectionTitle"), "publisher",
			b.word("Publisher/PublisherName"),
			"publisherLocation", b.word("Publisher/PublisherLocation"), "edition", b.word("Edition"), "volume", b.word("Volume"),
			"isbn", b.wordsOf("Isbn"), "authors", wantAuthors(byType("authors", b.all("AuthorList"))),
			"editors", wantAuthors(slices.Concat(byType("editors", b.all("AuthorList")), byType("editors", record.all("AuthorList")))),
			"publicationDate", wantDate(b.one("PubDate")), "contributionDate", wantDate(record.one("ContributionDate")),
			"section", strings.Join(labels, ", "), "pages", wantPages(record.one("Pagination")), "accession",
			firstWith(ids, "IdType", "bookaccession"))
	}
	banks := article.all("DataBankList/DataBank")
	return mappingtest.Object(
		"pmid", record.word("PMID"), "title", title, "vernacularTitle", article.word("VernacularTitle"),
		"abstractText", text, "abstractSections", sections, "abstractCopyright", article.word("Abstract/CopyrightInformation"),
		"otherAbstracts", readEach(record.all("OtherAbstract"), func(o *branch) any {
			text, _ := wantAbstract(o)
			return mappingtest.Object("type", o.attr["Type"], "language", o.attr["Language"], "text", text)
		}),
		"authors", wantAuthors(people),
		"authorsIncomplete", truth(slices.ContainsFunc(article.all("AuthorList"),
			func(l *branch) bool { return l.attr["CompleteYN"] == "N" })),
		"journalInfo", journal, "book", book,
		"electronicDate", wantISO(article.one("ArticleDate")), "revisedDate", wantISO(record.one("DateRevised")),
		"publicationStatus", data.word("PublicationStatus"),
		"languages", article.wordsOf("Language"), "publicationTypes", types,
		"retracted", truth(slices.Contains(types, any("Retracted Publication")) || linked("RetractionIn")),
		"expressionOfConcern", truth(linked("ExpressionOfConcernIn")),
		"corrections", readEach(record.all("CommentsCorrectionsList/CommentsCorrections"), func(c *branch) any {
			if c.attr["RefType"] == "Cites" {
				return nil
			}
			return mappingtest.Object("type", c.attr["RefType"], "source", c.word("RefSource"), "pmid", c.word("PMID"),
				"note", c.word("Note"))
		}),
		"keywords", mappingtest.Distinct(record.wordsOf("KeywordList/Keyword")), "meshTerms", wantMeshTerms(record),
		"chemicals", readEach(record.all("ChemicalList/Chemical"), func(c *branch) any {
			number := c.word("RegistryNumber")
			if number == "0" {
				number = ""
			}
			return mappingtest.Object("name", c.word("NameOfSubstance"), "registryNumber", number,
				"ui", c.one("NameOfSubstance").attr["UI"])
		}),
		"grantList", readEach(article.all("GrantList/Grant"), func(g *branch) any {
			return mappingtest.Object("grantId", g.word("GrantID"), "agency", g.word("Agency"), "acronym", g.word("Acronym"), "country",
				g.word("Country"))
		}),
		"doi", or(firstWith(article.all("ELocationID"), "EIdType", "doi"), firstWith(ids, "IdType", "doi")),
		"pmcid", firstWith(ids, "IdType", "pmc"),
		"pii", or(firstWith(ids, "IdType", "pii"), firstWith(article.all("ELocationID"), "EIdType", "pii")),
		"nctIds",
		mappingtest.Distinct(readEach(article.all("DataBankList/DataBank/AccessionNumberList/AccessionNumber"), func(n *branch) any {
			if digits, ok := strings.CutPrefix(n.words(), "NCT"); ok {
				return "NCT:" + digits
			}
			return nil
		})),
		"dataBanks", readEach(banks, func(d *branch) any {
			return mappingtest.Object("name", d.word("DataBankName"), "accessionNumbers", d.wordsOf("AccessionNumberList/AccessionNumber"))
		}),
		"coiStatement", record.word("CoiStatement"), "referenceCount", positive(references),
	)
}

func wantMeshTerms(record *branch) []any {
	var out []any
	for _, h := range record.all("MeshHeadingList/MeshHeading") {
		d := h.one("DescriptorName")
		row := func(q *branch) any {
			major, ui := d.attr["MajorTopicYN"] == "Y", ""
			if q != nil {
				major, ui = major || q.attr["MajorTopicYN"] == "Y", q.attr["UI"]
			}
			return mappingtest.Object("descriptorName", d.words(), "qualifierName", q.words(), "isMajorTopic", major, "ui", d.attr["UI"],
				"qualifierUi", ui)
		}
		if len(h.all("QualifierName")) == 0 {
			out = append(out, row(nil))
		}
		for _, q := range h.all("QualifierName") {
			out = append(out, row(q))
		}
	}
	return out
}

// letters returns the letters and digits of a text, sorted. They do not depend on how a formula is written.
func letters(text string) string {
	var out []rune
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out = append(out, r)
		}
	}
	slices.Sort(out)
	return string(out)
}

// sortLetters makes texts with formulas comparable.
func sortLetters(values ...map[string]any) {
	for _, v := range values {
		for key, text := range v {
			switch text := text.(type) {
			case string:
				v[key] = letters(text)
			case []any:
				for i := range text {
					if s, ok := text[i].(map[string]any); ok && s["text"] != nil {
						s["text"] = letters(s["text"].(string))
					}
				}
			}
		}
	}
}

// TestArticleCorpusLosesNothing compares the mapped articles with an independent reading of the same XML.
func TestArticleCorpusLosesNothing(t *testing.T) {
	t.Parallel()
	total := map[string]int{}
	for name, set := range corpusSets(t) {
		root := branchOf(t, set)
		want := root.all("PubmedArticle|PubmedBookArticle")
		got, err := mapArticles(set)
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %d articles of %d, %v", name, len(got), len(want), err)
			continue
		}
		for i := range got {
			count(total, &got[i])
			id := name + " " + got[i].PMID
			for _, p := range articleProblems(t, &got[i]) {
				t.Errorf("%s: %s", id, p)
			}
			w, g := wantArticle(want[i]).(map[string]any), mappingtest.PlainJSON(t, got[i])
			delete(g, "trialNumbers") // TestTrialNumbers has them
			if want[i].deep("math") > 0 {
				sortLetters(w, g)
			}
			mappingtest.Differ(t, id, "article", w, g)
		}
		parts, err := entrez.SplitArticles(bytes.NewReader(set))
		expect.That(t, err == nil, "%s: %v", name, err)
		for i, a := range got {
			if slices.ContainsFunc(got[i+1:], func(b entity.Article) bool { return a.PMID == b.PMID }) {
				continue // the last one of a PMID counts
			}
			one, err := mapArticles(fmt.Appendf(nil, "<PubmedArticleSet>%s</PubmedArticleSet>", parts[a.PMID]))
			if err != nil || len(one) != 1 {
				t.Errorf("%s: the article split off gives %d articles, %v", name, len(one), err)
				continue
			}
			mappingtest.Differ(t, name+" "+a.PMID, "article split off", mappingtest.PlainJSON(t, a), mappingtest.PlainJSON(t, one[0]))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(total)) {
		t.Logf("%6d %s", total[key], key)
	}
}

func count(total map[string]int, a *entity.Article) {
	lines := func(s string) int {
		if s == "" {
			return 0
		}
		return 1 + strings.Count(s, "\n")
	}
	given := func(s string) int { return min(1, len(s)) }
	for key, n := range map[string]int{
		"articles": 1, "titles": given(a.Title), "abstracts": given(a.AbstractText), "abstract lines": lines(a.AbstractText),
		"abstract categories": len(a.AbstractSections),
		"other abstracts":     len(a.OtherAbstracts), "authors": len(a.Authors), "MeSH pairs": len(a.MeshTerms),
		"chemicals": len(a.Chemicals),
		"grants":    len(a.GrantList), "keywords": len(a.Keywords), "publication types": len(a.PublicationTypes),
		"data banks": len(a.DataBanks), "trials": len(a.NCTIDs), "corrections": len(a.Corrections), "references": a.ReferenceCount,
		"DOIs": given(a.DOI), "PMCIDs": given(a.PMCID), "PIIs": given(a.PII),
	} {
		total[key] += n
	}
	if a.Book != nil {
		total["books"]++
	}
	for i := range a.Authors {
		total["ORCIDs"] += given(a.Authors[i].ORCID)
		total["affiliations"] += given(a.Authors[i].Affiliation) + len(a.Authors[i].Affiliations)
	}
}

// TestArticleCorpusCut: a truncated response is an error, at any position.
func TestArticleCorpusCut(t *testing.T) {
	t.Parallel()
	cuts := 0
	for name, set := range corpusSets(t) {
		end := bytes.LastIndex(set, []byte("</PubmedArticleSet>")) + len("</PubmedArticleSet>")
		places := []int{0, 1, end - 1, end - len("</PubmedArticleSet>")}
		for i := 1; i < 20; i++ {
			places = append(places, i*end/20)
		}
		for i, n := 0, 0; ; n++ { // after each article, of a large set after some
			next := bytes.Index(set[i:], []byte("Article>"))
			if next < 0 || i > end {
				break
			}
			i += next + len("Article>")
			if n%(1+end/50_000) == 0 {
				places = append(places, min(i, end-1))
			}
		}
		for _, at := range places {
			cuts++
			if _, err := mapArticles(set[:at]); err == nil {
				t.Errorf("%s cut at byte %d of %d is taken for whole", name, at, end)
			}
			if _, err := entrez.SplitArticles(bytes.NewReader(set[:at])); err == nil {
				t.Errorf("%s cut at byte %d of %d is split as whole", name, at, end)
			}
		}
	}
	t.Logf("%d cuts", cuts)
}

func BenchmarkArticles(b *testing.B) {
	sets := corpusSets(b)
	size := 0
	for _, set := range sets {
		size += len(set)
	}
	run := func(name string, read func(set []byte) error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, set := range sets {
					expect.NoError(b, read(set))
				}
			}
		})
	}
	bare := func(next func(*xml.Decoder) (xml.Token, error)) func([]byte) error {
		return func(set []byte) error {
			for dec := xml.NewDecoder(bytes.NewReader(set)); ; {
				if _, err := next(dec); errors.Is(err, io.EOF) {
					return nil
				} else if err != nil {
					return err
				}
			}
		}
	}
	run("mapped", func(set []byte) error { _, err := mapArticles(set); return err })
	run("read", func(set []byte) error {
		return entrez.ReadArticles(bytes.NewReader(set), func(*entrez.Article) error { return nil })
	})
	run("split", func(set []byte) error { _, err := entrez.SplitArticles(bytes.NewReader(set)); return err })
	run("bare Token", bare((*xml.Decoder).Token))
	run("bare RawToken", bare((*xml.Decoder).RawToken))
}
