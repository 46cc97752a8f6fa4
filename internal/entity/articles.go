package entity

import (
	"cmp"
	"slices"
)

// Article is the record of one publication in PubMed: a journal article, or a
// book or book chapter. Every record has a PMID. Any other field may be absent;
// no field is ever null, empty or guessed.
type Article struct {
	// PubMed id, bare digits. Source: PMID.
	PMID string `json:"pmid" jsonschema:"pattern=^[0-9]+$"`
	// In brackets if translated; for a complete book its title. Source: ArticleTitle, BookTitle.
	Title string `json:"title,omitempty" jsonschema:"minLength=1" cut:"14"`
	// Title in the original language. Source: VernacularTitle.
	VernacularTitle string `json:"vernacularTitle,omitempty" jsonschema:"minLength=1"`
	// Each labelled part is a line LABEL: text. Source: Abstract.AbstractText.
	AbstractText string `json:"abstractText,omitempty" jsonschema:"minLength=1" cut:"13"`
	// Kinds of the lines of abstractText, where known. Source: Abstract.AbstractText.NlmCategory.
	AbstractSections []AbstractSection `json:"abstractSections,omitempty" jsonschema:"minItems=1" drop:"4"`
	// Owner of the abstract's rights. Source: Abstract.CopyrightInformation.
	AbstractCopyright string `json:"abstractCopyright,omitempty" jsonschema:"minLength=1"`
	// In other languages or for other readers. Source: OtherAbstract.
	OtherAbstracts []OtherAbstract `json:"otherAbstracts,omitempty" jsonschema:"minItems=1" drop:"3"`
	// Authors in order; editors for a complete book without authors. Source: AuthorList, without authors of ValidYN=N.
	Authors []Author `json:"authors,omitempty" jsonschema:"minItems=1" details:"1 affiliations" cut:"5"`
	// Number of authors in the record, where authors has only the first.
	AuthorCount int `json:"authorCount,omitempty" jsonschema:"minimum=1"`
	// The record does not list all authors. Source: AuthorList.CompleteYN.
	AuthorsIncomplete bool `json:"authorsIncomplete,omitempty"`
	// Journal, volume, pages; absent for books. Source: Journal, MedlineJournalInfo, Pagination.
	JournalInfo *JournalInfo `json:"journalInfo,omitempty"`
	// The book, of a book or chapter. Source: BookDocument.
	Book *Book `json:"book,omitempty"`
	// Electronic publication, YYYY-MM-DD or less. Source: ArticleDate.
	ElectronicDate string `json:"electronicDate,omitempty" jsonschema:"minLength=4"`
	// Last change of the record, YYYY-MM-DD or less. Source: DateRevised.
	RevisedDate string `json:"revisedDate,omitempty" jsonschema:"minLength=4"`
	// ppublish, epublish or aheadofprint. Source: PublicationStatus.
	PublicationStatus string `json:"publicationStatus,omitempty" jsonschema:"minLength=1"`
	// ISO 639-2 codes. Source: Language.
	Languages []string `json:"languages,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Such as Review. Source: PublicationType.
	PublicationTypes []string `json:"publicationTypes,omitempty" jsonschema:"minItems=1,minLength=1"`
	// True: it was retracted. Source: PublicationType, CommentsCorrections of RetractionIn and RetractedandRepublishedIn.
	Retracted bool `json:"retracted,omitempty"`
	// True: the journal published a concern. Source: CommentsCorrections of ExpressionOfConcernIn.
	ExpressionOfConcern bool `json:"expressionOfConcern,omitempty"`
	// Errata, retractions, comments, updates. Source: CommentsCorrectionsList.
	Corrections []Correction `json:"corrections,omitempty" jsonschema:"minItems=1" cut:"6"`
	// By the authors or the library; MeSH headings if PubMed has no keywords. Source: KeywordList.
	Keywords []string `json:"keywords,omitempty" jsonschema:"minItems=1,minLength=1" cut:"11"`
	// One item per heading and qualifier. Source: MeshHeadingList.
	MeshTerms []MeshTerm `json:"meshTerms,omitempty" jsonschema:"minItems=1" cut:"10"`
	// Substances. Source: ChemicalList.
	Chemicals []Chemical `json:"chemicals,omitempty" jsonschema:"minItems=1" cut:"8"`
	// Funding. Source: GrantList.
	GrantList []Grant `json:"grantList,omitempty" jsonschema:"minItems=1" cut:"9"`
	// DOI of the article itself. Source: ELocationID or ArticleIdList, doi.
	DOI string `json:"doi,omitempty" jsonschema:"minLength=1"`
	// PubMed Central id. Source: ArticleIdList, pmc.
	PMCID string `json:"pmcid,omitempty" jsonschema:"pattern=^PMC[0-9]+$"`
	// Publisher's item id. Source: ArticleIdList or ELocationID, pii.
	PII string `json:"pii,omitempty" jsonschema:"minLength=1"`
	// NCT ids of trials that it reports, for get_trial. Source: DataBankList.
	NCTIDs []string `json:"nctIds,omitempty" jsonschema:"minItems=1,pattern=^NCT:[0-9]{8}$" cut:"12"`
	// Numbers of trials in all registers, with the places where the record has them.
	TrialNumbers []TrialNumber `json:"trialNumbers,omitempty" jsonschema:"minItems=1" cut:"15"`
	// With citedBy: number of articles in Europe PMC that cite it. Source: Europe PMC citedByCount.
	CitedBy *int `json:"citedBy,omitempty" jsonschema:"minimum=0"`
	// Records in other databases. Source: DataBankList.
	DataBanks []DataBank `json:"dataBanks,omitempty" jsonschema:"minItems=1" cut:"7"`
	// Conflicts of interest. Source: CoiStatement.
	COIStatement string `json:"coiStatement,omitempty" jsonschema:"minLength=1" cut:"2"`
	// Number of works cited. Source: ReferenceList, NumberOfReferences.
	ReferenceCount int `json:"referenceCount,omitempty" jsonschema:"minimum=1"`
}

// TrialNumber is the number of a trial in a register, as an article has it. A review has the numbers of other people's trials too.
type TrialNumber struct {
	// Register, such as ClinicalTrials.gov or ISRCTN.
	Register string `json:"register" jsonschema:"minLength=1"`
	// As the register writes it. search_trials finds the trial by it.
	Number string `json:"number" jsonschema:"minLength=1"`
	// data_bank (the journal sent it to PubMed), title, abstract, references, or the id of a section of the full text.
	FoundIn []string `json:"foundIn" jsonschema:"minItems=1,minLength=1"`
}

// ArticleBrief is the summary of an article, from its document summary.
type ArticleBrief struct {
	// PubMed id. Source: uid.
	PMID string `json:"pmid" jsonschema:"pattern=^[0-9]+$"`
	// Title. Source: title, else booktitle.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// First authors. Source: authors.
	Authors string `json:"authors,omitempty" jsonschema:"minLength=1"`
	// Journal or book, and date. Source: source, pubdate.
	Source string `json:"source,omitempty" jsonschema:"minLength=1"`
	// YYYY-MM-DD or less. Source: pubdate, else sortpubdate.
	PubDate string `json:"pubDate,omitempty" jsonschema:"minLength=4"`
	// YYYY-MM-DD or less. Source: epubdate.
	EPubDate string `json:"epubDate,omitempty" jsonschema:"minLength=4"`
	// DOI. Source: articleids, doi.
	DOI string `json:"doi,omitempty" jsonschema:"minLength=1"`
	// PubMed Central id. Source: articleids, pmc.
	PMCID string `json:"pmcid,omitempty" jsonschema:"pattern=^PMC[0-9]+$"`
	// Such as Review. Source: pubtype.
	PublicationTypes []string `json:"publicationTypes,omitempty" jsonschema:"minItems=1,minLength=1"`
}

// AbstractSection classifies one line of a structured abstract.
type AbstractSection struct {
	// Label of the line. Source: Label.
	Label string `json:"label,omitempty" jsonschema:"minLength=1"`
	// Kind, such as METHODS. Source: NlmCategory.
	NLMCategory string `json:"nlmCategory" jsonschema:"minLength=1"`
}

// OtherAbstract is a further abstract of an article.
type OtherAbstract struct {
	// Such as plain-language-summary. Source: Type.
	Type string `json:"type,omitempty" jsonschema:"minLength=1"`
	// ISO 639-2 code. Source: Language.
	Language string `json:"language,omitempty" jsonschema:"minLength=1"`
	// Text, labelled as in abstractText. Source: AbstractText.
	Text string `json:"text" jsonschema:"minLength=1"`
}

// Author is a person, or a group under its collective name.
type Author struct {
	// Family name. Source: LastName.
	LastName string `json:"lastName,omitempty" jsonschema:"minLength=1"`
	// Given names. Source: ForeName.
	FirstName string `json:"firstName,omitempty" jsonschema:"minLength=1"`
	// Initials. Source: Initials.
	Initials string `json:"initials,omitempty" jsonschema:"minLength=1"`
	// Jr, 3rd. Source: Suffix.
	Suffix string `json:"suffix,omitempty" jsonschema:"minLength=1"`
	// Name of a group. Source: CollectiveName.
	CollectiveName string `json:"collectiveName,omitempty" jsonschema:"minLength=1"`
	// First affiliation. Source: AffiliationInfo.Affiliation.
	Affiliation string `json:"affiliation,omitempty" jsonschema:"minLength=1" detail:""`
	// Further affiliations. Source: AffiliationInfo.Affiliation.
	Affiliations []string `json:"affiliations,omitempty" jsonschema:"minItems=1,minLength=1" detail:""`
	// ORCID iD, bare. Source: Identifier of ORCID.
	ORCID string `json:"orcid,omitempty" jsonschema:"pattern=^[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]$"`
}

// JournalInfo is the journal of an article, with volume, issue and pages.
type JournalInfo struct {
	// Full title. Source: Journal.Title.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// ISO abbreviation. Source: Journal.ISOAbbreviation.
	ISOAbbreviation string `json:"isoAbbreviation,omitempty" jsonschema:"minLength=1"`
	// Abbreviation of NLM. Source: MedlineJournalInfo.MedlineTA.
	MedlineAbbreviation string `json:"medlineAbbreviation,omitempty" jsonschema:"minLength=1"`
	// NLM id. Source: MedlineJournalInfo.NlmUniqueID.
	NLMUniqueID string `json:"nlmUniqueId,omitempty" jsonschema:"minLength=1"`
	// ISSN. Source: Journal.ISSN, MedlineJournalInfo.ISSNLinking.
	ISSN string `json:"issn,omitempty" jsonschema:"minLength=1"`
	// Volume. Source: JournalIssue.Volume.
	Volume string `json:"volume,omitempty" jsonschema:"minLength=1"`
	// Issue. Source: JournalIssue.Issue.
	Issue string `json:"issue,omitempty" jsonschema:"minLength=1"`
	// Such as 113-25 or e5807. Source: Pagination.
	Pages string `json:"pages,omitempty" jsonschema:"minLength=1"`
	// Article number. Source: ELocationID, pii.
	ELocation string `json:"eLocation,omitempty" jsonschema:"minLength=1"`
	// Date of the issue. Source: JournalIssue.PubDate.
	PublicationDate *PublicationDate `json:"publicationDate,omitempty"`
}

// PublicationDate is a date, as precise as the record gives it.
type PublicationDate struct {
	// Year, the first of several. Source: Year, MedlineDate.
	Year int `json:"year,omitempty" jsonschema:"minimum=1"`
	// Jan to Dec. Source: Month.
	Month string `json:"month,omitempty" jsonschema:"minLength=1"`
	// Day of the month. Source: Day.
	Day int `json:"day,omitempty" jsonschema:"minimum=1,maximum=31"`
	// Such as Spring or Jan-Mar. Source: Season.
	Season string `json:"season,omitempty" jsonschema:"minLength=1"`
	// Such as 1998 Dec-1999 Jan. Source: MedlineDate.
	MedlineDate string `json:"medlineDate,omitempty" jsonschema:"minLength=1"`
}

// Book is the book of a record that is a book or a part of one.
type Book struct {
	// Title. Source: BookTitle.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// Series. Source: CollectionTitle.
	CollectionTitle string `json:"collectionTitle,omitempty" jsonschema:"minLength=1"`
	// Publisher. Source: PublisherName.
	Publisher string `json:"publisher,omitempty" jsonschema:"minLength=1"`
	// Place of the publisher. Source: PublisherLocation.
	PublisherLocation string `json:"publisherLocation,omitempty" jsonschema:"minLength=1"`
	// Edition. Source: Edition.
	Edition string `json:"edition,omitempty" jsonschema:"minLength=1"`
	// Volume and its title. Source: Volume, VolumeTitle.
	Volume string `json:"volume,omitempty" jsonschema:"minLength=1"`
	// ISBNs. Source: Isbn.
	ISBN []string `json:"isbn,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Authors of the book. Source: AuthorList not of editors.
	Authors []Author `json:"authors,omitempty" jsonschema:"minItems=1"`
	// Editors. Source: AuthorList of editors.
	Editors []Author `json:"editors,omitempty" jsonschema:"minItems=1"`
	// Date of publication. Source: PubDate.
	PublicationDate *PublicationDate `json:"publicationDate,omitempty"`
	// Date of the part. Source: ContributionDate.
	ContributionDate *PublicationDate `json:"contributionDate,omitempty"`
	// Such as Chapter 5. Source: LocationLabel.
	Section string `json:"section,omitempty" jsonschema:"minLength=1"`
	// Pages of the part. Source: Pagination.
	Pages string `json:"pages,omitempty" jsonschema:"minLength=1"`
	// Bookshelf id, such as NBK1247. Source: ArticleIdList, bookaccession.
	Accession string `json:"accession,omitempty" jsonschema:"minLength=1"`
}

// Correction links an article to a publication about it, or to one that the
// article is about.
type Correction struct {
	// Such as ErratumIn, RetractionIn, RetractionOf, CommentOn. Source: RefType.
	Type string `json:"type" jsonschema:"minLength=1"`
	// Citation. Source: RefSource.
	Source string `json:"source,omitempty" jsonschema:"minLength=1"`
	// PMID of the notice. Source: PMID.
	PMID string `json:"pmid,omitempty" jsonschema:"pattern=^[0-9]+$"`
	// Remark. Source: Note.
	Note string `json:"note,omitempty" jsonschema:"minLength=1"`
}

// Retracts reports whether it names the notice of the article's retraction.
func (c *Correction) Retracts() bool {
	return c.Type == "RetractionIn" || c.Type == "RetractedandRepublishedIn"
}

// Published returns the article that a preprint became, its PMID or else its citation; "" if none is named.
func (a *Article) Published() string {
	i := slices.IndexFunc(a.Corrections, func(c Correction) bool { return c.Type == "UpdateIn" })
	if i < 0 || !slices.Contains(a.PublicationTypes, "Preprint") {
		return ""
	}
	return cmp.Or(a.Corrections[i].PMID, a.Corrections[i].Source)
}

// MeshTerm is a MeSH heading with at most one qualifier.
type MeshTerm struct {
	// Heading. Source: DescriptorName.
	DescriptorName string `json:"descriptorName" jsonschema:"minLength=1"`
	// Qualifier. Source: QualifierName.
	QualifierName string `json:"qualifierName,omitempty" jsonschema:"minLength=1"`
	// Whether it is a main subject. Source: MajorTopicYN.
	IsMajorTopic bool `json:"isMajorTopic"`
	// MeSH id. Source: DescriptorName.UI.
	UI string `json:"ui,omitempty" jsonschema:"minLength=1"`
	// MeSH id of the qualifier. Source: QualifierName.UI.
	QualifierUI string `json:"qualifierUi,omitempty" jsonschema:"minLength=1"`
}

// Chemical is a substance that an article is about.
type Chemical struct {
	// Name. Source: NameOfSubstance.
	Name string `json:"name" jsonschema:"minLength=1"`
	// CAS, UNII or EC. Source: RegistryNumber, where 0 means no number.
	RegistryNumber string `json:"registryNumber,omitempty" jsonschema:"minLength=1"`
	// MeSH id. Source: NameOfSubstance.UI.
	UI string `json:"ui,omitempty" jsonschema:"minLength=1"`
}

// Grant is one grant that funded the work.
type Grant struct {
	// Number of the grant. Source: GrantID.
	GrantID string `json:"grantId,omitempty" jsonschema:"minLength=1"`
	// Funder. Source: Agency.
	Agency string `json:"agency,omitempty" jsonschema:"minLength=1"`
	// Code of the institute. Source: Acronym.
	Acronym string `json:"acronym,omitempty" jsonschema:"minLength=1"`
	// Country of the agency. Source: Country.
	Country string `json:"country,omitempty" jsonschema:"minLength=1"`
}

// DataBank is a registry or archive, with its records for an article.
type DataBank struct {
	// Such as ClinicalTrials.gov or GEO. Source: DataBankName.
	Name string `json:"name,omitempty" jsonschema:"minLength=1"`
	// Accession numbers. Source: AccessionNumber.
	AccessionNumbers []string `json:"accessionNumbers,omitempty" jsonschema:"minItems=1,minLength=1"`
}
