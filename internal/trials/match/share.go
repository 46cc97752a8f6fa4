package match

import (
	"slices"

	"github.com/biofact-mcp/biofact/internal/criteria"
)

// share marks the parts of a list to which words of another part may apply: "uncontrolled A or B", "surgery for A or B", "A or other
// diseases with B".
func (r *reading) share(parts []part) {
	r.shareBack(parts)
	modifies := func(p part) bool { return anyIs(p.words, "spreads") }
	modified, carried := false, false
	for i := range parts {
		p := &parts[i]
		modified, carried = modified && !p.fresh, carried && !p.fresh && p.join != "and"
		p.shared = p.shared || carried || modified && !modifies(*p) || i > 0 && p.endsName(&parts[i-1])
		carried = carried || p.carries()
		if modifies(*p) { // severe asthma, severe gout: each is for its own part
			modified = i+1 < len(parts) && !modifies(parts[i+1])
		}
	}
}

// shareBack marks the parts of which a part behind them may demand something.
func (r *reading) shareBack(parts []part) {
	ofAll, aimed, tested, organs := false, false, false, false
	for i := len(parts) - 1; i >= 0; i-- {
		p := &parts[i]
		p.shared, p.aimed, p.tested = p.shared || ofAll, aimed, tested
		ofAll, aimed = (ofAll || r.ofAll(p)) && !p.fresh, (aimed || p.aims()) && !p.fresh
		organs = organs || anyIs(p.words, "disease")
		p.organs, organs = organs, organs && !p.fresh
		tested = (tested || r.line.List == criteria.Inclusion && anyIs(p.words, "tests")) && !p.fresh
	}
}

// carries reports whether a part says what something is for or due to: surgery for stroke.
func (p *part) carries() bool {
	if n := slices.IndexFunc(p.words, func(w string) bool { return is(w, "negation") }); n > 0 && !p.negated {
		return true
	}
	if than := slices.Index(p.words, "than"); than > 0 && p.words[than-1] == "other" { // other than asthma or gout
		return true
	}
	n := slices.IndexFunc(p.words, func(w string) bool { return is(w, "carries") })
	return n > 0 && n+1 < len(p.words) && p.words[n+1] != mark
}

// endsName reports whether a part is the other word of the name before a slash: renal tumor/cancer.
func (p *part) endsName(before *part) bool {
	words := named(p.words, false).words
	return len(words) == 1 && len(named(before.words, false).words) > 1 && (p.slashed || is(words[0], "generic"))
}

// ofAll reports whether what a part demands may be meant of the list before it: A or other diseases with B, A or B without C, A or B with
// a measure, A or B patients with C.
func (r *reading) ofAll(p *part) bool {
	measured := slices.ContainsFunc(p.groups, func(g int) bool { return historical(r.groups[g]) })
	leads := slices.IndexFunc(p.words, func(w string) bool { return is(w, "leads") })
	switch {
	case p.slashed && len(p.groups) > 0 && !r.onlyStates(p), slices.Index(p.words, "without") > 0, p.degree():
		return true
	case measured && leads > 0 && slices.Index(p.words, mark) > leads:
		return true
	}
	asks := len(p.groups) > 0 || anyIs(p.words, "restricts")
	if asks && (slices.Contains(p.words, "other") || slices.Contains(p.words, "another")) {
		return true
	}
	people := slices.IndexFunc(p.words, func(w string) bool { return is(w, "people") })
	return people > 0 && people+1 < len(p.words) && is(p.words[people+1], "restricts") && len(named(p.words[:people], false).words) > 0
}

// degree reports whether a part says how far a list before it goes: to a degree that, that would; not of "any disease that would".
func (p *part) degree() bool {
	that := slices.Index(p.words, "that")
	if that < 1 || that+1 >= len(p.words) {
		return false
	}
	general := func(w string) bool { return is(w, "disease", "general") }
	return is(p.words[that-1], "degree") || is(p.words[that+1], "modal") && !slices.ContainsFunc(p.words[:that], general)
}

// aims reports whether a part says what a treatment is for, or where: surgery for cancer, in the neck.
func (p *part) aims() bool {
	n := slices.IndexFunc(p.words, func(w string) bool { return w == "for" || w == "in" || w == "to" })
	return n > 0 && len(named(p.words[n:], false).words) > 0 && p.words[n+1] != mark
}
