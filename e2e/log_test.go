package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestDebugLog checks that the debug log has each request to a source, with its parameters and the id of the call, and no key, no
// e-mail address and no character that hides or reverses text.
func TestDebugLog(t *testing.T) {
	const apiKey, contact = "0123456789abcdef0123", "someone@lab.example.org"
	dir := t.TempDir()
	r := serveReplica(t, "BIOFACT_EUTILS_URL="+newRegistry(t, embeddedRecords(t)).url+"/entrez/eutils", "BIOFACT_CTGOV_URL="+
		newRegistry(t, embeddedRecords(t)).url,
		"NCBI_API_KEY="+apiKey, "NCBI_ADMIN_EMAIL="+contact, "NCBI_REQUEST_DELAY_MS=1", "BIOFACT_CTGOV_RPS=1000", "MCP_LOG_LEVEL=debug",
		"LOGS_DIR="+dir)
	ids := map[string]string{"/studies": "call-1", "/esearch.fcgi": "call-2", "/esummary.fcgi": "call-2", "/efetch.fcgi": "call-3"}
	for id, q := range map[string]question{
		"call-1": {"search_trials", `{"condition":"melan\u202eoma"}`},
		"call-2": {"search_genes", `{"query":"TP53","organism":"human"}`},
		"call-3": {"get_gene", `{"entrez_id":"7157"}`},
	} {
		if got, err := r.send(t, "/mcp", q.line(1), "X-Request-Id", id); err != nil || got.status != http.StatusOK {
			t.Fatalf("%s: %v, %v", id, got, err)
		}
	}
	output := r.stop(t)
	file, err := os.ReadFile(filepath.Join(dir, "biofact.log"))
	expect.NoError(t, err)
	for line := range strings.Lines(string(file)) {
		var entry struct{ Msg, Request, Source, Operation, Parameters, Result string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if entry.Msg != "request to a source" {
			continue
		}
		for operation, id := range ids {
			if !strings.HasSuffix(entry.Operation, operation) {
				continue
			}
			expect.That(t, entry.Request == id && entry.Source != "" && entry.Parameters != "" && entry.Result == "ok",
				"want id %s, source, parameters and result: %s", id, line)
			delete(ids, operation)
		}
	}
	expect.That(t, len(ids) == 0, "no line has %v", ids)
	for _, hidden := range []string{apiKey, contact, "\u202e", `\u202e`} {
		if strings.Contains(string(file)+output, hidden) {
			t.Errorf("%s is in the log:\n%s", fmt.Sprintf("%+q", hidden), file)
		}
	}
}
