package history

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	_ "modernc.org/sqlite"
)

// A book is a file with records, and the records of each of its states.
type book struct {
	*testing.T
	db     *sql.DB
	packer *stored.Packer
	reads  *stored.Unpacker
	random *rand.Rand
	now    map[int64]Record
	states []map[int64]Record // of the finished syncs
}

func newBook(t *testing.T, seed uint64) *book {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "records.db"))
	expect.NoError(t, err)
	t.Cleanup(func() { expect.NoError(t, db.Close()) })
	db.SetMaxOpenConns(1)
	for _, text := range []string{"PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF",
		"CREATE TABLE record (id INTEGER PRIMARY KEY, main BLOB NOT NULL, results BLOB)",
		"CREATE TABLE study (id INTEGER PRIMARY KEY, hash INTEGER NOT NULL)"} {
		_, err = db.ExecContext(t.Context(), text)
		expect.NoError(t, err)
	}
	b := &book{T: t, db: db, random: rand.New(rand.NewPCG(seed, 1)), now: map[int64]Record{}}
	b.packer, err = stored.NewPacker([]byte(`{"protocolSection":{"identificationModule":{"nctId":"NCT`))
	expect.NoError(t, err)
	b.reads, err = stored.NewUnpacker([]byte(`{"protocolSection":{"identificationModule":{"nctId":"NCT`))
	expect.NoError(t, err)
	t.Cleanup(b.reads.Close)
	return b
}

// set changes the record of a trial as a sync does. The record of a removed trial has no Main.
func (b *book) set(k *Keeper, id int64, r Record) {
	b.Helper()
	if r.Missing() {
		expect.NoError(b, k.Removed(b.Context(), id, id%3))
	} else {
		expect.NoError(b, k.Replaced(b.Context(), id, r, 20260102))
	}
	_, err := b.db.ExecContext(b.Context(), "DELETE FROM record WHERE id = ?1; DELETE FROM study WHERE id = ?1", id)
	expect.NoError(b, err)
	delete(b.now, id)
	if r.Missing() {
		return
	}
	var results any
	if r.Results != nil {
		results = b.packer.Pack(r.Results)
	}
	_, err = b.db.ExecContext(b.Context(), "INSERT INTO record VALUES (?1, ?2, ?3); INSERT INTO study VALUES (?1, ?4)", id,
		b.packer.Pack(r.Main), results, r.Hash())
	expect.NoError(b, err)
	b.now[id] = r
}

// edited returns another version of a record: some of its values are changed, removed, doubled, or replaced by unusual ones.
func (b *book) edited(raw []byte) Record {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	expect.NoError(b, d.Decode(&v))
	for range 1 + b.random.IntN(4) {
		b.edit(v)
	}
	text, err := json.Marshal(v)
	expect.NoError(b, err)
	main, results, err := stored.WithoutResults(text)
	expect.NoError(b, err)
	main, _ = stored.WithoutVersion(main)
	return Record{main, results}
}

func (b *book) edit(v any) {
	for {
		var set func(any)
		var below any
		switch at := v.(type) {
		case map[string]any:
			keys := make([]string, 0, len(at))
			for key := range at {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			if len(keys) == 0 {
				return
			}
			key := keys[b.random.IntN(len(keys))]
			below, set = at[key], func(v any) { at[key] = v }
			if b.random.IntN(12) == 0 {
				delete(at, key)
				return
			}
		case []any:
			if len(at) == 0 {
				return
			}
			i := b.random.IntN(len(at))
			below, set = at[i], func(v any) { at[i] = v }
			if b.random.IntN(6) == 0 {
				j := b.random.IntN(len(at))
				at[i], at[j] = at[j], at[i]
				return
			}
		default:
			return
		}
		switch below := below.(type) {
		case map[string]any, []any:
			v = below
		case string:
			at := b.random.IntN(len(below) + 1)
			set(below[:at] + fmt.Sprintf(" <%d> é\x00 ", b.random.IntN(1000)) + below[at:])
			return
		default:
			set(json.RawMessage([]string{"1e16", "-0.0", "null", `"\u00e9\/"`, "true", "[[]]"}[b.random.IntN(6)]))
			return
		}
	}
}

// TestHistory: over random edits, removals, returns and reverted changes in a history of 40 publications, each state is that of its sync,
// byte for byte, also while a sync is under way; a record that did not change has no line; and the lines lead from each state to the next.
func TestHistory(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	edits := 20_000
	if !expect.All() {
		edits = 1500
	}
	const syncs = 40
	b := newBook(t, 1)
	pool := records(t)
	stamp := func(i int) string { return fmt.Sprintf("2026-%02d-%02dT09:00:05", 1+i/2/28, 1+i/2%28) } // two on each day
	var none *Keeper
	for i := range min(400, 40+edits/100) {
		b.set(none, int64(i+1), b.edited(pool[i%len(pool)]))
	}
	k, err := Begin(t.Context(), b.db, Start{stamp(0), false, All}, b.reads)
	expect.NoError(t, err)
	b.states = append(b.states, maps.Clone(b.now))
	for i := 1; i <= syncs; i++ {
		b.publish(k, pool, edits/syncs)
		if i == syncs/2 { // a sync under way
			b.check(t.Context(), i-1)
		}
		expect.NoError(t, k.Finish(t.Context(), stamp(i)))
		b.states = append(b.states, maps.Clone(b.now))
		k, err = Begin(t.Context(), b.db, Start{stamp(i), i%2 == 0, All}, b.reads)
		expect.NoError(t, err)
	}
	for i := range b.states {
		if i%5 == 0 || expect.All() {
			b.check(t.Context(), i)
		}
	}
	r, err := Open(t.Context(), b.db, b.reads)
	expect.NoError(t, err)
	versions, size, err := r.Size(t.Context())
	expect.NoError(t, err)
	t.Logf("%d versions of %d bytes", versions, size/versions)
	expect.NoError(t, Shorten(t.Context(), b.db, 5))
	r, err = Open(t.Context(), b.db, b.reads)
	expect.NoError(t, err)
	b.check(t.Context(), syncs)
	b.check(t.Context(), syncs-9)
	_, err = r.At(stamp(0)[:10])
	outside, ok := errors.AsType[*OutsideError](err)
	expect.That(t, ok && outside.First == stamp(syncs - 9)[:10], "%v", err)
}

// records are records of the embedded sandbox or of the corpus beside the repository.
func records(t *testing.T) (pool [][]byte) {
	t.Helper()
	for _, path := range expect.Trials("studies", "results").Paths {
		for _, raw := range expect.Lines(t, path) {
			if len(raw) < 40_000 {
				pool = append(pool, raw)
			}
		}
	}
	return pool
}

// publish changes records. Some change twice, some back, some are removed or new.
func (b *book) publish(k *Keeper, pool [][]byte, edits int) {
	last := b.states[len(b.states)-1]
	for range edits {
		id := 1 + b.random.Int64N(int64(len(last))+3)
		was, exists := b.now[id]
		switch n := b.random.IntN(40); {
		case n == 0:
			b.set(k, id, Record{})
		case n == 1 && !last[id].Missing():
			b.set(k, id, last[id])
		case !exists || n == 2:
			b.set(k, id, b.edited(pool[b.random.IntN(len(pool))]))
		default:
			b.set(k, id, b.edited(bytes.Clone(was.Text(""))))
		}
	}
}

// check compares a state with the history, and the changes since the state before with those of the two states.
func (b *book) check(ctx context.Context, i int) {
	b.Helper()
	r, err := Open(ctx, b.db, b.reads)
	expect.NoError(b, err)
	at := Sync{ID: int64(i + 1)}
	for id, want := range b.states[i] {
		got, err := r.Record(ctx, id, at)
		expect.Must(b, err == nil && got.equal(want), "state %d of %d: %v", i, id, err)
	}
	if i == 0 || r.First().ID > int64(i) {
		return
	}
	lines := map[int64]bool{}
	expect.NoError(b, r.Changes(ctx, Span{Since: Sync{ID: int64(i)}, Until: at}, func(c *Change) error {
		lines[c.ID] = true
		before, after := b.states[i-1][c.ID], b.states[i][c.ID]
		expect.That(b, c.Added() == before.Missing() && c.Removed == after.Missing() && !before.equal(after), "%d at %d: %+v", c.ID, i, c)
		return nil
	}))
	for id := range int64(len(b.states[i]) + len(b.states[i-1]) + 10) {
		if b.states[i-1][id].equal(b.states[i][id]) == lines[id] {
			b.Fatalf("%d at %d: a line is %t", id, i, lines[id])
		}
	}
}

// TestDamage: no changed byte of a row gives another record, and the error names the trial and its days.
func TestDamage(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	b := newBook(t, 2)
	raw := records(t)[0]
	var none *Keeper
	b.set(none, 7, b.edited(raw))
	k, err := Begin(t.Context(), b.db, Start{"2026-01-01", false, All}, b.reads)
	expect.NoError(t, err)
	for i := range 2 {
		b.states = append(b.states, maps.Clone(b.now))
		b.set(k, 7, b.edited(bytes.Clone(b.now[7].Text(""))))
		expect.NoError(t, k.Finish(t.Context(), fmt.Sprintf("2026-01-0%d", i+2)))
		k.sync++
	}
	var data []byte
	expect.NoError(t, b.db.QueryRowContext(t.Context(), "SELECT main FROM version WHERE until = 2").Scan(&data))
	for i := 0; i < len(data); i += 7 {
		damaged := bytes.Clone(data)
		damaged[i] ^= 1 << (i % 8)
		_, err := b.db.ExecContext(t.Context(), "UPDATE version SET main = ? WHERE until = 2", damaged)
		expect.NoError(t, err)
		r, err := Open(t.Context(), b.db, b.reads)
		expect.NoError(t, err)
		_, err = r.Record(t.Context(), 7, Sync{ID: 1})
		found, ok := errors.AsType[*DamagedError](err)
		expect.Must(t, ok && found.ID == 7 && found.From == "2026-01-02", "byte %d: %v", i, err)
		later, err := r.Record(t.Context(), 7, Sync{ID: 2})
		expect.Must(t, err == nil && later.equal(b.states[1][7]), "byte %d: %v", i, err)
	}
}
