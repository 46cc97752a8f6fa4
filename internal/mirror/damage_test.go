package mirror

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/registry"
)

// damages are kinds of damage to a file.
var damages = []struct {
	name string
	do   func(random *rand.Rand, file []byte) []byte
}{
	{"a flipped bit", func(random *rand.Rand, file []byte) []byte {
		file[random.IntN(len(file))] ^= 1 << random.IntN(8)
		return file
	}},
	{"many flipped bits", func(random *rand.Rand, file []byte) []byte {
		for range 40 {
			file[random.IntN(len(file))] ^= 1 << random.IntN(8)
		}
		return file
	}},
	{"pages of zeros", func(random *rand.Rand, file []byte) []byte {
		for range 4 {
			clear(somePage(random, file))
		}
		return file
	}},
	{"a page in the place of another", func(random *rand.Rand, file []byte) []byte {
		copy(somePage(random, file), somePage(random, file))
		return file
	}},
	{"half a page", func(random *rand.Rand, file []byte) []byte {
		clear(somePage(random, file)[pageSize/2:])
		return file
	}},
	{"without its end", func(random *rand.Rand, file []byte) []byte { return file[:random.IntN(len(file))] }},
}

func somePage(random *rand.Rand, file []byte) []byte {
	at := random.IntN(len(file)/pageSize) * pageSize
	return file[at : at+pageSize]
}

// TestDamagedFiles: a damaged file gives right answers or an error, and a verification finds the damage that an answer would have used.
// BIOFACT_MIRROR_DAMAGED is the number of files, BIOFACT_MIRROR_SEED the seed of the first.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	c := copying(t, 120)
	c.run(t)
	c.Change(20, 3, 2, 5)
	c.run(t)
	calls := callsOf(c)
	right := answersTo(t, c.sync.Path, calls)
	for i, answer := range right {
		expect.That(t, !strings.HasPrefix(answer, failed), "%s: %.300s", calls[i], answer)
	}
	intact, err := os.ReadFile(c.sync.Path)
	expect.NoError(t, err)
	first, files := setting(t, "BIOFACT_MIRROR_SEED", 1), setting(t, "BIOFACT_MIRROR_DAMAGED", 48)
	folder, errors, found := t.TempDir(), 0, 0
	for seed := first; seed < first+files; seed++ {
		damage := damages[seed%len(damages)]
		content := damage.do(rand.New(rand.NewPCG(uint64(seed), 0)), slices.Clone(intact))
		damaged := *c
		damaged.sync.Path = filepath.Join(folder, fmt.Sprint(seed))
		expect.NoError(t, os.WriteFile(damaged.sync.Path, content, 0o600))
		broken := false
		for i, answer := range answersTo(t, damaged.sync.Path, calls) {
			if broken = broken || strings.HasPrefix(answer, failed); !strings.HasPrefix(answer, failed) && answer != right[i] {
				t.Errorf("seed %d, %s: %s is wrong", seed, damage.name, calls[i])
			}
		}
		v, err := damaged.sync.Verify(t.Context())
		finds := err != nil || v.Damage != ""
		expect.That(t, finds || !broken, "seed %d, %s: a verification finds nothing: %v", seed, damage.name, err)
		if broken {
			errors++
		}
		if finds {
			found++
		}
		expect.NoError(t, os.Remove(damaged.sync.Path))
	}
	t.Logf("%d files: %d with errors, %d found by a verification", files, errors, found)
	expect.That(t, errors > files/4, "the damage misses what answers use")
}

// failed begins the answer of a call that failed.
const failed = "ERROR "

// callsOf returns calls of many kinds: the queries of requests, and after "by " the pieces of groups.
func callsOf(c *copied) (calls []string) {
	for _, id := range c.IDs()[:20] {
		calls = append(calls, "filter.ids="+id)
	}
	for old := range c.Aliases() {
		calls = append(calls, "fields=NCTId&filter.ids="+old)
	}
	for _, p := range grouped {
		calls = append(calls, "by "+p)
	}
	const ids = "&fields=NCTId&countTotal=true&pageSize=20"
	for _, q := range []string{
		"", "query.term=study&sort=@relevance", "query.cond=cancer OR pain", `query.intr="placebo"`, "query.locn=hospital",
		"filter.overallStatus=RECRUITING", "filter.overallStatus=COMPLETED&sort=StudyFirstPostDate:desc",
		"filter.advanced=AREA[Phase]PHASE3 OR AREA[Phase]PHASE2", "filter.advanced=AREA[StartDate]RANGE[2015-01-01,MAX]",
		"filter.advanced=AREA[EnrollmentCount]RANGE[50,MAX]&sort=EnrollmentCount:asc", "filter.advanced=AREA[MinimumAge]RANGE[MIN,18 years]",
		"filter.geo=distance(42.36,-71.06,300mi)", "filter.advanced=SEARCH[Location](AREA[LocationCity]Boston)",
		`filter.advanced=SEARCH[Location](AREA[LocationCountry]"United States" AND AREA[LocationStatus]COMPLETED)`,
		"filter.advanced=AREA[LocationCountry]France", "filter.advanced=NOT AREA[HasResults]true",
		"filter.advanced=AREA[CentralContactName]MISSING", "query.outc=survival&filter.advanced=AREA[Sex]FEMALE",
	} {
		calls = append(calls, encoded(q)+ids)
	}
	return append(calls, "pageSize=1000") // all records, as an export reads them
}

// answersTo returns the answers of a file as texts.
func answersTo(t *testing.T, path string, calls []string) (answers []string) {
	t.Helper()
	r := NewReader(path)
	defer func() { expect.NoError(t, r.Close()) }()
	for _, call := range calls {
		answer, err := answerTo(t, r, call)
		if err != nil {
			answer = failed + err.Error()
		}
		answers = append(answers, answer)
	}
	return answers
}

func answerTo(t *testing.T, r *Reader, call string) (string, error) {
	t.Helper()
	if pieces, ok := strings.CutPrefix(call, "by "); ok {
		groups, total, _, err := r.Groups(t.Context(), &registry.Search{}, strings.Fields(pieces))
		texts := []string{fmt.Sprint(total)}
		for _, g := range groups {
			texts = append(texts, fmt.Sprint(g))
		}
		slices.Sort(texts)
		return strings.Join(texts, "\n"), err
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://mirror/api/v2/studies?"+call, http.NoBody)
	expect.NoError(t, err)
	resp, err := r.RoundTrip(req)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(resp.Body)
	return resp.Status + string(text), err
}
