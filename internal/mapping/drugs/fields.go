package drugs

import (
	_ "embed"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// coverage lists how each field of the records is used.
//
//go:embed drugs.tsv
var coverage string

// fieldsOf returns the paths of the fields that an answer has; openFDA sends whole records.
func fieldsOf(answer string) (paths []string) {
	for line := range strings.Lines(coverage) {
		if path, fields, _ := strings.Cut(strings.TrimSpace(line), "\t"); strings.Contains(fields, answer+".") {
			paths = append(paths, path)
		}
	}
	return paths
}

// DrugSearchCandidateFields returns the fields of records that search_drugs reads.
func DrugSearchCandidateFields() []string { return fieldsOf("candidate") }

// DrugFields returns the fields of records that get_drug reads.
func DrugFields() []string { return fieldsOf("drug") }

// DrugEventCountsFields returns the fields of records that count_drug_events reads.
func DrugEventCountsFields() []string { return fieldsOf("reports") }

// date returns a day of openFDA, YYYYMMDD, YYYY-MM-DD or MM/DD/YYYY, as YYYY-MM-DD; "" for other text.
func date(given string) string {
	given = text.Clean(given)
	if m := american.FindStringSubmatch(given); m != nil {
		return m[3] + "-" + m[1] + "-" + m[2]
	}
	if m := compact.FindStringSubmatch(given); m != nil {
		return strings.Join(m[1:], "-")
	}
	return ""
}

var (
	compact  = lazyregexp.New(`^([12][0-9]{3})-?(0[1-9]|1[0-2])-?([0-3][0-9])$`)
	american = lazyregexp.New(`^(0[1-9]|1[0-2])/([0-3][0-9])/([12][0-9]{3})$`)
)

// The prefixes of CURIEs.
const (
	uniiPrefix  = "UNII:"
	rxcuiPrefix = "RXCUI:"
	ndcPrefix   = "NDC:"
)
