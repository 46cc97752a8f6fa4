package expect

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Records are the files of records that a test reads. They are real if the corpus is beside the repository. Else they are those of the
// sandbox, which every clone has, in the same form.
type Records struct {
	Paths []string
	Real  bool
}

// Trials returns the studies of some files of the corpus, or the embedded ones.
func Trials(names ...string) Records {
	for i, name := range names {
		names[i] = "ctgov/" + name + ".jsonl.gz"
	}
	return recordsOf("data/ctgov/*.jsonl.gz", names...)
}

// Articles returns sets of articles, as EFetch answers them, of some folders of the corpus, or the embedded ones.
func Articles(folders ...string) Records {
	for i, folder := range folders {
		folders[i] = "pubmed/" + folder + "/*.xml"
	}
	return recordsOf("data/ncbi/[pc][ui]*.xml.gz", folders...)
}

// Genes returns sets of genes, as EFetch answers them.
func Genes() Records { return recordsOf("data/ncbi/gene*.xml.gz", "gene/efetch_gene_*.xml.gz") }

// Gene returns a set of one gene by its Entrez id.
func Gene(t testing.TB, id string) []byte {
	t.Helper()
	for _, path := range Genes().Paths {
		for _, gene := range bytes.SplitAfter(Read(t, path), []byte("</Entrezgene>")) {
			begin := bytes.Index(gene, []byte("<Entrezgene>"))
			if begin >= 0 && bytes.Contains(gene, []byte("<Gene-track_geneid>"+id+"</Gene-track_geneid>")) {
				return slices.Concat([]byte("<Entrezgene-Set>"), gene[begin:], []byte("</Entrezgene-Set>"))
			}
		}
	}
	t.Fatalf("no gene %s", id)
	return []byte{}
}

// FullTexts returns full texts in JATS.
func FullTexts() Records { return recordsOf("pmc/data/*.xml", "pmc/jats/*.xml.gz") }

func recordsOf(embedded string, real ...string) Records {
	root := repository()
	var r Records
	for _, pattern := range real {
		found, _ := filepath.Glob(filepath.Join(root, "../shared/corpus", pattern)) // the patterns are right
		r.Paths = append(r.Paths, found...)
	}
	if r.Real = len(r.Paths) > 0; !r.Real {
		r.Paths, _ = filepath.Glob(filepath.Join(root, "internal/sandbox", embedded))
	}
	return r
}

// repository returns the folder of the module, below which every test runs.
func repository() string {
	folder, err := os.Getwd()
	for ; err == nil; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil || folder == filepath.Dir(folder) {
			break
		}
	}
	return folder
}

// Folder returns a folder that has only these files, for the sandbox to open.
func (r Records) Folder(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	for _, path := range r.Paths {
		NoError(t, os.Symlink(path, filepath.Join(folder, filepath.Base(path))))
	}
	return folder
}

// Read returns the text of a file, unzipped.
func Read(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	NoError(t, err)
	if !strings.HasSuffix(path, ".gz") {
		return text
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(text))
	NoErrorf(t, err, "%s", path)
	text, err = io.ReadAll(unzipped)
	NoErrorf(t, err, "%s", path)
	return text
}

// Lines returns the lines of a file that are not blank.
func Lines(t testing.TB, path string) [][]byte {
	t.Helper()
	return slices.DeleteFunc(bytes.Split(Read(t, path), []byte("\n")), func(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 })
}

// Corpus returns a path in the corpus. Without the corpus it skips the test, and why says what no embedded record can prove.
func Corpus(t testing.TB, path, why string) string {
	t.Helper()
	path = filepath.Join(repository(), "../shared/corpus", path)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no corpus of real records beside the repository: %s", why)
	}
	return path
}
