package match

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/criteria"
)

// heed notes what the line that announces a line demands of it: a time, a degree, another condition beside it.
func (r *reading) heed(parent string) {
	words := split(strings.ReplaceAll(strings.ToLower(parent), "risk factor", "factor"))
	r.refused = anyIs(words, "refused")
	depends := func(w string) bool { return w != "if" && w != "only" && is(w, "conditional") } // the role of the line heeds these two
	r.bound = slices.ContainsFunc(words, depends) || anyIs(words, "spreads") || anyIs(words, "time")
	if r.line.List == criteria.Exclusion {
		limits := func(l criteria.Limit) bool { return l.Low != nil || l.High != nil || len(l.Values) > 0 }
		r.bound = r.bound || slices.ContainsFunc(criteria.Demands(parent), limits)
		with := max(0, slices.Index(words, "with"))
		r.bound = r.bound || len(named(words[:with], true).words) > 0
	}
}

// ofGroup reports whether a line begins with a group of people: in patients with gout, a biopsy.
func ofGroup(words []string) bool {
	if len(words) < 2 {
		return false
	}
	return words[0] == "for" || words[0] == "if" || words[0] == "in" && words[1] != "the" && is(words[1], "filler")
}

// lists reports whether two parts may be of a list: asthma and gout. In the exclusion criteria each may be meant, or both.
func (r *reading) lists(parts []part) bool {
	single := func(p *part) bool {
		words := p.words
		for len(words) > 0 && is(words[0], "filler", "qualifier") { // women with diabetes
			words = words[1:]
		}
		return (len(p.groups) == 0 || r.onlyStates(p)) && !p.negated && !anyIs(words, "restricts")
	}
	for i := 1; i < len(parts) && r.line.List == criteria.Exclusion; i++ {
		if p := &parts[i]; p.join == "and" && !anyIs(p.words, "relative") && single(p) && single(&parts[i-1]) {
			return true
		}
	}
	return false
}
