package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

const articles = `<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">11</PMID></MedlineCitation></PubmedArticle></PubmedArticleSet>`

// TestOpenNested: the folders of a folder are read in the order of their names. A link to a folder is not followed, so that links cannot
// form a cycle.
func TestOpenNested(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	inner := filepath.Join(folder, "b", "within.json")
	expect.NoError(t, os.MkdirAll(inner, 0o700))
	write(t, filepath.Join(folder, "c.json"), strings.Replace(studyOne, "01\"", "03\"", 1))
	write(t, filepath.Join(inner, "two.jsonl.gz"), studyTwo)
	write(t, filepath.Join(folder, "b", "a.json"), studyOne)
	write(t, filepath.Join(inner, "articles.xml"), articles)
	outside := filepath.Join(t.TempDir(), "outside.json")
	write(t, outside, strings.Replace(studyOne, "01\"", "04\"", 1))
	for link, to := range map[string]string{"circle": folder, "d.json": outside} {
		if err := os.Symlink(to, filepath.Join(folder, link)); err != nil {
			t.Skip(err)
		}
	}
	s, err := Open(t.Context(), folder)
	expect.NoError(t, err)
	if got := strings.Join(search200(t, s).ids(), " "); got != "NCT00000001 NCT00000002 NCT00000003 NCT00000004" {
		t.Error(got)
	}
	if got := pubmed(t, s, "11[uid]"); len(got) != 1 {
		t.Errorf("articles %v", got)
	}
}

// TestOpenWithinLimits: an error names the limit that is exceeded, and a file without an end is not opened.
func TestOpenWithinLimits(t *testing.T) {
	t.Parallel()
	small := records.Limits{All: 600, File: 300, Held: 250, Line: 200, Entries: 4, Depth: 2}
	for name, tt := range map[string]struct {
		files map[string]string
		want  string // "": it is read
	}{
		"lines": {map[string]string{"a.jsonl": strings.Repeat("\n", 301)},
			"a.jsonl:1: more than 300 bytes, which is the limit of the text of a file"},
		"zipped": {map[string]string{"a.jsonl.gz": strings.Repeat("\n", 301)},
			"a.jsonl.gz:1: more than 300 bytes, which is the limit of the text of a file"},
		"line": {map[string]string{"a.jsonl": studyOne + "\n" + strings.Repeat(" ", 201)},
			"a.jsonl:2: more than 200 bytes, which is the limit of a line"},
		"page": {map[string]string{"a.json": studyOne + strings.Repeat(" ", 250)},
			"a.json: more than 250 bytes, which is the limit of the text of a file"},
		"articles": {map[string]string{"a.xml": articles + strings.Repeat(" ", 250)},
			"a.xml: more than 250 bytes, which is the limit of the text of a file"},
		"together": {map[string]string{"a.jsonl": strings.Repeat("\n", 300), "b.jsonl.gz": strings.Repeat("\n", 300), "c.json": "{"},
			": more than 600 bytes, which is the limit of all files together"},
		"files":  {map[string]string{"a": "", "b/c": "", "b/d": "", "b/e": ""}, "b: more than 4 files and folders, which is the limit"},
		"depth":  {map[string]string{"a/b/c": ""}, "b: folders within each other deeper than 2, which is the limit"},
		"within": {map[string]string{"a/b.jsonl": studyOne + "\n" + studyTwo, "c.json": strings.Replace(studyOne, "01\"", "03\"", 1)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			for file, text := range tt.files {
				path := filepath.Join(folder, file)
				expect.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
				write(t, path, text)
			}
			_, err := open(t.Context(), folder, small)
			expect.That(t, (tt.want != "" || err == nil) && (tt.want == "" || err != nil && strings.HasSuffix(err.Error(), tt.want) &&
				strings.HasPrefix(err.Error(), folder)),
				"%v, want %q", err, tt.want)
		})
	}
	device := filepath.Join(t.TempDir(), "zero.jsonl")
	if err := os.Symlink(os.DevNull, device); err != nil {
		t.Skip(err)
	}
	if _, err := Open(t.Context(), device); err == nil || !strings.HasSuffix(err.Error(), "zero.jsonl: not a file") {
		t.Error(err)
	}
}

// TestOpenEnds: the reading of each kind of file ends with its context.
func TestOpenEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, text := range map[string]string{"a.jsonl": studyOne, "a.json": studyOne, "a.xml": articles,
		"b.xml": "<Entrezgene-Set></Entrezgene-Set>"} {
		folder := t.TempDir()
		path := filepath.Join(folder, name)
		write(t, path, text)
		for _, from := range []string{folder, path} {
			if _, err := Open(ctx, from); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestManyFiles: a folder of many studies, each in its own file, is far below the limits.
func TestManyFiles(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	folder := t.TempDir()
	for i := range 2000 {
		write(t, filepath.Join(folder, fmt.Sprintf("%d.json", i)), strings.Replace(studyOne, "NCT00000001", fmt.Sprintf("NCT%08d", i+1), 1))
	}
	s, err := Open(t.Context(), folder)
	expect.NoError(t, err)
	if got := len(search200(t, s).ids()); got == 0 {
		t.Error("no study")
	}
	expect.That(t, records.DefaultLimits.Entries >= 100_000*2, "a folder of 100,000 studies does not fit")
}
