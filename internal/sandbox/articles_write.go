package sandbox

import (
	"net/http"
	"strconv"
	"strings"
)

// The frame of a PubmedArticleSet. The prolog has no encoding: what follows is
// ASCII.
const (
	articleSetOpen = `<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
<PubmedArticleSet>
`
	articleSetClose = "</PubmedArticleSet>\n"
)

// fetch writes the records in a row and leaves out those that there are not.
// PubMed has no JSON: it answers in XML unless text was asked for.
func (a *articles) fetch(uids []uint64, f form) (answer, error) {
	var known []*article
	for _, uid := range uids {
		if record := a.byID[uid]; record != nil {
			known = append(known, record)
		}
	}
	switch {
	case f == form{"text", "medline"}:
		return answer{status: http.StatusOK, contentType: "text/plain; charset=UTF-8", body: []byte(articleText(known))}, nil
	case f.mode != "xml":
		return f.refused(), nil
	}
	var out strings.Builder
	out.WriteString(articleSetOpen)
	if len(known) == 0 {
		out.Reset()
		out.WriteString(strings.TrimSuffix(articleSetOpen, "\n"))
	}
	for _, record := range known {
		out.WriteString(record.xml())
	}
	if len(known) > 0 {
		out.WriteByte('\n')
	}
	out.WriteString(articleSetClose)
	return answer{status: http.StatusOK, contentType: "text/xml; charset=UTF-8", body: []byte(out.String())}, nil
}

// xml is the record in one line of ASCII, or as it stands in its file.
func (a *article) xml() string {
	if a.raw != "" {
		return a.raw
	}
	root := el("PubmedArticle", a.citation(), a.data())
	if a.Book != nil {
		root = el("PubmedBookArticle", a.document(), a.bookData())
	}
	return root.ascii()
}

// tag is the name of an element with its attributes, in pairs. Those without a
// value are left out.
func tag(name string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			name += " " + pairs[i] + `="` + escapedAttribute.Replace(pairs[i+1]) + `"`
		}
	}
	return name
}

var escapedAttribute = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// ymd are the elements of a date like 2010-02-06.
func ymd(date string) []any {
	part := strings.SplitN(date, "-", 3)
	if len(part) < 3 {
		return nil
	}
	return []any{el("Year", part[0]), el("Month", part[1]), el("Day", part[2])}
}

func (a *article) pmid() element { return el(`PMID Version="1"`, decimal(a.PMID)) }

func (a *article) citation() element {
	indexing := ""
	if a.medline() {
		indexing = "Manual"
	}
	var chemicals, remarks, subjects []any
	for _, c := range a.Chemicals {
		chemicals = append(chemicals, el("Chemical", el("RegistryNumber", c.Registry), c.Name.element("NameOfSubstance")))
	}
	for _, r := range a.Remarks {
		remarks = append(remarks, el(tag("CommentsCorrections", "RefType", r.Kind), el("RefSource", r.Source), pmidOf(r.PMID)))
	}
	for _, s := range a.MeSH {
		qualifiers := eachOf(s.Qualifiers, func(q heading) any { return q.element("QualifierName") })
		subjects = append(subjects, el("MeshHeading", s.Descriptor.element("DescriptorName"), qualifiers))
	}
	subset := any(nil)
	if a.medline() {
		subset = el("CitationSubset", "IM")
	}
	return el(tag("MedlineCitation", "Status", a.Status, "Owner", "NLM", "IndexingMethod", indexing),
		a.pmid(), some("DateCompleted", ymd(a.Completed)), some("DateRevised", ymd(a.Revised)), a.article(),
		el("MedlineJournalInfo", some("Country", a.Journal.Country), el("MedlineTA", a.Journal.Short), some("NlmUniqueID", a.Journal.NLM), some("ISSNLinking", a.Journal.issn())),
		some("ChemicalList", chemicals), subset, some("CommentsCorrectionsList", remarks), some("MeshHeadingList", subjects),
		a.keywords(), some("CoiStatement", a.Conflicts))
}

func (j journal) issn() string {
	if j.Print != "" {
		return j.Print
	}
	return j.Online
}

func pmidOf(pmid uint64) any {
	if pmid == 0 {
		return nil
	}
	return el(`PMID Version="1"`, decimal(pmid))
}

func (h heading) element(name string) element {
	return el(tag(name+` UI="`+h.UI+`"`, "MajorTopicYN", h.Major), h.Name)
}

func (a *article) keywords() any {
	words := eachOf(a.Keywords, func(k keyword) any { return el(tag("Keyword", "MajorTopicYN", k.Major), k.Text) })
	return some(`KeywordList Owner="NOTNLM"`, words)
}

func (a *article) article() element {
	issn, kind, medium := a.Journal.Print, "Print", "Print"
	if a.Journal.Online != "" {
		issn, kind, medium = a.Journal.Online, "Electronic", "Internet"
	}
	var banks []any
	for _, b := range a.Databanks {
		banks = append(banks, el("DataBank", el("DataBankName", b.Name), some("AccessionNumberList", repeated("AccessionNumber", b.IDs))))
	}
	places := []any{a.pagination(), located("pii", a.PII), located("doi", a.DOI)}
	return el(tag("Article", "PubModel", a.Model),
		el("Journal", some(tag("ISSN", "IssnType", kind), issn),
			el(tag("JournalIssue", "CitedMedium", medium), some("Volume", a.Volume), some("Issue", a.Issue), el("PubDate", pubDate(a.Date)...)),
			el("Title", a.Journal.Title), el("ISOAbbreviation", a.Journal.ISO)),
		el("ArticleTitle", a.Title), places, a.abstract(), authorList("", a.Authors, a.More),
		repeated("Language", a.Languages), some(`DataBankList CompleteYN="Y"`, banks), a.grants(),
		el("PublicationTypeList", eachOf(a.Types, func(h heading) any { return h.element("PublicationType") })),
		some("VernacularTitle", a.Vernacular), some(`ArticleDate DateType="Electronic"`, ymd(a.Online)))
}

// pubDate are the elements of a date as a citation prints it. A run of months
// within a year is a season; what is no date of the calendar stays as it is.
func pubDate(date string) []any {
	year, rest, _ := strings.Cut(date, " ")
	month, day, _ := strings.Cut(rest, " ")
	if _, err := strconv.Atoi(year); err != nil || len(year) != 4 {
		return []any{el("MedlineDate", date)}
	}
	_, err := strconv.Atoi(day)
	switch {
	case rest == "":
		return []any{el("Year", year)}
	case monthNumber(month) != "" && (day == "" || err == nil):
		return []any{el("Year", year), el("Month", month), some("Day", leadingZero(day))}
	case !strings.ContainsAny(rest, "0123456789"):
		return []any{el("Year", year), el("Season", rest)}
	}
	return []any{el("MedlineDate", date)}
}

func leadingZero(number string) string {
	if len(number) == 1 {
		return "0" + number
	}
	return number
}

var months = []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

// monthNumber is 02 for Feb, or "".
func monthNumber(name string) string {
	for i, month := range months {
		if name == month {
			return leadingZero(strconv.Itoa(i + 1))
		}
	}
	return ""
}

func (a *article) pagination() any {
	if a.Pages == "" {
		return nil
	}
	first, last, ranged := strings.Cut(a.Pages, "-")
	if !ranged {
		return el("Pagination", el("StartPage", first), el("MedlinePgn", a.Pages))
	}
	if len(last) < len(first) { // 2117-28
		last = first[:len(first)-len(last)] + last
	}
	return el("Pagination", el("StartPage", first), el("EndPage", last), el("MedlinePgn", a.Pages))
}

func located(kind, id string) any {
	return some(tag("ELocationID", "EIdType", kind, "ValidYN", "Y"), id)
}

func (a *article) abstract() any {
	var sections []any
	for _, s := range a.Abstract {
		sections = append(sections, el(tag("AbstractText", "Label", s.Label, "NlmCategory", s.Category), s.Text))
	}
	return some("Abstract", sections)
}

// authorList writes a list of authors; in books it is of a kind.
func authorList(kind string, all []author, more bool) any {
	var people []any
	for _, p := range all {
		var places []any
		for _, place := range p.Affiliations {
			places = append(places, el("AffiliationInfo", el("Affiliation", place)))
		}
		people = append(people, el(`Author ValidYN="Y"`, some("LastName", p.Last), some("ForeName", p.Fore), some("Initials", p.Initials),
			some("Suffix", p.Suffix), some("CollectiveName", p.Collective), some(`Identifier Source="ORCID"`, p.ORCID), places))
	}
	return some(tag("AuthorList", "Type", kind, "CompleteYN", yesNo(!more)), people)
}

func (a *article) grants() any {
	var all []any
	for _, g := range a.Grants {
		all = append(all, el("Grant", some("GrantID", g.ID), some("Acronym", g.Acronym), el("Agency", g.Agency), some("Country", g.Country)))
	}
	return some(`GrantList CompleteYN="Y"`, all)
}

func (a *article) data() element {
	ids := []any{articleID("pubmed", decimal(a.PMID)), articleID("pmc", a.PMC), articleID("doi", a.DOI), articleID("pii", a.PII)}
	var references []any
	for _, r := range a.References {
		pmid := ""
		if r.PMID != 0 {
			pmid = decimal(r.PMID)
		}
		references = append(references, el("Reference", el("Citation", r.Citation),
			some("ArticleIdList", []any{articleID("doi", r.DOI), articleID("pubmed", pmid)})))
	}
	return el("PubmedData", a.history(), el("PublicationStatus", a.Published), el("ArticleIdList", ids), some("ReferenceList", references))
}

func articleID(kind, id string) any { return some(tag("ArticleId", "IdType", kind), id) }

func (a *article) history() any {
	var events []any
	for _, e := range a.History {
		date, clock, timed := strings.Cut(e.Date, " ")
		part := ymd(date)
		for i, p := range part[1:] { // without the leading zeros of other dates
			p := p.(element)
			part[i+1] = el(p.name, strings.TrimPrefix(p.contents[0].(string), "0"))
		}
		if hour, minute, ok := strings.Cut(clock, ":"); timed && ok {
			h, _ := strconv.Atoi(hour)
			m, _ := strconv.Atoi(minute)
			part = append(part, el("Hour", strconv.Itoa(h)), el("Minute", strconv.Itoa(m)))
		}
		events = append(events, el(tag("PubMedPubDate", "PubStatus", e.Kind), part))
	}
	return some("History", events)
}

// document is a book, or a chapter of one, in place of a citation.
func (a *article) document() element {
	b := a.Book
	title := some(tag("ArticleTitle", "book", b.ID, "part", b.Part), a.Title)
	authors := authorList("authors", a.Authors, a.More)
	var ofBook, ofChapter any = nil, authors
	if a.Title == "" {
		ofBook, ofChapter = authors, nil
	}
	var sections []any
	for _, s := range b.Sections {
		sections = append(sections, el("Section", el(tag("SectionTitle", "book", b.ID, "part", b.Part), s)))
	}
	return el("BookDocument", a.pmid(), el("ArticleIdList", articleID("bookaccession", b.Accession)),
		el("Book", el("Publisher", el("PublisherName", b.Publisher), some("PublisherLocation", b.Place)),
			el(tag("BookTitle", "book", b.ID), b.Title), el("PubDate", pubDate(a.Date)...),
			some("BeginningDate", some("Year", b.Begin)), some("EndingDate", some("Year", b.End)), authorList("editors", b.Editors, false), ofBook, some("Medium", b.Medium)),
		title, repeated("Language", a.Languages), ofChapter, eachOf(a.Types, func(h heading) any { return h.element("PublicationType") }),
		a.abstract(), some("Sections", sections), a.keywords(), some("DateRevised", ymd(a.Revised)), a.grants())
}

func (a *article) bookData() element {
	return el("PubmedBookData", a.history(), el("PublicationStatus", a.Published), el("ArticleIdList", articleID("pubmed", decimal(a.PMID))))
}
