package articles

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
)

// MeshHeading maps the ESummary of a term. names maps uids to the terms that it names.
func MeshHeading(t *entrez.MeshSummary, names map[string]*entrez.MeshSummary) entity.MeshHeading {
	named := func(uids []string) (list []entity.MeshName) {
		for _, uid := range uids {
			if n := names[uid]; n != nil {
				list = append(list, entity.MeshName{ID: "MESH:" + n.ID, Name: n.Terms[0]})
			}
		}
		return list
	}
	h := entity.MeshHeading{
		ID: "MESH:" + t.ID, Name: t.Terms[0], Kind: meshKind(t.Kind), TreeNumbers: t.TreeNumbers, ScopeNote: t.ScopeNote,
		EntryTerms: t.Terms[1:], Broader: named(t.Parents), Narrower: named(t.Children), NarrowerCount: len(t.Children),
		MappedTo: named(t.MappedTo), YearIntroduced: t.Year,
	}
	if tag := map[string]string{"descriptor": "mh", "supplementary": "nm", "qualifier": "sh", "publication_type": "pt"}[h.Kind]; tag != "" {
		h.Query = fmt.Sprintf("%q[%s]", h.Name, tag)
	}
	return h
}

func meshKind(kind string) string {
	switch kind = strings.ToLower(kind); kind {
	case "supplemental-record", "substance", "supplemental record":
		return "supplementary"
	case "publication type", "publication-type":
		return "publication_type"
	}
	return cmp.Or(kind, "descriptor")
}

// PubMedStats maps the EInfo of PubMed, without its address.
func PubMedStats(info *entrez.Info) entity.PubMedStats {
	stats := entity.PubMedStats{
		DatabaseName: "PubMed", MenuName: info.MenuName, Description: info.Description, TotalRecordCount: info.Count,
		AvailableSearchFields: []entity.SearchField{}, AvailableLinkNames: []entity.LinkName{},
	}
	if updated, err := time.Parse("2006/01/02 15:04", info.LastUpdate); err == nil {
		stats.LastUpdate, stats.LastUpdateTimeZone = updated.Format("2006-01-02T15:04:05"), "not stated by NCBI"
	}
	for _, f := range info.Fields {
		field := entity.SearchField{Name: f.Name, FullName: f.FullName, Description: f.Description, IsDate: f.IsDate,
			IsNumerical: f.IsNumerical}
		if f.TermCount > 0 {
			field.TermCount = strconv.Itoa(f.TermCount)
		}
		stats.AvailableSearchFields = append(stats.AvailableSearchFields, field)
	}
	for _, l := range info.Links {
		stats.AvailableLinkNames = append(stats.AvailableLinkNames,
			entity.LinkName{Name: l.Name, Description: cmp.Or(l.Description, l.Menu), DBTo: l.DBTo})
	}
	return stats
}
