package sandbox

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

const (
	studyOne = `{"protocolSection":{"identificationModule":{"nctId":"NCT00000001"}}}`
	studyTwo = `{"protocolSection":{"identificationModule":{"nctId":"NCT00000002"}}}`
)

func TestOpen(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		files map[string]string
		open  string
		want  string // ids, or the error from the file name on
	}{
		{"lines", map[string]string{"a.jsonl": studyOne + "\n\n" + studyTwo}, "a.jsonl", "NCT00000001 NCT00000002"},
		{"gzip", map[string]string{"a.jsonl.gz": studyTwo + "\n" + studyOne + "\n"}, "a.jsonl.gz", "NCT00000002 NCT00000001"},
		{"one study", map[string]string{"a.json": "\n" + studyOne}, "a.json", "NCT00000001"},
		{"page", map[string]string{"a.json": `{"studies":[` + studyOne + "," + studyTwo + `]}`}, "a.json", "NCT00000001 NCT00000002"},
		{"folder", map[string]string{"b.json": studyOne, "a.json": studyTwo, "c.txt": "x"}, "", "NCT00000002 NCT00000001"},

		{"beside others", map[string]string{"a.json": "[1]", "b.json": studyTwo, "c.jsonl": studyOne + "\n{\"a\":", "d.jsonl": studyTwo + "\n" + studyOne,
			"e.xml": "<Entrezgene", "f.jsonl": `{"germline_classification":7}`, "g.json": `{"reports":`}, "", "NCT00000002 NCT00000001"},
		{"bad line", map[string]string{"a.jsonl": studyOne + "\n\n{\"a\":"}, "a.jsonl", "a.jsonl:3: not a JSON object: unexpected EOF"},
		{"two on a line", map[string]string{"a.jsonl": studyOne + studyTwo}, "a.jsonl", "a.jsonl:1: more than one JSON value"},
		{"null", map[string]string{"a.jsonl": "null"}, "a.jsonl", "a.jsonl:1: not a JSON object: null"},
		{"no id", map[string]string{"a.jsonl": studyOne + "\n{}"}, "a.jsonl",
			`a.jsonl:2: no NCT id in protocolSection.identificationModule.nctId, but ""`},
		{"bad id", map[string]string{"a.jsonl": strings.Replace(studyOne, "NCT", "nct", 1)}, "a.jsonl",
			`a.jsonl:1: no NCT id in protocolSection.identificationModule.nctId, but "nct00000001"`},
		{"twice", map[string]string{"a.jsonl": studyOne + "\n" + studyTwo + "\n" + studyOne}, "a.jsonl",
			"a.jsonl:3: NCT00000001 stands already in a.jsonl:1"},
		{"bad page", map[string]string{"a.json": "{\n\"studies\":[\n}"}, "a.json",
			"a.json:3: not a JSON object: invalid character '}' looking for beginning of value"},
		{"cut page", map[string]string{"a.json": "{\n\"studies\":\n[\n"}, "a.json", "a.json:3: not a JSON object: unexpected EOF"},
		{"bad item", map[string]string{"a.json": `{"studies":[` + studyOne + `,7]}`}, "a.json", "a.json: study 2: not a JSON object"},
		{"twice in a page", map[string]string{"a.json": `{"studies":[` + studyOne + "," + studyOne + `]}`}, "a.json",
			"a.json: study 2: NCT00000001 stands already in a.json: study 1"},
		{"empty file", map[string]string{"a.jsonl": "\n"}, "a.jsonl", "a.jsonl: no record at all"},
		{"empty folder", map[string]string{"c.txt": "x"}, "", ": no record at all"},
		{"other kind", map[string]string{"a.csv": "x"}, "a.csv",
			"a.csv: want a folder or a .json, .jsonl, .jsonl.gz, .xml or .xml.gz file"},
		{"absent", nil, "a.jsonl", "a.jsonl: no such file or directory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			for name, text := range tt.files {
				write(t, filepath.Join(folder, name), text)
			}
			s, err := Open(t.Context(), filepath.Join(folder, tt.open))
			if err != nil {
				got := strings.ReplaceAll(err.Error(), folder+string(filepath.Separator), "")
				expect.That(t, strings.HasSuffix(got, tt.want) && strings.HasPrefix(got, "reading sandbox records: "),
					"error %q, want %q", got, tt.want)
				return
			}
			expect.Is(t, strings.Join(search200(t, s).ids(), " "), tt.want, "ids")
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.Create(path)
	expect.NoError(t, err)
	defer file.Close()
	if !strings.HasSuffix(path, ".gz") {
		if _, err := file.WriteString(text); err != nil {
			t.Fatal(err)
		}
		return
	}
	zipped := gzip.NewWriter(file)
	if _, err := zipped.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	expect.NoError(t, zipped.Close())
}

func TestOpenRefusesWhatOnlyClaimsToBeGzip(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.jsonl.gz")
	expect.NoError(t, os.WriteFile(path, []byte("plain"), 0o600))
	if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one that names %s", err, path)
	}
}
