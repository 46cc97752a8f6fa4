package mirror

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror/feed"
)

// TestVerifyRemakes: a verification finds records that cannot be read or are those of another trial, and facts, facets and words that are
// not those of the records, although each page of the file is intact.
func TestVerifyRemakes(t *testing.T) {
	t.Parallel()
	full := copying(t, 20)
	full.run(t)
	intact := expect.Read(t, full.sync.Path)
	for want, damage := range map[string]string{
		"":                      "SELECT 1",
		"the record of":         "UPDATE record SET main = (SELECT main FROM record ORDER BY id LIMIT 1)",
		"cannot be read":        "UPDATE record SET main = substr(main, 2)",
		"has no record":         "DELETE FROM record",
		"the facts of":          "UPDATE value SET text = text || ' again' WHERE piece = 1",
		"the facet group Phase": "UPDATE facet SET data = (SELECT data FROM facet WHERE name = 'group StudyType') WHERE name = 'group Phase'",
		"the facet rows Sex": "UPDATE facet SET data = (SELECT data FROM facet WHERE name = 'rows StudyType') " +
			"WHERE name = 'rows Sex'",
		"the facet column StartDate": "UPDATE facet SET data = (SELECT data FROM facet WHERE name = 'column CompletionDate') " +
			"WHERE name = 'column StartDate'",
		"the words of": "DELETE FROM words; INSERT INTO words (rowid, nct) SELECT id, '_ nct _' FROM study",
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
		expect.NoError(t, err)
		expect.That(t, strings.Contains(v.Damage, want) && (want == "") == (v.Damage == ""), "%s: %q", damage, v.Damage)
		expect.That(t, want != "" || v.Sampled == 20 && len(v.Differ) == 0 && len(v.Words) == len(countedWords), "%+v", v)
	}
}

// TestVerifyCountsWords: words that the index of a file lacks are found, and equal words are equal in number.
func TestVerifyCountsWords(t *testing.T) {
	t.Parallel()
	c := copying(t, 60)
	c.run(t)
	v, err := c.sync.Verify(t.Context())
	expect.NoError(t, err)
	for _, w := range v.Words {
		expect.That(t, w.Here == w.Registry, "%+v", w)
	}
	db, err := openWriter(t.Context(), c.sync.Path)
	expect.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "INSERT INTO words (words) VALUES ('delete-all')")
	expect.NoError(t, err)
	expect.NoError(t, db.Close())
	reader, _, err := openReader(t.Context(), c.sync.Path)
	expect.NoError(t, err)
	v.Words, err = countWords(t.Context(), reader, feed.New(c.sync.Do, c.sync.URL))
	expect.NoError(t, err)
	expect.NoError(t, reader.Close())
	expect.That(t, slices.ContainsFunc(v.Words, WordCount.Differs), "%+v", v.Words)
	for _, w := range v.Words {
		expect.That(t, w.Here == 0, "%+v", w)
	}
}
