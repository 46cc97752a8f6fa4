package history

import (
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestFields: each edit of a record changes the fields that its path says, and no other.
func TestFields(t *testing.T) {
	t.Parallel()
	const record = `{"protocolSection":{"statusModule":{"overallStatus":"RECRUITING","startDateStruct":{"date":"2026-01","type":"ESTIMATED"},` +
		`"lastUpdateSubmitDate":"2026-01-01","statusVerifiedDate":"2026-01"},"identificationModule":{"briefTitle":"a","organization":{"fullName":"x"}},` +
		`"outcomesModule":{"primaryOutcomes":[{"measure":"m"}]},"eligibilityModule":{"eligibilityCriteria":"c","sex":"ALL"},` +
		`"contactsLocationsModule":{"centralContacts":[{"name":"n"}],"locations":[{"city":"Oslo","contacts":[{"name":"p"}]}]}},` +
		`"derivedSection":{"miscInfoModule":{"versionHolder":""},"conditionBrowseModule":{"meshes":[]}},"hasResults":false}`
	for _, tt := range []struct{ old, new, fields string }{
		{`"RECRUITING"`, `"COMPLETED"`, "status"},
		{`"RECRUITING"`, `"COMPLETED","whyStopped":"w"`, "status why_stopped"},
		{`"ESTIMATED"`, `"ACTUAL"`, "start_date"},
		{`"lastUpdateSubmitDate":"2026-01-01","statusVerifiedDate":"2026-01"`, `"lastUpdatePostDateStruct":{"date":"2026-02-01"}`, ""},
		{`"briefTitle":"a","organization":{"fullName":"x"}`, `"organization":{"fullName":"x"},"briefTitle":"a"`, ""},
		{`"briefTitle":"a"`, `"briefTitle":"a","nctIdAliases":["NCT00000001"]`, "ids"},
		{`"fullName":"x"`, `"fullName":"y"`, "sponsor"},
		{`{"measure":"m"}`, `{"measure":"m"},{"measure":"n"}`, "primary_outcome"},
		{`"sex":"ALL"`, `"sex":"FEMALE"`, "eligibility"},
		{`"c"`, `"d"`, "criteria"},
		{`"p"`, `"q"`, "contacts"},
		{`"n"`, `"q"`, "contacts"},
		{`,"contacts":[{"name":"p"}]`, ``, "contacts"},
		{`"city":"Oslo","contacts":[{"name":"p"}]`, `"city":"Bergen","contacts":[]`, "sites"},
		{`"meshes":[]`, `"meshes":[{"id":"D1"}]`, "mesh"},
		{`"hasResults":false`, `"hasResults":true,"resultsSection":""`, "results_posted results"},
		{`"hasResults":false`, `"hasResults":false,"tomorrow":1`, "other"},
		{`"protocolSection":{`, `"protocolSection":{"newModule":{},`, "other"},
	} {
		after := strings.Replace(record, tt.old, tt.new, 1)
		expect.Must(t, after != record, "%s", tt.old)
		got := Differing(Record{Main: []byte(record)}, Record{Main: []byte(after)})
		expect.That(t, got == Differing(Record{Main: []byte(after)}, Record{Main: []byte(record)}), "%s <- %s", tt.old, tt.new)
		want, known := FieldsOf(strings.Fields(tt.fields)...)
		expect.That(t, known && got == want, "%s -> %s: %v", tt.old, tt.new, got.Names())
	}
	got := Differing(Record{[]byte(record), []byte(`{"a":1}`)}, Record{[]byte(record), []byte(`{"a":2}`)})
	expect.That(t, slices.Equal(got.Names(), []string{"results"}), "%v", got.Names())
}
