package sourcetest

import (
	"fmt"
	"strings"

	"github.com/biofact-mcp/biofact/internal/source/ncbi"
)

// A Sample is an invented article.
type Sample struct {
	PMID     int
	Abstract string
	Cites    []int
}

func (s Sample) xml() string {
	group := s.PMID / 10
	var cited strings.Builder
	for _, pmid := range s.Cites {
		fmt.Fprintf(&cited, `<Reference><Citation>Example.</Citation><ArticleIdList><ArticleId IdType="pubmed">%d</ArticleId></ArticleIdList></Reference>`, pmid)
	}
	return fmt.Sprintf(`<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">%d</PMID>`+
		`<DateRevised><Year>2024</Year><Month>01</Month><Day>02</Day></DateRevised>`+
		`<Article PubModel="Print"><Journal><ISSN IssnType="Print">1234-5679</ISSN><JournalIssue CitedMedium="Print"><Volume>7</Volume>`+
		`<PubDate><Year>2023</Year><Month>May</Month></PubDate></JournalIssue><Title>Journal of examples</Title><ISOAbbreviation>J Ex</ISOAbbreviation></Journal>`+
		`<ArticleTitle>Finding number %[1]d.</ArticleTitle><Pagination><MedlinePgn>1-9</MedlinePgn></Pagination><Abstract><AbstractText>%s</AbstractText></Abstract>`+
		`<AuthorList CompleteYN="Y"><Author ValidYN="Y"><LastName>Doe</LastName><ForeName>Jane</ForeName><Initials>J</Initials></Author></AuthorList>`+
		`<Language>eng</Language><PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType></PublicationTypeList></Article>`+
		`<MedlineJournalInfo><Country>Norway</Country><MedlineTA>J Ex</MedlineTA><NlmUniqueID>0000001</NlmUniqueID></MedlineJournalInfo>`+
		`<MeshHeadingList><MeshHeading><DescriptorName UI="D%06[3]d" MajorTopicYN="N">Subject %[3]d</DescriptorName></MeshHeading>`+
		`<MeshHeading><DescriptorName UI="D1%05[3]d" MajorTopicYN="N">Method %[3]d</DescriptorName></MeshHeading></MeshHeadingList></MedlineCitation>`+
		`<PubmedData><PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">%[1]d</ArticleId></ArticleIdList>`+
		`<ReferenceList>%[4]s</ReferenceList></PubmedData></PubmedArticle>`, s.PMID, s.Abstract, group, cited.String())
}

// MEDLINE returns articles as EFetch writes them in the format of MEDLINE.
func MEDLINE(samples []Sample) []byte {
	var text []byte
	for _, s := range samples {
		text = fmt.Appendf(text, "\nPMID- %d\nTI  - Finding number %[1]d.\nAB  - %s\nSO  - J Ex. 2023 May;7:1-9.\n", s.PMID, s.Abstract)
	}
	return text
}

// ArticleSet returns articles as EFetch writes them.
func ArticleSet(samples []Sample) []byte {
	set := []byte(ncbi.SetHead)
	for _, s := range samples {
		set = append(set, s.xml()...)
	}
	return append(set, ncbi.SetTail...)
}
