package entrez

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// ReadSummaries reads a JSON ESummary. It returns the documents by uid, and the uids that NCBI does not have, in the order of the response.
// A uid without a document is in neither.
// For a response that is a failure as a whole it returns the error of Check.
func ReadSummaries(body []byte) (docs map[string]json.RawMessage, missing []string, err error) {
	var answer struct {
		Result map[string]json.RawMessage `json:"result"`
	}
	if err := readAnswer("ESummary", body, &answer); err != nil {
		return nil, nil, err
	}
	var uids []string
	if err := readJSON(answer.Result["uids"], &uids); err != nil {
		return nil, nil, errors.New("an ESummary without uids")
	}
	docs = map[string]json.RawMessage{}
	for _, uid := range uids {
		doc := bytes.TrimSpace(answer.Result[uid])
		if _, known := docs[uid]; known {
			continue
		}
		var document struct {
			Error message `json:"error"`
		}
		if err := readJSON(doc, &document); err != nil || doc[0] != '{' {
			continue
		}
		if document.Error != "" {
			missing = append(missing, uid)
			continue
		}
		docs[uid] = doc
	}
	return docs, entity.Once(missing), nil
}

// GeneSummary is the ESummary document of a gene. An absent text is "", an absent number 0.
type GeneSummary struct {
	UID                                  string
	Name                                 string // the current symbol
	Description                          string
	NomenclatureSymbol, NomenclatureName string
	Aliases                              []string `json:"-"` // otheraliases
	Status                               int      // 0 live, 1 replaced, 2 discontinued, 3 known from GeneRIFs only
	CurrentID                            string   // of a replaced record: the record that replaces it
	MIM                                  []string
	Organism                             string `json:"-"`
	TaxID                                int
}

// Live reports whether a record is neither replaced nor discontinued.
func (g *GeneSummary) Live() bool { return g.Status != 1 && g.Status != 2 }

// ReadGeneSummary reads a document of ReadSummaries for db gene.
func ReadGeneSummary(doc json.RawMessage) (*GeneSummary, error) {
	var d struct {
		GeneSummary
		OtherAliases string
		Organism     struct {
			ScientificName string
			TaxID          int
		}
		OrgName string // in earlier versions of the format, as TaxID
	}
	if err := readJSON(doc, &d); err != nil {
		return nil, fmt.Errorf("the ESummary of a gene: %w", err)
	}
	g := &d.GeneSummary
	for alias := range strings.SplitSeq(d.OtherAliases, ",") {
		if alias = strings.TrimSpace(alias); alias != "" {
			g.Aliases = append(g.Aliases, alias)
		}
	}
	g.Organism, g.TaxID = cmp.Or(d.Organism.ScientificName, d.OrgName), cmp.Or(d.Organism.TaxID, g.TaxID)
	if g.CurrentID == "0" {
		g.CurrentID = ""
	}
	return g, nil
}
