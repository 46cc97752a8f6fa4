// Package registry reads requests to ClinicalTrials.gov API v2 and answers them
// over study records: the fields of a record, the search areas, the query
// language Essie, projection, sorting and paging. It refuses what the registry
// refuses, with the registry's own sentences. Package essie writes the
// expressions that this package reads.
package registry

import "fmt"

// A BadRequest is a request that the registry answers with status 400 and this sentence.
type BadRequest string

func (r BadRequest) Error() string { return string(r) }

func refuse(format string, args ...any) error {
	return BadRequest(fmt.Sprintf(format, args...))
}
