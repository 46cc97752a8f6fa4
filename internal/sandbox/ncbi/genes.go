package ncbi

// organismNames has the words of the names of an organism and of its species.
type organismNames struct {
	scientific, above string
	own, aboves       [][]string
}

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

	xml  []byte // the record as it is in its file
	rank int    // position in the files
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

// genes is db=gene, in the order of the files.
type genes struct {
	*index[*gene]
	organisms []organismNames
}

func (g *gene) uid() uint64 { return g.ID }

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
