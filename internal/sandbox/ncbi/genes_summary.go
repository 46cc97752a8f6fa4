package ncbi

import (
	"strconv"
	"strings"
)

// geneStatus has the number of each status. A live record has an empty one, as at NCBI.
var geneStatus = map[string]any{"": "", "secondary": 1, "discontinued": 2}

// docsum returns a document summary of version 2.0. A live record has no current id.
func (g *gene) docsum() object {
	var current any = ""
	if id, err := strconv.ParseUint(g.current(), 10, 64); err == nil {
		current = id
	}
	word := ""
	if g.first(formalPath) != nil {
		word = "Official"
	}
	mim := []string{}
	if id := g.id("MIM"); id != "" {
		mim = append(mim, id)
	}
	joined := func(paths, by string) string { return strings.Join(g.texts(paths), by) }
	return object{
		{"uid", decimal(g.ID)}, {"name", g.symbol()}, {"description", g.text(refPath + "desc")}, {"status", geneStatus[g.status()]},
		{"currentid", current}, {"chromosome", joined("Entrezgene_source/BioSource/BioSource_subtype/SubSource/SubSource_name", ", ")},
		{"maplocation", g.text(refPath + "maploc")},
		{"otheraliases", joined(refPath+"locus-tag|"+refPath+"syn/Gene-ref_syn_E", ", ")}, {"otherdesignations", joined(namesPath, "|")},
		{"nomenclaturesymbol", g.text(formalPath + "/Gene-nomenclature_symbol")},
		{"nomenclaturename", g.text(formalPath + "/Gene-nomenclature_name")}, {"nomenclaturestatus", word},
		{"mim", mim}, {"summary", g.text("Entrezgene_summary")},
		{"organism", object{{"scientificname", g.text(orgPath + "taxname")}, {"commonname", g.text(orgPath + "common")},
			{"taxid", g.taxon()}}},
	}
}
