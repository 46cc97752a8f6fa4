package trials

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/biofact-mcp/biofact/gen/fields"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// A fieldRecorder records the lists of requested fields.
type fieldRecorder struct {
	next http.RoundTripper
	mu   sync.Mutex
	sent []string
}

func (l *fieldRecorder) RoundTrip(req *http.Request) (*http.Response, error) {
	if list := req.URL.Query().Get("fields"); list != "" {
		l.mu.Lock()
		l.sent = append(l.sent, list)
		l.mu.Unlock()
	}
	return l.next.RoundTrip(req)
}

// TestFields: a tool requests the fields that the mapper of its entity lists, so that the drift check knows which fields the tool reads.
func TestFields(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../gen/schemas/index.json")
	expect.NoError(t, err)
	var index struct {
		Schemas []struct {
			Kind, Tool, Toolset string
			Example             json.RawMessage
		}
	}
	expect.NoError(t, json.Unmarshal(text, &index))
	upstream, err := sourcetest.Embedded()
	expect.NoError(t, err)
	for _, entry := range index.Schemas {
		if entry.Toolset != "trials" || entry.Kind != "tool input" {
			continue
		}
		l := &fieldRecorder{next: upstream}
		table := toolTable(serve(t, sourcetest.InMemory(), sourcetest.RegistryURL, sourcetest.Policy(l)))
		i := slices.IndexFunc(table, func(t *tool.Tool) bool { return t.Name == entry.Tool })
		if table[i].NeedsMirror {
			continue // it reads complete records
		}
		if answer := table[i].Call(t.Context(), slog.New(slog.DiscardHandler), entry.Example); answer.IsError {
			t.Fatalf("%s: %s", entry.Tool, answer.JSON)
		}
		listed := fields.Of(entry.Tool)
		for _, sent := range l.sent {
			for _, field := range strings.Split(sent, "|") {
				expect.That(t, slices.Contains(listed, field), "%s asks for %s, which its mapper does not list", entry.Tool, field)
			}
		}
		expect.That(t, len(l.sent) != 0 || listed == nil, "%s asks for no fields", entry.Tool)
	}
}
