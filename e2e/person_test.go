package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestNothingOfAPersonIsKept sends facts with marked words, numbers and names through a served binary at each level of the log, with good
// calls, pages, mistakes and wrong tools. No file that it writes, no metric and no other answer has a mark. The words of the search alone
// are in lines about requests, at level debug.
func TestNothingOfAPersonIsKept(t *testing.T) {
	for _, level := range []string{"debug", "info"} {
		dir, address := t.TempDir(), freeAddress(t)
		registry := newRegistry(t, embeddedRecords(t)).url
		r := serveReplica(t, "BIOFACT_CTGOV_URL="+registry, "BIOFACT_EUTILS_URL="+registry+"/entrez/eutils",
			"NCBI_REQUEST_DELAY_MS=1", "BIOFACT_CTGOV_RPS=1000", "MCP_LOG_LEVEL="+level, "MCP_METRICS_ADDR="+address, "LOGS_DIR="+dir,
			"BIOFACT_CACHE_DIR="+dir)
		const facts = `"age":"57","sex":"female","conditions":["cancer OR zqmarkz","zqmarka"],"without":["zqmarkb"],` +
			`"measurements":["ECOG 1","zqmarkc 7.7 mg/dL"],"biomarkers":["EGFR K777R"],"treatments":["zqmarkd 6 weeks ago"],"prior_lines":"2"`
		cursor := regexp.MustCompile(`"cursor\\?":\\?"([A-Za-z0-9_-]+)`)
		sent := 0
		send := func(tool, arguments string) string {
			got, err := r.send(t, "/mcp", question{tool, arguments}.line(sent+1))
			if err != nil || got.status != http.StatusOK {
				t.Fatalf("%s: %v, %v", arguments, got, err)
			}
			sent++
			return string(got.body)
		}
		first := send("match_trials", `{`+facts+`,"status":["completed","recruiting"],"page_size":1}`)
		found := cursor.FindStringSubmatch(first)
		expect.Must(t, found != nil, "no cursor: %.500s", first)
		send("match_trials", `{`+facts+`,"status":["completed","recruiting"],"page_size":1,"cursor":"`+found[1]+`"}`)
		send("match_trials", `{`+facts+`,"page_size":1,"cursor":"`+found[1]+`"}`) // of another call
		send("match_trials", `{`+facts+`,"pregnant":"zqmarke"}`)
		send("match_trials", `{`+facts+`,"zqmarkf":"zqmarkg"}`)
		send("match_trials", `{`+facts+`,"nct_ids":["zqmarkh"]}`)
		send("match_trials", `{"conditions":["zqmarki"],"without":["zqmarki"],"nct_ids":["NCT90000456"]}`)
		send("match_trials", `{`+facts+`,"nct_ids":["NCT90000456"]}`)
		for _, tool := range []string{"get_trial", "get_trial_results", "get_trial_locations", "match_patient", "find_eligible"} {
			send(tool, `{"nct_id":"NCT90000456",`+facts+`}`)
		}
		shown, err := (&replica{url: "http://" + address, client: r.client}).send(t, "/metrics", "")
		expect.NoError(t, err)
		expect.That(t, strings.Contains(string(shown.body), `tool="match_trials"`), "no metrics: %v", shown)
		output := r.stop(t)
		position, err := base64.RawURLEncoding.DecodeString(found[1][:len(found[1])-6])
		expect.NoError(t, err)
		everything := []string{string(shown.body), output, string(position)}
		expect.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			everything = append(everything, string(text))
			return err
		}))
		mark := regexp.MustCompile(`(?i)zqmark[a-z]|K777R|7\.7 mg`)
		for i, text := range everything {
			for line := range strings.Lines(text) {
				if strings.Contains(line, `"msg":"request to a source"`) || strings.Contains(line, `msg="request to a source"`) {
					line = strings.ReplaceAll(line, "zqmarkz", "") // the words of the search
				}
				expect.That(t, !mark.MatchString(line), "%s, %d: %s has %s", level, i, fmt.Sprintf("%.300q", line), mark.FindString(line))
			}
		}
	}
}

// TestRowsAreShort: the median trial of answers over real records has less than 1.2 kB.
func TestRowsAreShort(t *testing.T) {
	t.Parallel()
	a := corpusApp(t, corpus)
	var sizes []int
	for _, condition := range []string{"breast cancer", "diabetes", "heart failure", "HIV", "asthma", "depression", "stroke", "lymphoma"} {
		var page entity.Page[entity.TrialMatch]
		expect.NoError(t, json.Unmarshal(called(t, a, "match_trials", map[string]any{"age": "58", "sex": "female",
			"conditions": []string{condition, "hypertension"}, "measurements": []string{"ECOG 1", "hemoglobin 9.8 g/dL"},
			"treatments": []string{"metformin"}, "pregnant": false, "status": []string{"completed", "recruiting", "terminated"}}), &page))
		for i := range page.Items {
			sizes = append(sizes, entity.Size(page.Items[i]))
		}
	}
	slices.Sort(sizes)
	expect.That(t, len(sizes) >= 30 && sizes[len(sizes)/2] < 1200, "%d trials: %v bytes", len(sizes), sizes)
}

// TestNoVerdictInWords: beside the words of a record, an answer of match_trials, its description, its page, its document and its prompt
// never say that a line allows or blocks, that a person is eligible or excluded, that something is a score, or that a trial is recommended.
func TestNoVerdictInWords(t *testing.T) {
	t.Parallel()
	a := corpusApp(t, config.SandboxEmbedded)
	verdict := regexp.MustCompile(`(?i)\b(allows?|blocks?|(in)?eligible|qualif(y|ies)|excluded|scores?|recommend(s|ed)?)\b`)
	expectNone := func(where, text string) {
		expect.That(t, !verdict.MatchString(text), "%s says %q", where, verdict.FindString(text))
	}
	var check func(v any)
	check = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, value := range v {
				if !slices.Contains([]string{"text", "under", "title", "conditions", "limit", "measure"}, name) {
					expectNone("a name", name)
					check(value)
				}
			}
		case []any:
			for _, one := range v {
				check(one)
			}
		case string:
			expectNone("a value", v)
		}
	}
	for _, arguments := range []map[string]any{
		{"age": "57", "sex": "female", "conditions": []string{"cancer"}, "status": []string{"completed", "recruiting"}},
		{"age": "12", "measurements": []string{"ECOG 1", "hemoglobin 9.8 g/dL"}, "nct_ids": []string{"NCT90000456"}},
		{"sex": "male", "conditions": []string{"zzqx"}},
	} {
		check(decodeNumbers(t, called(t, a, "match_trials", arguments)))
	}
	expectNone("the description", a.Tool("match_trials").Description)
	for _, path := range []string{"docs/matching.md", "internal/pages/web/match.js", "internal/entity/trials_match.go",
		"gen/schemas/match_trials.input.schema.json", "gen/schemas/match_trials.output.schema.json"} {
		text, err := os.ReadFile(filepath.Join("..", path))
		expect.NoError(t, err)
		expectNone(path, string(text))
	}
	for _, pattern := range []string{"../docs/*.md", "../*.md", "../cmd/biofact/plugin/skills/*/*.md"} {
		paths, err := filepath.Glob(pattern)
		expect.NoError(t, err)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			expect.NoError(t, err)
			for line := range strings.Lines(string(text)) {
				if strings.Contains(line, "match_trials") || strings.Contains(line, "a person") {
					expectNone(path, line)
				}
			}
		}
	}
	contract, err := os.ReadFile("../prompts.yaml")
	expect.NoError(t, err)
	for prompt := range strings.SplitSeq(string(contract), "\n- prompt:") {
		if strings.Contains(prompt, "match_trials") || strings.Contains(prompt, "a person") {
			expectNone("a prompt", prompt)
		}
	}
}
