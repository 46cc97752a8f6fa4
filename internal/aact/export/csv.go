package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/aact"
	"github.com/biofact-mcp/biofact/internal/aact/store"
	"github.com/biofact-mcp/biofact/internal/csvtable"
	"github.com/biofact-mcp/biofact/internal/mirror/disk"
)

// csvSink writes the lines of one table.
type csvSink struct {
	out    *bufio.Writer
	table  int
	report *Report
}

func (s csvSink) add(_ store.Version, rows aact.Rows) error {
	for _, row := range rows[s.table] {
		cells := make([]string, len(row))
		for i, v := range row {
			if v != nil {
				cells[i] = fmt.Sprint(v)
			}
		}
		var line csvtable.Table
		line.Row(cells...)
		s.report.Rows++
		s.report.Changed += line.Changed
		if _, err := s.out.WriteString(line.String()); err != nil {
			return err
		}
	}
	return nil
}

// CSV writes one table with a line of names.
func (j *Job) CSV(ctx context.Context) (r Report, err error) {
	if err := j.checkOutput(); err != nil {
		return r, err
	}
	var names []string
	for _, c := range j.Table.Columns {
		names = append(names, c.Name)
	}
	var head csvtable.Table
	head.Row(names...)
	if err := ownCSV(j.To, head.String()); err != nil {
		return r, err
	}
	err = disk.Replace(j.To, func(f *os.File) error {
		out := bufio.NewWriterSize(f, 1<<16)
		if _, err := out.WriteString(head.String()); err != nil {
			return err
		}
		err := j.forEach(ctx, &r, func(store.Records) (sink, error) {
			return csvSink{out, slices.Index(aact.All(), j.Table), &r}, nil
		})
		return errors.Join(err, out.Flush())
	})
	if err != nil {
		return r, err
	}
	written, err := os.Stat(j.To)
	if err == nil {
		r.Bytes = written.Size()
	}
	return r, err
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
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || n > 0 && !strings.HasPrefix(string(begin[:n]), head) {
		return ErrOther
	}
	return nil
}
