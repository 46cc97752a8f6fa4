package ncbi

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// articleText returns EFetch's MEDLINE text.
func articleText(list []*article) string {
	return "\n" + strings.Join(mapSlice(list, (*article).medlineText), "\n")
}

// lineWidth is the maximum length of a line, as at NCBI.
const lineWidth = 87

// medlineLines are fields in MEDLINE format: a tag of four characters, a dash, and continuation lines after six spaces.
type medlineLines struct{ out strings.Builder }

// add writes a field for each text that is not empty.
func (m *medlineLines) add(tag string, texts ...string) {
	for _, text := range texts {
		m.field(tag, text)
	}
}

func (m *medlineLines) field(tag, text string) {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return
	}
	line := fmt.Sprintf("%-4s- ", tag)
	for i, word := range strings.Split(text, " ") {
		switch {
		case i == 0:
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > lineWidth:
			m.out.WriteString(line + "\n")
			line = "      "
		default:
			line += " "
		}
		line += word
	}
	m.out.WriteString(line + "\n")
}

// remarkTags are the tags of remarks by kind.
var remarkTags = map[string]string{
	"CommentIn": "CIN", "CommentOn": "CON", "ErratumIn": "EIN", "ErratumFor": "EFR", "RetractionIn": "RIN", "RetractionOf": "ROF",
	"PartialRetractionIn": "PRIN", "PartialRetractionOf": "PROF", "ExpressionOfConcernIn": "ECI", "ExpressionOfConcernFor": "ECF",
	"UpdateIn": "UIN", "UpdateOf": "UOF",
	"RepublishedIn": "RPI", "RepublishedFrom": "RPF", "SummaryForPatientsIn": "SPIN", "OriginalReportIn": "ORI",
	"AssociatedDataset": "ADI", "AssociatedPublication": "ADP",
}

func (a *article) medlineText() string {
	var m medlineLines
	m.add("PMID", decimal(a.PMID))
	m.add("OWN", "NLM")
	m.add("STAT", a.Status)
	m.add("DCOM", strings.ReplaceAll(a.Completed, "-", ""))
	m.add("LR", strings.ReplaceAll(a.Revised, "-", ""))
	m.add("IS", withSuffix(a.Journal.Online, " (Electronic)"), withSuffix(a.Journal.Print, " (Print)"))
	m.add("VI", a.Volume)
	m.add("IP", a.Issue)
	m.add("DP", a.Date)
	m.add("TI", a.Title.text())
	m.add("PG", a.Pages)
	if !a.IsBook {
		m.add("LID", withSuffix(a.DOI, " [doi]"))
	}
	m.add("AB", a.oneAbstract())
	m.people("FAU", "AU", a.Authors)
	m.people("FED", "ED", a.Book.Editors)
	m.add("LA", a.Languages...)
	for _, bank := range a.Databanks {
		for _, id := range bank.IDs {
			m.add("SI", bank.Name+"/"+id)
		}
	}
	m.grants(a.Grants)
	for _, kind := range a.Types {
		m.add("PT", kind.Name)
	}
	m.add("TT", a.Vernacular.text())
	m.add("DEP", strings.ReplaceAll(a.Online, "-", ""))
	m.add("PL", a.Journal.Country)
	m.add("TA", a.Journal.Short)
	m.add("JT", a.Journal.Title)
	m.add("JID", a.Journal.NLM)
	if a.IsBook {
		m.add("PB", a.Book.Publisher)
		m.add("PL", a.Book.Place)
		m.add("BTI", a.Book.Title.text())
		m.add("AID", a.Book.Accession+" [bookaccession]")
	}
	for _, c := range a.Chemicals {
		m.add("RN", c.Registry+" ("+c.Name.Name+")")
	}
	if a.medline() {
		m.add("SB", "IM")
	}
	m.remarks(a.Remarks)
	for _, s := range a.MeSH {
		m.add("MH", s.medline())
	}
	m.add("PMC", a.PMC)
	for _, k := range a.Keywords {
		m.add("OT", withStar(k.Text.text(), k.Major))
	}
	m.add("COIS", a.Conflicts)
	m.add("EDAT", slashDateTime(strings.ReplaceAll(a.entered(), "/", "-")))
	m.history(a.History)
	if !a.IsBook {
		m.add("AID", withSuffix(a.PII, " [pii]"), withSuffix(a.DOI, " [doi]"))
	}
	m.add("PST", a.Published)
	m.add("SO", a.source())
	return m.out.String()
}

// withSuffix adds a suffix to a text that is not empty.
func withSuffix(text, suffix string) string {
	if text == "" {
		return ""
	}
	return text + suffix
}

func (m *medlineLines) grants(all []grant) {
	for _, g := range all {
		parts := []string{g.ID, g.Acronym, g.Agency, g.Country}
		m.add("GR", strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "/"))
	}
}

// remarks writes the links to other publications. Each kind has its own tag.
func (m *medlineLines) remarks(all []remark) {
	for _, r := range all {
		text := r.Source
		if r.PMID != 0 {
			text += " PMID: " + decimal(r.PMID)
		}
		if tag := remarkTags[r.Kind]; tag != "" {
			m.add(tag, text)
		}
	}
}

// history writes the date of indexing, and then the events.
func (m *medlineLines) history(all []event) {
	for _, e := range all {
		if e.Kind == "medline" {
			m.add("MHDA", slashDateTime(e.Date))
		}
	}
	for _, e := range all {
		m.add("PHST", slashDateTime(e.Date)+" ["+e.Kind+"]")
	}
}

// people writes authors with their affiliations. Groups have a tag of their own.
func (m *medlineLines) people(full, short string, all []author) {
	for _, p := range all {
		if p.Collective != "" {
			m.add("CN", p.Collective)
			continue
		}
		m.add(full, p.fullName())
		m.add(short, p.name())
		if p.ORCID != "" {
			m.add("AUID", "ORCID: "+p.ORCID)
		}
		for _, place := range p.Affiliations {
			m.add("AD", place)
		}
	}
}

// oneAbstract returns the abstract as one paragraph, with each label before its section.
func (a *article) oneAbstract() string {
	return strings.Join(mapSlice(a.Abstract, func(s section) string {
		if s.Label == "" {
			return s.Text.text()
		}
		return s.Label + ": " + s.Text.text()
	}), " ")
}

func withStar(text, major string) string {
	if major == "Y" {
		return "*" + text
	}
	return text
}

// medline returns a heading with its qualifiers: Asthma/*drug therapy/genetics.
func (s subject) medline() string {
	all := []string{withStar(s.Descriptor.Name, s.Descriptor.Major)}
	for _, q := range s.Qualifiers {
		all = append(all, withStar(q.Name, q.Major))
	}
	return strings.Join(all, "/")
}

// source returns the citation without authors and title: Lancet. 2010 Feb 6;375(9713):445. doi: 10....
func (a *article) source() string {
	if a.IsBook {
		return a.Date + "."
	}
	text := a.Journal.Short + ". " + a.Date + ";" + a.Volume
	if a.Issue != "" {
		text += "(" + a.Issue + ")"
	}
	if a.Pages != "" {
		text += ":" + a.Pages
	}
	text += "."
	if a.DOI != "" {
		text += " doi: " + a.DOI + "."
	}
	if epub := a.epub(); epub != "" && strings.Contains(a.Model, "Print-E") {
		text += " Epub " + epub + "."
	}
	return text
}
