package mirror

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
)

// TestDamage: a record that is not the one that a sync has written is an error that names it, and a verification finds it, although each
// page of the file is intact.
func TestDamage(t *testing.T) {
	t.Parallel()
	full := copying(t, 20)
	full.run(t)
	intact := expect.Read(t, full.sync.Path)
	for _, damage := range []string{
		"UPDATE record SET main = (SELECT main FROM record ORDER BY id LIMIT 1)", // NCT ids that are not theirs
		"UPDATE record SET main = substr(main, 2)",
		"UPDATE record SET posted = 1, results = main",
		"DELETE FROM record",
	} {
		c := *full
		c.sync.Path = filepath.Join(t.TempDir(), "mirror.db")
		expect.NoError(t, os.WriteFile(c.sync.Path, intact, 0o600))
		db, err := openWriter(t.Context(), c.sync.Path)
		expect.NoError(t, err)
		_, err = db.ExecContext(t.Context(), damage)
		expect.NoErrorf(t, err, "%s", damage)
		expect.NoError(t, db.Close())
		v, err := c.sync.Verify(t.Context())
		expect.That(t, err == nil && strings.Contains(v.Damage, "the record of NCT"), "%s: %q, %v", damage, v.Damage, err)
		reader := NewReader(c.sync.Path)
		_, err = get(t, reader, "filter.ids="+c.IDs()[19]+","+c.IDs()[18])
		expect.That(t, err != nil && strings.Contains(err.Error(), "the record of NCT") && IsBroken(err), "%s: %v", damage, err)
		expect.NoError(t, reader.Close())
	}
}

// get returns the page that a reader answers to a request.
func get(t *testing.T, reader *Reader, request string) (*query.Page, error) {
	t.Helper()
	search, err := query.ReadSearch(encoded(request))
	expect.NoError(t, err)
	c, done, err := reader.use(t.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	return c.Search(t.Context(), search)
}

// TestDamagedPages: the first use of a file with damaged pages is an error, and a verification says what SQLite has found.
func TestDamagedPages(t *testing.T) {
	t.Parallel()
	c := copying(t, 60)
	c.run(t)
	intact := expect.Read(t, c.sync.Path)
	const page = 4096
	for name, damaged := range map[string]func(file []byte) []byte{
		"pages of zeros": func(file []byte) []byte {
			clear(file[3*page : 6*page])
			return file
		},
		"pages in the place of others": func(file []byte) []byte {
			copy(file[3*page:6*page], file[20*page:23*page])
			return file
		},
		"no end": func(file []byte) []byte { return file[:len(file)/2] },
	} {
		expect.NoError(t, os.WriteFile(c.sync.Path, damaged(intact), 0o600))
		reader := NewReader(c.sync.Path)
		_, err := get(t, reader, "filter.overallStatus=COMPLETED")
		expect.That(t, IsBroken(err), "%s: %v", name, err)
		expect.NoError(t, reader.Close())
		v, err := c.sync.Verify(t.Context())
		expect.That(t, IsBroken(err) || v.Damage != "", "%s: %+v, %v", name, v, err)
	}
}
