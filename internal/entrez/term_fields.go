package entrez

import (
	"cmp"
	_ "embed" // the tables of fields
	"slices"
	"strings"
	"sync"

	"github.com/agnivade/levenshtein"

	"github.com/biofact-mcp/biofact/internal/entity"
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
	ranges bool // 2020:2023[pdat]
	narrow bool // [mh:noexp]
}

// GeneFields returns the tags of db=gene: those of its einfo, and the short and long forms of the Gene help (NBK3841). Its example
// adh*[sym] shows that three letters may be truncated.
func GeneFields() Fields { return geneFields() }

// Each line is a field: its names, then its options.
//
//go:embed fields_gene.txt
var geneFieldLines string

var geneFields = sync.OnceValue(func() Fields { return readFields(3, geneFieldLines) })

func readFields(shortest int, lines string) Fields {
	f := Fields{shortest: shortest, fields: map[string]field{}}
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		names, extra, _ := strings.Cut(strings.TrimSpace(line), " :")
		for name := range strings.SplitSeq(names, ", ") {
			f.names = append(f.names, name)
			f.fields[name] = field{ranges: extra == "range", narrow: extra == "noexp"}
		}
	}
	return f
}

// find looks up a tag: the name of a field in any case, with or without :noexp.
func (f Fields) find(tag string) (field, bool) {
	name, suffix, more := strings.Cut(strings.ToLower(tag), ":")
	found, ok := f.fields[strings.TrimSpace(name)]
	suffix = strings.TrimSpace(suffix)
	return found, ok && (!more || found.narrow && suffix == "noexp")
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
