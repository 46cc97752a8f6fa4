package mirror

import (
	"encoding/binary"
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
	"github.com/biofact-mcp/biofact/internal/mirror/checksum"
	"github.com/biofact-mcp/biofact/internal/query"
)

// The parts of a log: its header, and frames with a page each. The size in a frame is 0 unless it ends a transaction.
const (
	logHeader   = 32
	sizeInFrame = 4
	frameSize   = 24 + checksum.PageSize
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
		clear(somePage(random, file)[checksum.PageSize/2:])
		return file
	}},
	{"without its end", func(random *rand.Rand, file []byte) []byte { return file[:random.IntN(len(file))] }},
}

func somePage(random *rand.Rand, file []byte) []byte {
	at := random.IntN(len(file)/checksum.PageSize) * checksum.PageSize
	return file[at : at+checksum.PageSize]
}

// damagedFiles is how many files are damaged, each kind of damage equally often.
func damagedFiles() int {
	if testing.Short() {
		return 2 * len(damages)
	}
	return 8 * len(damages)
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
	first, files := setting(t, "BIOFACT_MIRROR_SEED", 1), setting(t, "BIOFACT_MIRROR_DAMAGED", damagedFiles())
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

// TestDamagedLogs: a file with a damaged log gives the answers of a state that a sync has committed, or an error that a verification finds.
func TestDamagedLogs(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	c := copying(t, 60)
	c.run(t)
	c.Change(20, 3, 2, 5)
	c.sync.size, c.sync.keepsLog = 10, true
	var file, log []byte
	c.sync.Progress = func(p Progress) {
		if log == nil && strings.Contains(p.Step, "facets") {
			file, log = expect.Read(t, c.sync.Path), expect.Read(t, c.sync.Path+"-wal")
		}
	}
	c.run(t)
	expect.Must(t, len(log) > 20*frameSize, "a log of %d bytes", len(log))
	calls, folder := callsOf(c), t.TempDir()
	copyOf := func(name string, log []byte) *copied {
		copied := *c
		copied.sync.Path, copied.sync.Progress, copied.sync.keepsLog = filepath.Join(folder, name), nil, false
		expect.NoError(t, os.WriteFile(copied.sync.Path, file, 0o600))
		expect.NoError(t, os.WriteFile(copied.sync.Path+"-wal", log, 0o600))
		return &copied
	}
	states := [][]string{answersTo(t, c.sync.Path, calls)}
	for end := len(log) / frameSize * frameSize; end >= 0; end -= frameSize {
		if part := log[:logHeader+end]; end == 0 || binary.BigEndian.Uint32(part[len(part)-frameSize+sizeInFrame:]) > 0 {
			states = append(states, answersTo(t, copyOf(fmt.Sprint("state", end), part).sync.Path, calls))
		}
	}
	expect.That(t, len(states) > 3, "%d states", len(states))
	first, files := setting(t, "BIOFACT_MIRROR_SEED", 1), setting(t, "BIOFACT_MIRROR_DAMAGED", damagedFiles())/2
	errors := 0
	for seed := first; seed < first+files; seed++ {
		damage := damages[seed%len(damages)]
		damaged := damage.do(rand.New(rand.NewPCG(uint64(seed), 1)), slices.Clone(log))
		copied := copyOf(fmt.Sprint(seed), log)
		reader := NewReader(copied.sync.Path)
		open := seed%3 > 0 // the log is damaged while a server has it open, and a sync may continue
		if open {
			_, err := reader.State(t.Context())
			expect.NoError(t, err)
		}
		expect.NoError(t, os.WriteFile(copied.sync.Path+"-wal", damaged, 0o600))
		v, err := copied.sync.Verify(t.Context())
		got := answersOf(t, reader, calls)
		broken := slices.ContainsFunc(got, func(answer string) bool { return strings.HasPrefix(answer, failed) })
		expect.That(t, !broken || err != nil || v.Damage != "", "seed %d, %s: a verification finds nothing", seed, damage.name)
		if broken {
			errors++
		}
		ofState(t, states, got, "seed %d, %s", seed, damage.name)
		if open {
			_, _ = copied.sync.Run(t.Context()) // it may find the damage
			ofState(t, states, answersOf(t, reader, calls), "seed %d, %s, after a sync", seed, damage.name)
		}
		expect.NoError(t, reader.Close())
		ofState(t, states, answersTo(t, copied.sync.Path, calls), "seed %d, %s, opened again", seed, damage.name)
	}
	t.Logf("%d logs of %d states: %d with errors", files, len(states), errors)
	expect.That(t, errors > files/4, "the damage misses what answers use")
}

// ofState checks that answers without errors are those of one state.
func ofState(t *testing.T, states [][]string, answers []string, format string, args ...any) {
	t.Helper()
	expect.That(t, slices.ContainsFunc(states, func(right []string) bool {
		for i, answer := range answers {
			if answer != right[i] && !strings.HasPrefix(answer, failed) {
				return false
			}
		}
		return true
	}), format+": the answers are of no state", args...)
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
	return answersOf(t, r, calls)
}

func answersOf(t *testing.T, r *Reader, calls []string) (answers []string) {
	t.Helper()
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
		groups, _, err := r.Groups(t.Context(), &query.Search{}, strings.Fields(pieces))
		texts := []string{fmt.Sprint(groups.Total)}
		for _, g := range groups.Groups {
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
