package criteria

import (
	"embed"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// The data files hold the measures with their names, the units with their spellings, and the words of the grammar.
//
//go:embed data
var data embed.FS

// A measure is something that a limit is about.
type measure struct {
	what       string
	dimensions []string
	usual      string  // unit of a number without one; - for none, ? for one that is not known
	example    string  // a unit as people write it, of a measure whose numbers need one
	low, high  float64 // possible values, in the first unit of the first dimension
}

// A unit is a unit of measurement.
type unit struct {
	name, dimension string
	factor          float64 // to the first unit of its dimension
}

// A phrases holds phrases by their first word, the longer ones first.
type phrases map[string][]phrase

type phrase struct {
	words []string
	role  string
}

type tableSet struct {
	measures    map[string]*measure
	names       phrases // role is the measure
	words       phrases // role as in phrases.tsv
	units       map[string]*unit
	byName      map[string]*unit
	heading     map[string]string // roles of words in headings
	numbers     map[string]float64
	conversions map[string][]conversion
	spellings   []string // of the units, sorted
}

// tables returns the tables, which are read at the first use.
var tables = sync.OnceValue(func() *tableSet {
	t := &tableSet{measures: map[string]*measure{}, names: phrases{}, words: phrases{}, units: map[string]*unit{},
		byName:  map[string]*unit{},
		heading: map[string]string{}, numbers: map[string]float64{}, conversions: map[string][]conversion{}}
	for row := range rows("names.tsv") {
		usual, example, _ := strings.Cut(row[2], " ")
		m := &measure{what: row[0], dimensions: strings.Fields(row[1]), usual: usual, example: example, low: readNumber(row[3]),
			high: readNumber(row[4])}
		if m.what != "other" {
			t.measures[m.what] = m
		}
		for name := range strings.SplitSeq(row[5], "|") {
			t.names.add(plainWords(name), m.what)
		}
	}
	for row := range rows("units.tsv") {
		factor, _ := strconv.ParseFloat(row[2], 64)
		u := &unit{row[0], row[1], factor}
		t.byName[u.name] = u
		for spelling := range strings.SplitSeq(row[3], "|") {
			spelling = strings.ReplaceAll(spell(spelling), " ", "")
			if t.units[spelling] == nil {
				t.units[spelling] = u
			}
		}
	}
	t.spellings = slices.Sorted(maps.Keys(t.units))
	for row := range rows("phrases.tsv") {
		for _, words := range expand(strings.Fields(row[1]), row[0]) {
			t.words.add(words, row[0])
		}
	}
	for row := range rows("conversions.tsv") {
		factor, _ := strconv.ParseFloat(row[3], 64)
		summand, _ := strconv.ParseFloat(row[4], 64)
		t.conversions[row[0]] = append(t.conversions[row[0]], conversion{t.byName[row[1]], t.byName[row[2]], factor, summand})
	}
	for row := range rows("numbers.tsv") {
		for word := range strings.FieldsSeq(row[1]) {
			t.numbers[word] = readNumber(row[0])
		}
	}
	for row := range rows("headings.tsv") {
		for word := range strings.FieldsSeq(row[1]) {
			t.heading[word] = row[0]
		}
	}
	return t
})

// roles maps the roles of single words to the words.
var roles = sync.OnceValue(func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for row := range rows("words.tsv") {
		all[row[0]] = map[string]bool{}
		for word := range strings.FieldsSeq(row[1]) {
			all[row[0]][word] = true
		}
	}
	return all
})

// has reports whether a word has a role.
func has(role, word string) bool { return roles()[role][word] }

// rows yields the rows of a data file.
func rows(name string) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		content, err := data.ReadFile("data/" + name)
		if err != nil {
			return
		}
		for line := range strings.Lines(string(content)) {
			line = strings.TrimRight(line, "\n")
			if line != "" && !strings.HasPrefix(line, "#") && !yield(strings.Split(line, "\t")) {
				return
			}
		}
	}
}

// expand returns the phrases of a row. In rows of single words, which have roles of lower rank, a space may separate the words of one
// alternative: "in case of|if".
func expand(columns []string, role string) [][]string {
	if !among(role, "ge gt le lt post-ge post-le range between") {
		var out [][]string
		for alternative := range strings.SplitSeq(strings.Join(columns, " "), "|") {
			out = append(out, strings.Fields(alternative))
		}
		return out
	}
	out := [][]string{nil}
	for _, column := range columns {
		var longer [][]string
		for _, head := range out {
			for w := range strings.SplitSeq(column, "|") {
				next := append([]string{}, head...)
				if w != "_" {
					next = append(next, w)
				}
				longer = append(longer, next)
			}
		}
		out = longer
	}
	return out
}

// plainWords returns the words of a name as the lexer writes them, without hyphens and other marks but the plus sign.
func plainWords(name string) []string {
	var words []string
	for _, t := range lex(name) {
		if t.kind == word || t.kind == number || t.text == "+" || t.text == "%" {
			words = append(words, t.text)
		}
	}
	return words
}

func (p phrases) add(words []string, role string) {
	if len(words) == 0 {
		return
	}
	list := append(p[words[0]], phrase{words, role})
	slices.SortStableFunc(list, func(a, b phrase) int { return len(b.words) - len(a.words) })
	p[words[0]] = list
}

// A found is a phrase at a token.
type found struct {
	role string
	to   int // the token behind it
}

// at returns the phrases at a token, the longer ones first. Hyphens between their words are skipped.
func (p phrases) at(tokens []token, i int) (all []found) {
	for _, candidate := range p[tokens[i].text] {
		if to := candidate.matches(tokens, i); to > 0 {
			all = append(all, found{candidate.role, to})
		}
	}
	return all
}

// longest returns the role of the longest phrase at a token, and the token behind it.
func (p phrases) longest(tokens []token, i int) (role string, to int) {
	if all := p.at(tokens, i); len(all) > 0 {
		return all[0].role, all[0].to
	}
	return "", i
}

func (p phrase) matches(tokens []token, i int) (end int) {
	for n, w := range p.words {
		if n > 0 && i < len(tokens) && (tokens[i].text == "-" || tokens[i].text == "/") && w != tokens[i].text {
			i++
		}
		if i >= len(tokens) || tokens[i].text != w {
			return 0
		}
		i++
	}
	return i
}

// among reports whether a word is in a list of words.
func among(word, list string) bool {
	for at := 0; word != "" && at < len(list); {
		i := strings.Index(list[at:], word)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(word)
		if (i == 0 || list[i-1] == ' ') && (at == len(list) || list[at] == ' ') {
			return true
		}
	}
	return false
}

// unitAt returns the unit that a text begins with, and its length. Spaces, carets and some marks inside do not matter.
func (t *tableSet) unitAt(text string) (found *unit, length int) {
	var spelled strings.Builder
	for end := 0; end < len(text); {
		i := end
		r, size := utf8.DecodeRuneInString(text[i:])
		end = i + size
		s := text[i:end]
		if r >= utf8.RuneSelf || r == '~' || r >= 'A' && r <= 'Z' {
			s = spell(s)
		}
		if skipped(s, spelled.String()) {
			continue
		}
		spelled.WriteString(s)
		at, _ := slices.BinarySearch(t.spellings, spelled.String())
		if i > 60 || at == len(t.spellings) || !strings.HasPrefix(t.spellings[at], spelled.String()) {
			break
		}
		if u := t.units[spelled.String()]; u != nil && boundary(text, end, s) && (u.dimension != "mass" || !divided(text[end:])) {
			found, length = u, end
		}
	}
	return found, length
}

// skipped reports whether a character of a unit does not matter behind the others.
func skipped(s, before string) bool {
	switch s {
	case " ", "^":
		return true
	case "x", "-", "[", "]", "\n":
		return before == ""
	case "(":
		return strings.HasPrefix(before, "10")
	case ")":
		return before != ""
	}
	return false
}

// divided reports whether a text divides the unit before it by another one: kg/meter.
func divided(text string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimPrefix(text, "/"))
	return strings.HasPrefix(text, "/") && (unicode.IsLetter(r) || r == '(')
}

// boundary reports whether a unit may end before a byte of a text: no letter or digit follows.
func boundary(text string, end int, last string) bool {
	if end >= len(text) || last == "%" {
		return true
	}
	next := lex(text[end:min(len(text), end+8)])
	return len(next) == 0 || next[0].start > 0 || next[0].kind != word && next[0].kind != number
}

// pattern returns a function that compiles an expression at its first call.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
