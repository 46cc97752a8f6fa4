package ncbi

import (
	_ "embed"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/reply"
)

// meshTable has one term per line: uid, id, kind, names, note, year, positions in the tree (number, parent, children) and the headings that
// the term is mapped to.
//
//go:embed mesh.tsv
var meshTable string

// meshTerm is a term of MeSH.
type meshTerm struct {
	uid        uint64
	id, kind   string
	names      []string
	note, year string
	places     [][]string
	mapped     []string
}

// mesh is the database mesh.
type mesh []meshTerm

func readMesh() (mesh, error) {
	var all mesh
	for line := range strings.Lines(meshTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		uid, err := strconv.ParseUint(c[0], 10, 64)
		if err != nil {
			return nil, err
		}
		t := meshTerm{uid: uid, id: c[1], kind: c[2], names: strings.Split(c[3], "|"), note: c[4], year: c[5]}
		for place := range strings.SplitSeq(c[6], "|") {
			if place != "" {
				t.places = append(t.places, strings.Split(place, ","))
			}
		}
		if c[7] != "" {
			t.mapped = strings.Split(c[7], ",")
		}
		all = append(all, t)
	}
	return all, nil
}

func (m mesh) info() databaseInfo {
	return databaseInfo{name: "mesh", menuName: "MeSH", description: "MeSH Database", count: len(m)}
}

// field returns the fields of names and of ids. Without a tag, tree numbers also match.
func (m mesh) field(tag string) (searchField, bool) {
	switch tag {
	case "", "all", "mesh terms", "mesh":
		return searchField{name: "All Fields", find: func(t term) (hits, string) { return m.matching(t, false), "" }}, true
	case "mesh unique id", "uid", "mhui":
		return searchField{name: "MeSH Unique ID", find: func(t term) (hits, string) { return m.matching(t, true), "" }}, true
	}
	return searchField{}, false
}

func (m mesh) matching(query term, byID bool) hits {
	found := hits{}
	for _, t := range m {
		isPlace := func(place []string) bool { return strings.EqualFold(place[0], query.text) }
		hasWords := func(name string) bool {
			words := queryWords(name)
			return !slices.ContainsFunc(query.words, func(w string) bool { return !slices.Contains(words, w) })
		}
		if byID && strings.EqualFold(t.id, query.text) ||
			!byID && (slices.ContainsFunc(t.places, isPlace) || slices.ContainsFunc(t.names, hasWords)) {
			found[t.uid] = 1
		}
	}
	return found
}

// all returns no records, because the terms are not records of the data folder.
func (mesh) all() hits { return hits{} }

// order sorts by descending uid. As at NCBI, the exact heading is not first.
func (mesh) order(found hits, _ string) []uint64 {
	return slices.SortedFunc(maps.Keys(found), newestFirst)
}

func (m mesh) summary(uid uint64) (object, bool) {
	i := slices.IndexFunc(m, func(t meshTerm) bool { return t.uid == uid })
	if i < 0 {
		return nil, false
	}
	t := m[i]
	links := []object{}
	for _, place := range t.places {
		links = append(links, object{{"parent", number(place[1])}, {"treenum", place[0]}, {"children", mapSlice(place[2:], number)}})
	}
	return object{
		{"uid", decimal(uid)}, {"ds_meshui", t.id}, {"ds_recordtype", t.kind}, {"ds_meshterms", t.names}, {"ds_scopenote", t.note},
		{"ds_yearintroduced", t.year}, {"ds_idxlinks", links}, {"ds_headingmappedtolist", nonNil(t.mapped)},
	}, true
}

func number(text string) int {
	n, _ := strconv.Atoi(text) // the table has valid numbers
	return n
}

func (mesh) fetch(_ []uint64, f form) (reply.Reply, error) { return reply.Reply{}, f.notServed() }

func (mesh) links(uint64, string) ([]link, error) { return nil, notServed("links of mesh") }
