package articles

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/register"
)

// AddTrialNumbers adds the numbers of trials in a text to those of an article. place names the part of the article that has the text.
func AddTrialNumbers(to *[]entity.TrialNumber, place, text string) {
	for _, n := range register.Find(text) {
		if _, single := register.Only(n.ID); !single { // NL63 is a virus
			continue
		}
		at := slices.IndexFunc(*to, func(known entity.TrialNumber) bool { return known.Register == n.Register && known.Number == n.ID })
		if at < 0 {
			at = len(*to)
			*to = append(*to, entity.TrialNumber{Register: n.Register, Number: n.ID})
		}
		(*to)[at].FoundIn = entity.Once(append((*to)[at].FoundIn, place))
	}
}

// trialNumbers returns the numbers of trials in the record of an article.
func trialNumbers(a *entity.Article) (numbers []entity.TrialNumber) {
	for _, bank := range a.DataBanks {
		AddTrialNumbers(&numbers, "data_bank", strings.Join(bank.AccessionNumbers, "; "))
	}
	AddTrialNumbers(&numbers, "title", a.Title)
	AddTrialNumbers(&numbers, "abstract", a.AbstractText)
	return numbers
}
