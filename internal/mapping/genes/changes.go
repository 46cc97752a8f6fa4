package genes

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// A Change is a change of a gene's sequence in the spellings that ClinVar uses: p.Arg175His and R175H, or c.524G>A.
type Change []string

var (
	oneLetter   = lazyregexp.New(`(?i)^(?:p\.)?\(?([ACDEFGHIKLMNPQRSTVWYU])([1-9][0-9]{0,5})([ACDEFGHIKLMNPQRSTVWYUX*=]|fs[A-Z0-9*]{0,9})\)?$`)
	threeLetter = lazyregexp.New(`(?i)^(?:p\.)?\(?([A-Z]{3})([1-9][0-9]{0,5})([A-Z]{3}|[*=]|fs[A-Z0-9*]{0,9})\)?$`)
	protein     = lazyregexp.New(`^p\.\(?([A-Z][a-z]{2}[1-9][0-9]{0,5}[A-Za-z0-9_*]{1,60})\)?$`)
	coding      = lazyregexp.New(`(?i)^c\.([-*]?[0-9]{1,6}[-+0-9_*]{0,30})(delins|del|dup|ins|inv|)([ACGT]{0,40}|[ACGT]>[ACGT]|=)$`)
)

// residues has the codes of amino acids with one letter and with three. X is an old sign for a stop.
const residues = "A Ala C Cys D Asp E Glu F Phe G Gly H His I Ile K Lys L Leu M Met N Asn P Pro Q Gln R Arg S Ser T Thr V Val W Trp " +
	"Y Tyr U Sec * Ter X Ter = = fs fs"

// residue returns both codes of an amino acid of which one is given; "" if it is unknown.
func residue(given string) (one, three string) {
	if len(given) > 2 && strings.EqualFold(given[:2], "fs") {
		given = "fs"
	}
	codes := strings.Fields(residues)
	for i := 0; i < len(codes); i += 2 {
		if strings.EqualFold(given, codes[i]) || strings.EqualFold(given, codes[i+1]) {
			return strings.Replace(codes[i], "X", "*", 1), codes[i+1]
		}
	}
	return "", ""
}

// ReadChange reads a change in one-letter, three-letter or coding form, also after the name of a sequence or a gene, and the name of a
// record: NM_000546.6(TP53):c.524G>A (p.Arg175His). It reports whether it is one.
func ReadChange(given string) (Change, bool) {
	words := strings.Fields(text.Clean(given))
	if len(words) == 2 {
		first, isFirst := readChange(words[0])
		second, isSecond := readChange(words[1])
		switch {
		case isFirst && strings.HasPrefix(words[1], "("):
			return first, true
		case isSecond && !isFirst:
			return second, true
		}
	}
	return readChange(strings.Join(words, ""))
}

func readChange(given string) (Change, bool) {
	given = given[strings.LastIndexByte(given, ':')+1:]
	if m := coding.FindStringSubmatch(given); m != nil && m[2]+m[3] != "" {
		name, bases := "c."+m[1]+strings.ToLower(m[2]), strings.ToUpper(m[3])
		if strings.HasSuffix(name, "del") || strings.HasSuffix(name, "dup") {
			bases = "" // ClinVar names no bases
		}
		return Change{name + bases}, true
	}
	for _, form := range []*lazyregexp.Regexp{oneLetter, threeLetter} {
		if m := form.FindStringSubmatch(given); m != nil {
			one, three := residue(m[1])
			to, toThree := residue(m[3])
			if one != "" && to != "" {
				return Change{"p." + three + m[2] + toThree, one + m[2] + to}, true
			}
		}
	}
	if m := protein.FindStringSubmatch(given); m != nil {
		return Change{"p." + m[1]}, true
	}
	return nil, false
}

// Term returns the term that finds the change in ClinVar; none for no change.
func (c Change) Term() []string {
	if c == nil {
		return nil
	}
	return []string{`("` + strings.Join(c, `" OR "`) + `")`}
}

// In reports whether the change is one of those that a record states.
func (c Change) In(stated []string) bool {
	return slices.ContainsFunc(c, func(spelling string) bool { return slices.Contains(stated, spelling) })
}

// Changes returns the changes that a record of ClinVar states, in its name and in its list of changes of proteins.
func Changes(s *entrez.VariantSummary) []string {
	between := func(r rune) bool { return strings.ContainsRune(" (),;:[]", r) }
	return slices.DeleteFunc(strings.FieldsFunc(s.Title+" "+s.ProteinChange, between), func(word string) bool {
		_, change := ReadChange(word)
		return !change
	})
}
