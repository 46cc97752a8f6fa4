package history

import (
	"bytes"
	"context"

	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

// A Record is one version of a record as the mirror stores it: its two parts. Its Main is nil where the registry has no such trial.
type Record struct {
	// Main is the record with empty texts for the posted results and for the date of the data; Results are the posted results, or nil.
	Main, Results []byte
}

// Missing reports whether the registry has no such trial.
func (r Record) Missing() bool { return r.Main == nil }

// Hash returns a hash of the record; 0: the registry has no such trial.
func (r Record) Hash() int64 {
	if r.Missing() {
		return 0
	}
	return stored.Hash(r.Main, r.Results)
}

func (r Record) equal(other Record) bool {
	return r.Missing() == other.Missing() && bytes.Equal(r.Main, other.Main) && bytes.Equal(r.Results, other.Results)
}

// Text returns the record as the registry served it on a day. It may change the record.
func (r Record) Text(day string) []byte {
	text := stored.WithVersion(r.Main, day)
	if r.Results != nil {
		text = stored.WithResults(text, r.Results)
	}
	return text
}

// Decode returns the record without the date of the data.
func (r Record) Decode(withoutContacts bool) (map[string]any, error) {
	text := r.Text("")
	if withoutContacts {
		var err error
		if text, err = stored.WithoutContacts(text, nil); err != nil {
			return nil, err
		}
	}
	body, err := stored.Decode(text)
	derived, _ := body["derivedSection"].(map[string]any)
	misc, _ := derived["miscInfoModule"].(map[string]any)
	delete(misc, "versionHolder")
	return body, err
}

// A packed record is a row of a file.
type packed struct {
	hash          int64
	main, results []byte
}

// unpack returns the record of a row. Its error is a DamagedError if the record is not the one that was written.
func (p *packed) unpack(id int64, unpacker *stored.Unpacker) (r Record, err error) {
	if p.main == nil {
		return r, nil
	}
	r.Main, err = unpacker.Unpack(nil, p.main)
	if err == nil && len(p.results) > 0 {
		r.Results, err = unpacker.Unpack(nil, p.results)
	}
	if err != nil || r.Hash() != p.hash {
		return Record{}, &DamagedError{ID: id}
	}
	return r, nil
}

// current returns the record of a trial in the file.
func current(ctx context.Context, db Querier, id int64) (p packed, err error) {
	const query = "SELECT hash, main, results FROM study JOIN record USING (id) WHERE id = ?"
	_, err = One(db.QueryRowContext(ctx, query, id), &p.hash, &p.main, &p.results)
	return p, err
}
