package genes_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/genes"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// The fixtures of the reader are also those of the mapping.
const geneFixtures = "../../entrez/testdata/genes"

// readGene reads the first gene of a set.
func readGene(t testing.TB, set io.Reader) *entrez.Gene {
	t.Helper()
	var first *entrez.Gene
	expect.NoError(t, entrez.ReadGenes(set, 1, func(g *entrez.Gene) error { first = g; return nil }))
	return first
}

// geneProblems returns the ids of a gene that do not match the pattern of their key, the lists with duplicates and the blank texts.
func geneProblems(g *entity.Gene) (out []string) {
	refs := reflect.ValueOf(g.CrossReferences)
	for field, value := range refs.Fields() {
		key := strings.Split(field.Tag.Get("json"), ",")[0]
		ids, _ := value.Interface().([]string)
		if value.Kind() == reflect.String && value.String() != "" {
			ids = []string{value.String()}
		}
		for _, id := range ids {
			if !entity.GeneCrossReferencePatterns()[key].MatchString(id) {
				out = append(out, fmt.Sprintf("%s is %q", key, id))
			}
		}
		if slices.Sort(ids); len(slices.Compact(ids)) != len(ids) {
			out = append(out, key+" has one twice")
		}
	}
	for name, text := range map[string]string{"id": g.ID, "symbol": g.Symbol, "name": g.Name, "organism": g.Organism,
		"entrez": g.CrossReferences.Entrez} {
		if strings.TrimSpace(text) == "" || !utf8.ValidString(text) {
			out = append(out, name+" is missing")
		}
	}
	if slices.Contains(g.Aliases, "") || slices.Contains(g.Aliases, g.Symbol) || g.TaxonID < 0 {
		out = append(out, "aliases or taxon")
	}
	return out
}

// TestGeneCorpus compares real records with facts that were read by hand. NCBI's prose is represented by its length and hash.
func TestGeneCorpus(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		want    entity.Gene
		summary string
	}{
		{entity.Gene{
			ID: "NCBIGene:7157", Symbol: "TP53", Name: "tumor protein p53", Description: "tumor protein p53",
			MapLocation: "17p13.1", Chromosome: "17", Aliases: []string{"P53", "BCC7", "LFS1", "TRP53"},
			Organism: "Homo sapiens", TaxonID: 9606, GeneType: "protein-coding",
			CrossReferences: entity.GeneCrossReferences{
				HGNC: "HGNC:11998", EnsemblGene: "ENSG00000141510", OMIM: "191170", Entrez: "7157", UniProt: []string{"P04637"},
				RefSeq: []string{
					"NM_000546", "NM_001126112", "NM_001126113", "NM_001126114", "NM_001126115", "NM_001126116", "NM_001126117",
					"NM_001126118",
					"NM_001276695", "NM_001276696", "NM_001276697", "NM_001276698", "NM_001276699", "NM_001276760", "NM_001276761",
				},
				EnsemblTranscript: []string{
					"ENST00000269305", "ENST00000445888", "ENST00000455263", "ENST00000617185", "ENST00000504937", "ENST00000510385",
					"ENST00000504290", "ENST00000610292",
					"ENST00000610538", "ENST00000622645", "ENST00000619186", "ENST00000618944", "ENST00000610623", "ENST00000620739",
					"ENST00000619485",
				},
			},
		}, "739 a8cfff62"},
		{entity.Gene{
			ID: "NCBIGene:348", Symbol: "APOE", Name: "apolipoprotein E", Description: "apolipoprotein E",
			MapLocation: "19q13.2", Chromosome: "19", Aliases: []string{"AD2", "LPG", "APO-E", "LDLCQ5"},
			Organism: "Homo sapiens", TaxonID: 9606, GeneType: "protein-coding",
			CrossReferences: entity.GeneCrossReferences{
				HGNC: "HGNC:613", EnsemblGene: "ENSG00000130203", OMIM: "107741", Entrez: "348", UniProt: []string{"P02649"},
				RefSeq:            []string{"NM_000041", "NM_001302688", "NM_001302689", "NM_001302690", "NM_001302691"},
				EnsemblTranscript: []string{"ENST00000252486"},
			},
		}, "652 7c0a74e2"},
		{entity.Gene{
			ID: "NCBIGene:4747", Symbol: "NEFL", Name: "neurofilament, light polypeptide", Description: "neurofilament, light polypeptide",
			MapLocation: "8p21", Chromosome: "8", Aliases: []string{"NFL", "NF-L", "NF68", "CMT1F", "CMT2E"},
			Organism: "Homo sapiens", TaxonID: 9606, GeneType: "protein-coding",
			CrossReferences: entity.GeneCrossReferences{
				HGNC: "HGNC:7739", OMIM: "162280", Entrez: "4747", UniProt: []string{"P07196"}, RefSeq: []string{"NM_006158"},
			},
		}, "598 d833ee77"},
		{entity.Gene{
			ID: "NCBIGene:105694156", Symbol: "ERVW-28", Name: "endogenous retrovirus group W, member 28",
			Description: "endogenous retrovirus group W, member 28",
			Organism:    "Homo sapiens", TaxonID: 9606, GeneType: "other",
			CrossReferences: entity.GeneCrossReferences{HGNC: "HGNC:49316", Entrez: "105694156"},
		}, ""},
	} {
		t.Run(tt.want.Symbol, func(t *testing.T) {
			t.Parallel()
			record := readGene(t, bytes.NewReader(expect.Gene(t, tt.want.CrossReferences.Entrez)))
			got, notices, err := genes.Gene(record)
			expect.Must(t, err == nil && len(notices) == 0 && record.Status == entrez.GeneLive,
				"%s: %v %v", record.Status, notices, err)
			summary := ""
			if got.Summary != "" {
				summary = fmt.Sprintf("%d %x", utf8.RuneCountInString(got.Summary), sha256.Sum256([]byte(got.Summary)))[:12]
			}
			if expect.Genes().Real {
				expect.That(t, summary == tt.summary, "the summary is %q", summary)
				got.Summary = ""
				got.Locations, got.GOTerms, got.Phenotypes = nil, nil, nil // see TestGeneDepthCorpus
				expect.Equal(t, "gene", tt.want, got)
			} else { // embedded records of these genes have other texts and lists
				ids := func(g entity.Gene) [4]string {
					return [4]string{g.ID, g.Symbol, g.CrossReferences.HGNC, g.CrossReferences.OMIM}
				}
				expect.Equal(t, "gene", ids(tt.want), ids(got))
			}
			if problems := geneProblems(&got); len(problems) > 0 {
				t.Error(problems)
			}
		})
	}
}

func TestGeneFixtures(t *testing.T) {
	t.Parallel()
	type refs = entity.GeneCrossReferences
	human := func(g entity.Gene) entity.Gene {
		g.Organism, g.TaxonID = "Homo sapiens", 9606
		if g.GeneType == "" {
			g.GeneType = "protein-coding"
		}
		return g
	}
	for fixture, want := range map[string]entity.Gene{
		"replaced": human(entity.Gene{ID: "NCBIGene:9000001", Symbol: "OLD1", Name: "an old record", Description: "an old record",
			GeneType: "unknown", CrossReferences: refs{Entrez: "9000001"}}),
		"discontinued": human(entity.Gene{ID: "NCBIGene:9000003", Symbol: "GONE1", Name: "a withdrawn record",
			Description: "a withdrawn record", GeneType: "other", CrossReferences: refs{Entrez: "9000003"}}),
		"x_and_y": human(entity.Gene{
			ID: "NCBIGene:9000004", Symbol: "PARX1", Name: "receptor of both sex chromosomes, official",
			Description: "receptor of both sex chromosomes",
			Summary:     "Our own words & a <sign>: it lies in a region that X and Y share.", MapLocation: "Xq28 and Yq12",
			Chromosome: "X, Y", Aliases: []string{"PX"},
			CrossReferences: refs{
				HGNC: "HGNC:9004", EnsemblGene: "ENSG00000000104", EnsemblTranscript: []string{"ENST00000900004"},
				UniProt: []string{"P90004"}, RefSeq: []string{"NM_900004"}, Entrez: "9000004", OMIM: "300001",
			},
		}),
		"no_summary": human(entity.Gene{ID: "NCBIGene:9000005", Symbol: "LOC9000005", Name: "a protein with a name", GeneType: "ncRNA",
			CrossReferences: refs{Entrez: "9000005"}}),
		"uniprot": human(entity.Gene{
			ID: "NCBIGene:9000006", Symbol: "MANY1", Name: "a gene of several proteins", Description: "a gene of several proteins",
			Chromosome: "8",
			CrossReferences: refs{HGNC: "HGNC:7739", UniProt: []string{"P07196", "Q12345"},
				RefSeq: []string{"NM_900006", "NR_900007", "XM_900008", "XR_900009"}, Entrez: "9000006", OMIM: "162280"},
		}),
		"uniprot_undecided": human(entity.Gene{
			ID: "NCBIGene:9000007", Symbol: "UNDEC1", Name: "no related protein", Description: "no related protein",
			CrossReferences: refs{RefSeq: []string{"NM_900011"}, Entrez: "9000007"},
		}),
		"uniprot_one": human(entity.Gene{
			ID: "NCBIGene:9000008", Symbol: "ONE1", Name: "one protein, of RefSeq only", Description: "one protein, of RefSeq only",
			CrossReferences: refs{UniProt: []string{"P33333"}, RefSeq: []string{"NM_900012", "NM_900013"}, Entrez: "9000008"},
		}),
		"rat": {
			ID: "NCBIGene:24842", Symbol: "Tp53", Name: "tumor protein p53", Description: "tumor protein p53", MapLocation: "10q24",
			Chromosome: "10",
			Organism:   "Rattus norvegicus", TaxonID: 10116, GeneType: "protein-coding",
			CrossReferences: refs{
				RGD: "RGD:3889", EnsemblGene: "ENSRNOG00000010756", EnsemblTranscript: []string{"ENSRNOT00000046490"},
				UniProt: []string{"P10361"}, RefSeq: []string{"NM_030989"}, Entrez: "24842",
			},
		},
		"mouse": {
			ID: "NCBIGene:22059", Symbol: "Trp53", Name: "transformation related protein 53",
			Description: "transformation related protein 53", MapLocation: "11 42.83 cM", Chromosome: "11",
			Organism: "Mus musculus", TaxonID: 10090, GeneType: "protein-coding",
			CrossReferences: refs{
				MGI: "MGI:98834", EnsemblGene: "ENSMUSG00000059552", EnsemblTranscript: []string{"ENSMUST00000108658"},
				UniProt: []string{"P02340"}, RefSeq: []string{"NM_011640"}, Entrez: "22059",
			},
		},
		"zebrafish": {
			ID: "NCBIGene:30590", Symbol: "tp53", Name: "tumor protein p53", Description: "tumor protein p53", Chromosome: "5",
			Organism: "Danio rerio", TaxonID: 7955, GeneType: "protein-coding",
			CrossReferences: refs{ZFIN: "ZDB-GENE-990415-270", EnsemblGene: "ENSDARG00000035559", Entrez: "30590"},
		},
		"fly": {
			ID: "NCBIGene:42722", Symbol: "p53", Name: "p53", MapLocation: "94D10-94D10", Chromosome: "3R",
			Organism: "Drosophila melanogaster", TaxonID: 7227, GeneType: "protein-coding",
			CrossReferences: refs{FlyBase: "FBgn0039044", UniProt: []string{"Q9N6D8"}, RefSeq: []string{"NM_206544"}, Entrez: "42722"},
		},
		"worm": {
			ID: "NCBIGene:172616", Symbol: "cep-1", Name: "Transcription factor", Description: "Transcription factor", Chromosome: "I",
			Organism: "Caenorhabditis elegans", TaxonID: 6239, GeneType: "protein-coding",
			CrossReferences: refs{WormBase: "WBGene00000467", Entrez: "172616"},
		},
		"yeast": {
			ID: "NCBIGene:852457", Symbol: "CDC28", Name: "kinase of the cell cycle", Description: "kinase of the cell cycle",
			Chromosome: "II",
			Organism:   "Saccharomyces cerevisiae S288C", TaxonID: 559292, GeneType: "protein-coding",
			CrossReferences: refs{SGD: "S000000364", Entrez: "852457"},
		},
		"xenopus": {
			ID: "NCBIGene:9000011", Symbol: "tp53", Name: "tumor protein p53", Description: "tumor protein p53", Chromosome: "3",
			Organism: "Xenopus tropicalis", TaxonID: 8364, GeneType: "protein-coding",
			CrossReferences: refs{Xenbase: "XB-GENE-9000011", Entrez: "9000011"},
		},
		"bacterium": {
			ID: "NCBIGene:9000012", Symbol: "b9012", Name: "an invented leader peptide",
			Organism: "Escherichia coli str. K-12 substr. MG1655", TaxonID: 511145, GeneType: "protein-coding",
			CrossReferences: refs{Entrez: "9000012"},
		},
	} {
		t.Run(fixture, func(t *testing.T) {
			t.Parallel()
			file, err := os.Open(filepath.Join(geneFixtures, fixture+".xml"))
			expect.NoError(t, err)
			defer file.Close()
			got, notices, err := genes.Gene(readGene(t, file))
			expect.NoError(t, err)
			expect.Equal(t, "locations", []entity.GeneLocation{{Assembly: "Reference assembly", Sequence: "NC_000001.2"}}, got.Locations)
			got.Locations = nil
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if diff := gocmp.Diff(geneNotices[fixture], notices); diff != "" {
				t.Error(diff)
			}
			if problems := geneProblems(&got); len(problems) > 0 {
				t.Error(problems)
			}
		})
	}
}

var geneNotices = map[string][]string{
	"x_and_y": {
		"NCBI states several ids for ensembl_gene of NCBIGene:9000004. Beside ENSG00000000104: ENSG00000000105.",
		"NCBI states several ids for omim of NCBIGene:9000004. Beside 300001: 400001.",
	},
	"uniprot_undecided": {
		"NCBI states several ids for uniprot of NCBIGene:9000007 and does not say which one is primary, so no id is given: P11111, P22222.",
	},
}

// TestGeneIDs: each form of an id that NCBI uses gives the same id, or is left out.
func TestGeneIDs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		db, value string
		want      entity.GeneCrossReferences
	}{
		{"HGNC", "11998", entity.GeneCrossReferences{HGNC: "HGNC:11998"}},
		{"HGNC", " hgnc:HGNC:11998 ", entity.GeneCrossReferences{HGNC: "HGNC:11998"}},
		{"HGNC", "HGNC:", entity.GeneCrossReferences{}},
		{"MGI", "98834", entity.GeneCrossReferences{MGI: "MGI:98834"}},
		{"RGD", "RGD:3889", entity.GeneCrossReferences{RGD: "RGD:3889"}},
		{"Ensembl", "ENSG00000141510.18", entity.GeneCrossReferences{EnsemblGene: "ENSG00000141510"}},
		{"Ensembl", "ENST00000269305", entity.GeneCrossReferences{}},
		{"Ensembl", "YAL001C", entity.GeneCrossReferences{}},
		{"MIM", "191170", entity.GeneCrossReferences{OMIM: "191170"}},
		{"MIM", "19117", entity.GeneCrossReferences{}},
		{"FlyBase", "FLYBASE:FBgn0039044", entity.GeneCrossReferences{FlyBase: "FBgn0039044"}},
		{"Xenbase", "Xenbase:XB-GENE-1", entity.GeneCrossReferences{Xenbase: "XB-GENE-1"}},
		{"AllianceGenome", "HGNC:11998", entity.GeneCrossReferences{}},
	} {
		got, notices, err := genes.Gene(&entrez.Gene{ID: "1", TaxName: "o",
			Dbtags: []entrez.Dbtag{{DB: tt.db, Value: tt.value}, {DB: tt.db, Value: tt.value}}})
		tt.want.Entrez = "1"
		if diff := gocmp.Diff(tt.want, got.CrossReferences); err != nil || diff != "" || len(notices) > 0 {
			t.Errorf("%s %q: %v %v\n%s", tt.db, tt.value, notices, err, diff)
		}
	}
}

func TestGeneChromosomes(t *testing.T) {
	t.Parallel()
	for want, given := range map[string][]string{"": {" "}, "17": {"17"}, "X, Y": {"X|Y", "Y"}, "1, Un": {"1, Un"}} {
		got, _, err := genes.Gene(&entrez.Gene{ID: "1", TaxName: "o", Chromosomes: given})
		expect.That(t, err == nil && got.Chromosome == want, "%q: %q, %v", given, got.Chromosome, err)
	}
}

func TestGeneIncomplete(t *testing.T) {
	t.Parallel()
	for _, g := range []entrez.Gene{{}, {ID: "1"}, {TaxName: "o"}, {ID: "0", TaxName: "o"}, {ID: "x", TaxName: "o"},
		{ID: "1", TaxName: " \u202e"}} {
		got, notices, err := genes.Gene(&g)
		expect.That(t, errors.Is(err, text.ErrIncomplete) && notices == nil && reflect.DeepEqual(got, entity.Gene{}),
			"%+v: %+v, %v", g, got, err)
	}
	for _, s := range []entrez.GeneSummary{{}, {UID: "1"}, {Organism: "o"}, {UID: "x", Organism: "o"}} {
		if got, err := genes.GeneCandidate(&s); !errors.Is(err, text.ErrIncomplete) || got != (entity.GeneSearchCandidate{}) {
			t.Errorf("%+v: %+v, %v", s, got, err)
		}
	}
}

func TestGeneCandidate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		summary entrez.GeneSummary
		want    entity.GeneSearchCandidate
	}{
		{entrez.GeneSummary{UID: "7157", Name: "TP53", NomenclatureName: "tumor protein p53", Description: "a\u0007 description",
			Organism: " Homo sapiens"},
			entity.GeneSearchCandidate{ID: "NCBIGene:7157", Symbol: "TP53", Name: "tumor protein p53", Description: "a description",
				Organism: "Homo sapiens"}},
		{entrez.GeneSummary{UID: "1", Name: "b1", Description: "d", Organism: "o"},
			entity.GeneSearchCandidate{ID: "NCBIGene:1", Symbol: "b1", Name: "d", Description: "d", Organism: "o"}},
		{entrez.GeneSummary{UID: "1", Organism: "o"},
			entity.GeneSearchCandidate{ID: "NCBIGene:1", Symbol: "LOC1", Name: "LOC1", Organism: "o"}},
	} {
		got, err := genes.GeneCandidate(&tt.summary)
		if diff := gocmp.Diff(tt.want, got); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
	}
}

// TestGeneRegistry: every key of the registry has a pattern, a description and
// a cardinality.
func TestGeneRegistry(t *testing.T) {
	t.Parallel()
	source, err := parser.ParseFile(token.NewFileSet(), "../../entity/genes.go", nil, parser.ParseComments)
	expect.NoError(t, err)
	described := map[string]string{}
	ast.Inspect(source, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == "GeneCrossReferences" {
			for _, f := range spec.Type.(*ast.StructType).Fields.List {
				described[f.Names[0].Name] = f.Doc.Text()
			}
		}
		return true
	})
	want := strings.Fields("hgnc ensembl_gene ensembl_transcript uniprot refseq entrez omim ucsc pubmed kegg kegg_pathway pdb chembl " +
		"drugbank " +
		"pubchem_compound pubchem_substance string biogrid stitch iuphar orphanet mondo efo mgi rgd zfin flybase wormbase sgd xenbase")
	var keys []string
	for field := range reflect.TypeFor[entity.GeneCrossReferences]().Fields() {
		key, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		keys = append(keys, key)
		pattern := entity.GeneCrossReferencePatterns()[key]
		expect.That(t, pattern != nil && strings.HasPrefix(pattern.String(), "^") && strings.HasSuffix(pattern.String(), "$") &&
			!pattern.MatchString(""),
			"%s: pattern %v", key, pattern)
		if doc := described[field.Name]; !strings.Contains(doc, "Source: ") && !strings.Contains(doc, "Reserved") {
			t.Errorf("%s: description %q", key, doc)
		}
		list := field.Type.Kind() == reflect.Slice
		expect.That(t, option == "omitempty" && list == strings.HasPrefix(field.Tag.Get("jsonschema"), "minItems=1,") &&
			(list || field.Type.Kind() == reflect.String),
			"%s: cardinality", key)
	}
	if diff := gocmp.Diff(want, keys); diff != "" || len(entity.GeneCrossReferencePatterns()) != len(keys) {
		t.Error(diff)
	}
}

// FuzzGene: any gene that decodes is incomplete or maps to a valid entity.
func FuzzGene(f *testing.F) {
	for _, name := range []string{"x_and_y", "uniprot", "uniprot_undecided", "mouse", "bacterium"} {
		text, err := os.ReadFile(filepath.Join(geneFixtures, name+".xml"))
		expect.NoError(f, err)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, set string) {
		if len(set) > 1<<17 {
			t.Skip()
		}
		_ = entrez.ReadGenes(strings.NewReader(set), 0, func(g *entrez.Gene) error {
			got, _, err := genes.Gene(g)
			if errors.Is(err, text.ErrIncomplete) {
				return nil
			}
			if problems := geneProblems(&got); err != nil || len(problems) > 0 {
				t.Errorf("%v %v", err, problems)
			}
			return nil
		})
	})
}
