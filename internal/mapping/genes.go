package mapping

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// GeneCandidate maps the ESummary of a gene to a search candidate without a
// score. The only error is ErrIncomplete.
func GeneCandidate(s *entrez.GeneSummary) (entity.GeneSearchCandidate, error) {
	symbol := geneSymbol(s.UID, s.Name, s.NomenclatureSymbol)
	c := entity.GeneSearchCandidate{
		ID:          curie(id.Gene, s.UID),
		Symbol:      symbol,
		Name:        firstPlain(s.NomenclatureName, s.Description, symbol),
		Description: plain(s.Description),
		Organism:    plain(s.Organism),
	}
	if c.ID == "" || c.Organism == "" {
		return entity.GeneSearchCandidate{}, ErrIncomplete
	}
	return c, nil
}

// Gene maps the record of a gene to the complete entity, whatever its status;
// Replaces is for the caller to fill. The notices are sentences on ids that
// NCBI states and the entity has no room for. The only error is ErrIncomplete.
func Gene(g *entrez.Gene) (entity.Gene, []string, error) {
	symbol := geneSymbol(g.ID, g.Locus, g.OfficialSymbol, g.FormalSymbol, g.LocusTag)
	names := append([]string{g.OfficialName, g.FormalName, g.Description}, g.ProteinNames...)
	refs := geneReferences{gene: g}
	out := entity.Gene{
		ID:              curie(id.Gene, g.ID),
		Symbol:          symbol,
		Name:            cmp.Or(firstPlain(names...), symbol),
		Description:     plain(g.Description),
		Summary:         plain(g.Summary),
		MapLocation:     plain(g.MapLocation),
		Chromosome:      chromosomes(g.Chromosomes),
		Aliases:         aliases(g.Synonyms, symbol),
		Organism:        plain(g.TaxName),
		TaxonID:         max(0, g.TaxID),
		GeneType:        plain(g.Type),
		Locations:       geneLocations(g),
		GOTerms:         goTerms(g.GOTerms),
		CrossReferences: refs.all(),
	}
	if out.ID == "" || out.Organism == "" {
		return entity.Gene{}, nil, ErrIncomplete
	}
	phenotypes, notices := genePhenotypes(g.Phenotypes)
	out.Phenotypes = phenotypes
	return out, append(refs.notices, notices...), nil
}

// geneSymbol returns the first of some names, or what NCBI calls a gene
// without any.
func geneSymbol(id string, names ...string) string {
	return cmp.Or(firstPlain(names...), "LOC"+plain(id))
}

func firstPlain(texts ...string) string {
	for _, t := range texts {
		if t = plain(t); t != "" {
			return t
		}
	}
	return ""
}

// chromosomes returns them in one text: NCBI writes X, Y and X|Y where a gene
// is on both, or names each by itself.
func chromosomes(given []string) string {
	var out []string
	for _, names := range given {
		for name := range strings.FieldsFuncSeq(names, func(r rune) bool { return r == '|' || r == ',' }) {
			out = appendNew(out, plain(name))
		}
	}
	return strings.Join(out, ", ")
}

// aliases are the other symbols of a gene.
func aliases(given []string, symbol string) []string {
	var out []string
	for _, name := range given {
		if name = plain(name); name != symbol {
			out = appendNew(out, name)
		}
	}
	return out
}

// geneReferences collects the ids that a record states, in the writing of
// entity.GeneCrossReferences; what is not in that writing is left out.
type geneReferences struct {
	gene    *entrez.Gene
	notices []string
}

func (r *geneReferences) all() entity.GeneCrossReferences {
	return entity.GeneCrossReferences{
		Entrez:            plain(r.gene.ID),
		HGNC:              r.one("hgnc", "HGNC", "HGNC:"),
		EnsemblGene:       r.one("ensembl_gene", "Ensembl", ""),
		OMIM:              r.one("omim", "MIM", ""),
		MGI:               r.one("mgi", "MGI", "MGI:"),
		RGD:               r.one("rgd", "RGD", "RGD:"),
		ZFIN:              r.one("zfin", "ZFIN", ""),
		FlyBase:           r.one("flybase", "FLYBASE", ""),
		WormBase:          r.one("wormbase", "WormBase", ""),
		SGD:               r.one("sgd", "SGD", ""),
		Xenbase:           r.one("xenbase", "Xenbase", ""),
		RefSeq:            matchingIDs("refseq", r.gene.Transcripts),
		EnsemblTranscript: matchingIDs("ensembl_transcript", r.gene.EnsemblTranscripts),
		UniProt:           r.uniProt(),
	}
}

// one returns the first id of a database for a key with room for one, and
// notes the others.
func (r *geneReferences) one(key, db, prefix string) string {
	var ids []string
	for _, tag := range r.gene.Dbtags {
		if strings.EqualFold(plain(tag.DB), db) {
			ids = append(ids, prefix+bareID(tag.Value, db))
		}
	}
	return firstID(key, plain(r.gene.ID), ids, &r.notices)
}

// firstID returns the first of the ids that are in the writing of a key with room
// for one, and notes the others.
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

// bareID returns an id without the name of its database, which NCBI writes in
// front of some of them, once or twice, and without its version.
func bareID(id, db string) string {
	id = plain(id)
	for len(id) > len(db) && id[len(db)] == ':' && strings.EqualFold(id[:len(db)], db) {
		id = plain(id[len(db)+1:])
	}
	return idVersion.ReplaceAllString(id, "")
}

var idVersion = lazyregexp.New(`[.][0-9]+$`)

// uniProt returns the Swiss-Prot accessions of Related Sequences: these are
// primary. The RefSeq section names secondary accessions too, without telling
// them apart: it is believed where it names one only.
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
		r.notices = append(r.notices, fmt.Sprintf("NCBI states several ids for uniprot of %s without telling which are primary, so none "+
			"is given: %s.",
			id.Gene.CURIE(plain(r.gene.ID)), strings.Join(ids, ", ")))
	}
	return nil
}

// matchingIDs returns the ids that are in the writing of a key, without versions
// and duplicates.
func matchingIDs(key string, ids []string) []string {
	pattern := entity.GeneCrossReferencePatterns()[key]
	var out []string
	for _, id := range ids {
		if id = idVersion.ReplaceAllString(plain(id), ""); pattern.MatchString(id) {
			out = appendNew(out, id)
		}
	}
	return out
}
