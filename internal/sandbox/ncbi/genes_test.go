package ncbi

import (
	"encoding/json"
	"encoding/xml"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// ownGenes returns the embedded records.
func ownGenes(t testing.TB) *genes {
	t.Helper()
	db, err := embedded(t).open("gene")
	expect.NoError(t, err)
	return db.(*genes)
}

func TestEveryGeneIsFound(t *testing.T) {
	t.Parallel()
	s, g := embedded(t), ownGenes(t)
	for _, record := range g.list {
		id := decimal(record.ID)
		term := `"` + record.symbol() + `"[sym] AND txid` + decimal(record.taxon()) + "[orgn]"
		if got := esearch(t, s, "term="+term).IDs; !slices.Contains(got, id) {
			t.Errorf("%s: %v, want %s", term, got, id)
		}
		if got := esearch(t, s, "term="+id+"[uid]").IDs; !slices.Equal(got, []string{id}) {
			t.Errorf("%s[uid]: %v", id, got)
		}
		for _, tag := range mapSlice(record.all(refPath+"db/Dbtag"), idOf) {
			if got := esearch(t, s, "term="+tag).IDs; !slices.Contains(got, id) {
				t.Errorf("%s: %v, want %s", tag, got, id)
			}
		}
	}
	expect.That(t, len(g.list) >= 48, "%d genes", len(g.list))
}

// summaries requests document summaries.
func summaries(t testing.TB, s *Utilities, ids string) map[string]map[string]any {
	t.Helper()
	return summariesIn(t, s, "gene", ids)
}

func summariesIn(t testing.TB, s *Utilities, db, ids string) map[string]map[string]any {
	t.Helper()
	_, body := utility(t, s, "esummary?db="+db+"&retmode=json&id="+ids)
	var out struct {
		Result map[string]json.RawMessage `json:"result"`
	}
	expect.NoError(t, json.Unmarshal([]byte(body), &out))
	docs := map[string]map[string]any{}
	for uid, doc := range out.Result {
		if uid == "uids" {
			continue
		}
		var fields map[string]any
		expect.NoError(t, json.Unmarshal(doc, &fields))
		docs[uid] = fields
	}
	return docs
}

func TestSummaries(t *testing.T) {
	t.Parallel()
	docs := summaries(t, embedded(t), "7157,990000003,990000004,24842,105694156,3581,4535,999")
	for what, holds := range map[string]bool{
		"live is said by nothing":      docs["7157"]["status"] == "" && docs["7157"]["currentid"] == "",
		"replaced":                     docs["990000003"]["status"] == 1.0 && docs["990000003"]["currentid"] == 990000002.0,
		"discontinued":                 docs["990000004"]["status"] == 2.0 && docs["990000004"]["currentid"] == "",
		"no MIM":                       len(docs["105694156"]["mim"].([]any)) == 0,
		"MIM as text":                  docs["7157"]["mim"].([]any)[0] == "191170",
		"the official symbol is other": docs["4535"]["name"] == "ND1" && docs["4535"]["nomenclaturesymbol"] == "MT-ND1",
		"no such record":               docs["999"]["error"] == "cannot get document summary",
	} {
		expect.That(t, holds, "%v", what)
	}
	if docs["7157"]["organism"].(map[string]any)["taxid"] != 9606.0 {
		t.Errorf("%v", docs["7157"]["organism"])
	}
}

// geneRecord has the fields of a record that tests read.
type geneRecord struct {
	ID       string   `xml:"Entrezgene_track-info>Gene-track>Gene-track_geneid"`
	Current  []string `xml:"Entrezgene_track-info>Gene-track>Gene-track_current-id>Dbtag>Dbtag_tag>Object-id>Object-id_id"`
	Symbol   string   `xml:"Entrezgene_gene>Gene-ref>Gene-ref_locus"`
	Comments []struct {
		Heading string `xml:"Gene-commentary_heading"`
		Inner   string `xml:",innerxml"`
	} `xml:"Entrezgene_comments>Gene-commentary"`
}

func geneRecords(t testing.TB, s *Utilities, ids string) []geneRecord {
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
	s, g := embedded(t), ownGenes(t)
	all := decimals(slices.Sorted(maps.Keys(g.byID)))
	records := geneRecords(t, s, strings.Join(all, ",")+",999,672")
	expect.Must(t, len(records) == len(all), "%d records of %d: unknown and repeated ids are left out", len(records), len(all))
	for i, r := range records {
		known := g.byID[uint64From(t, r.ID)]
		expect.That(t, r.ID == all[i] && r.Symbol == known.symbol(), "record %d is %s %s", i, r.ID, r.Symbol)
		expect.That(t, known.current() == "" || len(r.Current) == 2 && r.Current[1] == known.current(),
			"%s is replaced by %v", r.ID, r.Current)
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
	uids := numbers([]string{id})
	expect.Must(t, len(uids) == 1, "no id: %q", id)
	return uids[0]
}
