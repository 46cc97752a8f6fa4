package reference

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A Name is a person or group in a reference.
type Name struct {
	// Family is the family name, as far as it is recognized.
	Family string
	// Initial is the initial of a given name, or "".
	Initial string

	families [][]string // words of the possible family names
	allWords []string   // words of the name
}

var (
	etAl = lazyregexp.New(`(?i)[,;&]?\s*(?:\bet\s+al\b\.?|\band\s+(?:others|colleagues)\b|\bu\.\s*a\.).*$`)
	// generation matches a suffix such as Jr or III.
	generation = lazyregexp.New(`,?\s+(?:Jr|Sr|2nd|3rd|III)\b\.?`)
	initials   = lazyregexp.New(`^(?:\p{Lu}{1,3}|(?:\p{Lu}\.[ -]?){1,4}(?:\p{Lu})?)$`)
	// lowInitials are initials in lower case: husain m.
	lowInitials   = lazyregexp.New(`^\p{L}{1,2}$`)
	nameSeparator = lazyregexp.New(`(?i)\s+(?:and|und|et|y)\s+|\s*&\s*`)
)

// ReadName reads the first name in a text. Husain M, Husain, M. and Mansoor Husain are equivalent.
func ReadName(text string) Name {
	text = strings.Trim(etAl.ReplaceAllString(strings.TrimSpace(text), ""), " ,;.")
	text, _, _ = strings.Cut(generation.ReplaceAllString(text, ""), ";")
	parts := strings.Split(nameSeparator.ReplaceAllString(text, ", "), ",")
	first := strings.TrimSpace(parts[0])
	n := Name{allWords: words(text)}
	if len(parts) > 1 {
		if given := strings.TrimSpace(parts[1]); initials.MatchString(given) || initials.MatchString(given+".") {
			return n.withFamily(first, given)
		}
	}
	list := strings.Fields(first)
	last := len(list) - 1
	switch {
	case last < 1:
		return n.withFamily(first, "")
	case initials.MatchString(list[last]) || lowInitials.MatchString(list[last]):
		return n.withFamily(strings.Join(list[:last], " "), list[last])
	case initials.MatchString(list[0]):
		from := slices.IndexFunc(list, func(word string) bool { return !initials.MatchString(word) })
		if from > 0 {
			return n.withFamily(strings.Join(list[from:], " "), list[0])
		}
	}
	n = n.withFamily(list[last], "")
	n.families = append(n.families, words(list[0]), words(first))
	return n
}

func (n Name) withFamily(family, given string) Name {
	n.Family = strings.Trim(family, " .")
	n.families = [][]string{words(family)}
	if list := words(given); len(list) > 0 {
		n.Initial = string([]rune(list[0])[:1])
	}
	return n
}

// matches reports whether an author of a record may be the named one.
func (n Name) matches(a entity.Author) bool {
	if a.CollectiveName != "" {
		group := words(a.CollectiveName)
		return len(n.allWords) > 0 && (within(n.allWords, group) || within(group, n.allWords))
	}
	if given := words(a.Initials + " " + a.FirstName); n.Initial != "" && len(given) > 0 && !strings.HasPrefix(given[0], n.Initial) {
		return false
	}
	family := words(a.LastName)
	return slices.ContainsFunc(n.families, func(mine []string) bool {
		return len(mine) > 0 && len(family) > 0 && (within(mine, family) || within(family, mine))
	})
}

// within reports whether some words occur in others as a phrase.
func within(some, others []string) bool {
	return strings.Contains(" "+strings.Join(others, " ")+" ", " "+strings.Join(some, " ")+" ")
}
