package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestDocumentsSayWhatIsServed: the documents have the scopes, the pace and the size of the list that the program has.
func TestDocumentsSayWhatIsServed(t *testing.T) {
	t.Parallel()
	page := func(name string) string {
		text, err := os.ReadFile("../docs/" + name)
		expect.NoError(t, err)
		return string(text)
	}
	cfg, err := config.Read(nil)
	expect.NoError(t, err)
	var scopes []string
	for _, name := range cfg.Toolsets {
		scopes = append(scopes, name+":read")
	}
	expect.Is(t, strings.Count(page("deploy.md"), "`"+strings.Join(scopes, " ")+"`"), 2, "the lists of scopes in docs/deploy.md")
	expect.That(t, strings.Contains(page("troubleshooting.md"), "--toolsets "+strings.Join(cfg.Toolsets, ",")), "docs/troubleshooting.md")
	rates := map[string]float64{"openFDA": cfg.OpenFDARPS, "Europe PMC": cfg.EuropePMCRPS, "ClinicalTrials.gov": cfg.CTGovRPS}
	for source, rate := range rates {
		pace := strings.Replace(fmt.Sprintf("| %s | %g requests per second |", source, rate), " 1 requests", " 1 request", 1)
		expect.That(t, strings.Contains(page("answers.md"), pace), "docs/answers.md lacks %s", pace)
	}

	p := launch(t, exec.Command(binary(t), "--sandbox"))
	answer, err := p.roundTrip(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	p.end(t)
	expect.NoError(t, err)
	var list struct {
		Result struct{ Tools []map[string]any }
	}
	expect.NoError(t, json.Unmarshal(answer, &list))
	for _, listed := range list.Result.Tools {
		delete(listed, "outputSchema")
	}
	var bare bytes.Buffer
	encoder := json.NewEncoder(&bare)
	encoder.SetEscapeHTML(false)
	expect.NoError(t, encoder.Encode(list))
	comparison := page("comparison.md")
	count := fmt.Sprintf("| tools | %d |", len(list.Result.Tools))
	expect.That(t, strings.Contains(comparison, count), "docs/comparison.md: the number of tools")
	var full, without float64
	_, sizes, _ := strings.Cut(comparison, "| size of `tools/list` | ")
	_, err = fmt.Sscanf(sizes, "%f kB; %f kB without output schemas", &full, &without)
	near := math.Abs(full*1000-float64(len(answer))) < 0.1*full*1000 && math.Abs(without*1000-float64(bare.Len())) < 0.1*without*1000
	expect.That(t, err == nil && near, "docs/comparison.md: tools/list has %d bytes, %d without output schemas", len(answer), bare.Len())
}

// console matches a block with a command and its output.
var console = regexp.MustCompile("(?s)```console\n(.*?)```")

// TestDocumentsShowWhatIsPrinted: each line below a command of the sandbox is a line that the command prints, in this order. … stands for
// text that was cut.
func TestDocumentsShowWhatIsPrinted(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, name := range []string{"../README.md", "../docs/conversation.md", "../docs/command-line.md", "../docs/matching.md"} {
		page, err := os.ReadFile(name)
		expect.NoError(t, err)
		for _, block := range console.FindAllStringSubmatch(string(page), -1) {
			var printed []string
			for line := range strings.Lines(block[1]) {
				line = strings.TrimSuffix(line, "\n")
				if command, ok := strings.CutPrefix(line, "$ "); ok {
					if !strings.Contains(command, "--sandbox ") {
						break
					}
					seen++
					_, words, _ := strings.Cut(command, "biofact ")
					run := exec.Command("sh", "-c", binary(t)+" "+words+" 2>&1")
					run.Env = append(os.Environ(), "BIOFACT_CACHE_DIR=off")
					out, _ := run.CombinedOutput() // a shown error has an exit code too
					printed = strings.Split(strings.ReplaceAll(string(out), "\r", ""), "\n")
					continue
				}
				if line == "…" {
					continue
				}
				begin, end, _ := strings.Cut(line, "…")
				at := slices.IndexFunc(printed, func(got string) bool {
					return strings.HasPrefix(got, begin) && (end == "" || strings.HasSuffix(strings.TrimRight(got, " "), end)) &&
						(got == line || strings.Contains(line, "…"))
				})
				if at < 0 {
					t.Errorf("%s: no command prints %q after the line before", name, line)
					break
				}
				printed = printed[at+1:]
			}
		}
	}
	expect.That(t, seen > 5, "%d commands", seen)
}
