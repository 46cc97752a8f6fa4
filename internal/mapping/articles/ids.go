package articles

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

var (
	pmidNumber = lazyregexp.New(`^[1-9][0-9]*$`)
	pmcNumber  = lazyregexp.New(`^PMC[1-9][0-9]*$`)
)

// ConvertedIDs are a record of the PMC ID Converter. PMIDs are numbers, and were strings in the past.
type ConvertedIDs struct {
	PMID      json.Number `json:"pmid"`
	PMCID     string      `json:"pmcid"`
	DOI       string      `json:"doi"`
	MID       string      `json:"mid"`
	Requested string      `json:"requested-id"`
	Status    string      `json:"status"`
	Message   string      `json:"errmsg"`
}

// Identifier returns the ids of a record, or nil for a record that is not in PMC, is invalid or is of another id than its requested-id.
// kind is the type of that id, by the converter's name.
func Identifier(r *ConvertedIDs, kind string) *entity.ArticleIdentifier {
	item := &entity.ArticleIdentifier{PMID: r.PMID.String(), PMCID: unversioned(r.PMCID), DOI: entity.Clean(r.DOI),
		ManuscriptID: entity.Clean(r.MID)}
	if item.PMID == "0" {
		item.PMID = ""
	}
	if r.Status == "error" || !pmcNumber.MatchString(item.PMCID) || item.PMID != "" && !pmidNumber.MatchString(item.PMID) {
		return nil
	}
	own := map[string]*string{"pmid": &item.PMID, "pmcid": &item.PMCID, "doi": &item.DOI, "mid": &item.ManuscriptID}[kind]
	requested := entity.Clean(r.Requested)
	if kind == "pmcid" {
		requested = unversioned(requested)
	}
	*own = cmp.Or(*own, requested) // the record of a manuscript may lack its id
	if !strings.EqualFold(*own, requested) {
		return nil
	}
	return item
}

// unversioned returns a PMCID without its version: PMC12 for PMC12.1.
func unversioned(pmcid string) string {
	pmcid, _, _ = strings.Cut(pmcid, ".")
	return pmcid
}

// SummaryIdentifier returns the ids in an ESummary of PubMed Central, which does not contain the PMCID.
func SummaryIdentifier(document json.RawMessage) (*entity.ArticleIdentifier, error) {
	ids, err := entrez.ReadPMCSummary(document)
	if err != nil {
		return nil, err
	}
	return &entity.ArticleIdentifier{PMID: ids.PMID, DOI: ids.DOI, ManuscriptID: ids.ManuscriptID}, nil
}
