package citation

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// person is an author, an editor or a group.
type person struct {
	group    string // set for a group; the other fields are then empty
	last     string
	given    string // given names, or initials with full stops
	initials string // such as J.-P. K.
	short    string // such as JPK
	suffix   string // such as Jr. or III
}

func people(given []entity.Author) []person {
	var out []person
	for i := range given {
		if p, ok := readPerson(&given[i]); ok {
			out = append(out, p)
		}
	}
	return out
}

func readPerson(a *entity.Author) (person, bool) {
	last, given, short := line(a.LastName), line(a.FirstName), line(a.Initials)
	switch {
	case last != "":
	case given != "": // a single name is a family name
		return person{last: given}, true
	default:
		group := line(a.CollectiveName)
		return person{group: group}, group != ""
	}
	suffix := line(a.Suffix)
	p := person{last: last, suffix: cmp.Or(suffixes[suffix], suffix)}
	if given == "" || given == short {
		p.initials = spellInitials(short)
		p.given = p.initials
	} else {
		p.given, p.initials = addFullStops(given), initials(given)
	}
	p.short = bareInitials.Replace(cmp.Or(short, p.initials))
	return p, true
}

// bareInitials removes the characters between initials.
var bareInitials = strings.NewReplacer(".", "", " ", "", "-", "", "\u2010", "", "\u2011", "")

// suffixes maps NLM's suffixes to those of the styles.
var suffixes = map[string]string{"Jr": "Jr.", "Sr": "Sr.", "2nd": "II", "3rd": "III", "4th": "IV", "5th": "V"}

// spellInitials writes the initials JK as J. K. Two letters may stand for one letter of another alphabet: IuA becomes Iu. A.
func spellInitials(short string) string {
	var out strings.Builder
	for i, r := range short {
		if i > 0 && unicode.IsUpper(r) && !strings.HasSuffix(out.String(), "-") {
			out.WriteByte(' ')
		}
		out.WriteRune(r)
	}
	var words []string
	for word := range strings.FieldsFuncSeq(out.String(), func(r rune) bool { return r == ' ' || r == '.' }) {
		if strings.Contains(word, "-") {
			words = append(words, hyphenatedInitials(word))
		} else {
			words = append(words, word+".")
		}
	}
	return joinNonEmpty(" ", words...)
}

// addFullStops adds a full stop after each single capital in given names.
func addFullStops(given string) string {
	words := strings.Fields(given)
	for i, word := range words {
		if runes := []rune(word); len(runes) == 1 && unicode.IsUpper(runes[0]) {
			words[i] += "."
		}
	}
	return strings.Join(words, " ")
}

// initials shortens given names to initials. It keeps particles, and names in scripts without capitals.
func initials(given string) string {
	var out []string
	words := strings.FieldsFunc(given, func(r rune) bool { return r == ' ' || r == '.' })
	for i, word := range words {
		r := firstLetter(word)
		switch {
		case r == 0:
		case i > 0 && unicode.IsLower(r), !unicode.IsLower(r) && !unicode.IsUpper(r):
			out = append(out, word)
		default:
			out = append(out, hyphenatedInitials(word))
		}
	}
	return joinNonEmpty(" ", out...)
}

func hyphenatedInitials(word string) string {
	var out []string
	for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return unicode.Is(unicode.Pd, r) }) {
		if r := firstLetter(part); r != 0 {
			out = append(out, string(unicode.ToUpper(r))+".")
		}
	}
	return strings.Join(out, "-")
}

func firstLetter(word string) rune {
	for _, r := range word {
		if unicode.IsLetter(r) {
			return r
		}
	}
	return 0
}

// inverted returns Last, First, Suffix.
func (p person) inverted() string { return joinNonEmpty(", ", p.group, p.last, p.given, p.suffix) }

// inOrder returns First Last, Jr. or First Last III, as in MLA style.
func (p person) inOrder() string {
	name := joinNonEmpty(" ", p.group, p.given, p.last)
	if strings.HasSuffix(p.suffix, ".") {
		return name + ", " + p.suffix
	}
	return joinNonEmpty(" ", name, p.suffix)
}

// keyName returns the name for a key. For a group it is the first word.
func (p person) keyName() string {
	if p.group == "" {
		return ascii(p.last)
	}
	return ascii(strings.Fields(p.group)[0])
}
