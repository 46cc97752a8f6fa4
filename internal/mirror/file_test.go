package mirror

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
)

// TestForeignFiles: no command changes, replaces or removes a file that is not of a mirror, or makes another file beside it.
func TestForeignFiles(t *testing.T) {
	t.Parallel()
	c := copying(t, 20)
	c.run(t)
	database := func(path string) error {
		db, err := sql.Open("sqlite", path)
		expect.NoError(t, err)
		const schema = "CREATE TABLE meta (name); CREATE TABLE study (name); CREATE TABLE record (name); PRAGMA user_version = 2"
		_, err = db.ExecContext(t.Context(), schema)
		return errors.Join(err, db.Close())
	}
	for name, create := range map[string]func(path string) error{
		"a text":   func(path string) error { return os.WriteFile(path, []byte("precious"), 0o600) },
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"a database with tables of the same names": database,
		"a damaged database": func(path string) error {
			expect.NoError(t, database(path))
			file := expect.Read(t, path)
			return os.WriteFile(path, append(file[:100:100], make([]byte, len(file)-100)...), 0o600)
		},
	} {
		path := filepath.Join(t.TempDir(), "precious")
		expect.NoError(t, create(path))
		before, _ := os.ReadFile(path)
		for _, side := range []string{"-journal", ".part"} {
			expect.NoError(t, os.WriteFile(path+side, []byte("precious"), 0o600))
		}
		_, err := Remove(t.Context(), path)
		expect.That(t, errors.Is(err, ErrForeign), "remove %s: %v", name, err)
		foreign := Sync{Path: path, Source: "test", URL: c.sync.URL, Do: c.sync.Do}
		_, err = foreign.Run(t.Context())
		expect.That(t, errors.Is(err, ErrForeign), "sync of %s: %v", name, err)
		err = Snapshot(t.Context(), c.sync.Path, path)
		expect.That(t, errors.Is(err, ErrForeign), "snapshot to %s: %v", name, err)
		after, _ := os.ReadFile(path)
		beside, _ := filepath.Glob(path + "*")
		expect.That(t, bytes.Equal(before, after) && len(beside) == 3, "%s: %q, %q", name, after, beside)
	}
	path := filepath.Join(t.TempDir(), "missing")
	expect.NoError(t, os.WriteFile(path+"-journal", nil, 0o600))
	removed, err := Remove(t.Context(), path)
	beside, _ := filepath.Glob(path + "*")
	expect.That(t, !removed && err == nil && len(beside) == 1, "a missing file: %t %v %q", removed, err, beside)
	expect.NoError(t, os.WriteFile(path+".part", []byte("precious"), 0o600))
	err = Snapshot(t.Context(), c.sync.Path, path)
	part, _ := os.ReadFile(path + ".part")
	expect.That(t, errors.Is(err, os.ErrExist) && string(part) == "precious", "the part of another snapshot: %v", err)
}

// TestRemoveOwn: a mirror that is damaged, of an older format or still empty can be removed and replaced by a snapshot.
func TestRemoveOwn(t *testing.T) {
	t.Parallel()
	c := copying(t, 20)
	c.run(t)
	intact, err := os.ReadFile(c.sync.Path)
	expect.NoError(t, err)
	for name, change := range map[string]func(file []byte) []byte{
		"intact": func(file []byte) []byte { return file },
		"empty":  func([]byte) []byte { return nil },
		"cut":    func(file []byte) []byte { return file[:3*4096] },
		"scratched": func(file []byte) []byte {
			return append(file[:2048], make([]byte, len(file)-2048)...)
		},
		"older": func(file []byte) []byte { return append(append(file[:60:60], 0, 0, 0, 2), file[64:]...) }, // user_version
	} {
		path := filepath.Join(t.TempDir(), "mirror.db")
		expect.NoError(t, os.WriteFile(path, change(bytes.Clone(intact)), 0o600))
		expect.NoErrorf(t, Snapshot(t.Context(), c.sync.Path, path), "snapshot to a file that is %s", name)
		expect.NoError(t, os.WriteFile(path, change(bytes.Clone(intact)), 0o600))
		removed, err := Remove(t.Context(), path)
		beside, _ := filepath.Glob(path + "*")
		expect.That(t, removed && err == nil && len(beside) == 0, "%s: %t %v %q", name, removed, err, beside)
	}
}

// TestIndexedFilters: the indexes alone answer a search of primary outcomes, which is one of two pieces.
func TestIndexedFilters(t *testing.T) {
	t.Parallel()
	c := copying(t, 20)
	c.run(t)
	reader := NewReader(c.sync.Path)
	defer func() { expect.NoError(t, reader.Close()) }()
	f, done, err := reader.use(t.Context())
	expect.NoError(t, err)
	defer done()
	search, err := query.ReadSearch(encoded("filter.advanced=AREA[PrimaryOutcomeMeasure]study OR AREA[PrimaryOutcomeDescription]study"))
	expect.NoError(t, err)
	found, err := compiler{t.Context(), f.db}.compile(search.Advanced)
	expect.That(t, err == nil && !found.inexact, "%+v, %v", found, err)
}
