package facts

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

const (
	geneFactsFile   = "genes.yaml"
	geneRecordsFile = "../data/genes.jsonl"
)

func TestGeneRecordsAreFresh(t *testing.T) {
	for range 2 {
		rendered, err := Genes(readFile(t, geneFactsFile))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(rendered, readFile(t, geneRecordsFile)) {
			t.Fatalf("%s is not what %s says; run: go run ./internal/sandbox/facts/generate", geneRecordsFile, geneFactsFile)
		}
	}
}

func TestGeneMistakesAreRefusedWithTheirLine(t *testing.T) {
	const good = `version: 2026-01-02
organisms:
- 9606 | Homo sapiens | human | PRI
genes:
- id: 7
  symbol: A
  name: a gene
  taxon: 9606
`
	if _, err := Genes([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, source, want string }{
		{"unknown key", good + "  symbl: B\n", `gene 7: line 9: unknown key "symbl"`},
		{"bad id", strings.Replace(good, "id: 7", "id: x", 1), `id: line 5: "x" is not a number`},
		{"no name", strings.Replace(good, "  name: a gene\n", "", 1), "line 5: gene 7: id, symbol, name and taxon are needed"},
		{"no organism", strings.Replace(good, "taxon: 9606", "taxon: 1", 1), "line 5: gene 7: 1 is not among the organisms"},
		{"bad organism", strings.Replace(good, "| PRI", "", 1), "line 3: an organism needs a taxid, a name and a division"},
		{"bad type", good + "  type: gene\n", `type: line 9: "gene" is not one of protein-coding, `},
		{"no version", good + "  transcripts:\n  - NM_1\n", "transcripts: line 10: NM_1 has no version"},
		{"bad UniProt", good + "  swissprot: P1\n", `swissprot: line 9: "P1" is not a UniProt accession`},
		{"bad database", good + "  ids: [HGNC]\n", "ids: line 9: a database and an id"},
		{"bad strand", good + "  places: [1 | NC_1.1 | 1 | 2 | up | 1]\n", `places: line 9: "up" is not one of plus, minus`},
		{"bad interval", good + "  places: [1 | NC_1.1 | 2 | 1 | plus | 1]\n", "places: line 9: an interval begins before it ends"},
		{"bad PMID", good + "  pmids: 1 x\n", `pmids: line 9: "x" is not a PMID`},
		{"bad series", good + "  series: 1 | 0\n", "series: line 9: the first number"},
		{"no successor", good + "  replaced_by: 8\n", "line 5: gene 7: there is no gene 8 to replace it"},
		{"two ends", good + "  replaced_by: 7\n  discontinued: true\n", "line 5: gene 7: a discontinued record has no successor"},
		{"twice", good + good[strings.Index(good, "- id"):], "line 9: gene 7 stands twice"},
		{"empty", "", "the file is empty"},
		{"no genes", good[:strings.Index(good, "genes:")], "the file must have the keys"},
	} {
		if _, err := Genes([]byte(tt.source)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestGeneFacts: ids are well formed and no text is NCBI's, which signs its
// summaries.
func TestGeneFacts(t *testing.T) {
	patterns := map[string]string{
		"HGNC": `^HGNC:\d+$`, "MIM": `^\d{6}$`, "Ensembl": `^ENS[A-Z]*G\d{11}$`, "MGI": `^MGI:\d+$`, "RGD": `^\d+$`,
		"ZFIN": `^ZDB-GENE-\d{6}-\d+$`, "FLYBASE": `^FBgn\d{7}$`, "WormBase": `^WBGene\d{8}$`, "SGD": `^S\d{9}$`,
		"ECOCYC": `^EG\d+$`, "AllianceGenome": `^[A-Z]+:\S+$`,
	}
	sequence := regexp.MustCompile(`^([NX][MRP]_\d+\.\d+|ENS[TP]\d{11}\.\d+)?$`)
	seen := map[string]uint64{}
	decoder := json.NewDecoder(bytes.NewReader(readFile(t, geneRecordsFile)))
	decoder.DisallowUnknownFields()
	for decoder.More() {
		var g gene
		if err := decoder.Decode(&g); err != nil {
			t.Fatal(err)
		}
		for _, id := range g.IDs {
			if pattern := patterns[id.DB]; pattern == "" || !regexp.MustCompile(pattern).MatchString(id.ID) {
				t.Errorf("gene %d: %s %s", g.ID, id.DB, id.ID)
			}
			if other, taken := seen[id.DB+id.ID]; taken {
				t.Errorf("%s %s belongs to %d and %d", id.DB, id.ID, g.ID, other)
			}
			seen[id.DB+id.ID] = g.ID
		}
		for _, p := range append(g.Transcripts, g.Models...) {
			for _, accession := range []string{p.RNA, p.Protein, p.EnsemblRNA, p.EnsemblProtein} {
				if !sequence.MatchString(accession) {
					t.Errorf("gene %d: %s", g.ID, accession)
				}
				if accession != "" && seen[accession] != 0 {
					t.Errorf("%s belongs to %d and %d", accession, g.ID, seen[accession])
				}
				seen[accession] = g.ID
			}
		}
		pmids := map[uint64]bool{}
		for _, pmid := range g.PMIDs {
			if pmids[pmid] {
				t.Errorf("gene %d: PMID %d stands twice", g.ID, pmid)
			}
			pmids[pmid] = true
		}
		if strings.Contains(g.Summary, "provided by") || len(g.Summary) > 300 {
			t.Errorf("gene %d: %s", g.ID, g.Summary)
		}
	}
}
