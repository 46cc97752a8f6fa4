package trials

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

// A rawTrial is a record as it is in the file. Its methods are independent of the sandbox and of the expressions that are sent.
type rawTrial struct{ fields map[string]any }

func (r rawTrial) all(path string) (found []any) {
	nodes := []any{r.fields}
	for _, step := range strings.Split(path, ".") {
		var next []any
		for _, node := range nodes {
			object, _ := node.(map[string]any)
			switch value := object[step].(type) {
			case nil:
			case []any:
				next = append(next, value...)
			default:
				next = append(next, value)
			}
		}
		nodes = next
	}
	return nodes
}

func (r rawTrial) text(path string) string {
	if found := r.all("protocolSection." + path); len(found) > 0 {
		text, _ := found[0].(string)
		return text
	}
	return ""
}

// days returns an age in days, or otherwise for a record without the age.
func days(text string, otherwise float64) float64 {
	number, unit, ok := strings.Cut(text, " ")
	if !ok {
		return otherwise
	}
	n, _ := strconv.ParseFloat(number, 64)
	return n * map[byte]float64{'Y': 365.25, 'M': 30.4375, 'W': 7, 'D': 1, 'H': 1.0 / 24}[unit[0]]
}

// TestFiltersOnCorpus compares every filter with an evaluation of the raw records.
func TestFiltersOnCorpus(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	source, records := realTrials(t)
	s := serve(t, nil, sourcetest.RegistryURL, sourcetest.Policy(source))
	filters := map[string]struct {
		args  tools.TrialFilters
		holds func(rawTrial) bool
	}{}
	add := func(name string, args tools.TrialFilters, holds func(rawTrial) bool) {
		filters[name] = struct {
			args  tools.TrialFilters
			holds func(rawTrial) bool
		}{args, holds}
	}
	for age, inDays := range map[string]float64{"0": 0, "6 months": 182.625, "17": 17 * 365.25, "18": 18 * 365.25, "64": 64 * 365.25,
		"80": 80 * 365.25} {
		add("age "+age, tools.TrialFilters{Age: age}, func(r rawTrial) bool {
			return days(r.text("eligibilityModule.minimumAge"), 0) <= inDays+1e-6 &&
				days(r.text("eligibilityModule.maximumAge"), 1e6) >= inDays-1e-6
		})
	}
	for _, sex := range []string{"female", "male"} {
		add(sex, tools.TrialFilters{Sex: sex}, func(r rawTrial) bool {
			admits := r.text("eligibilityModule.sex")
			return admits == "ALL" || strings.EqualFold(admits, sex)
		})
	}
	for _, truth := range []bool{true, false} {
		name := strconv.FormatBool(truth)
		add("healthy "+name, tools.TrialFilters{HealthyVolunteers: &truth}, func(r rawTrial) bool {
			return slices.Contains(r.all("protocolSection.eligibilityModule.healthyVolunteers"), any(truth))
		})
		add("results "+name, tools.TrialFilters{HasResults: &truth},
			func(r rawTrial) bool { return slices.Contains(r.all("hasResults"), any(truth)) })
	}
	dates := map[string][2]string{
		"2022": {"2022-01-01", "2022-12-31"}, "2022-03": {"2022-03-01", "2022-03-31"},
		"2021-12-31..2022-01-01": {"2021-12-31", "2022-01-01"}, "since 2024-02-29": {"2024-02-29", "9999"},
		"until 2010-12": {"0000", "2010-12-31"}, "2022-12..2023-02": {"2022-12-01", "2023-02-28"},
	}
	for given, ends := range dates {
		within := func(path string) func(rawTrial) bool {
			return func(r rawTrial) bool {
				date := r.text("statusModule." + path + ".date")
				first := date + "-01-01"[max(0, min(len(date)-4, 6)):] // a date without day or month is its first day
				return date != "" && ends[0] <= first && first <= ends[1]
			}
		}
		add("start "+given, tools.TrialFilters{StartDate: given}, within("startDateStruct"))
		add("primary completion "+given, tools.TrialFilters{PrimaryCompletionDate: given}, within("primaryCompletionDateStruct"))
		add("completion "+given, tools.TrialFilters{CompletionDate: given}, within("completionDateStruct"))
		add("first posted "+given, tools.TrialFilters{FirstPosted: given}, within("studyFirstPostDateStruct"))
		add("results posted "+given, tools.TrialFilters{ResultsPosted: given}, within("resultsFirstPostDateStruct"))
		add("updated "+given, tools.TrialFilters{LastUpdated: given}, within("lastUpdatePostDateStruct"))
	}
	for given, ends := range map[string][2]float64{"100..500": {100, 500}, "0": {0, 0}, ">=1000": {1000, 99_999_998},
		"<=49": {0, 49}} {
		add("enrollment "+given, tools.TrialFilters{Enrollment: given}, func(r rawTrial) bool {
			counts := r.all("protocolSection.designModule.enrollmentInfo.count")
			return len(counts) > 0 && counts[0].(float64) >= ends[0] && counts[0].(float64) <= ends[1]
		})
	}
	for _, class := range []string{"INDUSTRY", "NIH", "OTHER"} {
		add("class "+class, tools.TrialFilters{SponsorClass: []string{class}}, func(r rawTrial) bool {
			return r.text("sponsorCollaboratorsModule.leadSponsor.class") == class
		})
	}
	for _, name := range []string{"Pfizer", "Assiut University", "merck sharp & dohme llc", "National Cancer Institute (NCI)",
		"National Cancer Institute"} {
		isLead := func(r rawTrial) bool {
			return strings.EqualFold(r.text("sponsorCollaboratorsModule.leadSponsor.name"), name)
		}
		add("lead sponsor exactly "+name, tools.TrialFilters{LeadSponsor: []string{`"` + name + `"`}}, isLead)
		add("lead sponsor exactly "+name+" or words", tools.TrialFilters{LeadSponsor: []string{`"` + name + `"`, "mayo clinic"}},
			func(r rawTrial) bool {
				return isLead(r) || strings.Contains(strings.ToLower(r.text("sponsorCollaboratorsModule.leadSponsor.name")), "mayo clinic")
			})
	}
	add("two lead sponsors exactly", tools.TrialFilters{LeadSponsor: []string{`"Pfizer", "Novartis Pharmaceuticals"`}},
		func(r rawTrial) bool {
			name := r.text("sponsorCollaboratorsModule.leadSponsor.name")
			return name == "Pfizer" || name == "Novartis Pharmaceuticals"
		})
	add("two types", tools.TrialFilters{InterventionType: []string{"DEVICE", "DIAGNOSTIC_TEST"}}, func(r rawTrial) bool {
		types := r.all("protocolSection.armsInterventionsModule.interventions.type")
		return slices.Contains(types, any("DEVICE")) || slices.Contains(types, any("DIAGNOSTIC_TEST"))
	})
	for document, field := range map[string]string{"protocol": "hasProtocol", "sap": "hasSap", "icf": "hasIcf"} {
		add(document, tools.TrialFilters{Documents: []string{document}}, func(r rawTrial) bool {
			return slices.Contains(r.all("documentSection.largeDocumentModule.largeDocs."+field), any(true))
		})
	}
	sites := func(r rawTrial, holds func(site rawTrial) bool) bool {
		return slices.ContainsFunc(r.all("protocolSection.contactsLocationsModule.locations"), func(site any) bool {
			return holds(rawTrial{map[string]any{"protocolSection": site}})
		})
	}
	// The sites of a trial whose status is UNKNOWN have their last known status.
	open := func(r rawTrial) bool { return r.text("statusModule.overallStatus") == "RECRUITING" }
	for given, name := range map[string]string{"France": "France", "USA": "United States", "Georgia": "Georgia",
		"south korea": "South Korea|Korea, Republic of"} {
		in := func(site rawTrial) bool { return slices.Contains(strings.Split(name, "|"), site.text("country")) }
		add("country "+given, tools.TrialFilters{Country: []string{given}}, func(r rawTrial) bool { return sites(r, in) })
		add("recruiting in "+given, tools.TrialFilters{Country: []string{given}, RecruitingSite: true}, func(r rawTrial) bool {
			return open(r) && sites(r, func(site rawTrial) bool { return in(site) && site.text("status") == "RECRUITING" })
		})
	}
	add("recruiting in Boston", tools.TrialFilters{Location: "Boston, MA", RecruitingSite: true}, func(r rawTrial) bool {
		return open(r) && sites(r, func(site rawTrial) bool {
			return site.text("city") == "Boston" && site.text("state") == "Massachusetts" && site.text("status") == "RECRUITING"
		})
	})
	words := func(pattern string, values []any) bool {
		return slices.ContainsFunc(values,
			func(v any) bool { return regexp.MustCompile(`(?i)\b` + pattern + `\b`).MatchString(v.(string)) })
	}
	add("criteria", tools.TrialFilters{Criteria: "EGFR"}, func(r rawTrial) bool {
		return words("EGFR", r.all("protocolSection.eligibilityModule.eligibilityCriteria"))
	})
	add("keyword", tools.TrialFilters{Keyword: "immunotherapy"}, func(r rawTrial) bool {
		return words("immunotherapy", r.all("protocolSection.conditionsModule.keywords"))
	})
	for name, f := range filters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := map[string]bool{}
			for _, r := range records {
				if f.holds(r) {
					want["NCT:"+strings.TrimPrefix(r.text("identificationModule.nctId"), "NCT")] = true
				}
			}
			answer, err := s.SearchTrials(t.Context(), tools.SearchTrialsArgs{TrialFilters: f.args, PageSize: 200})
			expect.NoError(t, err)
			expect.Is(t, *answer.Value.Pagination.TotalCount, len(want), "trials")
			expect.Is(t, len(answer.Value.Items), min(200, len(want)), "candidates")
			for _, c := range answer.Value.Items {
				expect.That(t, want[c.ID], "%s does not match", c.ID)
			}
		})
	}
}

// corpus has the trials of realTrials.
var corpus struct {
	sync.Once
	source  http.RoundTripper
	records []rawTrial
}

// realTrials returns the real trials, or the embedded ones, as a source and as records. They are read once for all tests: each copy takes
// half a gigabyte.
func realTrials(t *testing.T) (http.RoundTripper, []rawTrial) {
	t.Helper()
	corpus.Do(func() {
		folder := expect.Trials("*").Folder(t)
		corpus.source, corpus.records = placeRecords(t, folder), rawTrials(t, folder)
	})
	return corpus.source, corpus.records
}

// rawTrials reads every record of a folder.
func rawTrials(t *testing.T, folder string) (records []rawTrial) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl.gz"))
	expect.NoError(t, err)
	for _, name := range files {
		file, err := os.Open(name)
		expect.NoError(t, err)
		defer func() { _ = file.Close() }()
		text, err := gzip.NewReader(file)
		expect.NoError(t, err)
		for lines := bufio.NewReader(text); ; {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				break
			}
			var r rawTrial
			expect.NoError(t, json.Unmarshal(line, &r.fields))
			records = append(records, r)
		}
	}
	return records
}
