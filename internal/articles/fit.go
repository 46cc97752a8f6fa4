package articles

import (
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
)

// fitArticle shortens an article, the least important parts first.
func fitArticle(a *entity.Article, maxAnswer int) []string {
	cut := envelope.Fit(a, maxAnswer, []envelope.Part{
		envelope.CutBy("affiliations", func(int) {
			for i := range a.Authors {
				a.Authors[i].Affiliations, a.Authors[i].Affiliation = nil, ""
			}
		}),
		envelope.CutText("coiStatement", &a.COIStatement),
		envelope.CutBy("otherAbstracts", func(int) { a.OtherAbstracts = nil }),
		envelope.CutBy("abstractSections", func(int) { a.AbstractSections = nil }),
		envelope.CutBy("authors", func(over int) {
			all := len(a.Authors)
			a.Authors = envelope.DropLast(a.Authors, over)
			a.AuthorsIncomplete = a.AuthorsIncomplete || len(a.Authors) < all
		}),
		envelope.CutList("corrections", &a.Corrections),
		envelope.CutList("dataBanks", &a.DataBanks),
		envelope.CutList("chemicals", &a.Chemicals),
		envelope.CutList("grantList", &a.GrantList),
		envelope.CutList("meshTerms", &a.MeshTerms),
		envelope.CutList("keywords", &a.Keywords),
		envelope.CutList("nctIds", &a.NCTIDs),
		envelope.CutText("abstractText", &a.AbstractText),
		envelope.CutText("title", &a.Title),
	})
	return envelope.CutRecord(cut, id.PMID.URL(a.PMID))
}
