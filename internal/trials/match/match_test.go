package match_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/criteria"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/trials/match"
)

// person reads facts in a short form: age 58; female; has A; without B; value C; gene D; had E; lines 2; pregnant; not pregnant; all.
func person(t testing.TB, facts string) *match.Person {
	t.Helper()
	p, err := match.Read(given(facts))
	expect.NoError(t, err)
	return p
}

func given(facts string) (args tools.MatchTrialsArgs) {
	lists := map[string]*[]string{"has": &args.Conditions, "without": &args.Without, "value": &args.Measurements, "gene": &args.Biomarkers,
		"had": &args.Treatments}
	states := map[string]**bool{"pregnant": &args.Pregnant, "nursing": &args.BreastFeeding, "healthy": &args.Healthy, "all": &args.AllLines}
	for fact := range strings.SplitSeq(facts, "; ") {
		kind, text, _ := strings.Cut(fact, " ")
		switch {
		case lists[kind] != nil:
			*lists[kind] = append(*lists[kind], text)
		case states[kind] != nil:
			*states[kind] = new(true)
		case kind == "not":
			*states[text] = new(false)
		case kind == "age":
			args.Age = text
		case kind == "lines":
			args.PriorLines = text
		default:
			args.Sex = kind
		}
	}
	return args
}

// beside puts a person beside the lines of a list, and returns the row and the notices.
func beside(p *match.Person, list, lines string) (entity.TrialMatch, []string) {
	c := p.Compare([]match.Trial{{Criteria: mapping.Eligibility{Text: list + " Criteria:\n\n* " + lines}}}, true)
	return c.Rows[0], slices.Concat(p.PersonNotices(), c.Notices())
}

// TestLines: the facts that a line touches, and the arithmetic on its numbers.
func TestLines(t *testing.T) {
	t.Parallel()
	for line := range strings.Lines(cases) {
		parts := strings.Split(strings.TrimSpace(line), " | ")
		if len(parts) != 3 {
			continue
		}
		row, _ := beside(person(t, parts[0]), "Inclusion", strings.ReplaceAll(parts[1], `\n`, "\n"))
		var got []string
		for _, l := range row.Lines {
			var parts []string
			for _, fact := range l.Facts {
				argument, _, _ := strings.Cut(fact, ":")
				parts = append(parts, argument)
			}
			for _, c := range l.Comparisons {
				parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s [%s] %v %s", c.Measure, c.Limit, c.Within, c.As)))
			}
			got = append(got, strings.TrimSpace(fmt.Sprintf("%d: %s", l.No, strings.Join(parts, ", "))))
		}
		expect.Is(t, strings.Join(got, "; "), strings.TrimSpace(parts[2]), "%s", line)
	}
}

const cases = `
has breast cancer | Cancer of the breast | 1: conditions
has breast cancer | A lung tumour | 
has acute disease | An acute phase | 
has acute disease | Acute lung disease | 1: conditions
without stroke | Strokes in the last year | 1: without
has anaemia; has tumours | Tumor with anemia | 1: conditions, conditions
gene PD-L1 positive | Expression of PDL1 | 1: biomarkers
gene PDL1 | A PD-L1 test | 1: biomarkers
gene 1p/19q codeletion | 1p19q intact | 1: biomarkers
gene HER2 negative | HER2 positive | 1: biomarkers
has hepatitis B | Vitamin B | 
has lymphoma (ALL) | All who row | 
has lymphoma (ALL) | ALL or gout | 1: conditions
had osimertinib 6 weeks ago | In the last 6 weeks: osimertinib | 1: treatments
had insulin | A pump | 
not pregnant | Women of childbearing potential | 1: pregnant
not pregnant | Child-bearing age | 1: pregnant
nursing | Lactating | 1: breast_feeding
female; healthy | Healthy women | 
age 58 | Aged 21 to 64 | 1: age, age [21 to 64] true
age 58 | Sibling donor aged 18 to 40 | 1: age, age [18 to 40] false
age 64 | Age < 64 or ≤ 64 | 1: age, age [< 64] false, age [≤ 64] true
age 1 | Older than 18 months | 1: age
age 6 months | 5 to 12 months of age | 1: age, age [5 to 12 months] true
lines 2 | At least 3 prior lines of therapy | 1: prior_lines, prior_lines [At least 3] false
value hemoglobin 9.8 g/dL | Hemoglobin ≥ 95 g/L | 1: measurements, hemoglobin [≥ 95 g/L] true 98 g/l
value hemoglobin 9.8 | Hemoglobin ≥ 9 g/dL | 1: measurements
value hemoglobin 9.8 g/dL | Normal hemoglobin | 1: measurements
value AST 40 U/L | AST ≤ 3 x ULN | 1: measurements
value AST 1.2 x ULN | Transaminases ≤ 3 x ULN | 
value blood pressure 150/85 mmHg | BP < 145/90 mmHg | 1: measurements, systolic_bp [< 145/90 mmHg] false, diastolic_bp [< 145/90 mmHg] true
value NYHA class III | NYHA II thru IV | 1: measurements, nyha_class [II thru IV] true
value NYHA 3 | NYHA class I or II | 1: measurements, nyha_class [I or II] false
value ECOG 1 | ECOG ≤ 2 | 1: measurements, ecog [≤ 2] true
value Child-Pugh B | Child-Pugh A | 1: measurements, child_pugh [A] false
value eGFR > 60 | eGFR ≥ 45 mL/min | 1: measurements, egfr [≥ 45 mL/min] true
value eGFR > 60 | eGFR ≥ 75 mL/min | 1: measurements
value HIV RNA < 50 copies/mL | HIV RNA ≥ 200 copies/mL | 1: measurements, viral_load [≥ 200 copies/mL] false
value HbA1c 65 mmol/mol | HbA1c < 8.2 % | 1: measurements, hba1c [< 8.2 %] true 8.098 %
value NT-proBNP 400 pg/mL | NT-proBNP > 300 pg/mL | 1: measurements, NT-proBNP [> 300 pg/mL] true
value viral load undetectable | Viral load < 50 copies/mL | 1: measurements
value HbA1c 8.1 %,ECOG 1, hemoglobin 9,8 g/dL | ECOG 0,1 | 1: measurements, ecog [0,1] true
value TSH 2.1 mIU/L | TSH 0.4 to 4 µIU/mL | 1: measurements, tsh [0.4 to 4 µIU/mL] true
value ECOG 1; value ECOG 2 | ECOG 2 | 1: measurements, measurements, ecog [2] false, ecog [2] true
has gout | Gout or\n* A cold\n* Hay fever | 1: conditions; 2:
has gout | A cold\n* OR\n* Gout\n* Hay fever | 1:; 2:; 3: conditions
has gout | A cold\n* and gout | 1:; 2: conditions
`

// TestUnread: a fact that cannot be read is named, and refuses nothing.
func TestUnread(t *testing.T) {
	t.Parallel()
	for facts, want := range map[string]string{
		"value platelets 210":                    `"platelets 210" has no unit: not compared; such as platelets 210 x 10^9/L.`,
		"value viral load undetectable":          `"viral load undetectable" has no number: not compared.`,
		"value FLT3-ITD":                         `"FLT3-ITD" has no number: not compared.`,
		"age sixty-ish":                          `age "sixty-ish" was not read.`,
		"lines many":                             `prior_lines "many" was not read.`,
		"male; pregnant":                         `sex male and pregnant true were both given.`,
		"has Gout; without gout":                 `"gout" is in conditions and in without.`,
		"value TSH 2.1 mIU/L":                    "",
		"value eGFR > 60":                        "",
		"value PD-L1 60 %":                       "",
		"gene MSI-H; gene dMMR; gene APOE4":      "",
		"gene estrogen receptor positive; age 1": "",
	} {
		expect.Is(t, strings.Join(person(t, facts).PersonNotices(), " "), want, "%s", facts)
	}
	_, err := match.Read(tools.MatchTrialsArgs{Condition: "gout"})
	expect.That(t, err != nil, "no fact is refused")
}

// TestGates: a bound of a record is met, not met, or neither.
func TestGates(t *testing.T) {
	t.Parallel()
	for _, c := range [][4]string{
		{"18 Years", "", "18", "met"}, {"18 Years", "", "17", "not met"}, {"18 Months", "", "1", "open"}, {"1 Year", "", "12 months", "met"},
		{"", "75 Years", "75", "met"}, {"", "75 Years", "76", "not met"}, {"", "23 Months", "1", "met"}, {"", "18 Months", "1", "open"},
		{"", "1 Day", "1 days", "met"}, {"", "4 Weeks", "28 days", "met"}, {"", "4 Weeks", "35 days", "not met"}, {"18 Years", "", "", "open"},
	} {
		e := mapping.Eligibility{MinimumAge: c[0], MaximumAge: c[1]}
		p, err := match.Read(tools.MatchTrialsArgs{Age: c[2], Sex: "male"})
		expect.NoError(t, err)
		gate := p.Compare([]match.Trial{{Criteria: e}}, true).Rows[0].Gates[0]
		got := "open"
		if gate.Met != nil {
			got = map[bool]string{true: "met", false: "not met"}[*gate.Met]
		}
		expect.Is(t, got, c[3], "%v", c)
		expect.Is(t, p.Admits(&e), c[3] != "not met", "%v", c)
	}
	accepts := mapping.Eligibility{Sex: "ALL", HealthyVolunteers: new(true)}
	compared := person(t, "healthy").Compare([]match.Trial{{Criteria: accepts}}, true)
	expect.Is(t, len(compared.Rows[0].Gates), 0, "gates of fields that admit everyone")
}

// TestOpenLines: the comparisons of lines that were once read wrongly are those that arithmetic can make, with the limit as written.
func TestOpenLines(t *testing.T) {
	t.Parallel()
	type comparison struct {
		Measure, Limit, Value string
		Within                bool
	}
	found, want, lines, touched := 0, 0, 0, 0
	for _, data := range expect.Lines(t, expect.Corpus(t, "eligibility/lines.jsonl", "lines of the registry beside a person")) {
		var one struct {
			ID, List string
			Lines    []string
			Person   map[string]any
			True     []comparison
		}
		expect.NoError(t, json.Unmarshal(data, &one))
		var args tools.MatchTrialsArgs
		text, err := json.Marshal(one.Person)
		expect.NoError(t, err)
		expect.NoError(t, json.Unmarshal(text, &args))
		p, err := match.Read(args)
		expect.NoError(t, err)
		row, _ := beside(p, strings.ToUpper(one.List[:1])+one.List[1:], strings.Join(one.Lines, "\n* "))
		want, lines, touched = want+len(one.True), lines+row.Counts.Lines, touched+row.Counts.Touched
		for _, l := range row.Lines {
			for _, c := range l.Comparisons {
				right := slices.ContainsFunc(one.True, func(s comparison) bool {
					overlap := strings.Contains(s.Limit, c.Limit) || strings.Contains(c.Limit, s.Limit)
					return s.Measure == c.Measure && s.Value == c.Value && s.Within == c.Within && overlap
				})
				expect.That(t, right, "%s: %q says %+v", one.ID, l.Text, c)
				found++
			}
		}
	}
	t.Logf("| lines once read wrongly | %d comparisons of %d, each as arithmetic has it |", found, want)
	t.Logf("| lines that touch a fact | %d of %d |", touched, lines)
}

// studies returns the statements about participants of the real records.
func studies(t *testing.T) (all []match.Trial) {
	t.Helper()
	if os.Getenv("BIOFACT_EVIDENCE") == "" {
		t.Skip("runs with make evidence alone")
	}
	for _, path := range expect.Trials("studies", "more").Paths {
		for _, record := range expect.Lines(t, path) {
			var study ctgov.Study
			expect.NoError(t, json.Unmarshal(record, &study))
			all = append(all, match.Trial{Criteria: mapping.EligibilityOf(&study)})
		}
	}
	return all
}

// simple matches a limit of one comparator: its number and its unit.
var simple = regexp.MustCompile(`^(≥|≤|>|<) ?([0-9]+(?:\.[0-9]+)?) ?([^0-9]*(?:10\^9)?[^0-9]*)$`)

// TestOpenArithmetic: numbers below, at and above each plain limit of the real records are compared as their words say.
func TestOpenArithmetic(t *testing.T) {
	t.Parallel()
	made := 0
	for _, trial := range studies(t) {
		for _, line := range criteria.Lines(trial.Criteria.Text) {
			for _, l := range line.Limits() {
				words := trial.Criteria.Text[l.Start:l.End]
				parts := simple.FindStringSubmatch(words)
				name := strings.ReplaceAll(l.What, "_", " ")
				if parts == nil || criteria.Measure(name) != l.What || slices.Contains([]string{"age", "life_expectancy"}, l.What) {
					continue
				}
				limit, err := strconv.ParseFloat(parts[2], 64)
				expect.NoError(t, err)
				for _, number := range []float64{limit - 1, limit, limit + 1} {
					if number < 0 || l.What == "lvef" && limit < 1 { // 0.50 is 50 %
						continue
					}
					args := tools.MatchTrialsArgs{Measurements: []string{fmt.Sprintf("%s %v %s", name, number, parts[3])}}
					p, err := match.Read(args)
					expect.NoError(t, err)
					row := p.Compare([]match.Trial{{Criteria: mapping.Eligibility{Text: line.Text}}}, true).Rows[0]
					want := map[string]bool{"≥": number >= limit, "≤": number <= limit, ">": number > limit, "<": number < limit}[parts[1]]
					for _, shown := range row.Lines {
						for _, c := range shown.Comparisons {
							if c.Limit == words && c.Measure == l.What {
								made++
								expect.That(t, c.Within == want, "%q beside %q: %v", args.Measurements[0], words, c.Within)
							}
						}
					}
				}
			}
		}
	}
	t.Logf("| comparisons with independent arithmetic | %d, none differs |", made)
	expect.That(t, made > 1000, "%d comparisons", made)
}

// TestOpenShares prints which share of the lines of the real records touches the conditions of patients.
func TestOpenShares(t *testing.T) {
	t.Parallel()
	trials := studies(t)[:200]
	lines, touched, patients := 0, 0, 0
	for _, data := range expect.Lines(t, expect.Corpus(t, "match/patients.jsonl.gz", "patients beside real records")) {
		var one struct {
			Age     string
			Queries map[string][]string
		}
		expect.NoError(t, json.Unmarshal(data, &one))
		conditions := one.Queries["gpt-4-turbo"]
		if len(conditions) == 0 {
			continue
		}
		patients++
		p, err := match.Read(tools.MatchTrialsArgs{Age: one.Age, Conditions: conditions})
		expect.NoError(t, err)
		for _, row := range p.Compare(trials, false).Rows {
			lines, touched = lines+row.Counts.Lines, touched+row.Counts.Touched
		}
	}
	t.Logf("| lines of %d trials that touch the age or a condition of %d patients | %.1f %% of %d |", len(trials), patients,
		100*float64(touched)/float64(lines), lines)
}
