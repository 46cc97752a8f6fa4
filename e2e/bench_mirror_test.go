package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
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
		Items []row
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
		{"any of a note", question{"search_trials", anyOf("58 year old woman with chest pain, dyspnea on exertion, " +
			"hypertension, obesity, smoking and elevated troponin")}},
		{"any of broad words", question{"search_trials", anyOf("study disease safety dose baseline blood")}},
		{"any of rare words", question{"search_trials", anyOf("progeria montelukast relatlimab")}},
		{"any of 200 words", question{"search_trials", anyOf(manyWords(found.Items))}},
		{"relaxed", question{"search_trials", `{"query":"elevated troponin dyspnea obesity smoking zzqx","page_size":20}`}},
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

// A row is a trial of a search.
type row struct {
	ID, Title string
	Summary   string `json:"brief_summary"`
}

// anyOf returns the arguments of a search for trials that have some words of a text.
func anyOf(text string) string { return fmt.Sprintf(`{"query":%q,"words":"any","page_size":20}`, text) }

// manyWords returns 200 words of the titles and summaries of some rows.
func manyWords(rows []row) string {
	var words []string
	for _, r := range rows {
		words = append(words, query.Words(r.Title+" "+r.Summary)...)
	}
	slices.Sort(words)
	words = slices.Compact(words)
	return strings.Join(words[:min(200, len(words))], " ")
}
