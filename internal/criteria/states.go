package criteria

import (
	"slices"
	"strings"
)

// stateWords maps words to the states of a person that a line may name.
var stateWords = map[string]string{
	"pregnant": "pregnancy", "pregnancy": "pregnancy", "pregnancies": "pregnancy", "gravid": "pregnancy", "gravidity": "pregnancy",
	"breastfeeding": "breast_feeding", "lactating": "breast_feeding", "lactation": "breast_feeding", "nursing": "breast_feeding",
	"breastfeed": "breast_feeding", "breast": "breast_feeding",
	"contraception": "contraception", "contraceptive": "contraception", "contraceptives": "contraception",
}

// states adds pregnancy, breast-feeding, contraception and sex.
func (r *reader) states() {
	for i, t := range r.tokens {
		what, to := stateWords[t.text], i+1
		switch {
		case what == "":
			continue
		case t.text == "breast":
			for r.text1(to) == "-" {
				to++
			}
			if !strings.HasPrefix(r.text1(to), "fe") {
				continue
			}
			to++
		case t.text == "nursing" && among(r.text1(to), "home homes staff facility care students"), what == "pregnancy" && r.planned(i):
			continue
		}
		l := Limit{What: what, Start: t.start, End: r.tokens[to-1].end}
		r.tested(&l, i, to)
		r.limits = append(r.limits, l)
	}
	r.sexes()
}

// planned reports whether the words before "pregnancy" show that no pregnancy of now is meant.
func (r *reader) planned(i int) bool {
	for j := i - 1; j >= max(0, i-2); j-- {
		if r.t.is(r.tokens, j, "plan") && (r.text1(j) != "of" || r.text1(j-1) != "absence") {
			return true
		}
		if r.tokens[j].kind == mark && r.text1(j) != "-" {
			break
		}
	}
	next := r.text1(i + 1)
	return among(next, "induced related prevention outcome") || r.text1(i) == "pregnancy" && among(next, "plan planning")
}

// tested reads a pregnancy test, whose result turns the meaning: a negative one is the negation of a pregnancy.
func (r *reader) tested(l *Limit, i, to int) {
	if l.What != "pregnancy" {
		return
	}
	for j := to; j < min(to+2, len(r.tokens)); j++ {
		if strings.HasPrefix(r.text1(j), "test") {
			l.State = "test"
			l.End = r.tokens[j].end
		}
	}
	for j := max(0, i-5); j < min(to+4, len(r.tokens)) && l.State == "test"; j++ {
		if r.text1(j) == "negative" {
			l.Negated = true
		}
	}
}

// sexes adds the sex that a clause of nothing else asks for, such as "Male or female".
func (r *reader) sexes() {
	for from := 0; from < len(r.tokens); {
		to, named := from, false
		var found []string
		for ; to < len(r.tokens) && !among(r.text1(to), ", ; ."); to++ {
			w := r.text1(to)
			sexes := sexOf(w)
			named = named || len(sexes) > 0 && !among(w, "both either all") || strings.HasPrefix(w, "sex") || strings.HasPrefix(w, "gender")
			if len(sexes) == 0 && !r.t.is(r.tokens, to, "sex-word") {
				found, named = nil, false
				for to < len(r.tokens) && !among(r.text1(to), ", ; .") {
					to++
				}
				break
			}
			found = append(found, sexes...)
		}
		if len(found) > 0 && named {
			slices.Sort(found)
			l := Limit{What: "sex", Values: slices.Compact(found), Start: r.tokens[from].start, End: r.tokens[to-1].end}
			r.limits = append(r.limits, l)
		}
		from = to + 1
	}
}

// sexOf returns the sexes that a word names.
func sexOf(word string) []string {
	switch word {
	case "male", "males", "men", "man":
		return []string{"male"}
	case "female", "females", "women", "woman":
		return []string{"female"}
	case "both", "either", "all":
		return []string{"female", "male"}
	}
	return nil
}

// geneState returns the state that the word at a token names.
func (r *reader) geneState(i int) string {
	role, _ := r.t.words.find(r.tokens, i, func(s string) bool { return strings.HasPrefix(s, "gene-") })
	return strings.TrimPrefix(role, "gene-")
}

// biomarkers adds genes in capitals with their variants and states.
func (r *reader) biomarkers() {
	for i := 0; i < len(r.tokens); i++ {
		gene, to := r.gene(i)
		if gene == "" {
			continue
		}
		l := Limit{What: "biomarker", Gene: gene, Start: r.tokens[i].start, End: r.tokens[to-1].end}
		for j := max(0, i-2); j < i; j++ {
			if s := r.geneState(j); s != "" && !among(s, "low high") && !among(r.text1(j+1), "or ,") {
				l.State = s
			}
		}
		r.behindGene(&l, to)
		if l.State != "" {
			r.limits = append(r.limits, l)
		}
		i = to - 1
	}
}

// behindGene reads the variant and the state behind a gene.
func (r *reader) behindGene(l *Limit, to int) {
	for j := to; j < min(to+8, len(r.tokens)); j++ {
		if other, _ := r.gene(j); other != "" || among(r.text1(j), "; .") {
			return
		}
		if v, end := r.variant(j); v != "" && l.Variant == "" {
			l.Variant, l.State, l.End, j = v, "mutated", r.tokens[end-1].end, end-1
			continue
		}
		if s := r.geneState(j); s != "" && (l.State == "" || s == "wild_type" || l.State == "expressed") {
			l.State, l.End = s, max(l.End, r.tokens[j].end)
		}
	}
}

// gene returns the gene at a token by its symbol or alias in the case as people write it.
func (r *reader) gene(i int) (symbol string, to int) {
	if i >= len(r.tokens) || r.tokens[i].kind != word {
		return "", i
	}
	for to = min(i+5, len(r.tokens)); to > i; to-- {
		written := r.text[r.tokens[i].start:r.tokens[to-1].end]
		if symbol := r.t.genes[written]; symbol != "" && (len(written) > 2 || among(r.text1(to), "- + positive negative")) {
			return symbol, to
		}
	}
	return "", i
}

var aminoAcids = map[string]string{"ala": "A", "arg": "R", "asn": "N", "asp": "D", "cys": "C", "gln": "Q", "glu": "E", "gly": "G",
	"his": "H", "ile": "I", "leu": "L", "lys": "K", "met": "M", "phe": "F",
	"pro": "P", "ser": "S", "thr": "T", "trp": "W", "tyr": "Y", "val": "V"}

// variant reads a variant in one spelling: L858R, V600E/K, exon 19 deletion.
func (r *reader) variant(i int) (name string, to int) {
	switch w := r.text1(i); {
	case w == "p" && r.text1(i+1) == "." && i+2 < len(r.tokens):
		return r.variant(i + 2)
	case w == "exon":
		return r.exon(i)
	case among(w, "del19 ex19del 19del"):
		return "exon 19 deletion", i + 1
	}
	name = substitution(r.text1(i))
	if name == "" {
		return "", i
	}
	if r.text1(i+1) == "/" && len(r.text1(i+2)) == 1 {
		return name + "/" + strings.ToUpper(r.text1(i+2)), i + 3
	}
	return name, i + 1
}

// exon reads a change of an exon.
func (r *reader) exon(i int) (name string, to int) {
	if i+1 >= len(r.tokens) || r.tokens[i+1].kind != number {
		return "", i
	}
	for j := i + 2; j < min(i+5, len(r.tokens)); j++ {
		for _, change := range []string{"deletion", "insertion", "skipping"} {
			if strings.HasPrefix(r.text1(j), change[:3]) {
				return "exon " + r.text1(i+1) + " " + change, j + 1
			}
		}
	}
	return "", i
}

// substitution returns the name of an amino acid's substitution in letters: L858R for leu858arg.
func substitution(w string) string {
	if len(w) < 3 {
		return ""
	}
	first, rest := strings.ToUpper(w[:1]), w[1:]
	if len(w) > 3 && aminoAcids[w[:3]] != "" {
		first, rest = aminoAcids[w[:3]], w[3:]
	}
	digits := digitsEnd(rest, 0)
	if digits < 2 || digits == len(rest) || first < "A" || first > "Z" {
		return ""
	}
	last := strings.ToUpper(rest[digits:])
	if short := aminoAcids[rest[digits:]]; short != "" {
		last = short
	}
	if len(last) != 1 && last != "FS" {
		return ""
	}
	return first + rest[:digits] + last
}

// scopes marks the limits that follow a negation or an exception in their clause, and reads the people that a limit applies to.
func (r *reader) scopes() {
	for n := range r.limits {
		l := &r.limits[n]
		at := r.behind(l.Start)
		for i := at - 1; i >= max(0, at-15) && r.clause[i] == r.clause[min(at, len(r.clause)-1)]; i-- {
			if among(r.text1(i), "but however") || r.t.is(r.tokens, i, "open") || i > 0 && r.t.is(r.tokens, i-1, "open") ||
				r.text1(i) == "," && measured(l) {
				break
			}
			l.Exception = r.t.is(r.tokens, i, "exception")
			l.Negated = l.Negated || !l.Exception && r.negates(i, at)
			if l.Exception || l.Negated {
				break
			}
		}
		if l.State == "test" {
			l.State = ""
		}
		l.AppliesTo = r.appliesTo(l)
	}
}

// measured reports whether a limit has an end or classes of a named measure. Behind a comma it begins a demand of its own: no heart
// disease, LVEF > 40 %.
func measured(l *Limit) bool { return l.named && (l.Low != nil || l.High != nil || l.Values != nil) }

// negates reports whether the word at a token turns the meaning of a limit that begins at another one.
func (r *reader) negates(i, limit int) bool {
	switch {
	case r.text1(i) == "negative", r.text1(i) == "free" && !among(r.text1(i+1), "of from"):
		return false
	case r.text1(i) == "without" && r.text1(i-1) == "or" && r.text1(i-2) == "with":
		return false
	case r.text1(i) == "non": // of its own word alone: non-pregnant
		return limit-i <= 2
	}
	return r.t.is(r.tokens, i, "negation")
}

// second reports whether a limit is another one of its measure, for those that the words behind it name: (<= 5 x ULN for liver metastases).
func (r *reader) second(l *Limit, behind int) bool {
	return among(r.text1(behind), "for in") && slices.ContainsFunc(r.limits, func(o Limit) bool {
		return o.What == l.What && o.Start < l.Start && o.Unit == l.Unit && l.named && (o.Low == nil) == (l.Low == nil)
	})
}

// conditionEnd returns the token behind the words for the people of a limit, which begin at a token.
func (r *reader) conditionEnd(i int) int {
	to := i
	for to < min(len(r.tokens), i+14) && !among(r.text1(to), ") ; , ( .") && r.tokens[to].kind != sign && r.clause[to] == r.clause[i] {
		if u, _ := r.unitOf(to + 2); u != nil && among(r.text1(to), "and or") && r.tokens[to+1].kind == number { // the limit of others
			break
		}
		to++
	}
	return to
}

// appliesTo returns the words behind a limit that name its people: "if liver metastases", "for men".
func (r *reader) appliesTo(l *Limit) string {
	i := r.skip(r.behind(l.End), 1, "( ,")
	if l.What == "sex" || i >= len(r.tokens) || !r.t.is(r.tokens, i, "condition") && !r.second(l, i) {
		return ""
	}
	to := r.conditionEnd(i)
	if to <= i || to-i == 3 && len(sexOf(r.text1(i))) > 0 && len(sexOf(r.text1(i+2))) > 0 { // of both: male or female
		return ""
	}
	return strings.TrimSpace(r.text[r.tokens[i].start:r.tokens[to-1].end])
}
