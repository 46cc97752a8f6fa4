package history

import (
	"context"

	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

// A Line describes a change, as biofact mirror changes prints it.
type Line struct {
	NCTID      string      `json:"nct_id"`
	From       string      `json:"from,omitempty"`
	To         string      `json:"to"`
	Posted     string      `json:"posted,omitempty"`
	Fields     []string    `json:"fields,omitempty"`
	Quiet      bool        `json:"quiet,omitempty"`
	Added      bool        `json:"added,omitempty"`
	Removed    bool        `json:"removed,omitempty"`
	MergedInto string      `json:"merged_into,omitempty"`
	Patch      []Operation `json:"patch,omitempty"`
}

// Line returns the line of a change, without its patch.
func (c *Change) Line() Line {
	line := Line{
		NCTID: stored.NCT(c.ID), From: c.From, To: c.To, Posted: c.Posted, Fields: c.Fields.Names(), Quiet: c.Quiet(), Added: c.Added(),
		Removed: c.Removed && c.Into == 0,
	}
	if c.Into != 0 {
		line.MergedInto = stored.NCT(c.Into)
	}
	return line
}

// Patch returns the steps that make the record after a change out of the one before it. The records are those of the registry without the
// date of the data.
func (r *Reader) Patch(ctx context.Context, c *Change, withoutContacts bool) ([]Operation, error) {
	if c.Removed {
		return []Operation{}, nil
	}
	before, after, err := r.Versions(ctx, c)
	if err != nil {
		return nil, err
	}
	now, err := after.Decode(withoutContacts)
	if err != nil || c.Added() {
		return Patch(nil, any(now)), err
	}
	old, err := before.Decode(withoutContacts)
	return Patch(old, now), err
}
