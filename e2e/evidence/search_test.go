package evidence

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"maps"
	"math"
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

// matchCorpus has trials, and patients with queries and the judgments of assessors; see docs/evidence.md.
const matchCorpus = "../../../shared/corpus/match/"

// A judgedPatient is a patient with queries of several kinds, and the relevance of trials: 0, 1 or 2.
type judgedPatient struct {
	Note      string
	Queries   map[string][]string
	Judgments map[string]int
}

// queryKinds are the kinds of queries, with their names in the table.
var queryKinds = [][2]string{
	{"gpt-4-turbo", "conditions by GPT-4"}, {"Clinician_A", "clinician A"}, {"Clinician_B", "clinician B"}, {"Clinician_C", "clinician C"},
	{"Clinician_D", "clinician D"}, {"summary", "summary in one line"}, {"note", "whole note"},
}

// The least mean of the kinds, and the least part of the figures of plain BM25 for each kind.
const (
	leastNDCG, leastRecall = 0.160, 0.40
	leastShare             = 0.85

	leastJoinedNDCG, leastJoinedRecall = 0.2, 0.58
)

// TestEvidence prints the table of docs/evidence.md: how well search_trials finds the trials that assessors found relevant for patients,
// in a mirror of the judged trials. It runs only on request, and where the corpus is:
//
//	make evidence
func TestEvidence(t *testing.T) {
	if os.Getenv("BIOFACT_EVIDENCE") == "" {
		t.Skip("runs with make evidence alone")
	}
	if _, err := os.Stat(matchCorpus); err != nil {
		t.Skip("search is not measured: shared/corpus/match is not beside the repository")
	}
	patients := jsonLines[judgedPatient](t, matchCorpus+"patients.jsonl.gz")
	bm25 := newPlainIndex(t)
	call := mirrorOf(t, matchCorpus+"trials.jsonl.gz")
	t.Logf("search_trials in a mirror of %d trials, %d patients (SIGIR 2016 collection)", len(bm25.ids), len(patients))
	t.Logf("| queries | number | silent: all words | silent | nDCG@10: all words | nDCG@10 | R@100 | plain BM25 nDCG@10 | R@100 |")
	var sum figures
	for _, kind := range queryKinds {
		all := measureKind(patients, kind[0], func(q string) ranking { return call(t, map[string]any{"query": q, "words": "all"}) })
		got := measureKind(patients, kind[0], func(q string) ranking { return call(t, map[string]any{"query": q, "words": "any"}) })
		got.silent = all.silent
		base := measureKind(patients, kind[0], func(q string) ranking { return bm25.search(q) })
		t.Logf("| %s | %d | %.0f %% | %.1f %% | %.3f | %.3f | %.2f | %.3f | %.2f |", kind[1], got.queries, all.silentStrict, got.silent,
			all.ndcg, got.ndcg, got.recall, base.ndcg, base.recall)
		expect.That(t, got.ndcg >= leastShare*base.ndcg, "%s: nDCG@10 %.3f, plain BM25 %.3f", kind[1], got.ndcg, base.ndcg)
		sum.ndcg += got.ndcg / float64(len(queryKinds))
		sum.recall += got.recall / float64(len(queryKinds))
	}
	t.Logf("| mean of the kinds | | | | | %.3f | %.3f | | |", sum.ndcg, sum.recall)
	expect.That(t, sum.ndcg >= leastNDCG && sum.recall >= leastRecall, "nDCG@10 %.3f, R@100 %.3f", sum.ndcg, sum.recall)
	measureQueries(t, patients, call)
}

// measureQueries prints how well queries of search_trials joins the texts of a clinician, and these with the conditions of a model, eight
// texts at most.
func measureQueries(t *testing.T, patients []judgedPatient, call func(*testing.T, map[string]any) ranking) {
	t.Helper()
	t.Logf("| queries of search_trials | nDCG@10 | R@100 | with conditions by GPT-4: nDCG@10 | R@100 |")
	var mean [2]figures
	for _, kind := range queryKinds[1:5] {
		var got [2]figures
		n := 0.0
		for _, p := range patients {
			own := p.Queries[kind[0]]
			if len(own) == 0 {
				continue
			}
			n++
			all := slices.Concat(own, p.Queries["gpt-4-turbo"])
			for i, texts := range [][]string{own[:min(8, len(own))], all[:min(8, len(all))]} {
				found := call(t, map[string]any{"queries": texts})
				got[i].ndcg += gain(found.ids, p.Judgments, 10)
				got[i].recall += recall(found.ids, p.Judgments, 100)
			}
		}
		t.Logf("| %s | %.3f | %.2f | %.3f | %.2f |", kind[1], got[0].ndcg/n, got[0].recall/n, got[1].ndcg/n, got[1].recall/n)
		for i := range mean {
			mean[i].ndcg += got[i].ndcg / n / 4
			mean[i].recall += got[i].recall / n / 4
		}
	}
	t.Logf("| mean of clinicians | %.3f | %.2f | %.3f | %.2f |", mean[0].ndcg, mean[0].recall, mean[1].ndcg, mean[1].recall)
	expect.That(t, mean[1].ndcg >= leastJoinedNDCG && mean[1].recall >= leastJoinedRecall, "joined: nDCG@10 %.3f, R@100 %.3f", mean[1].ndcg,
		mean[1].recall)
}

// A ranking is the list of trials that a query finds, the best first.
type ranking struct {
	ids    []string
	silent bool // no row at all, relaxed ones included
	none   bool // no row with all words
}

// figures are the measures of a kind of queries.
type figures struct {
	queries                            int
	ndcg, recall, silent, silentStrict float64
}

// measureKind measures the queries of a kind. The rankings of the queries of a patient are fused by reciprocal rank, the earlier queries
// with more weight.
func measureKind(patients []judgedPatient, kind string, search func(string) ranking) (f figures) {
	n := 0.0
	for _, p := range patients {
		queries := p.Queries[kind]
		if kind == "note" {
			queries = []string{p.Note}
		}
		if len(queries) == 0 {
			continue
		}
		scores := map[string]float64{}
		for i, q := range queries {
			found := search(q)
			f.queries++
			if found.silent {
				f.silent++
			}
			if found.none {
				f.silentStrict++
			}
			for rank, id := range found.ids {
				scores[id] += 1 / float64(rank+20) / float64(i+1)
			}
		}
		n++
		fused := slices.SortedFunc(maps.Keys(scores), func(a, b string) int {
			return cmp.Or(cmp.Compare(scores[b], scores[a]), strings.Compare(a, b))
		})
		f.ndcg += gain(fused, p.Judgments, 10)
		f.recall += recall(fused, p.Judgments, 100)
	}
	f.ndcg, f.recall = f.ndcg/n, f.recall/n
	f.silent, f.silentStrict = 100*f.silent/float64(f.queries), 100*f.silentStrict/float64(f.queries)
	return f
}

// gain returns the normalized discounted cumulative gain of the first k trials.
func gain(ids []string, judgments map[string]int, k int) float64 {
	sum := func(grades []int) (s float64) {
		for i, g := range grades[:min(k, len(grades))] {
			s += (math.Exp2(float64(g)) - 1) / math.Log2(float64(i+2))
		}
		return s
	}
	var grades []int
	for _, id := range ids {
		grades = append(grades, judgments[id])
	}
	best := slices.Sorted(maps.Values(judgments))
	slices.Reverse(best)
	return sum(grades) / sum(best)
}

// recall returns the share of the relevant trials that are among the first k.
func recall(ids []string, judgments map[string]int, k int) float64 {
	relevant, found := 0.0, 0.0
	for id, grade := range judgments {
		if grade > 0 {
			relevant++
			if i := slices.Index(ids, id); i >= 0 && i < k {
				found++
			}
		}
	}
	return found / relevant
}

// mirrorOf loads the records of a file into a mirror, and returns a search of it with 100 rows.
func mirrorOf(t *testing.T, records string) func(t *testing.T, args map[string]any) ranking {
	t.Helper()
	cfg, err := config.Read(append(os.Environ(), "NCBI_ADMIN_EMAIL=test@example.org", "BIOFACT_CACHE_DIR=off", "BIOFACT_MIRROR=only",
		"BIOFACT_MIRROR_PATH="+filepath.Join(t.TempDir(), "mirror.db")))
	expect.NoError(t, err)
	cfg.Sandbox = records
	sync, done, err := app.MirrorSync(t.Context(), cfg, "0")
	expect.NoError(t, err)
	_, err = sync.Run(t.Context())
	expect.NoError(t, err)
	expect.NoError(t, done())
	a, err := app.New(t.Context(), cfg, "0", nil)
	expect.NoError(t, err)
	t.Cleanup(func() { a.Close() })
	type row struct{ ID string }
	return func(t *testing.T, given map[string]any) (found ranking) {
		t.Helper()
		given["page_size"] = 100
		args, err := json.Marshal(given)
		expect.NoError(t, err)
		result := a.Tool("search_trials").Call(t.Context(), a.Log, args)
		expect.Must(t, !result.IsError, "%s: %.500s", args, result.JSON)
		var answer struct {
			Items   []row
			Relaxed struct{ Items []row }
		}
		expect.NoError(t, json.Unmarshal(result.JSON, &answer))
		for _, r := range answer.Items {
			found.ids = append(found.ids, strings.Replace(r.ID, ":", "", 1))
		}
		found.none, found.silent = len(answer.Items) == 0, len(answer.Items)+len(answer.Relaxed.Items) == 0
		return found
	}
}

// jsonLines reads the lines of a compressed file.
func jsonLines[T any](t *testing.T, path string) (all []T) {
	t.Helper()
	packed, err := os.ReadFile(path)
	expect.NoError(t, err)
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	expect.NoError(t, err)
	lines := bufio.NewScanner(unpacked)
	for lines.Buffer(nil, 8<<20); lines.Scan(); {
		var v T
		expect.NoError(t, json.Unmarshal(lines.Bytes(), &v))
		all = append(all, v)
	}
	expect.NoError(t, lines.Err())
	return all
}

// A plainIndex ranks by BM25 over any word, with the title counted five times: the order of a search engine without knowledge of the field.
type plainIndex struct {
	ids    []string
	fields [2][]map[string]float64 // title and summary: words with their number
	sizes  [2][]float64
	means  [2]float64
	uses   map[string]float64 // trials with the word
}

func newPlainIndex(t *testing.T) *plainIndex {
	t.Helper()
	p := &plainIndex{uses: map[string]float64{}}
	for _, record := range jsonLines[map[string]any](t, matchCorpus+"trials.jsonl.gz") {
		p.ids = append(p.ids, query.First(record, "NCTId"))
		seen := map[string]bool{}
		for f, piece := range []string{"BriefTitle", "BriefSummary"} {
			words := query.Words(query.First(record, piece))
			counts := map[string]float64{}
			for _, w := range words {
				counts[w]++
				seen[w] = true
			}
			p.fields[f], p.sizes[f] = append(p.fields[f], counts), append(p.sizes[f], float64(len(words)))
			p.means[f] += float64(len(words))
		}
		for w := range seen {
			p.uses[w]++
		}
	}
	for f := range p.means {
		p.means[f] /= float64(len(p.ids))
	}
	return p
}

func (p *plainIndex) search(text string) (found ranking) {
	words := query.Words(text)
	slices.Sort(words)
	words = slices.Compact(words)
	scores, n := map[string]float64{}, float64(len(p.ids))
	for i, id := range p.ids {
		for _, w := range words {
			tf := 0.0
			for f, weight := range []float64{5, 1} {
				tf += weight * p.fields[f][i][w] / (0.25 + 0.75*p.sizes[f][i]/p.means[f])
			}
			if tf > 0 {
				scores[id] += math.Log(1+(n-p.uses[w]+0.5)/(p.uses[w]+0.5)) * tf * 2.2 / (tf + 1.2)
			}
		}
	}
	found.ids = slices.SortedFunc(maps.Keys(scores), func(a, b string) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), strings.Compare(b, a))
	})
	return found
}
