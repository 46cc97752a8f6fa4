// Package store keeps the tables of AACT in a folder beside the mirror: Parquet files of all trials, of those that changed since, and a
// small file that names them. A reader sees one complete state at any moment. The package knows no engine.
package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/aact"
	"github.com/biofact-mcp/biofact/internal/aact/parquet"
)

const (
	format     = 1
	stateName  = "state.json"
	lockName   = "lock"
	partPrefix = ".part-"
	// oldTime is the longest time for which a query may read a folder that a newer state does not name.
	oldTime = 10 * time.Minute
)

// The errors of a folder that cannot be read.
var (
	ErrNone     = errors.New("the tables have not been made")
	ErrOutdated = errors.New("the tables are of another version")
	ErrForeign  = errors.New("the folder is not one of Biofact's tables")
)

// A State names the files of the tables. It is replaced as a whole.
type State struct {
	Format int `json:"format"`
	// Revision and Day are those of the mirror.
	Revision string `json:"revision"`
	Day      string `json:"day"`
	// Rules are the version of the rules that made the rows.
	Rules string `json:"rules"`
	// Base is the folder of all trials, More that of the trials that changed since; "": none.
	Base string `json:"base"`
	More string `json:"more,omitempty"`
	// Trials is the number of trials, Rows the numbers of rows by the names of the tables.
	Trials int              `json:"trials"`
	Rows   map[string]int64 `json:"rows"`
	// Old are folders of earlier states, which a query may still read.
	Old []oldFolder `json:"old,omitempty"`
}

// An oldFolder is a folder that no state names since a time.
type oldFolder struct {
	Name  string    `json:"name"`
	Since time.Time `json:"since"`
}

// Path returns the folder of the tables of a mirror: mirror.tables beside mirror.db.
func Path(mirrorPath string) string { return strings.TrimSuffix(mirrorPath, ".db") + ".tables" }

// Read reads the state of a folder. Its errors are ErrNone, ErrForeign and ErrOutdated, or those of the disk.
func Read(folder string) (s State, err error) {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, ErrNone
	case err != nil:
		return s, err
	case !info.IsDir():
		return s, ErrForeign
	}
	text, err := os.ReadFile(filepath.Join(folder, stateName))
	if errors.Is(err, fs.ErrNotExist) {
		return s, ErrNone
	}
	if err != nil {
		return s, err
	}
	if json.Unmarshal(text, &s) != nil || s.Format != format || s.Rules != aact.Version() || s.Base == "" {
		return s, ErrOutdated
	}
	return s, nil
}

// Bytes returns the size of all files of a folder.
func Bytes(folder string) (total int64) {
	_ = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			if info, err := entry.Info(); err == nil {
				total += info.Size()
			}
		}
		return nil
	})
	return total
}

// File returns the file of a table in a folder of the state, below the folder of the tables.
func file(folder, table string) string { return folder + "/" + table + parquet.Suffix }

const (
	goneName   = "gone"
	trialsName = "trials"
)

// From returns the query of DuckDB that reads the rows of a table, and the files that it reads.
func (s State) From(t *aact.Table) (query string, files []string) {
	base := file(s.Base, t.Name)
	query, files = fmt.Sprintf("SELECT * FROM read_parquet('%s')", base), []string{base}
	if s.More == "" || t.Column("nct_id") < 0 {
		return query, files
	}
	more, gone := file(s.More, t.Name), file(s.More, goneName)
	return fmt.Sprintf("%s ANTI JOIN read_parquet('%s') USING (nct_id) UNION ALL SELECT * FROM read_parquet('%s')", query, gone, more),
		append(files, more, gone)
}

// Remove removes the folder, unless it is that of another program.
func Remove(folder string) error {
	removeOld(folder)
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if name := entry.Name(); ours(name) {
			if err := os.RemoveAll(filepath.Join(folder, name)); err != nil {
				return err
			}
		}
	}
	_ = os.Remove(folder) // files of others keep it
	return nil
}

// ours reports whether a name is one that the store gives.
func ours(name string) bool {
	return name == stateName || name == lockName || isFolder(name) || strings.HasPrefix(name, partPrefix)
}

func isFolder(name string) bool {
	return strings.HasPrefix(name, "base-") || strings.HasPrefix(name, "more-")
}

// names reports whether the state needs a folder.
func (s State) names(folder string) bool {
	return folder == s.Base || folder == s.More || slices.ContainsFunc(s.Old, func(o oldFolder) bool { return o.Name == folder })
}
