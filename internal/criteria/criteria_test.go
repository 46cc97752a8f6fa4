package criteria_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/criteria"
	"github.com/biofact-mcp/biofact/internal/expect"
)

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
	add("of ", l.Of)
	add("only ", l.AppliesTo)
	add("", strings.Join(strings.Fields(l.Gene+" "+l.Variant+" "+l.State), " "))
	if l.Negated {
		parts = append(parts, "negated")
	}
	if l.Exception {
		parts = append(parts, "exception")
	}
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
		"ASA gradeⅠ－Ⅲ":                                                "asa_class >=1 <=3",
		"MMSE between 12 and 25 / 30":                                 "mmse >=12 <=25",
		"ALT > twice the upper limit of normal":                       "alt >2 uln",
		"Rows at least twice a week":                                  "",
		"Gestational age from 12 weeks to 21 weeks 4 days":            "",
		"Born at 25 0/7 to 30 3/7 weeks of gestation":                 "",
		"Gestational age of 25+0 weeks or more":                       "",
		"Born before 31 weeks of gestation":                           "gestational_age <31 week",
		"Aged ≥ 5 months and < 21 years":                              "age >=5 month; age <21 year",
		"Between 2 years (24 months) and 21 years of age":             "age >=2 <=21 year",
		"T-score < -1.5":                                              "other T-score <-1.5",
		"Weight-for-height z-score < -3":                              "",
		"Platelets > 90.000/mm3":                                      "platelets >90000 cells/ul",
		"ALT four times above normal":                                 "alt >4 uln",
		"AST ≤ 2 x ULN; ≤ 4 x ULN if bone metastases":                 "ast <=2 uln; ast <=4 uln only if bone metastases",
		"ALT、AST ≤ 2 x ULN":                                           "alt <=2 uln; ast <=2 uln",
		"Gleason score 4+3":                                           "",
		"ALT ≤ 2 x ULN (≤ 4 x ULN for bone metastases)":               "alt <=2 uln; alt <=4 uln only for bone metastases",
		"Mean BP > 175 mmHg in systolic pressure or > 96 mmHg in DBP": "systolic_bp >175 mmhg; diastolic_bp >96 mmhg",
		"At least 2 weight-related complications":                     "",
		"Less than 2 months between the last dose and screening":      "window <2 month",
		"BP (> 145 and/or 95 mmHg)":                                   "systolic_bp >145; diastolic_bp >95 mmhg",
		"A change in body weight of > 4 kg":                           "",
		"GFR < 40 ml/min or any disease of the lung (GOLD ≥ 2)":       "egfr <40 ml/min; other any disease of the lung (GOLD >=2",
		"Early diastolic velocity > 12":                               "other Early diastolic velocity >12",
		"NYHA class II, III or ambulatory IV":                         "nyha_class 2+3+4",
		"Age > 21 years, gout > 2 years":                              "age >21 year; duration >2 year of gout",
		"No gout as confirmed by CRP < 6 mg/L":                        "crp <6 mg/l",
		"Chest pain (> 25 minutes)":                                   "duration >25 minute of Chest pain",
		"Rowing during the 3-year follow-up":                          "",
		"BP > 170 mmHg systolic or > 105 mmHg diastolic":              "systolic_bp >170 mmhg; diastolic_bp >105 mmhg",
		"Above 170 mmHg systolic and 105 mmHg diastolic":              "systolic_bp >170 mmhg; diastolic_bp >105 mmhg",
		"Blood pressure of 145/95 mmHg or higher":                     "systolic_bp >=145 mmhg; diastolic_bp >=95 mmhg",
		"Blood pressure goal < 125/75 mmHg":                           "other Blood pressure goal <125",
		"QTc > 440 ms for men and 465 ms for women":                   "qtc >440 msec only for men; qtc >465 msec only for women",
		"Child-Pugh A5-6":                                             "child_pugh >=5 <=6",
		"Child-Pugh A or B7":                                          "child_pugh A+7",
		"1 or 2 prior lines of therapy":                               "prior_lines >=1 <=2",
		"Kalemia < 3.2 mM":                                            "potassium <3.2 mmol/l",
		"BMI ≥ 26 kg/m2 with at least 1 disease":                      "bmi >=26 kg/m2",
		"Weight, with at least 2 of the following":                    "",
		"At least 5 weeks must have elapsed since surgery":            "window >=5 week",
		"Surgery within 6 weeks (42 days) of screening":               "window <=6 week of Surgery",
		"A recent stroke (20 days)":                                   "window <=20 day of recent stroke",
		"Travel within the next 5 months":                             "window <=5 month of Travel",
		"At least 5 weeks of rowing":                                  "duration >=5 week",
		"Surgery within the past year":                                "",
		"≥ 51 years and able to row":                                  "age >=51 year",
		"Lowest age: minimum age: 21 years old":                       "age >=21 year",
		"eGFR25-55 mL/min":                                            "egfr >=25 <=55 ml/min",
		"NYHA class III-IV":                                           "nyha_class >=3 <=4",
		"Child-Pugh B or higher":                                      "child_pugh B+C",
		"ANC ≥ 1.25 x 109/L; platelets > 90,000/mm3":                  "neutrophils >=1.25 10^9/l; platelets >90000 cells/ul",
		"ALT and AST no more than 3 times the upper limit of normal":  "alt <=3 uln; ast <=3 uln",
		"AST ≤ 3 x ULN (≤ 6 x ULN if bone metastases)":                "ast <=3 uln; ast <=6 uln only if bone metastases",
		"45 ≤ eGFR < 80 ml/min":                                       "egfr >=45; egfr <80 ml/min",
		"LVEF of at least 0.45":                                       "lvef >=45 %",
		"Blood pressure above 155/95 mmHg":                            "systolic_bp >155 mmhg; diastolic_bp >95 mmhg",
		"Hemoglobin decreases by > 2 g/dL":                            "",
		"Type 2 diabetes, CYP3A4, grade 3":                            "",
		"HbA1c greater than or equal to 6,5 % but less than 9 %":      "hba1c >=6.5 <9 %",
		"Surgery within the last 5 months":                            "window <=5 month of Surgery",
		"Stroke at least three (3) months before screening":           "window >=3 month of Stroke",
		"Pain for more than 6 weeks":                                  "duration >6 week of Pain",
		"Life expectancy of no less than 12 weeks":                    "life_expectancy >=12 week",
		"No creatinine > 2 mg/dL":                                     "creatinine >2 mg/dl negated",
		"Infection, except CRP < 10 mg/L":                             "crp <10 mg/l exception",
		"EGFR L858R or exon 19 deletion":                              "biomarker EGFR L858R mutated",
		"HER2-negative tumour":                                        "biomarker ERBB2 negative",
		"Pregnant or breast-feeding":                                  "pregnancy; breast_feeding",
		"Male or female":                                              "sex female+male",
		"Leucocytes ³ 2000/mm3":                                       "wbc >=2000 cells/ul",
		"Amenorrhea for at least 12 months":                           "duration >=12 month of Amenorrhea",
		"LV end-diastolic pressure ≥ 15 mmHg":                         "other LV end-diastolic pressure >=15 mmhg",
		"BP ≥ 150, wedge pressure > 16 mmHg":                          "systolic_bp >=150; other wedge pressure >16 mmhg",
		"Oxygen therapy, transferrin saturation < 21 %":               "other transferrin saturation <21 %",
		"FEV1 or FVC < 55 %":                                          "fev1 <55 %; other FVC <55 %",
		"QRS exceeds 130 msec with QTc > 490 msec":                    "other QRS >130 msec; qtc >490 msec",
		"Platelets < 110 G/L":                                         "platelets <110 10^9/l",
		"NYHA III, GOLD > 2":                                          "nyha_class 3; other GOLD >2",
		"HbA1c ≥ 6.6 %, or at least one drug":                         "hba1c >=6.6 %",
		"Systolic blood pressure outside the range 85 to 155 mmHg":    "",
		"Disc height < 7 mm":                                          "other Disc height <7 mm",
		"A non-pregnant woman over 22 years":                          "pregnancy negated; age >22 year",
		"No gout, LVEF > 41 %":                                        "lvef >41 %",
		"No gout with LVEF > 41 %":                                    "lvef >41 % negated",
		"ECOG performance status equal to 3 or 4":                     "ecog 3+4",
		"Sailors must be 18 (eighteen) years of age or older":         "age >=18 year",
		"Life expectancy of less than a year":                         "life_expectancy <1 year",
		"Anyone, ≥44 YoA":                                             "age >=44 year",
		"Hgb below the lower level of the normal range":               "hemoglobin <1 lln",
		"Platelets < 30 x 10 to the power of 9/L":                     "platelets <30 10^9/l",
		"Heart rate <44 and >111 beats per minute":                    "heart_rate <44; heart_rate >111 /min",
		"Able to row":                                                 "",
	} {
		var got []string
		for _, l := range criteria.Limits(line) {
			got = append(got, written(l))
			expect.That(t, l.Start >= 0 && l.Start < l.End && l.End <= len(line), "%q: limit from %d to %d", line, l.Start, l.End)
		}
		expect.Is(t, strings.Join(got, "; "), want, "%q", line)
	}
}

// TestLines: a line has its list, the line that announces it, and its role.
func TestLines(t *testing.T) {
	t.Parallel()
	text := "Inclusion Criteria:\n\n* Hay fever\n* Adequate health, with:\n\n  * LEGS:\n\n    * Two\n" +
		"* Any one of the following:\n  1. Rows\n  2. Swims\n     in the sea\n\n" +
		"For women only:\n\n* A hat\n\nExclusion Criteria:\n\n* All of:\n\n  * A cold\n  * Gout\n* Any of the following\n  * Splints"
	want := []string{"inclusion 0 Hay fever", "inclusion 0 Two < LEGS:", "inclusion 1 Rows < Any one of the following:",
		"inclusion 1 Swims\n     in the sea < Any one of the following:",
		"inclusion 3 A hat < For women only:", "exclusion 2 A cold < All of:",
		"exclusion 2 Gout < All of:", "exclusion 0 Splints < Any of the following"}
	var got []string
	for _, l := range criteria.Lines(text) {
		expect.Is(t, text[l.Start:l.End], l.Text, "line")
		got = append(got, strings.TrimSuffix(fmt.Sprintf("%s %d %s < %s", l.List, l.Role, l.Text, l.Under), " < "))
	}
	expect.Equal(t, "lines", want, got)
	for _, l := range criteria.Lines("Sailors\nwho row") {
		expect.Is(t, l.List, criteria.Unclear, "list")
	}
}

// FuzzLimits: the lines of any text are its parts in their order, and so are the limits of a line.
func FuzzLimits(f *testing.F) {
	f.Add("Inclusion Criteria:\n* age ≥ 18 years\n  - a:\n    - ECOG 0-1\nExclusion Criteria:\n1) AST > 3 x ULN (5 if x)\n")
	f.Add("≤ ５ × 10⁹/L, 140/90/60 mmHg, p.Leu858Arg within 0/7 (3) weeks or > ULN + exon 19")
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, line := range criteria.Lines(text) {
			if line.Start < at || text[line.Start:line.End] != line.Text || line.Text == "" {
				t.Fatalf("line %q at %d behind %d", line.Text, line.Start, at)
			}
			at = line.End
			for _, l := range line.Limits() {
				if l.Start < line.Start || l.End > line.End || l.Start >= l.End || l.What == "" {
					t.Fatalf("%q: limit %+v", line.Text, l)
				}
			}
		}
		inclusion, exclusion := criteria.Split(text)
		if (len(inclusion) == 0) != (len(exclusion) == 0) || slices.Contains(append(inclusion, exclusion...), "") {
			t.Fatalf("%q becomes %q and %q", text, inclusion, exclusion)
		}
	})
}
