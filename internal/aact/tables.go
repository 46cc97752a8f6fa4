// Package aact describes the registry as the tables of AACT and makes their rows from the records of the registry. It knows no file, no
// query and no request.
package aact

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed tables.txt
var description string

// A Table is a table of AACT, or a further one.
type Table struct {
	Name string
	// Note says what a reader must know.
	Note string
	// Empty says why the table has no rows; "": it has some.
	Empty   string
	Columns []Column
	// Made says what makes the rows of a table that is not one of AACT's; "": the places of the record that its columns name.
	Made string

	number  int
	sources []source
}

// Column returns the index of a column, or -1.
func (t *Table) Column(name string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
}

// Roots returns the places of the record whose elements make its rows.
func (t *Table) Roots() (roots []string) {
	if t.Made != "" {
		return []string{t.Made}
	}
	for _, s := range t.sources {
		roots = append(roots, cmp.Or(strings.Join(s.path(), "."), "the record"))
	}
	return roots
}

// OfPeople reports whether its rows are contacts of people, which a mirror without a sync for 30 days does not show.
func (t *Table) OfPeople() bool {
	return slices.ContainsFunc(t.sources, func(s source) bool {
		path := s.path()
		return len(path) > 0 && (path[len(path)-1] == "contacts" || path[len(path)-1] == "centralContacts")
	})
}

// A Reference says that a column has the ids of a table.
type Reference struct{ Column, Table string }

// References returns the references of a table, but that of nct_id.
func (t *Table) References() (all []Reference) {
	for _, s := range t.sources {
		for _, f := range s.columns {
			if r := (Reference{t.Columns[f.column].Name, f.parent}); f.parent != "" && !slices.Contains(all, r) {
				all = append(all, r)
			}
		}
	}
	return all
}

// A Column is a column of a table.
type Column struct {
	Name string
	// Type is its type in PostgreSQL.
	Type string
	Kind Kind
	// Repeats says that the values of rows beside each other are copies of one value of the record.
	Repeats bool
	// From lists the places of the record that fill it, with their rules; none: it is never filled.
	From []string
}

// A Kind is how a value is stored.
type Kind int

// The kinds of values: string, int64 of 32 and of 64 bits, float64, bool, and two kinds of string: 2024-01-31, and a time.
const (
	Text Kind = iota
	Int
	Long
	Real
	Bool
	Date
	Time
)

// kindOf returns the kind of a type of PostgreSQL.
func kindOf(name string) Kind {
	for prefix, kind := range map[string]Kind{
		"integer": Int, "bigint": Long, "numeric": Real, "double": Real, "boolean": Bool, "date": Date, "timestamp": Time,
	} {
		if strings.HasPrefix(name, prefix) {
			return kind
		}
	}
	return Text
}

// A source is one source of rows of a table.
type source struct {
	root    []string // keys of an object, or of an array
	below   []string // each goes down into an array of the element
	only    string   // the kind of contact; "": all
	unique  bool
	columns []filler
}

// A filler names the value of a column.
type filler struct {
	column   int
	constant string // with quoted
	quoted   bool
	ups      int
	keys     []string
	rule     rule
	parent   string // the table whose id it is
	arg      string
}

// rulesVersion changes with the code that makes rows.
const rulesVersion = "1"

// Version identifies the tables and the rules that fill them. Rows of another version are not those that Of returns.
func Version() string {
	sum := sha256.Sum256([]byte(description))
	return rulesVersion + "-" + hex.EncodeToString(sum[:6])
}

// All returns the tables in the order of their names.
var All = sync.OnceValue(func() []*Table {
	all, err := parse(description)
	if err != nil {
		panic("tables.txt: " + err.Error()) // a test reads it
	}
	return all
})

// Named returns the table of a name, or nil.
func Named(name string) *Table {
	i := slices.IndexFunc(All(), func(t *Table) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return All()[i]
}

// parse reads a description.
func parse(text string) (all []*Table, err error) {
	var t *Table
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || word[0] == '#':
		case word == "table":
			t = &Table{Name: rest, number: len(all)}
			all = append(all, t)
		case t == nil:
			err = fmt.Errorf("%q is in no table", line)
		case word == "note:":
			t.Note = rest
		case word == "empty:":
			t.Empty = rest
		case word == "made:":
			t.Made = rest
		case word == "column":
			name, kind, _ := strings.Cut(rest, " ")
			c := Column{Name: name, Kind: kindOf(kind)}
			if c.Type, c.Repeats = strings.CutSuffix(kind, " repeats"); t.Made != "" {
				c.From = []string{strings.TrimPrefix(t.Name, "biofact_") + "." + name}
			}
			t.Columns = append(t.Columns, c)
		case word == "from":
			t.sources = append(t.sources, readSource(rest))
		default:
			err = t.fill(word, rest)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	for _, t := range all {
		t.ids()
	}
	return all, nil
}

// ids describes the columns that no line of the description names.
func (t *Table) ids() {
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Name == "id" {
			c.Kind = Long
		}
		if c.Kind == Long { // ids exceed the integers of AACT
			c.Type = "bigint"
		}
	}
	if i := t.Column("id"); i >= 0 {
		if t.Empty == "" {
			t.Columns[i].From = []string{"the trial and the place of the row"}
		}
	}
	if i := t.Column("nct_id"); i >= 0 && t.Empty == "" && t.Made == "" {
		t.Columns[i].From = []string{"protocolSection.identificationModule.nctId"}
	}
}

// readSource reads the line of a source of rows.
func readSource(text string) (s source) {
	text, s.unique = strings.CutSuffix(text, " unique")
	text, s.only, _ = strings.Cut(text, " if ")
	levels := strings.Split(text, " > ")
	if levels[0] != "." {
		s.root = strings.Split(levels[0], ".")
	}
	s.below = levels[1:]
	return s
}

// path returns the path of the elements of a source in the record.
func (s *source) path() []string { return slices.Concat(s.root, s.below) }

// fill adds what fills a column.
func (t *Table) fill(name, text string) error {
	f := filler{column: t.Column(name)}
	if f.column < 0 || len(t.sources) == 0 {
		return fmt.Errorf("%q is no column of %s, or has no source of rows", name, t.Name)
	}
	c, s := &t.Columns[f.column], &t.sources[len(t.sources)-1]
	if f.constant, f.quoted = strings.CutPrefix(text, `"`); f.quoted {
		f.constant = strings.TrimSuffix(f.constant, `"`)
	} else {
		place, how, _ := strings.Cut(text, " ")
		name, arg, _ := strings.Cut(how, " ")
		if f.rule, f.arg = rules[name], arg; f.rule == nil {
			return fmt.Errorf("%q is no rule", name)
		}
		below := strings.TrimLeft(place, "^")
		f.ups = len(place) - len(below)
		if below != "" && below != "." {
			f.keys = strings.Split(below, ".")
		}
		if f.parent = map[string]string{"id": arg, "group": "result_groups", "arm": "design_groups"}[name]; f.parent != "" {
			c.Kind = Long
		}
		c.Repeats = c.Repeats || f.ups > 0 && c.Kind == Text
		path := s.path()
		text = strings.TrimRight(strings.Join(slices.Concat(path[:len(path)-f.ups], f.keys), ".")+" "+how, " ")
	}
	c.From = append(c.From, text)
	s.columns = append(s.columns, f)
	return nil
}

// Paths returns the places of a record that the tables read, each once, in order.
func Paths() (paths []string) {
	for _, t := range All() {
		for _, s := range t.sources {
			path := s.path()
			paths = append(paths, strings.Join(path, "."))
			for _, f := range s.columns {
				if !f.quoted {
					paths = append(paths, strings.Join(slices.Concat(path[:len(path)-f.ups], f.keys), "."))
				}
			}
		}
	}
	slices.Sort(paths)
	return slices.DeleteFunc(slices.Compact(paths), func(path string) bool { return path == "" })
}
