package articles

import (
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/register"
)

// TrialNumbers collects the numbers of trials in the parts of an article, in the order in which they are found.
type TrialNumbers struct {
	All []entity.TrialNumber

	at map[string]int // index of each number
}

// Add adds the numbers in a text. place names the part of the article that has the text; the texts of a part follow one another.
func (t *TrialNumbers) Add(place, text string) {
	for _, n := range register.Find(text) {
		if _, single := register.Only(n.ID); !single { // NL63 is a virus
			continue
		}
		at, known := t.at[n.Register+n.ID]
		if !known {
			if at = len(t.All); t.at == nil {
				t.at = map[string]int{}
			}
			t.at[n.Register+n.ID] = at
			t.All = append(t.All, entity.TrialNumber{Register: n.Register, Number: n.ID})
		}
		if found := &t.All[at].FoundIn; len(*found) == 0 || (*found)[len(*found)-1] != place {
			*found = append(*found, place)
		}
	}
}

// trialNumbers returns the numbers of trials in the record of an article.
func trialNumbers(a *entity.Article) []entity.TrialNumber {
	var numbers TrialNumbers
	for _, bank := range a.DataBanks {
		numbers.Add("data_bank", strings.Join(bank.AccessionNumbers, "; "))
	}
	numbers.Add("title", a.Title)
	numbers.Add("abstract", a.AbstractText)
	return numbers.All
}
