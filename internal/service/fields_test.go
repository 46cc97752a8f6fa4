package service

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/gen/fields"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/toolgen"
)

// A listener keeps the lists of fields that are asked for.
type listener struct {
	next http.RoundTripper
	mu   sync.Mutex
	sent []string
}

func (l *listener) RoundTrip(req *http.Request) (*http.Response, error) {
	if list := req.URL.Query().Get("fields"); list != "" {
		l.mu.Lock()
		l.sent = append(l.sent, list)
		l.mu.Unlock()
	}
	return l.next.RoundTrip(req)
}

// TestFields: a tool asks for the fields that the mapper of its entity lists, so
// that drift knows what the tool reads.
func TestFields(t *testing.T) {
	t.Parallel()
	in, err := toolgen.Repository("../..")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := toolgen.Read(in)
	if err != nil {
		t.Fatal(err)
	}
	upstream, err := sandbox.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range contract.Tools {
		if entry.Toolset != "trials" {
			continue
		}
		l := &listener{next: upstream}
		table := tools.Table(serve(t, inMemory(), registryURL, manners(l)))
		i := slices.IndexFunc(table, func(t *tool.Tool) bool { return t.Name == entry.Name })
		args, err := json.Marshal(entry.Example.Arguments())
		if err != nil {
			t.Fatal(err)
		}
		if answer := table[i].Call(t.Context(), slog.New(slog.DiscardHandler), args); answer.IsError {
			t.Fatalf("%s: %s", entry.Name, answer.JSON)
		}
		want := strings.Join(fields.Of(entry.Name), "|")
		for _, sent := range l.sent {
			if diff := cmp.Diff(want, sent); diff != "" {
				t.Errorf("%s asks for other fields than its mapper lists (-listed +asked):\n%s", entry.Name, diff)
			}
		}
		if len(l.sent) == 0 && want != "" {
			t.Errorf("%s asks for no fields", entry.Name)
		}
	}
}
