package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/biofact-mcp/biofact/internal/aact"
	"github.com/biofact-mcp/biofact/internal/aact/further"
	"github.com/biofact-mcp/biofact/internal/aact/store"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestMain lets the program of the tests update a folder until it is killed.
func TestMain(m *testing.M) {
	if folder := os.Getenv("STORE_TEST_FOLDER"); folder != "" {
		for state := 0; ; state++ {
			if _, err := store.Update(context.Background(), folder, stateOf(state%7).mirror, store.Options{}); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	}
	expect.Main(m)
}

// A registry has records by their numbers.
type registry map[int64]string

// stateOf returns one of some states of a registry: a state changes, adds and removes trials, and the last ones change most.
func stateOf(state int) registry {
	all := registry{}
	for id := int64(1); id <= 60; id++ {
		changes := 0
		if id%20 == int64(state) || state >= 5 && id%2 == 0 {
			changes = state
		}
		if id == 50+int64(state) {
			continue // removed, and there again in the next state
		}
		all[id] = fmt.Sprintf(`{"protocolSection":{"identificationModule":{"nctId":"NCT%08d","briefTitle":"title %d"},"statusModule":`+
			`{"overallStatus":"COMPLETED","startDateStruct":{"date":"2015-02"}},"conditionsModule":{"conditions":["a","b %d"]}}}`, id, changes, id)
	}
	return all
}

// mirror calls a function with the records.
func (r registry) mirror(_ context.Context, read func(store.Records) error) error { return read(r) }

func (r registry) Revision() string { return strconv.Itoa(len(fmt.Sprint(r))) + "/" + r.hash("") }
func (r registry) Day() string      { return "2026-08-05" }

// hash returns the hash of a text, or of all records.
func (r registry) hash(text string) string {
	h := fnv.New64a()
	if text == "" {
		text = fmt.Sprint(map[int64]string(r))
	}
	_, _ = h.Write([]byte(text))
	return strconv.FormatUint(h.Sum64(), 16)
}

func (r registry) Versions() (all []store.Version) {
	for _, id := range slices.Sorted(maps.Keys(r)) {
		hash, _ := strconv.ParseUint(r.hash(r[id]), 16, 64)
		all = append(all, store.Version{ID: id, Hash: int64(hash)})
	}
	return all
}

func (r registry) ForEach(ctx context.Context, ids []int64, read func(int64, map[string]any) error) error {
	for _, id := range ids {
		var record map[string]any
		if err := errors.Join(ctx.Err(), json.Unmarshal([]byte(r[id]), &record)); err != nil {
			return err
		}
		if err := read(id, record); err != nil {
			return err
		}
	}
	return nil
}

// rows returns the rows of a table, each as a text, in order.
func (r registry) rows(t *testing.T, table int) (all []string) {
	t.Helper()
	expect.NoError(t, r.ForEach(t.Context(), slices.Sorted(maps.Keys(r)), func(_ int64, record map[string]any) error {
		rows, err := further.Of(record)
		for _, row := range rows[table] {
			all = append(all, fmt.Sprint(row...))
		}
		return err
	}))
	slices.Sort(all)
	return all
}

// readFile returns the rows of a file whose trials are not in a set, in the form of registry.rows.
func readFile(t *testing.T, path string, table *aact.Table, without map[string]bool) (all []string) {
	t.Helper()
	f, err := os.Open(path)
	expect.NoError(t, err)
	defer f.Close()
	reader := parquet.NewReader(f)
	defer reader.Close()
	at, buffer := table.Column("nct_id"), make([]parquet.Row, 64)
	for {
		n, err := reader.ReadRows(buffer)
		for _, row := range buffer[:n] {
			values := make([]any, len(row))
			for i, v := range row {
				switch kind := table.Columns[i].Kind; {
				case v.IsNull():
				case kind == aact.Date:
					values[i] = time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly)
				case kind == aact.Bool:
					values[i] = v.Boolean()
				case kind == aact.Int:
					values[i] = v.Int32()
				case kind == aact.Long:
					values[i] = v.Int64()
				default:
					values[i] = string(v.ByteArray())
				}
			}
			if at < 0 || !without[values[at].(string)] {
				all = append(all, fmt.Sprint(values...))
			}
		}
		if err != nil {
			return all
		}
	}
}

// check compares the rows of the files of a state with those of a registry.
func check(t *testing.T, folder string, s store.State, r registry) {
	t.Helper()
	for i, table := range aact.All() {
		_, files := s.From(table)
		gone := map[string]bool{}
		if len(files) == 3 {
			list := &aact.Table{Columns: []aact.Column{{Name: "id"}}}
			for _, nct := range readFile(t, filepath.Join(folder, files[2]), list, nil) {
				gone[nct] = true
			}
		}
		got := readFile(t, filepath.Join(folder, files[0]), table, gone)
		if len(files) == 3 {
			got = append(got, readFile(t, filepath.Join(folder, files[1]), table, nil)...)
		}
		slices.Sort(got)
		expect.Equal(t, table.Name, r.rows(t, i), got)
		expect.Equal(t, "rows of "+table.Name, s.Rows[table.Name], int64(len(got)))
	}
}

// TestUpdate: the files have the rows of each state, as a base or as a base with changes, and no folder that nothing names.
func TestUpdate(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "mirror.tables")
	_, err := store.Read(folder)
	expect.That(t, errors.Is(err, store.ErrNone), "%v", err)
	var bases []string
	for _, number := range []int{0, 0, 1, 2, 5, 3} {
		r, requested := stateOf(number), 0
		agree := func(need store.Need) error { requested = need.Trials; return nil }
		s, err := store.Update(t.Context(), folder, r.mirror, store.Options{Agree: agree})
		expect.NoError(t, err)
		check(t, folder, s, r)
		read, err := store.Read(folder)
		expect.That(t, err == nil && read.Revision == r.Revision() && read.Trials == len(r) && requested <= len(r), "%+v, %v", read, err)
		bases = append(bases, s.Base+" "+strconv.FormatBool(s.More == ""))
	}
	expect.That(t, bases[1] == bases[0] && bases[3][:8] == bases[0][:8] && bases[4] != bases[0], "bases %v", bases)
	expect.That(t, slices.Equal(left(t, folder), named(t, folder)), "folders %v, named %v", left(t, folder), named(t, folder))
	refused := errors.New("no")
	_, err = store.Update(t.Context(), folder, stateOf(6).mirror, store.Options{Agree: func(store.Need) error { return refused }})
	expect.That(t, errors.Is(err, refused), "%v", err)
	info, err := os.Stat(folder)
	expect.That(t, err == nil && info.Mode().Perm() == 0o700, "%v", info.Mode())
	foreign := filepath.Join(folder, "mine")
	expect.NoError(t, os.WriteFile(foreign, nil, 0o600))
	expect.NoError(t, store.Remove(folder))
	entries, err := os.ReadDir(folder)
	expect.That(t, err == nil && len(entries) == 1, "%v, %v", entries, err)
}

// left lists the folders of the tables; named those that the state names.
func left(t *testing.T, folder string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	expect.NoError(t, err)
	for _, entry := range entries {
		if name := entry.Name(); name != "lock" && name != "state.json" {
			all = append(all, name)
		}
	}
	return all
}

func named(t *testing.T, folder string) (all []string) {
	t.Helper()
	s, err := store.Read(folder)
	expect.NoError(t, err)
	all = []string{s.Base}
	if s.More != "" {
		all = append(all, s.More)
	}
	for _, old := range s.Old {
		all = append(all, old.Name)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestKilled: a process that is killed at any moment of its updates leaves a whole state, and the next update removes what it left.
func TestKilled(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	expect.NoError(t, err)
	folder, kills := filepath.Join(t.TempDir(), "mirror.tables"), 8
	if os.Getenv("BIOFACT_HOSTILE") != "" {
		kills = 50
	}
	states := map[string]registry{}
	for number := range 7 {
		states[stateOf(number).Revision()] = stateOf(number)
	}
	for kill := range kills {
		cmd := exec.CommandContext(t.Context(), program)
		cmd.Env = append(os.Environ(), "STORE_TEST_FOLDER="+folder)
		expect.NoError(t, cmd.Start())
		timer := time.NewTimer(time.Duration(20+kill*13%190) * time.Millisecond)
		<-timer.C
		expect.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait() // it was killed
		s, err := store.Read(folder)
		if errors.Is(err, store.ErrNone) {
			continue
		}
		expect.NoError(t, err)
		check(t, folder, s, states[s.Revision])
	}
	s, err := store.Update(t.Context(), folder, stateOf(9).mirror, store.Options{})
	expect.NoError(t, err)
	check(t, folder, s, stateOf(9))
	expect.Equal(t, "folders", named(t, folder), left(t, folder))
}

// TestTogether: processes that update at once make one state, of which all read.
func TestTogether(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "mirror.tables")
	var group sync.WaitGroup
	var mutex sync.Mutex
	bases := map[string]bool{}
	for range 4 {
		group.Go(func() {
			s, err := store.Update(t.Context(), folder, stateOf(0).mirror, store.Options{})
			expect.That(t, err == nil, "%v", err)
			mutex.Lock()
			defer mutex.Unlock()
			bases[s.Base] = true
		})
	}
	group.Wait()
	expect.That(t, len(bases) == 1, "%v", bases)
}

// TestOldTables: the file of an earlier version is removed with the first state; a file of another program stays.
func TestOldTables(t *testing.T) {
	t.Parallel()
	header := append([]byte("SQLite format 3\x00"), make([]byte, 84)...)
	for _, test := range []struct{ id, left string }{{"biot", ""}, {"mine", "tables.db"}} {
		dir := t.TempDir()
		path := filepath.Join(dir, "tables.db")
		copy(header[68:], test.id)
		expect.NoError(t, os.WriteFile(path, header, 0o600))
		var removed []string
		_, err := store.Update(t.Context(), store.Path(filepath.Join(dir, "mirror.db")), stateOf(0).mirror,
			store.Options{Removed: func(path string) { removed = append(removed, path) }})
		expect.NoError(t, err)
		found, err := filepath.Glob(filepath.Join(dir, "*.db"))
		expect.That(t, err == nil && strings.Contains(strings.Join(found, " "), test.left) && len(found)+len(removed) == 1, "%v, %v",
			found, removed)
	}
}
