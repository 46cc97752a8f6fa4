package ncbi

import "fmt"

// gene is a record of Entrez Gene, with the fields that responses and searches need.
type gene struct {
	ID           uint64
	Status       string // "", "secondary" or "discontinued"
	Current      uint64
	Symbol       string
	Name         string
	Official     *geneName // from a nomenclature authority
	Type         string
	LocusTag     string
	Aliases      []string
	Organism     organism
	Chromosomes  []string
	From, To     uint64 // on the chromosome of the first assembly, counted from 0
	Map          string
	IDs          []dbtag
	Designations []string
	Summary      string
	Accessions   []string // of its sequences, with their versions
	PMIDs        []uint64
	RIFs         []uint64 // PMIDs of its GeneRIFs

	xml []byte // the record as it is in its file
}

type (
	geneName struct {
		Symbol string `xml:"Gene-nomenclature_symbol"`
		Name   string `xml:"Gene-nomenclature_name"`
	}
	organism struct {
		TaxID  uint64
		Name   string
		Common string
		Others []string
	}
	dbtag struct{ DB, ID string }
)

// genes is db=gene.
type genes struct {
	list      []*gene // in the order of the files
	byID      map[uint64]*gene
	rank      map[uint64]int // position in the files by id
	index     *index[*gene]
	organisms []organismNames
}

func newGenes(list []*gene) (*genes, error) {
	g := &genes{list: list, byID: map[uint64]*gene{}, rank: map[uint64]int{}, index: newIndex(list, readFields(geneFields), geneValues())}
	seen := map[string]bool{}
	for i, record := range list {
		if name := record.Organism.Name; !seen[name] {
			seen[name] = true
			g.organisms = append(g.organisms, newOrganismNames(record))
		}
		if _, twice := g.byID[record.ID]; twice || record.ID == 0 {
			return nil, fmt.Errorf("gene %d stands twice or has no id", record.ID)
		}
		g.byID[record.ID], g.rank[record.ID] = record, i
	}
	return g, nil
}

// id returns the gene's id in another database, or "".
func (g *gene) id(db string) string {
	for _, tag := range g.IDs {
		if tag.DB == db {
			return tag.ID
		}
	}
	return ""
}

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
