package genes_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// TestVariantCountUnknown: a class that ClinVar does not know has no count instead of zero, and a status without records has the count
// zero.
func TestVariantCountUnknown(t *testing.T) {
	t.Parallel()
	s := serviceOver(t, sourcetest.RoundTrip(func(req *http.Request) (*http.Response, error) {
		query := req.URL.Query()
		body := `{"esearchresult":{"count":"7","idlist":[]}}`
		switch term := query.Get("term"); {
		case query.Get("db") == "gene":
			body = `{"result":{"uids":["7157"],"7157":{"uid":"7157","name":"TP53","organism":{"scientificname":"Homo sapiens","taxid":9606}}}}`
		case strings.Contains(term, "clinsig vus"):
			body = `{"esearchresult":{"count":"0","idlist":[],"errorlist":{"phrasesnotfound":["\"clinsig vus\"[Properties]"],"fieldsnotfound":[]}}}`
		case strings.Contains(term, "practice guideline"):
			body = `{"esearchresult":{"count":"0","idlist":[]}}`
		case !strings.Contains(term, "single_gene"):
			body = `{"esearchresult":{"count":"9","idlist":[]}}`
		}
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)),
			Request: req}, nil
	}), nil)
	answer, err := s.GetGeneVariants(t.Context(), tools.GetGeneVariantsArgs{EntrezID: "7157", PageSize: 5})
	expect.NoError(t, err)
	counts := answer.Value.Beside.Counts
	expect.Must(t, counts != nil && len(counts.Significance) == 5 && len(counts.ReviewStatus) == 6, "%+v", counts)
	expect.Equal(t, "statuses", entity.VariantCount{Value: "practice guideline"}, counts.ReviewStatus[0])
	notices := strings.Join(answer.Notices, "\n")
	expect.That(t, strings.Contains(notices, "their number is 9.") &&
		strings.Contains(notices, "did not return the number of records for: Uncertain significance."), "%s", notices)
	expect.Equal(t, "requests that were answered", 14, answer.Provenance.UpstreamRequests)
}

// TestVariantOfAnotherID: a record that ClinVar returns for another id is left out.
func TestVariantOfAnotherID(t *testing.T) {
	t.Parallel()
	s := serviceOver(t, sourcetest.RoundTrip(func(req *http.Request) (*http.Response, error) {
		body := `{"esearchresult":{"count":"2","idlist":["11","12"]}}`
		switch query := req.URL.Query(); {
		case query.Get("db") == "gene":
			body = `{"result":{"uids":["7157"],"7157":{"uid":"7157","name":"TP53","organism":{"scientificname":"Homo sapiens","taxid":9606}}}}`
		case query.Get("id") != "":
			body = `{"result":{"uids":["11","12"],"11":{"uid":"11","title":"a"},"12":{"uid":"99","title":"b"}}}`
		}
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)),
			Request: req}, nil
	}), nil)
	answer, err := s.GetGeneVariants(t.Context(), tools.GetGeneVariantsArgs{EntrezID: "7157", PageSize: 5})
	expect.NoError(t, err)
	expect.That(t, len(answer.Value.Items) == 1 && answer.Value.Items[0].VariationID == "11", "%+v", answer.Value.Items)
}

// TestVariantByChange: only records that state the change are listed, by their name or by their protein changes; an unknown change is no
// failure of ClinVar.
func TestVariantByChange(t *testing.T) {
	t.Parallel()
	var terms []string
	s := serviceOver(t, sourcetest.RoundTrip(func(req *http.Request) (*http.Response, error) {
		query := req.URL.Query()
		body := `{"esearchresult":{"count":"0","idlist":[],"errorlist":{"phrasesnotfound":["\"Q9R\""],"fieldsnotfound":[]},
			"warninglist":{"quotedphrasesnotfound":["\"p.Gln9Arg\""]}}}`
		switch term := query.Get("term"); {
		case query.Get("db") == "gene":
			body = `{"result":{"uids":["7157"],"7157":{"uid":"7157","name":"TP53","organism":{"scientificname":"Homo sapiens","taxid":9606}}}}`
		case query.Get("id") != "":
			body = `{"result":{"uids":["11","12","13"],"11":{"uid":"11","title":"x:c.1A>G (p.Arg175His)"},"12":{"uid":"12","title":"b R175H1",
				"protein_change":"R175L"},"13":{"uid":"13","title":"c","protein_change":"R43H, R175H"}}}`
		case strings.Contains(term, "175"):
			terms = append(terms, term)
			body = `{"esearchresult":{"count":"3","idlist":["11","12","13"]}}`
		}
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)),
			Request: req}, nil
	}), nil)
	answer, err := s.GetGeneVariants(t.Context(), tools.GetGeneVariantsArgs{EntrezID: "7157", Variant: "r175h", PageSize: 1})
	expect.NoError(t, err)
	expect.Equal(t, "term", []string{`"TP53"[gene] AND single_gene[prop] AND ("p.Arg175His" OR "R175H")`}, terms)
	expect.Equal(t, "total", 2, *answer.Value.Pagination.TotalCount)
	expect.Equal(t, "first", "11", answer.Value.Items[0].VariationID)
	expect.That(t, strings.Contains(strings.Join(answer.Notices, " "), "left out: 1."), "%v", answer.Notices)
	answer, err = s.GetGeneVariants(t.Context(),
		tools.GetGeneVariantsArgs{EntrezID: "7157", Variant: "r175h", PageSize: 1, Cursor: answer.Value.Pagination.Cursor})
	expect.NoError(t, err)
	expect.Equal(t, "second", "13", answer.Value.Items[0].VariationID)
	answer, err = s.GetGeneVariants(t.Context(), tools.GetGeneVariantsArgs{EntrezID: "7157", Variant: "Q9R", PageSize: 1})
	expect.NoError(t, err)
	expect.That(t, len(answer.Value.Items) == 0 && strings.Contains(answer.Notices[0], "no record"), "%v", answer.Notices)
}
