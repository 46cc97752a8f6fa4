package trials

import (
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// BenchmarkAnyWord reports the processor time of searches for some of the words in the file that TestLarge of the mirror keeps. A new
// reader for each search remembers no word of the last one. docs/mirror.md has the figures. It runs only on request:
//
//	BIOFACT_MIRROR_BENCH_PATH=<folder> go test ./internal/trials -run XXX -bench AnyWord -benchtime 5x
func BenchmarkAnyWord(b *testing.B) {
	folder := os.Getenv("BIOFACT_MIRROR_BENCH_PATH")
	if folder == "" {
		b.Skip("runs with BIOFACT_MIRROR_BENCH_PATH=<folder> alone")
	}
	offline := upstream.NewClient(sourcetest.Policy(http.NewFileTransport(http.Dir(b.TempDir()))))
	const note = "chest pain dyspnea exertion hypertension obesity smoking troponin elevated woman diabetes stroke fever cough edema"
	for _, q := range []struct{ name, words string }{
		{"note", note},
		{"broad", "safety blood cancer treatment disease therapy"},
		{"rare", "progeria montelukast relatlimab"},
		{"long", manyWords(b, 200)},
	} {
		b.Run(q.name, func(b *testing.B) {
			var total float64
			trials := 0
			for b.Loop() {
				reader := mirror.NewReader(filepath.Join(folder, "mirror.db"))
				local := &ctgov.Mirror{Reader: reader, Source: "test", Only: true, Log: slog.New(slog.DiscardHandler)}
				s := setup{Setup: sourcetest.Setup{CTGovURL: sourcetest.RegistryURL, CTGov: offline, Mirror: local}}.open(b)
				args := tools.SearchTrialsArgs{TrialFilters: tools.TrialFilters{Query: "zzqx", Words: anyWord}}
				_, err := s.SearchTrials(b.Context(), args) // reads the facets
				expect.NoError(b, err)
				args.Query = q.words
				began := expect.ProcessTime()
				found, err := s.SearchTrials(b.Context(), args)
				total += (expect.ProcessTime() - began).Seconds()
				expect.NoError(b, err)
				trials = *found.Value.Pagination.TotalCount
				expect.NoError(b, reader.Close())
			}
			b.ReportMetric(1000*total/float64(b.N), "ms-cpu")
			b.ReportMetric(float64(trials), "trials")
		})
	}
}

// manyWords returns words of the criteria of records.
func manyWords(b *testing.B, n int) string {
	b.Helper()
	var words []string
	for _, raw := range expect.Lines(b, expect.Trials("studies").Paths[0]) {
		_, text, _ := strings.Cut(string(raw), `"eligibilityCriteria":"`)
		for _, w := range strings.Fields(text[:min(len(text), 600)]) {
			if w = strings.Trim(w, `*().,:;"\`); !strings.ContainsAny(w, `\"()*[]{}:/`) && len(w) > 3 {
				words = append(words, w)
			}
		}
	}
	return strings.Join(words[:min(n, len(words))], " ")
}
