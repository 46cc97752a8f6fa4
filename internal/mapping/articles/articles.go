// Package articles converts records of PubMed to entities. Its functions are pure.
package articles

import (
	"cmp"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

var orcid = lazyregexp.New(`^(?:(?:https?://)?(?:www\.)?orcid\.org/)?([0-9]{4})-?([0-9]{4})-?([0-9]{4})-?([0-9]{3}[0-9Xx])/?$`)

// Article maps a record of PubMed to the complete entity. It returns ErrIncomplete for a record without a PMID.
func Article(r *entrez.Article) (entity.Article, error) {
	a := entity.Article{
		PMID:                text.CURIE(id.PMID, r.PMID),
		Title:               text.Clean(r.Title),
		VernacularTitle:     text.Clean(r.VernacularTitle),
		AbstractText:        abstractText(r.Abstract.Texts),
		AbstractSections:    abstractSections(r.Abstract.Texts),
		AbstractCopyright:   text.Clean(r.Abstract.Copyright),
		OtherAbstracts:      otherAbstracts(r.OtherAbstracts),
		Authors:             authors(r.Authors),
		AuthorsIncomplete:   r.AuthorsIncomplete,
		JournalInfo:         journalInfo(r),
		Book:                book(r),
		ElectronicDate:      firstDate(r.ArticleDates),
		RevisedDate:         isoDate(r.DateRevised),
		PublicationStatus:   text.Clean(r.PublicationStatus),
		Languages:           text.CleanAll(r.Languages),
		PublicationTypes:    text.CleanAll(r.PublicationTypes),
		Retracted:           retracted(r),
		ExpressionOfConcern: hasCorrection(r, "ExpressionOfConcernIn"),
		Corrections:         corrections(r.Corrections),
		Keywords:            text.Distinct(r.Keywords),
		MeshTerms:           meshTerms(r.MeshHeadings),
		Chemicals:           chemicals(r.Chemicals),
		GrantList:           grants(r.Grants),
		DOI:                 text.FirstNonEmpty(eLocation(r, "doi"), articleID(r, "doi")),
		PMCID:               text.CURIE(id.PMCID, articleID(r, "pmc")),
		PII:                 text.FirstNonEmpty(articleID(r, "pii"), eLocation(r, "pii")),
		NCTIDs:              nctIDs(r.DataBanks),
		DataBanks:           dataBanks(r.DataBanks),
		COIStatement:        text.Clean(r.CoiStatement),
		ReferenceCount:      cmp.Or(max(0, r.References), r.NumberOfRefs),
	}
	if a.PMID == "" {
		return entity.Article{}, text.ErrIncomplete
	}
	a.TrialNumbers = trialNumbers(&a)
	if b := a.Book; b != nil && a.Title == "" { // the record is of the whole book
		a.Title = b.Title
		for _, people := range [][]entity.Author{b.Authors, b.Editors} {
			if len(a.Authors) == 0 {
				a.Authors = slices.Clone(people)
			}
		}
	}
	return a, nil
}

// KeywordsFromMesh gives an article without keywords the descriptors of its MeSH headings as keywords, and reports whether it did.
func KeywordsFromMesh(a *entity.Article) bool {
	if len(a.Keywords) > 0 {
		return false
	}
	var names []string
	for _, term := range a.MeshTerms {
		names = append(names, term.DescriptorName)
	}
	a.Keywords = text.Distinct(names)
	return len(a.Keywords) > 0
}

// label returns the heading of a part of an abstract. NLM writes UNLABELLED for a part without a heading.
func label(t *entrez.AbstractText) string {
	if l := strings.TrimSpace(strings.TrimSuffix(text.Clean(t.Label), ":")); l != "UNLABELLED" {
		return l
	}
	return ""
}

func abstractText(parts []entrez.AbstractText) string {
	var lines []string
	for i := range parts {
		text := text.Clean(parts[i].Text)
		if text == "" {
			continue
		}
		if l := label(&parts[i]); l != "" {
			text = l + ": " + text
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

// abstractSections returns the category of each line of an abstract that NLM gives one.
func abstractSections(parts []entrez.AbstractText) []entity.AbstractSection {
	return text.MapNonZero(parts, func(t *entrez.AbstractText) (s entity.AbstractSection) {
		if category := text.Clean(t.NlmCategory); category != "" && text.Clean(t.Text) != "" {
			s = entity.AbstractSection{Label: label(t), NLMCategory: category}
		}
		return s
	})
}

func otherAbstracts(given []entrez.Abstract) []entity.OtherAbstract {
	return text.MapNonZero(given, func(o *entrez.Abstract) (out entity.OtherAbstract) {
		if abstract := abstractText(o.Texts); abstract != "" {
			out = entity.OtherAbstract{Type: text.Clean(o.Type), Language: text.Clean(o.Language), Text: abstract}
		}
		return out
	})
}

// authors returns the authors with a name, without invalid spellings.
func authors(given []entrez.Author) []entity.Author {
	var out []entity.Author
	for i := range given {
		a := &given[i]
		author := entity.Author{
			LastName:       text.Clean(a.LastName),
			FirstName:      text.Clean(a.ForeName),
			Initials:       text.Clean(a.Initials),
			Suffix:         text.Clean(a.Suffix),
			CollectiveName: text.Clean(a.CollectiveName),
			ORCID:          authorORCID(a.Identifiers),
		}
		if a.ValidYN == "N" || author.LastName == "" && author.FirstName == "" && author.CollectiveName == "" {
			continue
		}
		if all := text.Distinct(slices.Concat(a.Affiliation, a.Affiliations)); len(all) > 0 {
			author.Affiliation, author.Affiliations = all[0], all[1:]
		}
		out = append(out, author)
	}
	return out
}

// authorORCID returns the first ORCID iD in its canonical form. Records may have it with an address before it, or without hyphens.
func authorORCID(ids []entrez.Identifier) string {
	for i := range ids {
		if ids[i].Source != "ORCID" {
			continue
		}
		if m := orcid.FindStringSubmatch(text.Clean(ids[i].Value)); m != nil {
			return strings.ToUpper(strings.Join(m[1:], "-"))
		}
	}
	return ""
}

func journalInfo(r *entrez.Article) *entity.JournalInfo {
	j := r.Journal
	if j == nil {
		return nil
	}
	return text.NonZero(entity.JournalInfo{
		Title:               text.Clean(j.Title),
		ISOAbbreviation:     text.Clean(j.ISOAbbreviation),
		MedlineAbbreviation: text.Clean(j.MedlineTA),
		NLMUniqueID:         text.Clean(j.NlmUniqueID),
		ISSN:                text.FirstNonEmpty(j.ISSN, j.ISSNLinking),
		Volume:              text.Clean(j.Volume),
		Issue:               text.Clean(j.Issue),
		Pages:               pages(&r.Pagination),
		ELocation:           eLocation(r, "pii"),
		PublicationDate:     publicationDate(&j.PubDate),
	})
}

func book(r *entrez.Article) *entity.Book {
	b := r.Book
	if b == nil {
		return nil
	}
	return text.NonZero(entity.Book{
		Title:             text.Clean(b.Title),
		CollectionTitle:   text.Clean(b.CollectionTitle),
		Publisher:         text.Clean(b.Publisher),
		PublisherLocation: text.Clean(b.PublisherLocation),
		Edition:           text.Clean(b.Edition),
		Volume:            strings.Join(text.CleanAll([]string{b.Volume, b.VolumeTitle}), ": "),
		ISBN:              text.Distinct(b.ISBNs),
		Authors:           authors(b.Authors),
		Editors:           authors(slices.Concat(b.Editors, r.Editors)),
		PublicationDate:   publicationDate(&b.PubDate),
		ContributionDate:  publicationDate(&r.ContributionDate),
		Section:           strings.Join(text.CleanAll(r.LocationLabels), ", "),
		Pages:             pages(&r.Pagination),
		Accession:         articleID(r, "bookaccession"),
	})
}

// retracted reports whether an article was retracted. The notice of a retraction has other types and does not count.
func retracted(r *entrez.Article) bool {
	return slices.Contains(text.CleanAll(r.PublicationTypes), "Retracted Publication") ||
		slices.ContainsFunc(corrections(r.Corrections), func(c entity.Correction) bool { return c.Retracts() })
}

func hasCorrection(r *entrez.Article, refType string) bool {
	return slices.ContainsFunc(r.Corrections, func(c entrez.Correction) bool { return text.Clean(c.RefType) == refType })
}

// corrections returns the corrections, without the articles that are only cited.
func corrections(given []entrez.Correction) []entity.Correction {
	return text.MapNonZero(given, func(c *entrez.Correction) (out entity.Correction) {
		if refType := text.Clean(c.RefType); refType != "" && refType != "Cites" {
			out = entity.Correction{Type: refType, Source: text.Clean(c.RefSource), PMID: text.CURIE(id.PMID, c.PMID),
				Note: text.Clean(c.Note)}
		}
		return out
	})
}

// meshTerms returns one row for each pair of heading and qualifier. A major heading is major with each of its qualifiers.
func meshTerms(headings []entrez.MeshHeading) []entity.MeshTerm {
	var out []entity.MeshTerm
	for i := range headings {
		h := &headings[i]
		term := entity.MeshTerm{DescriptorName: text.Clean(h.Descriptor.Name), IsMajorTopic: h.Descriptor.MajorTopicYN == "Y",
			UI: text.Clean(h.Descriptor.UI)}
		if term.DescriptorName == "" {
			continue
		}
		if len(h.Qualifiers) == 0 {
			out = append(out, term)
		}
		for _, q := range h.Qualifiers {
			pair := term
			pair.QualifierName, pair.QualifierUI = text.Clean(q.Name), text.Clean(q.UI)
			pair.IsMajorTopic = term.IsMajorTopic || q.MajorTopicYN == "Y"
			out = append(out, pair)
		}
	}
	return out
}

func chemicals(given []entrez.Chemical) []entity.Chemical {
	return text.MapNonZero(given, func(c *entrez.Chemical) (out entity.Chemical) {
		if name := text.Clean(c.Substance.Name); name != "" {
			out = entity.Chemical{Name: name, RegistryNumber: text.Clean(c.RegistryNumber), UI: text.Clean(c.Substance.UI)}
		}
		if out.RegistryNumber == "0" {
			out.RegistryNumber = ""
		}
		return out
	})
}

func grants(given []entrez.Grant) []entity.Grant {
	return text.MapNonZero(given, func(g *entrez.Grant) entity.Grant {
		return entity.Grant{GrantID: text.Clean(g.ID), Agency: text.Clean(g.Agency), Acronym: text.Clean(g.Acronym),
			Country: text.Clean(g.Country)}
	})
}

// eLocation returns the first valid ELocationID of a type.
func eLocation(r *entrez.Article, kind string) string {
	for i := range r.ELocations {
		if e := &r.ELocations[i]; e.Type == kind && e.ValidYN != "N" && text.Clean(e.Value) != "" {
			return text.Clean(e.Value)
		}
	}
	return ""
}

func articleID(r *entrez.Article, kind string) string {
	for i := range r.IDs {
		if r.IDs[i].Type == kind && text.Clean(r.IDs[i].Value) != "" {
			return text.Clean(r.IDs[i].Value)
		}
	}
	return ""
}

// nctIDs returns the NCT ids among the accession numbers of any registry.
func nctIDs(banks []entrez.DataBank) []string {
	var out []string
	for i := range banks {
		for _, n := range banks[i].AccessionNumbers {
			out = append(out, text.CURIE(id.NCT, strings.ToUpper(n)))
		}
	}
	return entity.Once(out)
}

func dataBanks(given []entrez.DataBank) []entity.DataBank {
	return text.MapNonZero(given, func(b *entrez.DataBank) entity.DataBank {
		return entity.DataBank{Name: text.Clean(b.Name), AccessionNumbers: text.CleanAll(b.AccessionNumbers)}
	})
}
