package entrez

import (
	"encoding/json"
	"errors"
	"strings"
)

// PMCSummary has the ids of the ESummary document of an article in PubMed Central. "" means absent.
type PMCSummary struct {
	PMID, DOI    string
	ManuscriptID string // NIHMS265402
}

// ReadPMCSummary reads a document of ReadSummaries for db pmc. A document that reports an error is an error.
func ReadPMCSummary(document json.RawMessage) (PMCSummary, error) {
	var d struct {
		ArticleIDs []summaryID
		Error      message
	}
	if err := readJSON(document, &d); err != nil || d.Error != "" {
		return PMCSummary{}, errors.Join(errors.New("invalid ESummary of an article in PMC"), err)
	}
	var s PMCSummary
	for _, id := range d.ArticleIDs {
		switch value := unescaped(id.Value); strings.ToLower(id.IDType) {
		case "pmid":
			if isNumber(value) && value != "0" { // 0 means no PMID
				s.PMID = value
			}
		case "doi":
			s.DOI = value
		case "mid":
			s.ManuscriptID = value
		}
	}
	return s, nil
}
