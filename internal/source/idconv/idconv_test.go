package idconv_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/idconv"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

type answering string

func (a answering) RoundTrip(req *http.Request) (*http.Response, error) {
	body := io.NopCloser(strings.NewReader(`{"status":"ok","records":[` + string(a) + `]}`))
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: body,
		Request: req}, nil
}

// TestConvert: a record counts only if its ids are valid and it is the record of the requested id; only one of the errors means that PMC
// has no such id.
func TestConvert(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ kind, id, record, want string }{
		"found":    {idconv.PMCID, "PMC12", `{"pmcid":"PMC12.1","pmid":5,"requested-id":"PMC12"}`, "PMC12 5"},
		"by a DOI": {idconv.DOI, "10.5555/A", `{"pmcid":"PMC12","doi":"10.5555/a","requested-id":"10.5555/A"}`, "PMC12 "},
		"none": {idconv.PMID, "5", `{"pmid":5,"requested-id":"5","status":"error","errmsg":"Identifier not found in PMC"}`,
			"none"},
		"busy":          {idconv.PMID, "5", `{"pmid":5,"requested-id":"5","status":"error","errmsg":"server busy, try later"}`, "error"},
		"negative PMID": {idconv.PMCID, "PMC12", `{"pmcid":"PMC12","pmid":-5,"requested-id":"PMC12"}`, "error"},
		"a path":        {idconv.PMID, "5", `{"pmcid":"PMC../../x","pmid":5,"requested-id":"5"}`, "error"},
		"another PMCID": {idconv.PMCID, "PMC12", `{"pmcid":"PMC999","pmid":5,"requested-id":"PMC12"}`, "error"},
		"another PMID":  {idconv.PMID, "5", `{"pmcid":"PMC12","pmid":6,"requested-id":"5"}`, "error"},
	} {
		var notes entity.Notes
		found, err := sourcetest.All(t, answering(tt.record)).IDConv.Convert(t.Context(), tt.kind, []string{tt.id}, &notes)
		got := "none"
		if item := found[strings.ToLower(tt.id)]; item != nil {
			got = item.PMCID + " " + item.PMID
		}
		if err != nil {
			got = "error"
		}
		expect.Is(t, got, tt.want, "%s: %v", name, err)
	}
}
