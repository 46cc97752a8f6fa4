package trials

import (
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/criteria"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// CriteriaLimits returns the limits in an eligibility text of a record, in its order, and the words of each.
func CriteriaLimits(given string) (limits []entity.CriteriaLimit, words []string) {
	return criteriaLimits(text.CleanMarkup(given))
}

// A counter counts the characters before a byte of a text.
type counter struct {
	text           string
	at, characters int
}

func (c *counter) before(at int) int {
	if at < c.at {
		c.characters -= utf8.RuneCountInString(c.text[at:c.at])
	} else {
		c.characters += utf8.RuneCountInString(c.text[c.at:at])
	}
	c.at = at
	return c.characters
}

// criteriaLimits returns the limits in the lines of a text, and the words of each.
func criteriaLimits(text string) (limits []entity.CriteriaLimit, words []string) {
	count := counter{text: text}
	for _, line := range criteria.Lines(text) {
		for _, l := range line.Limits() {
			words = append(words, text[l.Start:l.End])
			limits = append(limits, entity.CriteriaLimit{What: l.What, Name: l.Name, List: string(line.List),
				Low: l.Low, LowInclusive: l.LowInclusive, High: l.High, HighInclusive: l.HighInclusive,
				Values: l.Values, Unit: l.Unit, Start: count.before(l.Start), End: count.before(l.End)})
		}
	}
	return limits, words
}
