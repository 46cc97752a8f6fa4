package service

import (
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
)

// fitArticle shortens an article, the least important parts first.
func fitArticle(a *entity.Article, maxAnswer int) []string {
	cut := fit(a, maxAnswer, []part{
		{"affiliations", func(int) {
			for i := range a.Authors {
				a.Authors[i].Affiliations, a.Authors[i].Affiliation = nil, ""
			}
		}},
		{"coiStatement", shortenText(&a.COIStatement)},
		{"otherAbstracts", func(int) { a.OtherAbstracts = nil }},
		{"abstractSections", func(int) { a.AbstractSections = nil }},
		{"authors", func(over int) {
			all := len(a.Authors)
			a.Authors = dropLast(a.Authors, over)
			a.AuthorsIncomplete = a.AuthorsIncomplete || len(a.Authors) < all
		}},
		{"corrections", shortenList(&a.Corrections)},
		{"dataBanks", shortenList(&a.DataBanks)},
		{"chemicals", shortenList(&a.Chemicals)},
		{"grantList", shortenList(&a.GrantList)},
		{"meshTerms", shortenList(&a.MeshTerms)},
		{"keywords", shortenList(&a.Keywords)},
		{"nctIds", shortenList(&a.NCTIDs)},
		{"abstractText", shortenText(&a.AbstractText)},
		{"title", shortenText(&a.Title)},
	})
	return cutRecord(cut, id.PMID.URL(a.PMID))
}
