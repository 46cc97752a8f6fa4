package e2e

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// A changeLine is a line of biofact mirror changes.
type changeLine struct {
	NCTID      string `json:"nct_id"`
	From, To   string
	Posted     string
	Fields     []string
	Added      bool
	Removed    bool
	MergedInto string `json:"merged_into"`
	Patch      []struct {
		Op, Path string
		Value    any
	}
}

// TestMirrorChanges: each line leads from the record that was served before to the one that was served after, each record of a day is the
// one that was served, and a day outside the history is refused with the days that it has.
func TestMirrorChanges(t *testing.T) {
	t.Parallel()
	served, env := copying(t, 120)
	const first, second = "2026-01-05", "2026-01-06"
	before := map[string][]byte{}
	for _, id := range served.IDs() {
		before[id] = served.Record(id)
	}
	sync := func() { expect.Is(t, biofact(t, env, "mirror", "sync").code, 0, "exit code of a sync") }
	sync()
	none := biofact(t, env, "mirror", "changes", "--since", first)
	expect.That(t, none.code == 0 && none.stdout == "" && strings.Contains(none.stderr, "nothing changed from "+first), "%+v", none)
	served.Change(20, 2, 1, 3)
	sync()
	changed := biofact(t, env, "mirror", "changes", "--since", first, "--patch")
	expect.Must(t, changed.code == 0, "%+v", changed)
	left := map[string]bool{}
	seen := 0
	for line := range strings.Lines(changed.stdout) {
		var c changeLine
		expect.NoError(t, json.Unmarshal([]byte(line), &c))
		seen++
		now := served.Record(c.NCTID)
		expect.That(t, c.To == second && (c.From == "") == (before[c.NCTID] == nil) && c.Added == (before[c.NCTID] == nil), "%s", line)
		if c.Removed || c.MergedInto != "" {
			left[c.NCTID] = true
			expect.That(t, now == nil, "%s exists", c.NCTID)
			continue
		}
		var v any
		if before[c.NCTID] != nil {
			v = undated(t, before[c.NCTID])
			expect.That(t, len(c.Fields) > 0, "%s", line)
		}
		for _, op := range c.Patch {
			if op.Path == "" {
				v = op.Value
				continue
			}
			v = applied(t, v, op.Op, strings.Split(op.Path, "/")[1:], op.Value)
		}
		if diff := cmp.Diff(undated(t, now), v); diff != "" {
			t.Errorf("%s (-registry +patched)\n%.1500s", c.NCTID, diff)
		}
	}
	expect.That(t, seen >= 20 && len(left) == 3, "%d lines, %d left", seen, len(left))
	checked := 0
	for id, want := range before {
		got := biofact(t, env, "mirror", "record", id, "--at", first)
		expect.That(t, got.stdout == string(want)+"\n", "%s on %s: %s", id, first, got.stderr)
		if left[id] {
			gone := biofact(t, env, "mirror", "record", id)
			expect.That(t, gone.code == 1 && strings.Contains(gone.stderr, "on "+second) && gone.stdout == "", "%+v", gone)
		}
		if checked++; checked == 3 { // each starts the binary
			break
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"changes", "--since is missing"},
		{"changes --since 2026-03-01", "ends with those of " + second},
		{"changes --since yesterday", "want a day"},
		{"changes --since 2026-01-05 --field outcomes", "primary_outcome"},
		{"record NCT99999999 --at 2025-01-01", "begins with the data of"},
	} {
		got := biofact(t, env, append([]string{"mirror"}, strings.Fields(tt.args)...)...)
		expect.That(t, got.code == 2 && got.stdout == "" && strings.Contains(got.stderr, tt.want), "%s: %+v", tt.args, got)
	}
	off := biofact(t, append(env, "BIOFACT_MIRROR_HISTORY=0"), "mirror", "changes", "--since", first)
	expect.That(t, off.code == 2 && strings.Contains(off.stderr, "BIOFACT_MIRROR_HISTORY"), "%+v", off)
	setting := biofact(t, env, "mirror", "history", "--keep", "30")
	expect.That(t, setting.code == 0 && strings.Contains(setting.stdout, "from     "+first+"\nto       "+second+"\nstates   2\n"), "%+v", setting)
}

// undated returns a record without the date of the data.
func undated(t *testing.T, raw []byte) (v map[string]any) {
	t.Helper()
	expect.NoError(t, json.Unmarshal(raw, &v))
	derived, _ := v["derivedSection"].(map[string]any)
	misc, _ := derived["miscInfoModule"].(map[string]any)
	delete(misc, "versionHolder")
	return v
}

// applied applies a step of a JSON Patch to a value.
func applied(t *testing.T, v any, op string, path []string, value any) any {
	t.Helper()
	if len(path) == 0 {
		return value
	}
	key := strings.NewReplacer("~1", "/", "~0", "~").Replace(path[0])
	last := len(path) == 1
	switch at := v.(type) {
	case map[string]any:
		_, has := at[key]
		expect.Must(t, has == (op != "add") || !last, "%s %s", op, path)
		if last && op == "remove" {
			delete(at, key)
		} else {
			at[key] = applied(t, at[key], op, path[1:], value)
		}
		return at
	case []any:
		i, err := strconv.Atoi(key)
		expect.Must(t, err == nil && i >= 0 && i < len(at) || op == "add" && i == len(at), "%s %s", op, path)
		switch {
		case last && op == "remove":
			return append(at[:i:i], at[i+1:]...)
		case last && op == "add":
			return append(at[:i:i], append([]any{value}, at[i:]...)...)
		}
		at[i] = applied(t, at[i], op, path[1:], value)
		return at
	}
	t.Fatalf("%s %s: no such value", op, path)
	return v
}
