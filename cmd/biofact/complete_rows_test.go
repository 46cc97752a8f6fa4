package main

import (
	"encoding/json"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/tool"
)

func TestCompleteRows(t *testing.T) {
	t.Parallel()
	const head = `{"items":[`
	const tail = `],"pagination":{"page_size":2},"summary":{"sites":2,"countries":1},`
	answer := json.RawMessage(head + `{"facility_name":"A","city":"Akron","team":1},{"facility_name":"B","state":"Ohio"}` + tail +
		`"shared":{"country":"United States","recruitment_status":"RECRUITING"},"teams":[{"team":1,"contacts":[{"name":"Desk","phone":"555-0101","role":"CONTACT"}]}],"notices":["n"]}`)
	want := head + `{"facility_name":"A","city":"Akron","country":"United States","contact_name":"Desk","contact_phone":"555-0101","recruitment_status":"RECRUITING","contacts":[{"name":"Desk","phone":"555-0101","role":"CONTACT"}]},` +
		`{"facility_name":"B","state":"Ohio","country":"United States","recruitment_status":"RECRUITING"}` + tail + `"notices":["n"]}`
	got, err := completeRows(tools.GetTrialLocations, tool.Result{JSON: answer})
	expect.NoError(t, err)
	expect.Equal(t, "whole rows", want, string(got.JSON))
	same, err := completeRows(tools.GetTrialLocations, got)
	expect.That(t, err == nil && string(same.JSON) == want, "whole rows become %s: %v", same.JSON, err)
}
