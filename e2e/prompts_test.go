package e2e

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestPrompts makes the calls in the text of every prompt with the sandbox and a mirror of it.
func TestPrompts(t *testing.T) {
	env := []string{"BIOFACT_MIRROR_PATH=" + filepath.Join(t.TempDir(), "mirror.db")}
	expect.Is(t, biofact(t, env, "--sandbox", "mirror", "sync").code, 0, "exit code of a sync")
	p := launch(t, exec.Command(binary(t), "--sandbox"), env...)
	planned := map[string]bool{}
	for _, test := range []struct {
		name, arguments string
		want            []string // facts in the answers: call.path
	}{
		{"trials_for_a_person", `{"condition":"leukemia","age":"58","sex":"female","near":"Boston, MA","within":"50 mi"}`,
			[]string{"1.items[0].nearest_site.facility_name", "1.items[0].counts.touched", "1.items[0].gates[0].met", "2.items[0].facility_name"}},
		{"trials_for_a_person", `{"condition":"melanoma","measurements":"ECOG 1, hemoglobin 9.8 g/dL"}`,
			[]string{"1.items[0].id", "1.items[0].lines[0].text", "2.items[0].facility_name"}},
		{"landscape_of_a_field", `{"condition":"macular edema","intervention":"aflibercept"}`,
			[]string{"1.groups[0].value", "2.groups[0].value", "3.groups[0].value", "4.items[0].id", "5.totalFound"}},
		{"landscape_of_a_field", `{"condition":"melanoma"}`, []string{"1.groups[0].value", "4.items[0].id", "5.totalFound"}},
		{"findings_of_a_trial", `{"nct_id":"NCT01844505"}`,
			[]string{"1.cross_references.pubmed[0]", "2.pubmed[0]", "3.articles[0].abstractText", "4.availability",
				"5.citations.vancouver"}},
		{"literature_of_a_gene", `{"gene":"JAK2","topic":"polycythemia"}`,
			[]string{"1.items[0].symbol", "2.summary", "3.items[0].pmid", "4.articles[0].title", "5.totalFound"}},
		{"drug_dossier", `{"drug":"Kadcyla"}`,
			[]string{"1.items[0].id", "2.label.text.boxed_warning", "3.items[0].id", "4.total_reports", "5.total_reports"}},
		{"what_changed", `{"condition":"schizophrenia","since":"2010"}`, []string{"1.compared.from", "2.compared.to", "3.items[0].id"}},
		{"literature_of_a_gene", `{"gene":"TP53"}`, []string{"1.items[0].symbol", "2.summary", "5.totalFound"}},
	} {
		t.Run(test.name+" "+test.arguments, func(t *testing.T) {
			planned[test.name] = true
			line, err := p.roundTrip(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":%q,"arguments":%s}}`,
				test.name, test.arguments))
			expect.NoError(t, err)
			var got struct {
				Result struct {
					Messages []struct {
						Content struct{ Text string }
					}
				}
			}
			expect.NoError(t, json.Unmarshal(line, &got))
			expect.Must(t, len(got.Result.Messages) == 1, "answered with %s", line)
			var made answers
			for step := range strings.Lines(got.Result.Messages[0].Content.Text) {
				m := callLine.FindStringSubmatch(strings.TrimSpace(step))
				if m == nil {
					continue
				}
				c := scripted{tool: m[1]}
				expect.NoError(t, json.Unmarshal([]byte(m[2]), &c.arguments))
				p.ask(t, &made, c)
			}
			for _, path := range test.want {
				call, rest, _ := strings.Cut(path, ".")
				made.find(t, call, rest)
			}
		})
	}
	for _, prompt := range tools.Prompts() {
		expect.That(t, planned[prompt.Name], "the plan of %s was not made", prompt.Name)
	}
	p.end(t)
}
