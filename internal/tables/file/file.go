// Package file stores the tables of AACT in one compact SQLite file beside the mirror: texts that repeat within a trial once, and AACT's
// names as views. It writes what a mirror has and the file lacks; it answers no query.
package file

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/mirror/sqlrows"
	"github.com/biofact-mcp/biofact/internal/tables"
)

const (
	// format is the version of the tables. A file of another version is made anew.
	format = 2
	// applicationID is in the header of each file. It is "biot" in ASCII.
	applicationID = 0x62696f74
	// bytesPerTrial and secondsPerTrial are those of real records.
	bytesPerTrial   = 28_000
	secondsPerTrial = 0.004
	// localText selects the bits of an id that are the number of a text within its trial.
	localText = "-1048576"
)

// The errors of a file that cannot be used.
var (
	ErrNone     = errors.New("the tables have not been made")
	ErrForeign  = errors.New("the file is not of Biofact's tables")
	ErrOutdated = errors.New("the tables are of another version, or were not finished")
)

// Path returns the path of the tables of a mirror: tables.db beside mirror.db.
func Path(mirrorPath string) string {
	dir, base := filepath.Split(mirrorPath)
	if rest, ok := strings.CutPrefix(base, "mirror"); ok {
		return filepath.Join(dir, "tables"+rest)
	}
	return filepath.Join(dir, strings.TrimSuffix(base, ".db")+"-tables.db")
}

// Facts describe a file of tables.
type Facts struct {
	Bytes    int64
	Studies  int
	Revision string // of the mirror
	Day      string // of the data
}

// Inspect reads the facts of a file. Its errors are ErrNone, ErrForeign and ErrOutdated, or those of the disk.
func Inspect(ctx context.Context, path string) (f Facts, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, ErrNone
	case err != nil:
		return f, err
	case !info.Mode().IsRegular():
		return f, ErrForeign
	}
	db, err := sql.Open("sqlite", disk.DSN(path, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)"}}))
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := check(ctx, db); err != nil {
		return f, err
	}
	f = Facts{Bytes: info.Size()}
	err = db.QueryRowContext(ctx, "SELECT revision, day, (SELECT count(*) FROM _study) FROM _state").Scan(&f.Revision, &f.Day, &f.Studies)
	if err == nil && f.Revision == "" {
		err = ErrOutdated
	}
	return f, err
}

// Rows returns the numbers of rows by the names of the tables.
func Rows(ctx context.Context, path string) (all map[string]int64, err error) {
	db, err := sql.Open("sqlite", disk.DSN(path, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)"}}))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return sqlrows.Map[string, int64](db.QueryContext(ctx, "SELECT name, rows FROM _rows"))
}

// check returns an error for an open file that is not one of this version.
func check(ctx context.Context, db *sql.DB) error {
	var application, version, tables int
	err := db.QueryRowContext(ctx, "SELECT * FROM pragma_application_id, pragma_user_version, (SELECT count(*) FROM sqlite_schema)").
		Scan(&application, &version, &tables)
	switch {
	case disk.Code(err) == disk.NotADatabase || err == nil && application != applicationID && tables > 0:
		return ErrForeign
	case err != nil || application == applicationID && version == format:
		return err
	}
	return ErrOutdated // or empty
}

// Remove removes a file of tables, and no other file.
func Remove(ctx context.Context, path string) error {
	if _, err := Inspect(ctx, path); errors.Is(err, ErrNone) || errors.Is(err, ErrForeign) {
		return nil
	}
	for _, suffix := range []string{"", "-journal"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// A Need says what the file lacks.
type Need struct {
	Write, Remove []int64 // numbers of trials
	Bytes         int64   // that are written, about
	Seconds       int     // that it takes, about

	hashes map[int64]int64
}

// Lacks returns what a file lacks of the records of a mirror. A missing file lacks all.
func Lacks(ctx context.Context, path string, records *mirror.Records) (n Need, err error) {
	has := map[int64]int64{}
	db, err := sql.Open("sqlite", disk.DSN(path, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)"}}))
	if err == nil {
		has, err = hashes(ctx, db)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		return n, err
	}
	n.hashes = map[int64]int64{}
	for _, v := range records.Versions {
		if hash, known := has[v.ID]; !known || hash != v.Hash {
			n.Write, n.hashes[v.ID] = append(n.Write, v.ID), v.Hash
		}
		delete(has, v.ID)
	}
	for id := range has {
		n.Remove = append(n.Remove, id)
	}
	n.Bytes, n.Seconds = int64(len(n.Write))*bytesPerTrial, int(float64(len(n.Write))*secondsPerTrial)
	return n, disk.CheckRoom(path, 2*n.Bytes)
}

// hashes returns the versions of the records whose rows a file has; none for a file that must be made.
func hashes(ctx context.Context, db *sql.DB) (map[int64]int64, error) {
	if err := check(ctx, db); errors.Is(err, ErrOutdated) || disk.Code(err) == disk.CannotOpen {
		return map[int64]int64{}, nil
	} else if err != nil {
		return nil, err
	}
	return sqlrows.Map[int64, int64](db.QueryContext(ctx, "SELECT id, hash FROM _study"))
}

// quoted returns a name as an identifier.
func quoted(name string) string { return `"` + name + `"` }

// base returns the name of the table that stores the rows of a table.
func base(t *tables.Table) string { return quoted("_" + t.Name) }

// schema returns the statements that create the tables.
func schema() string {
	var b strings.Builder
	b.WriteString("CREATE TABLE _study (id INTEGER PRIMARY KEY, hash INTEGER NOT NULL);\n" +
		"CREATE TABLE _text (id INTEGER PRIMARY KEY, value TEXT NOT NULL);\n" +
		"CREATE TABLE _rows (name TEXT PRIMARY KEY, rows INTEGER NOT NULL) WITHOUT ROWID;\n" +
		"CREATE TABLE _state (revision TEXT NOT NULL, day TEXT NOT NULL);\nINSERT INTO _state VALUES ('', '');\n")
	for _, t := range tables.All() {
		columns, shown := []string{}, []string{}
		if t.Column("id") < 0 {
			columns = append(columns, "id INTEGER PRIMARY KEY")
		}
		for _, c := range t.Columns {
			name, kind := quoted(c.Name), c.Type
			switch {
			case c.Name == "id":
				kind = "INTEGER PRIMARY KEY"
			case c.Repeats:
				shown = append(shown, fmt.Sprintf("(SELECT value FROM _text WHERE _text.id = ((t.id & %s) | t.%s)) AS %s",
					localText, name, name))
				columns = append(columns, name+" INTEGER")
				continue
			case c.Kind == tables.Real: // a numeric column would make integers of whole numbers, whose division cuts
				kind = "REAL"
			case c.Kind == tables.Time:
				kind = "timestamp"
			}
			columns, shown = append(columns, name+" "+kind), append(shown, "t."+name)
		}
		fmt.Fprintf(&b, "CREATE TABLE %s (%s);\nCREATE VIEW %s AS SELECT %s FROM %s AS t;\nINSERT INTO _rows VALUES ('%s', 0);\n",
			base(t), strings.Join(columns, ", "), quoted(t.Name), strings.Join(shown, ", "), base(t), t.Name)
		if t.Column("nct_id") >= 0 {
			fmt.Fprintf(&b, "CREATE INDEX %s ON %s (nct_id);\n", quoted("_of_"+t.Name), base(t))
		}
	}
	fmt.Fprintf(&b, "PRAGMA application_id = %d;\nPRAGMA user_version = %d;", applicationID, format)
	return b.String()
}
