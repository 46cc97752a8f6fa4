package aact

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Row has the values of a row in the order of the columns: nil for NULL, or string, int64, float64 or bool.
type Row []any

// Rows are the rows that one record makes, by the number of the table.
type Rows [][]Row

// idBits are the bits of an id for the place of a row within its trial.
const idBits = 20

// FirstID returns an id that is smaller than those of the rows of a trial, and larger than those of the trials before it.
func FirstID(study int64) int64 { return study << idBits }

// A node is an element of a record.
type node struct {
	value    any
	parent   *node
	children map[string][]*node
	ids      map[string]int64 // of the rows that it made, by table
	first    bool             // of its parent's, in the table that is made
}

// A maker makes the rows of one record.
type maker struct {
	all    []*Table
	nct    string
	study  int64
	root   *node
	rows   Rows
	made   []bool
	groups map[groupKey]int64
	arms   map[string]int64
}

// A groupKey identifies a group of the posted results.
type groupKey struct {
	kind, code string
	outcome    int64
}

// Of returns the rows of a decoded record. The ids of its rows are the same in each run.
func Of(record map[string]any) (Rows, error) {
	all := All()
	m := &maker{all: all, root: &node{value: record}, rows: make(Rows, len(all)), made: make([]bool, len(all)),
		groups: map[groupKey]int64{}, arms: map[string]int64{}}
	m.nct, _ = lookup(record, "protocolSection", "identificationModule", "nctId").(string)
	digits, ok := strings.CutPrefix(m.nct, "NCT")
	var err error
	if m.study, err = strconv.ParseInt(digits, 10, 32); err != nil || !ok {
		return nil, errors.New("a record without an NCT id")
	}
	for _, t := range all {
		m.make(t)
		if len(m.rows[t.number]) >= 1<<idBits {
			return nil, fmt.Errorf("%s has too many rows of %s", m.nct, t.Name)
		}
	}
	return m.rows, nil
}

// make makes the rows of a table once.
func (m *maker) make(t *Table) {
	if m.made[t.number] {
		return
	}
	m.made[t.number] = true
	seen := map[string]bool{}
	for i := range t.sources {
		s := &t.sources[i]
		for i, element := range m.root.elements(strings.Join(s.root, "."), s.root) {
			element.first = i == 0
			m.below(t, s, s.below, element, seen)
		}
	}
}

// below makes the rows of a source for an element, or for those below it.
func (m *maker) below(t *Table, s *source, levels []string, element *node, seen map[string]bool) {
	if len(levels) > 0 {
		first := true
		for _, child := range element.elements(levels[0], levels[:1]) {
			if s.only != "" && s.only != contactKind(child) {
				continue
			}
			child.first, first = first, false
			m.below(t, s, levels[1:], child, seen)
		}
		return
	}
	row := make(Row, len(t.Columns))
	for _, f := range s.columns {
		row[f.column] = m.value(t, &f, element)
	}
	if s.unique {
		key := fmt.Sprintf("%q", row)
		if seen[key] || row[s.columns[0].column] == nil {
			return
		}
		seen[key] = true
	}
	m.add(t, element, row)
}

// add adds a row with its ids.
func (m *maker) add(t *Table, element *node, row Row) {
	id := FirstID(m.study) + int64(len(m.rows[t.number])) + 1
	if i := t.Column("id"); i >= 0 {
		row[i] = id
	}
	row[t.Column("nct_id")] = m.nct
	if element.ids == nil {
		element.ids = map[string]int64{}
	}
	element.ids[t.Name] = id
	m.rows[t.number] = append(m.rows[t.number], row)
	switch t.Name {
	case "result_groups":
		code, _ := row[t.Column("ctgov_group_code")].(string)
		kind, _ := row[t.Column("result_type")].(string)
		outcome, _ := row[t.Column("outcome_id")].(int64)
		if key := (groupKey{kind, code, outcome}); m.groups[key] == 0 {
			m.groups[key] = id
		}
	case "design_groups":
		if title, ok := row[t.Column("title")].(string); ok {
			m.arms[title] = id
		}
	}
}

// elements returns the elements of the array at a path, or the object there. They are the same nodes at each call.
func (n *node) elements(name string, keys []string) []*node {
	if len(keys) == 0 {
		return []*node{n}
	}
	if found, ok := n.children[name]; ok {
		return found
	}
	var found []*node
	switch value := lookup(n.value, keys...).(type) {
	case map[string]any:
		found = []*node{{value: value, parent: n}}
	case []any:
		for _, v := range value {
			if v != nil {
				found = append(found, &node{value: v, parent: n})
			}
		}
	}
	if n.children == nil {
		n.children = map[string][]*node{}
	}
	n.children[name] = found
	return found
}

// up returns an ancestor.
func (n *node) up(levels int) *node {
	for range levels {
		n = n.parent
	}
	return n
}

// lookup returns the value at a path, or nil.
func lookup(value any, keys ...string) any {
	for _, key := range keys {
		object, _ := value.(map[string]any)
		value = object[key]
	}
	return value
}

// contactKind returns the table of a contact of a place, by its role.
func contactKind(contact *node) string {
	role, _ := lookup(contact.value, "role").(string)
	role = strings.ToLower(role)
	if strings.Contains(role, "investigator") || strings.Contains(role, "study chair") {
		return "investigator"
	}
	return "contact"
}

// value returns the value of a column.
func (m *maker) value(t *Table, f *filler, element *node) any {
	var value any = f.constant
	if !f.quoted {
		at := element.up(f.ups)
		value = f.rule(m, question{f, t.Columns[f.column].Name, element, at, lookup(at.value, f.keys...)})
	}
	return t.Columns[f.column].Kind.read(value)
}
