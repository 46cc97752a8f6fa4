package entrez

import (
	"cmp"
	_ "embed" // the tables of fields
	"slices"
	"strings"
	"sync"

	"github.com/agnivade/levenshtein"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// Fields are the field tags of a database and its minimum length for truncation. An unknown tag must not be sent, because NCBI then
// broadens the search without an error.
type Fields struct {
	names    []string // spelled as in the table, for hints
	fields   map[string]field
	shortest int // letters that must precede a *
}

// field has the options of a field besides searching for words.
type field struct {
	ranges   bool // 2020:2023[pdat]
	narrow   bool // [mh:noexp]
	distance bool // "a b"[tiab:~3]
}

// GeneFields returns the tags of db=gene: those of its einfo, and the short and long forms of the Gene help (NBK3841). Its example
// adh*[sym] shows that three letters may be truncated.
func GeneFields() Fields { return geneFields() }

// PubMedFields returns the tags of db=pubmed: those of its einfo, and the short and long forms of the PubMed help, which requires four
// letters before a *.
func PubMedFields() Fields { return pubMedFields() }

// Each line is a field: its names, then its options.
var (
	//go:embed fields_gene.txt
	geneFieldLines string
	//go:embed fields_pubmed.txt
	pubmedFieldLines string
)

var geneFields = sync.OnceValue(func() Fields { return readFields(3, geneFieldLines) })

var pubMedFields = sync.OnceValue(func() Fields { return readFields(4, pubmedFieldLines) })

func readFields(shortest int, lines string) Fields {
	f := Fields{shortest: shortest, fields: map[string]field{}}
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		names, extra, _ := strings.Cut(strings.TrimSpace(line), " :")
		for name := range strings.SplitSeq(names, ", ") {
			f.names = append(f.names, name)
			f.fields[name] = field{ranges: extra == "range", narrow: extra == "noexp", distance: extra == "near"}
		}
	}
	return f
}

var distance = lazyregexp.New(`^~[0-9]{1,4}$`)

// find looks up a tag: the name of a field in any case, with or without :noexp or, for a phrase of PubMed, :~N.
func (f Fields) find(tag string) (field, bool) {
	name, suffix, more := strings.Cut(strings.ToLower(tag), ":")
	found, ok := f.fields[strings.TrimSpace(name)]
	suffix = strings.TrimSpace(suffix)
	return found, ok && (!more || found.narrow && suffix == "noexp" || found.distance && distance.MatchString(suffix))
}

// near returns similar tags, the nearest first.
func (f Fields) near(tag string) []string {
	name, _, _ := strings.Cut(tag, ":")
	target := entity.Fold(name)
	type near struct {
		name  string
		edits int
	}
	var all []near
	for _, known := range f.names {
		folded := entity.Fold(known)
		edits, limit := levenshtein.ComputeDistance(target, folded), max(1, (len(target)+1)/3)
		if len(target) > 2 && strings.Contains(folded, target) {
			edits = min(edits, limit)
		}
		if edits <= limit {
			all = append(all, near{"[" + known + "]", edits})
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(a.edits, b.edits) })
	var names []string
	for _, n := range all[:min(3, len(all))] {
		names = append(names, n.name)
	}
	return names
}
