// Package query is the language of ClinicalTrials.gov (Essie): it builds expressions, reads requests, and evaluates them over records.
//
// A condition is a tree of Nodes. Slices build it: ReadText, At and the functions of build.go escape the texts of callers, so that a text
// cannot break the syntax and cannot match more than its words. String writes the tree as an expression, and Parse reads it.
//
// ReadSearch turns the query string of a request into a Search: Nodes, sort keys, a Projection and a page.
// It refuses what the registry refuses, with the registry's own sentences.
// Studies evaluates a Search over decoded records. Another engine, such as one that
// compiles Nodes to SQL, reads the same Search, and checks with Studies what it cannot
// compile.
//
// The package knows neither HTTP nor where records come from, and no argument of a tool.
package query

import "fmt"

// A BadRequest is the error of a request that is answered with status 400.
type BadRequest struct {
	Where       string // the text before the reason: "Error parsing query in Other terms: ", or ""
	Reason      string
	Unsupported bool // the registry understands the request, this package does not; Reason has no subject
}

func (e BadRequest) Error() string { return e.Sentence("this copy of the registry") }

// Sentence returns the body of the answer. It names the engine where the request is unsupported.
func (e BadRequest) Sentence(engine string) string {
	if e.Unsupported {
		return e.Where + engine + " " + e.Reason
	}
	return e.Where + e.Reason
}

func refuse(format string, args ...any) error {
	return BadRequest{Reason: fmt.Sprintf(format, args...)}
}

func unsupported(format string, args ...any) error {
	return BadRequest{Reason: fmt.Sprintf(format, args...), Unsupported: true}
}
