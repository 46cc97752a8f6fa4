package genes_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/genes"
)

// A commentary is a Gene-commentary that encoding/xml decodes by tags: the complete record at once, unlike the reader under test.
type commentary struct {
	Heading   string   `xml:"Gene-commentary_heading"`
	Label     string   `xml:"Gene-commentary_label"`
	Text      string   `xml:"Gene-commentary_text"`
	Accession string   `xml:"Gene-commentary_accession"`
	Version   string   `xml:"Gene-commentary_version"`
	PMIDs     []string `xml:"Gene-commentary_refs>Pub>Pub_pmid>PubMedId"`
	Intervals []struct {
		From   int `xml:"Seq-interval_from"`
		To     int `xml:"Seq-interval_to"`
		Strand struct {
			Value string `xml:"value,attr"`
		} `xml:"Seq-interval_strand>Na-strand"`
	} `xml:"Gene-commentary_seqs>Seq-loc>Seq-loc_int>Seq-interval"`
	Sources []struct {
		DB     string `xml:"Other-source_src>Dbtag>Dbtag_db"`
		Number int    `xml:"Other-source_src>Dbtag>Dbtag_tag>Object-id>Object-id_id"`
		Text   string `xml:"Other-source_src>Dbtag>Dbtag_tag>Object-id>Object-id_str"`
		Anchor string `xml:"Other-source_anchor"`
		Before string `xml:"Other-source_pre-text"`
		After  string `xml:"Other-source_post-text"`
	} `xml:"Gene-commentary_source>Other-source"`
	Comments []commentary `xml:"Gene-commentary_comment>Gene-commentary"`
}

// articles returns the articles of a commentary and of those below it.
func (c *commentary) articles() []string {
	out := c.PMIDs
	for i := range c.Comments {
		out = append(out, c.Comments[i].articles()...)
	}
	return out
}

type geneSet struct {
	Locus      []commentary `xml:"Entrezgene>Entrezgene_locus>Gene-commentary"`
	Properties []commentary `xml:"Entrezgene>Entrezgene_properties>Gene-commentary"`
	Comments   []commentary `xml:"Entrezgene>Entrezgene_comments>Gene-commentary"`
}

func (s *geneSet) locations() (out []entity.GeneLocation) {
	exons := 0
	for _, p := range s.Properties {
		if p.Label == "Exon count" {
			_, _ = fmt.Sscan(p.Text, &exons)
		}
	}
	for _, c := range s.Locus {
		for _, at := range c.Intervals {
			place := entity.GeneLocation{
				Assembly: c.Heading, Sequence: c.Accession + "." + c.Version, Start: at.From + 1, End: at.To + 1, Strand: at.Strand.Value,
			}
			if c.Label == "RefSeqGene" {
				place.Assembly = c.Label
			}
			if len(out) == 0 {
				place.Exons = exons
			}
			out = append(out, place)
		}
	}
	return out
}

func (s *geneSet) terms() (out []entity.GOTerm) {
	for _, p := range s.Properties {
		if p.Heading != "GeneOntology" {
			continue
		}
		for _, aspect := range p.Comments {
			for _, c := range aspect.Comments {
				term := c.Sources[0]
				out = append(out, entity.GOTerm{
					ID: fmt.Sprintf("GO:%07d", term.Number), Term: term.Anchor, Aspect: aspect.Label, Qualifier: term.Before,
					Evidence: strings.Split(term.After, ": ")[1], PMIDs: c.PMIDs,
				})
			}
		}
	}
	return out
}

func (s *geneSet) phenotypes() (out []entity.GenePhenotype) {
	for _, section := range s.Comments {
		if section.Heading != "Phenotypes" {
			continue
		}
		for _, c := range section.Comments {
			p := entity.GenePhenotype{Name: c.Heading}
			for _, under := range c.Comments {
				p.Sources, p.PMIDs = append(p.Sources, under.Heading), append(p.PMIDs, under.articles()...)
				if under.Text != "" {
					p.Notes = append(p.Notes, under.Heading+": "+under.Text)
				}
				switch under.Heading {
				case "OMIM":
					p.OMIM = fmt.Sprint(under.Sources[0].Number)
				case "MedGen":
					p.MedGen = under.Sources[0].Text
				}
			}
			out = append(out, p)
		}
	}
	return out
}

// TestGeneDepthCorpus compares terms, phenotypes and locations of the real records with those that encoding/xml decodes by tags, and their
// numbers with an independent count. Embedded records have other numbers.
func TestGeneDepthCorpus(t *testing.T) {
	t.Parallel()
	for id, counts := range map[string][3]int{"7157": {3, 161, 16}, "348": {3, 148, 55}, "4747": {4, 15, 2}, "105694156": {}} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			var set geneSet
			text := expect.Gene(t, id)
			expect.NoError(t, xml.Unmarshal(text, &set))
			got, notices, err := genes.Gene(readGene(t, bytes.NewReader(text)))
			if err != nil || len(notices) != 0 {
				t.Fatal(err, notices)
			}
			expect.Equal(t, "locations", set.locations(), got.Locations, cmpopts.EquateEmpty())
			expect.Equal(t, "terms", set.terms(), got.GOTerms, cmpopts.EquateEmpty())
			expect.Equal(t, "phenotypes", set.phenotypes(), got.Phenotypes, cmpopts.EquateEmpty())
			if expect.Genes().Real {
				expect.Equal(t, "numbers", counts, [3]int{len(got.Locations), len(got.GOTerms), len(got.Phenotypes)})
			}
		})
	}
}

func TestGeneDepth(t *testing.T) {
	t.Parallel()
	file, err := os.Open(filepath.Join(geneFixtures, "depth.xml"))
	expect.NoError(t, err)
	defer file.Close()
	got, notices, err := genes.Gene(readGene(t, file))
	expect.NoError(t, err)
	expect.Equal(t, "notices", []string{`NCBI states further ids for the phenotype "Deep syndrome, all types": MIM 600003.`}, notices)
	expect.Equal(t, "gene", entity.Gene{
		ID: "NCBIGene:9000020", Symbol: "DEEP1", Name: "DEEP1", Organism: "Homo sapiens", TaxonID: 9606, GeneType: "protein-coding",
		Locations: []entity.GeneLocation{
			{Assembly: "Reference GRCh38.p14 Primary Assembly", Sequence: "NC_000009.12", Start: 100, End: 200, Strand: "minus", Exons: 7},
			{Assembly: "RefSeqGene", Sequence: "NG_900020.1", Start: 1, End: 101, Strand: "plus"},
			{Assembly: "Alternate T2T-CHM13v2.0", Sequence: "NC_060933.1", Start: 401, End: 501, Strand: "plus"},
			{Assembly: "Alternate T2T-CHM13v2.0", Sequence: "NC_060933.1", Start: 1, End: 21, Strand: "plus"},
			{Assembly: "A point", Sequence: "NC_900021", Start: 42, End: 42},
			{Assembly: "Unplaced", Sequence: "NW_900022.3"},
		},
		GOTerms: []entity.GOTerm{
			{ID: "GO:0005524", Term: "ATP binding", Aspect: "Function", Qualifier: "enables", Evidence: "IDA", PMIDs: []string{"11", "12"}},
			{ID: "GO:0003677", Term: "DNA binding", Aspect: "Function", Evidence: "IEA"},
			{ID: "GO:0006915", Term: "apoptotic process", Aspect: "Process", Qualifier: "NOT", Evidence: "IMP", PMIDs: []string{"13"}},
			{ID: "GO:0005634", Term: "nucleus", Aspect: "Component", Evidence: "IDA"},
			{ID: "GO:0005634", Term: "nucleus", Aspect: "Component", Evidence: "IEA"},
		},
		Phenotypes: []entity.GenePhenotype{
			{
				Name: "Copy number response", Sources: []string{"Triplosensitivity", "Haploinsufficiency"}, PMIDs: []string{"21"},
				Notes: []string{"Triplosensitivity: No evidence available", "Haploinsufficiency: Sufficient evidence"},
			},
			{Name: "An association study of our own invention.", Sources: []string{"NHGRI GWA Catalog"}, PMIDs: []string{"22"}},
			{Name: "Deep syndrome, type 1", OMIM: "600001", MedGen: "C0000001", Sources: []string{"Gene Reviews", "GTR", "MedGen", "OMIM"},
				PMIDs: []string{"23"}},
			{Name: "Deep syndrome, all types", OMIM: "600002", MedGen: "CN000002", Sources: []string{"OMIM", "MedGen"}},
		},
		CrossReferences: entity.GeneCrossReferences{Entrez: "9000020", RefSeq: []string{"NM_900020"}},
	}, got)
}
