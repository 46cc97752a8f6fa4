package drugs

import (
	_ "embed"
	"strings"
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
