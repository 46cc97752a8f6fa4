package facts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// gene is one record of the sandbox's Entrez Gene. The upstream has no JSON of a
// whole gene: the shape is that of the sandbox's own reader.
type gene struct {
	ID           uint64     `json:"id"`
	Status       string     `json:"status,omitempty"` // absent is live
	Current      uint64     `json:"current,omitempty"`
	Symbol       string     `json:"symbol"`
	Name         string     `json:"name"`
	Official     *official  `json:"official,omitempty"`
	Type         string     `json:"type"`
	LocusTag     string     `json:"locus_tag,omitempty"`
	Aliases      []string   `json:"aliases,omitempty"`
	Organism     organism   `json:"organism"`
	Chromosomes  []string   `json:"chromosomes,omitempty"`
	Map          string     `json:"map,omitempty"`
	IDs          []database `json:"ids,omitempty"`
	Designations []string   `json:"designations,omitempty"`
	Summary      string     `json:"summary,omitempty"`
	Transcripts  []product  `json:"transcripts,omitempty"`
	Models       []product  `json:"models,omitempty"`
	SwissProt    string     `json:"swissprot,omitempty"`
	Secondary    []string   `json:"secondary,omitempty"`
	TrEMBL       []string   `json:"trembl,omitempty"`
	Places       []place    `json:"places,omitempty"`
	Weight       int        `json:"weight"`
	PMIDs        []uint64   `json:"pmids,omitempty"`
	Date         string     `json:"date"`

	line         int
	taxon        uint64
	discontinued *bool
	replacedBy   uint64
}

type (
	official struct {
		Symbol string `json:"symbol"`
		Name   string `json:"name"`
	}
	organism struct {
		TaxID    uint64   `json:"taxid"`
		Name     string   `json:"name"`
		Common   string   `json:"common,omitempty"`
		Division string   `json:"division"`
		Within   []string `json:"within,omitempty"` // taxid and name of an ancestor
		Others   []string `json:"others,omitempty"`
	}
	database struct {
		DB string `json:"db"`
		ID string `json:"id"`
	}
	// product is an RNA and what is made of it.
	product struct {
		RNA            string `json:"rna"`
		Protein        string `json:"protein,omitempty"`
		SwissProt      string `json:"swissprot,omitempty"`
		EnsemblRNA     string `json:"ensembl_rna,omitempty"`
		EnsemblProtein string `json:"ensembl_protein,omitempty"`
	}
	// place is an interval, counted from 0.
	place struct {
		Chromosome string `json:"chromosome"`
		Accession  string `json:"accession"`
		From       int    `json:"from"`
		To         int    `json:"to"`
		Strand     string `json:"strand"`
		Exons      int    `json:"exons"`
	}
)

var (
	geneTypes = []string{"protein-coding", "pseudo", "ncRNA", "tRNA", "other"}
	strands   = []string{"plus", "minus"}
)

// alliance are the databases whose ids the Alliance of Genome Resources took over,
// with what it writes before them.
var alliance = map[string]string{
	"HGNC": "", "MGI": "", "RGD": "RGD:", "ZFIN": "ZFIN:", "FLYBASE": "FB:", "WormBase": "WB:", "SGD": "SGD:",
}

// Genes renders a facts file of genes as one JSON record a line. Like Studies it
// refuses what it does not understand.
func Genes(source []byte) ([]byte, error) {
	genes, err := readGenes(source)
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	for _, g := range genes {
		if err := encoder.Encode(g); err != nil {
			return nil, fmt.Errorf("facts: gene %d: %w", g.ID, err)
		}
	}
	return out.Bytes(), nil
}

// readGenes returns the genes in the file's order, complete.
func readGenes(source []byte) ([]*gene, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(source, &document); err != nil {
		return nil, err
	}
	if len(document.Content) != 1 {
		return nil, errors.New("the file is empty")
	}
	var version string
	var organisms []organism
	var genes []*gene
	known := keys{
		"version":   one(&version, date(`^\d{4}-\d{2}-\d{2}$`)),
		"organisms": list(&organisms, parseOrganism),
		"genes":     list(&genes, parseGene),
	}
	if err := known.decode(document.Content[0]); err != nil {
		return nil, err
	}
	if version == "" || len(organisms) == 0 || len(genes) == 0 {
		return nil, errors.New("the file must have the keys version, organisms and genes")
	}
	seen := map[uint64]bool{}
	for _, g := range genes {
		its := slices.IndexFunc(organisms, func(o organism) bool { return o.TaxID == g.taxon })
		switch {
		case seen[g.ID]:
			return nil, at(g.line, "gene %d stands twice", g.ID)
		case its < 0:
			return nil, at(g.line, "gene %d: %d is not among the organisms", g.ID, g.taxon)
		}
		seen[g.ID] = true
		g.Organism, g.Date = organisms[its], version
	}
	for _, g := range genes {
		if g.replacedBy != 0 && !seen[g.replacedBy] {
			return nil, at(g.line, "gene %d: there is no gene %d to replace it", g.ID, g.replacedBy)
		}
	}
	return genes, nil
}

func (g *gene) keys() keys {
	return keys{
		"id":           one(&g.ID, identifier),
		"symbol":       one(&g.Symbol, text),
		"name":         one(&g.Name, text),
		"official":     one(&g.Official, parseOfficial),
		"type":         one(&g.Type, word(geneTypes)),
		"taxon":        one(&g.taxon, identifier),
		"locus_tag":    one(&g.LocusTag, text),
		"aliases":      list(&g.Aliases, text),
		"chromosomes":  list(&g.Chromosomes, text),
		"map":          one(&g.Map, text),
		"ids":          list(&g.IDs, parseDatabase),
		"designations": list(&g.Designations, text),
		"summary":      one(&g.Summary, text),
		"transcripts":  list(&g.Transcripts, parseProduct),
		"models":       list(&g.Models, parseProduct),
		"swissprot":    one(&g.SwissProt, swissProt),
		"secondary":    list(&g.Secondary, swissProt),
		"trembl":       list(&g.TrEMBL, swissProt),
		"places":       list(&g.Places, parsePlace),
		"weight":       one(&g.Weight, func(n *yaml.Node) (int, error) { w, err := identifier(n); return int(w), err }),
		"replaced_by":  one(&g.replacedBy, identifier),
		"discontinued": one(&g.discontinued, flag),
		"pmids":        g.articles(parsePMIDs),
		"series":       g.articles(parseSeries),
	}
}

// articles adds to the list, whichever of its keys comes first.
func (g *gene) articles(parse func(*yaml.Node) ([]uint64, error)) func(*yaml.Node) error {
	return func(node *yaml.Node) error {
		more, err := parse(node)
		g.PMIDs = append(g.PMIDs, more...)
		return err
	}
}

func parseGene(node *yaml.Node) (*gene, error) {
	g := &gene{Type: "protein-coding", line: node.Line}
	if err := g.keys().decode(node); err != nil {
		return nil, fmt.Errorf("gene %d: %w", g.ID, err)
	}
	switch {
	case g.ID == 0 || g.Symbol == "" || g.Name == "" || g.taxon == 0:
		return nil, at(g.line, "gene %d: id, symbol, name and taxon are needed", g.ID)
	case g.replacedBy != 0 && isTrue(g.discontinued):
		return nil, at(g.line, "gene %d: a discontinued record has no successor", g.ID)
	case g.replacedBy != 0:
		g.Status, g.Current = "secondary", g.replacedBy
	case isTrue(g.discontinued):
		g.Status = "discontinued"
	}
	for _, id := range g.IDs {
		if before, ok := alliance[id.DB]; ok {
			g.IDs = append(g.IDs, database{"AllianceGenome", before + id.ID})
			break
		}
	}
	return g, nil
}

func identifier(node *yaml.Node) (uint64, error) {
	value, err := text(node)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(value, 10, 64)
	if err != nil || n == 0 {
		return 0, at(node.Line, "%q is not a number", value)
	}
	return n, nil
}

var swissProt = matching(`^([OPQ]\d[A-Z\d]{3}\d|[A-NR-Z]\d([A-Z][A-Z\d]{2}\d){1,2})$`, "a UniProt accession")

func parseOrganism(node *yaml.Node) (organism, error) {
	c, err := columns(node, 0, 6)
	if err != nil {
		return organism{}, err
	}
	o := organism{Name: c[1], Common: c[2], Division: c[3], Within: split(c[4]), Others: split(c[5])}
	if o.TaxID, err = strconv.ParseUint(c[0], 10, 64); err != nil || o.Name == "" || len(o.Division) != 3 {
		return organism{}, at(node.Line, "an organism needs a taxid, a name and a division")
	}
	return o, nil
}

func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ", ")
}

func parseOfficial(node *yaml.Node) (*official, error) {
	c, err := columns(node, 2, 2)
	if err != nil {
		return nil, err
	}
	return &official{c[0], c[1]}, nil
}

func parseDatabase(node *yaml.Node) (database, error) {
	value, err := text(node)
	db, id, ok := strings.Cut(value, " ")
	if err == nil && !ok {
		err = at(node.Line, "a database and an id are expected here")
	}
	return database{db, id}, err
}

// parseProduct reads RNA | protein | Swiss-Prot | Ensembl transcript | Ensembl
// protein, the accessions of sequences with their version.
func parseProduct(node *yaml.Node) (product, error) {
	c, err := columns(node, 1, 5)
	if err != nil {
		return product{}, err
	}
	for i, accession := range c {
		if i != 2 && accession != "" && !strings.Contains(accession, ".") {
			return product{}, at(node.Line, "%s has no version", accession)
		}
	}
	return product{c[0], c[1], c[2], c[3], c[4]}, nil
}

func parsePlace(node *yaml.Node) (place, error) {
	c, err := columns(node, 6, 6)
	if err != nil {
		return place{}, err
	}
	p := place{Chromosome: c[0], Accession: c[1], Strand: c[4]}
	for i, target := range map[int]*int{2: &p.From, 3: &p.To, 5: &p.Exons} {
		if *target, err = strconv.Atoi(c[i]); err != nil {
			return place{}, at(node.Line, "%q is not a number", c[i])
		}
	}
	if p.From >= p.To {
		return place{}, at(node.Line, "an interval begins before it ends, on both strands")
	}
	return p, oneOf(node, strands, p.Strand)
}

func parsePMIDs(node *yaml.Node) ([]uint64, error) {
	value, err := text(node)
	var pmids []uint64
	for _, word := range strings.Fields(value) {
		pmid, bad := strconv.ParseUint(word, 10, 64)
		if bad != nil {
			return nil, at(node.Line, "%q is not a PMID", word)
		}
		pmids = append(pmids, pmid)
	}
	return pmids, err
}

// parseSeries makes up count PMIDs from first on, ascending by uneven steps.
func parseSeries(node *yaml.Node) ([]uint64, error) {
	c, err := columns(node, 2, 2)
	if err != nil {
		return nil, err
	}
	first, bad := strconv.ParseUint(c[0], 10, 64)
	count, worse := strconv.Atoi(c[1])
	if bad != nil || worse != nil || count < 1 {
		return nil, at(node.Line, "the first number and how many are expected here")
	}
	pmids := []uint64{first}
	for i := 1; i < count; i++ {
		pmids = append(pmids, pmids[i-1]+uint64(1+pick(9, first, i)))
	}
	return pmids, nil
}
