package ncbi

import (
	"cmp"
	"strconv"
	"strings"
)

// gene is a record of Entrez Gene. Its element is the head of the record, up to its summary.
type gene struct {
	*element
	ID         uint64
	From, To   uint64   // on the chromosome of the first assembly, counted from 0
	Accessions []string // of its sequences, with their versions
	PMIDs      []uint64
	RIFs       []uint64 // PMIDs of its GeneRIFs

	xml  string // the record as it is in its file
	rank int    // position in the files
}

// genes is db=gene, in the order of the files.
type genes struct {
	*index[*gene]
	organisms []organismNames
}

// The paths in the head of a record.
const (
	trackPath  = "Entrezgene_track-info/Gene-track/Gene-track_"
	refPath    = "Entrezgene_gene/Gene-ref/Gene-ref_"
	orgPath    = "Entrezgene_source/BioSource/BioSource_org/Org-ref/Org-ref_"
	formalPath = refPath + "formal-name/Gene-nomenclature"
	namesPath  = "Entrezgene_prot/Prot-ref/Prot-ref_name/Prot-ref_name_E"
)

func (g *gene) uid() uint64 { return g.ID }

func (g *gene) symbol() string { return g.text(refPath + "locus") }

// taxon returns the taxid of the organism.
func (g *gene) taxon() uint64 {
	taxid, _ := strconv.ParseUint(g.tag(orgPath+"db/Dbtag", "taxon"), 10, 64) // 0 is no organism
	return taxid
}

// current returns the id of the record that replaces this one.
func (g *gene) current() string {
	return cmp.Or(g.tag(trackPath+"current-id/Dbtag", "GeneID"), g.tag(trackPath+"current-id/Dbtag", "LocusID"))
}

// status returns "" for a live record, else secondary or discontinued.
func (g *gene) status() string {
	return strings.TrimPrefix(g.first(trackPath+"status").attribute("value"), "live")
}

// id returns the gene's id in another database, or "".
func (g *gene) id(db string) string { return g.tag(refPath+"db/Dbtag", db) }

// tag returns the first id in a database among those at a path.
func (g *gene) tag(path, db string) string {
	for _, tag := range g.all(path) {
		if tag.text("Dbtag_db") == db {
			return idOf(tag)
		}
	}
	return ""
}

func idOf(tag *element) string { return strings.Join(tag.texts("Dbtag_tag/Object-id/*"), "") }

// links implements database: the articles of the record, or those of its GeneRIFs.
func (g *genes) links(uid uint64, name string) ([]link, error) {
	record := g.byID[uid]
	switch {
	case name != "gene_pubmed" && name != "gene_pubmed_rif":
		return nil, noSuchLink(name)
	case record == nil:
		return nil, nil
	case name == "gene_pubmed":
		return linksTo(record.PMIDs), nil
	}
	return linksTo(record.RIFs), nil
}

// organismNames has the words of the names of an organism and of its species.
type organismNames struct {
	scientific, above string
	own, aboves       [][]string
}
