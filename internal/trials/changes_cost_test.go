package trials

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/mirror/history"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// smallEdits change a record as an update of its sponsor does: one value, a sentence or an item of a list.
var smallEdits = []struct {
	path []string
	edit func(old any, n int) any
}{
	{[]string{"statusModule", "overallStatus"}, func(any, int) any { return "TERMINATED" }},
	{[]string{"statusModule", "primaryCompletionDateStruct", "date"}, func(_ any, n int) any { return fmt.Sprintf("2031-%02d", n%12+1) }},
	{[]string{"designModule", "enrollmentInfo", "count"}, func(_ any, n int) any { return n }},
	{[]string{"eligibilityModule", "eligibilityCriteria"}, func(old any, n int) any {
		return fmt.Sprintf("%v\n\n* Weight above %d kg", old, n)
	}},
	{[]string{"contactsLocationsModule", "locations"}, func(old any, n int) any {
		list, _ := old.([]any)
		site := map[string]any{"facility": fmt.Sprint("Hospital ", n), "city": "Bern", "country": "Switzerland", "status": "RECRUITING"}
		return append([]any{site}, list...)
	}},
	{[]string{"outcomesModule", "secondaryOutcomes"}, func(old any, n int) any {
		list, _ := old.([]any)
		return append([]any{map[string]any{"measure": fmt.Sprint("Number of visits ", n), "timeFrame": "1 year"}}, list...)
	}},
	{[]string{"statusModule", "statusVerifiedDate"}, func(_ any, n int) any { return fmt.Sprintf("2026-%02d", n%12+1) }},
}

// TestChangesCost prints the size of a change in the history and in a delta, the processor time of a sync with and without a history, and
// that of an answer. docs/mirror.md has the figures. It runs only on request:
//
//	BIOFACT_MIRROR_BENCH=5000 go test ./internal/trials -run TestChangesCost -v -timeout 0
func TestChangesCost(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("BIOFACT_MIRROR_BENCH"))
	if err != nil {
		t.Skip("runs with BIOFACT_MIRROR_BENCH=<number of studies> alone")
	}
	r := newChangingRegistry(t, 8)
	r.multiply(n)
	local, update := sourcetest.MirrorOf(t, r)
	client := upstream.NewClient(sourcetest.Policy(r))
	s := setup{Setup: sourcetest.Setup{CTGovURL: sourcetest.RegistryURL, CTGov: client, Mirror: local}}.open(t)
	begin := r.day.Format(time.DateOnly)
	unrecorded := mirror.Sync{Path: filepath.Join(t.TempDir(), "unrecorded.db"), Source: "test", URL: sourcetest.RegistryURL,
		Do: &http.Client{Transport: r}, History: "0"}
	_, err = unrecorded.Run(t.Context())
	expect.NoError(t, err)
	changed := n / 5
	today := r.day.AddDate(0, 0, 1).Format(time.DateOnly)
	for i := range changed {
		e, at := smallEdits[i%len(smallEdits)], i*5%n
		old := r.bodies[at]["protocolSection"]
		for _, key := range e.path {
			object, _ := old.(map[string]any)
			old = object[key]
		}
		body := withValue(r.bodies[at], e.edit(old, i), append([]string{"protocolSection"}, e.path...)...)
		r.bodies[at] = withValue(body, today, "protocolSection", "statusModule", "lastUpdatePostDateStruct", "date")
	}
	r.publish()
	without := processorTime(t, func() { _, err = unrecorded.Run(t.Context()) })
	expect.NoError(t, err)
	with := processorTime(t, update)
	answered := processorTime(t, func() { _, err = s.TrialChanges(t.Context(), tools.TrialChangesArgs{PageSize: 20}) })
	expect.NoError(t, err)
	expect.NoError(t, local.Reader.History(t.Context(), func(h *history.Reader) error {
		versions, bytes, err := h.Size(t.Context())
		t.Logf("%d versions, %d bytes each", versions, bytes/max(1, versions))
		return err
	}))
	delta := filepath.Join(t.TempDir(), "one.delta")
	_, err = local.Reader.WriteDelta(t.Context(), begin, delta)
	expect.NoError(t, err)
	info, err := os.Stat(delta)
	expect.NoError(t, err)
	t.Logf("delta: %d bytes for a change; sync of %d changes: %v without a history, %v with it; an answer: %v", info.Size()/int64(changed),
		changed, without, with, answered)
}

// processorTime returns the processor time of a function, to ten milliseconds.
func processorTime(t *testing.T, run func()) time.Duration {
	t.Helper()
	now := func() (ticks int) {
		text, err := os.ReadFile("/proc/self/stat")
		if err != nil {
			t.Skip("it is read from /proc")
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		for _, field := range strings.Fields(rest)[11:13] { // user and system
			n, err := strconv.Atoi(field)
			expect.NoError(t, err)
			ticks += n
		}
		return ticks
	}
	began := now()
	run()
	return time.Duration(now()-began) * 10 * time.Millisecond
}
