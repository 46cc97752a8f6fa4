// Package drugs maps the records of openFDA. It folds applications, products and labels into one record for each set of active substances.
package drugs

import (
	"cmp"
	_ "embed"
	"maps"
	"slices"
	"strings"

	api "github.com/biofact-mcp/biofact/gen/openfda"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// Records are records of openFDA about some drugs.
type Records struct {
	Applications []api.Application
	Products     []api.Product
	Substances   []api.Substance
	Labels       []Label
}

// A Drug has the records of one set of active substances, with any salts and labellers.
type Drug struct {
	Records
	// Names are the substances without salts, in alphabetical order.
	Names []string
	// Ingredients are the names with salts, as they are listed.
	Ingredients []string
	// Kind is original, biosimilar or generic; empty: unknown.
	Kind string

	uniis map[string]string // of the ingredients
}

//go:embed salts.txt
var saltWords string

// cations are the elements whose salts are substances of their own: potassium chloride is not potassium.
var cations = lazyregexp.New(`^(?:ALUMINUM|AMMONIUM|CALCIUM|FERRIC|FERROUS|IRON|LITHIUM|MAGNESIUM|POTASSIUM|SODIUM|ZINC)$`)

// suffix matches the four letters that FDA adds to names of biological substances.
var suffix = lazyregexp.New(`-[A-Z]{4}$`)

// Base returns the name of a substance in capitals, without its salt and without the suffix of a biological substance.
func Base(name string) string {
	name = strings.ToUpper(strings.Join(strings.Fields(text.Clean(name)), " "))
	words := strings.Fields(suffix.ReplaceAllString(name, ""))
	for len(words) > 1 && slices.Contains(strings.Fields(saltWords), words[len(words)-1]) &&
		(len(words) > 2 || !cations.MatchString(words[0])) {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

func bases(names []string) []string {
	var all []string
	for _, name := range names {
		all = append(all, Base(name))
	}
	all = entity.Once(all)
	slices.Sort(all)
	return all
}

// namesOf returns the names of the ingredients of the first product that has some, or the harmonised ones.
func namesOf(a *api.Application) []string {
	for _, p := range a.Products {
		if len(p.ActiveIngredients) > 0 {
			return text.MapNonZero(p.ActiveIngredients, func(i *api.ApplicationProductsActiveIngredients) string { return i.Name })
		}
	}
	return a.Openfda.SubstanceName
}

// Fold returns the drugs of some records. A substance of which several biological products have names of their own, by their suffix, has
// one drug for each name.
func Fold(r Records) []*Drug {
	f := fold{byKey: map[string]*Drug{}, byApplication: map[string]*Drug{}}
	suffixes := map[string]map[string]bool{}
	for i := range r.Applications {
		names := namesOf(&r.Applications[i])
		key := strings.Join(bases(names), "\n")
		if suffixes[key] == nil {
			suffixes[key] = map[string]bool{}
		}
		if strings.HasPrefix(r.Applications[i].ApplicationNumber, "BLA") {
			suffixes[key][suffixOf(names)] = true
		}
	}
	for i := range r.Applications {
		a := &r.Applications[i]
		names := namesOf(a)
		d := f.drug(names, len(suffixes[strings.Join(bases(names), "\n")]) > 1)
		d.Applications = append(d.Applications, *a)
		f.byApplication[a.ApplicationNumber] = d
		d.learn(names, a.Openfda.Unii)
	}
	for i := range r.Products {
		p := &r.Products[i]
		names := text.MapNonZero(p.ActiveIngredients, func(i *api.ProductActiveIngredients) string { return i.Name })
		d := f.byApplication[p.ApplicationNumber]
		if d == nil || !slices.Equal(bases(names), d.Names) {
			d = f.drug(names, false)
		}
		d.Products = append(d.Products, *p)
		d.learn(names, p.Openfda.Unii)
	}
	for _, l := range r.Labels {
		d := f.withLabel(l.SetID)
		if d == nil {
			d = f.drug(l.substances(), false)
			d.learn(l.substances(), l.Openfda.Unii)
		}
		d.Labels = append(d.Labels, l)
	}
	for i := range r.Substances {
		s := &r.Substances[i]
		d := f.drug([]string{PreferredName(s)}, false)
		d.Substances = append(d.Substances, *s)
		d.learn([]string{PreferredName(s)}, []string{s.Unii})
	}
	f.setKinds()
	return f.order
}

// FoldBeside folds records with other applications of the same substances, and returns the drugs of the records.
func FoldBeside(r Records, others []api.Application) []*Drug {
	own := map[string]bool{}
	for _, a := range r.Applications {
		own[a.ApplicationNumber] = true
	}
	for _, a := range others {
		if !own[a.ApplicationNumber] {
			r.Applications = append(r.Applications, a)
		}
	}
	return slices.DeleteFunc(Fold(r), func(d *Drug) bool {
		return len(d.Products)+len(d.Labels)+len(d.Substances) == 0 &&
			!slices.ContainsFunc(d.Applications, func(a api.Application) bool { return own[a.ApplicationNumber] })
	})
}

// Find returns the drug with some substances that has an application, or the original one of these substances; nil: none.
func Find(drugs []*Drug, names []string, number string) (found *Drug) {
	for _, d := range drugs {
		switch {
		case !slices.Equal(d.Names, names):
		case number != "" && slices.Contains(d.numbers("NDA", "BLA", "ANDA"), number):
			return d
		case found == nil || found.Kind == "biosimilar":
			found = d
		}
	}
	return found
}

func suffixOf(names []string) string {
	for _, name := range names {
		if s := suffix.FindStringSubmatch(strings.ToUpper(name)); s != nil {
			return s[0]
		}
	}
	return ""
}

// A fold collects drugs.
type fold struct {
	byKey, byApplication map[string]*Drug
	order                []*Drug
}

// withLabel returns the drug of which a product names a label, or nil.
func (f *fold) withLabel(setID string) *Drug {
	i := slices.IndexFunc(f.order, func(d *Drug) bool { return slices.Contains(d.SetIDs(), setID) })
	if i < 0 {
		return nil
	}
	return f.order[i]
}

// drug returns the drug with some substances, of those with the suffix of their names if named is true.
func (f *fold) drug(names []string, named bool) *Drug {
	key := strings.Join(bases(names), "\n")
	if named {
		key += suffixOf(names)
	}
	d := f.byKey[key]
	if d == nil {
		d = &Drug{Names: bases(names), uniis: map[string]string{}}
		f.byKey[key] = d
		f.order = append(f.order, d)
	}
	return d
}

// learn adds the names of ingredients and the UNII of a single one: lists of several are not in the same order.
func (d *Drug) learn(names, uniis []string) {
	for _, name := range names {
		d.Ingredients = entity.Once(append(d.Ingredients, strings.ToUpper(text.Clean(name))))
	}
	if len(names) == 1 && len(uniis) == 1 && unii.MatchString(uniis[0]) {
		d.uniis[strings.ToUpper(text.Clean(names[0]))] = uniis[0]
	}
}

var unii = lazyregexp.New(`^[A-Z0-9]{10}$`)

// setKinds compares the drugs that have the same substances.
func (f *fold) setKinds() {
	first := map[string]string{} // the first approval of a set of substances
	for _, d := range f.order {
		slices.SortStableFunc(d.Applications, func(a, b api.Application) int {
			return cmp.Compare(cmp.Or(Approved(&a), "9"), cmp.Or(Approved(&b), "9"))
		})
		key := strings.Join(d.Names, "\n")
		if day := d.firstApproved(); day != "" && (first[key] == "" || day < first[key]) {
			first[key] = day
		}
	}
	for _, d := range f.order {
		numbers := map[string]bool{}
		for i := range d.Applications {
			if a := &d.Applications[i]; Approved(a) != "" || len(a.Submissions) == 0 {
				numbers[a.ApplicationNumber[:min(3, len(a.ApplicationNumber))]] = true
			}
		}
		switch day := first[strings.Join(d.Names, "\n")]; {
		case numbers["BLA"] && d.firstApproved() > day:
			d.Kind = "biosimilar"
		case numbers["BLA"] || numbers["NDA"]:
			d.Kind = "original"
		case numbers["AND"]:
			d.Kind = "generic"
		}
	}
}

// Approved returns the day on which an original application was approved; a tentative approval does not count.
func Approved(a *api.Application) (day string) {
	for _, s := range a.Submissions {
		if s.SubmissionType == "ORIG" && s.SubmissionStatus == "AP" {
			if on := date(s.SubmissionStatusDate); on != "" && (day == "" || on < day) {
				day = on
			}
		}
	}
	return day
}

func (d *Drug) firstApproved() string {
	if len(d.Applications) == 0 {
		return ""
	}
	return Approved(&d.Applications[0]) // they are in the order of their approvals
}

// ID returns the id of the drug: the UNII of a single substance, unless the drug is a biosimilar of it; else its first NDA or BLA, else
// its first application, else the set id of a label. Without any it returns "".
func (d *Drug) ID() string {
	if len(d.Names) == 1 && d.Kind != "biosimilar" {
		for _, name := range d.Ingredients {
			if d.uniis[name] != "" {
				return uniiPrefix + d.uniis[name]
			}
		}
	}
	ids := append(d.numbers("NDA", "BLA"), d.numbers("ANDA")...)
	return text.FirstNonEmpty(append(ids, d.SetIDs()...)...)
}

// numbers returns the applications of some kinds in the order of their approvals.
func (d *Drug) numbers(kinds ...string) (numbers []string) {
	for _, a := range d.Applications {
		numbers = append(numbers, a.ApplicationNumber)
	}
	for _, p := range d.Products {
		numbers = append(numbers, p.ApplicationNumber)
	}
	for _, l := range d.Labels {
		numbers = append(numbers, l.Openfda.ApplicationNumber...)
	}
	return entity.Once(slices.DeleteFunc(numbers, func(number string) bool {
		return !slices.ContainsFunc(kinds, func(kind string) bool { return strings.HasPrefix(number, kind) })
	}))
}

// SetIDs returns the set ids of the labels.
func (d *Drug) SetIDs() []string {
	ids := d.harmonised(func(h *api.Harmonised) []string { return h.SplSetId })
	for _, l := range d.Labels {
		ids = append(ids, l.SetID)
	}
	return entity.Once(ids)
}

// UNIIs returns the substances, those of combinations included.
func (d *Drug) UNIIs() []string {
	all := d.harmonised(func(h *api.Harmonised) []string { return h.Unii })
	return entity.Once(append(slices.Sorted(maps.Values(d.uniis)), all...))
}

// harmonised returns the values of a harmonised field in all records.
func (d *Drug) harmonised(field func(*api.Harmonised) []string) (all []string) {
	for i := range d.Products {
		all = append(all, field(&d.Products[i].Openfda)...)
	}
	for i := range d.Applications {
		all = append(all, field(&d.Applications[i].Openfda)...)
	}
	for i := range d.Labels {
		all = append(all, field(&d.Labels[i].Openfda)...)
	}
	return all
}

// Brands returns the brands: names of products that are not names of their ingredients.
func (d *Drug) Brands() (brands []string) {
	for _, a := range d.Applications {
		for _, p := range a.Products {
			brands = append(brands, strings.ToUpper(p.BrandName))
		}
	}
	for _, p := range d.Products {
		brands = append(brands, strings.ToUpper(p.BrandName))
	}
	for _, l := range d.Labels {
		for _, brand := range l.Openfda.BrandName {
			brands = append(brands, strings.ToUpper(brand))
		}
	}
	return slices.DeleteFunc(text.Distinct(brands), func(brand string) bool {
		return slices.Contains(d.Ingredients, brand) || slices.Contains(d.Names, Base(brand))
	})
}

// PreferredName returns the name by which a substance is listed.
func PreferredName(s *api.Substance) string {
	name := ""
	for _, n := range s.Names {
		if name == "" || string(n.Preferred) == "true" || string(n.Preferred) == `"true"` {
			name = n.Name
		}
	}
	return name
}

// Application returns the number of an application of the drug, or "".
func (d *Drug) Application() string { return text.FirstNonEmpty(d.numbers("NDA", "BLA", "ANDA")...) }

// Numbers returns the applications for original products, else all.
func (d *Drug) Numbers() []string {
	if numbers := d.numbers("NDA", "BLA"); len(numbers) > 0 {
		return numbers
	}
	return d.numbers("ANDA")
}

// ShowFirst moves an application before the others. Its number may lack the kind of the application.
func (d *Drug) ShowFirst(number string) {
	slices.SortStableFunc(d.Applications, func(a, b api.Application) int {
		is := func(a api.Application) int {
			if strings.HasSuffix(a.ApplicationNumber, number) {
				return 0
			}
			return 1
		}
		return is(a) - is(b)
	})
}
