package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/csvtable"
	"github.com/biofact-mcp/biofact/internal/tables/file"
)

// CSV writes one table with a line of names.
func (j *Job) CSV(ctx context.Context) (r Report, err error) {
	var names []string
	for _, c := range j.Table.Columns {
		names = append(names, c.Name)
	}
	var head csvtable.Table
	head.Row(names...)
	if err := ownCSV(j.To, head.String()); err != nil {
		return r, err
	}
	db, err := file.Open(j.From)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return j.complete(func(f *os.File) error {
		out := bufio.NewWriterSize(f, 1<<16)
		_, err := out.WriteString(head.String())
		if err == nil && !j.skip(j.Table) {
			err = j.rows(ctx, db, j.Table, func(values []any) error {
				var line csvtable.Table
				line.Row(j.cells(values)...)
				r.Rows++
				r.Changed += line.Changed
				_, err := out.WriteString(line.String())
				return err
			})
		}
		return errors.Join(err, out.Flush())
	}, &r)
}

// cells returns the values of a row as texts.
func (j *Job) cells(values []any) []string {
	cells := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case nil:
		case time.Time:
			cells[i] = v.Format(time.DateOnly)
		case float64:
			cells[i] = strings.TrimSuffix(fmt.Sprint(v), ".0")
		default:
			if cells[i] = fmt.Sprint(v); j.Table.Columns[i].Kind == boolean {
				cells[i] = fmt.Sprint(cells[i] == "1" || cells[i] == "true")
			}
		}
	}
	return cells
}

// ownCSV returns an error for a file that does not begin with the line of names.
func ownCSV(path, head string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	begin := make([]byte, len(head))
	n, _ := f.Read(begin) // of an empty file nothing
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || n > 0 && string(begin[:n]) != head {
		return ErrOther
	}
	return nil
}
