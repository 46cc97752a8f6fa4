package trials_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
)

// TestReporting changes one part after another of a trial that began in 2018, was completed in March 2020, and tests a regulated drug. The
// day of the data is 2021-06-15.
func TestReporting(t *testing.T) {
	t.Parallel()
	const base = `{"status":"COMPLETED","phase":"PHASE3","protocol":{"study_type":"INTERVENTIONAL"},"start_date":"2018-01",` +
		`"primary_completion_date":"2020-03","completion_date":"2020-09-01","oversight":{"fda_regulated_drug":true,"fda_regulated_device":false}}`
	const older = `{"start_date":"2016-05-01","oversight":null,"intervention_details":[{"type":"DEVICE"}],` +
		`"locations_summary":{"sites":1,"countries":[{"country":"Puerto Rico","sites":1}]}`
	for _, tt := range [][2]string{
		{`{}`, "act 2021-03-31 overdue"},
		{`{"phase":"PHASE1"}`, ""}, {`{"phase":"EARLY_PHASE1"}`, ""}, {`{"phase":""}`, ""}, {`{"phase":"NA"}`, "act 2021-03-31 overdue"},
		{`{"phase":"PHASE1","phases":["PHASE1","PHASE2"]}`, "act 2021-03-31 overdue"},
		{`{"phase":"PHASE2","phases":["PHASE2","PHASE3"]}`, "act 2021-03-31 overdue"},
		{`{"protocol":{"study_type":"OBSERVATIONAL"}}`, ""}, {`{"protocol":{"primary_purpose":"DEVICE_FEASIBILITY"}}`, ""},
		{`{"status":"WITHDRAWN"}`, ""}, {`{"oversight":{"fda_regulated_drug":false}}`, ""},
		{`{"oversight":{"fda_regulated_drug":false,"fda_regulated_device":true}}`, "act 2021-03-31 overdue"},
		{`{"start_date":""}`, ""}, {`{"start_date":"2017-01-18"}`, "act 2021-03-31 overdue"},
		{`{"start_date":"2017-01-17"}`, "pact 2021-03-31 overdue"}, {`{"start_date":"2017-01"}`, "act 2021-03-31 overdue"},
		{`{"start_date":"2016","primary_completion_date":"2017-01-18"}`, "pact 2018-01-18 overdue"},
		{`{"start_date":"2016","primary_completion_date":"2017-01-17"}`, ""},
		{`{"start_date":"2016","primary_completion_date":"2017-01"}`, "pact 2018-01-31 overdue"},
		{`{"start_date":"2016","primary_completion_date":"","completion_date":""}`, ""},
		{older + `}`, "probable_pact 2021-03-31 overdue"}, {older + `,"intervention_details":[{"type":"BEHAVIORAL"}]}`, ""},
		{older + `,"locations_summary":{"sites":1,"countries":[{"country":"Mexico","sites":1}]}}`, ""},
		{older + `,"start_date":"2018"}`, ""}, {older + `,"oversight":{"fda_regulated_drug":false}}`, ""},
		{`{"primary_completion_date":""}`, "act 2021-09-01 ongoing"}, {`{"primary_completion_date":"2020"}`, "act 2021-12-31 ongoing"},
		{`{"primary_completion_date":"","completion_date":""}`, "act"},
		{`{"primary_completion_date":"2020-02-29"}`, "act 2021-02-28 overdue"}, {`{"primary_completion_date":"2020-02"}`, "act 2021-02-28 overdue"},
		{`{"primary_completion_date":"2020-06-15"}`, "act 2021-06-15 ongoing"}, {`{"primary_completion_date":"2020-06-14"}`, "act 2021-06-14 due"},
		{`{"primary_completion_date":"2020-05-16"}`, "act 2021-05-16 due"}, {`{"primary_completion_date":"2020-05-15"}`, "act 2021-05-15 overdue"},
		{`{"delay_first_submitted_date":"2021-01-05"}`, "act 2023-03-31 ongoing"},
		{`{"results_first_submitted_date":"2021-03-31"}`, "act 2021-03-31 reported 2021-03-31"},
		{`{"results_first_submitted_date":"2021-04-01"}`, "act 2021-03-31 reported_late 2021-04-01"},
		{`{"results_first_posted_date":"2021-04-01"}`, "act 2021-03-31 reported"},
		{`{"results_submission":{"cycles":[{"released":"2021-03-01","reset":"2021-03-20"},{"released":"2021-05-01"}]}}`,
			"act 2021-03-31 submitted 2021-03-01"},
		{`{"results_submission":{"cycles":[{"released":"2021-03-01","unreleased_unknown":true},{"released":"2021-05-01"}]}}`,
			"act 2021-03-31 submitted_late 2021-05-01"},
		{`{"results_submission":{"cycles":[{"released":"2021-03-01","unreleased":"2021-03-09"}]}}`, "act 2021-03-31 overdue"},
		{`{"unposted_results":{"events":[{"type":"RELEASE","date":"2021-03-01"},{"type":"RESET","date":"2021-03-20"}]}}`,
			"act 2021-03-31 submitted 2021-03-01"},
		{`{"unposted_results":{"events":[{"type":"RELEASE","date":"2021-03-01"},{"type":"UNRELEASE","date":"2021-03-20"}]}}`,
			"act 2021-03-31 overdue"},
		{`{"unposted_results":{"events":[{"type":"RELEASE","date_unknown":true}]}}`, "act 2021-03-31 submitted"},
	} {
		var trial entity.Trial
		for _, text := range []string{base, tt[0]} {
			expect.NoError(t, json.Unmarshal([]byte(text), &trial))
		}
		got := ""
		if r := trials.Reporting(&trial, "2021-06-15"); r != nil {
			got = strings.Join(strings.Fields(r.Act+" "+r.DueDate+" "+r.Status+" "+r.SubmittedDate), " ")
		}
		expect.That(t, got == tt[1], "%s: %q, want %q", tt[0], got, tt[1])
	}
}
