package entrez_test

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestOrganism(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]entrez.Taxon{
		"human": {9606, "Homo sapiens"}, "Humans": {9606, "Homo sapiens"}, "homo_sapiens": {9606, "Homo sapiens"},
		"H. sapiens": {9606, "Homo sapiens"},
		"H sapiens":  {9606, "Homo sapiens"}, "HOMO  SAPIENS": {9606, "Homo sapiens"}, `"Homo sapiens"[Organism]`: {9606, "Homo sapiens"},
		"Homo sapiens (human)": {9606, "Homo sapiens"}, "human[orgn]": {9606, "Homo sapiens"},
		"Mice": {10090, "Mus musculus"}, "house mouse": {10090, "Mus musculus"}, "house mice": {10090, "Mus musculus"},
		"Rats": {10116, "Rattus norvegicus"}, "zebra fish": {7955, "Danio rerio"}, "Zebrafishes": {7955, "Danio rerio"},
		"D. melanogaster": {7227, "Drosophila melanogaster"}, "fruit flies": {7227, "Drosophila melanogaster"},
		"fruitfly":  {7227, "Drosophila melanogaster"},
		"C.elegans": {6239, "Caenorhabditis elegans"}, "worm": {6239, "Caenorhabditis elegans"},
		"yeast": {4932, "Saccharomyces cerevisiae"}, "Baker’s yeast": {4932, "Saccharomyces cerevisiae"},
		"fission yeast": {4896, "Schizosaccharomyces pombe"},
		"E. coli":       {562, "Escherichia coli"}, "e coli K12": {562, "Escherichia coli"}, "Arabidopsis": {3702, "Arabidopsis thaliana"},
		"corn": {4577, "Zea mays"}, "tomatoes": {4081, "Solanum lycopersicum"},
		"SARS-CoV-2": {2697049, "Severe acute respiratory syndrome coronavirus 2"},
		"HIV":        {11676, "Human immunodeficiency virus 1"}, "hiv 2": {11709, "Human immunodeficiency virus 2"},
		"Physcomitrella patens": {3218, "Physcomitrium patens"},
		"Neovison vison":        {452646, "Neogale vison"}, "C. familiaris": {9615, "Canis lupus familiaris"},
		"rhesus macaque": {9544, "Macaca mulatta"},
		"9606":           {9606, "Homo sapiens"}, "txid9606": {9606, "Homo sapiens"}, "txid9606[orgn]": {9606, "Homo sapiens"},
		"txid9606 [Organism:exp]": {9606, "Homo sapiens"},
		"taxid:9606":              {9606, "Homo sapiens"}, "NCBITaxon:9606": {9606, "Homo sapiens"},
		"NCBITaxon_9606": {9606, "Homo sapiens"}, "Taxonomy ID: 009606": {9606, "Homo sapiens"},
		"NCBI:txid9606": {9606, "Homo sapiens"}, "40674": {40674, "Mammalia"}, "mammals": {40674, "Mammalia"},
		"Mammalia": {40674, "Mammalia"}, "primates": {9443, "Primates"},
		"rodents": {9989, "Rodentia"}, "Vertebrates": {7742, "Vertebrata"}, "fungi": {4751, "Fungi"}, "314146": {ID: 314146},
		"Felis silvestris": {Name: "Felis silvestris"}, "felis_silvestris": {Name: "felis silvestris"},
		"Bacteroides fragilis NCTC 9343": {Name: "Bacteroides fragilis NCTC 9343"},
		"three-toed sloth, not known":    {Name: "three-toed sloth, not known"},
	} {
		if got, err := entrez.Organism(text); got != want || err != nil {
			t.Errorf("Organism(%q) = %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestTaxonTerm(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]entrez.Taxon{
		"txid10090[orgn]":          {ID: 10090, Name: "Mus musculus"},
		`"Felis silvestris"[orgn]`: {Name: "Felis silvestris"},
		`"a b x OR c d e/f"[orgn]`: {Name: `a" b[x] OR *c(d):e/f`},
	} {
		expect.Equal(t, fmt.Sprintf("%+v", o), want, o.Term())
	}
}

// TestOrganismTable reads the table independently and looks up all of its names.
func TestOrganismTable(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("organisms.tsv")
	expect.NoError(t, err)
	ids, bearers := map[int]bool{}, map[string][]int{}
	for line := range strings.Lines(string(table)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := append(strings.Split(strings.TrimRight(line, "\n"), "\t"), "", "")
		id, err := strconv.Atoi(columns[0])
		expect.That(t, err == nil && !ids[id], "%q: no taxid of its own", line)
		ids[id] = true
		names := []string{columns[1]}
		for _, column := range columns[2:4] {
			if column != "" {
				names = append(names, strings.Split(column, " | ")...)
			}
		}
		for _, name := range names {
			expect.That(t, name == strings.TrimSpace(name) && len(entity.Fold(name)) >= 2, "%d: name %q", id, name)
			if base, shared := strings.CutSuffix(name, "?"); shared {
				bearers[base] = append(bearers[base], id)
			} else if o, err := entrez.Organism(name); err != nil || o.ID != id || o.Name != columns[1] {
				t.Errorf("%q is %+v, %v, want %d", name, o, err, id)
			}
		}
		if o, err := entrez.Organism(columns[0]); err != nil || o.Name != columns[1] || o.Term() != "txid"+columns[0]+"[orgn]" {
			t.Errorf("%d is %+v, %v", id, o, err)
		}
	}
	expect.That(t, len(ids) >= 60, "%d organisms", len(ids))
	for name, of := range bearers {
		expect.That(t, len(of) >= 2, "%q is marked as ambiguous and borne by %d alone", name, of)
		_, err := entrez.Organism(name)
		several, ok := errors.AsType[*entrez.NoOrganism](err)
		if !ok || several.Parts {
			t.Errorf("%q: %v", name, err)
			continue
		}
		var chosen []int
		for _, bearer := range several.Candidates {
			o, err := entrez.Organism(bearer)
			expect.That(t, err == nil, "%q: choice %s: %v", name, bearer, err)
			chosen = append(chosen, o.ID)
		}
		expect.That(t, slices.Equal(chosen, of), "%q: the error offers %d, want %d", name, chosen, of)
	}
}

func TestNear(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"": nil, "?!": nil, "qqqqqqqqqqqq": nil,
		"Homo sapeins": {"Homo sapiens"}, "Drosophila melanogastre": {"Drosophila melanogaster"}, "zebrafsh": {"zebrafish"},
	} {
		got := entrez.Near(text)
		expect.That(t, len(got) <= 5 && (want != nil || got == nil) &&
			!slices.ContainsFunc(want, func(name string) bool { return !slices.Contains(got, name) }),
			"Near(%q) = %q, want %q", text, got, want)
	}
	if got := entrez.Near("Homo sapeins"); got[0] != "Homo sapiens" {
		t.Error(got)
	}
	for _, long := range []string{strings.Repeat("human ", 50_000), strings.Repeat("x", 500_000)} {
		if got := entrez.Near(long); len(got) > 5 {
			t.Error(got)
		}
	}
}

func FuzzOrganism(f *testing.F) {
	for _, text := range []string{"human", "H. sapiens", "NCBITaxon:9606", "Felis silvestris[orgn]", `a" b] OR *`, "mice, rats",
		"\x00é (x) y", "0 0", "tax_id"} {
		f.Add(text)
	}
	term := regexp.MustCompile(`^(txid[1-9][0-9]*|"[^"\[\](){}|*:#;&]+")\[orgn\]$`)
	f.Fuzz(func(t *testing.T, text string) {
		o, err := entrez.Organism(text)
		if err != nil {
			if e, ok := errors.AsType[*entrez.NoOrganism](err); !ok || len(e.Candidates) > 10 {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if o.ID <= 0 && o.Name == "" || !term.MatchString(o.Term()) {
			t.Errorf("%q: %+v %s", text, o, o.Term())
		}
	})
}
