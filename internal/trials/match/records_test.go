package match_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/criteria"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/trials/match"
)

// allFacts are facts that do not contradict each other.
var allFacts = strings.Split("age 58; female; not pregnant; not nursing; has type 2 diabetes; has heart failure; has atrial fibrillation; "+
	"has breast cancer; without asthma; without stroke; without hepatitis B; without HIV; value HbA1c 8.1 %; value BMI 31; value eGFR 62; "+
	"value blood pressure 150/85 mmHg; value LVEF 55 %; value hemoglobin 9.8 g/dL; value platelets 120 x 10^9/L; value ANC 1.2 x 10^9/L; "+
	"value AST 1.2 x ULN; value ALT 4 x ULN; value ECOG 1; value NYHA II; value QTc 460 ms; value bilirubin 1 mg/dL; gene HER2 negative; "+
	"had chemotherapy 6 weeks ago; had insulin; lines 2", "; ")

// eligibilities returns the statements of all records about participants.
func eligibilities(t testing.TB) (all []mapping.Eligibility) {
	files := expect.Trials("studies", "results", "more")
	for _, path := range files.Paths {
		for i, line := range expect.Lines(t, path) {
			if files.Real && !expect.All() && i%8 > 0 { // a sample
				continue
			}
			var study ctgov.Study
			expect.NoError(t, json.Unmarshal(line, &study))
			all = append(all, mapping.EligibilityOf(&study))
		}
	}
	return all
}

// decided maps each line to its verdict.
func decided(p *match.Person, e mapping.Eligibility) map[string]string {
	row, all := p.Compare([]match.Trial{{Criteria: e}}, true).Rows[0], map[string]string{}
	for verdict, lines := range map[string][]entity.MatchLine{"blocks": row.Blocks, "allows": row.Allows, "unknown": row.Unknown} {
		for _, l := range lines {
			all[l.List+l.Field+"\n"+l.Under+"\n"+l.Text] = verdict
		}
	}
	return all
}

// TestNoVerdictWithoutItsLine: in every record each line stands verbatim in the text, or its field and value in the record; a decided line
// has a fact of the person, and the words of the line that were compared. Of several trials, a cut line is a beginning of the text.
func TestNoVerdictWithoutItsLine(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	all := eligibilities(t)
	checkLines(t, all, allFacts)
	ofAnySex := slices.DeleteFunc(slices.Clone(allFacts), func(fact string) bool { return fact == "female" || fact == "not pregnant" })
	checkLines(t, all, ofAnySex)
}

// checkLines compares the records with a person of some facts.
func checkLines(t *testing.T, all []mapping.Eligibility, given []string) {
	t.Helper()
	p := person(t, strings.Join(given, "; "))
	facts := p.Facts()
	counted := map[string]int{}
	for _, e := range all {
		fields := map[string]string{"minimum_age": e.MinimumAge, "maximum_age": e.MaximumAge, "sex": e.Sex}
		one := match.Trial{Criteria: e}
		rows := append(p.Compare([]match.Trial{one}, true).Rows, p.Compare([]match.Trial{one, one}, false).Rows[0])
		for _, row := range rows {
			for verdict, lines := range map[string][]entity.MatchLine{"blocks": row.Blocks, "allows": row.Allows, "unknown": row.Unknown} {
				counted[verdict] += len(lines)
				for _, l := range lines {
					verbatim := strings.Contains(e.Text, strings.TrimSuffix(l.Text, "…"))
					verbatim = verbatim && strings.Contains(e.Text, strings.TrimSuffix(l.Under, "…"))
					expect.That(t, l.Field != "" && fields[l.Field] == l.Text || l.Field == "" && verbatim, "%+v", l)
					expect.That(t, (l.Person != "") == (verdict != "unknown"), "%s: %+v", verdict, l)
					expect.That(t, l.Person == "" || slices.Contains(facts, l.Person), "%s: %+v", verdict, l)
					expect.That(t, strings.Contains(e.Text, l.Limit), "%+v", l)
				}
			}
		}
		expect.Is(t, rows[0].Counts, rows[1].Counts, "%.40q", e.Text)
		lines := len(criteria.Lines(e.Text))
		shown := rows[0].Counts.Allows + rows[0].Counts.Blocks + rows[0].Counts.Unknown
		expect.That(t, shown >= lines && shown <= lines+3, "%d lines of %d", shown, lines)
	}
	t.Log(counted)
}

// TestMoreFactsDecideMore: a line that some facts decide is decided in the same way by more facts.
func TestMoreFactsDecideMore(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, e := range eligibilities(t) {
		facts := slices.Clone(allFacts)
		random.Shuffle(len(facts), func(i, j int) { facts[i], facts[j] = facts[j], facts[i] })
		n := 1 + random.IntN(len(facts)-1)
		few, more := decided(person(t, strings.Join(facts[:n], "; ")), e), decided(person(t, strings.Join(facts, "; ")), e)
		for line, verdict := range few {
			expect.That(t, verdict == "unknown" || more[line] == verdict, "%s with %q, %s with more: %s", verdict, facts[:n], more[line],
				line)
		}
	}
}

// TestOtherList: a line in the other list has the opposite verdict. Lists without a connector read commas by the list, and may differ.
func TestOtherList(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	p := person(t, strings.Join(allFacts, "; "))
	turned, same, lines := 0, 0, 0
	for _, e := range eligibilities(t) {
		for _, line := range criteria.Lines(e.Text) {
			several := strings.Contains(line.Text, "\n") || strings.HasPrefix(line.Text, "* ")
			if several || line.Role != criteria.Decides || line.List == criteria.Unclear {
				continue
			}
			one, other := verdictOf(p, "inclusion", "* "+line.Text), verdictOf(p, "exclusion", "* "+line.Text)
			if line.List == criteria.Exclusion {
				one, other = other, one
			}
			switch opposite := map[string]string{"blocks": "allows", "allows": "blocks"}[one]; {
			case opposite == "" || other == "no line":
				continue
			case other == opposite:
				turned++
			case other == one && !strings.ContainsAny(line.Text, ",;"):
				same++
				t.Logf("%s in both lists: %s", one, line.Text)
			}
			lines++
		}
	}
	t.Logf("%d of %d turn, %d stay", turned, lines, same)
	expect.That(t, turned*100 >= lines*75 && same == 0, "%d of %d turn, %d stay", turned, lines, same)
}

// TestAlternatives: alternatives that exclude each other block no person.
func TestAlternatives(t *testing.T) {
	t.Parallel()
	for _, parent := range []string{"One of the following:", "Any of:", "Either", "At least one of the following criteria:", "Risk factors are:"} {
		if parent == "Either" {
			parent += ":"
		}
		lines := parent + "\n  * Age < 40 years\n  * Age ≥ 40 years\n\n"
		e := mapping.Eligibility{Text: "Inclusion Criteria:\n\n* " + lines + "Exclusion Criteria:\n\n* Quokka"}
		for _, facts := range []string{"age 30", "age 70"} {
			verdicts := slices.Sorted(maps.Values(decided(person(t, facts), e)))
			expect.Equal(t, parent, []string{"allows", "unknown", "unknown"}, verdicts)
		}
	}
}

// FuzzVerdicts: any text has verdicts, and each decided line has a fact.
func FuzzVerdicts(f *testing.F) {
	p, err := match.Read(given(strings.Join(allFacts, "; ")))
	expect.NoError(f, err)
	f.Add("Inclusion Criteria:\n* 1. Age: > 18 and < 12 years, male/female (ECOG 0, or NYHA)\nExclusion Criteria:\n* ) no: other than, with\n  - if\n")
	f.Add("Exclusion Criteria:\n1) with any of:\n * i. Asthma (or) / COPD, which for 3 weeks; that would .\nInclusion Criteria:\n* any: x\n")
	f.Fuzz(func(t *testing.T, text string) {
		for line, verdict := range decided(p, mapping.Eligibility{Text: text}) {
			if line == "" || verdict == "" {
				t.Fatalf("%q: %q", line, verdict)
			}
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	p, err := match.Read(given(strings.Join(allFacts, "; ")))
	expect.NoError(b, err)
	var trials []match.Trial
	for _, e := range eligibilities(b)[:100] {
		trials = append(trials, match.Trial{Criteria: e})
	}
	for b.Loop() {
		p.Compare(trials, false)
	}
}
