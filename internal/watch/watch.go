// Package watch compares the trials that some filters found with those that they find now, in two states of the mirror, and keeps on disk
// which state was reported. It makes no request, and searches nothing itself.
package watch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mirror/disk"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
)

// A Watch has the filters of a search, and the state of the mirror that was reported last.
type Watch struct {
	Name string `json:"-"`
	// Source is the registry of the mirror.
	Source  string          `json:"source"`
	Filters json.RawMessage `json:"filters"`
	// Stamp is that of the data that were reported, and IDs are the numbers of the trials that matched then, in ascending order.
	Stamp string  `json:"stamp"`
	IDs   []int64 `json:"ids"`
}

// The kinds of events.
const (
	isNew         = "new"
	left          = "left"
	stopped       = "stopped"
	resultsPosted = "results_posted"
	sitesAdded    = "sites_added"
	changed       = "changed"
	gap           = "gap"
)

// An Event is news of a watch.
type Event struct {
	Watch      string   `json:"watch"`
	Event      string   `json:"event"`
	NCTID      string   `json:"nct_id,omitempty"`
	From       string   `json:"from,omitempty"` // of a gap
	To         string   `json:"to"`
	Title      string   `json:"title,omitempty"`
	Fields     []string `json:"fields,omitempty"`
	Status     string   `json:"status,omitempty"`
	MergedInto string   `json:"merged_into,omitempty"`
}

// News returns the events between the state that was reported and the newest one, in which the trials now match. They do not depend on the
// states between. If the history lacks the state that was reported, the first event is a gap, and the others are new and left.
func (w *Watch) News(ctx context.Context, h *history.Reader, now []int64) ([]Event, error) {
	c := comparison{ctx: ctx, watch: w, history: h, until: h.Newest(), last: map[int64]*history.Change{}}
	var complete bool
	if c.since, complete = h.Stamped(w.Stamp); !complete {
		c.events = append(c.events, Event{Watch: w.Name, Event: gap, From: dayOf(w.Stamp), To: h.Newest().Day()})
	}
	all := slices.Concat(w.IDs, now)
	slices.Sort(all)
	all = slices.Compact(all)
	if complete {
		err := h.Changes(ctx, history.Span{Since: c.since, Until: c.until, IDs: all}, func(change *history.Change) error {
			c.last[change.ID] = change
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for _, id := range all {
		_, then := slices.BinarySearch(w.IDs, id)
		_, matches := slices.BinarySearch(now, id)
		if c.last[id] == nil && then == matches {
			continue
		}
		if err := c.compare(id, then, matches); err != nil {
			return nil, err
		}
	}
	return c.events, nil
}

func dayOf(stamp string) string { return history.Sync{Stamp: stamp}.Day() }

// A comparison of two states.
type comparison struct {
	ctx          context.Context //nolint:containedctx // a comparison is used for one call
	watch        *Watch
	history      *history.Reader
	since, until history.Sync
	last         map[int64]*history.Change // of each trial that has changed
	events       []Event
}

// compare adds the events of a trial, which matched then or matches now.
func (c *comparison) compare(id int64, then, now bool) error {
	after, err := c.version(id, c.until)
	if err != nil {
		return err
	}
	e := Event{Watch: c.watch.Name, NCTID: stored.NCT(id), To: c.until.Day()}
	change := c.last[id]
	if change != nil {
		if e.To = change.To; change.Into != 0 {
			e.MergedInto = stored.NCT(change.Into)
		}
	}
	var before version
	if change != nil {
		if before, err = c.version(id, c.since); err != nil {
			return err
		}
	}
	e.Title, e.Status = cmp.Or(after.first("BriefTitle"), before.first("BriefTitle")), after.first("OverallStatus")
	switch {
	case now && !then:
		c.add(e, isNew)
	case then && !now:
		c.add(e, left)
	}
	if before.Missing() || after.Missing() {
		return nil
	}
	c.compareVersions(&e, before, after, then && now)
	return nil
}

// compareVersions adds the events of a trial that the registry has in both states.
func (c *comparison) compareVersions(event *Event, before, after version, matches bool) {
	e := *event
	fields := history.Differing(before.Record, after.Record)
	e.Fields = fields.Names()
	ended := []string{"TERMINATED", "SUSPENDED", "WITHDRAWN"}
	if slices.Contains(ended, e.Status) && before.first("OverallStatus") != e.Status {
		c.add(e, stopped)
	}
	if after.Results != nil && before.Results == nil {
		c.add(e, resultsPosted)
	}
	if more(before.sites(), after.sites()) {
		c.add(e, sitesAdded)
	}
	if matches && fields != 0 {
		c.add(e, changed)
	}
}

func (c *comparison) add(e Event, kind string) {
	e.Event = kind
	c.events = append(c.events, e)
}

// A version is the record of a trial in one state.
type version struct {
	history.Record
	body map[string]any
}

// version returns the record of a trial, which is missing where the registry did not have it.
func (c *comparison) version(id int64, at history.Sync) (v version, err error) {
	v.Record, err = c.history.Record(c.ctx, id, at)
	if errors.As(err, new(*history.GoneError)) {
		return v, nil
	}
	if err == nil {
		v.body, err = stored.Decode(v.Main)
	}
	return v, err
}

func (v version) first(piece string) string { return query.First(v.body, piece) }

// sites counts the sites by facility, city and country.
func (v version) sites() map[[3]string]int {
	rows := make([][3]string, query.SiteCount(v.body))
	for i, piece := range []string{"LocationFacility", "LocationCity", "LocationCountry"} {
		for _, value := range query.SiteValues(v.body, piece) {
			if value.Site >= 0 { // else the sites are no list
				rows[value.Site][i] = value.Text
			}
		}
	}
	counts := map[[3]string]int{}
	for _, row := range rows {
		counts[row]++
	}
	return counts
}

// more reports whether one of the counts is higher after than before.
func more(before, after map[[3]string]int) bool {
	for site, n := range after {
		if n > before[site] {
			return true
		}
	}
	return false
}

// A Folder is the folder of the watches of a user.
type Folder string

var validName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// suffix ends the names of the files of watches.
const suffix = ".watch.json"

// Path returns the path of the file of a watch. It returns an error for a name that is not allowed.
func (f Folder) Path(name string) (string, error) {
	if !validName.MatchString(name) {
		return "", fmt.Errorf("%q is no name of a watch: want letters, digits, '.', '_' and '-', at most 64", name)
	}
	return filepath.Join(string(f), name+suffix), nil
}

// Names returns the names of all watches.
func (f Folder) Names() (names []string, err error) {
	paths, err := filepath.Glob(filepath.Join(string(f), "*"+suffix))
	for _, path := range paths {
		base := filepath.Base(path)
		names = append(names, base[:len(base)-len(suffix)])
	}
	return names, err
}

// Read reads a watch.
func (f Folder) Read(name string) (*Watch, error) {
	path, err := f.Path(name)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	w := &Watch{Name: name}
	if err := json.Unmarshal(text, w); err != nil || w.Stamp == "" {
		return nil, fmt.Errorf("%s is not the file of a watch: remove it, and begin the watch again", path)
	}
	return w, nil
}

// Write writes a watch. A file with the old state stays until the new one is complete.
func (f Folder) Write(w *Watch) error {
	path, err := f.Path(w.Name)
	if err != nil {
		return err
	}
	text, err := json.Marshal(w)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	return disk.Replace(path, func(part *os.File) error {
		_, err := part.Write(text)
		return err
	})
}
