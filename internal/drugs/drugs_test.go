package drugs_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/drugs"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// watched is the sandbox. It records the status of each response and the searches.
type watched struct {
	*sandbox.Sandbox
	statuses []int
	searches []string
}

func (w *watched) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := w.Sandbox.RoundTrip(req)
	if err == nil {
		w.statuses, w.searches = append(w.statuses, resp.StatusCode), append(w.searches, req.URL.Query().Get("search"))
	}
	return resp, err
}

func open(t *testing.T) (*drugs.Drugs, *watched) {
	t.Helper()
	records, err := sandbox.New()
	expect.NoError(t, err)
	w := &watched{Sandbox: records}
	return drugs.New(sourcetest.All(t, w), 400_000), w
}

// TestHostileNames: no name changes the meaning of a query, which openFDA would refuse or answer with other drugs. A call sends at most
// four requests.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		`a" OR brand_name:"KEYTRUDA`, `x") OR (brand_name:"KEYTRUDA"`, `KEYTRUDA" OR "`, `end\`, `\" OR \"`, `\\`, `*`, `* OR *`,
		`x AND NOT y`, `_exists_:brand_name`, `[* TO *]`, `x:[a TO z]`, `brand_name:KEYTRUDA`, `((((`, `{}`, "a\x00b\nc", "x\u2028y",
		"ΚΕΥΤRUDΑ", "日本語1", "x&limit=1000&search=", "%22 OR %22", "<b>x</b>", "'; DROP TABLE", strings.Repeat(`"\`, 200) + "x",
	} {
		s, w := open(t)
		for what, call := range map[string]func() (int, error){
			"search_drugs": func() (int, error) {
				answer, err := s.SearchDrugs(t.Context(), tools.SearchDrugsArgs{Query: name, PageSize: 10})
				return len(answer.Value.Items), err
			},
			"count_drug_events": func() (int, error) {
				answer, err := s.CountDrugEvents(t.Context(), tools.CountDrugEventsArgs{DrugID: "BLA125514", Reaction: name,
					By: "reaction", Top: 5})
				return answer.Value.TotalReports, err
			},
		} {
			w.statuses, w.searches = nil, nil
			found, err := call()
			if err != nil {
				expect.That(t, entity.AsError(err).Code == entity.InvalidInput && w.statuses == nil, "%s %q: %v", what, name, err)
				continue
			}
			expect.That(t, found == 0 && len(w.statuses) <= 4, "%s %q finds %d with %q", what, name, found, w.searches)
			for i, status := range w.statuses {
				expect.That(t, status == http.StatusOK || status == http.StatusNotFound, "%s %q: status %d of %q", what, name, status,
					w.searches[i])
			}
		}
	}
}

// TestIDs: the forms of ids that get_drug reads, and the searches to which others lead.
func TestIDs(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	for given, want := range map[string]string{
		"unii:dpt0o3t46p": "UNII:DPT0O3T46P", "DPT0O3T46P": "UNII:DPT0O3T46P", " bla125514 ": "UNII:DPT0O3T46P",
		"NDC:0006-3026": "UNII:DPT0O3T46P",
		"0006-3026-02":  "UNII:DPT0O3T46P", "9333C79B-d487-4538-a9f0-71b91a02b287": "UNII:DPT0O3T46P",
		"Keytruda": `search_drugs with {"query":"Keytruda"}`, "NCT02142738": `search_drugs with {"nct_id":"NCT:02142738"}`,
		"UNII:AAAAAAAAAA": "ENTITY_NOT_FOUND", "BLA999999": "ENTITY_NOT_FOUND", "RXCUI:99999999": "ENTITY_NOT_FOUND",
		"pembrolizumab\"": "UNRESOLVED_ENTITY",
	} {
		answer, err := s.GetDrug(t.Context(), tools.GetDrugArgs{DrugID: given})
		got := answer.Value.ID
		if err != nil {
			e := entity.AsError(err)
			got = string(e.Code) + " " + e.Hint
		}
		expect.That(t, got == want || err != nil && strings.Contains(got, want), "%q: %s, want %s", given, got, want)
	}
}

// TestSections: the names by which people ask for sections of a label, and the call to which other words lead.
func TestSections(t *testing.T) {
	t.Parallel()
	s, w := open(t)
	for given, want := range map[string]string{
		"adverse reactions": "adverse_reactions", "Boxed-Warning": "", "indications_and_usage_table": "indications_and_usage",
		"warnings,indications": "warnings_and_cautions", "side_effects": "adverse_reactions",
		"interactions": "", "label": "", "": "indications_and_usage",
	} {
		w.statuses = nil
		answer, err := s.GetDrug(t.Context(), tools.GetDrugArgs{DrugID: "BLA125514", Sections: []string{given}})
		if err != nil {
			e := entity.AsError(err)
			expect.That(t, e.Code == entity.InvalidInput && strings.Contains(e.Hint, `get_drug `) && want == "", "%q: %v", given, e)
			continue
		}
		expect.That(t, answer.Value.Label.Text[want] != "" && len(w.statuses) <= 4, "%q: %v after %d requests", given,
			answer.Value.Label.Text, len(w.statuses))
	}
}
