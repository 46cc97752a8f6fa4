package entrez

import (
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
	names []string // names of this organism alone, the clearest first
}

//go:embed organisms.tsv
var organismTable string

// taxonomy is the table of organisms.
type taxonomy struct {
	all    []organism
	byName map[string][]int // indexes in all, by folded name
}

// organisms is read at first use, so that it does not delay the start of the program.
var organisms = sync.OnceValue(func() taxonomy {
	t := taxonomy{byName: map[string][]int{}}
	for line := range strings.Lines(organismTable) {
		if !strings.HasPrefix(line, "#") {
			t.add(append(strings.Split(strings.TrimRight(line, "\n"), "\t"), "", ""))
		}
	}
	return t
})

// add adds a row: the taxid, the scientific name, earlier scientific names, and common names. A name that ends in ? is one of several
// organisms.
func (t *taxonomy) add(columns []string) {
	id, _ := strconv.Atoi(columns[0])
	o := organism{Taxon: Taxon{ID: id, Name: columns[1]}}
	index := func(name string) {
		if key := entity.Fold(name); !slices.Contains(t.byName[key], len(t.all)) {
			t.byName[key] = append(t.byName[key], len(t.all))
		}
	}
	scientific := append([]string{o.Name}, splitNames(columns[2])...)
	for _, name := range scientific {
		if genus, species, ok := strings.Cut(name, " "); ok && species != "virus" {
			index(genus[:1] + species)
		}
	}
	for _, name := range slices.Concat(splitNames(columns[3]), scientific) {
		index(name)
		if !strings.HasSuffix(name, "?") {
			o.names = append(o.names, name)
		}
	}
	t.all = append(t.all, o)
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
	// empty, the text has no name.
	Candidates []string
	Parts      bool
	All        bool // the text means all organisms, or no restriction
}

func (e *NoOrganism) Error() string { return strconv.Quote(e.Name) + " is not one organism" }

// Organism returns the organism that a text names: a name of the table, a taxid (9606, txid9606, NCBITaxon:9606), or any other name, which
// NCBI looks up. It returns a *NoOrganism for a name that several organisms of the table have, and for several organisms at once.
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
	parts := namedParts(name)
	switch {
	case len(found) == 1:
		return organisms().all[found[0]].Taxon, nil
	case found != nil:
		return Taxon{}, &NoOrganism{Name: name, Candidates: displayNames(found)}
	case parts != nil:
		return Taxon{}, &NoOrganism{Name: name, Candidates: displayNames(parts), Parts: true}
	case !strings.ContainsFunc(name, unicode.IsLetter):
		return Taxon{}, &NoOrganism{Name: name}
	}
	return Taxon{Name: strings.Join(strings.Fields(strings.ReplaceAll(name, "_", " ")), " ")}, nil
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

// displayNames returns the names by which people choose some organisms, at most ten.
func displayNames(found []int) (names []string) {
	for _, i := range found[:min(len(found), 10)] {
		names = append(names, organisms().all[i].names[0])
	}
	return entity.Once(names)
}

// Near returns at most five names of the table that differ from a name by one letter in four at most, the nearest first.
func Near(name string) (names []string) {
	name = entity.Cut(name, 80)
	limit := len(entity.Fold(name)) / 4
	for edits := 0; edits <= limit; edits++ {
		for _, o := range organisms().all {
			i := slices.IndexFunc(o.names, func(known string) bool { return entity.Distance(name, known) == edits })
			if i >= 0 && len(names) < 5 && !slices.Contains(names, o.names[i]) {
				names = append(names, o.names[i])
			}
		}
	}
	return names
}
