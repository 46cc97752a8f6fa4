package ncbi

import (
	"cmp"
	_ "embed" // for the table of fields
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

//go:embed gene_fields.tsv
var geneFields string

// geneValues returns the functions for the values of the fields of Gene.
func geneValues() map[string]func(*gene) []string {
	return withPaths(geneFields, map[string]func(*gene) []string{
		"ALL":  allText,
		"UID":  func(g *gene) []string { return []string{decimal(g.ID)} },
		"ORGN": func(g *gene) []string { return append(ownNames(g), broaderNames(g)...) },
		"PORG": ownNames,
		"PROP": properties,
		"MIM":  func(g *gene) []string { return []string{g.id("MIM")} },
		"PMID": func(g *gene) []string { return decimals(g.PMIDs) },
		"ACCN": func(g *gene) []string { return g.Accessions },
		"TID":  func(g *gene) []string { return []string{decimal(g.taxon())} },
	})
}

func ownNames(g *gene) []string {
	return append(g.texts(orgPath+"taxname|"+orgPath+"common|"+orgPath+"syn/Org-ref_syn_E"), fmt.Sprint("txid", g.taxon()))
}

// species maps strains to their species: Entrez finds the record of a strain by both.
var species = map[uint64]string{511145: "Escherichia coli", 559292: "Saccharomyces cerevisiae"}

func broaderNames(g *gene) (names []string) {
	if above := species[g.taxon()]; above != "" {
		names = append(names, above)
	}
	for _, group := range records.Ancestors(g.taxon()) {
		names = append(names, fmt.Sprint("txid", group))
	}
	return names
}

func properties(g *gene) []string {
	kind := g.first("Entrezgene_type").attribute("value")
	all := []string{"genetype " + strings.ReplaceAll(strings.ToLower(kind), "-", " ")}
	if g.status() == "" {
		all = append(all, "alive")
	}
	return all
}

func allText(g *gene) []string {
	all := g.texts(refPath + "locus|" + refPath + "locus-tag|" + refPath + "desc|" + refPath + "syn/Gene-ref_syn_E|" + namesPath +
		"|Entrezgene_summary|" + formalPath + "/Gene-nomenclature_symbol|" + formalPath + "/Gene-nomenclature_name")
	return slices.Concat(all, []string{decimal(g.ID)}, ownNames(g), g.Accessions, mapSlice(g.all(refPath+"db/Dbtag"), idOf))
}

// weigh returns the relevance of a record for a term: a match of a symbol or alias counts most, then one in the name. Current symbols do
// not count more than aliases.
func (g *gene) weigh(t term) float64 {
	names := g.texts(refPath + "locus|" + refPath + "syn/Gene-ref_syn_E")
	switch {
	case slices.ContainsFunc(names, func(name string) bool { return t.is(queryWords(name)) }):
		return 3
	case t.within(queryWords(g.text(refPath + "desc"))):
		return 2
	}
	return 1
}

// field returns the field of a tag. Text after a colon, as in [porgn:__txid9606], is ignored.
func (g *genes) field(tag string) (searchField, bool) {
	tag, _, _ = strings.Cut(tag, ":")
	return g.search(tag, g.find)
}

func (g *genes) find(at int, t term) (hits, string) {
	name := g.fields[at].name
	if name == "CPOS" {
		return g.overlapping(t.text), ""
	}
	found := g.named(at, t)
	if name == "ALL" {
		for id := range found {
			found[id] = g.byID[id].weigh(t)
		}
	}
	return found, g.canonical(name, t)
}

// overlapping returns the genes that a range of positions, counted from 1, has a base of.
func (g *genes) overlapping(text string) hits {
	found := hits{}
	var from, to uint64
	if n, _ := fmt.Sscanf(text, "%d:%d", &from, &to); n < 2 {
		return found
	}
	for _, record := range g.list {
		if record.To > 0 && record.From < to && record.To+1 >= from {
			found[record.ID] = 1
		}
	}
	return found
}

// canonical returns the translation of an organism's name to its scientific name, also for a bare word.
func (g *genes) canonical(field string, t term) string {
	if field != "ORGN" && field != "PORG" && (field != "ALL" || t.tag != "" || t.prefix) {
		return ""
	}
	for _, organism := range g.organisms {
		scientific := organism.is(t, field != "PORG")
		if scientific == "" {
			continue
		}
		quoted := `"` + scientific + `"[Organism]`
		switch field {
		case "PORG":
			return `"` + scientific + `"[Primary Organism]`
		case "ALL":
			return "(" + quoted + " OR " + t.text + "[All Fields])"
		}
		return quoted
	}
	return ""
}

func newOrganismNames(g *gene) organismNames {
	return organismNames{scientific: g.text(orgPath + "taxname"), above: species[g.taxon()],
		own: mapSlice(ownNames(g), queryWords), aboves: mapSlice(broaderNames(g), queryWords)}
}

// is returns the scientific name that a term means, or "".
func (o organismNames) is(t term, above bool) string {
	switch {
	case above && slices.ContainsFunc(o.aboves, t.is):
		return o.above
	case slices.ContainsFunc(o.own, t.is):
		return o.scientific
	}
	return ""
}

// order sorts by relevance, and then by position in the files; or by name; else by uid.
func (g *genes) order(found hits, sort string) []uint64 {
	return slices.SortedFunc(maps.Keys(found), func(a, b uint64) int {
		switch strings.ToLower(sort) {
		case "relevance":
			return cmp.Or(cmp.Compare(found[b], found[a]), cmp.Compare(g.byID[a].rank, g.byID[b].rank))
		case "name":
			return cmp.Or(cmp.Compare(strings.ToLower(g.byID[a].symbol()), strings.ToLower(g.byID[b].symbol())), cmp.Compare(a, b))
		}
		return cmp.Compare(a, b)
	})
}

func (g *genes) info() databaseInfo {
	return databaseInfo{
		name: "gene", menuName: "Gene", description: "Gene database", build: "Build260805-0905m.1", updated: "2026/08/05 10:23",
		count: len(g.list),
		// NCBI does not list the symbol either.
		fields: slices.DeleteFunc(slices.Clone(g.fields), func(f field) bool { return f.name == "PREF" }),
		links: []linkInfo{
			{"gene_pubmed", "PubMed Links", "Related PubMed records", "pubmed"},
			{"gene_pubmed_rif", "PubMed (GeneRIF) Links", "PubMed records of a GeneRIF", "pubmed"},
		},
	}
}
