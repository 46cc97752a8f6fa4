package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// embeddedCalls returns the calls whose answers an HTML page contains.
func embeddedCalls(t *testing.T, page string) (calls []struct {
	Tool      string
	Arguments map[string]string
	Answer    map[string]json.RawMessage
}) {
	t.Helper()
	_, rest, found := strings.Cut(page, `<script type="application/json" id="calls">`)
	expect.Must(t, found, "the page holds no calls: %.300s", page)
	data, _, _ := strings.Cut(rest, "</script>")
	expect.NoError(t, json.Unmarshal([]byte(data), &calls))
	return calls
}

// TestHTMLSections checks that the page of trial results contains the answer, then every section.
func TestHTMLSections(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "results.html")
	r := inSandbox(t, "get_trial_results", "nct_id=NCT:02513394", "event=neutropenia", "--html", file)
	expect.That(t, r.err == nil && r.stdout == "" && strings.Contains(r.stderr, "wrote "+file), "it came to %+v", r)
	page, err := os.ReadFile(file)
	expect.NoError(t, err)
	var sections []string
	for _, call := range embeddedCalls(t, string(page)) {
		var section string
		expect.NoError(t, json.Unmarshal(call.Answer["section"], &section))
		sections = append(sections, section+" "+call.Arguments["event"])
	}
	sections = slices.Compact(sections) // a section can have several pages
	const want = "adverse_events neutropenia|overview |outcomes |adverse_events |participant_flow |baseline |more_info |comparisons |arms "
	expect.Is(t, strings.Join(sections, "|"), want, "sections")
}

// TestHTMLKeepsFiles: a page replaces a page, and with --force another file, but never what a link leads to.
func TestHTMLKeepsFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	mine, link, page := filepath.Join(folder, "mine.html"), filepath.Join(folder, "link.html"), filepath.Join(folder, "page.html")
	expect.NoError(t, os.WriteFile(mine, []byte("<!doctype html><p>mine"), 0o600))
	expect.NoError(t, os.Symlink(mine, link))
	write := func(path string, more ...string) runOutput {
		return inSandbox(t, append([]string{"count_trials", "by=phase", "--html", path}, more...)...)
	}
	for _, args := range [][]string{{mine}, {link}, {link, "--force"}} {
		r := write(args[0], args[1:]...)
		expect.That(t, r.err != nil && strings.Contains(r.err.Error(), "was not changed"), "%s: %v", args, r.err)
		expect.Is(t, string(expect.Read(t, mine)), "<!doctype html><p>mine", "%s", args)
	}
	for _, args := range [][]string{{page}, {page}, {mine, "--force"}} {
		r := write(args[0], args[1:]...)
		expect.That(t, r.err == nil && len(embeddedCalls(t, string(expect.Read(t, args[0])))) == 1, "%s: %v", args, r.err)
	}
}

// TestHTMLPages checks that a page contains all pages of a list, and that a trial without results is read once.
func TestHTMLPages(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]int{
		"get_trial_locations nct_id=NCT:02513394 page_size=120": 4,
		"get_trial_results nct_id=NCT:90000456":                 1,
		"count_trials condition=cancer by=phase":                1,
	} {
		r := inSandbox(t, append(strings.Fields(line), "--html", "-")...)
		expect.That(t, r.err == nil && strings.HasPrefix(r.stdout, "<!doctype html>"), "%s: %v %.300s", line, r.err, r.stdout)
		calls := embeddedCalls(t, r.stdout)
		expect.That(t, len(calls) == want, "%s: the page holds %d answers", line, len(calls))
		for i, call := range calls {
			expect.That(t, (call.Arguments["cursor"] != "") == (i > 0), "%s: answer %d is of %v", line, i, call.Arguments)
		}
	}
}

// TestHTMLBeside checks that a page contains the answers of other tools that it shows: counts with the filters of a search and without
// what orders its list, and the citation of an article. Without a history of a mirror a trial has no changes.
func TestHTMLBeside(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"search_trials cond=cancer sort=enrollment page_size=5": `{"by":"status","cond":"cancer"} {"by":"phase","cond":"cancer"} {"by":"country","cond":"cancer"}`,
		"search_trials condition=cancer fields=title":           "",
		"get_trial nct_id=NCT:02513394":                         "",
		"getArticleFullText id=PMC7383595":                      `{"citationStyles":"vancouver","relationshipType":"citation_formats","sourcePmids":"32678530"}`,
	} {
		r := inSandbox(t, append(strings.Fields(line), "--html", "-")...)
		expect.NoError(t, r.err)
		var beside []string
		for _, call := range embeddedCalls(t, r.stdout) {
			if call.Tool != "" {
				text, err := json.Marshal(call.Arguments)
				expect.NoError(t, err)
				beside = append(beside, string(text))
			}
		}
		expect.Is(t, strings.Join(beside, " "), want, "%s", line)
	}
}

// TestHTMLRefused checks that no file is written for a tool without a page or for an error.
func TestHTMLRefused(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"search_genes query=x": "--html: search_genes has no HTML page; the tools with a page are search_trials, count_trials, " +
			"get_trial, match_trials, compare_trials, get_trial_locations, get_trial_results, getArticleFullText, get_drug, " +
			"count_drug_events",
		"get_trial_results nct_id=asthma":               "UNRESOLVED_ENTITY",
		"get_trial_results nct_id=NCT:02513394 --table": "[html table]",
		"get_trial_locations nct_id=NCT:02513394 --all": "[all html]",
	} {
		file := filepath.Join(t.TempDir(), "page.html")
		r := inSandbox(t, append(strings.Fields(line), "--html", file)...)
		expect.Must(t, r.err != nil, "%s: no error", line)
		expect.That(t, strings.Contains(r.err.Error()+r.stderr, want), "%s: %v %s", line, r.err, r.stderr)
		_, err := os.Stat(file)
		expect.That(t, os.IsNotExist(err), "%s: a file was written", line)
	}
}

// TestHTMLPerson checks that a page of a person's match repeats no fact of the person outside the lines that it decided.
func TestHTMLPerson(t *testing.T) {
	t.Parallel()
	r := inSandbox(t, "match_trials", "age=58", "conditions=type 2 diabetes", "near=Boston, MA", "status=recruiting", "--html", "-")
	expect.Must(t, r.err == nil, "%v %s", r.err, r.stderr)
	for _, call := range embeddedCalls(t, r.stdout) {
		for name := range call.Arguments {
			expect.That(t, name == "status" || name == "page_size" || name == "cursor", "the page repeats %s", name)
		}
	}
	_, about, _ := strings.Cut(r.stdout, `<script type="application/json" id="page">`)
	about, _, _ = strings.Cut(about, "</script>")
	expect.That(t, strings.Contains(about, "match_trials"), "the command: %s", about)
	expect.That(t, !strings.Contains(about, "58") && !strings.Contains(about, "Boston"), "the command repeats the person: %s", about)
}
