// Package genes converts records of genes, from NCBI Gene, NCBI Datasets and ClinVar, to entities. Its functions are pure.
package genes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// GeneCandidate maps the ESummary of a gene to a search candidate without a
// score. The only error is ErrIncomplete.
func GeneCandidate(s *entrez.GeneSummary) (entity.GeneSearchCandidate, error) {
	symbol := geneSymbol(s.UID, s.Name, s.NomenclatureSymbol)
	c := entity.GeneSearchCandidate{
		ID:          text.CURIE(id.Gene, s.UID),
		Symbol:      symbol,
		Name:        text.FirstNonEmpty(s.NomenclatureName, s.Description, symbol),
		Description: text.Clean(s.Description),
		Organism:    text.Clean(s.Organism),
	}
	if c.ID == "" || c.Organism == "" {
		return entity.GeneSearchCandidate{}, text.ErrIncomplete
	}
	return c, nil
}

// Gene maps the record of a gene to the complete entity, also of a replaced or discontinued gene. The caller sets Replaces. The notices are
// sentences on ids that NCBI states and that do not fit into the entity. The only error is ErrIncomplete.
func Gene(g *entrez.Gene) (entity.Gene, []string, error) {
	symbol := geneSymbol(g.ID, g.Locus, g.OfficialSymbol, g.FormalSymbol, g.LocusTag)
	names := append([]string{g.OfficialName, g.FormalName, g.Description}, g.ProteinNames...)
	refs := geneReferences{gene: g}
	out := entity.Gene{
		ID:              text.CURIE(id.Gene, g.ID),
		Symbol:          symbol,
		Name:            cmp.Or(text.FirstNonEmpty(names...), symbol),
		Description:     text.Clean(g.Description),
		Summary:         text.Clean(g.Summary),
		MapLocation:     text.Clean(g.MapLocation),
		Chromosome:      chromosomes(g.Chromosomes),
		Aliases:         aliases(g.Synonyms, symbol),
		Organism:        text.Clean(g.TaxName),
		TaxonID:         max(0, g.TaxID),
		GeneType:        text.Clean(g.Type),
		Locations:       geneLocations(g),
		GOTerms:         goTerms(g.GOTerms),
		CrossReferences: refs.all(),
	}
	if out.ID == "" || out.Organism == "" {
		return entity.Gene{}, nil, text.ErrIncomplete
	}
	phenotypes, notices := genePhenotypes(g.Phenotypes)
	out.Phenotypes = phenotypes
	return out, append(refs.notices, notices...), nil
}

// geneSymbol returns the first of some names, or the name that NCBI gives a gene without names: LOC and its id.
func geneSymbol(id string, names ...string) string {
	return cmp.Or(text.FirstNonEmpty(names...), "LOC"+text.Clean(id))
}

// chromosomes returns the chromosomes of a gene as one text. For a gene on X and Y, NCBI writes both, X|Y, or lists each of them.
func chromosomes(given []string) string {
	var out []string
	for _, names := range given {
		for name := range strings.FieldsFuncSeq(names, func(r rune) bool { return r == '|' || r == ',' }) {
			out = append(out, name)
		}
	}
	return strings.Join(text.Distinct(out), ", ")
}

// aliases returns the other symbols of a gene.
func aliases(given []string, symbol string) []string {
	return slices.DeleteFunc(text.Distinct(given), func(name string) bool { return name == symbol })
}

// geneReferences collects the ids of a record that match the patterns of entity.GeneCrossReferences. It leaves out other ids.
type geneReferences struct {
	gene    *entrez.Gene
	notices []string
}

func (r *geneReferences) all() entity.GeneCrossReferences {
	return entity.GeneCrossReferences{
		Entrez:            text.Clean(r.gene.ID),
		HGNC:              r.single("hgnc", "HGNC", "HGNC:"),
		EnsemblGene:       r.single("ensembl_gene", "Ensembl", ""),
		OMIM:              r.single("omim", "MIM", ""),
		MGI:               r.single("mgi", "MGI", "MGI:"),
		RGD:               r.single("rgd", "RGD", "RGD:"),
		ZFIN:              r.single("zfin", "ZFIN", ""),
		FlyBase:           r.single("flybase", "FLYBASE", ""),
		WormBase:          r.single("wormbase", "WormBase", ""),
		SGD:               r.single("sgd", "SGD", ""),
		Xenbase:           r.single("xenbase", "Xenbase", ""),
		RefSeq:            matchingIDs("refseq", r.gene.Transcripts),
		EnsemblTranscript: matchingIDs("ensembl_transcript", r.gene.EnsemblTranscripts),
		UniProt:           r.uniProt(),
	}
}

// single returns the first id of a database for a key that takes one id, with a notice about the others.
func (r *geneReferences) single(key, db, prefix string) string {
	var ids []string
	for _, tag := range r.gene.Dbtags {
		if strings.EqualFold(text.Clean(tag.DB), db) {
			ids = append(ids, prefix+bareID(tag.Value, db))
		}
	}
	return firstID(key, text.Clean(r.gene.ID), ids, &r.notices)
}

// firstID returns the first valid id of a key that takes one id, with a notice about the others.
func firstID(key, gene string, ids []string, notices *[]string) string {
	ids = matchingIDs(key, ids)
	if len(ids) == 0 {
		return ""
	}
	if len(ids) > 1 {
		*notices = append(*notices, fmt.Sprintf("NCBI states several ids for %s of %s. Beside %s: %s.",
			key, id.Gene.CURIE(gene), ids[0], strings.Join(ids[1:], ", ")))
	}
	return ids[0]
}

// bareID returns an id without its version and without the name of its database, which NCBI writes once or twice before some ids.
func bareID(id, db string) string {
	id = text.Clean(id)
	for len(id) > len(db) && id[len(db)] == ':' && strings.EqualFold(id[:len(db)], db) {
		id = strings.TrimSpace(id[len(db)+1:])
	}
	return idVersion.ReplaceAllString(id, "")
}

var idVersion = lazyregexp.New(`[.][0-9]+$`)

// uniProt returns the Swiss-Prot accessions of Related Sequences, which are primary. The RefSeq section also has secondary accessions,
// without a mark. It is used only if it has one accession.
func (r *geneReferences) uniProt() []string {
	if ids := matchingIDs("uniprot", r.gene.SwissProt); len(ids) > 0 {
		return ids
	}
	var ids []string
	for _, tag := range r.gene.RefSeqUniProt {
		if tag.DB == entrez.SwissProt {
			ids = append(ids, tag.Value)
		}
	}
	if ids = matchingIDs("uniprot", ids); len(ids) == 1 {
		return ids
	}
	if len(ids) > 1 {
		r.notices = append(r.notices, fmt.Sprintf("NCBI states several ids for uniprot of %s and does not say which one is primary, so "+
			"no id "+
			"is given: %s.",
			id.Gene.CURIE(text.Clean(r.gene.ID)), strings.Join(ids, ", ")))
	}
	return nil
}

// matchingIDs returns the ids that match the pattern of a key, without versions and duplicates.
func matchingIDs(key string, ids []string) []string {
	pattern := entity.GeneCrossReferencePatterns()[key]
	var out []string
	for _, id := range ids {
		if id = idVersion.ReplaceAllString(text.Clean(id), ""); pattern.MatchString(id) {
			out = append(out, id)
		}
	}
	return entity.Once(out)
}
