package drugs

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// Pharmacogenomics is the section on the effects of genes.
const Pharmacogenomics = "pharmacogenomics"

// A GeneDrug is a drug whose labels name a gene, with its names as they were counted: salts and suffixes are folded.
type GeneDrug struct {
	entity.GeneDrug
	Generic []string
}

// rank returns the place of a drug in lists: named in an indication before others, then single substances before others.
func (d *GeneDrug) rank() (place int) {
	if d.Indications == 0 {
		place += 2
	}
	if strings.ContainsAny(d.Name, ",;/") || strings.Contains(d.Name, " AND ") {
		place++
	}
	return place
}

// GeneDrugs folds the labels that name a gene in their indications and in their section on pharmacogenomics, counted by generic name.
func GeneDrugs(indications, pharmacogenomics []Group) (drugs []GeneDrug) {
	of := func(g Group) *GeneDrug {
		name := Base(g.Value)
		i := slices.IndexFunc(drugs, func(d GeneDrug) bool { return d.Name == name })
		if i < 0 {
			i, drugs = len(drugs), append(drugs, GeneDrug{GeneDrug: entity.GeneDrug{Name: name}})
		}
		drugs[i].Generic = entity.Once(append(drugs[i].Generic, g.Value))
		return &drugs[i]
	}
	for _, g := range indications {
		of(g).Indications += g.Count
	}
	for _, g := range pharmacogenomics {
		of(g).Pharmacogenomics += g.Count
	}
	slices.SortFunc(drugs, func(a, b GeneDrug) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(b.Indications, a.Indications),
			cmp.Compare(b.Pharmacogenomics, a.Pharmacogenomics), cmp.Compare(a.Name, b.Name))
	})
	return drugs
}

// ToRead returns the generic names of the drugs to read if at most some labels can be read: those of the best rank with the fewest labels,
// so that the labels are of different drugs. The first of them is read in any case.
func ToRead(drugs []GeneDrug, most int) (generic []string) {
	labels := func(d GeneDrug) int { return max(d.Indications, d.Pharmacogenomics) }
	few := slices.Clone(drugs)
	slices.SortStableFunc(few, func(a, b GeneDrug) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(labels(a), labels(b)))
	})
	for _, d := range few {
		if most -= labels(d); most < 0 && generic != nil {
			break
		}
		generic = append(generic, d.Generic...)
	}
	return generic
}

// aroundGene is the number of characters of the text around the name of a gene.
const aroundGene = 300

// Naming returns the section of a label that names a gene by one of some names, with its sentence, or false. A name in the case of the
// gene comes first: some symbols are words.
func (l *Label) Naming(names []string) (found entity.GeneDrug, ok bool) {
	for _, flags := range []string{"", "(?i)"} {
		for _, key := range []string{Indications, Pharmacogenomics} {
			full := l.Section(key)
			if at := indexOf(full, names, flags); at != nil {
				name := Base(text.FirstNonEmpty(append(l.Openfda.GenericName, l.substances()...)...))
				return entity.GeneDrug{Name: name, SetID: l.SetID, Section: key, Text: Around(full, at[0], at[1], aroundGene)}, true
			}
		}
	}
	return found, false
}

// indexOf returns where a text has the first of some names as words, or nil. openFDA compares words without the characters between them.
func indexOf(full string, names []string, flags string) []int {
	for _, name := range names {
		words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		pattern, err := regexp.Compile(flags + `\b` + strings.Join(words, `[^\pL\pN]{1,3}`) + `\b`)
		if err != nil || len(words) == 0 {
			continue
		}
		if at := pattern.FindStringIndex(full); at != nil {
			return at
		}
	}
	return nil
}

// NamingGene returns at most some drugs whose labels name a gene, with the sentences of the labels that were read, and the number of the
// drugs that are left out. A label without a generic name adds its drug.
func NamingGene(named []GeneDrug, labels []Label, names []string, most int) (out entity.GeneDrugs, left int) {
	out.Searched = names
	for _, l := range labels {
		found, ok := l.Naming(names)
		if !ok {
			continue
		}
		i := slices.IndexFunc(named, func(d GeneDrug) bool { return d.Name == found.Name })
		switch {
		case i < 0:
			named = append(named, GeneDrug{GeneDrug: found})
		case named[i].Text == "":
			named[i].SetID, named[i].Section, named[i].Text = found.SetID, found.Section, found.Text
		}
	}
	for _, d := range named {
		out.Items = append(out.Items, d.GeneDrug)
	}
	left = max(0, len(out.Items)-most)
	out.Items = out.Items[:len(out.Items)-left]
	return out, left
}
