package genes

import (
	"cmp"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// namedGene matches one word that is called a gene, such as BRCA1 gene.
var namedGene = lazyregexp.New(`(?i)^(?:the\s+)?([a-z0-9-]+)\s+genes?$`)

// variantName matches the name of a variant: V600E, p.Arg175His, c.524G>A, rs28934578.
var variantName = lazyregexp.New(`\b(?:rs[0-9]{3,}|(?:p\.)?[A-Z](?:[a-z]{2})?[0-9]{2,}(?:[A-Z](?:[a-z]{2})?|\*)|[cgm]\.[0-9]+\S*[ACGT])(?:\s|$)`)

// namesInText returns the words of a text, without the signs and the "and" between them.
func namesInText(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t/&+", r) })
	return slices.DeleteFunc(words, func(word string) bool { return strings.EqualFold(word, "and") })
}

// distinguishesGenes reports whether a search text selects some genes from others.
func distinguishesGenes(text string) bool { return entrez.Distinguishes(text, "gene", "genes") }

// genomeRange matches a range or a position of a chromosome, as genome browsers write it: chr17:7,668,402-7,687,550.
var genomeRange = lazyregexp.New(
	`(?i)^(chr(?:omosome)?)?\s*([0-9]{1,2}|[xy]|mt)\s*:\s*([0-9][0-9,]*)(?:\s*(?:-|–|\.\.)\s*([0-9][0-9,]*))?(?:\s*\(?(?:GRCh38|hg38)\)?)?$`)

// readRange returns the Entrez term for a range of a chromosome, of a human one if no organism is given, and a notice; any other text is
// returned without one.
func readRange(text, organism string) (query string, notices []string) {
	m := genomeRange.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil || m[1]+m[4] == "" {
		return text, nil
	}
	bare := strings.NewReplacer(",", "")
	query = bare.Replace(m[3]) + ":" + bare.Replace(cmp.Or(m[4], m[3])) + "[cpos] AND " + strings.ToUpper(m[2]) + "[chr]"
	if organism == "" {
		query += " AND " + entrez.Taxon{ID: humanOrganism}.Term()
	}
	return query, []string{"query: " + envelope.Quoted(text) + " was read as " + query +
		"; positions are those of the assembly that NCBI Gene shows."}
}

// geneWords are the arguments of a search, with the query as one text.
type geneWords struct {
	tools.SearchGenesArgs
	Query string
}

// humanOrganism is the taxon id of the species whose genes come first.
const humanOrganism = 9606
