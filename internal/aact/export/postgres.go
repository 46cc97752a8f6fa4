package export

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/aact"
	"github.com/biofact-mcp/biofact/internal/aact/store"
)

const (
	dataFolder   = "data"
	updateFolder = "update"
	copySuffix   = ".copy"
	// trialsFile lists the trials of an export with the hashes of their records, for the update of the next one.
	trialsFile = "trials.tsv"
	goneFile   = "_gone"
)

// copyFiles are files of COPY.
type copyFiles struct {
	files   []*os.File
	writers []*bufio.Writer
}

// create creates a file.
func (c *copyFiles) create(path string) (*bufio.Writer, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriterSize(f, 1<<15)
	c.files, c.writers = append(c.files, f), append(c.writers, w)
	return w, nil
}

// close completes all files.
func (c *copyFiles) close() (err error) {
	for i, f := range c.files {
		err = errors.Join(err, c.writers[i].Flush(), f.Sync(), f.Close())
	}
	return err
}

// postgresSink writes the rows of all trials, and those of changed trials once more.
type postgresSink struct {
	copyFiles
	data, update []*bufio.Writer // by table; no update: none can be made
	trials, gone *bufio.Writer
	before       map[string]string // hashes of the export before by trial, without those that were met
	rows         []int64
	line         []byte
}

// Postgres writes a folder for PostgreSQL: COPY files and the statements that load them. Where the folder had an export before with the
// same filters, it has the changes since then too.
func (j *Job) Postgres(ctx context.Context) (r Report, err error) {
	err = j.folder("postgres", &r, func(part string, i *info) error {
		out := &postgresSink{rows: make([]int64, len(aact.All()))}
		old, before := j.before()
		r.Updates = before != nil
		out.before = before
		err := out.open(part)
		if err == nil {
			err = j.forEach(ctx, &r, func(store.Records) (sink, error) { return out, nil })
		}
		if err == nil {
			err = out.end()
		}
		if err = errors.Join(err, out.close()); err != nil {
			return err
		}
		for n, t := range aact.All() {
			i.Rows[t.Name] = out.rows[n]
		}
		i.Day, i.Revision = r.Day, r.revision
		return writeScripts(part, *i, old, r.Updates)
	})
	return r, err
}

// before returns the description and the trials of the export that the folder has, nil where an update cannot follow it.
func (j *Job) before() (old info, hashes map[string]string) {
	old, err := readInfo(j.To)
	if err != nil || old.Format != "postgres" || old.Rules != aact.Version() || !slices.Equal(old.Filters, j.Filters) ||
		old.Contacts == j.WithoutContacts {
		return old, nil
	}
	text, err := os.ReadFile(filepath.Join(j.To, trialsFile))
	if err != nil {
		return old, nil
	}
	hashes = map[string]string{}
	for line := range strings.Lines(string(text)) {
		nct, hash, _ := strings.Cut(strings.TrimSpace(line), "\t")
		hashes[nct] = hash
	}
	return old, hashes
}

// open creates the files.
func (s *postgresSink) open(part string) (err error) {
	for _, folder := range []string{dataFolder, updateFolder} {
		if folder == updateFolder && s.before == nil {
			continue
		}
		if err := os.Mkdir(filepath.Join(part, folder), 0o700); err != nil {
			return err
		}
		for _, t := range aact.All() {
			w, err := s.create(filepath.Join(part, folder, t.Name+copySuffix))
			if err != nil {
				return err
			}
			if folder == dataFolder {
				s.data = append(s.data, w)
			} else {
				s.update = append(s.update, w)
			}
		}
	}
	if s.before != nil {
		if s.gone, err = s.create(filepath.Join(part, updateFolder, goneFile+copySuffix)); err != nil {
			return err
		}
	}
	s.trials, err = s.create(filepath.Join(part, trialsFile))
	return err
}

func (s *postgresSink) add(v store.Version, rows aact.Rows) error {
	nct, hash := fmt.Sprintf("NCT%08d", v.ID), strconv.FormatInt(v.Hash, 16)
	_, err := fmt.Fprintf(s.trials, "%s\t%s\n", nct, hash)
	old, known := s.before[nct]
	delete(s.before, nct)
	changed := s.update != nil && old != hash
	if changed && known {
		_, goneErr := fmt.Fprintln(s.gone, nct)
		err = errors.Join(err, goneErr)
	}
	for i := range rows {
		s.rows[i] += int64(len(rows[i]))
		for _, row := range rows[i] {
			s.line = appendCopy(s.line[:0], row)
			if _, writeErr := s.data[i].Write(s.line); writeErr != nil {
				return writeErr
			}
			if changed {
				if _, writeErr := s.update[i].Write(s.line); writeErr != nil {
					return writeErr
				}
			}
		}
	}
	return err
}

// end writes the trials that were removed since the export before.
func (s *postgresSink) end() (err error) {
	for nct := range s.before {
		_, writeErr := fmt.Fprintln(s.gone, nct)
		err = errors.Join(err, writeErr)
	}
	return err
}

var copyEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "\x00", "")

// appendCopy adds a row as a line of COPY.
func appendCopy(line []byte, row aact.Row) []byte {
	for i, v := range row {
		if i > 0 {
			line = append(line, '\t')
		}
		switch v := v.(type) {
		case nil:
			line = append(line, `\N`...)
		case string:
			line = append(line, copyEscapes.Replace(strings.ToValidUTF8(v, "\ufffd"))...)
		case int64:
			line = strconv.AppendInt(line, v, 10)
		case float64:
			line = strconv.AppendFloat(line, v, 'g', -1, 64)
		case bool:
			line = append(line, strconv.FormatBool(v)[0])
		}
	}
	return append(line, '\n')
}

// writeScripts writes the statements.
func writeScripts(part string, now, before info, update bool) error {
	scripts := map[string]string{"schema.sql": schemaSQL(), loadName: loadSQL(now), "public.sql": publicSQL()}
	if update {
		scripts["update.sql"] = updateSQL(now, before)
	}
	for name, text := range scripts {
		if err := os.WriteFile(filepath.Join(part, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// literal returns a text as a literal of SQL.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// jsonLiteral returns a value in JSON as a literal of SQL.
func jsonLiteral(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "NULL" // a list or a map of texts and numbers has its JSON
	}
	return literal(string(text))
}

func filtersOf(i info) string { return literal(strings.Join(i.Filters, " ")) }
