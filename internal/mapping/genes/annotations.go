package genes

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// refSeqGene is the label of a RefSeqGene sequence, which covers the gene only. If its location has a heading, the heading names no
// assembly.
const refSeqGene = "RefSeqGene"

// geneLocations returns the locations of a gene, counted from one. NCBI counts the exons of the gene, not of a location, so that the first
// location has the number.
func geneLocations(g *entrez.Gene) []entity.GeneLocation {
	var out []entity.GeneLocation
	exons := g.ExonCount
	for _, at := range g.Locations {
		accession, label := text.Clean(at.Accession), text.Clean(at.Label)
		if accession == "" {
			continue
		}
		place := entity.GeneLocation{Assembly: cmp.Or(text.Clean(at.Heading), label), Sequence: accession, Strand: text.Clean(at.Strand)}
		if version := text.Clean(at.Version); version != "" {
			place.Sequence += "." + version
		}
		if at.Placed {
			place.Start, place.End = min(at.From, at.To)+1, max(at.From, at.To)+1
		}
		if label == refSeqGene {
			place.Assembly = label
		} else {
			place.Exons, exons = exons, 0
		}
		out = append(out, place)
	}
	return out
}

// goTerms returns the annotations of a gene. It leaves out entries without the id of a term.
func goTerms(given []entrez.GOTerm) []entity.GOTerm {
	var out []entity.GOTerm
	for _, t := range given {
		digits := strings.TrimPrefix(text.Clean(t.ID), "GO:")
		if !goDigits.MatchString(digits) {
			continue
		}
		out = append(out, entity.GOTerm{
			ID:        "GO:" + strings.Repeat("0", 7-len(digits)) + digits,
			Term:      text.Clean(t.Term),
			Aspect:    text.Clean(t.Aspect),
			Qualifier: text.Clean(t.Qualifier),
			Evidence:  text.Clean(strings.TrimPrefix(text.Clean(t.Evidence), "evidence:")),
			PMIDs:     articleIDs(t.PMIDs),
		})
	}
	return out
}

// GeneFields returns the fields of labels that the section drugs of a gene is from; NCBI sends whole records of genes.
func GeneFields() []string {
	return []string{"label.indications_and_usage", "label.pharmacogenomics", "label.openfda.generic_name", "label.set_id"}
}

// GeneRIFs returns the sentences of a gene. It leaves out those without a text.
func GeneRIFs(g *entrez.Gene) []entity.GeneRIF {
	return text.MapNonZero(g.RIFs, func(r *entrez.GeneRIF) entity.GeneRIF {
		sentence := text.Clean(r.Text)
		if sentence == "" {
			return entity.GeneRIF{}
		}
		rif := entity.GeneRIF{Text: sentence, PMIDs: articleIDs(r.PMIDs)}
		if day, err := time.Parse("2006-1-2", r.Created.Year+"-"+r.Created.Month+"-"+r.Created.Day); err == nil {
			rif.Date = day.Format(time.DateOnly)
		}
		return rif
	})
}

var (
	goDigits  = lazyregexp.New(`^[0-9]{1,7}$`)
	omimEntry = lazyregexp.New(`^[1-9][0-9]{5}$`)
	pmid      = lazyregexp.New(`^[1-9][0-9]*$`)
)

func articleIDs(given []string) []string {
	var out []string
	for _, id := range given {
		if pmid.MatchString(id) {
			out = append(out, id)
		}
	}
	return out
}

// genePhenotypes returns the phenotypes, and notices about further ids that do not fit into an entry.
func genePhenotypes(given []entrez.GenePhenotype) (out []entity.GenePhenotype, notices []string) {
	for _, p := range given {
		entry := entity.GenePhenotype{Name: text.Clean(p.Name), Sources: text.CleanAll(p.Sources), Notes: text.CleanAll(p.Notes),
			PMIDs: articleIDs(p.PMIDs)}
		if entry.Name == "" {
			continue
		}
		var others []string
		for _, tag := range p.Dbtags {
			switch value := text.Clean(tag.Value); {
			case tag.DB == "MIM" && entry.OMIM == "" && omimEntry.MatchString(value):
				entry.OMIM = value
			case tag.DB == "MedGen" && entry.MedGen == "":
				entry.MedGen = value
			case (tag.DB == "MIM" || tag.DB == "MedGen") && value != "":
				others = append(others, tag.DB+" "+value)
			}
		}
		if len(others) > 0 {
			notices = append(notices, fmt.Sprintf("NCBI states further ids for the phenotype %q: %s.",
				entity.Cut(entry.Name, 100), strings.Join(others, ", ")))
		}
		out = append(out, entry)
	}
	return out, notices
}
