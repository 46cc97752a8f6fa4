package results

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// outcomeNumbers matches the numbers of outcomes: 3, #3, outcome 3, 1, 4, 1 OR 4, 2-3.
var outcomeNumbers = lazyregexp.New(`^(?i)(?:outcomes?|measures?|no\.?|numbers?)?\s*#?\d+(?:\s*(?:[,;&–-]|\bor\b|\band\b|\bto\b)?\s*#?\d+)*$`)

// numbers matches one of the numbers, or the first and the last of a range.
var numbers = lazyregexp.New(`(?i)(\d+)(?:\s*(?:[–-]|\bto\b)\s*#?(\d+))?`)

// outcomeOr separates texts, any of which an outcome may have.
var outcomeOr = lazyregexp.New(`\s+OR\s+`)

// outcomeType matches a text that is a type of outcomes and nothing else: primary, secondary outcomes.
var outcomeType = lazyregexp.New(`^(?i)\s*(primary|secondary|other(?:[ _-]+pre[ _-]*specified)?|post[ _-]*hoc)(?:\s+(?:outcome|measure|outcome measure|end-?point)s?)?\s*$`)

// chooseOutcomes returns the measures that the argument outcome selects: by number, by type or by words.
func (c *Call) chooseOutcomes(all []entity.ResultMeasure) ([]entity.ResultMeasure, error) {
	if c.Outcome == "" || strings.EqualFold(c.Outcome, "all") {
		return all, nil
	}
	if outcomeNumbers.MatchString(c.Outcome) {
		return c.numberedOutcomes(all)
	}
	if kind := outcomeType.FindStringSubmatch(c.Outcome); kind != nil {
		return c.typedOutcomes(all, strings.ToUpper(kind[1][:4])), nil
	}
	parts := outcomeOr.Split(c.Outcome, -1)
	var chosen []entity.ResultMeasure
	for _, long := range []bool{false, true} {
		for i := range all {
			text := measureText(&all[i], long)
			if slices.ContainsFunc(parts, func(part string) bool {
				isNumber := strings.Trim(part, "0123456789") == ""
				return part == strconv.Itoa(all[i].Number) || !isNumber && hasWords(text, words(part))
			}) {
				chosen = append(chosen, all[i])
			}
		}
		if chosen != nil {
			if long {
				c.Notes.Add(fmt.Sprintf("outcome: no title has %q; these outcomes have it in their description or population.", c.Outcome))
			}
			return chosen, nil
		}
	}
	c.unmatched = true
	var titles []string
	for i := range all[:min(len(all), 12)] {
		titles = append(titles, all[i].Title)
	}
	for i, title := range entity.CutApart(titles, 80) {
		titles[i] = fmt.Sprintf("%d %q", all[i].Number, title)
	}
	c.Notes.Add(fmt.Sprintf("outcome: none of the %d %s has %q in its title, time frame, categories or description. Titles: %s. "+
		"Name one by its number.",
		len(all), c.measures(), entity.Cut(c.Outcome, 100), strings.Join(titles, "; ")))
	return nil, nil
}

// measures returns what the argument outcome selects from.
func (c *Call) measures() string {
	if c.Section == baseline {
		return "baseline measures"
	}
	return "outcomes"
}

// typedOutcomes returns the measures of a type. kind is the beginning of the type.
func (c *Call) typedOutcomes(all []entity.ResultMeasure, kind string) []entity.ResultMeasure {
	var chosen []entity.ResultMeasure
	var types []string
	for i := range all {
		types = append(types, all[i].Type)
		if strings.HasPrefix(all[i].Type, kind) {
			chosen = append(chosen, all[i])
		}
	}
	if chosen == nil && len(all) > 0 {
		c.Notes.Add(fmt.Sprintf("outcome: none of the %d %s is of this type. Their types: %s.", len(all), c.measures(),
			strings.Join(entity.Once(types), ", ")))
	}
	return chosen
}

func (c *Call) numberedOutcomes(all []entity.ResultMeasure) ([]entity.ResultMeasure, error) {
	var chosen []entity.ResultMeasure
	var unknown []string
	listed := outcomes
	if c.Section == baseline {
		listed = baseline
	}
	for _, text := range c.outcomeNumbers(len(all)) {
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(all) {
			chosen = append(chosen, all[n-1])
		} else {
			unknown = append(unknown, text)
		}
	}
	switch {
	case len(all) == 0, len(unknown) == 0:
	case chosen == nil:
		return nil, refusedSection("outcome", c.Outcome, fmt.Sprintf("this trial has the %s 1 to %d", c.measures(), len(all)),
			tool.Show(map[string]any{"outcome": nil, "section": listed})+", which lists them")
	default:
		c.Notes.Add(fmt.Sprintf("outcome: this trial has the %s 1 to %d, not %s.", c.measures(), len(all), strings.Join(unknown, ", ")))
	}
	return chosen, nil
}

// outcomeNumbers returns the numbers that the argument outcome names, of at most the given number of outcomes: of a longer range the last
// number stands for the rest.
func (c *Call) outcomeNumbers(most int) (named []string) {
	for _, text := range numbers.FindAllString(c.Outcome, -1) {
		m := numbers.FindStringSubmatch(text)
		from, _ := strconv.Atoi(m[1])
		to, _ := strconv.Atoi(m[2]) // "" is 0: no range
		for n := from; n < to && n <= most; n++ {
			named = append(named, strconv.Itoa(n))
		}
		named = append(named, cmp.Or(m[2], m[1]))
	}
	return entity.Once(named)
}

// measureText returns the text that is searched for words: title, type, time frame, unit and the titles of rows; if long is true, also
// description and population.
func measureText(m *entity.ResultMeasure, long bool) string {
	parts := []string{m.Title, m.Type, m.TimeFrame, m.Unit}
	for i := range m.Rows {
		parts = append(parts, m.Rows[i].Class, m.Rows[i].Category)
	}
	if long {
		parts = append(parts, m.Description, m.Population)
	}
	return strings.Join(parts, " ")
}

// words returns the words of a text in lower case, in one spelling for British and American English.
func words(text string) []string {
	list := strings.FieldsFunc(spellings.Replace(strings.ToLower(text)),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, word := range list {
		list[i] = oneSpelling(word)
	}
	return list
}

// spellings makes British and American spellings equal: anaemia and anemia, dyspnoea, gastrooesophageal, hospitalisation, leucopenia.
var spellings = strings.NewReplacer("o-oe", "e", "o-e", "e", "ooe", "e", "oe", "e", "ae", "e", "iz", "is", "yz", "ys", "sulph", "sulf",
	"leuco", "leuko")

// oneSpelling makes spellings equal that depend on the position in a word: tumour, goitre.
func oneSpelling(word string) string {
	if i := strings.Index(word, "our"); i > 1 {
		word = word[:i] + "or" + word[i+3:]
	}
	for _, end := range []string{"tre", "bre"} {
		stem := strings.TrimSuffix(word, "s")
		if strings.HasSuffix(stem, end) {
			return stem[:len(stem)-2] + "er" + word[len(stem):]
		}
	}
	return word
}

// hasWords reports whether a text has all words of a query. The longer words also match the beginning of a word: infection matches
// infections, and the reverse.
func hasWords(text string, terms []string) bool {
	has := words(text)
	for _, w := range terms {
		stem := w
		if len(w) > 4 {
			stem = strings.TrimSuffix(w, "s")
		}
		if !slices.ContainsFunc(has, func(word string) bool { return word == w || len(stem) >= 4 && strings.HasPrefix(word, stem) }) {
			return false
		}
	}
	return true
}
