package entrez_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
)

const geneFixtures = "testdata/genes"

func geneFixture(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(geneFixtures, name+".xml"))
	expect.NoError(t, err)
	return string(text)
}

// genes reads a set.
func genes(r io.Reader, want int) ([]*entrez.Gene, error) {
	var all []*entrez.Gene
	err := entrez.ReadGenes(r, want, func(g *entrez.Gene) error {
		all = append(all, g)
		return nil
	})
	return all, err
}

func TestReadGenes(t *testing.T) {
	t.Parallel()
	human := entrez.Gene{
		Status: entrez.GeneLive, Type: "protein-coding", TaxName: "Homo sapiens", TaxID: 9606,
		Locations: []entrez.GeneLocation{{Heading: "Reference assembly", Accession: "NC_000001", Version: "2"}},
	}
	for _, tt := range []struct {
		fixture string
		want    func(g *entrez.Gene)
	}{
		{"replaced", func(g *entrez.Gene) {
			g.ID, g.Status, g.CurrentID = "9000001", entrez.GeneSecondary, "9000002"
			g.Type, g.Locus, g.Description = "unknown", "OLD1", "an old record"
		}},
		{"discontinued", func(g *entrez.Gene) {
			g.ID, g.Status = "9000003", entrez.GeneDiscontinued
			g.Type, g.Locus, g.Description = "other", "GONE1", "a withdrawn record"
		}},
		{"x_and_y", func(g *entrez.Gene) {
			g.ID, g.Chromosomes = "9000004", []string{"X", "Y"}
			g.Locus, g.Description, g.MapLocation = "PARX1", "receptor of both sex chromosomes", "Xq28 and Yq12"
			g.Synonyms = []string{"PX", "PARX1"}
			g.Dbtags = []entrez.Dbtag{
				{DB: "HGNC", Value: "HGNC:9004"}, {DB: "Ensembl", Value: "ENSG00000000104"}, {DB: "Ensembl", Value: "ENSG00000000105.3"},
				{DB: "MIM", Value: "300001"}, {DB: "MIM", Value: "400001"},
			}
			g.Summary = "Our own words & a <sign>: it lies in a region that X and Y share."
			g.OfficialSymbol, g.OfficialName = "PARX1", "receptor of both sex chromosomes, official"
			g.Transcripts, g.EnsemblTranscripts = []string{"NM_900004"}, []string{"ENST00000900004"}
			g.RefSeqUniProt = []entrez.Dbtag{{DB: "UniProtKB/TrEMBL", Value: "A0A024R161"}, {DB: "UniProtKB/Swiss-Prot", Value: "P90004"}}
			g.SwissProt = []string{"P90004"}
		}},
		{"no_summary", func(g *entrez.Gene) {
			g.ID, g.Type, g.ProteinNames = "9000005", "ncRNA", []string{"a protein with a name", "another name"}
		}},
		{"uniprot", func(g *entrez.Gene) {
			g.ID, g.Chromosomes, g.Locus, g.Description = "9000006", []string{"8"}, "MANY1", "a gene of several proteins"
			g.Dbtags = []entrez.Dbtag{{DB: "HGNC", Value: "7739"}, {DB: "AllianceGenome", Value: "HGNC:7739"}, {DB: "MIM", Value: "162280"}}
			g.Transcripts = []string{"NM_900006", "NR_900007", "XM_900008", "XR_900009"}
			g.RefSeqUniProt = []entrez.Dbtag{
				{DB: "UniProtKB/TrEMBL", Value: "B3KQI5"}, {DB: "UniProtKB/Swiss-Prot", Value: "B9ZVN2"},
				{DB: "UniProtKB/Swiss-Prot", Value: "P07196"},
				{DB: "UniProtKB/Swiss-Prot", Value: "Q16154"}, {DB: "UniProtKB/Swiss-Prot", Value: "Q8IU72"},
			}
			g.SwissProt = []string{"P07196", "Q12345"}
		}},
		{"fly", func(g *entrez.Gene) {
			g.ID, g.TaxName, g.TaxID = "42722", "Drosophila melanogaster", 7227
			g.Chromosomes, g.MapLocation = []string{"3R"}, "94D10-94D10"
			g.Locus, g.LocusTag, g.FormalSymbol, g.FormalName = "p53", "Dmel_CG33336", "p53", "p53"
			g.Dbtags = []entrez.Dbtag{{DB: "FLYBASE", Value: "FBgn0039044"}, {DB: "Ensembl", Value: "FBgn0039044"}}
			g.Transcripts, g.EnsemblTranscripts, g.SwissProt = []string{"NM_206544"}, []string{"FBtr0084360"}, []string{"Q9N6D8"}
		}},
		{"bacterium", func(g *entrez.Gene) {
			g.ID, g.TaxName, g.TaxID = "9000012", "Escherichia coli str. K-12 substr. MG1655", 511145
			g.LocusTag, g.Dbtags, g.ProteinNames = "b9012", []entrez.Dbtag{{DB: "ECOCYC", Value: "EG10001"}},
				[]string{"an invented leader peptide"}
		}},
		{"depth", func(g *entrez.Gene) {
			g.ID, g.Locus, g.OfficialSymbol, g.ExonCount, g.Transcripts = "9000020", "DEEP1", "DEEP1", 7, []string{"NM_900020"}
			alternate := entrez.GeneLocation{
				Heading: "Alternate T2T-CHM13v2.0", Label: "Chromosome 9 Alternate T2T-CHM13v2.0", Accession: "NC_060933", Version: "1",
				From: 400, To: 500, Strand: "plus", Placed: true,
			}
			g.Locations = []entrez.GeneLocation{
				{
					Heading: "Reference GRCh38.p14 Primary Assembly", Label: "Chromosome 9 Reference GRCh38.p14 Primary Assembly",
					Accession: "NC_000009", Version: "12", From: 99, To: 199, Strand: "minus", Placed: true,
				},
				{Label: "RefSeqGene", Accession: "NG_900020", Version: "1", To: 100, Strand: "plus", Placed: true},
				alternate, alternate,
				{Heading: "A point", Accession: "NC_900021", From: 41, To: 41, Placed: true},
				{Heading: "Unplaced", Accession: "NW_900022", Version: "3"},
			}
			g.Locations[3].From, g.Locations[3].To = 0, 20
			g.GOTerms = []entrez.GOTerm{
				{ID: "5524", Term: "ATP binding", Aspect: "Function", Qualifier: "enables", Evidence: "evidence: IDA",
					PMIDs: []string{"11", "12"}},
				{ID: "3677", Term: "DNA binding", Aspect: "Function", Evidence: "evidence: IEA"},
				{ID: "6915", Term: "apoptotic process", Aspect: "Process", Qualifier: "NOT", Evidence: "evidence: IMP",
					PMIDs: []string{"13"}},
				{ID: "5634", Term: "nucleus", Aspect: "Component", Evidence: "evidence: IDA"},
				{ID: "5634", Term: "nucleus", Aspect: "Component", Evidence: "evidence: IEA"},
			}
			g.Phenotypes = []entrez.GenePhenotype{
				{
					Name: "Copy number response", Sources: []string{"Triplosensitivity", "Haploinsufficiency"}, PMIDs: []string{"21"},
					Notes: []string{"Triplosensitivity: No evidence available", "Haploinsufficiency: Sufficient evidence"},
				},
				{Name: "An association study of our own invention.", Sources: []string{"NHGRI GWA Catalog"}, PMIDs: []string{"22"}},
				{
					Name: "Deep syndrome, type 1", Sources: []string{"Gene Reviews", "GTR", "MedGen", "OMIM"}, PMIDs: []string{"23"},
					Dbtags: []entrez.Dbtag{{DB: "GeneReviews", Value: "NBK1"}, {DB: "GTRDisease", Value: "C0000001"},
						{DB: "MedGen", Value: "C0000001"}, {DB: "MIM", Value: "600001"}},
				},
				{
					Name: "Deep syndrome, all types", Sources: []string{"OMIM", "MedGen"},
					Dbtags: []entrez.Dbtag{{DB: "MIM", Value: "600002"}, {DB: "MIM", Value: "600003"}, {DB: "MedGen", Value: "CN000002"}},
				},
			}
		}},
	} {
		t.Run(tt.fixture, func(t *testing.T) {
			t.Parallel()
			want := human
			tt.want(&want)
			text := geneFixture(t, tt.fixture)
			for _, n := range []int{0, 1, 2} {
				got, err := genes(strings.NewReader(text), n)
				if diff := cmp.Diff([]*entrez.Gene{&want}, got); err != nil || diff != "" {
					t.Errorf("want %d: %v\n%s", n, err, diff)
				}
			}
			got, err := genes(iotest.OneByteReader(strings.NewReader(text)), 0)
			if diff := cmp.Diff([]*entrez.Gene{&want}, got); err != nil || diff != "" {
				t.Errorf("byte by byte: %v\n%s", err, diff)
			}
		})
	}
}

// TestReadGenesStopsEarly: nothing is read after the data of the last requested record, except what is in the buffer.
func TestReadGenesStopsEarly(t *testing.T) {
	t.Parallel()
	text := geneFixture(t, "two")
	const heading, comments = "Interactions</Gene-commentary_heading>", "</Entrezgene_comments>"
	first := strings.Index(text, heading) + len(heading) // end of the data of the first record
	second := strings.LastIndex(text, comments) + len(comments)
	for want, facts := range map[int]int{1: first, 2: second} {
		r := io.MultiReader(strings.NewReader(text[:facts]), iotest.ErrReader(errors.New("read on")))
		got, err := genes(iotest.OneByteReader(r), want)
		expect.That(t, err == nil && len(got) == want, "%d of %d genes: %v", len(got), want, err)
	}
	got, err := genes(strings.NewReader(text), 0)
	expect.That(t, err == nil && len(got) == 2 && got[0].Locus == "LONG1" && got[1].Locus == "SHORT1", "%d genes: %v", len(got), err)
	expect.That(t, got[0].SwissProt[0] == "P44444" && len(got[0].SwissProt) == 1 && len(got[0].Dbtags) == 0,
		"a linked record became a fact")
	expect.Equal(t, "GeneRIFs", []entrez.GeneRIF{
		{Text: "A newer sentence of our own.", PMIDs: []string{"31"}, Created: entrez.Date{Year: "2015", Month: "5", Day: "2"}},
		{Text: "An older sentence of our own.", PMIDs: []string{"33"}, Created: entrez.Date{Year: "2015", Month: "5", Day: "1"}},
	}, got[0].RIFs)
}

// TestReadGenesCut: every truncation of a set is detected, and no gene is returned in part.
func TestReadGenesCut(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(geneFixtures, "*.xml"))
	expect.Must(t, err == nil && len(names) >= 16, "%d fixtures: %v", len(names), err)
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			text := geneFixture(t, strings.TrimSuffix(filepath.Base(name), ".xml"))
			full, err := genes(strings.NewReader(text), 0)
			expect.NoError(t, err)
			end := strings.LastIndex(text, "</Entrezgene-Set>") + len("</Entrezgene-Set>")
			step := 1 // a long set is truncated at fewer positions
			if end > 5000 {
				step = end/300 | 1
			}
			if !expect.All() {
				step *= 20
			}
			for i := 0; i < end; i += step {
				got, err := genes(strings.NewReader(text[:i]), 0)
				expect.Must(t, err != nil, "cut to %d of %d bytes: %d genes and no error", i, end, len(got))
				if diff := cmp.Diff(full[:len(got)], got, cmp.Transformer("nil", func(g []*entrez.Gene) []*entrez.Gene {
					return append([]*entrez.Gene{}, g...)
				})); diff != "" && len(got) > 0 {
					t.Fatalf("cut to %d of %d bytes: %s", i, end, diff)
				}
			}
		})
	}
}

const oneGene = `<Entrezgene><Entrezgene_track-info><Gene-track><Gene-track_geneid>1</Gene-track_geneid></Gene-track></Entrezgene_track-info>`

func TestReadGenesOther(t *testing.T) {
	t.Parallel()
	comments := `<Entrezgene_comments><Gene-commentary><Gene-commentary_heading>Related Sequences</Gene-commentary_heading>` +
		`<Gene-commentary_comment><Dbtag><Dbtag_db>UniProtKB/Swiss-Prot</Dbtag_db><Dbtag_tag><Object-id><Object-id_str>P1.2</Object-id_str></Object-id></Dbtag_tag></Dbtag></Gene-commentary_comment>` +
		`</Gene-commentary><Gene-commentary/></Entrezgene_comments>`
	for _, tt := range []struct{ name, text, want string }{
		{"empty set", "<Entrezgene-Set></Entrezgene-Set>", answer},
		{"empty set, one tag", "\ufeff<?xml version='1.0'?><Entrezgene-Set/>", answer},
		{"record", "<Entrezgene-Set>" + oneGene + "</Entrezgene></Entrezgene-Set>", answer},
		{"parts in another order", "<Entrezgene-Set><Entrezgene>" + comments + strings.TrimPrefix(oneGene, "<Entrezgene>") +
			"</Entrezgene></Entrezgene-Set>", answer},
		{"unknown elements", "<Entrezgene-Set><a/><Entrezgene-Set-remark>x</Entrezgene-Set-remark>" + oneGene +
			"<b><b/><b>x</b></b><c x='/'/><!-- --></Entrezgene></Entrezgene-Set>", answer},
		{"no UTF-8", "<Entrezgene-Set>" +
			oneGene + "<Entrezgene_prot><a>\xff\x01\xed\xa0\x80\uffff</a></Entrezgene_prot></Entrezgene></Entrezgene-Set>", answer},
		{"an empty ERROR", "<Entrezgene-Set><ERROR/></Entrezgene-Set>", answer},

		{"nothing", "", transient},
		{"prolog", prolog, transient},
		{"cut", "<Entrezgene-Set>", transient},
		{"no id", "<Entrezgene-Set><Entrezgene></Entrezgene></Entrezgene-Set>", transient},
		{"an invalid id", "<Entrezgene-Set>" + strings.Replace(oneGene, ">1<", ">x<", 1) + "</Entrezgene></Entrezgene-Set>",
			transient},
		{"tags that do not match", "<Entrezgene-Set>" + oneGene + "</Entrezgene-Set></Entrezgene>", transient},
		{"an unknown encoding", "<?xml version='1.0' encoding='klingon'?><Entrezgene-Set></Entrezgene-Set>", transient},
		{"too deep", "<Entrezgene-Set>" + oneGene + "<Entrezgene_prot>" + strings.Repeat("<a>", 100000), transient},
		{"another root", "<eSearchResult><Count>1</Count></eSearchResult>", transient},
		{"text", "Unable to route request!", transient},
		{"ERROR", "<eFetchResult><ERROR> Error occurred: cannot get document summary</ERROR></eFetchResult>", transient},
		{"ERROR in the set", "<Entrezgene-Set><ERROR>Invalid uid 1</ERROR></Entrezgene-Set>", refused},
		{"no ids", "<eFetchResult><ERROR>ID list is empty! Possibly it has no correct IDs.</ERROR></eFetchResult>", refused},
		{"rate", `{"error":"API rate limit exceeded","api-key":"SECRET","count":"4","limit":"3"}`, limited},
		{"key", `{"error":"API key invalid","api-key":"SECRET"}`, badKey},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := genes(strings.NewReader(tt.text), 0)
			if got := kind(t, err); got != tt.want {
				t.Errorf("%s: %v", got, err)
			}
		})
	}
}

// TestReadGenesIllegible: a byte that is no text becomes a mark, and loses no record.
func TestReadGenesIllegible(t *testing.T) {
	t.Parallel()
	got, err := genes(strings.NewReader("<Entrezgene-Set>"+oneGene+
		"<Entrezgene_summary>caf\xe9 \u00b5</Entrezgene_summary></Entrezgene></Entrezgene-Set>"), 0)
	expect.That(t, err == nil && got[0].Summary == "caf\ufffd \u00b5", "%v, %v", got, err)
}

func TestReadGenesStops(t *testing.T) {
	t.Parallel()
	stop := errors.New("stop")
	n := 0
	err := entrez.ReadGenes(strings.NewReader(geneFixture(t, "two")), 0, func(*entrez.Gene) error { n++; return stop })
	expect.That(t, errors.Is(err, stop) && n == 1, "%d genes: %v", n, err)
	broken := errors.New("broken")
	if _, err := genes(io.MultiReader(strings.NewReader("<Entrezgene-Set>"+oneGene), iotest.ErrReader(broken)), 0); !errors.Is(err,
		broken) {
		t.Error(err)
	}
	if _, ok := errors.AsType[*entity.Error](err); ok {
		t.Error("not for a client")
	}
}

// TestReadGenesCorpus: reading a part gives the same genes as reading all, and a set of all records gives each of them. Of the largest
// record a seventh is read.
func TestReadGenesCorpus(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	var set bytes.Buffer
	var want []*entrez.Gene
	set.WriteString("<Entrezgene-Set>")
	for _, id := range []string{"348", "105694156", "7157", "4747"} {
		text := expect.Gene(t, id)
		for _, n := range []int{0, 1} {
			got, err := genes(bytes.NewReader(text), n)
			expect.Must(t, err == nil && len(got) == 1 && got[0].ID == id, "%s: %d genes: %v", id, len(got), err)
			want = append(want[:len(want):len(want)], got...)
		}
		expect.Equal(t, id, want[len(want)-2], want[len(want)-1])
		rifs := len(want[len(want)-1].RIFs)
		expect.That(t, rifs <= entrez.MaxRIFs && (rifs > 0 || id == "105694156"), "%s: %d GeneRIFs", id, rifs)
		want = want[:len(want)-1]
		set.Write(text[bytes.Index(text, []byte("<Entrezgene>")) : bytes.LastIndex(text, []byte("</Entrezgene>"))+len("</Entrezgene>")])
	}
	set.WriteString("</Entrezgene-Set>")
	got, err := genes(&set, 4)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

// readMeter counts the bytes that are read and measures the heap.
type readMeter struct {
	r    io.Reader
	n    int64
	heap uint64
}

func (m *readMeter) Read(p []byte) (int, error) {
	runtime.GC() // to measure live memory only
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	m.heap = max(m.heap, now.HeapAlloc)
	n, err := m.r.Read(p)
	m.n += int64(n)
	return n, err
}

// BenchmarkReadGene reads the largest record: TP53.
func BenchmarkReadGene(b *testing.B) {
	text := expect.Gene(b, "7157")
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	m := &readMeter{r: bytes.NewReader(text)}
	if _, err := genes(m, 1); err != nil {
		b.Fatal(err)
	}
	b.Run("hang up", func(b *testing.B) { benchmarkGene(b, text, 1) })
	b.Run("to the end", func(b *testing.B) { benchmarkGene(b, text, 0) })
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
		}
		b.ReportMetric(100*float64(m.n)/float64(len(text)), "%read")
		b.ReportMetric(float64(m.heap-min(m.heap, before.HeapAlloc))/1024, "peak-KiB")
	})
}

func benchmarkGene(b *testing.B, text []byte, want int) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := genes(bytes.NewReader(text), want); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzReadGenes(f *testing.F) {
	for _, name := range []string{"replaced", "x_and_y", "uniprot", "bacterium", "depth"} {
		f.Add([]byte(geneFixture(f, name)), 1)
	}
	f.Add([]byte("<Entrezgene-Set>"+oneGene+"</Entrezgene>"+oneGene+"<b x='/'/></Entrezgene></Entrezgene-Set>"), 2)
	f.Fuzz(func(t *testing.T, text []byte, want int) {
		if len(text) > 1<<17 {
			t.Skip()
		}
		got, err := genes(bytes.NewReader(text), want)
		expect.That(t, err != nil || want <= 0 || len(got) <= want, "%d genes of %d", len(got), want)
		for _, g := range got {
			expect.That(t, g.ID != "" && strings.Trim(g.ID, "0123456789") == "", "id %q", g.ID)
		}
		again, err2 := genes(iotest.OneByteReader(bytes.NewReader(text)), want)
		if diff := cmp.Diff(got, again); diff != "" || (err == nil) != (err2 == nil) {
			t.Errorf("another result in other portions: %v, %v\n%s", err, err2, diff)
		}
	})
}
