package entrez_test

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestDistinguishes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": false, "a": false, "*": false, `"*"`: false, "- -": false, "7": false, "x[sym]": false, "[sym]": false,
		"the gene": false, "genes of the": false, "AND": false, "é": false,
		"hf": true, "7157": true, "WAS": true, "MET": true, "x y": true, "genes of asthma": true, "[18F]FDG": true,
	} {
		if got := entrez.Distinguishes(text, "gene", "genes"); got != want {
			t.Errorf("Distinguishes(%q) = %t", text, got)
		}
	}
	expect.That(t, entrez.Distinguishes("the gene"), "an article may be found by the word gene")
}

func TestSymbol(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"BRCA1": "BRCA1", " tp53 ": "tp53", "BRCA1[sym]": "BRCA1", "BRCA1 [ Gene  Name ]": "BRCA1", `"BRCA1"[Preferred Symbol]`: "BRCA1",
		"HLA-DRB1": "HLA-DRB1", "NKX2.5[gene]": "NKX2.5", "Su(H)": "Su(H)", "CG3@x": "CG3@x", "T/Bra": "T/Bra", "5'-NT": "5'-NT",
		"MT_CO1": "MT_CO1",
		"T":      "T", "βcatenin": "βcatenin", "TGFβ1": "TGFβ1",
		"": "", "BRCA1 BRCA2": "", "BRCA*": "", "BRCA1[orgn]": "", "[sym]": "", "Su(H": "", "(a)b": "", "--": "", "AND": "",
		"HGNC:1100":       "",
		"BRCA1[sym][sym]": "", `"`: "", `""`: "",
	} {
		if got, ok := entrez.Symbol(text); got != want || ok != (want != "") {
			t.Errorf("Symbol(%q) = %q, %t", text, got, ok)
		}
	}
}

func TestInField(t *testing.T) {
	t.Parallel()
	expect.Is(t, entrez.InField("HLA-A", "gene"), "HLA-A[gene]", "term")
	expect.Is(t, entrez.InField("Su(H)", "gene"), `"Su(H)"[gene]`, "term")
}
