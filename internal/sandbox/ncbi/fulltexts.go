package ncbi

import (
	"net/http"
	"strings"

	"github.com/biofact-mcp/biofact/internal/reply"
	"github.com/biofact-mcp/biofact/internal/sandbox/pmc"
)

func (f fullTexts) info() databaseInfo {
	return databaseInfo{name: "pmc", menuName: "PMC", description: "PubMed Central", count: len(f)}
}

func (fullTexts) field(string) (searchField, bool) { return searchField{}, false }

func (fullTexts) all() hits { return hits{} }

func (fullTexts) order(hits, string) []uint64 { return nil }

func (fullTexts) links(uint64, string) ([]link, error) { return nil, notServed("links of pmc") }

// summary returns a document summary with the ids only.
func (f fullTexts) summary(uid uint64) (object, bool) {
	a := f["PMC"+decimal(uid)]
	if a == nil {
		return nil, false
	}
	ids := []object{}
	for _, id := range [][2]string{{"pmid", a.PMID}, {"doi", a.DOI}, {"MID", a.ManuscriptID}, {"pmcid", a.PMCID}} {
		if id[1] != "" {
			ids = append(ids, object{{"idtype", id[0]}, {"value", id[1]}})
		}
	}
	return object{{"uid", strings.TrimPrefix(a.PMCID, "PMC")}, {"articleids", ids}}, true
}

func (f fullTexts) fetch(uids []uint64, form form) (reply.Reply, error) {
	if form.mode != "xml" || form.kind != "" {
		return reply.Reply{}, form.notServed()
	}
	return reply.Reply{Status: http.StatusOK, Type: "text/xml; charset=UTF-8", Body: pmc.Articles(f).EFetch(decimals(uids))}, nil
}
