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
	refs, notices := geneReferences(g)
	out := entity.Gene{
		ID:              text.CURIE(id.Gene, g.ID),
		Symbol:          symbol,
		Name:            cmp.Or(text.FirstNonEmpty(names...), symbol),
		Description:     text.Clean(g.Description),
		Summary:         text.Clean(g.Summary),
		MapLocation:     text.Clean(g.MapLocation),
		Chromosome:      chromosomes(g.Chromosomes),
		Aliases:         slices.DeleteFunc(text.Distinct(g.Synonyms), func(name string) bool { return name == symbol }),
		Organism:        text.Clean(g.TaxName),
		TaxonID:         max(0, g.TaxID),
		GeneType:        text.Clean(g.Type),
		Locations:       geneLocations(g),
		GOTerms:         goTerms(g.GOTerms),
		CrossReferences: refs,
	}
	if out.ID == "" || out.Organism == "" {
		return entity.Gene{}, nil, text.ErrIncomplete
	}
	phenotypes, further := genePhenotypes(g.Phenotypes)
	out.Phenotypes = phenotypes
	return out, append(notices, further...), nil
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

// crossReferences returns the ids of a gene that match the patterns of entity.GeneCrossReferences, for the keys that take one id. ids
// returns the ids that a database has for the gene. Notices name further ids of one key.
func crossReferences(gene string, ids func(db string) []string) (refs entity.GeneCrossReferences, notices []string) {
	single := func(key, db, prefix string) string {
		var all []string
		for _, id := range ids(db) {
			all = append(all, prefix+bareID(id, db))
		}
		if all = matchingIDs(key, all); len(all) == 0 {
			return ""
		}
		if len(all) > 1 {
			notices = append(notices, fmt.Sprintf("NCBI states several ids for %s of %s. Beside %s: %s.",
				key, id.Gene.CURIE(gene), all[0], strings.Join(all[1:], ", ")))
		}
		return all[0]
	}
	return entity.GeneCrossReferences{
		Entrez:      gene,
		HGNC:        single("hgnc", "HGNC", "HGNC:"),
		EnsemblGene: single("ensembl_gene", "Ensembl", ""),
		OMIM:        single("omim", "MIM", ""),
		MGI:         single("mgi", "MGI", "MGI:"),
		RGD:         single("rgd", "RGD", "RGD:"),
		ZFIN:        single("zfin", "ZFIN", ""),
		FlyBase:     single("flybase", "FLYBASE", ""),
		WormBase:    single("wormbase", "WormBase", ""),
		SGD:         single("sgd", "SGD", ""),
		Xenbase:     single("xenbase", "Xenbase", ""),
	}, notices
}

func geneReferences(g *entrez.Gene) (entity.GeneCrossReferences, []string) {
	refs, notices := crossReferences(text.Clean(g.ID), func(db string) (ids []string) {
		for _, tag := range g.Dbtags {
			if strings.EqualFold(text.Clean(tag.DB), db) {
				ids = append(ids, tag.Value)
			}
		}
		return ids
	})
	refs.RefSeq, refs.EnsemblTranscript = matchingIDs("refseq", g.Transcripts), matchingIDs("ensembl_transcript", g.EnsemblTranscripts)
	var undecided []string
	if refs.UniProt, undecided = uniProt(g); len(undecided) > 0 {
		notices = append(notices, fmt.Sprintf("NCBI states several ids for uniprot of %s and does not say which one is primary, so no id "+
			"is given: %s.", id.Gene.CURIE(refs.Entrez), strings.Join(undecided, ", ")))
	}
	return refs, notices
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
// without a mark. It is used only if it has one accession; several are undecided.
func uniProt(g *entrez.Gene) (primary, undecided []string) {
	if ids := matchingIDs("uniprot", g.SwissProt); len(ids) > 0 {
		return ids, nil
	}
	var ids []string
	for _, tag := range g.RefSeqUniProt {
		if tag.DB == entrez.SwissProt {
			ids = append(ids, tag.Value)
		}
	}
	if ids = matchingIDs("uniprot", ids); len(ids) > 1 {
		return nil, ids
	}
	return ids, nil
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
