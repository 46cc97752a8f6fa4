package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestSandboxSaysSo checks that everything that a sandbox serves says that it is no answer of the sources: answers, standard error, the
// description of the server, pages, and the commands that they show.
func TestSandboxSaysSo(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	records := filepath.Join(folder, "one.json")
	expect.NoError(t, os.WriteFile(records, []byte(`{"protocolSection":{"identificationModule":{"nctId":"NCT99999999",`+
		`"briefTitle":"Example","organization":{"fullName":"Example"}},"statusModule":{"overallStatus":"COMPLETED"},`+
		`"designModule":{"studyType":"OBSERVATIONAL"}},"hasResults":false}`), 0o600))
	for _, test := range []struct{ flag, nct, says, source string }{
		{"--sandbox", "NCT02513394", "Sandbox: a few example records, shortened, some of them invented. Do not use them as facts.", "sandbox"},
		{"--sandbox=" + records, "NCT99999999", "Records from " + records + ", not from the sources themselves.", "records from " + records},
	} {
		run := func(stdin string, args ...string) (stdout, stderr string) {
			cfg, err := config.Read([]string{"BIOFACT_CACHE_DIR=off"})
			expect.NoError(t, err)
			root := rootCommand(cfg)
			var out, errOut bytes.Buffer
			root.SetArgs(append([]string{test.flag}, args...))
			root.SetIn(strings.NewReader(stdin))
			root.SetOut(&out)
			root.SetErr(&errOut)
			_ = root.ExecuteContext(t.Context()) // some answers are errors
			expect.That(t, strings.HasPrefix(errOut.String(), "biofact: "+test.says+"\n"), "%v: standard error is %s", args, &errOut)
			return out.String(), errOut.String()
		}
		stdout, _ := run("", "call", "get_trial", test.nct, "--format", "json")
		var answer struct{ Notices []string }
		expect.NoError(t, json.Unmarshal([]byte(stdout), &answer))
		expect.Equal(t, "the last notice", test.says, answer.Notices[len(answer.Notices)-1])
		stdout, stderr := run("", "call", "search_trials", "--all", "--ndjson")
		expect.That(t, !strings.Contains(stdout+strings.TrimPrefix(stderr, "biofact: "+test.says), test.says), "twice: %s", stderr)

		run("", "call", "get_trial", test.nct, "--html", filepath.Join(folder, "page.html"))
		page, err := os.ReadFile(filepath.Join(folder, "page.html"))
		expect.NoError(t, err)
		static, _, _ := strings.Cut(string(page), "</noscript>")
		expect.That(t, strings.Contains(static, "<p><b>"+test.says+"</b></p>") &&
			strings.Contains(static, " "+test.flag+" nct_id="+test.nct) &&
			strings.Contains(string(page), `"banner":"`+test.says+`"`), "%s: the page does not say it", test.flag)

		const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
			`"clientInfo":{"name":"test","version":"1"}}}`
		for _, request := range []string{
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_trial","arguments":{"nct_id":"` + test.nct + `"}}}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_trial","arguments":{"nct_id":"words"}}}`,
		} {
			stdout, _ := run(initialize+"\n"+request+"\n", "serve")
			lines := strings.Split(strings.TrimSpace(stdout), "\n")
			slices.Sort(lines) // by id: answers come in any order
			var about struct {
				Result struct {
					Instructions string
					ServerInfo   struct{ Description string }
				}
			}
			expect.NoError(t, json.Unmarshal([]byte(lines[0]), &about))
			expect.That(t, strings.HasSuffix(about.Result.Instructions, "\n"+test.says) &&
				strings.HasSuffix(about.Result.ServerInfo.Description, test.says), "the server says %+v", about.Result)
			var result struct {
				Result struct {
					Meta map[string]any `json:"_meta"`
				}
			}
			expect.NoError(t, json.Unmarshal([]byte(lines[1]), &result))
			expect.That(t, result.Result.Meta["biofact/sandbox"] == true && result.Result.Meta["biofact/source"] == test.source,
				"metadata %v", result.Result.Meta)
		}
	}
}
