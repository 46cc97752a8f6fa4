package mirror

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
)

// TestRandomSearches: the mirror answers random searches of random records as the sandbox does, also while a sync runs.
// BIOFACT_MIRROR_ROUNDS is the number of rounds; a failure shows the seed of its round, which BIOFACT_MIRROR_SEED repeats.
func TestRandomSearches(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	seed, rounds := setting(t, "BIOFACT_MIRROR_SEED", 1), setting(t, "BIOFACT_MIRROR_ROUNDS", 2)
	for round := range rounds {
		searchAtRandom(t, uint64(seed+round))
	}
}

// setting returns the number in an environment variable, or another one if it is not set.
func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	expect.NoError(t, err)
	return n
}

// searchAtRandom compares some searches of one mirror. Every second one has odd records.
func searchAtRandom(t *testing.T, seed uint64) {
	t.Helper()
	s := source{rand.New(rand.NewPCG(seed, 0)), seed%2 == 0}
	records, before, gone := s.studies()
	if s.chance(2) {
		before, gone = records, nil
	}
	r := fill(t, before)
	searchAll(t, seed, s, r, before, 50)
	if gone != nil {
		change(t, r, records, gone)
		searchAll(t, seed, s, r, records, 150)
	}
}

// searchAll compares some searches of a mirror that has some records.
func searchAll(t *testing.T, seed uint64, s source, r *Reader, records [][]byte, searches int) {
	t.Helper()
	oracle := sandboxOf(t, records)
	for range searches {
		search := s.search()
		if difference := compareSearch(t, r, oracle, search); difference != "" {
			t.Fatalf("seed %d: advanced %s, queries %s, (-sandbox +mirror)\n%s", seed, show(search.Advanced),
				show(query.And(search.Queries)), difference)
		}
		pieces := []string{pick(s, grouped...).piece, pick(s, grouped...).piece}
		if difference := compareGroups(t, r, oracle, search, pieces); difference != "" {
			t.Fatalf("seed %d: groups %v of %s, (-sandbox +mirror)\n%s", seed, pieces, show(search.Advanced), difference)
		}
	}
}

// compareSearch returns the difference between the answers to a search.
func compareSearch(t *testing.T, r *Reader, oracle *query.Studies, search *query.Search) string {
	t.Helper()
	want, got, err := searchBoth(t, r, oracle, search)
	if err != nil {
		return err.Error()
	}
	studies := func(p *query.Page) []map[string]any {
		all := studiesOf(t, p)
		if len(search.Sort) == 0 || search.Sort[0].Piece == nil { // any order, or another relevance
			slices.SortFunc(all, func(a, b map[string]any) int {
				return cmp.Compare(query.First(a, "NCTId"), query.First(b, "NCTId"))
			})
		}
		return all
	}
	if diff := gocmp.Diff(studies(want), studies(got)); diff != "" {
		return diff
	}
	want.Studies, got.Studies = nil, nil
	return gocmp.Diff(want, got)
}

// grouped are the columns that Groups counts.
var grouped = slices.DeleteFunc(slices.Clone(columns), func(c column) bool { return !c.isList() })

// groupValues returns the values of a study by which Groups counts a piece.
func groupValues(study map[string]any, piece string) []string {
	c := grouped[slices.IndexFunc(grouped, func(c column) bool { return c.piece == piece })]
	return slices.DeleteFunc(listed(c, query.Values(study, piece)), func(text string) bool { return text == "" })
}

// compareGroups returns the difference between the groups of a search by their values of some pieces.
func compareGroups(t *testing.T, r *Reader, oracle *query.Studies, search *query.Search, pieces []string) string {
	t.Helper()
	all := *search
	all.Fields, all.Sort, all.PageSize, all.Offset = nil, nil, 1000, 0
	page, err := oracle.Search(t.Context(), &all)
	expect.NoError(t, err)
	want, got := map[string]int{}, map[string]int{}
	for _, study := range studiesOf(t, page) {
		var values [][]string
		for _, piece := range pieces {
			values = append(values, groupValues(study, piece))
		}
		want[fmt.Sprintf("%q", values)]++
	}
	groups, ok, err := r.Groups(t.Context(), search, pieces)
	expect.NoError(t, err)
	expect.Must(t, ok, "no groups by %v", pieces)
	for _, g := range groups.Groups {
		got[fmt.Sprintf("%q", g.Values)] += g.Count
	}
	expect.Is(t, groups.Total, len(page.Studies), "total")
	return gocmp.Diff(want, got)
}

// change writes records to a complete mirror and removes others, as a sync does before its end.
func change(t *testing.T, r *Reader, records [][]byte, gone []int64) {
	t.Helper()
	db, err := openWriter(t.Context(), r.path)
	expect.NoError(t, err)
	bytes, err := readMeta[[]byte](t.Context(), db, keyDictionary)
	expect.NoError(t, err)
	w, err := newWriter(t.Context(), db)
	expect.NoError(t, err)
	w.packer, err = stored.NewPacker(bytes)
	expect.NoError(t, err)
	expect.NoError(t, w.begin(t.Context()))
	put(t, w, records)
	for _, id := range gone {
		expect.NoError(t, w.drop(t.Context(), id, 0))
	}
	expect.NoError(t, w.commit(t.Context()))
	expect.NoError(t, w.close())
	expect.NoError(t, db.Close())
}

// show returns a node as text, with the names of its pieces.
func show(n query.Node) string {
	list := func(nodes []query.Node) (out string) {
		for _, n := range nodes {
			out += " " + show(n)
		}
		return out
	}
	switch n := n.(type) {
	case query.And:
		return "(and" + list(n) + ")"
	case query.Or:
		return "(or" + list(n) + ")"
	case query.Not:
		return "(not " + show(n.Node) + ")"
	case query.OneSite:
		return "(site " + show(n.Node) + ")"
	case query.Term:
		return fmt.Sprintf("%s:%q phrase %t full %t", n.Area.Name, n.Words, n.Phrase, n.FullMatch)
	case query.Missing:
		return n.Piece.Name + ":missing"
	case query.Value:
		return n.Piece.Name + ":" + n.Text
	case query.Count:
		return fmt.Sprintf("%s:size %d", n.Piece.Name, n.N)
	case query.DateRange:
		return fmt.Sprintf("%s:[%s,%s]", n.Piece.Name, n.From, n.To)
	case query.NumberRange:
		return fmt.Sprintf("%s:[%v,%v]", n.Piece.Name, n.From, n.To)
	case query.Within:
		return fmt.Sprintf("%s:%v %v km", n.Piece.Name, n.From, n.Kilometres)
	}
	return fmt.Sprintf("%T", n)
}

// TestReadsResults: a check of candidates reads posted results if and only if a condition is on them.
func TestReadsResults(t *testing.T) {
	t.Parallel()
	s := source{Rand: rand.New(rand.NewPCG(1, 1))}
	for _, p := range leaves {
		for _, n := range []query.Node{s.conditionOn(p), query.Missing{Piece: p}, query.Count{Piece: p, N: 2}} {
			n = query.And{query.Not{Node: query.Or{n}}}
			expect.Is(t, query.ReadsResults(n), p.Path[0] == stored.ResultsKey, "%s: posted results are read", show(n))
		}
	}
}

// TestLargeExpressions: expressions that are too deep or too long for SQLite find what the sandbox finds.
func TestLargeExpressions(t *testing.T) {
	t.Parallel()
	s := source{Rand: rand.New(rand.NewPCG(1, 2))}
	records, _, _ := s.studies()
	r, oracle := fill(t, records), sandboxOf(t, records)
	for _, expression := range []string{
		strings.Repeat("(heart AND (stroke OR ", 31) + "attack" + strings.Repeat("))", 31),
		strings.Repeat("(heart OR NOT (stroke AND ", 31) + "attack" + strings.Repeat("))", 31),
		strings.Repeat("(heart OR (stroke NOT ", 31) + "attack" + strings.Repeat("))", 31),
		"SEARCH[Location](AREA[LocationStatus]RECRUITING AND (AREA[LocationCity]Paris" +
			strings.Repeat(" OR AREA[LocationCity]Boston", 600) + "))",
	} {
		n, err := query.Parse(expression, query.AreaNamed("BasicSearch"))
		expect.NoError(t, err)
		relevance := []query.SortKey{{Descending: true}}
		for _, search := range []*query.Search{{Advanced: n}, {Queries: []query.Node{n}, Sort: relevance}} {
			search.PageSize, search.CountTotal = 1000, true
			expect.Is(t, compareSearch(t, r, oracle, search), "", "%.60s: (-sandbox +mirror)", expression)
		}
	}
}

// TestNoListOfSites: a record whose sites are no list has no sites.
func TestNoListOfSites(t *testing.T) {
	t.Parallel()
	s, err := readStudy([]byte(`{"protocolSection":{"identificationModule":{"nctId":"NCT90000001"},
		"contactsLocationsModule":{"locations":{"city":"Bergen"}}}}`))
	expect.NoError(t, err)
	expect.NoError(t, s.decode())
	expect.Is(t, len(s.sites), 0, "sites")
}
