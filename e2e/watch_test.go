package e2e

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// A newsLine is a line of biofact mirror changes --watch.
type newsLine struct{ Watch, Event, NCTID, From, To, Title, Status string }

// TestWatch: the events of a watch are those of an independent comparison of the records that were served in two states, also with
// other states between them. They are reported once, and again after a run that could not print them; a new mirror gives a gap.
func TestWatch(t *testing.T) {
	t.Parallel()
	served, env := copying(t, 150)
	env = append(env, "XDG_DATA_HOME="+t.TempDir())
	sync := func() { expect.Is(t, biofact(t, env, "mirror", "sync").code, 0, "exit code of a sync") }
	states := func() map[string]map[string]any {
		all := map[string]map[string]any{}
		for _, id := range served.IDs() {
			all[id] = undated(t, served.Record(id))
		}
		return all
	}
	run := func(code int) (events []newsLine) {
		t.Helper()
		got := biofact(t, env, "mirror", "changes", "--watch", "done")
		expect.Must(t, got.code == code, "%+v", got)
		for line := range strings.Lines(got.stdout) {
			var e newsLine
			expect.NoError(t, json.Unmarshal([]byte(strings.Replace(line, `"nct_id"`, `"NCTID"`, 1)), &e))
			e.Title = ""
			events = append(events, e)
		}
		return events
	}
	sync()
	none := biofact(t, env, "mirror", "changes", "--watch", "done")
	expect.That(t, none.code == 2 && strings.Contains(none.stderr, "no watch done exists"), "%+v", none)
	added := biofact(t, env, "mirror", "changes", "--watch", "done", "status=completed")
	expect.Must(t, added.code == 0 && added.stdout == "", "%+v", added)
	other := biofact(t, env, "mirror", "changes", "--watch", "done", "status=recruiting")
	expect.That(t, other.code == 2 && strings.Contains(other.stderr, "other filters"), "%+v", other)
	old := biofact(t, env, "watch", "run", "--all")
	expect.That(t, old.code == 2 && strings.Contains(old.stderr, "mirror changes --watch NAME"), "%+v", old)
	expect.Is(t, len(run(4)), 0, "events without a publication")
	before := states()
	served.Change(40, 2, 1, 4)
	sync()
	served.Change(40, 2, 1, 4) // a state that no run reports
	sync()
	after := states()

	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err == nil {
		unprinted := exec.Command(binary(t), "mirror", "changes", "--watch", "done")
		unprinted.Env = append(os.Environ(), env...)
		unprinted.Stdout = full
		expect.That(t, unprinted.Run() != nil && unprinted.ProcessState.ExitCode() == 1, "%s", unprinted.ProcessState)
		expect.NoError(t, full.Close())
	}
	got := run(0)
	for i := range got {
		got[i].To, got[i].Status = "", ""
	}
	byTrial := cmpopts.SortSlices(func(a, b newsLine) bool { return a.NCTID+a.Event < b.NCTID+b.Event })
	if diff := cmp.Diff(eventsOf(before, after), got, byTrial); diff != "" {
		t.Errorf("(-independent +watch)\n%s", diff)
	}
	expect.Is(t, len(run(4)), 0, "events that were reported")

	path := strings.TrimSpace(biofact(t, env, "mirror", "path").stdout)
	expect.NoError(t, os.Remove(path))
	served.Change(5, 1, 0, 1)
	sync()
	lost := run(0)
	expect.That(t, lost[0].Event == "gap" && lost[0].From == "2026-01-07" && lost[0].To == "2026-01-08", "%+v", lost)
	expect.That(t, !slices.ContainsFunc(lost[1:], func(e newsLine) bool { return e.Event != "new" && e.Event != "left" }), "%+v", lost)
}

// eventsOf compares two states of the trials that are completed.
func eventsOf(before, after map[string]map[string]any) (events []newsLine) {
	completed := func(record map[string]any) bool {
		return valueAt(record, "protocolSection.statusModule.overallStatus") == "COMPLETED"
	}
	sites := func(record map[string]any) map[string]int {
		counts := map[string]int{}
		list, _ := valueAt(record, "protocolSection.contactsLocationsModule.locations").([]any)
		for _, site := range list {
			text, _ := json.Marshal([]any{valueAt(site, "facility"), valueAt(site, "city"), valueAt(site, "country")})
			counts[string(text)]++
		}
		return counts
	}
	ids := maps.Clone(before)
	maps.Copy(ids, after)
	for id := range ids {
		old, now := before[id], after[id] // nil: no such trial
		add := func(holds bool, event string) {
			if holds {
				events = append(events, newsLine{Watch: "done", Event: event, NCTID: id})
			}
		}
		add(completed(now) && !completed(old), "new")
		add(!completed(now) && completed(old), "left")
		if old == nil || now == nil || !completed(old) && !completed(now) {
			continue
		}
		status := valueAt(now, "protocolSection.statusModule.overallStatus")
		was := valueAt(old, "protocolSection.statusModule.overallStatus")
		add(status != was && slices.Contains([]any{"TERMINATED", "SUSPENDED", "WITHDRAWN"}, status), "stopped")
		add(now["resultsSection"] != nil && old["resultsSection"] == nil, "results_posted")
		more, had := false, sites(old)
		for site, n := range sites(now) {
			more = more || n > had[site]
		}
		add(more, "sites_added")
		add(completed(old) && completed(now) && !cmp.Equal(old, now), "changed")
	}
	return events
}

// valueAt returns the value at a path of a record, nil for none.
func valueAt(v any, path string) any {
	for key := range strings.SplitSeq(path, ".") {
		object, _ := v.(map[string]any)
		v = object[key]
	}
	return v
}
