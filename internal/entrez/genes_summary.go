package entrez

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

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
	var uids []scalar
	if err := json.Unmarshal(answer.Result["uids"], &uids); err != nil {
		return nil, nil, errors.New("an ESummary without uids")
	}
	docs = map[string]json.RawMessage{}
	for _, u := range uids {
		uid := string(u)
		doc := bytes.TrimSpace(answer.Result[uid])
		if _, known := docs[uid]; known {
			continue
		}
		var document struct {
			Error message `json:"error"`
		}
		if err := json.Unmarshal(doc, &document); err != nil || doc[0] != '{' {
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

// GeneSummary is the ESummary document of a gene.
type GeneSummary struct {
	UID         string
	Name        string // the current symbol
	Description string

	NomenclatureSymbol, NomenclatureName string

	Aliases   []string // otheraliases
	Status    int      // 0 live, 1 replaced, 2 discontinued, 3 known from GeneRIFs only
	CurrentID string   // of a replaced record: the record that replaces it
	MIM       []string
	Organism  string
	TaxID     int
}

// Live reports whether a record is neither replaced nor discontinued.
func (g *GeneSummary) Live() bool { return g.Status != 1 && g.Status != 2 }

// ReadGeneSummary reads a document of ReadSummaries for db gene. An absent text is "", an absent number 0.
func ReadGeneSummary(doc json.RawMessage) (*GeneSummary, error) {
	var d struct {
		UID, Name, Description               scalar
		NomenclatureSymbol, NomenclatureName scalar
		OtherAliases, Status, CurrentID      scalar
		MIM                                  scalars
		Organism                             struct{ ScientificName, TaxID scalar }
		OrgName, TaxID                       scalar // in earlier versions of the format
	}
	if err := json.Unmarshal(doc, &d); err != nil {
		return nil, fmt.Errorf("the ESummary of a gene: %w", err)
	}
	g := &GeneSummary{
		UID: d.UID.text(), Name: d.Name.text(), Description: d.Description.text(),
		NomenclatureSymbol: d.NomenclatureSymbol.text(),
		NomenclatureName:   d.NomenclatureName.text(),
		Aliases:            d.OtherAliases.split(","),
		Status:             d.Status.number(),
		CurrentID:          d.CurrentID.text(),
		MIM:                d.MIM,
		Organism:           cmp.Or(d.Organism.ScientificName.text(), d.OrgName.text()),
		TaxID:              cmp.Or(d.Organism.TaxID.number(), d.TaxID.number()),
	}
	if g.CurrentID == "0" {
		g.CurrentID = ""
	}
	return g, nil
}
