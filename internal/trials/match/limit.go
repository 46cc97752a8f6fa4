package match

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/criteria"
)

// judgeGroup decides limits that share their words, such as AST and ALT <= 3 x ULN. Limits for the other sex are left out.
func (r *reading) judgeGroup(group []criteria.Limit, p *part) (findings []finding) {
	for i := range group {
		l := &group[i]
		switch sex := sexOf(l.AppliesTo); {
		case l.What == "sex" && len(l.Values) > 1 && r.line.List == criteria.Exclusion: // of both sexes: no demand
			continue
		case sex != "" && r.person.given.Sex != "":
			if sex != r.person.given.Sex {
				continue
			}
		case l.AppliesTo != "" || l.Exception:
			r.conditional = true
		}
		f := r.judgeLimit(l, p)
		if l.Negated && anyIs(split(r.line.Text[l.Begin:l.Start]), "negation") { // LVEF never < 40 %: one value does not show that
			f = all(f.not(), finding{})
		}
		f.limit = r.line.Text[l.Start:l.End]
		r.touched = r.touched || f.person != ""
		findings = append(findings, f)
	}
	return r.joinGroup(group, findings)
}

// joinGroup joins the findings of limits that share their words.
func (r *reading) joinGroup(group []criteria.Limit, findings []finding) []finding {
	if len(findings) < 2 || group[0].What == group[1].What { // one limit, or the two ends of a range in two units
		return findings
	}
	names := strings.ToLower(r.line.Text[group[0].Begin:group[0].Start])
	pressure := strings.HasSuffix(group[0].What, "_bp") && group[0].Low != nil
	either := pressure || strings.Contains(names, " or ") || strings.Contains(names, "/or ")
	switch exclusion := r.line.List == criteria.Exclusion; {
	case either && exclusion:
		return []finding{anyOf(findings...)}
	case either, exclusion && strings.Contains(names, "/"): // ALT/AST
		return []finding{unanimous(findings...)}
	}
	return findings
}

// sexOf returns the sex that the words for the people of a limit name.
func sexOf(words string) string {
	fields := split(words)
	has := func(all ...string) bool {
		return slices.ContainsFunc(fields, func(w string) bool { return slices.Contains(all, w) })
	}
	switch female := has("women", "woman", "female", "females"); {
	case female && has("men", "man", "male", "males") || len(fields) > 3:
		return ""
	case female:
		return "female"
	case has("men", "man", "male", "males"):
		return "male"
	}
	return ""
}

// branches decides a line with conditions: only limits of one measure that agree in all branches.
func (r *reading) branches() finding {
	var findings []finding
	for _, g := range r.groups {
		for i := range g {
			if g[i].What != r.groups[0][0].What {
				return finding{}
			}
			f := r.judgeLimit(&g[i], &part{})
			f.limit = r.line.Text[g[i].Start:g[i].End]
			findings = append(findings, f)
		}
	}
	if len(findings) < 2 {
		return finding{}
	}
	return unanimous(findings...)
}

// onlyStates reports whether a part is about pregnancy or breast-feeding alone.
func (r *reading) onlyStates(p *part) bool {
	return len(p.groups) > 0 && !slices.ContainsFunc(p.groups, func(g int) bool {
		return !slices.Contains([]string{"pregnancy", "breast_feeding"}, r.groups[g][0].What)
	})
}

func (r *reading) judgeLimit(l *criteria.Limit, p *part) finding {
	person := r.person
	switch l.What {
	case "pregnancy", "breast_feeding":
		return r.state(l, p)
	case "sex":
		if person.given.Sex == "" && len(l.Values) == 1 {
			r.missing = append(r.missing, "sex")
			return finding{}
		}
		if len(l.Values) == 1 && r.sexes[map[string]string{"male": "female", "female": "male"}[l.Values[0]]] { // men, and women of some age
			return finding{}
		}
		return finding{truth: truthOf(len(l.Values) > 1 || slices.Contains(l.Values, person.given.Sex)), person: person.given.Sex}
	case "biomarker":
		return r.biomarker(l)
	case "window":
		return r.window(l, p)
	case "contraception", "duration", "count":
		return finding{}
	}
	name := l.What
	if name == "other" {
		t := termOf(l.Name, false)
		name = t.key()
	}
	known, ok := person.measures[name]
	if !ok {
		if l.What != "other" {
			r.missing = append(r.missing, name)
		}
		return finding{}
	}
	return finding{truth: compare(l, &known.Limit), person: known.text}
}

// state decides pregnancy and breast-feeding. A man is neither pregnant nor breast-feeding.
func (p *Person) state(what string) finding {
	given, word := p.given.Pregnant, "pregnant"
	if what == "breast_feeding" {
		given, word = p.given.BreastFeeding, "breast-feeding"
	}
	switch {
	case given != nil && *given:
		return finding{truth: holds, person: word}
	case given != nil:
		return finding{truth: fails, person: "not " + word}
	case p.given.Sex == "male":
		return finding{truth: fails, person: "male"}
	}
	return finding{}
}

// opposite maps states of genes to those that exclude them.
var opposite = map[string]string{"positive": "negative", "negative": "positive", "mutated": "wild_type", "wild_type": "mutated"}

// biomarker decides by the gene and its variant or state.
func (r *reading) biomarker(l *criteria.Limit) (f finding) {
	for _, known := range r.person.genes[l.Gene] {
		r.touched = true
		t := compareGene(l, &known.Limit)
		if t != unknown && f.truth != unknown && t != f.truth {
			return finding{}
		}
		if t != unknown {
			f = finding{truth: t, person: known.text, named: true}
		}
	}
	return f
}

// compareGene returns whether the state of a gene is the one that a line names. Another variant of the same gene decides nothing.
func compareGene(l, known *criteria.Limit) truth {
	switch {
	case l.Variant != "" && known.Variant != "":
		if l.Variant == known.Variant || strings.HasPrefix(l.Variant, known.Variant+"/") {
			return holds
		}
	case l.Variant != "":
		if known.State == "negative" || known.State == "wild_type" {
			return fails
		}
	case l.State == known.State && !slices.Contains([]string{"expressed", "altered"}, l.State):
		return holds
	case l.State != "" && opposite[l.State] == known.State:
		return fails
	}
	return unknown
}

// window decides a condition or a treatment with its time: chemotherapy within 4 weeks. A window beside a limit of a measure says when it
// is measured.
func (r *reading) window(l *criteria.Limit, p *part) finding {
	words, before := r.demands(p), split(r.line.Text[:l.Start])
	if n := len(before); l.Low != nil && n > 0 && before[n-1] == "for" || anyIs(split(r.line.Text[l.Start:l.End]), "future") {
		return finding{} // a duration, or the future
	}
	for i := range r.person.has {
		t := &r.person.has[i]
		if name := named(words, t.treatment); !t.same(name) && !t.implies(name) {
			continue
		}
		r.touched = true
		if t.ago != nil {
			known := criteria.Limit{What: "window", Low: t.ago.High, Unit: t.ago.Unit}
			return finding{truth: compare(l, &known), person: t.text, named: true}
		}
	}
	if len(p.groups) > 1 && len(named(words, true).words) == 0 {
		return finding{truth: holds}
	}
	return finding{}
}

// compare returns whether a value is inside a limit. Values that cannot be converted, and limits that no person can have, decide nothing.
func compare(l, known *criteria.Limit) truth {
	if l.What == "child_pugh" {
		return comparePugh(l, known)
	}
	if len(l.Values) > 0 {
		if len(known.Values) == 0 {
			return unknown
		}
		return truthOf(slices.Contains(l.Values, known.Values[0]))
	}
	if known.Low == nil || l.Low == nil && l.High == nil {
		return unknown
	}
	ends, unit := []float64{}, l.Unit
	for _, end := range []*float64{l.Low, l.High} {
		if end != nil {
			ends, unit = append(ends, *end), cmp.Or(unit, criteria.Usual(l.What, *end))
		}
	}
	value, ok := criteria.Convert(l.What, *known.Low, known.Unit, unit)
	if !ok || slices.ContainsFunc(ends, func(end float64) bool { return !criteria.Possible(l.What, end, unit) }) {
		return unknown
	}
	return truthOf(inside(value, l))
}

// pugh maps the classes of Child-Pugh to their lowest and highest score.
var pugh = map[string][2]float64{"A": {5, 6}, "B": {7, 9}, "C": {10, 15}}

// scores returns the lowest and the highest score of a class of Child-Pugh, or of a score.
func scores(class string) [2]float64 {
	if ends, ok := pugh[class]; ok {
		return ends
	}
	score, err := strconv.ParseFloat(class, 64)
	if err != nil {
		return [2]float64{}
	}
	return [2]float64{score, score}
}

// comparePugh compares classes and scores of Child-Pugh by their scores. A class with scores inside and outside decides nothing.
func comparePugh(l, known *criteria.Limit) truth {
	var own [2]float64
	if known.Low != nil {
		own = [2]float64{*known.Low, *known.Low}
	} else if len(known.Values) > 0 {
		own = scores(known.Values[0])
	}
	in := func(score float64) bool {
		return len(l.Values) == 0 && inside(score, l) || slices.ContainsFunc(l.Values, func(class string) bool {
			ends := scores(class)
			return score >= ends[0] && score <= ends[1]
		})
	}
	first, same := in(own[0]), own[0] > 0
	for score := own[0]; score <= own[1]; score++ {
		same = same && in(score) == first
	}
	if !same {
		return unknown
	}
	return truthOf(first)
}

func inside(value float64, l *criteria.Limit) bool {
	below := l.Low != nil && (value < *l.Low || value == *l.Low && !l.LowInclusive)
	above := l.High != nil && (value > *l.High || value == *l.High && !l.HighInclusive)
	return !below && !above
}

// state decides pregnancy and breast-feeding. A test decides by its result: a person without a positive test may be pregnant.
func (r *reading) state(l *criteria.Limit, p *part) finding {
	f := r.person.state(l.What)
	if f.truth == unknown {
		r.missing = append(r.missing, l.What)
	}
	test := strings.Contains(strings.ToLower(r.line.Text[l.Start:l.End]), "test")
	switch {
	case r.refused || p.shared || p.inner && len(p.asides) > 0: // of a partner; an example; among others
		return finding{}
	case test && r.line.List == criteria.Inclusion && slices.Contains(p.words, "negative") && !anyIs(p.words, "negation"):
		return f.not()
	case test && !slices.Contains(p.words, "positive"):
		return finding{}
	}
	return f
}

// demands returns the words of a part without its limits, and without words that ask for nothing beside them.
func (r *reading) demands(p *part) []string {
	roles := []string{}
	for _, g := range p.groups {
		what := r.groups[g][0].What
		if roles = append(roles, "beside-"+what); what != "window" && what != "duration" {
			roles = append(roles, "beside")
		}
	}
	return slices.DeleteFunc(slices.Clone(p.words), func(w string) bool { return w == mark || is(w, roles...) })
}
