package query

import (
	"strings"
	"sync"
)

// synonyms are names of the same thing: a small excerpt of the registry's synonyms from UMLS, for common searches.
var synonyms = [][]string{
	{"heart attack", "myocardial infarction"},
	{"high blood pressure", "hypertension"},
	{"stroke", "cerebrovascular accident"},
	{"breast cancer", "breast neoplasm", "breast carcinoma", "breast tumor"},
	{"lung cancer", "lung neoplasm", "lung carcinoma"},
	{"prostate cancer", "prostatic neoplasm", "prostate carcinoma"},
	{"colorectal cancer", "colorectal neoplasm", "colorectal carcinoma"},
	{"NSCLC", "non-small cell lung cancer", "non-small cell lung carcinoma", "carcinoma, non-small-cell lung"},
	{"type 2 diabetes", "type 2 diabetes mellitus", "diabetes mellitus, type 2", "T2DM"},
	{"type 1 diabetes", "type 1 diabetes mellitus", "diabetes mellitus, type 1", "T1DM"},
	{"COVID-19", "SARS-CoV-2", "coronavirus disease 2019"},
	{"United States", "USA"},
	{"United Kingdom", "UK"},
}

// A Thesaurus has the other names of names.
type Thesaurus struct {
	others  map[string][][]string // by the words of a name, joined by spaces
	longest int                   // number of words of the longest name
}

// NewThesaurus returns the thesaurus of groups of names of the same thing.
func NewThesaurus(groups [][]string) *Thesaurus {
	t := &Thesaurus{others: map[string][][]string{}}
	for _, group := range groups {
		for _, name := range group {
			own := Words(name)
			t.longest = max(t.longest, len(own))
			for _, other := range group {
				if other != name {
					key := strings.Join(own, " ")
					t.others[key] = append(t.others[key], Words(other))
				}
			}
		}
	}
	return t
}

// Synonyms returns the built-in thesaurus.
var Synonyms = sync.OnceValue(func() *Thesaurus { return NewThesaurus(synonyms) })

// at returns how many words from the start are a known name, the longest one,
// and its other names; 0 if none is.
func (t *Thesaurus) at(run []string) (int, [][]string) {
	for n := min(t.longest, len(run)); n > 0; n-- {
		if others := t.others[strings.Join(run[:n], " ")]; others != nil {
			return n, others
		}
	}
	return 0, nil
}

// Expand returns the node with each term replaced by its alternatives: the registry finds other names of the same thing, and
// ranks adjacent words higher.
func (t *Thesaurus) Expand(n Node) Node {
	switch n := n.(type) {
	case And:
		return And(t.expandAll(n))
	case Or:
		return Or(t.expandAll(n))
	case Not:
		return Not{t.Expand(n.Node)}
	case OneSite:
		return OneSite{t.Expand(n.Node)}
	case Term:
		switch {
		case n.FullMatch:
			return n
		case n.Phrase:
			return t.phrase(n)
		}
		return t.spelled(n)
	}
	return n
}

func (t *Thesaurus) expandAll(nodes []Node) []Node {
	out := make([]Node, len(nodes))
	for i, n := range nodes {
		out[i] = t.Expand(n)
	}
	return out
}

func (t *Thesaurus) phrase(term Term) Node {
	n, others := t.at(term.Words)
	if n != len(term.Words) {
		return term
	}
	return alternatives(term, others)
}

// spelled expands each name in a run of words separately.
func (t *Thesaurus) spelled(term Term) Node {
	var parts And
	for rest := term.Words; len(rest) > 0; {
		n, others := t.at(rest)
		n = max(n, 1)
		parts = append(parts, alternatives(Term{Area: term.Area, Words: rest[:n]}, others))
		rest = rest[n:]
	}
	if len(term.Words) > 1 {
		parts = append(parts, Boost{Term{Area: term.Area, Words: term.Words, Phrase: true}})
	}
	return parts
}

// alternatives returns the term or one of the other names, each as a phrase.
func alternatives(term Term, others [][]string) Node {
	choices := Or{term}
	for _, other := range others {
		choices = append(choices, Term{Area: term.Area, Words: other, Phrase: true})
	}
	return choices
}
