package sandbox

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// articleText is EFetch's MEDLINE text.
func articleText(list []*article) string {
	return "\n" + strings.Join(eachOf(list, (*article).medlineText), "\n")
}

// lineWidth is where lines of text are broken, as upstream.
const lineWidth = 87

// medlineLines are fields in the format of MEDLINE: a tag in four places, a dash,
// and lines that go on after six blanks.
type medlineLines struct{ out strings.Builder }

func (m *medlineLines) add(tag, text string) {
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

// remarkTags are the tags of remarks.
var remarkTags = map[string]string{
	"CommentIn": "CIN", "CommentOn": "CON", "ErratumIn": "EIN", "ErratumFor": "EFR", "RetractionIn": "RIN", "RetractionOf": "ROF", "PartialRetractionIn": "PRIN",
	"PartialRetractionOf": "PROF", "ExpressionOfConcernIn": "ECI", "ExpressionOfConcernFor": "ECF", "UpdateIn": "UIN", "UpdateOf": "UOF",
	"RepublishedIn": "RPI", "RepublishedFrom": "RPF", "SummaryForPatientsIn": "SPIN", "OriginalReportIn": "ORI", "AssociatedDataset": "ADI", "AssociatedPublication": "ADP",
}

func (a *article) medlineText() string {
	var m medlineLines
	m.add("PMID", decimal(a.PMID))
	m.add("OWN", "NLM")
	m.add("STAT", a.Status)
	m.add("DCOM", strings.ReplaceAll(a.Completed, "-", ""))
	m.add("LR", strings.ReplaceAll(a.Revised, "-", ""))
	for _, issn := range [][2]string{{a.Journal.Online, "Electronic"}, {a.Journal.Print, "Print"}} {
		if issn[0] != "" {
			m.add("IS", issn[0]+" ("+issn[1]+")")
		}
	}
	m.add("VI", a.Volume)
	m.add("IP", a.Issue)
	m.add("DP", a.Date)
	m.add("TI", a.Title.plain())
	m.add("PG", a.Pages)
	if a.DOI != "" && a.Book == nil {
		m.add("LID", a.DOI+" [doi]")
	}
	m.add("AB", a.oneAbstract())
	m.people("FAU", "AU", a.Authors)
	if a.Book != nil {
		m.people("FED", "ED", a.Book.Editors)
	}
	for _, language := range a.Languages {
		m.add("LA", language)
	}
	for _, bank := range a.Databanks {
		for _, id := range bank.IDs {
			m.add("SI", bank.Name+"/"+id)
		}
	}
	for _, g := range a.Grants {
		var parts []string
		for _, part := range []string{g.ID, g.Acronym, g.Agency, g.Country} {
			if part != "" {
				parts = append(parts, part)
			}
		}
		m.add("GR", strings.Join(parts, "/"))
	}
	for _, kind := range a.Types {
		m.add("PT", kind.Name)
	}
	m.add("TT", a.Vernacular.plain())
	m.add("DEP", strings.ReplaceAll(a.Online, "-", ""))
	m.add("PL", a.Journal.Country)
	m.add("TA", a.Journal.Short)
	m.add("JT", a.Journal.Title)
	m.add("JID", a.Journal.NLM)
	if b := a.Book; b != nil {
		m.add("PB", b.Publisher)
		m.add("PL", b.Place)
		m.add("BTI", b.Title.plain())
		m.add("AID", b.Accession+" [bookaccession]")
	}
	for _, c := range a.Chemicals {
		m.add("RN", c.Registry+" ("+c.Name.Name+")")
	}
	if a.medline() {
		m.add("SB", "IM")
	}
	for _, r := range a.Remarks {
		text := r.Source
		if r.PMID != 0 {
			text += " PMID: " + decimal(r.PMID)
		}
		if tag := remarkTags[r.Kind]; tag != "" {
			m.add(tag, text)
		}
	}
	for _, s := range a.MeSH {
		m.add("MH", s.medline())
	}
	m.add("PMC", a.PMC)
	for _, k := range a.Keywords {
		m.add("OT", starred(k.Text.plain(), k.Major))
	}
	m.add("COIS", a.Conflicts)
	m.add("EDAT", moment(strings.ReplaceAll(a.entered(), "/", "-")))
	for _, e := range a.History {
		if e.Kind == "medline" {
			m.add("MHDA", moment(e.Date))
		}
	}
	for _, e := range a.History {
		m.add("PHST", moment(e.Date)+" ["+e.Kind+"]")
	}
	for _, id := range [][2]string{{a.PII, "pii"}, {a.DOI, "doi"}} {
		if id[0] != "" && a.Book == nil {
			m.add("AID", id[0]+" ["+id[1]+"]")
		}
	}
	m.add("PST", a.Published)
	m.add("SO", a.source())
	return m.out.String()
}

// people writes authors with their affiliations; groups have a tag of their own.
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

// oneAbstract is the abstract in a paragraph, each label before its section.
func (a *article) oneAbstract() string {
	return strings.Join(eachOf(a.Abstract, func(s section) string {
		if s.Label == "" {
			return s.Text.plain()
		}
		return s.Label + ": " + s.Text.plain()
	}), " ")
}

func starred(text, major string) string {
	if major == "Y" {
		return "*" + text
	}
	return text
}

// medline is a heading with its qualifiers: Asthma/*drug therapy/genetics.
func (s subject) medline() string {
	all := []string{starred(s.Descriptor.Name, s.Descriptor.Major)}
	for _, q := range s.Qualifiers {
		all = append(all, starred(q.Name, q.Major))
	}
	return strings.Join(all, "/")
}

// source is the citation without authors and title: Lancet. 2010 Feb
// 6;375(9713):445. doi: 10....
func (a *article) source() string {
	if a.Book != nil {
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
