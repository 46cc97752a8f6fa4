package sandbox

import (
	"encoding/json"
	"encoding/xml"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// ownGenes are the embedded records.
func ownGenes(t testing.TB) *genes {
	t.Helper()
	g, err := readGenes(strings.NewReader(embeddedGenes))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestEveryGeneIsFound(t *testing.T) {
	t.Parallel()
	s, g := own(t), ownGenes(t)
	for _, record := range g.list {
		id := decimal(record.ID)
		term := `"` + record.Symbol + `"[sym] AND txid` + decimal(record.Organism.TaxID) + "[orgn]"
		if got := esearch(t, s, "term="+term).IDs; !slices.Contains(got, id) {
			t.Errorf("%s: %v, want %s", term, got, id)
		}
		if got := esearch(t, s, "term="+id+"[uid]").IDs; !slices.Equal(got, []string{id}) {
			t.Errorf("%s[uid]: %v", id, got)
		}
		for _, tag := range record.IDs {
			if got := esearch(t, s, "term="+tag.ID).IDs; !slices.Contains(got, id) {
				t.Errorf("%s: %v, want %s", tag.ID, got, id)
			}
		}
	}
	if len(g.list) < 48 || len(embeddedGenes) > 300_000 {
		t.Errorf("%d genes in %d bytes", len(g.list), len(embeddedGenes))
	}
}

// summaries asks for document summaries.
func summaries(t testing.TB, s *Sandbox, ids string) map[string]map[string]any {
	t.Helper()
	return summariesIn(t, s, "gene", ids)
}

func summariesIn(t testing.TB, s *Sandbox, db, ids string) map[string]map[string]any {
	t.Helper()
	_, body := utility(t, s, "esummary?db="+db+"&retmode=json&id="+ids)
	var out struct {
		Result map[string]json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal([]byte(body), &out); err != nil {
		t.Fatal(err)
	}
	docs := map[string]map[string]any{}
	for uid, doc := range out.Result {
		if uid == "uids" {
			continue
		}
		var fields map[string]any
		if err := json.Unmarshal(doc, &fields); err != nil {
			t.Fatal(err)
		}
		docs[uid] = fields
	}
	return docs
}

func TestSummaries(t *testing.T) {
	t.Parallel()
	docs := summaries(t, own(t), "7157,990000003,990000004,24842,105694156,3581,4535,999")
	place := func(id string, i int) map[string]any {
		return docs[id]["genomicinfo"].([]any)[i].(map[string]any)
	}
	for what, holds := range map[string]bool{
		"live is said by nothing":       docs["7157"]["status"] == "" && docs["7157"]["currentid"] == "",
		"replaced":                      docs["990000003"]["status"] == 1.0 && docs["990000003"]["currentid"] == 990000002.0,
		"discontinued":                  docs["990000004"]["status"] == 2.0 && docs["990000004"]["currentid"] == "",
		"backwards on the minus strand": place("7157", 0)["chrstart"] == 7687489.0 && place("7157", 0)["chrstop"] == 7668420.0,
		"X and Y":                       place("3581", 1)["chrloc"] == "Y" && docs["3581"]["chromosome"] == "X, Y",
		"no place":                      len(docs["24842"]["genomicinfo"].([]any)) == 0 && docs["24842"]["chrstart"] == float64(unplaced),
		"no MIM":                        len(docs["105694156"]["mim"].([]any)) == 0,
		"MIM as text":                   docs["7157"]["mim"].([]any)[0] == "191170",
		"the official symbol is other":  docs["4535"]["name"] == "ND1" && docs["4535"]["nomenclaturesymbol"] == "MT-ND1",
		"no such record":                docs["999"]["error"] == "cannot get document summary",
	} {
		if !holds {
			t.Error(what)
		}
	}
	if docs["7157"]["organism"].(map[string]any)["taxid"] != 9606.0 {
		t.Errorf("%v", docs["7157"]["organism"])
	}
}

// geneRecord is what a test reads of a record.
type geneRecord struct {
	ID       string   `xml:"Entrezgene_track-info>Gene-track>Gene-track_geneid"`
	Current  []string `xml:"Entrezgene_track-info>Gene-track>Gene-track_current-id>Dbtag>Dbtag_tag>Object-id>Object-id_id"`
	Symbol   string   `xml:"Entrezgene_gene>Gene-ref>Gene-ref_locus"`
	Comments []struct {
		Heading string `xml:"Gene-commentary_heading"`
		Inner   string `xml:",innerxml"`
	} `xml:"Entrezgene_comments>Gene-commentary"`
}

func geneRecords(t testing.TB, s *Sandbox, ids string) []geneRecord {
	t.Helper()
	resp, body := utility(t, s, "efetch?db=gene&retmode=xml&id="+ids)
	var set struct {
		XMLName xml.Name     `xml:"Entrezgene-Set"`
		Records []geneRecord `xml:"Entrezgene"`
	}
	if err := xml.Unmarshal([]byte(body), &set); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v, status %d", ids, err, resp.StatusCode)
	}
	return set.Records
}

func TestRecords(t *testing.T) {
	t.Parallel()
	s, g := own(t), ownGenes(t)
	all := decimals(slices.Sorted(maps.Keys(g.byID)))
	records := geneRecords(t, s, strings.Join(all, ",")+",999,672")
	if len(records) != len(all) {
		t.Fatalf("%d records of %d: unknown and repeated ids are left out", len(records), len(all))
	}
	former := 0
	for i, r := range records {
		known := g.byID[uint64From(t, r.ID)]
		if r.ID != all[i] || r.Symbol != known.Symbol {
			t.Errorf("record %d is %s %s", i, r.ID, r.Symbol)
		}
		if known.Current != 0 && (len(r.Current) != 2 || r.Current[1] != decimal(known.Current)) {
			t.Errorf("%s is replaced by %v", r.ID, r.Current)
		}
		// Each primary accession stands in Related Sequences, with its version,
		// and former ones only before it in the RefSeq section.
		for _, c := range r.Comments {
			for _, a := range known.swissProts() {
				if c.Heading == "Related Sequences" && !strings.Contains(c.Inner, "<Object-id_str>"+a+".1</Object-id_str>") {
					t.Errorf("%s: no %s in %s", r.ID, a, c.Heading)
				}
			}
			if c.Heading != "NCBI Reference Sequences (RefSeq)" || len(known.Secondary) == 0 {
				continue
			}
			former++
			before, _, found := strings.Cut(c.Inner, known.swissProts()[0])
			if !found || !strings.Contains(before, known.Secondary[0]) {
				t.Errorf("%s: %s is not before %s", r.ID, known.Secondary[0], known.swissProts()[0])
			}
		}
	}
	if former < 5 {
		t.Errorf("%d genes with former Swiss-Prot accessions", former)
	}
	const none = `<?xml version="1.0" ?>
<!DOCTYPE Entrezgene-Set PUBLIC "-//NLM//DTD NCBI-Entrezgene, 21st January 2005//EN" "https://www.ncbi.nlm.nih.gov/data_specs/dtd/NCBI_Entrezgene.dtd">
<Entrezgene-Set></Entrezgene-Set>
`
	if _, body := utility(t, s, "efetch?db=gene&retmode=xml&id=999,998"); body != none {
		t.Error(body)
	}
}

func uint64From(t testing.TB, id string) uint64 {
	t.Helper()
	uids := fetched([]string{id})
	if len(uids) != 1 {
		t.Fatalf("no id: %q", id)
	}
	return uids[0]
}

// TestRecordOrder: comments are in the order on which a reader that stops early
// relies.
func TestRecordOrder(t *testing.T) {
	t.Parallel()
	var got []string
	for _, c := range geneRecords(t, own(t), "7157")[0].Comments {
		if c.Heading != "" {
			got = append(got, c.Heading)
		}
	}
	want := []string{"RefSeq Status", "NCBI Reference Sequences (RefSeq)", "Related Sequences", "Additional Links", "Interactions"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
