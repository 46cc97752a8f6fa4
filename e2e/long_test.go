package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestLongArguments checks that 16 concurrent clients with an argument of 800 kB get an error on the length or are asked to retry, and
// that they cost little memory.
func TestLongArguments(t *testing.T) {
	expect.Slow(t)
	r := serveReplica(t, "BIOFACT_CTGOV_URL=http://127.0.0.1:1", "BIOFACT_EUTILS_URL=http://127.0.0.1:1") // gets no request
	words := strings.Repeat("melanoma ", 90_000)
	const callers, calls = 16, 8
	together(callers, func(i int) {
		for n := range calls {
			tool := allTools[(i+n)%len(allTools)]
			arguments, err := json.Marshal(map[string]string{tool.Arguments[0].Name: words})
			expect.NoError(t, err)
			got, err := r.send(t, "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`,
				n+1, tool.Name, arguments))
			switch {
			case err != nil:
				t.Errorf("%s: %v", tool.Name, err)
			case got.status == http.StatusServiceUnavailable: // too many large bodies at once
			case got.status != http.StatusOK || !strings.Contains(got.text(), "INVALID_INPUT") || len(got.body) > 8<<10:
				t.Errorf("%s: %v", tool.Name, got)
			}
		}
	})
	peak := memoryKB(t, r.cmd.Process.Pid, "VmHWM")
	t.Logf("%d kB resident at most", peak)
	expect.That(t, peak < 150<<10, "%d kB were resident at most, want less than 150 MB", peak)
}
