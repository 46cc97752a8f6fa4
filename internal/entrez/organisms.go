package entrez

import (
	"cmp"
	_ "embed" // the table of organisms
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A Taxon is an organism or a group of organisms, as Entrez searches for it.
type Taxon struct {
	ID   int    // NCBI taxid; 0 if only the name is known
	Name string // scientific name; "" if only the taxid is known
}

// Term returns the expression that restricts a search to the taxon and its descendants: txid10090[orgn] or "Felis silvestris"[orgn].
func (o Taxon) Term() string {
	if o.ID > 0 {
		return "txid" + strconv.Itoa(o.ID) + "[orgn]"
	}
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune(".-'/", r) {
			return r
		}
		return ' '
	}, o.Name)
	return `"` + strings.Join(strings.Fields(name), " ") + `"[orgn]`
}

// organism is a row of the table.
type organism struct {
	Taxon
	earlier []string // earlier scientific names
	common  []string // common names, the clearest first
	shared  []string // names that other organisms also have
}

// displayName returns the name by which a person would choose the organism.
func (o organism) displayName() string {
	if len(o.common) > 0 {
		return o.common[0]
	}
	return o.Name
}

//go:embed organisms.tsv
var organismTable string

// taxonomy is the table of organisms.
type taxonomy struct {
	all    []organism
	byName map[string][]int // indexes in all, by folded name
}

// organisms is read at first use, so that it does not delay the start of the program.
var organisms = sync.OnceValue(func() (t taxonomy) {
	t.all, t.byName = readOrganisms(organismTable)
	return t
})

func readOrganisms(table string) (all []organism, byName map[string][]int) {
	byName = map[string][]int{}
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := append(strings.Split(strings.TrimRight(line, "\n"), "\t"), "", "")
		id, _ := strconv.Atoi(columns[0])
		o := organism{Taxon: Taxon{ID: id, Name: columns[1]}, earlier: splitNames(columns[2])}
		add := func(name string) {
			if key := entity.Fold(name); !slices.Contains(byName[key], len(all)) {
				byName[key] = append(byName[key], len(all))
			}
		}
		for _, name := range append([]string{o.Name}, o.earlier...) {
			add(name)
			if genus, species, ok := strings.Cut(name, " "); ok && species != "virus" {
				add(genus[:1] + species)
			}
		}
		for _, name := range splitNames(columns[3]) {
			add(name)
			if shared, ok := strings.CutSuffix(name, "?"); ok {
				o.shared = append(o.shared, shared)
			} else {
				o.common = append(o.common, name)
			}
		}
		all = append(all, o)
	}
	return all, byName
}

func splitNames(names string) []string {
	if names == "" {
		return nil
	}
	return strings.Split(names, " | ")
}

var (
	taxid        = lazyregexp.New(`(?i)^(?:ncbi[ :_]*)?(?:txid|tax[ _]?id|taxon(?:omy)?(?:[ _]?id)?)?[ :_]*0*([1-9][0-9]{0,8})$`)
	organismTag  = lazyregexp.New(`(?i)\s*\[\s*(?:orgn|organism|porgn|org)(?:\s*:\s*(?:no)?exp)?\s*\]$`)
	inBrackets   = lazyregexp.New(`\s*\([^()]*\)$`)
	severalNames = lazyregexp.New(`(?i)\s*[,;/|&+]\s*|\s+(?:and|or)\s+`)
)

// allOrganisms are words that mean all organisms or no restriction, folded.
var allOrganisms = []string{"all", "any", "every", "everything", "none", "null", "undefined", "na", "allorganisms", "anyorganism",
	"allspecies", "anyspecies"}

// NoOrganism is the error for a text that does not name exactly one organism.
type NoOrganism struct {
	Name string // the text as it was read
	// Candidates are the organisms of the table that have the name or, if Parts is set, those that the parts of the name mean. If it is
	// empty, the name is unknown.
	Candidates []string
	Parts      bool
	All        bool // the text means all organisms, or no restriction
}

func (e *NoOrganism) Error() string { return strconv.Quote(e.Name) + " is not one organism" }

// Organism returns the organism that a text names: a name of the table, a taxid (9606, txid9606, NCBITaxon:9606), or another scientific
// name, which is passed on unchanged. It returns a *NoOrganism for a name that several organisms of the table have, for several organisms
// at once, and for a single unknown word.
func Organism(text string) (o Taxon, err error) {
	name := strings.TrimSpace(strings.ReplaceAll(organismTag.ReplaceAllString(strings.TrimSpace(entity.Clean(text)), ""), `"`, " "))
	if m := taxid.FindStringSubmatch(name); m != nil {
		id, _ := strconv.Atoi(m[1])
		return taxon(id), nil
	}
	if slices.Contains(allOrganisms, entity.Fold(name)) {
		return Taxon{}, &NoOrganism{Name: name, All: true}
	}
	found := withName(name)
	if found == nil {
		found = withName(inBrackets.ReplaceAllString(name, "")) // Mus musculus (house mouse)
	}
	if len(found) == 1 {
		return organisms().all[found[0]].Taxon, nil
	}
	if found != nil {
		return Taxon{}, &NoOrganism{Name: name, Candidates: displayNames(found)}
	}
	if parts := namedParts(name); parts != nil {
		return Taxon{}, &NoOrganism{Name: name, Candidates: displayNames(parts), Parts: true}
	}
	words := strings.Fields(strings.ReplaceAll(name, "_", " "))
	if len(slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !strings.ContainsFunc(word, unicode.IsLetter) })) >= 2 {
		return Taxon{Name: strings.Join(words, " ")}, nil
	}
	return Taxon{}, &NoOrganism{Name: name}
}

// namedParts returns the organisms of a list of names, or nil if the table does not have all of the names.
func namedParts(name string) (found []int) {
	parts := severalNames.Split(name, -1)
	if len(parts) < 2 {
		return nil
	}
	for _, part := range parts {
		matching := withName(part)
		if matching == nil {
			return nil
		}
		found = append(found, matching...)
	}
	return found
}

func taxon(id int) Taxon {
	for _, o := range organisms().all {
		if o.ID == id {
			return o.Taxon
		}
	}
	return Taxon{ID: id}
}

// plurals are endings of plurals and the endings of their singulars.
var plurals = [][2]string{{"mice", "mouse"}, {"ies", "y"}, {"es", ""}, {"s", ""}}

// withName returns the organisms of the table that have a name.
func withName(name string) []int {
	key := entity.Fold(name)
	if found := organisms().byName[key]; found != nil {
		return found
	}
	for _, p := range plurals {
		if stem, ok := strings.CutSuffix(key, p[0]); ok {
			if found := organisms().byName[stem+p[1]]; found != nil {
				return found
			}
		}
	}
	return nil
}

// displayNames returns the display names of at most ten organisms.
func displayNames(found []int) (names []string) {
	for _, i := range found[:min(len(found), 10)] {
		if name := organisms().all[i].displayName(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Near returns at most five names of the table that are similar to a name: they have a word in common, begin alike, or differ by a few
// letters. The nearest is first, and each organism occurs once.
func Near(name string) []string {
	name = entity.Cut(name, 80)
	folded := entity.Fold(name)
	if folded == "" {
		return nil
	}
	type near struct {
		name  string
		edits int
	}
	var all []near
	limit := max(1, len(folded)/4)
	for _, o := range organisms().all {
		best := near{edits: limit + 1}
		for _, n := range slices.Concat(o.common, []string{o.Name}, o.earlier, o.shared) {
			edits := entity.Distance(folded, n)
			if edits > limit && similar(name, n) {
				edits = limit
			}
			if edits < best.edits {
				best = near{n, edits}
			}
		}
		if best.edits <= limit {
			all = append(all, best)
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(a.edits, b.edits) })
	var names []string
	for _, n := range all {
		if len(names) < 5 && !slices.Contains(names, n.name) {
			names = append(names, n.name)
		}
	}
	return names
}

// similar reports whether one name begins with the other or they have a word in common.
func similar(name, known string) bool {
	a, b := entity.Fold(name), entity.Fold(known)
	if len(a) > 2 && strings.HasPrefix(b, a) || len(b) > 3 && strings.HasPrefix(a, b) {
		return true
	}
	for word := range strings.FieldsSeq(name) {
		word = entity.Fold(word)
		if len(word) > 3 && word != "virus" &&
			slices.ContainsFunc(strings.Fields(known), func(w string) bool { return entity.Fold(w) == word }) {
			return true
		}
	}
	return false
}
