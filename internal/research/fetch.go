package research

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
)

// A DocumentAnswer is the answer of fetch.
type DocumentAnswer = entity.Answer[entity.ResearchDocument]

// Fetch serves fetch.
func (r *Research) Fetch(ctx context.Context, args tools.FetchArgs) (DocumentAnswer, error) {
	read := r.reader(args.Id)
	if read == nil {
		e := envelope.Refuse("id", args.Id, "%s is no id of a trial, an article, a gene, a variant or a MeSH term",
			envelope.Quoted(args.Id)).As(entity.UnresolvedEntity)
		ids := strings.FieldsFunc(args.Id, func(c rune) bool { return c == ',' || c == ';' || c == ' ' })
		if len(ids) > 1 && !slices.ContainsFunc(ids, func(text string) bool { return r.reader(text) == nil }) {
			return DocumentAnswer{}, e.Hint("Call fetch once for each of these ids: %s.", strings.Join(ids, ", "))
		}
		return DocumentAnswer{}, e.Hint("Call search with %s, then fetch with the id of a result.", envelope.Quoted(args.Id))
	}
	answer, err := read(ctx)
	return answer, forResearch(err)
}

// reader returns the function that reads the document of an id, nil for a text that is no id. Digits alone are a PMID.
func (r *Research) reader(text string) func(context.Context) (DocumentAnswer, error) {
	bind := func(read func(context.Context, string) (DocumentAnswer, error), id string) func(context.Context) (DocumentAnswer, error) {
		return func(ctx context.Context) (DocumentAnswer, error) { return read(ctx, id) }
	}
	for _, of := range []struct {
		kind *id.Kind
		read func(context.Context, string) (DocumentAnswer, error)
	}{
		{id.NCT, r.trial}, {id.Variant, r.variant}, {id.MeSH, r.meshTerm}, {id.PMID, r.article}, {id.PMCID, r.article}, {id.DOI, r.article},
		{id.Gene, r.gene},
	} {
		if canonical, ok := of.kind.Read(text); ok {
			return bind(of.read, canonical)
		}
	}
	if ids, _ := id.NCT.Only(text); len(ids) == 1 { // with its address
		return bind(r.trial, ids[0])
	}
	if _, foreign, labelled := id.OfGene(text); labelled {
		return bind(r.geneOf, foreign)
	}
	return nil
}

// document returns a document without its text.
func document(kind, source string, result entity.ResearchResult) entity.ResearchDocument {
	return entity.ResearchDocument{ID: result.ID, Title: result.Title, URL: result.URL,
		Metadata: entity.ResearchMetadata{Kind: kind, Source: source}}
}

// read adds a part of a document to its text, under a heading, and counts its requests. A part with an error is left out, and a notice
// says so.
func read[T any](into *DocumentAnswer, heading string, part entity.Answer[T], err error) {
	into.Count(part.Notes)
	if err == nil {
		var encoded []byte
		if encoded, err = entity.JSON(part); err == nil {
			into.Value.Text += heading + "\n" + asText(encoded) + "\n"
			return
		}
	}
	into.Add("The text lacks " + strings.ToLower(heading) + ": " + entity.AsError(err).Message)
}

func (r *Research) trial(ctx context.Context, nct string) (answer DocumentAnswer, err error) {
	record, err := r.handlers.GetTrial(ctx, tools.GetTrialArgs{NCTID: nct})
	if err != nil {
		return answer, err
	}
	encoded, err := entity.JSON(record)
	var head struct{ Title string }
	if err == nil {
		err = json.Unmarshal(encoded, &head)
	}
	answer.Value = document("trial", "ClinicalTrials.gov",
		entity.ResearchResult{ID: id.NCT.CURIE(nct), Title: head.Title, URL: id.NCT.URL(nct)})
	read(&answer, "Record", record, err)
	results, err := r.handlers.GetTrialResults(ctx, tools.GetTrialResultsArgs{NCTID: nct, Section: "overview", PageSize: perSource})
	read(&answer, "Results", results, err)
	sites, err := r.handlers.GetTrialLocations(ctx, tools.GetTrialLocationsArgs{NCTID: nct, PageSize: 500})
	read(&answer, "Sites", sites, err)
	if sites.Value.Pagination.Cursor != "" {
		answer.Add("The text has the first sites alone; url has all.")
	}
	return answer, nil
}

// article reads an article by its PMID, PMCID or DOI: its record, and its full text if that may be read.
func (r *Research) article(ctx context.Context, text string) (answer DocumentAnswer, err error) {
	full, failed := r.handlers.GetArticleFullText(ctx, tools.GetArticleFullTextArgs{Id: text, MaxBytes: 400_000})
	pmid, pmc := full.Value.PMID, full.Value.PMCID
	if given, ok := id.PMID.Read(text); ok {
		pmid = given
	}
	result := entity.ResearchResult{ID: pmc, Title: full.Value.Title, URL: "https://pmc.ncbi.nlm.nih.gov/articles/" + pmc + "/"}
	switch record, err := r.record(ctx, pmid); {
	case pmid == "" && failed != nil:
		return answer, failed
	case pmid != "" && err != nil:
		return answer, err
	case pmid != "":
		result = articleResult(pmid, record.Value.Articles[0].Title)
		read(&answer, "Record", record, nil)
	}
	text = answer.Value.Text
	answer.Value = document("article", "PubMed", result)
	answer.Value.Text = text
	read(&answer, "Full text", full, failed)
	if pages := full.Value.Pagination; pages != nil && pages.Cursor != "" {
		answer.Add("The full text is longer than an answer: its end is missing.")
	}
	return answer, nil
}

// record returns the record of an article in PubMed. Without one it returns an error.
func (r *Research) record(ctx context.Context, pmid string) (entity.Answer[entity.ArticleDetails], error) {
	if pmid == "" {
		return entity.Answer[entity.ArticleDetails]{}, nil
	}
	record, err := r.handlers.FetchArticleDetails(ctx,
		tools.FetchArticleDetailsArgs{Pmids: []string{pmid}, DetailLevel: "abstract_plus", IncludeMeshTerms: true})
	if err == nil && len(record.Value.Articles) == 0 {
		err = envelope.NoArticle(tools.Fetch, pmid)
	}
	return record, err
}

func articleResult(pmid, title string) entity.ResearchResult {
	return entity.ResearchResult{ID: pmid, Title: cmp.Or(title, "PMID "+pmid), URL: id.PMID.URL(pmid)}
}

func (r *Research) gene(ctx context.Context, gene string) (answer DocumentAnswer, err error) {
	record, err := r.handlers.GetGene(ctx, tools.GetGeneArgs{EntrezID: gene})
	if err != nil {
		return answer, err
	}
	var head entity.GeneSearchCandidate
	encoded, err := entity.JSON(record)
	if err == nil {
		err = json.Unmarshal(encoded, &head)
	}
	answer.Value = document("gene", "NCBI Gene", geneResult(head.ID, head.Symbol, head.Name))
	read(&answer, "Record", record, err)
	return answer, nil
}

// geneOf reads the gene of an id in another database.
func (r *Research) geneOf(ctx context.Context, foreign string) (DocumentAnswer, error) {
	found, err := r.handlers.SearchGenes(ctx, tools.SearchGenesArgs{Query: []string{foreign}, PageSize: 1})
	if err != nil || len(found.Value.Items) == 0 {
		return DocumentAnswer{}, cmp.Or(err, error(envelope.Refuse("", foreign, "NCBI has no gene with the id %s", foreign).
			As(entity.EntityNotFound).Hint("")))
	}
	answer, err := r.gene(ctx, strings.TrimPrefix(found.Value.Items[0].ID, id.Gene.CURIE("")))
	answer.Count(found.Notes)
	return answer, err
}

func geneResult(curie, symbol, name string) entity.ResearchResult {
	return entity.ResearchResult{ID: curie, Title: symbol + ": " + name, URL: id.Link(curie)}
}

func (r *Research) variant(ctx context.Context, variation string) (answer DocumentAnswer, err error) {
	found, err := r.handlers.VariantsOf(ctx, []string{variation}, &answer.Notes)
	if err != nil {
		return answer, err
	}
	if len(found) == 0 {
		return answer, envelope.Refuse("", variation, "ClinVar has no variant with the id %s", variation).As(entity.EntityNotFound).Hint("")
	}
	answer.Value = document("variant", "ClinVar",
		entity.ResearchResult{ID: id.Variant.CURIE(variation), Title: found[0].Name, URL: id.Variant.URL(variation)})
	read(&answer, "Record", entity.Answer[entity.GeneVariant]{Value: found[0]}, nil)
	return answer, nil
}

func (r *Research) meshTerm(ctx context.Context, term string) (answer DocumentAnswer, err error) {
	term = strings.ToUpper(term)
	found, err := r.handlers.LookupMesh(ctx, tools.LookupMeshArgs{Query: term})
	if err != nil {
		return answer, err
	}
	heading := found.Value.Items[0]
	answer.Value = document("MeSH term", "MeSH", entity.ResearchResult{ID: heading.ID, Title: heading.Name, URL: id.MeSH.URL(term)})
	read(&answer, "Record", entity.Answer[entity.MeshHeading]{Value: heading, Notes: found.Notes}, nil)
	return answer, nil
}
