package genes

import (
	"slices"
	"strconv"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
)

// geneRows are the rows of one page of a search.
type geneRows struct {
	ids       []string // in rank order
	at        []int    // upstream row from which a page continues at each id
	summaries map[string]*ncbi.GeneSummary
	tiers     map[string]int
	next      int              // next upstream row
	ranked    []string         // the genes before all others
	lists     map[int][]string // the ids that upstream returned, by their first row, which is a multiple of listRows
	total     int
	found     *entrez.Search
}

// listBefore returns the first row of the list that has the row before a row: a change before a row moves it.
func listBefore(row int) int { return max(0, row-1) / listRows * listRows }

// before returns a checksum of the genes before an upstream row, as far as they are known.
func (r *geneRows) before(row int) string {
	list := r.lists[listBefore(row)]
	return envelope.Checksum(slices.Concat([]string{strconv.Itoa(r.total)}, r.ranked, list[:min(row-listBefore(row), len(list))])...)
}

// find returns the upstream row at which a page continues. If the genes before it have changed, it moves the position after the last gene
// of the previous page.
func (r *geneRows) find(at *envelope.Cursor, notes *entity.Notes) int {
	from, _ := strconv.Atoi(at.Token) // the first page has no token
	from = min(max(0, from), envelope.MaxRows)
	if at.Data == "" || at.Data == r.before(from) {
		return from
	}
	notes.Add(at.Changed())
	if i := slices.Index(r.ranked, at.Last); i >= 0 {
		at.Seen = i + 1
		return 0
	}
	first, was := listBefore(from), from
	if i := slices.Index(r.lists[first], at.Last); i >= 0 {
		from = first + i + 1
	} else if at.Total != nil {
		from = max(first, from-max(0, *at.Total-r.total))
	}
	at.Seen = max(0, at.Seen+from-was)
	return from
}

// tier returns how well a gene matches: 0 by symbol, 1 by alias, 2 otherwise.
func (r *geneRows) tier(id string) int {
	if t, ok := r.tiers[id]; ok {
		return t
	}
	return 2
}
