package match

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/criteria"
)

// judge returns the meaning of the facts for the text of a line. A line with limits for one sex is decided for a person of unknown sex
// where it is decided in the same way for both.
func (p *Person) judge(line *criteria.Line) (f finding, r *reading) {
	if f, r = p.judgeAs(p.given.Sex, line); p.given.Sex == "" && r.bySex() {
		female, _ := p.judgeAs("female", line)
		male, _ := p.judgeAs("male", line)
		if f = unanimous(female, male); f.person == "female" || f.person == "male" {
			f = finding{} // no fact of the person: it was assumed
		}
	}
	return f, r
}

// bySex reports whether a limit of the line applies to one sex.
func (r *reading) bySex() bool {
	return slices.ContainsFunc(slices.Concat(r.groups...), func(l criteria.Limit) bool { return sexOf(l.AppliesTo) != "" })
}

// judgeAs returns the meaning of the facts for a person of a sex; empty: the sex is not known.
func (p *Person) judgeAs(sex string, line *criteria.Line) (f finding, r *reading) {
	as := *p
	as.given.Sex = sex
	p = &as
	r = &reading{person: p, line: line, sexes: map[string]bool{}}
	r.conditional = line.List == criteria.Inclusion && alternatives(line.Text) || ofGroup(split(line.Text))
	r.heed(line.Under)
	parts, findings := r.demanding(r.parts(r.tagged()))
	switch {
	case len(parts) == 0 || parts[0].negated && line.List == criteria.Exclusion: // "no ..." among exclusions is a slip, or its opposite
		return finding{}, r
	case r.conditional:
		return r.branches(), r
	}
	if f = join(parts, findings, line.List); r.lists(parts) {
		f = unanimous(findings...)
	}
	more := func(p part) bool { return !r.onlyStates(&p) }
	if len(r.sexes) == 1 && !r.sexes[p.given.Sex] && slices.ContainsFunc(parts, more) { // for the other sex
		f = all(f, finding{})
	}
	return f, r
}

// demanding returns the parts that ask for something, with their findings.
func (r *reading) demanding(all []part) (parts []part, findings []finding) {
	for i, part := range all {
		f, asks := r.judgePart(&part)
		another := i > 0 && part.join == "or" && slices.ContainsFunc(part.words, func(w string) bool { return !is(w, "filler") })
		if asks || another {
			parts, findings = append(parts, part), append(findings, f)
		}
	}
	return parts, findings
}

// ofSome reports whether the words before an age name the people of another limit: Lansky score for patients < 16 years.
func ofSome(before string) bool {
	words := split(before)
	words = words[max(0, len(words)-5):]
	if n := len(words); n > 1 && words[n-1] == "(" {
		return is(words[n-2], "scale")
	}
	return slices.ContainsFunc(words, func(w string) bool { return w == "for" || w == "if" || w == "when" })
}

// unbalanced reports whether a text closes a parenthesis that it does not open.
func unbalanced(text string) bool {
	return strings.Count(text, ")") > strings.Count(text, "(") || strings.Count(text, "]") > strings.Count(text, "[")
}

// alternatives reports whether a line says that one of its parts is enough.
func alternatives(text string) bool {
	text = strings.ToLower(text)
	phrases := []string{"one of the following", "any of the following", "one or more of", "at least one of", "either of the"}
	return slices.ContainsFunc(phrases, func(phrase string) bool { return strings.Contains(text, phrase) })
}

// tagged returns the words of a line, with a mark in the place of each limit.
func (r *reading) tagged() []string {
	limits := criteria.Demands(r.line.Text)
	var text strings.Builder
	at := 0
	for i := 0; i < len(limits); {
		begin, end, group := limits[i].Begin, limits[i].End, []criteria.Limit{limits[i]}
		if begin < at { // a second value of the same measure
			begin = max(at, limits[i].Start)
		}
		for i++; i < len(limits) && limits[i].Start < end; i++ {
			end, group = max(end, limits[i].End), append(group, limits[i])
		}
		if open := strings.LastIndexAny(r.line.Text[at:begin], "(["); open >= 0 && unbalanced(r.line.Text[begin:end]) { // "(LVEF) < 40 %"
			begin = at + open
		}
		r.conditional = r.conditional || len(limits) > 1 && group[0].What == "age" && ofSome(r.line.Text[at:begin])
		if before, found := cutNon(r.line.Text[at:begin]); found {
			begin = at + len(before)
			r.turned = append(r.turned, len(r.groups))
		}
		text.WriteString(r.line.Text[at:begin] + " " + mark + " ")
		r.groups, at = append(r.groups, group), max(at, end)
	}
	text.WriteString(r.line.Text[at:])
	return split(text.String())
}

// cutNon returns a text without the prefix that ends it, as in "a non-" before pregnant, and whether it ends with one.
func cutNon(text string) (before string, found bool) {
	text = strings.TrimRight(text, "- ")
	cut := len(text) - len("non")
	if cut < 0 || !strings.EqualFold(text[cut:], "non") {
		return "", false
	}
	last, _ := utf8.DecodeLastRuneInString(text[:cut])
	return text[:cut], !unicode.IsLetter(last) // xenon is a word
}

// join joins the findings of parts. Commas have the meaning of the next connector, else that of the list. Where "and" and "or" are mixed,
// both ways to read them must agree.
func join(parts []part, findings []finding, list criteria.List) finding {
	connector := "and"
	if list == criteria.Exclusion {
		connector = "or"
	}
	if len(parts) > 0 && parts[0].negated {
		connector = "or" // before the negation is turned
	}
	if connect(parts, connector) && list == criteria.Exclusion { // A, B, and C: in a list of exclusions each may be meant
		return unanimous(findings...)
	}
	grouped := func(inner string, within, outside func(...finding) finding) finding {
		var outer, run []finding
		for i, f := range findings {
			if i > 0 && joins(parts, i) != inner {
				outer, run = append(outer, within(run...)), nil
			}
			run = append(run, f)
		}
		return outside(append(outer, within(run...))...)
	}
	one, other := grouped("and", all, anyOf), grouped("or", anyOf, all)
	if one.truth != other.truth {
		return finding{}
	}
	return one
}

// connect gives commas the meaning of the next connector, and reports whether one of them means "and".
func connect(parts []part, usual string) (listed bool) {
	connector := usual
	for i := len(parts) - 1; i > 0; i-- {
		switch p := &parts[i]; {
		case p.slashed: // left ventricular/atrial, not a list of words before it
			continue
		case p.begins:
			p.join = usual
		case p.join == "," || p.join == "":
			listed = listed || connector == "and"
			p.join = connector
		}
		connector = parts[i].join
	}
	return listed
}

// joins returns how a part is joined to the one before it. Between negated parts, "or" means that none of them is so.
func joins(parts []part, i int) string {
	if parts[i].negated && parts[i-1].negated && parts[i].join == "or" {
		return "and"
	}
	return parts[i].join
}

// judgePart returns the meaning of the facts for one part, and whether the part asks for anything: limits for the other sex do not. A part
// that asks for more than its limits, or than one term, cannot hold; but it fails where one of its limits fails.
func (r *reading) judgePart(p *part) (f finding, asks bool) {
	if r.ofPast(p) {
		return finding{}, true
	}
	findings, inTime := r.judgeGroups(p)
	words := r.demands(p)
	if slices.ContainsFunc(words, func(w string) bool { return is(w, "negation") }) { // inside of a part
		findings = append(findings, finding{})
	}
	name := named(words, false)
	for _, g := range p.groups {
		if what := r.groups[g][0].What; criteria.Measure(strings.Join(name.words, " ")) == what { // body mass index [BMI]
			name.words = nil
		}
	}
	if len(name.words) > 0 || p.inner && len(p.groups) == 0 {
		f := finding{}
		if !r.refused {
			f = r.judgeTerm(p, words, name)
		}
		if !inTime || f.truth == fails {
			findings = append(findings, f)
		}
	}
	if f = all(findings...); p.negated {
		f = f.not()
	}
	return f, len(findings) > 0
}

// judgeGroups returns the meaning of the facts for the limits of a part, and whether one of them is a time.
func (r *reading) judgeGroups(p *part) (findings []finding, inTime bool) {
	inside := make([][]finding, len(p.asides))
	for _, g := range p.groups {
		inTime = inTime || slices.ContainsFunc(r.groups[g], func(l criteria.Limit) bool { return l.What == "window" })
		list := &findings
		if i := slices.IndexFunc(p.asides, func(a aside) bool { return slices.Contains(a.groups, g) }); i >= 0 {
			list = &inside[i]
		}
		found := r.judgeGroup(r.groups[g], p)
		if slices.Contains(r.turned, g) {
			found = []finding{all(found...).not()}
		}
		*list = append(*list, found...)
	}
	for i, a := range p.asides {
		switch {
		case a.open && r.line.List == criteria.Exclusion:
			inside[i] = []finding{anyOf(append(inside[i], finding{})...)}
		case a.listed: // new drugs, or coumarins with an INR of 2 to 3
			inside[i] = []finding{{}}
		}
		findings = append(findings, r.joinAside(a.joints, inside[i])...)
	}
	return findings, inTime
}

// ofPast reports whether a part asks for an earlier value, of which that of today says nothing.
func (r *reading) ofPast(p *part) bool {
	named := p.words[:max(0, slices.Index(p.words, mark))]
	measured := func(g int) bool { return historical(r.groups[g]) }
	return (anyIs(named, "past") || slices.Contains(p.words, "ever")) && slices.ContainsFunc(p.groups, measured)
}

// historical reports whether a value of today says nothing about an earlier one.
func historical(group []criteria.Limit) bool {
	switch group[0].What {
	case "window", "duration", "age", "sex", "pregnancy", "breast_feeding", "contraception", "prior_lines", "biomarker", "count":
		return false
	}
	return true
}

// joinAside joins the findings of limits in parentheses. Commas have the meaning of the list.
func (r *reading) joinAside(joints []string, findings []finding) []finding {
	has := func(joint string) bool { return slices.Contains(joints, joint) }
	switch either := has("or") || r.line.List == criteria.Exclusion && has(","); {
	case !either || len(findings) < 2:
		return findings
	case has("and") && !has("or"):
		return []finding{unanimous(findings...)}
	}
	return []finding{anyOf(findings...)}
}

// judgeTerm decides words that are one condition or treatment of the person, and nothing else. Absence decides also where the words ask for
// more.
func (r *reading) judgeTerm(p *part, words []string, name *term) finding {
	r.current = r.current || slices.Contains(words, "on") || anyIs(words, "current")
	for i := range r.person.has {
		if t := &r.person.has[i]; r.holds(t, p, words, name) {
			return finding{truth: holds, person: t.text, named: true}
		}
	}
	for i := range r.person.without {
		if t := &r.person.without[i]; t.excludedBy(words) && !p.tested {
			return finding{truth: fails, person: "without " + t.text, named: true}
		}
	}
	if healthy := r.person.given.Healthy; healthy != nil && len(name.words) == 1 && name.words[0] == "healthy" {
		return finding{truth: truthOf(*healthy), person: map[bool]string{true: "healthy", false: "not healthy"}[*healthy]}
	}
	return finding{}
}

// holds reports whether a part asks for a condition or a treatment of the person, and for nothing else.
func (r *reading) holds(t *term, p *part, words []string, name *term) bool {
	if t.treatment {
		name = named(words, true)
	}
	same := t.same(name) || t.implies(name)
	r.touched = r.touched || same || strings.Contains(" "+strings.Join(name.words, " ")+" ", " "+strings.Join(t.words, " ")+" ")
	switch {
	case !same, p.inner, p.shared, r.bound, p.aimed && t.treatment, r.current && (t.ago != nil || t.treatment):
		return false
	case t.organ && !p.organs && name.key() != t.initials:
		return false
	}
	return len(p.groups) > 0 || !p.timed && (t.ago == nil || !r.timed)
}
