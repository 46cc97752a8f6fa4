package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// BenchmarkMirror calls tools over a local mirror of the embedded records, or over the mirror at BIOFACT_MIRROR_PATH, inside
// this process, so that they can be profiled:
//
//	go test ./e2e -run '^$' -bench Mirror/get_trial -cpuprofile cpu.out
func BenchmarkMirror(b *testing.B) {
	path, stored := os.LookupEnv("BIOFACT_MIRROR_PATH")
	if !stored {
		path = filepath.Join(b.TempDir(), "mirror.db")
	}
	cfg, err := config.Read(append(os.Environ(), "NCBI_ADMIN_EMAIL=test@example.org", "BIOFACT_CACHE_DIR=off", "BIOFACT_MIRROR=only",
		"BIOFACT_MIRROR_PATH="+path))
	expect.NoError(b, err)
	if !stored {
		cfg.Sandbox = config.SandboxEmbedded
		sync, done, err := app.MirrorSync(b.Context(), cfg, "0")
		expect.NoError(b, err)
		_, err = sync.Run(b.Context())
		expect.NoError(b, err)
		expect.NoError(b, done())
	}
	a, err := app.New(b.Context(), cfg, "0", nil)
	expect.NoError(b, err)
	defer a.Close()
	call := func(b *testing.B, q question) []byte {
		result := a.Tool(q.tool).Call(b.Context(), a.Log, json.RawMessage(q.arguments))
		expect.Must(b, !result.IsError, "%s: %.500s", q, result.JSON)
		return result.JSON
	}
	var found struct {
		Items []struct{ ID string }
	}
	search := question{"search_trials", `{"status":"completed","sort":"start_date","page_size":20}`}
	expect.NoError(b, json.Unmarshal(call(b, search), &found))
	var ids []string
	for _, item := range found.Items {
		ids = append(ids, `"`+item.ID+`"`)
	}
	expect.Must(b, len(ids) > 5, "%d trials", len(ids))
	n := 0
	for _, c := range []struct {
		name string
		question
	}{
		{"search_trials", search},
		{"search_trials by country", question{"search_trials", `{"country":"France","phase":"3","page_size":20}`}},
		{"get_trial", question{"get_trial", ""}},
		{"get_trial_locations", question{"get_trial_locations", ""}},
		{"compare_trials", question{"compare_trials", `{"nct_ids":[` + strings.Join(ids[:5], ",") + `]}`}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				q := c.question
				if q.arguments == "" {
					q.arguments = fmt.Sprintf(`{"nct_id":%s}`, ids[n%len(ids)])
					n++
				}
				call(b, q)
			}
		})
	}
}
