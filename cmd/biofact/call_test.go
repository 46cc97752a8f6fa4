package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/contract"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// A runOutput is the output of a command and its error.
type runOutput struct {
	stdout, stderr string
	err            error
}

// runBiofact runs a command line with its own environment.
func runBiofact(ctx context.Context, t *testing.T, env []string, stdin string, args ...string) runOutput {
	t.Helper()
	root, stdout, stderr := testRoot(t, env, stdin)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	return runOutput{stdout.String(), stderr.String(), err}
}

// testRoot returns the root command with its own environment, and its output buffers.
func testRoot(t *testing.T, env []string, stdin string) (root *cobra.Command, stdout, stderr *bytes.Buffer) {
	t.Helper()
	cfg, err := config.Read(append([]string{"BIOFACT_CACHE_DIR=off", "MCP_LOG_LEVEL=error"}, env...))
	expect.NoError(t, err)
	root = &cobra.Command{Use: "biofact", SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(*cobra.Command, []string) error { return app.Validate(cfg) }}
	cfg.Flags(root.PersistentFlags())
	root.AddCommand(callCommand(cfg), exportCommand(cfg), toolsCommand(cfg), doctorCommand(cfg))
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	root.SetIn(strings.NewReader(stdin))
	root.SetOut(stdout)
	root.SetErr(stderr)
	return root, stdout, stderr
}

// inSandbox runs biofact call with the embedded records.
func inSandbox(t *testing.T, args ...string) runOutput {
	t.Helper()
	return runBiofact(t.Context(), t, nil, "", append([]string{"--sandbox", "call"}, args...)...)
}

func TestComplete(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"call search_t":  "search_trials\tSearch clinical trials",
		"call get_gene ": "entrez_id=\tId of the gene at NCBI, which search_genes returns|sections=\tParts of the record",
		"call search_genes query=p53 ": "organism=\tName or taxonomy id|" +
			"pmid=\tInstead of query: genes that NCBI links to this PMID|page_size=\tRows on a page|" +
			"cursor=\tpagination.cursor of the last page, with the same arguments",
		"call search_trials st": "status=\tStatus of the trial: RECRUITING, NOT_YET_RECRUITING, ENROLLING_BY_INVITATION, " +
			"ACTIVE_NOT_RECRUITING, COMPLETED, TERMINATED, SUSPENDED, WITHDRAWN or UNKNOWN|" +
			"study_type=\tINTERVENTIONAL, OBSERVATIONAL or EXPANDED_ACCESS|" +
			"start_date=\tStart of the trial: 2022, 2022-03..2023-12, since 2023, last 12 months",
		"call search_trials status=re":               "status=RECRUITING",
		"call search_trials status=x,NOT":            "status=x,NOT_YET_RECRUITING",
		"call searchPubMedArticles sortBy=":          "sortBy=relevance|sortBy=pub_date|sortBy=author|sortBy=journal_name",
		"call searchPubMedArticles sortBy=a":         "sortBy=author",
		"call fetchArticleDetails includeGrantInfo=": "includeGrantInfo=true|includeGrantInfo=false",
		"call search_trials condition=":              "", // free text
		"call search_trials nothing=":                "",
		"call nothing ":                              "",
		"--toolsets genes call search":               "search_genes\tSearch genes",
		"export trials sponsor_": "sponsor_class=\tClass of the lead sponsor: INDUSTRY, NIH, FED, OTHER_GOV, NETWORK, INDIV or OTHER " +
			"(universities, hospitals)",
		"export trials condition=x status=re": "status=RECRUITING",
	} {
		args := append([]string{"__complete"}, strings.Split(line, " ")...)
		r := runBiofact(t.Context(), t, nil, "", args...)
		expect.That(t, r.err == nil, "%s: %v", line, r.err)
		offers, directive, _ := strings.Cut(strings.TrimSuffix(r.stdout, "\n"), ":")
		if i := strings.LastIndex(r.stdout, "\n:"); i >= 0 {
			offers, directive = r.stdout[:i], strings.TrimSpace(r.stdout[i+2:])
		}
		expect.Equal(t, line, want, strings.ReplaceAll(offers, "\n", "|"))
		filesOnly := "36" // no file names, keep the order
		if strings.HasSuffix(strings.SplitN(offers, "\t", 2)[0], "=") {
			filesOnly = "38" // and no space after it
		}
		expect.Equal(t, fmt.Sprintf("%s: directive", line), filesOnly, directive)
	}
}

// TestCompletionScripts checks that the common shells have a completion script, and that help mentions it.
func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if r := runBiofact(t.Context(), t, nil, "", "completion", shell); r.err != nil || !strings.Contains(r.stdout, "__complete") {
			t.Errorf("%s: %v, %d bytes", shell, r.err, len(r.stdout))
		}
	}
	if r := runBiofact(t.Context(), t, nil, "", "call", "--help"); !strings.Contains(r.stdout, "biofact completion") {
		t.Errorf("help of call does not name it:\n%s", r.stdout)
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args []string
		want []string // parts of the output, in this order
	}{
		"trials": {[]string{"search_trials", "condition=asthma", "page_size=3"},
			[]string{"ID ", " STATUS", " PHASE", " TITLE", " CONDITIONS\n", "\n\n3 of ", "\nmore follow: add --all, or cursor="}},
		"nothing": {[]string{"search_trials", "condition=xyzzy plugh"}, []string{"0 of 0\n", "notice: No trial matches."}},
		"genes": {[]string{"search_genes", "query=p53", "organism=human"},
			[]string{"ID ", " SYMBOL", " NAME", "7157  TP53     tumor protein p53 ", "\n\n"}},
		"links": {[]string{"get_pubmed_links", "entrez_id=7157", "limit=2"}, []string{"PMID\n", "\n\n2 of 3204\n"}},
		"articles": {[]string{"searchPubMedArticles", "queryTerm=asthma", "fetchBriefSummaries=1"},
			[]string{"PMID ", " DATE", " TITLE", " AUTHORS", " SOURCE\n", " of "}},
		"gene": {[]string{"get_gene", "entrez_id=7157"}, []string{
			"7157  TP53\n\nName ", "Aliases       P53; BCC7; ", "\nCross references\n  HGNC  ", "  HGNC:11998\n",
		}},
		"trial": {[]string{"get_trial", "nct_id=NCT03275402"}, []string{
			"NCT03275402  ", "Phase 2", "  Criteria text\n    Inclusion Criteria:\n", "Primary outcomes\n",
		}},
	} {
		r := inSandbox(t, append(tt.args, "--table")...)
		expect.That(t, r.err == nil && r.stderr == "", "%s: %v %s", name, r.err, r.stderr)
		rest := r.stdout
		for _, part := range tt.want {
			_, after, ok := strings.Cut(rest, part)
			if !ok {
				t.Errorf("%s: no %q in\n%s", name, part, r.stdout)
				break
			}
			rest = after
		}
		expect.That(t, !strings.Contains(r.stdout, "\x1b") && !strings.Contains(r.stdout, "…"),
			"%s: coloured or cut although it goes to a pipe:\n%s", name, r.stdout)
	}
}

// TestErrorForPeople checks that an error is printed as text on standard error, and that standard output is empty.
func TestErrorForPeople(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--table", "--open", "--ndjson"} {
		r := inSandbox(t, "get_trial", "nct_id=breast cancer", flag)
		lines := strings.Split(r.stderr, "\n")
		if !errors.Is(r.err, exitFailed) || r.stdout != "" || len(lines) != 3 ||
			!strings.HasPrefix(lines[0], "error: get_trial takes ") || !strings.HasPrefix(lines[1], "try: ") ||
			!strings.Contains(lines[1], " --sandbox call search_trials 'query=breast cancer'  # then get_trial ") {
			t.Errorf("%s: %v\n%s%s", flag, r.err, r.stdout, r.stderr)
		}
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"a trial":   {[]string{"get_trial", "nct_id=NCT00461032"}, "https://clinicaltrials.gov/study/NCT00461032\n"},
		"its sites": {[]string{"get_trial_locations", "nct_id=nct:00461032"}, "https://clinicaltrials.gov/study/NCT00461032\n"},
		"a gene":    {[]string{"get_gene", "entrez_id=7157"}, "https://www.ncbi.nlm.nih.gov/gene/7157\n"},
		"genes": {[]string{"search_genes", "query=TP53", "organism=human", "page_size=1"},
			"https://www.ncbi.nlm.nih.gov/gene/7157\n"},
		"its articles": {[]string{"get_pubmed_links", "entrez_id=7157", "limit=2"},
			"https://pubmed.ncbi.nlm.nih.gov/25842826/\nhttps://pubmed.ncbi.nlm.nih.gov/25799988/\n"},
		"nothing found": {[]string{"search_trials", "condition=xyzzy plugh"}, ""},
	} {
		if r := inSandbox(t, append(tt.args, "--open")...); r.err != nil || r.stdout != tt.want || (r.stderr == "") != (tt.want != "") {
			t.Errorf("%s: %v\n%s%s", name, r.err, r.stdout, r.stderr)
		}
	}
}

func TestArgumentsFromStdin(t *testing.T) {
	t.Parallel()
	call := func(stdin string, args ...string) runOutput {
		return runBiofact(t.Context(), t, nil, stdin, append([]string{"--sandbox", "call", "search_genes", "--json", "-"}, args...)...)
	}
	want := inSandbox(t, "search_genes", "query=p53", "organism=human", "page_size=2").stdout
	if r := call(`{"query":"p53","organism":"mouse","page_size":2}`, "organism=human"); r.err != nil || r.stdout != want {
		t.Errorf("%v\n%s\nwant\n%s", r.err, r.stdout, want)
	}
	for _, bad := range []string{"", " \n", "query", "null", `["p53"]`, `{"query":"p53"} {}`} {
		if r := call(bad); r.err == nil || errors.Is(r.err, exitFailed) || !strings.Contains(r.err.Error(), "--json") {
			t.Errorf("%q: %v", bad, r.err)
		}
	}
}

// TestAll checks that --all returns the same items as one large page, in a valid envelope.
func TestAll(t *testing.T) {
	t.Parallel()
	lines := inSandbox(t, "get_pubmed_links", "entrez_id=7157", "limit=700", "--all", "--ndjson")
	onePage := inSandbox(t, "get_pubmed_links", "entrez_id=7157", "--all")
	expect.Must(t, lines.err == nil && onePage.err == nil, "%v %v", lines.err, onePage.err)
	expect.That(t, lines.stderr == "" && onePage.stderr == "", "a bar in a pipe: %q %q", lines.stderr, onePage.stderr)
	var p page
	expect.NoError(t, json.Unmarshal([]byte(onePage.stdout), &p))
	var pmids []string
	for _, item := range p.Items {
		var link entity.PubMedLink
		expect.NoError(t, json.Unmarshal(item, &link))
		pmids = append(pmids, `{"pmid":"`+link.PMID+`"}`)
	}
	if got := strings.Split(strings.TrimSpace(lines.stdout), "\n"); len(got) != 3204 || !slices.Equal(got, pmids) {
		t.Errorf("%d lines, %d items", len(got), len(pmids))
	}
	if slices.Sort(pmids); len(slices.Compact(pmids)) != 3204 {
		t.Error("an item stands twice")
	}
	problems, err := contract.New().Validate("get_pubmed_links.output", []byte(onePage.stdout))
	expect.That(t, err == nil && len(problems) == 0 && p.Pagination.Cursor == "" && *p.Pagination.TotalCount == 3204,
		"%v %v %+v", err, problems, p.Pagination)
}

func TestAllRefuses(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"a tool without pages": {[]string{"get_gene", "entrez_id=7157", "--all"},
			"search_trials, trial_changes, match_trials, get_trial_locations, search_genes, get_pubmed_links"},
		"a limit of one page": {[]string{"search_genes", "query=p53", "--limit", "3"}, "--limit"},
		"two views":           {[]string{"search_genes", "query=p53", "--table", "--ndjson"}, "table"},
	} {
		if r := inSandbox(t, tt.args...); r.err == nil || errors.Is(r.err, exitFailed) || !strings.Contains(r.err.Error(), tt.want) {
			t.Errorf("%s: %v", name, r.err)
		}
	}
	r := inSandbox(t, "search_genes", "--all", "page_size=many", "query=p53")
	expect.That(t, errors.Is(r.err, exitFailed) && strings.Contains(r.stdout, "INVALID_INPUT") && r.stderr == "",
		"an argument that is wrong: %v\n%s%s", r.err, r.stdout, r.stderr)
}

// pagedTrials starts a source with the embedded trials. It calls do for the request of page number at.
func pagedTrials(t *testing.T, at int64, do func(w http.ResponseWriter, r *http.Request)) (env []string, requests *atomic.Int64) {
	records, err := sourcetest.Embedded()
	expect.NoError(t, err)
	requests = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/studies") && requests.Add(1) == at {
			do(w, r)
			return
		}
		forward(w, r, records)
	}))
	t.Cleanup(server.Close)
	return []string{"BIOFACT_CTGOV_URL=" + server.URL + "/api/v2", "BIOFACT_CTGOV_RPS=1000", "BIOFACT_TOOLSETS=trials"}, requests
}

// forward answers a request from records.
func forward(w http.ResponseWriter, r *http.Request, records http.RoundTripper) {
	out := r.Clone(r.Context())
	out.URL.Scheme, out.URL.Host, out.Host, out.RequestURI = "https", "clinicaltrials.gov", "", ""
	if strings.Contains(r.URL.Path, "entrez") {
		out.URL.Host = "eutils.ncbi.nlm.nih.gov"
	}
	resp, err := records.RoundTrip(out)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	for name, values := range resp.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(resp.StatusCode)
	var body bytes.Buffer
	_, _ = body.ReadFrom(resp.Body)
	_, _ = w.Write(body.Bytes())
}

// resumed returns the words of the printed command that continues, as a shell parses it.
func resumed(t *testing.T, stderr string) []string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	words := resumedWords(t, lines[len(lines)-1])
	expect.Must(t, len(words) >= 2 && (words[0] == "call" || words[0] == "export" || words[0] == "--sandbox"), "no command to continue with:\n%s", stderr)
	return words
}

// resumedWords returns the words of a printed command as a shell parses it, without the name of the program.
func resumedWords(t *testing.T, last string) []string {
	t.Helper()
	out, err := exec.Command("sh", "-c", "for w in "+last+`; do printf '%s\n' "$w"; done`).Output()
	expect.Must(t, err == nil, "%s: %v", last, err)
	words := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	return words[1:]
}

// readItems returns the items that a command printed, one per line or in an envelope.
func readItems(t *testing.T, stdout string) []string {
	t.Helper()
	var out []string
	var p page
	if strings.Contains(stdout, `"pagination"`) {
		expect.NoError(t, json.Unmarshal([]byte(stdout), &p))
		for _, item := range p.Items {
			var text bytes.Buffer
			expect.NoError(t, json.Compact(&text, item))
			out = append(out, text.String())
		}
		return out
	}
	return strings.FieldsFunc(stdout, func(r rune) bool { return r == '\n' })
}

// TestAllResumes checks that an interruption or a failure at any page prints a command that reads exactly the rest.
func TestAllResumes(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no POSIX shell")
	}
	query := []string{"call", "search_trials", "--all", "query=asthma OR O'Neill OR sandbox", "--json",
		`{"page_size":3,"status":["COMPLETED","RECRUITING","TERMINATED"]}`}
	env, requests := pagedTrials(t, -1, nil)
	want := readItems(t, runBiofact(t.Context(), t, env, "", append(query, "--ndjson")...).stdout)
	last := requests.Load()
	expect.Must(t, len(want) >= 7 && last >= 3, "%d items on %d pages are too few", len(want), last)
	for _, view := range [][]string{{"--ndjson"}, nil} {
		for at := int64(1); at <= last; at++ {
			logs := t.TempDir()
			ctx, cancel := context.WithCancel(t.Context())
			env, _ := pagedTrials(t, at, func(_ http.ResponseWriter, r *http.Request) {
				cancel()
				<-r.Context().Done()
			})
			first := runBiofact(ctx, t, append(env, "LOGS_DIR="+logs), "", append(query, view...)...)
			if ended, ok := errors.AsType[exitError](first.err); !ok || ended != exitInterrupted {
				t.Errorf("page %d: ended with %v", at, first.err)
			}
			if log := readLog(t, filepath.Join(logs, "biofact.log")); strings.Contains(log, "failed") {
				t.Errorf("page %d: logged: %s", at, log)
			}
			wantResumed(t, at, env, first, want)

			env, _ = pagedTrials(t, at, func(w http.ResponseWriter,
				_ *http.Request) {
				http.Error(w, "{}", http.StatusNotImplemented)
			})
			first = runBiofact(t.Context(), t, append(env, "LOGS_DIR="+t.TempDir()), "", append(query, view...)...)
			expect.That(t, errors.Is(first.err, exitFailed) && strings.Contains(first.stdout+first.stderr, "UPSTREAM_ERROR"),
				"page %d: ended with %v\n%s", at, first.err, first.stderr)
			if at == 1 && view == nil {
				first.stdout = "" // the error, as for one call
			}
			wantResumed(t, at, env, first, want)
		}
	}
}

// wantResumed runs the printed command and checks that both outputs together are the complete list.
func wantResumed(t *testing.T, at int64, env []string, first runOutput, want []string) {
	t.Helper()
	words := resumed(t, first.stderr)
	second := runBiofact(t.Context(), t, append(env, "LOGS_DIR="+t.TempDir()), "", words...)
	expect.Must(t, second.err == nil, "page %d: %v: %v\n%s", at, words, second.err, second.stderr)
	got := readItems(t, first.stdout)
	expect.That(t, len(got) == 3*int(at-1), "page %d: %d items were read before", at, len(got))
	if got = append(got, readItems(t, second.stdout)...); !slices.Equal(got, want) {
		t.Errorf("page %d: %d items in all, want %d", at, len(got), len(want))
	}
}

// TestAllLimit checks that a limit inside a page is respected and that the rest can be read.
func TestAllLimit(t *testing.T) {
	t.Parallel()
	query := []string{"search_trials", "query=sandbox", "--all", "--ndjson"}
	want := readItems(t, inSandbox(t, query...).stdout)
	for _, limit := range []string{"1", "4", "5"} {
		first := inSandbox(t, append(query, "page_size=4", "--limit", limit)...)
		got := readItems(t, first.stdout)
		expect.Must(t, first.err == nil && limit == string('0'+rune(len(got))), "limit %s: %d items, %v", limit, len(got), first.err)
		words := resumed(t, first.stderr)
		expect.That(t, !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "--limit") }),
			"limit %s: %v", limit, words)
		second := runBiofact(t.Context(), t, nil, "", append(words, "--limit=2")...)
		got = append(got, readItems(t, second.stdout)...)
		words = resumed(t, second.stderr)
		if cursors := slices.DeleteFunc(slices.Clone(words),
			func(w string) bool { return !strings.HasPrefix(w, "cursor=") }); len(cursors) != 1 {
			t.Errorf("limit %s: continues from %v", limit, cursors)
		}
		third := runBiofact(t.Context(), t, nil, "", words...)
		if got = append(got, readItems(t, third.stdout)...); !slices.Equal(got, want) {
			t.Errorf("limit %s: %d items in all, want %d", limit, len(got), len(want))
		}
	}
	table := inSandbox(t, append(slices.DeleteFunc(slices.Clone(query), func(w string) bool { return w == "--ndjson" }), "--limit", "2", "--table")...)
	expect.That(t, !strings.Contains(table.stdout, "more follow") && strings.Contains(table.stderr, "To continue:\n"), "%s\n%s", table.stdout, table.stderr)
	if r := inSandbox(t, append(query, "--limit", "1000")...); r.err != nil || r.stderr != "" || len(readItems(t, r.stdout)) != len(want) {
		t.Errorf("a limit above all: %v %s", r.err, r.stderr)
	}
}

// TestAllCounts checks that --all says if its items are not as many as the last page counts.
func TestAllCounts(t *testing.T) {
	t.Parallel()
	for omitted, want := range map[int]string{
		0: "", 9: "biofact: notice: All pages have 1249 items, and total_count is 1250: items were left out, or the list changed in the " +
			"meantime.\n",
	} {
		registry := &numberedRegistry{page: func(string) (string, int, bool) { return "", omitted, true }}
		r := runWith(t.Context(), t, registry, "call", "search_trials", "condition=many", "--all", "--ndjson")
		expect.That(t, r.err == nil && r.stderr == want, "without %d: %v\n%s", omitted, r.err, r.stderr)
	}
}

// TestNoticesOfAll checks that the notices of all pages go to standard error, or into the envelope.
func TestNoticesOfAll(t *testing.T) {
	t.Parallel()
	query := []string{"search_trials", "condition=asthma", "phase=Phase 3", "--all"}
	const notice = "combined phase 2/3 was not searched"
	if r := inSandbox(t, append(query, "--ndjson")...); !strings.Contains(r.stderr, "biofact: notice: ") ||
		!strings.Contains(r.stderr, notice) {
		t.Errorf("lines: %s", r.stderr)
	}
	if r := inSandbox(t, query...); r.stderr != "" || !strings.Contains(r.stdout, notice) {
		t.Errorf("envelope: %s", r.stdout)
	}
}
