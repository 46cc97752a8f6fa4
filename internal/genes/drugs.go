package genes

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// The sections of get_gene that an answer has only on request.
const (
	generifs = "generifs"
	drugs    = "drugs"
)

// onRequest returns a gene with the requested ones of these sections, and the sections of the answer, without one that could not be read:
// it is not empty.
func (s *Genes) onRequest(ctx context.Context, record *ncbi.GeneRecord, sections []string, notes *entity.Notes) ([]byte, []string, error) {
	withRIFs, withDrugs := slices.Contains(sections, generifs), slices.Contains(sections, drugs)
	if !withRIFs && !withDrugs {
		return record.Gene, sections, nil
	}
	encoded, err := edited(record.Gene, func(gene *entity.Gene) {
		curie := gene.ID
		if withRIFs {
			gene.GeneRIFs = record.GeneRIFs
			if len(gene.GeneRIFs) == entrez.MaxRIFs {
				notes.Add(fmt.Sprintf("generifs are the %d newest; for the PMIDs of all call get_pubmed_links with %s.", entrez.MaxRIFs,
					tool.Show(map[string]any{"entrez_id": curie, "generif": true})))
			}
		}
		if withDrugs {
			gene.Drugs = s.drugsOf(ctx, gene, notes)
		}
		if withDrugs && gene.Drugs == nil {
			sections = append(slices.DeleteFunc(slices.Clone(sections), func(name string) bool { return name == drugs }), entity.Always)
		}
	})
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return encoded, sections, err
}

// drugsOf returns the drugs whose labels name a gene, or nil and a notice if nothing is known of them.
func (s *Genes) drugsOf(ctx context.Context, gene *entity.Gene, notes *entity.Notes) *entity.GeneDrugs {
	if gene.TaxonID != humanOrganism {
		notes.Add("The section drugs was not read: labels name human genes. For the human ortholog call get_gene_orthologs with " +
			tool.Show(map[string]any{"entrez_id": gene.ID, "organism": []string{"human"}}) + ".")
		return nil
	}
	found, left, err := s.sources.OpenFDA.Read(notes).DrugsOfGene(ctx, namesInLabels(gene))
	if err != nil {
		e := entity.AsError(err)
		notes.Add("The section drugs was not read, so nothing is known of drugs of this gene. " + e.Message + " " + e.Hint)
		return nil
	}
	if len(found.Items) == 0 {
		notes.Add("No label in the USA has a name of the gene in its indications or in its section on pharmacogenomics.")
	}
	if left > 0 {
		notes.Add(fmt.Sprintf("%d more drugs name the gene, which have fewer labels or are combinations.", left))
	}
	unread := slices.DeleteFunc(slices.Clone(found.Items), func(d entity.GeneDrug) bool { return d.Text != "" })
	if len(unread) > 0 {
		notes.Add(fmt.Sprintf("The labels of %d drugs were not read, because a call reads at most five labels: for each call search_drugs "+
			"with %s, then get_drug with the id of a result.", len(unread), tool.Object("query", strings.ToLower(unread[0].Name))))
	}
	notes.Add("That a drug is missing proves nothing: labels also name families and markers (BRCA, Philadelphia chromosome) instead of " +
		"genes. That a label names the gene proves no use either: read its sentence.")
	return &found
}

// maxNames limits the names of a gene that labels are searched for.
const maxNames = 10

// namesInLabels returns the symbol of a gene and its aliases, except those that may be words or names of other things: short ones, and
// those without a digit.
func namesInLabels(gene *entity.Gene) []string {
	names := []string{gene.Symbol}
	for _, alias := range gene.Aliases {
		if len(alias) > 2 && !strings.ContainsFunc(alias, unicode.IsSpace) && strings.ContainsFunc(alias, unicode.IsDigit) {
			names = append(names, alias)
		}
	}
	return names[:min(maxNames, len(names))]
}
