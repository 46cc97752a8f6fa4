package ncbi

import "strings"

// geneStatus has the number of each status.
var geneStatus = map[string]int{"": 0, "secondary": 1, "discontinued": 2}

// docsum returns a document summary of version 2.0. A live record has an empty status and no current id, as at NCBI.
func (g *gene) docsum() object {
	var status, current any = "", ""
	if g.Status != "" {
		status = geneStatus[g.Status]
	}
	if g.Current != 0 {
		current = g.Current
	}
	official := geneName{}
	word := ""
	if g.Official != nil {
		official, word = *g.Official, "Official"
	}
	mim := []string{}
	if id := g.id("MIM"); id != "" {
		mim = append(mim, id)
	}
	return object{
		{"uid", decimal(g.ID)}, {"name", g.Symbol}, {"description", g.Name}, {"status", status}, {"currentid", current},
		{"chromosome", strings.Join(g.Chromosomes, ", ")}, {"maplocation", g.Map},
		{"otheraliases", strings.Join(g.tagAndAliases(), ", ")}, {"otherdesignations", strings.Join(g.Designations, "|")},
		{"nomenclaturesymbol", official.Symbol}, {"nomenclaturename", official.Name}, {"nomenclaturestatus", word},
		{"mim", mim}, {"summary", g.Summary},
		{"organism", object{{"scientificname", g.Organism.Name}, {"commonname", g.Organism.Common}, {"taxid", g.Organism.TaxID}}},
	}
}

// tagAndAliases returns the other aliases of the summary.
func (g *gene) tagAndAliases() []string {
	if g.LocusTag == "" {
		return g.Aliases
	}
	return append([]string{g.LocusTag}, g.Aliases...)
}
