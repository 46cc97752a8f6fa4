package drugs_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	api "github.com/biofact-mcp/biofact/gen/openfda"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/drugs"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/drugs"
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

// reported opens made reports: terms with ^, spellings, and enough of them for ratios.
func reported(t *testing.T) *drugs.Drugs {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "openfda")
	expect.NoError(t, os.Mkdir(dir, 0o700))
	var lines strings.Builder
	number := 90000000
	for _, group := range []struct {
		drug, reactions string
		reports         int
	}{
		{"NDA999991", "Crohn^s disease", 6}, {"NDA999991", "Oedema peripheral,Nausea", 4}, {"NDA999991", "Nausea", 10},
		{"NDA999991", "Crohn^s disease aggravated", 2}, {"NDA999992", "Crohn^s disease", 5}, {"NDA999992", "Nausea", 25},
		{"NDA999992", "Tumour haemorrhage", 7},
	} {
		for range group.reports {
			number++
			var reactions []map[string]string
			for term := range strings.SplitSeq(group.reactions, ",") {
				reactions = append(reactions, map[string]string{"reactionmeddrapt": term})
			}
			text, err := json.Marshal(map[string]any{"safetyreportid": strconv.Itoa(number), "receivedate": "20200101", "serious": "1",
				"patient": map[string]any{"reaction": reactions, "patientsex": "2",
					"drug": []any{map[string]any{"openfda": map[string]any{"application_number": []string{group.drug}}}}}})
			expect.NoError(t, err)
			lines.Write(append(text, '\n'))
		}
	}
	expect.NoError(t, os.WriteFile(filepath.Join(dir, "event.jsonl"), []byte(lines.String()), 0o600))
	records, err := sandbox.Open(t.Context(), filepath.Dir(dir))
	expect.NoError(t, err)
	return drugs.New(sourcetest.All(t, &watched{Sandbox: records}), 400_000)
}

// TestReactions: each term of a list, put back as the reaction, has its number beside it, also with other signs, in another order and in
// American spelling.
func TestReactions(t *testing.T) {
	t.Parallel()
	s := reported(t)
	count := func(drug, reaction string) entity.DrugEventCounts {
		answer, err := s.CountDrugEvents(t.Context(), tools.CountDrugEventsArgs{DrugID: drug, Reaction: reaction, By: "reaction", Top: 50})
		expect.NoErrorf(t, err, "%s", reaction)
		for _, notice := range answer.Notices {
			expect.That(t, !strings.Contains(notice, "Did you mean "+strings.ToUpper(reaction)), "%s repeats the call", notice)
		}
		return answer.Value
	}
	for _, drug := range []string{"NDA999991", "NDA999992", ""} {
		all := count(drug, "")
		expect.That(t, len(all.Groups) > 2, "%s: %v", drug, all.Groups)
		for _, g := range all.Groups {
			written := []string{g.Value, strings.ToLower(g.Value)}
			for _, sign := range []string{"'", "’", ""} {
				written = append(written, strings.ReplaceAll(g.Value, "^", sign))
			}
			for _, reaction := range written {
				found := count(drug, reaction)
				expect.That(t, found.TotalReports == g.Count && found.Reaction == g.Value, "%s %q: %d, want %d", drug, reaction,
					found.TotalReports, g.Count)
			}
		}
	}
	expect.Is(t, count("NDA999991", "peripheral edema").TotalReports, 4, "another order and spelling")
	expect.Is(t, count("NDA999992", "tumor hemorrhage").TotalReports, 7, "American spelling")

	table := count("NDA999991", "Nausea").Disproportionality
	expect.Must(t, table != nil && table.PRRComputed != nil, "no ratios: %v", table)
	expect.Is(t, [4]int{table.Both, table.DrugOnly, table.ReactionOnly, table.Neither}, [4]int{14, 8, 25, 12}, "reports")
	expect.Is(t, fmt.Sprint(*table.PRRComputed, *table.RORComputed, *table.RORLowComputed, *table.RORHighComputed), "0.94 0.84 0.28 2.54",
		"ratios")
	table = count("NDA999991", "oedema peripheral").Disproportionality
	expect.That(t, table != nil && table.Both == 4 && table.ReactionOnly == 0 && table.PRRComputed == nil,
		"a cell without reports: %v", table)
}

// TestPackages: each package of the real records, in four writings, leads to its product.
func TestPackages(t *testing.T) {
	t.Parallel()
	packages := 0
	for _, line := range expect.Lines(t, expect.Corpus(t, "openfda/records/ndc.jsonl.gz", "the packages of listed products")) {
		var p api.Product
		expect.NoError(t, json.Unmarshal(line, &p))
		for _, k := range p.Packaging {
			parts := strings.Split(k.PackageNdc, "-")
			padded := fmt.Sprintf("%05s-%04s-%02s", parts[0], parts[1], parts[2])
			padded = strings.ReplaceAll(padded, " ", "0")
			for _, written := range []string{k.PackageNdc, padded, strings.ReplaceAll(padded, "-", ""), strings.Join(parts, " "),
				strings.Join(parts, "")} {
				products, codes := mapping.Codes(written)
				expect.That(t, slices.Contains(products, p.ProductNdc) || slices.Contains(codes, k.PackageNdc), "%q: %v, want %s", written,
					products, p.ProductNdc)
				expect.Is(t, len(mapping.OfPackage([]api.Product{p}, written)), 1, "the package %q", written)
				packages++
			}
		}
	}
	expect.That(t, packages > 100, "%d writings", packages)
}

// TestNames: words for a form, a route or a type beside a name are left out where the whole name finds nothing.
func TestNames(t *testing.T) {
	t.Parallel()
	s, w := open(t)
	for name, want := range map[string]string{
		"Pembrolizumab IV": "PEMBROLIZUMAB", "Biological: Pembrolizumab": "PEMBROLIZUMAB", "pembrolizumab injection 200 mg": "PEMBROLIZUMAB",
		"Keytruda infusion": "PEMBROLIZUMAB", "Oral zzqx": "",
	} {
		w.statuses = nil
		answer, err := s.SearchDrugs(t.Context(), tools.SearchDrugsArgs{Query: name, PageSize: 10})
		expect.NoError(t, err)
		got := ""
		if len(answer.Value.Items) > 0 {
			got = answer.Value.Items[0].Name
		}
		expect.That(t, got == want && len(w.statuses) <= 4 && len(answer.Notices) > 0, "%q: %q after %d requests, %v", name, got,
			len(w.statuses), answer.Notices)
	}
}
