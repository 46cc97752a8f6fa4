package service

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
)

// envelopeBytes is what an answer has around its items: pagination, notices.
const envelopeBytes = 2048

// fitting returns how many of the items stay within the size of an answer, at
// least one.
func fitting[T any](items []T, maxAnswer int) int {
	size := envelopeBytes
	for i := range items {
		if size += entity.Size(items[i]) + 1; size > maxAnswer {
			return max(1, i)
		}
	}
	return len(items)
}

// A part of a record that can be made shorter by some bytes.
type part struct {
	name    string
	shorten func(over int)
}

// last shortens a list from its end.
func last[T any](list *[]T) func(int) { return func(over int) { *list = dropLast(*list, over) } }

// text shortens a text.
func text(s *string) func(int) { return func(over int) { *s = shortened(*s, over) } }

// fit shortens a record that is larger than an answer may be, in the order of
// its parts, and names those that it cut.
func fit(record any, maxAnswer int, parts []part) (cut []string) {
	size := func() int { return entity.Size(record) + envelopeBytes }
	over := size() - maxAnswer
	for _, p := range parts {
		if over <= 0 {
			break
		}
		before := over
		p.shorten(over)
		if over = size() - maxAnswer; over != before {
			cut = append(cut, p.name)
		}
	}
	return cut
}

// wholeRecord stands before the address of a record.
const wholeRecord = "The whole record:"

// cutRecord says what is missing of a record and where it can be read.
func cutRecord(cut []string, whole string) []string {
	if len(cut) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("The record is larger than an answer may be; cut were %s. %s %s", strings.Join(cut, ", "),
		wholeRecord, whole)}
}

// fitGene shortens a gene, the least telling parts first.
func fitGene(g *entity.Gene, maxAnswer int) []string {
	refs := &g.CrossReferences
	cut := fit(g, maxAnswer, []part{
		{"pmids of go_terms", func(int) {
			for i := range g.GOTerms {
				g.GOTerms[i].PMIDs = nil
			}
		}},
		{"go_terms", last(&g.GOTerms)},
		{"phenotypes", last(&g.Phenotypes)},
		{"locations", last(&g.Locations)},
		{"refseq", last(&refs.RefSeq)},
		{"ensembl_transcript", last(&refs.EnsemblTranscript)},
		{"aliases", last(&g.Aliases)},
		{"summary", text(&g.Summary)},
		{"uniprot", last(&refs.UniProt)},
	})
	return cutRecord(cut, id.Gene.URL(refs.Entrez))
}

// fitArticle shortens an article, the least telling parts first.
func fitArticle(a *entity.Article, maxAnswer int) []string {
	cut := fit(a, maxAnswer, []part{
		{"affiliations", func(int) {
			for i := range a.Authors {
				a.Authors[i].Affiliations, a.Authors[i].Affiliation = nil, ""
			}
		}},
		{"coiStatement", text(&a.COIStatement)},
		{"otherAbstracts", func(int) { a.OtherAbstracts = nil }},
		{"abstractSections", func(int) { a.AbstractSections = nil }},
		{"authors", func(over int) {
			all := len(a.Authors)
			a.Authors = dropLast(a.Authors, over)
			a.AuthorsIncomplete = a.AuthorsIncomplete || len(a.Authors) < all
		}},
		{"corrections", last(&a.Corrections)},
		{"dataBanks", last(&a.DataBanks)},
		{"chemicals", last(&a.Chemicals)},
		{"grantList", last(&a.GrantList)},
		{"meshTerms", last(&a.MeshTerms)},
		{"keywords", last(&a.Keywords)},
		{"nctIds", last(&a.NCTIDs)},
		{"abstractText", text(&a.AbstractText)},
		{"title", text(&a.Title)},
	})
	return cutRecord(cut, id.PMID.URL(a.PMID))
}

// shortened takes at least over bytes off the end of a text.
func shortened(text string, over int) string {
	keep := len(text) - over - len("…") - 1
	for keep > 0 && !utf8.RuneStart(text[keep]) {
		keep--
	}
	if keep <= 0 {
		return ""
	}
	return entity.Cut(text, utf8.RuneCountInString(text[:keep]))
}

// dropLast takes elements off the end until over bytes are gone.
func dropLast[T any](list []T, over int) []T {
	for len(list) > 0 && over > 0 {
		over -= entity.Size(list[len(list)-1]) + 1
		list = list[:len(list)-1]
	}
	if len(list) == 0 {
		return nil
	}
	return list
}
