package match

import (
	"github.com/biofact-mcp/biofact/internal/criteria"
)

// truth is whether a text is so for the person.
type truth int

const (
	unknown truth = iota
	holds
	fails
)

func truthOf(b bool) truth {
	if b {
		return holds
	}
	return fails
}

func (t truth) not() truth { return [...]truth{unknown, fails, holds}[t] }

// A finding is the meaning of the facts for a part of a line.
type finding struct {
	truth  truth
	person string // words of the caller
	limit  string // words of the line
	named  bool   // a condition, a treatment or a biomarker decided, not a measure
}

func (f finding) not() finding {
	f.truth = f.truth.not()
	return f
}

// all returns the finding that all of some texts are so: it fails where one fails.
func all(findings ...finding) finding { return combine(fails, findings) }

// anyOf returns the finding that one of some texts is so: it holds where one holds.
func anyOf(findings ...finding) finding { return combine(holds, findings) }

// unanimous returns the finding of texts of which it is unclear how they are joined.
func unanimous(findings ...finding) finding {
	if a, b := all(findings...), anyOf(findings...); a.truth == b.truth {
		return a
	}
	return finding{}
}

// combine returns the first decisive finding, else one of them if none is unknown: rather that of a condition than that of a measure.
func combine(decisive truth, findings []finding) (result finding) {
	open := false
	for _, f := range findings {
		switch {
		case f.truth == decisive:
			return f
		case f.truth == unknown:
			open = true
		case result.person == "" || f.named && !result.named:
			result = f
		}
	}
	if open {
		return finding{}
	}
	return result
}

// A reading is a line with its limits in the place of their words.
type reading struct {
	person      *Person
	line        *criteria.Line
	groups      [][]criteria.Limit // of each mark
	turned      []int              // groups behind "non-"
	conditional bool
	refused     bool
	current     bool            // it asks for the present state
	timed       bool            // it has words for a time
	bound       bool            // the line that announces it demands more of each condition or treatment
	sexes       map[string]bool // named outside of limits
	missing     []string        // measures that the person did not give
	touched     bool            // a fact of the person is beside the line
}
