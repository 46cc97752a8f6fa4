package service

import (
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// namedGene matches one word that is called a gene, such as BRCA1 gene.
var namedGene = lazyregexp.New(`(?i)^(?:the\s+)?([a-z0-9-]+)\s+genes?$`)

// genomeRange matches a range of a chromosome, as genome browsers write it: chr17:7,668,402-7,687,550.
var genomeRange = lazyregexp.New(`(?i)^chr(?:omosome)?\s*([0-9]{1,2}|[xy]|mt)\s*:\s*([0-9][0-9,]*)\s*(?:-|\.\.)\s*([0-9][0-9,]*)$`)

// readRange returns the Entrez term for a range of a chromosome, and a notice; any other text is returned without one.
func readRange(text string) (query string, notices []string) {
	m := genomeRange.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return text, nil
	}
	query = strings.ReplaceAll(m[2], ",", "") + ":" + strings.ReplaceAll(m[3], ",", "") + "[cpos] AND " + strings.ToUpper(m[1]) + "[chr]"
	return query, []string{"query: " + quoted(text) + " was read as " + query +
		"; positions are those of the assembly that NCBI Gene shows."}
}
