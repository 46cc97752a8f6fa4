package entrez

import (
	"encoding/xml"
	"errors"
	"strings"

	"github.com/biofact-mcp/biofact/internal/boolean"
)

// Spelling is an ESpell response.
type Spelling struct {
	Corrected string // empty if the correction has the same words as the query
}

// ReadSpelling reads an ESpell response, which is always XML. An operator keeps its capitals, because in lower case it would be a word.
func ReadSpelling(body []byte) (Spelling, error) {
	var answer struct {
		XMLName   xml.Name `xml:"eSpellResult"`
		Query     string
		Corrected *string `xml:"CorrectedQuery"`
	}
	if err := xml.Unmarshal(body, &answer); err != nil {
		return Spelling{}, err
	}
	if answer.Corrected == nil {
		return Spelling{}, errors.New("an ESpell without a correction")
	}
	before, after := strings.Fields(answer.Query), strings.Fields(*answer.Corrected)
	for i := range after {
		if len(before) == len(after) && boolean.IsOperator(before[i]) {
			after[i] = before[i]
		}
	}
	corrected := strings.Join(after, " ")
	if strings.EqualFold(corrected, strings.Join(before, " ")) {
		corrected = ""
	}
	return Spelling{Corrected: corrected}, nil
}
