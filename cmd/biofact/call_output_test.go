package main

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestCallCSV(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args         []string
		head, stderr string
	}{
		"trials": {[]string{"search_trials", "condition=asthma", "page_size=2"}, "nct_id,title,brief_summary,phase,status,",
			"biofact: more follow: add --all, or cursor="},
		"counts": {[]string{"count_trials", "query=sandbox", "by=status", "then_by=phase"}, "value,count,group_value,group_count",
			"biofact: Total count "},
		"a count": {[]string{"count_trials", "query=sandbox"}, "total_count", "biofact: Exact        yes"},
		"sites": {[]string{"get_trial_locations", "nct_id=NCT02513394", "page_size=2"},
			"facility_name,city,state,country,zip,latitude,longitude", "2 of "},
		"results":  {[]string{"get_trial_results", "nct_id=NCT02513394", "section=outcomes"}, "nct_id,measure,type,title,", ""},
		"compared": {[]string{"compare_trials", "nct_ids=NCT00461032,NCT02513394"}, "aspect,differs,NCT00461032,NCT02513394", ""},
		"articles": {[]string{"searchPubMedArticles", "queryTerm=asthma", "fetchBriefSummaries=2"},
			"pmid,title,authors,source,", ""},
		"articles in full": {[]string{"fetchArticleDetails", "pmids=25842826"}, "pmid,title,abstractText,journalInfo.publicationDate.year,", ""},
		"papers of a trial": {[]string{"get_trial", "nct_id=NCT01844505", "sections=publications"},
			"nct_id,pmid,doi,title,journal,date,reasons\r\nNCT01844505,26027431,", ""},
		"genes": {[]string{"search_genes", "query=p53", "organism=human"}, "entrez_id,symbol,name,description,organism,score", ""},
	} {
		r := inSandbox(t, append(tt.args, "--csv")...)
		records, err := csv.NewReader(strings.NewReader(r.stdout)).ReadAll()
		expect.That(t, r.err == nil && err == nil && len(records) > 1 && strings.Count(r.stdout, "\r\n") >= len(records), "%s: %v %v\n%s",
			name, r.err, err, r.stdout)
		expect.That(t, strings.HasPrefix(r.stdout, tt.head) && strings.Contains(r.stderr, tt.stderr), "%s:\n%s%s", name, r.stdout, r.stderr)
	}
	if r := inSandbox(t, "search_trials", "condition=xyzzy plugh", "--csv"); r.err != nil ||
		!strings.HasPrefix(r.stdout, "nct_id,nearest_site.distance_km,") ||
		!strings.Contains(r.stderr, "No trial matches.") {
		t.Errorf("nothing found: %v\n%s%s", r.err, r.stdout, r.stderr)
	}
	const head = "queryTerm,effectiveESearchTerm,translatedQuery,totalCount"
	const melanoma = `melanoma,melanoma,"(""melanoma""[MeSH Terms] OR ""melanoma""[All Fields])",3`
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, head + "\n" + melanoma + "\n"},
		{[]string{"by=publicationType"}, "value,count\nJournal Article,3\nRandomized Controlled Trial,2\nMulticenter Study,2\n"},
		{[]string{"compare=asthma", "compare=nivolumab"}, head + ",both,firstOnlyComputed,thisOnlyComputed\n" + melanoma + ",,,\n" +
			`asthma,asthma,"(""asthma""[MeSH Terms] OR ""asthma""[All Fields])",1,0,3,1` + "\n" +
			`nivolumab,nivolumab,"(""nivolumab""[MeSH Terms] OR ""nivolumab""[All Fields])",2,2,1,0` + "\n"},
	} {
		r := inSandbox(t, append([]string{"countArticles", "queryTerm=melanoma", "--csv"}, tt.args...)...)
		expect.That(t, r.err == nil && strings.ReplaceAll(r.stdout, "\r", "") == tt.want, "%v: %v\n%s%s", tt.args, r.err, r.stdout,
			r.stderr)
	}
	if r := inSandbox(t, "get_trial_results", "nct_id=NCT90000456", "section=outcomes", "--csv"); r.err != nil ||
		!strings.HasPrefix(r.stdout, "nct_id,measure,type,") || !strings.Contains(r.stderr, "has posted no results") {
		t.Errorf("no results: %v\n%s%s", r.err, r.stdout, r.stderr)
	}
	if r := inSandbox(t, "fetchArticleDetails", "pmids=25842826", "detailLevel=medline_text", "--csv"); r.err == nil ||
		!strings.Contains(r.err.Error(), "has no rows") {
		t.Errorf("no rows: %v\n%s%s", r.err, r.stdout, r.stderr)
	}
}

// TestCSVOfAll checks that all pages of a list have one CSV header, also if the tool itself returns CSV.
func TestCSVOfAll(t *testing.T) {
	t.Parallel()
	for _, query := range [][]string{
		{"get_trial_locations", "nct_id=NCT02513394", "page_size=7"},
		{"get_trial_results", "nct_id=NCT02513394", "section=outcomes", "page_size=2"},
		{"search_trials", "query=sandbox", "page_size=3"},
	} {
		paged := inSandbox(t, append(query, "--csv", "--all")...)
		records, err := csv.NewReader(strings.NewReader(paged.stdout)).ReadAll()
		expect.Must(t, paged.err == nil && err == nil && len(records) > 3 && !strings.Contains(paged.stderr, "All pages"),
			"%s: %v %v\n%s", query[0], paged.err, err, paged.stderr)
		allRows := inSandbox(t, append(query[:len(query)-1], "--csv", "--all")...)
		expect.Equal(t, query[0], allRows.stdout, paged.stdout)
	}
}

func TestPlotOfCall(t *testing.T) {
	t.Parallel()
	r := inSandbox(t, "count_trials", "query=sandbox", "by=start_year", "--plot")
	expect.That(t, r.err == nil && r.stderr == "" && strings.HasPrefix(r.stdout, "1999               1  █") &&
		strings.Contains(r.stdout, "\n2018               0\n2019               1  █") &&
		strings.Contains(r.stdout, "\n\nTotal count    16\nWithout value  5\n") &&
		!strings.Contains(r.stdout, "\x1b"), "%v\n%s%s", r.err, r.stdout, r.stderr)
}

// TestViewRefused checks that a view that a tool does not support is refused before any request, with the names of tools that support
// it.
func TestViewRefused(t *testing.T) {
	t.Parallel()
	env, requests := pagedTrials(t, -1, nil)
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"one record": {[]string{"get_trial", "nct_id=NCT00461032", "--csv"},
			"get_trial returns one record, which has no rows; tools with rows are search_trials, count_trials, "},
		"no counts": {[]string{"get_trial_results", "nct_id=NCT00461032", "--plot"},
			"get_trial_results counts nothing; tools that count are count_trials"},
		"no groups": {[]string{"count_trials", "condition=asthma", "--plot"}, "add by=phase "},
		"two views": {[]string{"count_trials", "condition=asthma", "by=phase", "--plot", "--csv"}, "csv plot"},
		"all pages of a tool without pages": {[]string{"count_trials", "condition=asthma", "--csv", "--all"},
			"--all: count_trials does not return a list"},
	} {
		r := runBiofact(t.Context(), t, env, "", append([]string{"call"}, tt.args...)...)
		if r.err == nil || errors.Is(r.err, exitFailed) || !strings.Contains(r.err.Error(), tt.want) || r.stdout != "" {
			t.Errorf("%s: %v\n%s", name, r.err, r.stdout)
		}
	}
	expect.That(t, requests.Load() == 0, "%d requests were made", requests.Load())
	if r := inSandbox(t, "get_trial_results", "nct_id=NCT02513394", "--csv"); r.err != nil || strings.Contains(r.stdout, "NCT:") ||
		!strings.Contains(r.stdout, "\r\nNCT02513394,1,") || !strings.Contains(r.stderr, "section=outcomes") {
		t.Errorf("without a section: %v %s%s", r.err, r.stdout, r.stderr)
	}
}

// TestRaw checks that --raw prints the complete record, byte for byte as the source sends it.
func TestRaw(t *testing.T) {
	t.Parallel()
	exported := runBiofact(t.Context(), t, nil, "", "--sandbox", "export", "trials", "nct_ids=NCT02513394").stdout
	for _, name := range []string{"get_trial", "get_trial_locations", "get_trial_results"} {
		r := inSandbox(t, name, "nct_id=NCT:02513394", "--raw")
		expect.That(t, r.err == nil && r.stdout == exported && strings.Contains(r.stdout, `"resultsSection"`), "%s: %v\n%.200s%s", name,
			r.err, r.stdout, r.stderr)
	}
	r := inSandbox(t, "compare_trials", "nct_ids=NCT02513394,NCT00461032", "--raw")
	lines := strings.SplitAfter(r.stdout, "\n")
	expect.That(t, r.err == nil && len(lines) == 3 && lines[0] == exported && json.Valid([]byte(lines[1])), "compared: %v %s", r.err,
		r.stderr)

	for name, tt := range map[string]struct {
		args         []string
		root, fact   string
		stderr       string
		facts, bytes int
	}{
		"a gene": {[]string{"get_gene", "entrez_id=7157"}, "Entrezgene-Set", "<Gene-track_geneid>7157<", "", 1, 1000},
		"articles": {[]string{"fetchArticleDetails", "pmids=25842826,29768149,1"}, "PubmedArticleSet", "<PubmedArticle>",
			"biofact: notice: PubMed does not have 1.\n", 2, 1000},
	} {
		r := inSandbox(t, append(tt.args, "--raw")...)
		expect.That(t, r.err == nil && r.stderr == tt.stderr && strings.Count(r.stdout, tt.fact) == tt.facts && len(r.stdout) > tt.bytes,
			"%s: %v\n%.300s\n%s", name, r.err, r.stdout, r.stderr)
		decoder, depth := xml.NewDecoder(strings.NewReader(r.stdout)), 0
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			expect.Must(t, err == nil, "%s: %v", name, err)
			if start, ok := token.(xml.StartElement); ok {
				expect.That(t, depth > 0 || start.Name.Local == tt.root, "%s: root %s", name, start.Name.Local)
				depth++
			}
		}
	}

	for name, tt := range map[string]struct {
		args []string
		want string
		code exitError
	}{
		"a search":      {[]string{"search_trials", "condition=asthma"}, "use biofact export trials", exitUsage},
		"a part":        {[]string{"get_trial", "nct_id=NCT00461032", "sections=summary"}, "leave out sections", exitUsage},
		"pages":         {[]string{"get_trial_locations", "nct_id=NCT00461032", "--all"}, "[all raw]", exitUsage},
		"words":         {[]string{"get_trial", "nct_id=breast cancer"}, "UNRESOLVED_ENTITY", exitFailed},
		"no such trial": {[]string{"get_trial", "nct_id=NCT99999999"}, "ENTITY_NOT_FOUND", exitFailed},
		"no trial":      {[]string{"get_trial", "nct_id=NCT00000000"}, "ENTITY_NOT_FOUND", exitFailed},
		"no such gene":  {[]string{"get_gene", "entrez_id=99999999"}, "ENTITY_NOT_FOUND", exitFailed},
		"no article":    {[]string{"fetchArticleDetails", "pmids=1"}, "PubMed has no article", exitFailed},
		"no id":         {[]string{"get_gene"}, "entrez_id: is required", exitFailed},
	} {
		r := inSandbox(t, append(tt.args, "--raw")...)
		code, _ := codeOf(r.err)
		expect.That(t, r.err != nil && code == tt.code && strings.Contains(r.stderr+r.err.Error(), tt.want) && r.stdout == "",
			"%s: %v\n%s%s", name, r.err, r.stdout, r.stderr)
	}
}
