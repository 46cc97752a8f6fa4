package mirror

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror/delta"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
)

// content returns all that depends on the records of a file: the hashes of its trials, the rows of its history, and its newest stamp.
func content(t *testing.T, path string) map[string]string {
	t.Helper()
	db, _, err := openReader(t.Context(), path)
	expect.NoError(t, err)
	defer func() { expect.NoError(t, db.Close()) }()
	all := map[string]string{}
	for _, text := range []string{
		"SELECT group_concat(id || ' ' || hash || ' ' || updated, ';') FROM (SELECT * FROM study ORDER BY id)",
		"SELECT group_concat(id || ' ' || sync || ' ' || hash || ' ' || fields || ' ' || coalesce(posted, '') || coalesce(target, " +
			"''), ';') " +
			"FROM (SELECT * FROM past ORDER BY id, sync)",
		"SELECT group_concat(stamp, ';') FROM (SELECT * FROM finished ORDER BY id)",
		"SELECT group_concat(id || ' ' || study, ';') FROM (SELECT * FROM alias ORDER BY id)",
		"SELECT value FROM meta WHERE key = 'stamp'",
		"SELECT count(*) || ' ' || sum(rowid) FROM words WHERE words MATCH 'a OR the OR of'",
	} {
		var value []byte
		expect.NoError(t, db.QueryRowContext(t.Context(), text).Scan(&value))
		all[text] = string(value)
	}
	return all
}

// sameContent compares the contents of two files.
func sameContent(t *testing.T, when string, want, got map[string]string) {
	t.Helper()
	for text := range want {
		expect.That(t, want[text] == got[text], "%s: %s\n%.300s\nwant\n%.300s", when, text, got[text], want[text])
	}
}

// TestDelta: a copy at any state follows by a delta, and then has the records, the history and the searches of the mirror that made it.
// The same delta twice, and each of 300 damaged, cut, foreign or early ones, changes nothing.
func TestDelta(t *testing.T) {
	t.Parallel()
	c := copying(t, size(300))
	c.run(t)
	folder := t.TempDir()
	var copies []string
	var days []string
	for i := range 4 {
		path := filepath.Join(folder, string(rune('a'+i)))
		expect.NoError(t, Snapshot(t.Context(), c.sync.Path, path))
		state, err := Inspect(t.Context(), path)
		expect.NoError(t, err)
		copies, days = append(copies, path), append(days, state.Day())
		c.Change(size(30), 3, 1, 2)
		c.MergeOld()
		c.run(t)
	}
	reader := NewReader(c.sync.Path)
	defer func() { expect.NoError(t, reader.Close()) }()
	file := filepath.Join(folder, "all.delta")
	steps, err := reader.WriteDelta(t.Context(), days[0], file)
	expect.That(t, err == nil && steps == 4, "%d steps: %v", steps, err)
	want := content(t, c.sync.Path)
	apply := func(path, file string) (Report, error) {
		return (&Sync{Path: path, Source: c.sync.Source}).Apply(t.Context(), file)
	}
	text, err := os.ReadFile(file)
	expect.NoError(t, err)
	info, err := os.Stat(file)
	expect.That(t, err == nil && info.Mode().Perm() == 0o600, "%v %v", info.Mode(), err)

	random, damaged := rand.New(rand.NewPCG(1, 1)), filepath.Join(folder, "damaged")
	before := content(t, copies[1])
	late := filepath.Join(folder, "late.delta")
	_, err = reader.WriteDelta(t.Context(), days[2], late)
	expect.NoError(t, err)
	for i := range size(300) {
		bad := bytes.Clone(text)
		switch i % 4 {
		case 0:
			bad[random.IntN(len(bad))] ^= 1 << random.IntN(8)
		case 1:
			bad = bad[:random.IntN(len(bad))]
		case 2: // with a hash that fits
			bad[len(delta.Magic)+random.IntN(len(bad)-len(delta.Magic)-sha256.Size)] ^= 1 << random.IntN(8)
			sum := sha256.Sum256(bad[:len(bad)-sha256.Size])
			copy(bad[len(bad)-sha256.Size:], sum[:])
		case 3:
			bad = foreign(t, folder, random.IntN(3), c.sync.Source)
		}
		expect.NoError(t, os.WriteFile(damaged, bad, 0o600))
		report, err := apply(copies[1], damaged)
		expect.That(t, err != nil, "damage %d: %+v", i, report)
	}
	_, err = apply(copies[1], late)
	follow, early := errors.AsType[*delta.FollowError](err)
	expect.That(t, early && history.Sync{Stamp: follow.Begins}.Day() == days[2], "%v", err)
	sameContent(t, "after damaged deltas", before, content(t, copies[1]))

	for i, path := range copies {
		report, err := apply(path, file)
		expect.That(t, err == nil && !report.Unchanged, "copy %d: %+v %v", i, report, err)
		got := content(t, path)
		if i == 0 {
			sameContent(t, "followed", want, got)
		}
		again, err := apply(path, file)
		expect.That(t, err == nil && again.Unchanged && again.Trials == report.Trials, "%+v %v", again, err)
		sameContent(t, "twice", got, content(t, path))
	}
	c.Change(size(30), 0, 0, 0)
	c.run(t)
	_, err = reader.WriteDelta(t.Context(), days[3], file)
	expect.NoError(t, err)
	_, err = apply(copies[0], file)
	expect.NoError(t, err)
	sameContent(t, "followed again", content(t, c.sync.Path), content(t, copies[0]))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = (&Sync{Path: copies[0], Source: c.sync.Source}).Apply(ctx, file)
	expect.That(t, err != nil, "a stopped run")
	_, err = reader.WriteDelta(t.Context(), days[3], c.sync.Path)
	expect.That(t, errors.Is(err, ErrForeign), "a delta over the mirror: %v", err)
	expect.That(t, maps.Equal(content(t, c.sync.Path), content(t, copies[0])), "the mirror changed")
}

// foreign returns a complete delta that is of another registry, without records that fit, or with stamps out of order.
func foreign(t *testing.T, folder string, kind int, source string) []byte {
	t.Helper()
	f, err := os.Create(filepath.Join(folder, "foreign"))
	expect.NoError(t, err)
	head := delta.Head{Source: source, Synced: "2026-01-01T00:00:00Z"}
	stamps := []string{"2026-01-06T00:00:00", "2026-01-07T00:00:00"}
	if kind == 0 {
		head.Source = "https://other.example.org"
	}
	if kind == 1 {
		stamps[0], stamps[1] = stamps[1], stamps[0]
	}
	w, err := delta.NewWriter(f, head)
	expect.NoError(t, err)
	expect.NoError(t, errors.Join(w.Step(stamps[0], stamps[1]), w.Change(&delta.Change{ID: 5, Old: 7, New: 8}), w.EndStep(), w.Close(),
		f.Close()))
	text, err := os.ReadFile(f.Name())
	expect.NoError(t, err)
	return text
}

// TestFullDiskOfDelta: a full disk ends a delta with an error of its own, and the mirror is as before. The same delta works with more
// space.
func TestFullDiskOfDelta(t *testing.T) {
	t.Parallel()
	c := copying(t, size(200))
	c.run(t)
	folder := t.TempDir()
	other, file := filepath.Join(folder, "other.db"), filepath.Join(folder, "daily.delta")
	expect.NoError(t, Snapshot(t.Context(), c.sync.Path, other))
	reader := NewReader(c.sync.Path)
	defer func() { expect.NoError(t, reader.Close()) }()
	state, err := reader.State(t.Context())
	expect.NoError(t, err)
	c.Change(size(100), 2, 1, size(600))
	c.run(t)
	_, err = reader.WriteDelta(t.Context(), state.Day(), file)
	expect.NoError(t, err)
	before := content(t, other)
	report, err := (&Sync{Path: other, Source: c.sync.Source, maxPages: 1}).Apply(t.Context(), file)
	expect.Must(t, IsFull(err), "%+v, %v", report, err)
	sameContent(t, "on a full disk", before, content(t, other))
	_, err = (&Sync{Path: other, Source: c.sync.Source}).Apply(t.Context(), file)
	expect.NoError(t, err)
	sameContent(t, "with more space", content(t, c.sync.Path), content(t, other))
}
