package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestWordsOfACall checks that words without a name are the value of the first argument.
func TestWordsOfACall(t *testing.T) {
	t.Parallel()
	for words, named := range map[string]string{
		"get_trial NCT00461032":                  "get_trial nct_id=NCT00461032",
		"search_trials school asthma":            "search_trials|query=school asthma",
		"search_trials asthma phase=3":           "search_trials query=asthma phase=3",
		"compare_trials NCT00461032 NCT02513394": "compare_trials nct_ids=NCT00461032 nct_ids=NCT02513394",
		"searchPubMedArticles melanoma":          "searchPubMedArticles queryTerm=melanoma",
	} {
		separator := " "
		if strings.Contains(named, "|") {
			separator = "|"
		}
		got, want := inSandbox(t, strings.Fields(words)...), inSandbox(t, strings.Split(named, separator)...)
		expect.That(t, got.err == nil && want.err == nil, "%s: %v, %v", words, got.err, want.err)
		expect.Equal(t, words, want.stdout, got.stdout)
	}
}

// TestHintsAsCommands checks that the command of a hint can be run as it is printed.
func TestHintsAsCommands(t *testing.T) {
	t.Parallel()
	for _, wrong := range [][]string{
		{"search_trials", "disease=melanoma", "condition=asthma"},
		{"get_trial", "breast cancer"},
		{"search_trials", `{"condition":"asthma","status":["recruiting","nope"]}`},
	} {
		r := inSandbox(t, append(wrong, "--table")...)
		lines := strings.Split(r.stderr, "\n")
		expect.Must(t, r.err != nil && len(lines) == 3 && strings.HasPrefix(lines[0], "error: "), "%v: %s", wrong, r.stderr)
		command, ok := strings.CutPrefix(lines[1], "try: ")
		if !ok {
			continue
		}
		words := resumedWords(t, strings.Split(command, "  # ")[0])
		if r := runBiofact(t.Context(), t, nil, "", words...); r.err != nil {
			t.Errorf("%s: %v\n%s", command, r.err, r.stdout)
		}
	}
}

// TestFields checks that each format has the selected fields only, in their order, and that an unknown field gets the nearest one.
func TestFields(t *testing.T) {
	t.Parallel()
	query := []string{"search_genes", "p53", "organism=human", "page_size=1", "--fields", "symbol,id", "--format"}
	for format, want := range map[string]string{
		"csv": "symbol,entrez_id\r\nTP53,7157\r\n", "ndjson": `{"symbol":"TP53","id":"NCBIGene:7157"}` + "\n", "table": "SYMBOL  ID\nTP53    7157\n",
	} {
		r := inSandbox(t, append(query, format)...)
		expect.That(t, r.err == nil && strings.HasPrefix(r.stdout, want), "%s: %v\n%s", format, r.err, r.stdout)
	}
	var answer struct{ Items []map[string]any }
	expect.NoError(t, json.Unmarshal([]byte(inSandbox(t, append(query, "json")...).stdout), &answer))
	expect.That(t, len(answer.Items) == 1 && len(answer.Items[0]) == 2, "%v", answer)
	r := inSandbox(t, "search_genes", "p53", "--fields", "symbl")
	expect.That(t, r.err != nil && strings.Contains(r.err.Error(), "did you mean symbol?"), "%v", r.err)
	r = inSandbox(t, "search_genes", "p53", "--format", "xml")
	expect.That(t, r.err != nil && strings.Contains(r.err.Error(), "--format"), "%v", r.err)
}

// TestFirstWords checks what a person gets who does not know the commands yet.
func TestFirstWords(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"--version":                      "biofact version 0.0.0-dev\n",
		"help get_trial":                 "get_trial: Read a trial\n",
		"call get_trial --help":          "get_trial: Read a trial\n",
		"tools get_trial":                "get_trial: Read a trial\n",
		"tools get_trial --json":         `[{"name":"get_trial","title":"Read a trial",`,
		"help call":                      "Call one tool and print its answer",
		"tool":                           `no command "tool": did you mean tools?`,
		"doctr":                          `no command "doctr": did you mean doctor?`,
		"cal get_trial":                  `no command "cal": did you mean call?`,
		"get_trial NCT00461032":          "get_trial is a tool: ",
		"--sandbox ./records call x":     "--sandbox takes its path after an equals sign: --sandbox=./records",
		"call --sandbox ./records x a=b": "--sandbox takes its path after an equals sign: --sandbox=./records",
		"--sandbox internal call x":      "--sandbox takes its path after an equals sign: --sandbox=internal",
		"tools get_trail":                "The tool get_trail does not exist",
		"call --sandbox --format json match_trials asthma age=8": "{\n  \"items\": []",
		"--sandbox call --ndjson match_trials NCT00461032 age=8": `{"id":"NCT:00461032",`,
		"--sandbox call serch_trials x":                          "The tool serch_trials does not exist. Use search_trials",
	} {
		cfg, err := config.Read([]string{"BIOFACT_CACHE_DIR=off"})
		expect.NoError(t, err)
		var out strings.Builder
		root := rootCommand(cfg)
		root.SetOut(&out)
		root.SetArgs(strings.Fields(line))
		if err := root.ExecuteContext(t.Context()); err != nil {
			out.WriteString(err.Error())
		}
		expect.That(t, strings.HasPrefix(out.String(), want), "%s: %s", line, out.String())
		expect.That(t, !strings.Contains(out.String(), "--http-port"), "%s shows the settings of a server", line)
	}
}

// TestExamplesOfHelp checks that the example in the help of each tool can be run as it is printed. The tools that read a mirror
// name the command that makes one.
func TestExamplesOfHelp(t *testing.T) {
	t.Parallel()
	cfg, err := config.Read([]string{"BIOFACT_CACHE_DIR=off", "BIOFACT_TOOLSETS=trials,genes,articles,drugs,research,sql"})
	expect.NoError(t, err)
	for _, listed := range app.Listed(cfg) {
		var help strings.Builder
		helpTool(&help, listed)
		_, command, _ := strings.Cut(help.String(), "\nExample:\n")
		words := append([]string{"--sandbox", "--tools", listed.Name}, resumedWords(t, strings.TrimSpace(command))...)
		r := runBiofact(t.Context(), t, nil, "", words...)
		mirror := listed.NeedsMirror || listed.Toolset == "sql"
		expect.That(t, r.err == nil || mirror && strings.Contains(r.stdout, "biofact mirror sync"), "%s: %v\n%s", command, r.err, r.stdout)
	}
}
