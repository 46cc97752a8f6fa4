package criteria_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/criteria"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// limitsOf returns the limits of a text of one line.
func limitsOf(text string) []criteria.Limit {
	l := criteria.Line{Text: text}
	return l.Limits()
}

// written writes a limit as the tests expect it.
func written(l criteria.Limit) string {
	parts := []string{l.What}
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+value)
		}
	}
	add("", l.Name)
	for _, end := range []struct {
		value     *float64
		inclusive bool
		sign      string
	}{{l.Low, l.LowInclusive, ">"}, {l.High, l.HighInclusive, "<"}} {
		if end.value != nil {
			parts = append(parts, end.sign+map[bool]string{true: "="}[end.inclusive]+fmt.Sprint(*end.value))
		}
	}
	add("", strings.Join(l.Values, "+"))
	add("", l.Unit)
	return strings.Join(parts, " ")
}

// TestLimits: each form of the grammar, with sentences of our own.
func TestLimits(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"> 175 mmHg in systolic (SBP) or > 95 mmHg in diastolic BP":   "systolic_bp >175 mmhg; diastolic_bp >95 mmhg",
		"SBP < 115 mmHg or MAP < 70 mmHg":                             "systolic_bp <115 mmhg; other MAP <70 mmhg",
		"Sailors of 21 years or older":                                "age >=21 year",
		"Age < -21 years":                                             "",
		"Age: >= -21 years":                                           "age >=21 year",
		"Aged 21 to 64":                                               "age >=21 <=64 year",
		"Age between 3 and <9 years":                                  "age >=3 <9 year",
		"Born at 33 weeks of gestation or later":                      "",
		"Gestational age ≥ 33 weeks":                                  "gestational_age >=33 week",
		"BMI 19 - 33 kg / m2":                                         "bmi >=19 <=33 kg/m2",
		"at least 44 kg in weight":                                    "weight >=44 kg",
		"ECOG 0, 1 or 2":                                              "ecog 0+1+2",
		"Zubrod performance status ≤ 1":                               "ecog <=1",
		"ECOG 0,1":                                                    "ecog 0+1",
		"ECOG of 2 or better; no worse than NYHA II":                  "ecog <=2; nyha_class <=2",
		"Child-Pugh B or worse":                                       "child_pugh B+C",
		"ASA gradeⅠ－Ⅲ":                                                "asa_class I+II+III",
		"MMSE between 12 and 25 / 30":                                 "mmse >=12 <=25",
		"ALT > twice the upper limit of normal":                       "alt >2 uln",
		"Rows at least twice a week":                                  "",
		"Gestational age from 12 weeks to 21 weeks 4 days":            "gestational_age >=12 week; gestational_age <=151 day",
		"Born at 25 0/7 to 30 3/7 weeks of gestation":                 "gestational_age >=175 <=213 day",
		"Gestational age of 25+0 weeks or more":                       "gestational_age >=175 day",
		"Aged ≥ 5 months and < 21 years":                              "age >=5 month; age <21 year",
		"T-score < -1.5":                                              "other T-score <-1.5",
		"Weight-for-height z-score < -3":                              "",
		"Platelets > 90.000/mm3":                                      "platelets >90000 cells/ul",
		"ALT four times above normal":                                 "alt >4 uln",
		"ALT、AST ≤ 2 x ULN":                                           "alt <=2 uln; ast <=2 uln",
		"Gleason score 4+3":                                           "",
		"ALT ≤ 2 x ULN (≤ 4 x ULN for bone metastases)":               "alt <=2 uln; alt <=4 uln",
		"Mean BP > 175 mmHg in systolic pressure or > 96 mmHg in DBP": "systolic_bp >175 mmhg; diastolic_bp >96 mmhg",
		"At least 2 weight-related complications":                     "",
		"Less than 2 months between the last dose and screening":      "window <2 month",
		"A change in body weight of > 4 kg":                           "",
		"GFR < 40 ml/min or any disease of the lung (GOLD ≥ 2)":       "egfr <40 ml/min; other disease of the lung (GOLD >=2",
		"Early diastolic velocity > 12":                               "other Early diastolic velocity >12",
		"NYHA class II, III or ambulatory IV":                         "nyha_class II+III+IV",
		"Age > 21 years, gout > 2 years":                              "age >21 year; duration >2 year",
		"No gout as confirmed by CRP < 6 mg/L":                        "crp <6 mg/l",
		"Chest pain (> 25 minutes)":                                   "duration >25 minute",
		"Rowing during the 3-year follow-up":                          "",
		"BP > 170 mmHg systolic or > 105 mmHg diastolic":              "systolic_bp >170 mmhg; diastolic_bp >105 mmhg",
		"Blood pressure of 145/95 mmHg or higher":                     "systolic_bp >=145 mmhg; diastolic_bp >=95 mmhg",
		"Blood pressure goal < 125/75 mmHg":                           "",
		"Child-Pugh A5-6":                                             "child_pugh 5+6",
		"Child-Pugh A or B7":                                          "child_pugh A+7",
		"Kalemia < 3.2 mM":                                            "potassium <3.2 mmol/l",
		"BMI ≥ 26 kg/m2 with at least 1 disease":                      "bmi >=26 kg/m2",
		"Weight, with at least 2 of the following":                    "",
		"At least 5 weeks must have elapsed since surgery":            "window >=5 week",
		"Surgery within 6 weeks (42 days) of screening":               "window <=6 week",
		"Travel within the next 5 months":                             "window <=5 month",
		"At least 5 weeks of rowing":                                  "duration >=5 week",
		"Surgery within the past year":                                "",
		"≥ 51 years and able to row":                                  "age >=51 year",
		"Lowest age: minimum age: 21 years old":                       "age >=21 year",
		"eGFR25-55 mL/min":                                            "egfr >=25 <=55 ml/min",
		"NYHA class III-IV":                                           "nyha_class III+IV",
		"Child-Pugh B or higher":                                      "child_pugh B+C",
		"ANC ≥ 1.25 x 109/L; platelets > 90,000/mm3":                  "neutrophils >=1.25 10^9/l; platelets >90000 cells/ul",
		"ALT and AST no more than 3 times the upper limit of normal":  "alt <=3 uln; ast <=3 uln",
		"AST ≤ 3 x ULN (≤ 6 x ULN if bone metastases)":                "ast <=3 uln; ast <=6 uln",
		"45 ≤ eGFR < 80 ml/min":                                       "egfr >=45 ml/min; egfr <80 ml/min",
		"LVEF of at least 0.45":                                       "lvef >=45 %",
		"Blood pressure above 155/95 mmHg":                            "systolic_bp >155 mmhg; diastolic_bp >95 mmhg",
		"Hemoglobin decreases by > 2 g/dL":                            "",
		"Type 2 diabetes, CYP3A4, grade 3":                            "",
		"HbA1c greater than or equal to 6,5 % but less than 9 %":      "hba1c >=6.5 <9 %",
		"Surgery within the last 5 months":                            "window <=5 month",
		"Stroke at least three (3) months before screening":           "window >=3 month",
		"Pain for more than 6 weeks":                                  "duration >6 week",
		"Life expectancy of no less than 12 weeks":                    "life_expectancy >=12 week",
		"No creatinine > 2 mg/dL":                                     "creatinine >2 mg/dl",
		"Infection, except CRP < 10 mg/L":                             "crp <10 mg/l",
		"EGFR L858R or exon 19 deletion":                              "",
		"HER2-negative tumour":                                        "",
		"Pregnant or breast-feeding":                                  "",
		"Male or female":                                              "",
		"Leucocytes ³ 2000/mm3":                                       "wbc >=2000 cells/ul",
		"Amenorrhea for at least 12 months":                           "duration >=12 month",
		"LV end-diastolic pressure ≥ 15 mmHg":                         "other LV end-diastolic pressure >=15 mmhg",
		"BP ≥ 150, wedge pressure > 16 mmHg":                          "systolic_bp >=150 mmhg; other wedge pressure >16 mmhg",
		"Oxygen therapy, transferrin saturation < 21 %":               "other transferrin saturation <21 %",
		"FEV1 or FVC < 55 %":                                          "fev1 <55 %; other FVC <55 %",
		"QRS exceeds 130 msec with QTc > 490 msec":                    "other QRS >130 msec; qtc >490 msec",
		"Platelets < 110 G/L":                                         "platelets <110 10^9/l",
		"NYHA III, GOLD > 2":                                          "nyha_class III; other GOLD >2",
		"HbA1c ≥ 6.6 %, or at least one drug":                         "hba1c >=6.6 %",
		"Systolic blood pressure outside the range 85 to 155 mmHg":    "",
		"Disc height < 7 mm":                                          "other Disc height <7 mm",
		"A non-pregnant woman over 22 years":                          "age >22 year",
		"No gout, LVEF > 41 %":                                        "lvef >41 %",
		"No gout with LVEF > 41 %":                                    "lvef >41 %",
		"ECOG performance status equal to 3 or 4":                     "ecog 3+4",
		"Sailors must be 18 (eighteen) years of age or older":         "age >=18 year",
		"Life expectancy of less than a year":                         "life_expectancy <1 year",
		"Anyone, ≥44 YoA":                                             "age >=44 year",
		"Hgb below the lower level of the normal range":               "hemoglobin <1 lln",
		"Platelets < 30 x 10 to the power of 9/L":                     "platelets <30 10^9/l",
		"Heart rate <44 and >111 beats per minute":                    "heart_rate <44 bpm; heart_rate >111 bpm",
		"LVEF > 41 % or shortening fraction ≥ 31 %":                   "lvef >41 %; other shortening fraction >=31 %",
		"Lansky index (by the sailor's age) ≥ 60":                     "lansky >=60",
		"SBP more than 5 mmHg lower than usual":                       "",
		"NYHA class ⅢB":                                               "",
		"Systolic BP > 165 mmHg, dyastolic blood presure > 104 mmHg":  "systolic_bp >165 mmhg; diastolic_bp >104 mmhg",
		"Under the age of majority with at least one parent":          "",
		"Women of 45to-61 years of age who rest for at least 1 year":  "age >=45 <=61 year; duration >=1 year",
		"Weight ≥ 51 kg and BMI 19-31 kg/meter^2":                     "weight >=51 kg; bmi >=19 <=31 kg/m2",
		"HBV DNA > 1900 copies/mL":                                    "other HBV DNA >1900 copies/ml",
		"NYHA class ⅢB-IV, INTERMACS class 2-5":                       "",
		"Able to row":                                                 "",
	} {
		var got []string
		for _, l := range limitsOf(line) {
			got = append(got, written(l))
			expect.That(t, l.Start >= 0 && l.Start < l.End && l.End <= len(line), "%q: limit from %d to %d", line, l.Start, l.End)
		}
		expect.Is(t, strings.Join(got, "; "), want, "%q", line)
	}
}

// TestLines: a line has its list, its number in it, and the line that it belongs to.
func TestLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Inclusion Criteria:\n\n* Hay fever\n* Adequate health, with:\n\n  * LEGS:\n\n    * Two\n* Swims\n  in the sea\n\n" +
			"For women only:\n\n* A hat\n\nExclusion Criteria:\n\n* Gout": "inclusion 1 Hay fever|inclusion 2 Adequate health, with:|" +
			"inclusion 3 LEGS: < Adequate health, with:|inclusion 4 Two < LEGS:|inclusion 5 Swims\n  in the sea|" +
			"inclusion 6 For women only:|inclusion 7 A hat < For women only:|exclusion 1 Gout",
		"Sailors\nwho row":                              "unclear 1 Sailors\nwho row",
		"Inclusion Criteria:\n\nSailors\n\nRowers":      "inclusion 1 Sailors|inclusion 2 Rowers",
		"Exclusion criteria\n1. Gout\n2) Hay fever":     "exclusion 1 Gout|exclusion 2 Hay fever",
		"INCLUSION: 1. Sails; EXCLUSION CRITERIA: Gout": "inclusion 1 Sails;|exclusion 1 Gout",
		"Notes\n\nKey Inclusion Criteria for sailors:\n-Rows": "unclear 1 Notes|" +
			"inclusion 1 Key Inclusion Criteria for sailors:|inclusion 2 -Rows",
		"Inclusion Criteria:\n* Rows\n\nWithdrawal criteria:\n* Is seasick": "inclusion 1 Rows|unclear 1 Is seasick",
		"Inclusion Criteria:\n* Does not meet any exclusion criteria\n* Meets the inclusion criteria of the main study": "inclusion 1 " +
			"Does not meet any exclusion criteria|inclusion 2 Meets the inclusion criteria of the main study",
		"Non-inclusion criteria:\n* Gout":           "exclusion 1 Gout",
		"Inclusion and exclusion criteria:\n* Gout": "unclear 1 Inclusion and exclusion criteria:|unclear 2 Gout < Inclusion and exclusion criteria:",
		"Sailors must meet all of these inclusion criteria:\n* Row": "inclusion 1 Sailors must meet all of these inclusion criteria:|" +
			"inclusion 2 Row < Sailors must meet all of these inclusion criteria:",
		"": "",
	} {
		var got []string
		for _, l := range criteria.Lines(text) {
			expect.Is(t, text[l.Start:l.End], l.Text, "line")
			got = append(got, strings.TrimSuffix(fmt.Sprintf("%s %d %s < %s", l.List, l.No, l.Text, l.Under), " < "))
		}
		expect.Is(t, strings.Join(got, "|"), want, "%q", text)
	}
}

// TestLists: the lines of a text in their lists, with + for inclusion, - for exclusion and ? for neither, each below the line above it.
func TestLists(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/lines/*.txt")
	expect.Must(t, err == nil && len(paths) > 0, "no texts: %v", err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		expect.NoError(t, err)
		given, want, _ := strings.Cut(string(text), "====\n")
		var got strings.Builder
		for _, l := range criteria.Lines(given) {
			list := map[criteria.List]string{criteria.Inclusion: "+", criteria.Exclusion: "-", criteria.Unclear: "?"}[l.List]
			fmt.Fprintf(&got, "%s %s", list, strings.Join(strings.Fields(l.Text), " "))
			if l.Under != "" {
				fmt.Fprintf(&got, " < %s", strings.Join(strings.Fields(l.Under), " "))
			}
			got.WriteString("\n")
		}
		expect.Equal(t, path, want, got.String())
	}
}

// TestConversions: numbers in another unit are those of the definitions of the units and of the molar masses, to 0.3 %.
func TestConversions(t *testing.T) {
	t.Parallel()
	rows, right := expect.Lines(t, "testdata/conversions.tsv")[1:], 0
	for _, row := range rows {
		c := strings.Split(string(row), "\t")
		given, err := strconv.ParseFloat(c[1], 64)
		expect.NoError(t, err)
		want, err := strconv.ParseFloat(c[3], 64)
		expect.NoError(t, err)
		got, ok := criteria.Convert(c[0], given, c[2], c[4])
		if ok && math.Abs(got-want) <= .003*want {
			right++
		} else {
			t.Errorf("%s: %v, %v", row, got, ok)
		}
	}
	t.Logf("| conversions of units | %d of %d right | |", right, len(rows))
}

// TestLongLines: limits far behind the beginning of a line are at their place.
func TestLongLines(t *testing.T) {
	t.Parallel()
	for _, filler := range []string{"gout, ", "a", "no unless if ", "> < ", "1 2/3 ", "é"} {
		text := strings.Repeat(filler, 30000) + " ; ECOG 0-1"
		l := criteria.Line{Text: text, Start: 7}
		all := l.Limits()
		last := all[len(all)-1]
		expect.Is(t, text[last.Start-7:last.End-7], "0-1", "%s", filler)
	}
}

// FuzzLimits: each letter of a text is in a line or in a heading, and the limits of a line are parts of it.
func FuzzLimits(f *testing.F) {
	f.Add("Inclusion Criteria:\n* age ≥ 18 years\n  - a:\n    - ECOG 0-1\nExclusion Criteria:\n1) AST > 3 x ULN (5 if x)\n")
	f.Add("≤ ５ × 10⁹/L, 140/90/60 mmHg, NYHA II thru IV within 0/7 (3) weeks or > ULN 16 0/7")
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, line := range criteria.Lines(text) {
			if line.Start < at || text[line.Start:line.End] != line.Text || line.Text == "" {
				t.Fatalf("line %q at %d behind %d", line.Text, line.Start, at)
			}
			if between := strings.ToLower(text[at:line.Start]); len(between) > 30 && !strings.Contains(between, "criteri") &&
				!strings.Contains(between, "clusion") && strings.ContainsAny(between, "abcdefgh") {
				t.Fatalf("%q is in no line", between)
			}
			at = line.End
			for _, l := range line.Limits() {
				if l.Start < line.Start || l.End > line.End || l.Start >= l.End || l.What == "" {
					t.Fatalf("%q: limit %+v", line.Text, l)
				}
			}
		}
	})
}
