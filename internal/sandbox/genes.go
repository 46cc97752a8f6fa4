package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// gene is a record of Entrez Gene: the facts that its answers are written from.
type gene struct {
	ID           uint64      `json:"id"`
	Status       string      `json:"status"` // "", "secondary" or "discontinued"
	Current      uint64      `json:"current"`
	Symbol       string      `json:"symbol"`
	Name         string      `json:"name"`
	Official     *geneName   `json:"official"` // where it differs from symbol and name
	Type         string      `json:"type"`
	LocusTag     string      `json:"locus_tag"`
	Aliases      []string    `json:"aliases"`
	Organism     organism    `json:"organism"`
	Chromosomes  []string    `json:"chromosomes"`
	Map          string      `json:"map"`
	IDs          []dbtag     `json:"ids"`
	Designations []string    `json:"designations"`
	Summary      string      `json:"summary"`
	Transcripts  []product   `json:"transcripts"`
	Models       []product   `json:"models"`
	SwissProt    string      `json:"swissprot"` // where no transcript names it
	Secondary    []string    `json:"secondary"`
	TrEMBL       []string    `json:"trembl"`
	Places       []genePlace `json:"places"`
	Weight       int         `json:"weight"`
	PMIDs        []uint64    `json:"pmids"`
	Date         string      `json:"date"`

	stored *storedGene // the XML that it was read from, if it was
}

type (
	geneName struct {
		Symbol string `json:"symbol"`
		Name   string `json:"name"`
	}
	organism struct {
		TaxID    uint64   `json:"taxid"`
		Name     string   `json:"name"`
		Common   string   `json:"common"`
		Division string   `json:"division"`
		Within   []string `json:"within"` // taxid and name of what it is a strain of
		Others   []string `json:"others"`
	}
	dbtag struct {
		DB string `json:"db"`
		ID string `json:"id"`
	}
	// product is an RNA and what is made of it, with their versions.
	product struct {
		RNA            string `json:"rna"`
		Protein        string `json:"protein"`
		SwissProt      string `json:"swissprot"`
		EnsemblRNA     string `json:"ensembl_rna"`
		EnsemblProtein string `json:"ensembl_protein"`
	}
	// genePlace is an interval, counted from 0, From before To on both strands.
	genePlace struct {
		Chromosome string `json:"chromosome"`
		Accession  string `json:"accession"`
		From       int    `json:"from"`
		To         int    `json:"to"`
		Strand     string `json:"strand"`
		Exons      int    `json:"exons"`
	}
)

// genes is db=gene over records of either origin.
type genes struct {
	list      []*gene // as they were read
	byID      map[uint64]*gene
	index     map[uint64]*geneIndex
	organisms []organismNames
}

func newGenes(list []*gene) (*genes, error) {
	g := &genes{list: list, byID: map[uint64]*gene{}, index: map[uint64]*geneIndex{}}
	seen := map[string]bool{}
	for _, record := range list {
		if name := record.Organism.Name; !seen[name] {
			seen[name] = true
			g.organisms = append(g.organisms, newOrganismNames(record))
		}
		if _, twice := g.byID[record.ID]; twice || record.ID == 0 {
			return nil, fmt.Errorf("gene %d stands twice or has no id", record.ID)
		}
		g.byID[record.ID] = record
		g.index[record.ID] = newGeneIndex(record)
	}
	return g, nil
}

// readGenes reads genes.jsonl.
func readGenes(r io.Reader) (*genes, error) {
	var list []*gene
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	for {
		record := &gene{}
		err := decoder.Decode(record)
		if errors.Is(err, io.EOF) {
			return newGenes(list)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, record)
	}
}

// id is the gene's id in another database, or "".
func (g *gene) id(db string) string {
	for _, tag := range g.IDs {
		if tag.DB == db {
			return tag.ID
		}
	}
	return ""
}

// official is the symbol and name by an authority of names, if there is one for
// the organism.
func (g *gene) official() (geneName, bool) {
	if g.Official != nil {
		return *g.Official, true
	}
	for _, authority := range []string{"HGNC", "MGI", "RGD", "ZFIN"} {
		if g.id(authority) != "" {
			return geneName{g.Symbol, g.Name}, true
		}
	}
	return geneName{}, false
}

// swissProts are the primary accessions of the gene's proteins.
func (g *gene) swissProts() []string {
	var all []string
	seen := map[string]bool{"": true}
	for _, accession := range append([]string{g.SwissProt}, eachOf(g.Transcripts, func(p product) string { return p.SwissProt })...) {
		if !seen[accession] {
			seen[accession] = true
			all = append(all, accession)
		}
	}
	return all
}

func eachOf[T, U any](list []T, of func(T) U) []U {
	all := make([]U, 0, len(list))
	for _, item := range list {
		all = append(all, of(item))
	}
	return all
}

// links are those to PubMed. The same article stands under several names, as
// upstream.
func (g *genes) links(uid uint64, to string) ([]linkList, error) {
	record := g.byID[uid]
	if record == nil || to != "pubmed" {
		return nil, nil
	}
	all := record.PMIDs
	lists := []linkList{{name: "gene_pubmed", uids: all}, {name: "gene_pubmed_rif", uids: all[:(len(all)+2)/3]}}
	if record.id("MIM") != "" {
		lists = append(lists, linkList{name: "gene_pubmed_citedinomim", uids: all[:(len(all)+9)/10]})
	}
	return lists, nil
}

// accession parts an accession from its version.
func accession(versioned string) (name, version string) {
	name, version, _ = strings.Cut(versioned, ".")
	return name, version
}
