//go:build live

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/expect"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
)

// TestLive calls every tool with the real upstreams, prints the latency of every call and checks the answers. It runs only on purpose:
// make live. BIOFACT_LIVE_SANDBOX=embedded, or the path of real records, replaces the upstreams with a sandbox.
func TestLive(t *testing.T) {
	cfg, err := config.Read(os.Environ())
	expect.NoError(t, err)
	cfg.Sandbox = os.Getenv("BIOFACT_LIVE_SANDBOX")
	a, err := app.New(t.Context(), cfg, "live", nil)
	expect.NoError(t, err)
	defer a.Close()
	l := &live{app: a, timeout: cfg.CallTimeout}
	t.Run("search", l.search)
	t.Run("pages", l.pages)
	t.Run("filters", l.filters)
	t.Run("trial", l.trial)
	t.Run("whole trial", l.completeTrial)
	t.Run("locations", l.locations)
	t.Run("near", l.near)
	t.Run("zip codes", l.zipCodes)
	t.Run("results", l.results)
	t.Run("errors", l.errors)
	t.Run("best known trials", l.bestKnown)
	t.Run("search genes", l.searchGenes)
	t.Run("gene", l.gene)
	t.Run("gene links", l.geneLinks)
	t.Run("genes in depth", l.genesInDepth)
	t.Run("gene lists", l.geneLists)
	t.Run("gene variants", l.geneVariants)
	t.Run("gene orthologs", l.geneOrthologs)
	t.Run("gene transcripts", l.geneTranscripts)
	t.Run("gene errors", l.geneErrors)
	t.Run("search articles", l.searchArticles)
	t.Run("found articles", l.foundArticles)
	t.Run("all of many articles", l.walkArticles)
	t.Run("queries of articles", l.articleQueries)
	t.Run("count articles", l.countArticles)
	t.Run("article", l.article)
	t.Run("full text", l.fullText)
	t.Run("ids of articles", l.convertIDs)
	t.Run("mesh", l.mesh)
	t.Run("matched citations", l.matchCitations)
	t.Run("related articles", l.relatedArticles)
	t.Run("citations", l.citations)
	t.Run("from trial to trial", l.fromTrialToTrial)
	t.Run("from gene to articles", l.fromGeneToArticles)
	t.Run("article errors", l.articleErrors)
	t.Run("resources", l.resources)
}

type live struct {
	app     *app.App
	timeout time.Duration
}

// call makes one call, prints its latency, and decodes its envelope.
func (l *live) call(t *testing.T, tool string, arguments map[string]any, into any) (code entity.Code) {
	t.Helper()
	raw, err := json.Marshal(arguments)
	expect.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), l.timeout)
	defer cancel()
	start := time.Now()
	result := l.app.Tool(tool).Call(ctx, l.app.Log, raw)
	t.Logf("%6d ms %7d bytes  %s %s", time.Since(start).Milliseconds(), len(result.JSON), tool, raw)
	if result.IsError {
		var envelope struct {
			Error entity.ErrorDetails `json:"error"`
		}
		expect.NoError(t, json.Unmarshal(result.JSON, &envelope))
		expect.Must(t, into == nil, "%s %s: %s: %s", tool, raw, envelope.Error.Code, envelope.Error.Message)
		return envelope.Error.Code
	}
	expect.Must(t, into != nil, "%s %s: want an error, got %.200s", tool, raw, result.JSON)
	expect.NoError(t, json.Unmarshal(result.JSON, into))
	return ""
}

type candidates = entity.Page[entity.TrialSearchCandidate]

func (l *live) search(t *testing.T) {
	for _, scenario := range []struct {
		name      string
		arguments map[string]any
		valid     func(entity.TrialSearchCandidate) bool // must hold for every candidate
	}{
		{"words", map[string]any{"query": "breast cancer"}, nil},
		{"words of the independent test", map[string]any{"query": "breast cancer immunotherapy"}, nil},
		{"several filters", map[string]any{"condition": "diabetes", "intervention": "insulin", "status": "recruiting"},
			func(c entity.TrialSearchCandidate) bool { return c.Status == "RECRUITING" }},
		{"a place", map[string]any{"query": "heart disease", "location": "Boston, MA"}, nil},
		{"a phase", map[string]any{"condition": "melanoma", "phase": "Phase 3"},
			func(c entity.TrialSearchCandidate) bool { return c.Phase == "PHASE3" && len(c.Phases) == 0 }},
		{"phase and status", map[string]any{"condition": "asthma", "phase": "Phase 3", "status": "COMPLETED"},
			func(c entity.TrialSearchCandidate) bool { return c.Phase == "PHASE3" && c.Status == "COMPLETED" }},
		{"combined phases", map[string]any{"phase": "2/3", "status": []string{"recruiting", "completed", "unknown"}},
			func(c entity.TrialSearchCandidate) bool {
				return slices.Equal(c.Phases, []entity.Phase{"PHASE2", "PHASE3"})
			}},
		{"observational studies", map[string]any{"study_type": "observational", "query": "cohort"},
			func(c entity.TrialSearchCandidate) bool { return c.Phase == "" }},
		{"ids", map[string]any{"query": "NCT00461032"},
			func(c entity.TrialSearchCandidate) bool { return c.ID == "NCT:00461032" }},
	} {
		t.Run(scenario.name, func(t *testing.T) {
			scenario.arguments["page_size"] = 20
			var page candidates
			l.call(t, "search_trials", scenario.arguments, &page)
			expect.That(t, len(page.Items) != 0 && page.Pagination.TotalCount != nil && *page.Pagination.TotalCount >= len(page.Items),
				"%d candidates, total %v", len(page.Items), page.Pagination.TotalCount)
			for _, c := range page.Items {
				expect.That(t, scenario.valid == nil || scenario.valid(c),
					"%s does not match the search: %s %s %v", c.ID, c.Status, c.Phase, c.Phases)
			}
		})
	}
	t.Run("no results", func(t *testing.T) {
		var page candidates
		l.call(t, "search_trials", map[string]any{"query": "qwxzvkjq"}, &page)
		expect.That(t, len(page.Items) == 0 && page.Pagination.TotalCount != nil && *page.Pagination.TotalCount == 0,
			"%d candidates, total %v", len(page.Items), page.Pagination.TotalCount)
	})
}

func (l *live) pages(t *testing.T) {
	arguments := map[string]any{"query": "cancer", "status": "recruiting", "page_size": 3}
	seen := map[string]bool{}
	for range 3 {
		var page candidates
		l.call(t, "search_trials", arguments, &page)
		expect.That(t, page.Pagination.TotalCount != nil, "a page without total")
		for _, c := range page.Items {
			expect.That(t, !seen[c.ID], "%s is on two pages", c.ID)
			seen[c.ID] = true
		}
		if page.Pagination.Cursor == "" {
			break
		}
		arguments["cursor"] = page.Pagination.Cursor
	}
	expect.That(t, len(seen) >= 4, "three pages have %d trials", len(seen))
}

func (l *live) trial(t *testing.T) {
	var trial entity.Trial
	l.call(t, "get_trial", map[string]any{"nct_id": "NCT:00461032"}, &trial)
	switch {
	case trial.ID != "NCT:00461032", !strings.Contains(trial.Title, "Montelukast"),
		trial.Status != "COMPLETED", trial.Phase != "PHASE3",
		trial.Enrollment == nil || *trial.Enrollment != 1162,
		trial.StartDate != "2006-06", trial.CompletionDate != "2006-11",
		trial.HasResults == nil || !*trial.HasResults,
		trial.EligibilityCriteria == nil || trial.EligibilityCriteria.MinimumAge != "6 Years",
		len(trial.PrimaryOutcomes) == 0, len(trial.Sponsors) == 0,
		!slices.Contains(trial.CrossReferences.MeSHConditions, "D001249"):
		t.Errorf("not the montelukast study: %+v", trial)
	}
	for _, id := range []string{"NCT04280705", "nct:05436431", " NCT04123456 "} {
		var other entity.Trial
		l.call(t, "get_trial", map[string]any{"nct_id": id}, &other)
		expect.That(t, other.Title != "" && other.Status != "", "%s: title %q, status %q", id, other.Title, other.Status)
	}
	// An alias returns the record with its current id.
	var alias entity.Trial
	l.call(t, "get_trial", map[string]any{"nct_id": "NCT02300909"}, &alias)
	if len(alias.IDAliases) > 0 {
		var canonical entity.Trial
		l.call(t, "get_trial", map[string]any{"nct_id": alias.IDAliases[0]}, &canonical)
		expect.Equal(t, fmt.Sprintf("alias %s", alias.IDAliases[0]), alias.ID, canonical.ID)
	}
}

// completeTrial reads parts of a record, and one of its documents at an address that no source documents.
func (l *live) completeTrial(t *testing.T) {
	var trial entity.Trial
	l.call(t, "get_trial", map[string]any{"nct_id": "NCT02808429", "sections": []string{"arms", "references"}}, &trial)
	expect.Must(t, len(trial.Arms) == 3 && len(trial.InterventionDetails) == 3 && len(trial.Documents) >= 2,
		"%d arms, %d interventions, %d documents", len(trial.Arms), len(trial.InterventionDetails), len(trial.Documents))
	expect.That(t, trial.EligibilityCriteria == nil && trial.Organization == "", "the answer has sections that were not requested")
	if os.Getenv("BIOFACT_LIVE_SANDBOX") != "" {
		return // without documents
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodHead, trial.Documents[0].URL, nil)
	expect.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	expect.NoError(t, err)
	defer resp.Body.Close()
	expect.That(t, resp.StatusCode == http.StatusOK && resp.Header.Get("Content-Type") == "application/pdf",
		"%s: status %d, %s", trial.Documents[0].URL, resp.StatusCode, resp.Header.Get("Content-Type"))
}

func (l *live) locations(t *testing.T) {
	for _, id := range []string{"NCT:04123456", "NCT:05436431", "NCT:00461032"} {
		var page entity.Page[entity.TrialLocation]
		l.call(t, "get_trial_locations", map[string]any{"nct_id": id, "page_size": 500}, &page)
		expect.That(t, page.Pagination.TotalCount != nil && *page.Pagination.TotalCount >= len(page.Items),
			"%s: %d sites, total %v", id, len(page.Items), page.Pagination.TotalCount)
	}
	// A place is looked up in the registry's sites: Lexington is not a site of the trial.
	for _, near := range []string{"Lexington, KY", "02115", "02201", "42.36,-71.06", "Lyon, France"} {
		var page entity.Page[entity.TrialLocation]
		l.call(t, "get_trial_locations",
			map[string]any{"nct_id": "NCT:02513394", "near": near, "within": "20000 km", "page_size": 1}, &page)
		expect.That(t, len(page.Items) == 1 && page.Items[0].DistanceKM != nil, "%s: %+v", near, page)
	}
	expect.Is(t, l.call(t, "get_trial_locations", map[string]any{"nct_id": "NCT:00461032", "near": "Springfield"}, nil),
		entity.AmbiguousQuery, "Springfield")
}

func (l *live) results(t *testing.T) {
	var overview, outcomes, events, table entity.TrialResults
	id := map[string]any{"nct_id": "NCT:02513394"} // its primary outcome has a hazard ratio
	with := func(key string, value any) map[string]any { return map[string]any{"nct_id": id["nct_id"], key: value} }
	l.call(t, "get_trial_results", id, &overview)
	expect.That(t, overview.Posted() && len(overview.OutcomeMeasures) > 0 && overview.AdverseEvents != nil,
		"an overview without outcomes or adverse events")
	l.call(t, "get_trial_results", with("outcome", "1"), &outcomes)
	expect.That(t, len(outcomes.OutcomeMeasures) == 1 && len(outcomes.OutcomeMeasures[0].Analyses) > 0, "outcome 1 without its analysis")
	l.call(t, "get_trial_results", with("min_percent", 20), &events)
	expect.That(t, events.AdverseEvents != nil && len(events.AdverseEvents.Events) > 0, "no events of 20 %%")
	l.call(t, "get_trial_results", map[string]any{"nct_id": id["nct_id"], "section": "participant_flow", "format": "csv"}, &table)
	expect.That(t, strings.Contains(table.CSV, "STARTED"), "a flow without a start")
	var none entity.TrialResults
	l.call(t, "get_trial_results", map[string]any{"nct_id": "NCT:03683472"}, &none) // submitted several times, never posted
	expect.That(t, none.Posted() || none.Unposted != nil, "neither results nor their state")
}

func (l *live) errors(t *testing.T) {
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		want      entity.Code
	}{
		{"get_trial", map[string]any{"nct_id": "breast cancer"}, entity.UnresolvedEntity},
		{"get_trial", map[string]any{"nct_id": "NCT:99999999"}, entity.EntityNotFound},
		{"get_trial_locations", map[string]any{"nct_id": "invalid"}, entity.UnresolvedEntity},
		{"search_trials", map[string]any{"query": "a"}, entity.AmbiguousQuery},
		{"search_trials", map[string]any{"condition": "asthma", "page_size": 500}, entity.InvalidInput},
	} {
		expect.Equal(t, fmt.Sprintf("%s %v", c.tool, c.arguments), c.want, l.call(t, c.tool, c.arguments, nil))
	}
}

// bestKnown checks that the best-known trial of a query is among the first ten.
func (l *live) bestKnown(t *testing.T) {
	found := 0
	queries := []struct{ query, id string }{
		{"KEYNOTE-024 pembrolizumab lung cancer", "NCT:02142738"},
		{"dapagliflozin heart failure DAPA-HF", "NCT:03036124"},
		{"adaptive COVID-19 treatment trial remdesivir", "NCT:04280705"},
		{"RECOVERY COVID-19 randomised evaluation", "NCT:04381936"},
		{"systolic blood pressure intervention trial SPRINT", "NCT:01206062"},
		{"BNT162b2 vaccine COVID-19", "NCT:04368728"},
		{"mRNA-1273 vaccine COVID-19", "NCT:04470427"},
		{"tirzepatide obesity SURMOUNT-1", "NCT:04184622"},
		{"lecanemab early Alzheimer's disease", "NCT:03887455"},
		{"evolocumab cardiovascular outcomes FOURIER", "NCT:01764633"},
	}
	for _, q := range queries {
		var page candidates
		l.call(t, "search_trials", map[string]any{"query": q.query, "page_size": 10}, &page)
		rank := 1 + slices.IndexFunc(page.Items, func(c entity.TrialSearchCandidate) bool { return c.ID == q.id })
		if rank > 0 {
			found++
		}
		t.Logf("rank %2d of 10  %s  %s", rank, q.id, q.query)
	}
	t.Logf("%d of %d best-known trials are among the first ten", found, len(queries))
	if found < 8 { // the goal is the best-known trial for 80 % of the queries
		t.Errorf("only %d of %d", found, len(queries))
	}
}

func (l *live) searchGenes(t *testing.T) {
	for _, scenario := range []struct {
		arguments map[string]any
		first     string // id that must be first
		organism  string // of all candidates
	}{
		{map[string]any{"query": "BRCA1"}, "NCBIGene:672", ""},
		{map[string]any{"query": "tumor suppressor", "page_size": 20}, "", ""},
		{map[string]any{"query": "TP53", "organism": "human"}, "NCBIGene:7157", "Homo sapiens"},
		{map[string]any{"query": "p53", "organism": "human"}, "NCBIGene:7157", "Homo sapiens"},
		{map[string]any{"query": "TP53", "organism": "mouse"}, "NCBIGene:22059", "Mus musculus"},
		{map[string]any{"query": "BRCA1[sym]", "organism": "9606"}, "NCBIGene:672", "Homo sapiens"},
	} {
		var page entity.Page[entity.GeneSearchCandidate]
		l.call(t, "search_genes", scenario.arguments, &page)
		if len(page.Items) == 0 || page.Pagination.TotalCount == nil || *page.Pagination.TotalCount < len(page.Items) {
			t.Errorf("%v: %d candidates, total %v", scenario.arguments, len(page.Items), page.Pagination.TotalCount)
			continue
		}
		if page.Items[0].ID != scenario.first && scenario.first != "" {
			t.Errorf("%v: %s is first, want %s", scenario.arguments, page.Items[0].ID, scenario.first)
		}
		for i, c := range page.Items {
			expect.That(t, scenario.organism == "" || strings.HasPrefix(c.Organism, scenario.organism),
				"%v: %s is of %s", scenario.arguments, c.ID, c.Organism)
			if i > 0 && c.Score >= page.Items[i-1].Score {
				t.Errorf("%v: scores %v, %v", scenario.arguments, page.Items[i-1].Score, c.Score)
			}
		}
	}
	var none entity.Page[entity.GeneSearchCandidate]
	l.call(t, "search_genes", map[string]any{"query": "qwxzvkjq"}, &none)
	expect.That(t, len(none.Items) == 0 && none.Pagination.TotalCount != nil && *none.Pagination.TotalCount == 0,
		"%d candidates, total %v", len(none.Items), none.Pagination.TotalCount)
}

func (l *live) gene(t *testing.T) {
	var gene entity.Gene
	l.call(t, "get_gene", map[string]any{"entrez_id": "NCBIGene:7157"}, &gene)
	refs := gene.CrossReferences
	switch {
	case gene.Symbol != "TP53", gene.Name != "tumor protein p53", gene.Organism != "Homo sapiens", gene.TaxonID != 9606,
		gene.MapLocation != "17p13.1", gene.Chromosome != "17", gene.Summary == "", !slices.Contains(gene.Aliases, "P53"),
		refs.HGNC != "HGNC:11998", refs.EnsemblGene != "ENSG00000141510", refs.OMIM != "191170",
		!slices.Equal(refs.UniProt, []string{"P04637"}), !slices.Contains(refs.RefSeq, "NM_000546"), refs.Entrez != "7157":
		t.Errorf("not TP53: %+v", gene)
	}
}

func (l *live) geneLinks(t *testing.T) {
	var page entity.Page[entity.PubMedLink]
	l.call(t, "get_pubmed_links", map[string]any{"entrez_id": "NCBIGene:7157"}, &page)
	expect.That(t, len(page.Items) == 20 && page.Pagination.TotalCount != nil && *page.Pagination.TotalCount >= 1000 &&
		page.Pagination.Cursor != "",
		"%d links, total %v", len(page.Items), page.Pagination.TotalCount)
	l.call(t, "get_pubmed_links", map[string]any{"entrez_id": "NCBIGene:7157", "limit": 10}, &page)
	expect.Equal(t, "links", 10, len(page.Items))
}

func (l *live) geneErrors(t *testing.T) {
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		want      entity.Code
	}{
		{"get_gene", map[string]any{"entrez_id": "TP53"}, entity.UnresolvedEntity},
		{"get_gene", map[string]any{"entrez_id": "NCBIGene:999999999"}, entity.EntityNotFound},
		{"get_pubmed_links", map[string]any{"entrez_id": "NCBIGene:999999999"}, entity.EntityNotFound},
		{"get_gene_orthologs", map[string]any{"entrez_id": "NCBIGene:999999999"}, entity.EntityNotFound},
		{"get_gene_orthologs", map[string]any{"entrez_id": "7157", "organism": "frog"}, entity.AmbiguousQuery},
		{"get_gene_transcripts", map[string]any{"entrez_id": "NCBIGene:999999999"}, entity.EntityNotFound},
		{"search_genes", map[string]any{"query": "TP53", "organism": "Homo nonexistens"}, entity.InvalidInput},
		{"search_genes", map[string]any{"query": "*"}, entity.AmbiguousQuery},
	} {
		expect.Equal(t, fmt.Sprintf("%s %v", c.tool, c.arguments), c.want, l.call(t, c.tool, c.arguments, nil))
	}
}

func (l *live) searchArticles(t *testing.T) {
	for _, scenario := range []struct {
		arguments map[string]any
		term      string // term that is sent
		of        string // publication type of each article
		rare      bool   // a sandbox may have no such article
	}{
		{map[string]any{
			"queryTerm": "precision oncology", "dateRange": map[string]any{"minDate": "2023", "maxDate": "2023", "dateType": "pdat"},
			"filterByPublicationTypes": []string{"Review"}, "fetchBriefSummaries": 5,
		}, `(precision oncology) AND (2023:2023[pdat]) AND ("Review"[Publication Type])`, "Review", true},
		{map[string]any{"queryTerm": "breast cancer", "fetchBriefSummaries": 5, "maxResults": 10}, "breast cancer", "", false},
		{map[string]any{"queryTerm": "covid-19 vaccine", "filterByPublicationTypes": []string{"Randomized Controlled Trial"},
			"fetchBriefSummaries": 3},
			`(covid-19 vaccine) AND ("Randomized Controlled Trial"[Publication Type])`, "Randomized Controlled Trial", false},
		{map[string]any{"queryTerm": "Polack FP[au] AND 2020[dp]", "fetchBriefSummaries": 1}, "Polack FP[au] AND 2020[dp]", "", false},
		{map[string]any{"queryTerm": "remdesivir", "sortBy": "pub_date", "fetchBriefSummaries": 5,
			"dateRange": map[string]any{"minDate": "2020/01"}},
			"(remdesivir) AND (2020/01:3000[pdat])", "", false},
	} {
		var found entity.ArticleSearch
		l.call(t, "searchPubMedArticles", scenario.arguments, &found)
		expect.That(t, found.EffectiveESearchTerm == scenario.term && found.RetrievedPMIDCount == len(found.PMIDs) &&
			found.TotalFound >= len(found.PMIDs),
			"%v: term %s, %d of %d PMIDs", scenario.arguments, found.EffectiveESearchTerm, found.RetrievedPMIDCount, found.TotalFound)
		expect.That(t, len(found.PMIDs) != 0 || scenario.rare && os.Getenv("BIOFACT_LIVE_SANDBOX") != "",
			"%v: no article", scenario.arguments)
		if want := min(len(found.PMIDs), found.SearchParameters.FetchBriefSummaries); len(found.BriefSummaries) != want {
			t.Errorf("%v: %d summaries, want %d", scenario.arguments, len(found.BriefSummaries), want)
		}
		for i, b := range found.BriefSummaries {
			expect.That(t, b.PMID == found.PMIDs[i] && b.Title != "" && b.Source != "" && b.PubDate != "" &&
				(scenario.of == "" || slices.Contains(b.PublicationTypes, scenario.of)),
				"%v: summary %d: %+v", scenario.arguments, i, b)
		}
	}
	var none entity.ArticleSearch
	l.call(t, "searchPubMedArticles", map[string]any{"queryTerm": "qwxzvkjq"}, &none)
	expect.That(t, none.TotalFound == 0 && len(none.PMIDs) == 0, "%d articles", none.TotalFound)
}

// foundArticles reads the articles that a search has found.
func (l *live) foundArticles(t *testing.T) {
	var found entity.ArticleSearch
	l.call(t, "searchPubMedArticles", map[string]any{"queryTerm": "breast cancer", "maxResults": 5}, &found)
	for _, level := range []string{"abstract_plus", "abstract", "full_xml", "medline_text", "citation_data"} {
		var details entity.ArticleDetails
		l.call(t, "fetchArticleDetails", map[string]any{"pmids": found.PMIDs, "detailLevel": level, "includeGrantInfo": true}, &details)
		expect.That(t, slices.Equal(details.RequestedPMIDs, found.PMIDs) && len(details.NotFoundPMIDs) == 0 &&
			len(details.EFetchDetails.URLs) == 1,
			"%s: requested %q, not found %q", level, details.RequestedPMIDs, details.NotFoundPMIDs)
		if level == "full_xml" || level == "medline_text" {
			for _, pmid := range found.PMIDs {
				expect.That(t, details.Content != nil && strings.Contains(*details.Content, pmid), "%s: nothing of %s", level, pmid)
			}
			continue
		}
		expect.Must(t, len(details.Articles) == len(found.PMIDs),
			"%s: %d articles of %d", level, len(details.Articles), len(found.PMIDs))
		for i, a := range details.Articles {
			expect.That(t, a.PMID == found.PMIDs[i] && a.Title != "" && len(a.PublicationTypes) != 0 &&
				(a.JournalInfo != nil || a.Book != nil),
				"%s: article %d: %+v", level, i, a)
		}
	}
}

// vaccine is an article with relations of all kinds, and vaccineTrial its trial.
const vaccine, vaccineTrial = "33301246", "NCT:04368728"

func (l *live) article(t *testing.T) {
	var details entity.ArticleDetails
	l.call(t, "fetchArticleDetails", map[string]any{"pmids": []string{"PMID: " + vaccine, "999999999"}}, &details)
	expect.Must(t, slices.Equal(details.NotFoundPMIDs, []string{"999999999"}) && len(details.Articles) == 1,
		"%d articles, not found %q", len(details.Articles), details.NotFoundPMIDs)
	a := details.Articles[0]
	switch {
	case a.Title != "Safety and Efficacy of the BNT162b2 mRNA Covid-19 Vaccine.", a.DOI != "10.1056/NEJMoa2034577", a.PMCID != "PMC7745181",
		len(a.Authors) == 0 || a.Authors[0].LastName != "Polack", a.AbstractText == "", len(a.MeshTerms) == 0,
		a.JournalInfo == nil || a.JournalInfo.Volume != "383" || a.JournalInfo.Issue != "27" || a.JournalInfo.PublicationDate.Year != 2020,
		!slices.Contains(a.PublicationTypes, "Randomized Controlled Trial"), !slices.Contains(a.NCTIDs, vaccineTrial), a.Retracted:
		t.Errorf("not the article: %+v", a)
	}
	l.call(t, "fetchArticleDetails", map[string]any{"pmids": "32450107"}, &details)
	expect.That(t, len(details.Articles) == 1 && details.Articles[0].Retracted, "not retracted: %+v", details.Articles)
}

func (l *live) relatedArticles(t *testing.T) {
	for _, kind := range []string{"pubmed_similar_articles", "pubmed_citedin", "pubmed_references"} {
		var related entity.ArticleRelationships
		l.call(t, "getArticleRelationships", map[string]any{"sourcePmid": vaccine, "relationshipType": kind}, &related)
		expect.That(t, len(related.RelatedArticles) != 0 && related.RetrievedCount == len(related.RelatedArticles) &&
			related.ELinkURL != "",
			"%s: %d articles, counted %d", kind, len(related.RelatedArticles), related.RetrievedCount)
		last := 1.0
		for _, r := range related.RelatedArticles {
			expect.That(t, r.PMID != vaccine && r.Title != "" && strings.Contains(r.LinkURL, r.PMID), "%s: %+v", kind, r)
			if r.Score == nil { // timed out, or a kind without scores
				continue
			}
			if kind != "pubmed_similar_articles" || *r.Score > last || *r.Score < 0 {
				t.Errorf("%s: %s has the score %v after %v", kind, r.PMID, *r.Score, last)
			}
			last = *r.Score
		}
	}
}

func (l *live) citations(t *testing.T) {
	var cited entity.ArticleRelationships
	styles := []string{"ris", "bibtex", "apa_string", "mla_string", "vancouver", "ama", "nbib", "csl_json"}
	l.call(t, "getArticleRelationships",
		map[string]any{"sourcePmid": vaccine, "relationshipType": "citation_formats", "citationStyles": styles}, &cited)
	for _, style := range styles {
		t.Logf("%s:\n%s", style, cited.Citations[style])
		if text := cited.Citations[style]; !strings.Contains(text, "Polack") || !strings.Contains(text, "10.1056/NEJMoa2034577") {
			t.Errorf("%s: %s", style, text)
		}
	}
}

// fromTrialToTrial goes from the id of a trial to its articles and back, with ids of the answers.
func (l *live) fromTrialToTrial(t *testing.T) {
	const id = "NCT:04280705"
	var found entity.ArticleSearch
	l.call(t, "searchPubMedArticles", map[string]any{"queryTerm": "NCT04280705[si]"}, &found)
	var trial entity.Trial
	l.call(t, "get_trial", map[string]any{"nct_id": id}, &trial)
	pmids := append(trial.CrossReferences.PubMed, found.PMIDs...)
	expect.Must(t, len(found.PMIDs) != 0 && len(trial.CrossReferences.PubMed) != 0,
		"found %q, the trial has %q", found.PMIDs, trial.CrossReferences.PubMed)
	var details entity.ArticleDetails
	l.call(t, "fetchArticleDetails", map[string]any{"pmids": pmids, "detailLevel": "citation_data"}, &details)
	for _, a := range details.Articles {
		if slices.Contains(a.NCTIDs, id) {
			l.call(t, "get_trial", map[string]any{"nct_id": a.NCTIDs[0]}, &trial)
			return
		}
	}
	t.Errorf("none of %q leads back to %s", pmids, id)
}

func (l *live) fromGeneToArticles(t *testing.T) {
	var genes entity.Page[entity.GeneSearchCandidate]
	l.call(t, "search_genes", map[string]any{"query": "JAK2", "organism": "human", "page_size": 1}, &genes)
	expect.Must(t, len(genes.Items) == 1, "no gene")
	var links entity.Page[entity.PubMedLink]
	l.call(t, "get_pubmed_links", map[string]any{"entrez_id": genes.Items[0].ID, "limit": 5}, &links)
	var pmids []string
	for _, link := range links.Items {
		pmids = append(pmids, link.PMID)
	}
	var details entity.ArticleDetails
	l.call(t, "fetchArticleDetails", map[string]any{"pmids": pmids}, &details)
	expect.That(t, len(details.Articles) != 0 && len(details.Articles)+len(details.NotFoundPMIDs) == len(pmids),
		"%d articles of %q, not found %q", len(details.Articles), pmids, details.NotFoundPMIDs)
}

func (l *live) articleErrors(t *testing.T) {
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		want      entity.Code
	}{
		{"fetchArticleDetails", map[string]any{"pmids": []string{"montelukast asthma"}}, entity.UnresolvedEntity},
		{"fetchArticleDetails", map[string]any{"pmids": []string{}}, entity.InvalidInput},
		{"getArticleRelationships", map[string]any{"sourcePmid": "999999999"}, entity.EntityNotFound},
		{"getArticleRelationships", map[string]any{"sourcePmid": "999999999", "relationshipType": "citation_formats"},
			entity.EntityNotFound},
		{"searchPubMedArticles", map[string]any{"queryTerm": "***"}, entity.AmbiguousQuery},
		{"searchPubMedArticles", map[string]any{"queryTerm": "asthma", "dateRange": map[string]any{"minDate": "2024", "maxDate": "2023"}},
			entity.InvalidInput},
		{"searchPubMedArticles", map[string]any{"queryTerm": "asthma", "maxResults": 1001}, entity.InvalidInput},
	} {
		expect.Equal(t, fmt.Sprintf("%s %v", c.tool, c.arguments), c.want, l.call(t, c.tool, c.arguments, nil))
	}
}

func (l *live) resources(t *testing.T) {
	for _, r := range l.app.Resources {
		ctx, cancel := context.WithTimeout(t.Context(), l.timeout)
		text, err := r.Read(ctx)
		cancel()
		t.Logf("%7d bytes  %s", len(text), r.URI)
		switch {
		case err != nil:
			t.Errorf("%s: %v", r.URI, err)
		case strings.HasSuffix(r.URI, "/stats/pubmed"):
			var stats entity.PubMedStats
			if err := json.Unmarshal(text, &stats); err != nil || stats.TotalRecordCount == 0 || len(stats.AvailableSearchFields) == 0 {
				t.Errorf("%s: %v %d records", r.URI, err, stats.TotalRecordCount)
			}
		default:
			var info entity.ServerInfo
			if err := json.Unmarshal(text, &info); err != nil || info.OperationalStatus.NCBIStatus != "Nominal" {
				t.Errorf("%s: %v %+v", r.URI, err, info.OperationalStatus)
			}
		}
	}
	expect.That(t, len(l.app.Resources) == 2, "%d resources", len(l.app.Resources))
}
