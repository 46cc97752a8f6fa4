package service

import (
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
)

// fitArticle shortens an article, the least important parts first.
func fitArticle(a *entity.Article, maxAnswer int) []string {
	cut := fit(a, maxAnswer, []part{
		cutBy("affiliations", func(int) {
			for i := range a.Authors {
				a.Authors[i].Affiliations, a.Authors[i].Affiliation = nil, ""
			}
		}),
		cutText("coiStatement", &a.COIStatement),
		cutBy("otherAbstracts", func(int) { a.OtherAbstracts = nil }),
		cutBy("abstractSections", func(int) { a.AbstractSections = nil }),
		cutBy("authors", func(over int) {
			all := len(a.Authors)
			a.Authors = dropLast(a.Authors, over)
			a.AuthorsIncomplete = a.AuthorsIncomplete || len(a.Authors) < all
		}),
		cutList("corrections", &a.Corrections),
		cutList("dataBanks", &a.DataBanks),
		cutList("chemicals", &a.Chemicals),
		cutList("grantList", &a.GrantList),
		cutList("meshTerms", &a.MeshTerms),
		cutList("keywords", &a.Keywords),
		cutList("nctIds", &a.NCTIDs),
		cutText("abstractText", &a.AbstractText),
		cutText("title", &a.Title),
	})
	return cutRecord(cut, id.PMID.URL(a.PMID))
}
