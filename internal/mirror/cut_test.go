package mirror

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/query"
)

// TestPartsOfRecords: each part of a record is the part that the sandbox returns, also of posted results.
func TestPartsOfRecords(t *testing.T) {
	t.Parallel()
	records := someRecords(t)[:20]
	posted := slices.ContainsFunc(records, func(raw []byte) bool { return strings.Contains(string(raw), stored.ResultsKey) })
	expect.Must(t, posted, "no posted results")
	r, oracle := fill(t, records), sandboxOf(t, records)
	for _, fields := range []string{
		"NCTId", "VersionHolder", "DerivedSection", "ResultsSection", "OutcomeMeasureTitle", "NCTId|OutcomeMeasureTitle|HasResults",
		"LocationZip", "LocationContactPhone|LocationStatus", "DelayedPosting", "ProtocolSection|MiscInfoModule",
		"BriefTitle|StudyType|ConditionAncestorTerm",
	} {
		same(t, r, oracle, encoded("pageSize=30&sort=StudyFirstPostDate&fields="+fields))
	}
}

// TestOwnBytes: a stored record is the registry's own, byte for byte. Results that an older file has no place for are last.
func TestOwnBytes(t *testing.T) {
	t.Parallel()
	const record = `{"protocolSection": {"identificationModule":{"nctId":"NCT00000001","briefTitle":"\"resultsSection\":\"\""}},` +
		`"resultsSection":{"a": [1, "x"]},"derivedSection":{"miscInfoModule":{"versionHolder":"2026-02-01"}},"hasResults":true}`
	for _, raw := range []string{record, strings.Replace(record, `"resultsSection":{"a": [1, "x"]},`, "", 1)} {
		s, err := readStudy([]byte(raw))
		expect.NoError(t, err)
		complete := slices.Clone(s.main)
		if s.results != nil {
			complete = stored.WithResults(complete, s.results)
		}
		expect.Equal(t, "record", raw, string(stored.WithVersion(complete, s.version)))
	}
	expect.Equal(t, "of an older file", `{"hasResults":true,"resultsSection":{}}`,
		string(stored.WithResults([]byte(`{"hasResults":true}`), []byte("{}"))))
}

// A mirror that was not synced for a month does not return contacts of people.
func TestOldMirrorReturnsNoContacts(t *testing.T) {
	t.Parallel()
	records := someRecords(t)
	i := slices.IndexFunc(records, func(raw []byte) bool {
		return strings.Contains(string(raw), `"centralContacts"`) && strings.Contains(string(raw), `"contacts"`)
	})
	study, err := readStudy(records[i])
	expect.NoError(t, err)
	c, done, err := fill(t, records[i:i+1]).use(t.Context())
	expect.NoError(t, err)
	defer done()
	part := func(fields query.Projection) (body map[string]any) {
		read, err := c.read(t.Context(), []int64{study.id}, fields)
		expect.NoError(t, err)
		body, err = stored.Decode(read[0])
		expect.NoError(t, err)
		return body
	}
	names := query.Select("CentralContactName", "LocationContactName")
	want := part(nil)
	expect.That(t, len(part(names)) > 0, "no contacts in a new mirror")
	c.state.Synced = time.Now().Add(-contactsAge - time.Hour)
	expect.That(t, len(part(names)) == 0, "contacts %v", part(names))
	module := want["protocolSection"].(map[string]any)["contactsLocationsModule"].(map[string]any)
	delete(module, "centralContacts")
	for _, site := range module["locations"].([]any) {
		delete(site.(map[string]any), "contacts")
	}
	expect.Is(t, cmp.Diff(want, part(nil)), "", "the rest of the record")
}

func TestDecodeRecords(t *testing.T) {
	t.Parallel()
	fields := query.Projection{"protocolSection": {"identificationModule": nil, "contactsLocationsModule": {"locations": {"city": nil}}},
		"hasResults": nil}
	for _, raw := range sources(t) {
		var want any
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		expect.NoError(t, d.Decode(&want))
		got, err := stored.Decode(raw)
		expect.NoError(t, err)
		expect.Is(t, cmp.Diff(want, any(got)), "", "a record (-encoding/json +decode)")
		part, err := stored.DecodeFields(raw, fields)
		expect.NoError(t, err)
		expect.Is(t, cmp.Diff(fields.Project(got), fields.Project(part)), "", "a part of a record")
		text, err := stored.Cut(raw, fields)
		expect.NoError(t, err)
		part, err = stored.Decode(text)
		expect.NoError(t, err)
		expect.Is(t, cmp.Diff(fields.Project(got), part), "", "a part of the text of a record")
	}
}
