package trials

import (
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/criteria"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// CriteriaLimits returns the limits in an eligibility text of a record, in its order.
func CriteriaLimits(criteria string) []entity.CriteriaLimit {
	return criteriaLimits(text.CleanMarkup(criteria))
}

func criteriaLimits(text string) (limits []entity.CriteriaLimit) {
	characters, at := 0, 0 // the characters before a byte
	count := func(to int) int {
		if to < at {
			characters, at = 0, 0
		}
		characters, at = characters+utf8.RuneCountInString(text[at:to]), to
		return characters
	}
	for _, line := range criteria.Lines(text) {
		for _, l := range line.Limits() {
			limit := entity.CriteriaLimit{What: l.What, Name: l.Name, List: string(line.List), Low: l.Low, High: l.High, Values: l.Values,
				Unit: l.Unit, Text: text[l.Start:l.End], Start: count(l.Start), End: count(l.End)}
			if l.Low != nil {
				limit.LowInclusive = &l.LowInclusive
			}
			if l.High != nil {
				limit.HighInclusive = &l.HighInclusive
			}
			limits = append(limits, limit)
		}
	}
	return limits
}
