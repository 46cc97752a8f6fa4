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

// Taxon is an organism, or a group of them, as Entrez finds it.
type Taxon struct {
	ID   int    // NCBI taxid; 0 where only the name is known
	Name string // scientific; "" where only the taxid is known
}

// Term restricts a search to the taxon and what is below it: txid10090[orgn]
// or "Felis silvestris"[orgn].
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

// organism is a line of the table.
type organism struct {
	Taxon
	earlier []string // scientific names that it had
	common  []string // names that people write, the clearest first
	shared  []string // names that other organisms bear as well
}

// shown is the name that a person would choose it by.
func (o organism) displayName() string {
	if len(o.common) > 0 {
		return o.common[0]
	}
	return o.Name
}

//go:embed organisms.tsv
var organismTable string

// A taxonomy is the table of organisms.
type taxonomy struct {
	all    []organism
	byName map[string][]int // places in all, by folded name
}

// organisms is read at the first question: a start does not pay for it.
var organisms = sync.OnceValue(func() (t taxonomy) {
	t.all, t.byName = readOrganisms(organismTable)
	return t
})

// readOrganisms reads the table. A name leads to all organisms that bear it.
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

// everything are words for all organisms, or for none, folded.
var allOrganisms = []string{"all", "any", "every", "everything", "none", "null", "undefined", "na", "allorganisms", "anyorganism",
	"allspecies", "anyspecies"}

// NoOrganism is the error of a text that is not one organism.
type NoOrganism struct {
	Name string // the text as it was read
	// Bearers are the organisms of the table that bear the name, or where Parts is
	// set, those that its parts name. Without any the name is not known.
	Candidates []string
	Parts      bool
	All        bool // it stands for all organisms, or for none
}

func (e *NoOrganism) Error() string { return strconv.Quote(e.Name) + " is not one organism" }

// Organism reads what people call an organism: a name of the table, a taxid
// (9606, txid9606, NCBITaxon:9606), or any other scientific name, which is
// passed on. Its error is a *NoOrganism: for a name that several organisms of the
// table bear, for several organisms at once, and for one unknown word.
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

// namedParts finds the organisms of a list of names, all of which the table has.
func namedParts(name string) (found []int) {
	parts := severalNames.Split(name, -1)
	if len(parts) < 2 {
		return nil
	}
	for _, part := range parts {
		bearers := withName(part)
		if bearers == nil {
			return nil
		}
		found = append(found, bearers...)
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

// plurals and what they are plurals of.
var plurals = [][2]string{{"mice", "mouse"}, {"ies", "y"}, {"es", ""}, {"s", ""}}

// named finds the organisms of the table that bear a name.
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

// shown returns the names by which a person would choose some organisms, at most
// ten of them.
func displayNames(found []int) (names []string) {
	for _, i := range found[:min(len(found), 10)] {
		if name := organisms().all[i].displayName(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Near lists at most five names of the table that are near to a name: that
// have a word of it, begin as it does, or differ by a few letters; the nearest
// first, one for each organism.
func Near(name string) []string {
	name = entity.Cut(name, 80)
	folded := entity.Fold(name)
	if folded == "" {
		return nil
	}
	type near struct {
		name string
		far  int
	}
	var all []near
	limit := max(1, len(folded)/4)
	for _, o := range organisms().all {
		best := near{far: limit + 1}
		for _, n := range slices.Concat(o.common, []string{o.Name}, o.earlier, o.shared) {
			far := entity.Distance(folded, n)
			if far > limit && similar(name, n) {
				far = limit
			}
			if far < best.far {
				best = near{n, far}
			}
		}
		if best.far <= limit {
			all = append(all, best)
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(a.far, b.far) })
	var names []string
	for _, n := range all {
		if len(names) < 5 && !slices.Contains(names, n.name) {
			names = append(names, n.name)
		}
	}
	return names
}

// related tells whether one name begins as the other or they have a word in
// common.
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
