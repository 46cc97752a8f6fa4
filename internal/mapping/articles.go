package mapping

import (
	"reflect"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

var orcid = lazyregexp.New(`^(?:https?://(?:www\.)?orcid\.org/)?([0-9]{4})-?([0-9]{4})-?([0-9]{4})-?([0-9]{3}[0-9Xx])/?$`)

// Article maps a record of PubMed to the complete entity. It returns ErrIncomplete for a record without a PMID.
func Article(r *entrez.Article) (entity.Article, error) {
	a := entity.Article{
		PMID:                curie(id.PMID, r.PMID),
		Title:               clean(r.Title),
		VernacularTitle:     clean(r.VernacularTitle),
		AbstractText:        abstractText(r.Abstract.Texts),
		AbstractSections:    abstractSections(r.Abstract.Texts),
		AbstractCopyright:   clean(r.Abstract.Copyright),
		OtherAbstracts:      otherAbstracts(r.OtherAbstracts),
		Authors:             authors(r.Authors),
		AuthorsIncomplete:   r.AuthorsIncomplete,
		JournalInfo:         journalInfo(r),
		Book:                book(r),
		ElectronicDate:      firstDate(r.ArticleDates),
		RevisedDate:         isoDate(r.DateRevised),
		PublicationStatus:   clean(r.PublicationStatus),
		Languages:           cleanAll(r.Languages),
		PublicationTypes:    cleanAll(r.PublicationTypes),
		Retracted:           retracted(r),
		ExpressionOfConcern: hasCorrection(r, "ExpressionOfConcernIn"),
		Corrections:         corrections(r.Corrections),
		Keywords:            distinct(r.Keywords),
		MeshTerms:           meshTerms(r.MeshHeadings),
		Chemicals:           chemicals(r.Chemicals),
		GrantList:           grants(r.Grants),
		DOI:                 doi(r),
		PMCID:               pmcid(r),
		PII:                 pii(r),
		NCTIDs:              nctIDs(r.DataBanks),
		DataBanks:           dataBanks(r.DataBanks),
		COIStatement:        clean(r.CoiStatement),
		ReferenceCount:      referenceCount(r),
	}
	if a.PMID == "" {
		return entity.Article{}, ErrIncomplete
	}
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

// label returns the heading of a part of an abstract. NLM writes UNLABELLED for a part without a heading.
func label(t *entrez.AbstractText) string {
	if l := strings.TrimSpace(strings.TrimSuffix(clean(t.Label), ":")); l != "UNLABELLED" {
		return l
	}
	return ""
}

func abstractText(parts []entrez.AbstractText) string {
	var lines []string
	for i := range parts {
		text := clean(parts[i].Text)
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
	return mapNonZero(parts, func(t *entrez.AbstractText) (s entity.AbstractSection) {
		if category := clean(t.NlmCategory); category != "" && clean(t.Text) != "" {
			s = entity.AbstractSection{Label: label(t), NLMCategory: category}
		}
		return s
	})
}

func otherAbstracts(given []entrez.Abstract) []entity.OtherAbstract {
	return mapNonZero(given, func(o *entrez.Abstract) (out entity.OtherAbstract) {
		if text := abstractText(o.Texts); text != "" {
			out = entity.OtherAbstract{Type: clean(o.Type), Language: clean(o.Language), Text: text}
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
			LastName:       clean(a.LastName),
			FirstName:      clean(a.ForeName),
			Initials:       clean(a.Initials),
			Suffix:         clean(a.Suffix),
			CollectiveName: clean(a.CollectiveName),
			ORCID:          authorORCID(a.Identifiers),
		}
		if a.ValidYN == "N" || author.LastName == "" && author.FirstName == "" && author.CollectiveName == "" {
			continue
		}
		if all := distinct(slices.Concat(a.Affiliation, a.Affiliations)); len(all) > 0 {
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
		if m := orcid.FindStringSubmatch(clean(ids[i].Value)); m != nil {
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
	return nonZero(entity.JournalInfo{
		Title:               clean(j.Title),
		ISOAbbreviation:     clean(j.ISOAbbreviation),
		MedlineAbbreviation: clean(j.MedlineTA),
		NLMUniqueID:         clean(j.NlmUniqueID),
		ISSN:                firstNonEmpty(j.ISSN, j.ISSNLinking),
		Volume:              clean(j.Volume),
		Issue:               clean(j.Issue),
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
	out := entity.Book{
		Title:             clean(b.Title),
		CollectionTitle:   clean(b.CollectionTitle),
		Publisher:         clean(b.Publisher),
		PublisherLocation: clean(b.PublisherLocation),
		Edition:           clean(b.Edition),
		Volume:            strings.Join(cleanAll([]string{b.Volume, b.VolumeTitle}), ": "),
		ISBN:              distinct(b.ISBNs),
		Authors:           authors(b.Authors),
		Editors:           authors(slices.Concat(b.Editors, r.Editors)),
		PublicationDate:   publicationDate(&b.PubDate),
		ContributionDate:  publicationDate(&r.ContributionDate),
		Section:           strings.Join(cleanAll(r.LocationLabels), ", "),
		Pages:             pages(&r.Pagination),
		Accession:         articleID(r, "bookaccession"),
	}
	if reflect.ValueOf(out).IsZero() {
		return nil
	}
	return &out
}

// retracted reports whether an article was retracted. The notice of a retraction has other types and does not count.
func retracted(r *entrez.Article) bool {
	return slices.Contains(cleanAll(r.PublicationTypes), "Retracted Publication") || hasCorrection(r, "RetractionIn")
}

func hasCorrection(r *entrez.Article, refType string) bool {
	return slices.ContainsFunc(r.Corrections, func(c entrez.Correction) bool { return clean(c.RefType) == refType })
}

// corrections returns the corrections, without the articles that are only cited.
func corrections(given []entrez.Correction) []entity.Correction {
	return mapNonZero(given, func(c *entrez.Correction) (out entity.Correction) {
		if refType := clean(c.RefType); refType != "" && refType != "Cites" {
			out = entity.Correction{Type: refType, Source: clean(c.RefSource), PMID: curie(id.PMID, c.PMID), Note: clean(c.Note)}
		}
		return out
	})
}

// meshTerms returns one row for each pair of heading and qualifier. A major heading is major with each of its qualifiers.
func meshTerms(headings []entrez.MeshHeading) []entity.MeshTerm {
	var out []entity.MeshTerm
	for i := range headings {
		h := &headings[i]
		term := entity.MeshTerm{DescriptorName: clean(h.Descriptor.Name), IsMajorTopic: h.Descriptor.MajorTopicYN == "Y",
			UI: clean(h.Descriptor.UI)}
		if term.DescriptorName == "" {
			continue
		}
		if len(h.Qualifiers) == 0 {
			out = append(out, term)
		}
		for _, q := range h.Qualifiers {
			pair := term
			pair.QualifierName, pair.QualifierUI = clean(q.Name), clean(q.UI)
			pair.IsMajorTopic = term.IsMajorTopic || q.MajorTopicYN == "Y"
			out = append(out, pair)
		}
	}
	return out
}

func chemicals(given []entrez.Chemical) []entity.Chemical {
	return mapNonZero(given, func(c *entrez.Chemical) (out entity.Chemical) {
		if name := clean(c.Substance.Name); name != "" {
			out = entity.Chemical{Name: name, RegistryNumber: clean(c.RegistryNumber), UI: clean(c.Substance.UI)}
		}
		if out.RegistryNumber == "0" {
			out.RegistryNumber = ""
		}
		return out
	})
}

func grants(given []entrez.Grant) []entity.Grant {
	return mapNonZero(given, func(g *entrez.Grant) entity.Grant {
		return entity.Grant{GrantID: clean(g.ID), Agency: clean(g.Agency), Acronym: clean(g.Acronym), Country: clean(g.Country)}
	})
}

// eLocation returns the first valid ELocationID of a type.
func eLocation(r *entrez.Article, kind string) string {
	for i := range r.ELocations {
		if e := &r.ELocations[i]; e.Type == kind && e.ValidYN != "N" && clean(e.Value) != "" {
			return clean(e.Value)
		}
	}
	return ""
}

func articleID(r *entrez.Article, kind string) string {
	for i := range r.IDs {
		if r.IDs[i].Type == kind && clean(r.IDs[i].Value) != "" {
			return clean(r.IDs[i].Value)
		}
	}
	return ""
}

func doi(r *entrez.Article) string { return firstNonEmpty(eLocation(r, "doi"), articleID(r, "doi")) }

func pii(r *entrez.Article) string { return firstNonEmpty(articleID(r, "pii"), eLocation(r, "pii")) }

func pmcid(r *entrez.Article) string { return curie(id.PMCID, articleID(r, "pmc")) }

// nctIDs returns the NCT ids among the accession numbers of any registry.
func nctIDs(banks []entrez.DataBank) []string {
	var out []string
	for i := range banks {
		for _, n := range banks[i].AccessionNumbers {
			out = append(out, curie(id.NCT, strings.ToUpper(n)))
		}
	}
	return entity.Once(out)
}

func dataBanks(given []entrez.DataBank) []entity.DataBank {
	var out []entity.DataBank
	for i := range given {
		b := entity.DataBank{Name: clean(given[i].Name), AccessionNumbers: cleanAll(given[i].AccessionNumbers)}
		if b.Name != "" || len(b.AccessionNumbers) > 0 {
			out = append(out, b)
		}
	}
	return out
}

func referenceCount(r *entrez.Article) int {
	if r.References > 0 {
		return r.References
	}
	return r.NumberOfRefs
}
