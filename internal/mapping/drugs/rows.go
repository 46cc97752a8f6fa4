package drugs

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// maxBrands limits the brands of a candidate.
const maxBrands = 5

// Candidates returns a row for each drug, the best first. names are the spellings of the name that was searched; without names the drugs
// keep their order.
func Candidates(drugs []*Drug, names []string) (rows []entity.DrugSearchCandidate) {
	type ranked struct {
		drug    *Drug
		tier    int
		matched string
	}
	var all []ranked
	for _, d := range drugs {
		r := ranked{drug: d}
		r.tier, r.matched = d.match(names)
		all = append(all, r)
	}
	if names != nil {
		slices.SortStableFunc(all, func(a, b ranked) int {
			return cmp.Or(cmp.Compare(b.tier, a.tier), cmp.Compare(len(a.drug.Names), len(b.drug.Names)),
				cmp.Compare(a.drug.rank(), b.drug.rank()), cmp.Compare(len(b.drug.Applications), len(a.drug.Applications)),
				cmp.Compare(strings.Join(a.drug.Names, " "), strings.Join(b.drug.Names, " ")), cmp.Compare(a.drug.ID(), b.drug.ID()))
		})
	}
	for _, r := range all {
		row := r.drug.candidate()
		row.Matched, row.Score = r.matched, Score(len(rows))
		if row.ID != "" && row.Name != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

// Score returns the score of the row at a position.
func Score(position int) float64 { return math.Round(1e4/(1+float64(position)/20)) / 1e4 }

// exact is the tier of a drug of which a name is the searched one.
const exact = 2

// HasExact reports whether a name of one of the drugs is the searched one.
func HasExact(drugs []*Drug, names []string) bool {
	return slices.ContainsFunc(drugs, func(d *Drug) bool {
		tier, _ := d.match(names)
		return tier == exact
	})
}

// match returns how well the names of a drug match the searched ones, and the name that matches best.
func (d *Drug) match(names []string) (tier int, matched string) {
	candidates := slices.Concat(d.Brands(), d.Names, d.Ingredients)
	for i := range d.Substances {
		for _, n := range d.Substances[i].Names {
			candidates = append(candidates, n.Name)
		}
	}
	for _, have := range candidates {
		for _, name := range names {
			fold, want := entity.Fold(have), entity.Fold(name)
			switch {
			case fold == "" || want == "":
			case fold == want || len(d.Names) == 1 && have == d.Names[0] && Base(name) == have:
				return exact, have
			case tier == 0 && (strings.Contains(fold, want) || strings.Contains(want, fold)):
				tier, matched = 1, have
			}
		}
	}
	return tier, matched
}

func (d *Drug) rank() int {
	return slices.Index([]string{"original", "biosimilar", "generic", ""}, d.Kind)
}

func (d *Drug) candidate() entity.DrugSearchCandidate {
	brands := d.Brands()
	return entity.DrugSearchCandidate{
		ID: d.ID(), Name: d.name(), Ingredients: d.ingredients(), Combination: len(d.Names) > 1,
		Brands: brands[:min(maxBrands, len(brands))], Approval: d.approval(), KindComputed: d.Kind, FirstApproved: d.firstApproved(),
		Applications: len(d.numbers("NDA", "BLA", "ANDA")), Labels: len(d.SetIDs()),
	}
}

// name returns the substances; a biosimilar has its suffix. A record without substances has its id.
func (d *Drug) name() string {
	if d.Kind == "biosimilar" && len(d.Names) == 1 {
		return d.Ingredients[0]
	}
	return cmp.Or(strings.Join(d.Names, "; "), d.ID())
}

func (d *Drug) ingredients() (out []entity.DrugIngredient) {
	for _, name := range d.Ingredients {
		i := entity.DrugIngredient{Name: name}
		if id := d.uniis[name]; id != "" {
			i.ID = uniiPrefix + id
		}
		out = append(out, i)
	}
	return out
}

// approval returns the way in which the drug came to the market.
func (d *Drug) approval() string {
	tentative := map[string]bool{}
	for i := range d.Applications {
		a := &d.Applications[i]
		tentative[a.ApplicationNumber] = Approved(a) == "" && len(a.Submissions) > 0
	}
	for _, kind := range []string{"BLA", "NDA", "ANDA"} {
		if slices.ContainsFunc(d.numbers(kind), func(number string) bool { return !tentative[number] }) {
			return kind
		}
	}
	for _, p := range d.Products {
		switch category := strings.ToUpper(p.MarketingCategory); {
		case strings.Contains(category, "MONOGRAPH"):
			return "monograph"
		case strings.Contains(category, "UNAPPROVED"):
			return "unapproved"
		}
	}
	return ""
}
