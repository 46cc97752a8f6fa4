package sandbox

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// geneField is a search field of Gene.
type geneField struct {
	fieldInfo
	tags []string // in lower case, besides the two names
	// whole wants the term to be all of a value, not words of it.
	whole  bool
	values func(*gene) []string
}

// geneFields are the fields that the sandbox looks into. The upstream's list has
// more, but not [sym], which it understands all the same.
var geneFields = []geneField{
	{fieldInfo: fieldInfo{name: "ALL", fullName: "All Fields", description: "All terms from all searchable fields"}, tags: []string{"all"}, values: allText},
	{fieldInfo: fieldInfo{name: "UID", fullName: "UID", description: "Unique number assigned to a gene record", numerical: true, token: true, unshown: true}, whole: true,
		values: func(g *gene) []string { return []string{decimal(g.ID)} }},
	{fieldInfo: fieldInfo{name: "ORGN", fullName: "Organism", description: "Scientific and common names of organism", token: true, hierarchy: true}, whole: true,
		values: func(g *gene) []string { return append(ownNames(g), within(g)...) }},
	{fieldInfo: fieldInfo{name: "PORG", fullName: "Primary Organism", description: "Organism of the record itself", token: true}, tags: []string{"porgn"}, whole: true, values: ownNames},
	{fieldInfo: fieldInfo{name: "GENE", fullName: "Gene Name", description: "Symbol or symbols of the gene", token: true}, whole: true,
		values: func(g *gene) []string { return append([]string{g.Symbol, g.LocusTag}, g.Aliases...) }},
	{fieldInfo: fieldInfo{name: "PREF", fullName: "Preferred Symbol", description: "Preferred symbol of the gene", token: true, unshown: true}, tags: []string{"sym"}, whole: true,
		values: func(g *gene) []string { return []string{g.Symbol} }},
	{fieldInfo: fieldInfo{name: "GFN", fullName: "Gene Full Name", description: "Full name of the gene"}, values: func(g *gene) []string { return []string{g.Name} }},
	{fieldInfo: fieldInfo{name: "TITL", fullName: "Gene/Protein Name", description: "Names of the gene and its products"}, tags: []string{"title"},
		values: func(g *gene) []string { return append([]string{g.Name}, g.Designations...) }},
	{fieldInfo: fieldInfo{name: "PROP", fullName: "Properties", description: "Properties of the record", token: true}, whole: true, values: properties},
	{fieldInfo: fieldInfo{name: "CHR", fullName: "Chromosome", description: "Chromosome number or numbers", token: true}, whole: true, values: func(g *gene) []string { return g.Chromosomes }},
	{fieldInfo: fieldInfo{name: "MIM", fullName: "MIM ID", description: "MIM number", numerical: true, token: true}, whole: true, values: func(g *gene) []string { return []string{g.id("MIM")} }},
	{fieldInfo: fieldInfo{name: "PMID", fullName: "PubMed ID", description: "PubMed id of a linked article", numerical: true, token: true}, whole: true, values: func(g *gene) []string { return decimals(g.PMIDs) }},
	{fieldInfo: fieldInfo{name: "ACCN", fullName: "Nucleotide/Protein Accession", description: "Accession of a sequence", token: true}, tags: []string{"accession"}, values: accessions},
	{fieldInfo: fieldInfo{name: "TID", fullName: "Taxonomy ID", description: "Taxonomy id", numerical: true, token: true}, whole: true, values: func(g *gene) []string { return []string{decimal(g.Organism.TaxID)} }},
}

func ownNames(g *gene) []string {
	o := g.Organism
	return append([]string{o.Name, o.Common, fmt.Sprint("txid", o.TaxID)}, o.Others...)
}

func within(g *gene) []string {
	if len(g.Organism.Within) == 0 {
		return nil
	}
	return []string{"txid" + g.Organism.Within[0], g.Organism.Within[1]}
}

func properties(g *gene) []string {
	all := []string{"genetype " + strings.ReplaceAll(strings.ToLower(g.Type), "-", " "), "source " + g.source()}
	if g.Status == "" {
		all = append(all, "alive")
	}
	if len(g.Transcripts) > 0 {
		all = append(all, "srcdb refseq", "srcdb refseq known")
	}
	return all
}

func accessions(g *gene) []string {
	var all []string
	for _, p := range slices.Concat(g.Transcripts, g.Models) {
		all = append(all, p.RNA, p.Protein, p.EnsemblRNA, p.EnsemblProtein)
	}
	return append(all, g.swissProts()...)
}

func allText(g *gene) []string {
	all := slices.Concat([]string{g.Symbol, g.LocusTag, g.Name, g.Summary, decimal(g.ID)}, g.Aliases, g.Designations, ownNames(g), accessions(g))
	if g.Official != nil {
		all = append(all, g.Official.Symbol, g.Official.Name)
	}
	for _, tag := range g.IDs {
		all = append(all, tag.ID)
	}
	return all
}

// geneIndex are the words of a record.
type geneIndex struct {
	fields [][][]string // by field and value
	names  [][]string   // symbol and aliases
	title  []string
}

func newGeneIndex(g *gene) *geneIndex {
	index := &geneIndex{title: queryWords(g.Name)}
	for _, field := range geneFields {
		index.fields = append(index.fields, eachOf(field.values(g), queryWords))
	}
	for _, name := range append([]string{g.Symbol}, g.Aliases...) {
		index.names = append(index.names, queryWords(name))
	}
	return index
}

// weigh tells how well the record answers a term: a symbol of any kind before
// the name before the rest. Current symbols are not before aliases.
func (i *geneIndex) weigh(t term) float64 {
	switch {
	case slices.ContainsFunc(i.names, t.is):
		return 3
	case t.within(i.title):
		return 2
	}
	return 1
}

// field finds a field by its names or tags; no tag is all fields. What follows a
// colon is how far to look, as in [porgn:__txid9606].
func (g *genes) field(tag string) (searchField, bool) {
	tag, _, _ = strings.Cut(tag, ":")
	at := slices.IndexFunc(geneFields, func(f geneField) bool {
		return tag == strings.ToLower(f.name) || tag == strings.ToLower(f.fullName) || slices.Contains(f.tags, tag) || tag == "" && f.name == "ALL"
	})
	if at < 0 {
		return searchField{}, false
	}
	return searchField{name: geneFields[at].fullName, find: func(t term) (hits, string) { return g.find(at, t) }}, true
}

func (g *genes) find(field int, t term) (hits, string) {
	found := hits{}
	for _, record := range g.list {
		index := g.index[record.ID]
		for _, value := range index.fields[field] {
			if geneFields[field].whole && t.is(value) || !geneFields[field].whole && t.within(value) {
				found[record.ID] = 1
				if geneFields[field].name == "ALL" {
					found[record.ID] = index.weigh(t)
				}
				break
			}
		}
	}
	return found, g.canonical(geneFields[field].name, t)
}

// canonical is the scientific name that an organism is translated into, also a
// bare word that is the name of one.
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

// organismNames are the words of an organism's names and of what it is within.
type organismNames struct {
	scientific, above string
	own, aboves       [][]string
}

func newOrganismNames(g *gene) organismNames {
	names := organismNames{scientific: g.Organism.Name, own: eachOf(ownNames(g), queryWords), aboves: eachOf(within(g), queryWords)}
	if len(g.Organism.Within) > 1 {
		names.above = g.Organism.Within[1]
	}
	return names
}

// is the scientific name that a term stands for, or "".
func (o organismNames) is(t term, above bool) string {
	switch {
	case above && slices.ContainsFunc(o.aboves, t.is):
		return o.above
	case slices.ContainsFunc(o.own, t.is):
		return o.scientific
	}
	return ""
}

func (g *genes) all() hits {
	found := hits{}
	for _, record := range g.list {
		found[record.ID] = 1
	}
	return found
}

// order sorts by relevance, where the weight of the gene decides between equal
// answers whatever their organism, or by name; else by uid.
func (g *genes) order(found hits, sort string) []uint64 {
	uids := make([]uint64, 0, len(found))
	for uid := range found {
		uids = append(uids, uid)
	}
	slices.SortFunc(uids, func(a, b uint64) int {
		switch strings.ToLower(sort) {
		case "relevance":
			return cmp.Or(cmp.Compare(found[b], found[a]), cmp.Compare(g.byID[b].Weight, g.byID[a].Weight), cmp.Compare(a, b))
		case "name":
			return cmp.Or(cmp.Compare(strings.ToLower(g.byID[a].Symbol), strings.ToLower(g.byID[b].Symbol)), cmp.Compare(a, b))
		}
		return cmp.Compare(a, b)
	})
	return uids
}

func (g *genes) info() databaseInfo {
	info := databaseInfo{
		name: "gene", menuName: "Gene", description: "Gene database", build: "Build260805-0905m.1", updated: "2026/08/05 10:23",
		count: len(g.list),
		links: []linkInfo{
			{"gene_pubmed", "PubMed Links", "Related PubMed records", "pubmed"},
			{"gene_pubmed_citedinomim", "PubMed (OMIM) Links", "PubMed records cited in OMIM", "pubmed"},
			{"gene_pubmed_rif", "PubMed (GeneRIF) Links", "PubMed records of a GeneRIF", "pubmed"},
		},
	}
	for _, field := range geneFields {
		if field.name != "PREF" { // the upstream does not list it either
			info.fields = append(info.fields, field.fieldInfo)
		}
	}
	return info
}
