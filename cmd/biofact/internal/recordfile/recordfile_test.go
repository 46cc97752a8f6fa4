package recordfile_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/recordfile"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestRows: an export of rows that was stopped at any byte is continued without a lost or repeated row, by the same call alone. A file that
// holds anything else is refused, and no opened file is changed before the first new row.
func TestRows(t *testing.T) {
	t.Parallel()
	header := []string{"nct_id", "text"}
	const first, second = "NCT00000001,\"a\nb\"\r\nNCT00000001,c\r\n", "NCT00000002,d\r\n"
	const complete = "nct_id,text\r\n" + first + second
	start := len(complete) - len(second)
	for cut := range len(complete) + 2 {
		path := filepath.Join(t.TempDir(), "rows.csv")
		f, err := recordfile.OpenRows(path, "call", header)
		expect.NoError(t, err)
		for _, lines := range []string{first, second} {
			_, err := f.Write([]byte(lines))
			expect.NoError(t, err)
		}
		expect.NoError(t, f.Close(false))
		text := (complete + "mine")[:cut]
		expect.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err = recordfile.OpenRows(path, "another call", header)
		expect.That(t, (err != nil) == (cut > 0), "cut at %d: %v", cut, err)
		f, err = recordfile.OpenRows(path, "call", header)
		left := string(expect.Read(t, path))
		expect.Is(t, left, text, "opened at %d", cut)
		if may := cut == 0 || cut >= start && cut <= len(complete); !may || err != nil {
			expect.That(t, err != nil && !may, "cut at %d: %v", cut, err)
			continue
		}
		rest := map[int]string{0: first + second, len(complete): ""}
		lines, known := rest[cut]
		if !known {
			lines = second
		}
		expect.That(t, len(f.IDs) == strings.Count(complete[:len(complete)-len(lines)], "\r\n")/2, "cut at %d: %v", cut, slices.Collect(maps.Keys(f.IDs)))
		if lines != "" {
			_, err = f.Write([]byte(lines))
			expect.NoError(t, err)
		}
		expect.NoError(t, f.Close(true))
		expect.Is(t, string(expect.Read(t, path)), complete, "continued at %d", cut)
		_, err = recordfile.OpenRows(path, "call", header)
		expect.That(t, err != nil, "a complete export is continued")
		names, err := filepath.Glob(path + "*")
		expect.That(t, err == nil && len(names) == 1, "%v", names)
	}
}
