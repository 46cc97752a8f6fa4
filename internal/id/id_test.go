package id_test

import (
	"slices"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/id"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind             *id.Kind
		text, want, link string
	}{
		{id.NCT, " nct : 04123456\n", "NCT04123456", "https://clinicaltrials.gov/study/NCT04123456"},
		{id.NCT, "NCT0412345", "", ""},
		{id.NCT, "https://clinicaltrials.gov/study/NCT04123456", "", ""},
		{id.PMCID, "PMCID: PMC0042", "PMC42", ""},
		{id.PMCID, "PMC42.1", "PMC42", ""}, // a version
		{id.PMID, "PubMed ID = 0042", "42", "https://pubmed.ncbi.nlm.nih.gov/42/"},
		{id.PMID, "https://pubmed.ncbi.nlm.nih.gov/26027431/", "26027431", "https://pubmed.ncbi.nlm.nih.gov/26027431/"},
		{id.PMID, "000", "", ""},
		{id.PMID, "PMID: 42.", "42", "https://pubmed.ncbi.nlm.nih.gov/42/"},
		{id.PMID, "PMID-42", "42", "https://pubmed.ncbi.nlm.nih.gov/42/"},
		{id.PMID, "https://pubmed.ncbi.nlm.nih.gov/42/?from_term=sand&page=2#citation", "42", "https://pubmed.ncbi.nlm.nih.gov/42/"},
		{id.PMID, "42#7", "", ""},
		{id.NCT, "NCT-02513394", "NCT02513394", "https://clinicaltrials.gov/study/NCT02513394"},
		{id.NCT, "NCT_02513394", "NCT02513394", "https://clinicaltrials.gov/study/NCT02513394"},
		{id.PMCID, "PMC-42", "PMC42", ""},
		{id.PMCID, "PMC0", "", ""},
		{id.PMCID, "https://pmc.ncbi.nlm.nih.gov/articles/PMC42/?report=printable", "PMC42", ""},
		{id.DOI, "https://doi.org/10.1000/182?utm_source=x", "10.1000/182", ""},
		{id.Gene, "NCBIGene-7157", "7157", "https://www.ncbi.nlm.nih.gov/gene/7157"},
		{id.Gene, "https://www.ncbi.nlm.nih.gov/gene/7157?report=full_report#summary", "7157", "https://www.ncbi.nlm.nih.gov/gene/7157"},
		{id.PMID, "1234567890", "", ""},
		{id.PMID, "1.5", "", ""},
		{id.PMID, "12 34", "", ""},
		{id.DOI, "https://doi.org/10.1000/a(1),b.", "10.1000/a(1),b", ""},
		{id.DOI, "DOI: 10.1000/182", "10.1000/182", ""},
		{id.DOI, "10.1000/182 and more", "", ""},
		{id.PMCID, "pmc: 7262788", "PMC7262788", ""},
		{id.PMCID, "https://pmc.ncbi.nlm.nih.gov/articles/PMC7262788/", "PMC7262788", ""},
		{id.Gene, "Entrez Gene: 007157", "7157", "https://www.ncbi.nlm.nih.gov/gene/7157"},
		{id.Gene, "www.ncbi.nlm.nih.gov/gene/7157", "7157", "https://www.ncbi.nlm.nih.gov/gene/7157"},
		{id.Gene, "TP53", "", ""},
		{id.Gene, "0", "", ""},
	} {
		got, ok := tt.kind.Read(tt.text)
		expect.That(t, ok == (tt.want != "") && (!ok || got == tt.want), "%s %q: %q, %v", tt.kind.Name, tt.text, got, ok)
		if ok && id.Link(tt.kind.CURIE(got)) != tt.link {
			t.Errorf("%q: %s", tt.text, id.Link(tt.kind.CURIE(got)))
		}
	}
}

func TestOnly(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind     *id.Kind
		text     string
		ids, bad []string
	}{
		{id.NCT, "nct:04123456, NCT04123457;NCT00000001|NCT:00000002\n",
			[]string{"NCT04123456", "NCT04123457", "NCT00000001", "NCT00000002"}, nil},
		{id.NCT, "NCT00000000 NCT 04123456", []string{"NCT00000000", "NCT04123456"}, nil},
		{id.NCT, "NCT4123456", nil, []string{"NCT4123456"}},
		{id.NCT, "NCT04123456 NCT1 nct 0004123456", []string{"NCT04123456"}, []string{"NCT1", "nct 0004123456"}},
		{id.NCT, "https://clinicaltrials.gov/study/NCT04123456?term=x, www.clinicaltrials.gov/ct2/show/NCT0412345", []string{"NCT04123456"},
			[]string{"NCT0412345"}},
		{id.NCT, "NCT04123456 melanoma", nil, nil},
		{id.NCT, "NCT04123456, 04123457", nil, nil},
		{id.NCT, "04123456", nil, nil},
		{id.NCT, " , ", nil, nil},
		{id.PMID, "1 PMID:2\n03; PMID 3", []string{"1", "2", "3", "3"}, nil},
		{id.PMID, "1 and PMID 2", []string{"1", "2"}, nil},
		{id.PMCID, "PMC1 or PMC2 & PMC3", []string{"PMC1", "PMC2", "PMC3"}, nil},
		{id.PMID, "1 android 2", nil, nil},
		{id.PMID, "1 AND 2", nil, nil}, // an operator of PubMed
		{id.PMID, "1/2", nil, nil},
		{id.PMID, "NCBIGene:7157", nil, nil},
		{id.PMID, "10.1000/182", nil, nil},
		{id.Gene, "NCBIGene: 7157, 672", []string{"7157", "672"}, nil},
		{id.Gene, "NCBIGene:TP53", nil, nil},
		{id.Gene, "PMID:15118073", nil, nil},
	} {
		if ids, bad := tt.kind.Only(tt.text); !slices.Equal(ids, tt.ids) || !slices.Equal(bad, tt.bad) {
			t.Errorf("%s %q: %q %q", tt.kind.Name, tt.text, ids, bad)
		}
	}
}

// TestRecognise: each kind is distinguished from all others, and reads the form
// of Value.
func TestRecognise(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]*id.Kind{
		"NCT:00461032": id.NCT, "https://clinicaltrials.gov/study/NCT00461032": id.NCT, "26027431": id.PMID, "PMID:1, PMID:2": id.PMID,
		"doi:10.1000/182": id.DOI, "PMC7262788": id.PMCID, "NCBIGene:7157": id.Gene, "https://www.ncbi.nlm.nih.gov/gene/7157": id.Gene,
		"1234567890": nil, "NCT0046103": nil, "TP53": nil, "": nil, "ISRCTN12345678": nil, "2010-012345-67": nil,
	} {
		kind, ids := id.Recognise(text)
		if kind != want {
			t.Errorf("%q: %+v %q", text, kind, ids)
		} else if kind != nil && !slices.ContainsFunc(id.Kinds(), func(k *id.Kind) bool { return k == kind }) {
			t.Errorf("%q: a kind outside the table", text)
		}
	}
}

func TestOfGene(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		kind     *id.Kind
		id       string
		labelled bool
	}{
		"ENSG00000141510":                {id.Ensembl, "ENSG00000141510", true},
		" ensembl:ensmusg00000059552.14": {id.Ensembl, "ENSMUSG00000059552", true},
		"HGNC:11998":                     {id.HGNC, "HGNC:11998", true}, "hgnc: HGNC:11998": {id.HGNC, "HGNC:11998", true},
		"OMIM:191170": {id.OMIM, "OMIM:191170", true}, "MIM #191170": {id.OMIM, "OMIM:191170", true}, "OMIM:19117": {},
		"P04637": {id.UniProt, "P04637", false}, "UniProtKB:P04637.4": {id.UniProt, "P04637", true},
		"a0a024r161": {id.UniProt, "A0A024R161", false},
		"P2RY10":     {id.UniProt, "P2RY10", false}, // also a symbol
		"TP53":       {}, "ENST00000269305": {}, "191170": {}, "HGNC": {}, "P04637, P38398": {},
	} {
		kind, canonical, labelled := id.OfGene(text)
		expect.That(t, kind == want.kind && canonical == want.id && labelled == want.labelled, "%q: %+v %q %v", text, kind, canonical,
			labelled)
	}
}

func TestUnlabel(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind       *id.Kind
		text, want string
	}{
		{id.Gene, "NCBIGene:TP53", "TP53"}, {id.Gene, " Gene ID = TP53", "TP53"}, {id.Gene, "gene TP53", "gene TP53"},
		{id.Gene, "GeneID: 0", "0"},
		{id.Gene, "Entrez Gene", ""}, {id.Gene, "genes of asthma", "genes of asthma"}, {id.PMID, "PMID:", ""}, {id.PMID, "PubMed", ""},
	} {
		expect.Is(t, tt.kind.Unlabel(tt.text), tt.want, "%q", tt.text)
	}
}

func TestRewrite(t *testing.T) {
	t.Parallel()
	if got := id.NCT.Rewrite("nct:00461032[si] OR NCT0046103 OR (NCT 00909532)"); got != "NCT00461032[si] OR NCT0046103 OR (NCT00909532)" {
		t.Error(got)
	}
}
