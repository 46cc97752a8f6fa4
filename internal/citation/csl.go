package citation

import (
	"cmp"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// CSL returns an article as one item of CSL-JSON, which Zotero, Pandoc and all processors of the Citation Style Language read. Its id is
// the key of BibTeX.
func CSL(a entity.Article) string {
	w := newWork(a)
	item := cslItem{
		ID: w.key, Type: cslTypes[w.kind], Title: w.fullTitle(), Author: cslNames(w.authors), Editor: cslNames(w.editors),
		Container: w.container, ContainerShort: w.short, Collection: w.series, Volume: w.volume, Issue: w.issue, Edition: w.edition,
		Page: w.pages.write(func(s span) string { return s.join("-") }), Publisher: w.publisher, Place: w.place, Issued: w.date.csl(),
		DOI: w.doi, PMID: w.pmid, PMCID: w.pmcid, URL: w.recordURL(), Source: "PubMed", Language: w.cslLanguage(),
		Keyword: strings.Join(w.keywords, ", "), Abstract: w.abstract,
		Note: joinNonEmpty(" ", w.remark(), when(w.authorsCut, "The record does not list all authors.")),
	}
	if w.kind == journal {
		item.ISSN = strings.Join(w.serials, ", ")
	} else {
		item.ISBN = strings.Join(w.serials, ", ")
	}
	if w.kind == chapter {
		item.Chapter = strings.TrimPrefix(w.section, "Chapter ")
	}
	if w.aheadOfPrint {
		item.Status = "advance online publication"
	}
	text, err := entity.JSON(item)
	if err != nil { // a struct of texts and numbers always encodes
		return ""
	}
	return string(text)
}

// A cslItem is an item in the schema of CSL-JSON.
type cslItem struct {
	ID             string    `json:"id"`
	Type           string    `json:"type"`
	Title          string    `json:"title,omitempty"`
	Author         []cslName `json:"author,omitempty"`
	Editor         []cslName `json:"editor,omitempty"`
	Container      string    `json:"container-title,omitempty"`
	ContainerShort string    `json:"container-title-short,omitempty"`
	Collection     string    `json:"collection-title,omitempty"`
	Volume         string    `json:"volume,omitempty"`
	Issue          string    `json:"issue,omitempty"`
	Edition        string    `json:"edition,omitempty"`
	Chapter        string    `json:"chapter-number,omitempty"`
	Page           string    `json:"page,omitempty"`
	Publisher      string    `json:"publisher,omitempty"`
	Place          string    `json:"publisher-place,omitempty"`
	Issued         *cslDate  `json:"issued,omitempty"`
	Status         string    `json:"status,omitempty"`
	ISSN           string    `json:"ISSN,omitempty"`
	ISBN           string    `json:"ISBN,omitempty"`
	DOI            string    `json:"DOI,omitempty"`
	PMID           string    `json:"PMID,omitempty"`
	PMCID          string    `json:"PMCID,omitempty"`
	URL            string    `json:"URL,omitempty"`
	Source         string    `json:"source,omitempty"`
	Language       string    `json:"language,omitempty"`
	Keyword        string    `json:"keyword,omitempty"`
	Note           string    `json:"note,omitempty"`
	Abstract       string    `json:"abstract,omitempty"`
}

type cslName struct {
	Literal string `json:"literal,omitempty"` // of a group
	Family  string `json:"family,omitempty"`
	Given   string `json:"given,omitempty"`
	Suffix  string `json:"suffix,omitempty"`
}

// A cslDate has one date, or the two dates of a range.
type cslDate struct {
	Parts  [][]int `json:"date-parts"`
	Season string  `json:"season,omitempty"`
}

var cslTypes = [...]string{other: "article", journal: "article-journal", chapter: "chapter", book: "book"}

func cslNames(all []person) []cslName {
	var out []cslName
	for _, p := range all {
		out = append(out, cslName{Literal: p.group, Family: p.last, Given: p.given, Suffix: p.suffix})
	}
	return out
}

func (d date) csl() *cslDate {
	if len(d.years) == 0 {
		return nil
	}
	out := &cslDate{Season: d.season}
	for i := range max(len(d.years), len(d.months)) {
		part := []int{d.years[min(i, len(d.years)-1)]}
		if len(d.months) > 0 {
			part = append(part, int(d.months[min(i, len(d.months)-1)]))
		}
		if d.day > 0 && len(d.months) == 1 {
			part = append(part, d.day)
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}

// cslLanguage returns the two-letter code of the first language, which processors know, or else the code of the record.
func (w *work) cslLanguage() string {
	if len(w.languages) == 0 {
		return ""
	}
	return cmp.Or(languages[w.languages[0]].code, w.languages[0])
}
