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

// cutRecord says what is missing of a record and where it can be read.
func cutRecord(cut []string, whole string) []string {
	if len(cut) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("The record is larger than an answer may be; cut were %s. The whole record: %s", strings.Join(cut, ", "), whole)}
}

// fitTrial shortens a trial, the least telling parts first.
func fitTrial(t *entity.Trial, maxAnswer int) []string {
	cut := fit(t, maxAnswer, []part{
		{"detailed_description", func(over int) { t.DetailedDescription = shortened(t.DetailedDescription, over) }},
		{"descriptions of secondary_outcomes", func(int) { dropDescriptions(t.SecondaryOutcomes) }},
		{"descriptions of primary_outcomes", func(int) { dropDescriptions(t.PrimaryOutcomes) }},
		{"secondary_outcomes", func(over int) { t.SecondaryOutcomes = dropLast(t.SecondaryOutcomes, over) }},
		{"primary_outcomes", func(over int) { t.PrimaryOutcomes = dropLast(t.PrimaryOutcomes, over) }},
		{"criteria_text", func(over int) {
			if e := t.EligibilityCriteria; e != nil {
				e.CriteriaText = shortened(e.CriteriaText, over)
				if *e == (entity.EligibilityCriteria{}) {
					t.EligibilityCriteria = nil
				}
			}
		}},
		{"brief_summary", func(over int) { t.BriefSummary = shortened(t.BriefSummary, over) }},
		{"pubmed_background", func(over int) {
			t.CrossReferences.PubMedBackground = dropLast(t.CrossReferences.PubMedBackground, over)
		}},
		{"pubmed", func(over int) { t.CrossReferences.PubMed = dropLast(t.CrossReferences.PubMed, over) }},
		{"mesh_interventions", func(over int) {
			t.CrossReferences.MeSHInterventions = dropLast(t.CrossReferences.MeSHInterventions, over)
		}},
		{"mesh_conditions", func(over int) { t.CrossReferences.MeSHConditions = dropLast(t.CrossReferences.MeSHConditions, over) }},
		{"central_contacts", func(over int) { t.CentralContacts = dropLast(t.CentralContacts, over) }},
		{"sponsors", func(over int) { t.Sponsors = dropLast(t.Sponsors, over) }},
		{"interventions", func(over int) { t.Interventions = dropLast(t.Interventions, over) }},
		{"conditions", func(over int) { t.Conditions = dropLast(t.Conditions, over) }},
	})
	return cutRecord(cut, t.CrossReferences.ClinicalTrialsGov)
}

// fitGene shortens a gene, the least telling parts first.
func fitGene(g *entity.Gene, maxAnswer int) []string {
	refs := &g.CrossReferences
	cut := fit(g, maxAnswer, []part{
		{"refseq", func(over int) { refs.RefSeq = dropLast(refs.RefSeq, over) }},
		{"ensembl_transcript", func(over int) { refs.EnsemblTranscript = dropLast(refs.EnsemblTranscript, over) }},
		{"aliases", func(over int) { g.Aliases = dropLast(g.Aliases, over) }},
		{"summary", func(over int) { g.Summary = shortened(g.Summary, over) }},
		{"uniprot", func(over int) { refs.UniProt = dropLast(refs.UniProt, over) }},
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
		{"coiStatement", func(over int) { a.COIStatement = shortened(a.COIStatement, over) }},
		{"otherAbstracts", func(int) { a.OtherAbstracts = nil }},
		{"abstractSections", func(int) { a.AbstractSections = nil }},
		{"authors", func(over int) {
			all := len(a.Authors)
			a.Authors = dropLast(a.Authors, over)
			a.AuthorsIncomplete = a.AuthorsIncomplete || len(a.Authors) < all
		}},
		{"corrections", func(over int) { a.Corrections = dropLast(a.Corrections, over) }},
		{"dataBanks", func(over int) { a.DataBanks = dropLast(a.DataBanks, over) }},
		{"chemicals", func(over int) { a.Chemicals = dropLast(a.Chemicals, over) }},
		{"grantList", func(over int) { a.GrantList = dropLast(a.GrantList, over) }},
		{"meshTerms", func(over int) { a.MeshTerms = dropLast(a.MeshTerms, over) }},
		{"keywords", func(over int) { a.Keywords = dropLast(a.Keywords, over) }},
		{"nctIds", func(over int) { a.NCTIDs = dropLast(a.NCTIDs, over) }},
		{"abstractText", func(over int) { a.AbstractText = shortened(a.AbstractText, over) }},
		{"title", func(over int) { a.Title = shortened(a.Title, over) }},
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

func dropDescriptions(outcomes []entity.Outcome) {
	for i := range outcomes {
		if outcomes[i].Measure != "" || outcomes[i].TimeFrame != "" {
			outcomes[i].Description = ""
		}
	}
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
