package mirror

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sync"

	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/query/api"
)

// A file is an open file.
type file struct {
	*stored.Unpacker
	db        *sql.DB
	identity  os.FileInfo
	immutable bool // SQLite does not notice changes of the file
	users     int
	retired   bool
}

// outdated reports whether the file must be opened again: another one has its path now, or a process has changed an immutable file.
func (f *file) outdated(path string, now os.FileInfo) bool {
	was := f.identity
	return !os.SameFile(now, was) || f.immutable && (hasLog(path) || now.Size() != was.Size() || !now.ModTime().Equal(was.ModTime()))
}

func (f *file) close() error {
	f.Close() // the unpacker
	return f.db.Close()
}

// A copyOf is a snapshot of a file.
type copyOf struct {
	db    history.DB
	file  *file
	state State
}

// Get implements api.Engine.
func (c *copyOf) Get(ctx context.Context, id string, fields query.Projection) (study api.Study, known bool, err error) {
	n, ok, err := c.canonical(ctx, id)
	if err != nil || !ok {
		return study, false, err
	}
	records, err := c.read(ctx, []int64{n}, fields)
	if err != nil {
		return study, false, err
	}
	return api.Study{ID: stored.NCT(n), JSON: records[0]}, true, nil
}

// Stamp implements api.Engine.
func (c *copyOf) Stamp(context.Context) (string, error) { return c.state.Stamp, nil }

// canonical returns the number of the study with an id, which may be an alias.
func (c *copyOf) canonical(ctx context.Context, nct string) (id int64, known bool, err error) {
	n, ok := stored.Number(nct)
	if !ok {
		return 0, false, nil
	}
	const query = "SELECT id FROM study WHERE id = ?1 UNION ALL SELECT study FROM alias WHERE id = ?1 LIMIT 1"
	known, err = history.One(c.db.QueryRowContext(ctx, query, n), &id)
	return id, known, err
}

// withoutPosted selects a record without its posted results.
var withoutPosted = query.Projection{"protocolSection": nil, "derivedSection": nil, "annotationSection": nil, "documentSection": nil,
	"hasResults": nil}

// read returns the selected part of records, in the order of their numbers in ids.
func (c *copyOf) read(ctx context.Context, ids []int64, fields query.Projection) ([]json.RawMessage, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	if reflect.DeepEqual(fields, listedFields()) {
		return c.listed(ids), nil
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	columns := "NULL"
	if fields.Has(stored.ResultsKey) {
		columns = "results"
	}
	byID := map[int64]json.RawMessage{}
	var buffer []byte
	var p packed
	text := "SELECT id, hash, posted, main, " + columns + " FROM record JOIN study USING (id) WHERE id IN (SELECT value FROM json_each(?))"
	err = history.RowsOf(c.db.QueryContext(ctx, text, string(list))).ForEach(func() error {
		byID[p.id], err = c.record(&buffer, &p, fields)
		return err
	}, p.into()...)
	if err != nil {
		return nil, err
	}
	out := make([]json.RawMessage, 0, len(ids))
	for _, id := range ids {
		if byID[id] == nil {
			return nil, &history.DamagedError{ID: id}
		}
		out = append(out, byID[id])
	}
	return out, nil
}

// listedFields are those of a list of ids, as exports and watches read it.
var listedFields = sync.OnceValue(func() query.Projection { return query.Select("NCTId", "VersionHolder") })

// listed returns the parts of records with listedFields, which need not be read.
func (c *copyOf) listed(ids []int64) (out []json.RawMessage) {
	const part = `{"protocolSection":{"identificationModule":{"nctId":%q}},"derivedSection":{"miscInfoModule":{"versionHolder":%q}}}`
	for _, id := range ids {
		out = append(out, fmt.Appendf(nil, part, stored.NCT(id), c.state.Day()))
	}
	return out
}

// A packed record is a row of the file.
type packed struct {
	id, hash      int64
	posted        sql.Null[int64]
	main, results sql.RawBytes
}

func (p *packed) into() []any { return []any{&p.id, &p.hash, &p.posted, &p.main, &p.results} }

// record returns the selected part of a packed record. The buffer is for reuse by the next record.
func (c *copyOf) record(buffer *[]byte, p *packed, fields query.Projection) (out json.RawMessage, err error) {
	if *buffer, err = c.unpack(*buffer, p); err != nil {
		return nil, err
	}
	if out, err = stored.Cut(*buffer, fields); err != nil {
		return nil, err
	}
	out = stored.WithVersion(out, c.state.Day())
	if c.state.WithoutContacts() {
		return stored.WithoutContacts(out, fields)
	}
	return out, nil
}

// unpack returns the text of a record, with the posted results that were read. It uses a buffer, if that is large enough. Its error is a
// DamagedError if the text is not the one that a sync has written.
func (c *copyOf) unpack(buffer []byte, p *packed) ([]byte, error) {
	text, err := c.file.Unpack(buffer, p.main)
	if err != nil || stored.Join(text, p.posted.V) != p.hash {
		return nil, &history.DamagedError{ID: p.id}
	}
	if len(p.results) == 0 {
		return text, nil
	}
	results, err := c.file.Unpack(nil, p.results)
	if err != nil || stored.Sum(results) != p.posted.V {
		return nil, &history.DamagedError{ID: p.id}
	}
	return stored.WithResults(text, results), nil
}
