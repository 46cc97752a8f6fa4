package match_test

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/trials/match"
)

// person reads facts in a short form: age 58; female; has A; without B; value C; gene D; had E; lines 2; pregnant; not pregnant.
func person(t *testing.T, facts string) *match.Person {
	t.Helper()
	p, err := match.Read(given(facts))
	expect.NoError(t, err)
	return p
}

func given(facts string) (args tools.MatchTrialsArgs) {
	for fact := range strings.SplitSeq(facts, "; ") {
		kind, text, _ := strings.Cut(fact, " ")
		switch kind {
		case "age":
			args.Age = text
		case "male", "female":
			args.Sex = kind
		case "has":
			args.Conditions = append(args.Conditions, text)
		case "without":
			args.Without = append(args.Without, text)
		case "value":
			args.Measurements = append(args.Measurements, text)
		case "gene":
			args.Biomarkers = append(args.Biomarkers, text)
		case "had":
			args.Treatments = append(args.Treatments, text)
		case "lines":
			args.PriorLines = text
		case "pregnant":
			args.Pregnant = new(true)
		case "nursing":
			args.BreastFeeding = new(true)
		case "healthy":
			args.Healthy = new(true)
		case "not":
			switch text {
			case "pregnant":
				args.Pregnant = new(false)
			case "nursing":
				args.BreastFeeding = new(false)
			case "healthy":
				args.Healthy = new(false)
			}
		}
	}
	return args
}

// verdictOf returns the verdict about the last line of a list.
func verdictOf(p *match.Person, list, lines string) string {
	text := "Inclusion Criteria:\n\n* Quokka\n" + lines + "\n\nExclusion Criteria:\n\n* Numbat\n"
	if list == "exclusion" {
		text = "Inclusion Criteria:\n\n* Quokka\n\nExclusion Criteria:\n\n* Numbat\n" + lines + "\n"
	}
	found := p.Compare([]match.Trial{{Criteria: mapping.Eligibility{Text: text}}}, true).Rows[0]
	last := lines[strings.LastIndex(lines, "* ")+2:]
	for verdict, list := range map[string][]entity.MatchLine{"blocks": found.Blocks, "allows": found.Allows, "unknown": found.Unknown} {
		for _, line := range list {
			if line.Text == last {
				return verdict
			}
		}
	}
	return "no line"
}

// TestVerdicts: list, person, line and verdict. The lines are of the shapes that records have, in words of our own.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	for _, row := range strings.Split(strings.TrimSpace(verdicts), "\n") {
		cell := strings.Split(row, " | ")
		line := cell[2]
		if !strings.HasPrefix(line, "* ") {
			line = "* " + line
		}
		line = strings.ReplaceAll(line, `\n`, "\n")
		list := map[string]string{"in": "inclusion", "ex": "exclusion"}[cell[0]]
		got := verdictOf(person(t, cell[1]), list, line)
		expect.That(t, got == cell[3], "%s: %s", row, got)
	}
}

const verdicts = `
in | age 58 | Age ≥ 18 years | allows
in | age 17 | Age ≥ 18 years | blocks
ex | age 17 | Age < 18 years | blocks
in | age 58 | Adults aged 18 to 75 years | allows
in | age 6 months | Age ≥ 1 year | blocks
in | age 58 | Age ≥ 18 years and willing to give consent | unknown
in | age 10 | Age ≥ 18 years and willing to give consent | blocks
in | age 30; male | Female patients aged 18 years or older | unknown
in | female | Male or female | allows
in | male | Women only | blocks
in | value LVEF 35% | LVEF never ≤ 40% in the past | blocks
ex | value ALT 3 x ULN | ALT and/or AST > 3 x ULN | unknown
ex | value ALT 4 x ULN | ALT and/or AST > 3 x ULN | blocks
ex | value ALT 3 x ULN | Hepatic impairment (ALT/AST > 3 x ULN) | unknown
ex | value ALT 4 x ULN; value AST 4 x ULN | Hepatic impairment (ALT/AST > 3 x ULN) | blocks
in | value ALT 4 x ULN | ALT/AST ≤ 3 x ULN | blocks
in | value ALT 2 x ULN | ALT/AST ≤ 3 x ULN | unknown
in | value ALT 2 x ULN | ALT and/or AST ≤ 3 x ULN | unknown
in | value ALT 4 x ULN | ALT and/or AST ≤ 3 x ULN | unknown
ex | value SBP 165 mmHg; value DBP 100 mmHg | Pressure >180 mmHg in systolic (SBP) or >95 mmHg in diastolic BP | blocks
ex | value SBP 165 mmHg | Systolic blood pressure < 110 mmHg or MAP < 75 mmHg | unknown
ex | value eGFR 28 mL/min/1.73m2 | Concomitant medication with aliskiren in patients with eGFR < 60 mL/min/1.73 m² | unknown
ex | value eGFR 28 mL/min/1.73m2 | Use of metformin in patients with an eGFR < 30 mL/min/1.73 m² | unknown
ex | value eGFR 28 mL/min/1.73m2 | Only for patients undergoing MR imaging: glomerular filtration rate < 30 ml/min/1.73m2 | unknown
ex | value potassium 5.8 mmol/L | Serum potassium < 3.5 mmol/L and > 5.5 mmol/L | blocks
ex | value potassium 4.8 mmol/L | Serum potassium < 3.5 mmol/L and > 5.5 mmol/L | allows
ex | value BMI 36 | BMI > 30 kg/m2 and < 38 kg/m2 | blocks
ex | value platelets 60 x10^9/L | Platelet count <70,000/ml | unknown
ex | value ANC 0.9 x10^9/L | Absolute neutrophil count less than 1,000 cells/mL | unknown
ex | value hemoglobin 8 g/dL | Severe anemia addressed by Hb concentration <10 gr/l | unknown
in | value LVEF 60% | LVEF never ≤ 40% in the past | unknown
ex | value LVEF 35% | LVEF < 50% - (Healthy subjects only). | unknown
ex | value SBP 160 mmHg | Systolic blood pressure > 150 mmHg (Parts A and B only) | unknown
in | value LVEF 35% | For HFpEF only: EF ≥ 45% | unknown
in | value LVEF 35% | HFpEF arm only: LVEF ≥ 45% | unknown
in | age 19 | Age >= 18 years at screening. For Japan only: Age >= 20 years | unknown
in | not pregnant; female | Negative pregnancy test (women only) | allows
in | age 58; female | Age ≥ 18 years (women only) | allows
in | value ECOG 1 | ECOG performance status 0-1 | allows
in | value ECOG 2 | Eastern Cooperative Oncology Group (ECOG) performance status of 0 or 1 | blocks
in | value hemoglobin 98 g/L | Hemoglobin ≥ 9.0 g/dL | allows
in | value hemoglobin 9.8 g/dL | Hemoglobin ≥ 90 g/dL | unknown
in | value hemoglobin 9.8 g/dL | Hemoglobin ≥ 9 g/dL unless transfused | unknown
in | value ANC 1200 /uL | Absolute neutrophil count (ANC) ≥ 1.5 x 10^9/L | blocks
in | value AST 1.2 x ULN | AST ≤ 3 x ULN | allows
in | value AST 45 U/L | AST ≤ 3 x ULN | unknown
in | value AST 5 x ULN | AST and ALT ≤ 3 x ULN | blocks
ex | value AST 5 x ULN | AST or ALT > 3 x ULN | blocks
ex | value AST 1 x ULN | AST or ALT > 3 x ULN | unknown
ex | value AST 1 x ULN; value ALT 1 x ULN | AST or ALT > 3 x ULN | allows
in | value ALT 2 x ULN | ALT ≤ 2.5 x ULN (≤ 5 x ULN if liver metastases) | allows
in | value ALT 3 x ULN | ALT ≤ 2.5 x ULN (≤ 5 x ULN if liver metastases) | unknown
in | value ALT 6 x ULN | ALT ≤ 2.5 x ULN (≤ 5 x ULN if liver metastases) | blocks
in | value blood pressure 150/85 mmHg | Blood pressure < 145/85 mmHg. | blocks
ex | value blood pressure 150/85 mmHg | Uncontrolled hypertension (blood pressure > 140/90 mmHg) | blocks
ex | value blood pressure 130/80 mmHg | Uncontrolled hypertension (blood pressure > 140/90 mmHg) | allows
in | value HbA1c 8.1 % | HbA1c 6.0-9.0 %. | allows
in | value HbA1c 65 mmol/mol | HbA1c between 7.0 % and 10 % | allows
in | value LVEF 55 % | Class II-III heart failure with ejection fraction less than 50 %. | blocks
in | value BMI 31 | Body mass index (BMI) 25 to 40 kg/m2 | allows
ex | value eGFR 62 | Impaired renal function, defined as eGFR < 45 mL/min/1.73 m2 | allows
ex | value eGFR 40 | Impaired renal function, defined as eGFR < 45 mL/min/1.73 m2 | blocks
ex | male; value QTc 460 ms | QTc > 450 msec for men or > 470 msec for women | blocks
ex | female; value QTc 460 ms | QTc > 450 msec for men or > 470 msec for women | allows
ex | value QTc 460 ms | QTc > 450 msec for men or > 470 msec for women | unknown
ex | not nursing | Pregnant and breast-feeding women | unknown
ex | not pregnant; not nursing | Pregnant and breast-feeding women | allows
ex | value QTc 480 ms | QTc > 450 msec for men or > 470 msec for women | blocks
ex | value hemoglobin 9.8 g/dL | Marked anemia (hemoglobin < 11 g/dL for males or < 10 g/dL for females) or porphyria | unknown
ex | female; value hemoglobin 9.8 g/dL | Marked anemia (hemoglobin < 11 g/dL for males or < 10 g/dL for females) or porphyria | unknown
ex | value SBP 200 mmHg | Systolic blood pressure < 90 or > 180 mmHg | blocks
ex | value SBP 120 mmHg | Systolic blood pressure < 90 or > 180 mmHg | allows
in | value BMI 31 | BMI ≥ 25 and ≤ 40 kg/m2 | allows
in | value BMI 41 | BMI ≥ 25 and ≤ 40 kg/m2 | blocks
in | value BMI 31; age 30 | Age 18 to 65 years, BMI ≥ 25 kg/m2 and able to swallow | unknown
ex | value QTc 440 ms | QTc > 470 msec | allows
in | value platelets 120 x 10^9/L | Platelets ≥ 100,000/mm3 within 14 days before enrollment | allows
in | value creatinine 1.0 mg/dL | Serum creatinine ≤ 133 umol/L | allows
in | lines 3 | No more than 2 prior lines of systemic therapy | blocks
in | lines 1 | No more than 2 prior lines of systemic therapy | allows
ex | pregnant; female | Pregnant or breastfeeding women | blocks
ex | not pregnant; female | Pregnant or breastfeeding women | unknown
ex | not pregnant; not nursing | Women who are pregnant or breast-feeding. | allows
ex | male | Pregnancy or lactation | allows
in | not pregnant; female | Negative serum pregnancy test | allows
in | pregnant; female | Women of childbearing potential must have a negative pregnancy test | blocks
in | pregnant; female | Not pregnant | blocks
ex | has atrial fibrillation | Atrial fibrillation | blocks
in | has atrial fibrillation | Documented history of atrial fibrillation | allows
ex | has stroke | History of stroke or TIA | blocks
ex | has transient ischemic attack | Stroke or TIA | blocks
ex | has heart failure | Surgery for heart failure | unknown
ex | has asthma | Steroids for asthma | unknown
ex | had penicillin | Allergy to penicillin | unknown
ex | has breast cancer | Family history of breast cancer | unknown
ex | has asthma | Severe asthma | unknown
ex | without asthma | Severe asthma | allows
ex | without asthma | Asthma requiring oral steroids | allows
ex | without asthma | Asthma or COPD | unknown
ex | without asthma; without COPD | Asthma or COPD | allows
in | without asthma | Asthma | blocks
in | has hypertension | No hypertension | blocks
in | without hypertension | No history of hypertension | allows
in | has diabetes | No prior stroke, diabetes or epilepsy | blocks
in | has type 2 diabetes | Diabetes mellitus | allows
in | has diabetes | Type 2 diabetes mellitus | unknown
in | has T2DM | Type 2 diabetes mellitus | allows
in | has non-small cell lung cancer | Diagnosis of NSCLC | allows
in | has pulmonary hypertension | Hypertension | unknown
in | has breast cancer | Cancer | allows
in | has melanoma | Melanoma or breast cancer | allows
in | has melanoma | Melanoma with brain metastases | unknown
ex | had chemotherapy 6 weeks ago | Chemotherapy within 4 weeks before the first dose | allows
ex | had chemotherapy 2 weeks ago | Chemotherapy within 4 weeks before the first dose | blocks
ex | had chemotherapy | Chemotherapy within 4 weeks | unknown
ex | had osimertinib | Prior treatment with osimertinib | blocks
ex | had insulin 2 years ago | Current use of insulin | unknown
ex | has stroke 2 years ago | Stroke within the last 6 months | allows
ex | has stroke | Stroke or TIA within 6 months | unknown
ex | has stroke 2 months ago | Stroke or TIA within 6 months | blocks
ex | without stroke; without TIA | Stroke or TIA within 6 months | allows
ex | has thyroid disease | Thyroid disease, the treatment of which is not stable | unknown
ex | without stroke | Stroke within the last 6 months | allows
in | gene EGFR L858R | EGFR L858R mutation | allows
in | gene EGFR L858R | EGFR T790M mutation | unknown
in | gene HER2 negative | HER2-positive disease | blocks
in | gene HER2 negative | HER2 negative | allows
in | age 70 | * One of the following:\n  * Age ≥ 75 years | unknown
in | age 80 | * One of the following:\n  * Age ≥ 75 years | allows
in | value ECOG 3 | * For cohort B:\n  * ECOG 0 or 1 | unknown
ex | has asthma | * All of the following:\n  * Asthma | unknown
in | value hemoglobin 8 g/dL | * Adequate organ function:\n  * Hemoglobin ≥ 9 g/dL | blocks
in | healthy | Healthy volunteers | allows
ex | value blood pressure 170/80 mmHg | Hypertension (systolic blood pressure > 160 mmHg and/or diastolic > 100 mmHg) | blocks
ex | value blood pressure 150/80 mmHg | Uncontrolled hypertension (SBP > 160 mmHg or DBP > 100 mmHg) | allows
in | value blood pressure 150/85 mmHg | Hypertension (systolic > 140 and/or diastolic > 90) | allows
in | value NYHA II | Symptomatic (NYHA class > 2 or CCS class > 2) | unknown
in | value NYHA II | NYHA class III-IV (or NYHA class II after a stay in hospital) | unknown
in | value HbA1c 8.1 % | Prediabetes (at least one of the following: glucose 100 to 125 mg/dL, HbA1c 5.7 to 6.4 %) | unknown
in | value HbA1c 8.1 %; value BMI 31 | BMI ≥ 25 and ≤ 50 or prediabetes as defined by HbA1c 5.7-6.4 % | allows
in | value HbA1c 8.1 % | HbA1c 7.0-10.0 percent (53-86 millimoles per mole) | allows
ex | value AST 1.2 x ULN; value ALT 1.2 x ULN | AST or ALT 3 times higher than the upper limit of normal | allows
in | value blood pressure 150/85 mmHg | Systolic pulmonary pressure ≤ 60 mmHg | unknown
in | value blood pressure 150/85 mmHg | Diastolic E/e' ratio > 15 | unknown
in | has hypertension | With or without hypertension | unknown
in | has hypertension | Adults with or without hypertension, on a stable diet | unknown
ex | has hypertension | Uncontrolled diabetes or hypertension | unknown
ex | has hypertension | Poorly controlled asthma, hypertension, or gout | unknown
ex | has hypertension | Unstable angina, hypertension | blocks
ex | has breast cancer | Renal tumor/cancer | unknown
ex | had chemotherapy | A weak immune system resulting from radiation, chemotherapy, or steroids | unknown
ex | had chemotherapy | Malignancies requiring radiation or chemotherapy | unknown
ex | had chemotherapy 6 weeks ago | Currently treated with radiation, chemotherapy, or steroids | unknown
ex | had chemotherapy 6 weeks ago | Patients on chemotherapy | unknown
ex | has breast cancer | Any disease with a poor outlook, e.g., cancer, liver failure | unknown
ex | has breast cancer | A serious illness such as cancer or heart failure | unknown
ex | has breast cancer | Cancer or another illness with life expectancy less than 2 years | unknown
ex | has breast cancer | Stroke, cancer, or other illness that in the opinion of the investigator is a risk | unknown
ex | female; age 58 | Male and female, aged 17 years or younger | allows
in | value ECOG 2 | ECOG performance status of 1 or better | blocks
ex | pregnant; female | Women who do not have a negative pregnancy test | unknown
in | not pregnant; female | Pregnancy testing is required | unknown
in | not pregnant; female | Males must inform the doctor if the partner becomes pregnant | unknown
in | female; not pregnant; age 58 | Male or non-pregnant female, 18 years or older | allows
in | female; not pregnant; not nursing | Healthy females that are non-pregnant, non-lactating | unknown
in | pregnant; female | Non-pregnant women | blocks
in | value hemoglobin 12 g/dL | Xenon, hemoglobin ≥ 10 g/dL | unknown
in | value hemoglobin 9 g/dL | Xenon hemoglobin ≥ 10 g/dL | blocks
in | female; not pregnant | İİİİİİİİİİİİİİİİİİİİİİİİ non-pregnant | unknown
ex | value HbA1c 8 % | Gout (left, right) with a value (HbA1c > 9 %) | allows
ex | not pregnant; female | Contraindication for MRI (e.g. implants, claustrophobic or pregnancy) | unknown
ex | not pregnant; female | Contraindications to MRI including pregnancy | unknown
in | value NYHA IV | None or minimal symptoms (NYHA ≤ 2) | unknown
ex | value NYHA II; has unstable angina | Heart disease (NYHA class 3-4, unstable angina/stroke within the last 6 months) | unknown
ex | value eGFR 50 | Other diseases (eGFR < 20, hepatic failure) | unknown
ex | has hepatitis B | No known HIV or hepatitis B infection | unknown
in | has heart failure | EF of less than 45 % with no signs or symptoms of heart failure | unknown
in | without kidney disease | Adequate liver, kidney, and cardiac function | unknown
ex | has type 2 diabetes | Diabetes mellitus, type 1 | unknown
ex | has type 1 diabetes | Diabetes mellitus, type 1 | blocks
ex | had tacrolimus | Known sensitivity to tacrolimus or corticosteroids | unknown
ex | had radiotherapy | Currently receiving radiotherapy | unknown
ex | has stroke | Within 3 months of any of these: infarction, stroke | unknown
ex | value LVEF 50 % | Prior LVEF below 45 %, at any time | unknown
in | not healthy | Healthy adults or adults in a stable medical condition | unknown
in | not healthy | For healthy subjects | unknown
in | value BMI 36 | For part 1 and part 2: BMI 19-25 kg/m2 | unknown
in | value LVEF 45 % | For HFrEF only: EF ≤ 35 % | unknown
ex | had surgery | History of ocular trauma or surgery | unknown
ex | had surgery | Surgery | blocks
ex | has COPD | Poorly controlled asthma or chronic obstructive pulmonary disease | unknown
ex | has myocardial infarction 2 years ago | Stroke, myocardial infarction, or symptoms of NYHA class IV within 6 months | unknown
ex | has myocardial infarction 2 years ago | Stroke or myocardial infarction in the year before the study | unknown
ex | has myocardial infarction 2 years ago | History of myocardial infarction or cardiac surgery (6 months) | unknown
ex | has myocardial infarction 2 years ago | History of myocardial infarction | blocks
ex | had radiotherapy | Chemotherapy, radiotherapy, or an investigational agent without recovery to grade 1 | unknown
in | age 58 | Age ≥ 18 years with a frailty score ≤ 5 for patients aged over 80 | unknown
in | age 58; value Karnofsky 80 | Karnofsky ≥ 50 for patients ≥ 16 years and Lansky ≥ 50 for patients < 16 years | unknown
in | age 58 | Lansky (age < 16 years) or performance status ≥ 70 | unknown
in | value LVEF 55 % | Ejection fraction (LVEF) ≥ 50 %, as determined by echocardiography in the 12 months before entry | allows
in | value LVEF 55 % | LVEF (left ventricular ejection fraction) is ≤ 40 % by echocardiography or cardiac MRI | blocks
ex | value eGFR 62 | Estimated glomerular filtration rate (eGFR) < 20, using the MDRD formula | allows
ex | value eGFR 62 | Estimated glomerular filtration rate (eGFR) < 20 or on dialysis | unknown
in | value BMI 31; has type 2 diabetes | Body mass index (BMI) ≥ 35 or type 2 diabetes | allows
in | value NYHA II; value LVEF 55 % | Stable (NYHA class II-III) with a low LVEF (LVEF ≤ 40 %, no change of drugs or devices) | blocks
ex | value heart rate 75 bpm | Atrial fibrillation with a heart rate > 100 bpm; obesity; and bad habits | unknown
in | value ECOG 1 | ECOG performance status of 2 or better | allows
ex | age 72 | Patients < 20 years of age and > 70 years of age | blocks
in | value LVEF 61 % | LVEF ≥ 58 % and no history of an LVEF ≤ 41 % | unknown
in | value LVEF 50 % | LVEF ≥ 58 % and no history of an LVEF ≤ 41 % | blocks
ex | pregnant; female | Pregnancy/lactation | blocks
in | without COPD | Mild COPD with a test of the lungs | blocks
ex | age 58 | Patients < 20 years of age and > 70 years of age | allows
in | age 58 | Age < 20 and > 70 years | blocks
ex | has asthma; without COPD | Asthma and COPD | unknown
ex | without asthma; without COPD | Asthma and COPD | allows
ex | has atrial fibrillation; value heart rate 82 bpm | Gout; atrial fibrillation/flutter with a heart rate > 100 bpm | unknown
in | without tuberculosis | Blood count, tuberculosis and HIV test results are at hand | unknown
in | had osimertinib | In patients who had osimertinib, a biopsy | unknown
ex | has myocardial infarction 4 years ago | * Any of these in the 6 months before entry:\n  * Myocardial infarction | unknown
ex | without myocardial infarction | * Any of these in the 6 months before entry:\n  * Myocardial infarction | allows
ex | had penicillin | * Allergy to any of the following:\n  * Penicillin | unknown
ex | has hypertension | * Uncontrolled diseases, such as:\n  * Hypertension | unknown
ex | has asthma | * Gout with any of the following:\n  * Asthma | unknown
ex | has asthma | * Any of the following conditions:\n  * Asthma | blocks
ex | has stroke | * Any serious disease which in the opinion of the investigator is a risk:\n  * Stroke | unknown
ex | has hepatitis B | Hepatitis B or C | blocks
in | female | Men, women*, inter/diverse aged 21 or older | unknown
in | female | Men, female sailors of any rank | unknown
in | value LVEF 48 % | Low function (no gout, LVEF ≤ 41 %) | blocks
in | value blood pressure 118/70 mmHg | Hypertension (by history or BP ≥ 145/95 mmHg) | unknown
in | male | Male, or female, 21 to 64 years. | unknown
in | age 58; male | Male, or female, 21 to 64 years. | allows
in | age 58 | 3. Age: 21 years and older. | allows
ex | not pregnant; not nursing | iv. Pregnant or breast-feeding | allows
in | value hemoglobin 11 g/dL | hemoglobin ≥ 8.5 g/dl or 5.28 mmol/l | allows
in | value platelets 150 x 10^9/L | At the start: leucocytes ≥ 2500, platelets ≥ 90 000 per mm3, AST ≤ 1 1/2 x the normal | unknown
in | has COPD | Symptoms of COPD: a score of 2 or higher on a scale of breath | unknown
in | has myocardial infarction | At least one of these: gout, atrial fibrillation or myocardial infarction | unknown
in | has myocardial infarction | Any disease of the vessels: gout, atrial fibrillation or myocardial infarction | allows
ex | has breast cancer | An acute illness. For cancer, acutely ill persons are left out | unknown
in | value INR 1.1 | Had drugs for the blood (new ones, coumarins with an INR from 2 to 3) | unknown
ex | had insulin | Drugs within 5 months, or are being treated with insulin | unknown
in | has pneumonia | An injury associated with infection, gout, pneumonia, or the like | unknown
in | age 58 | 2) Age from 21 to 80 years, both genders are eligible; | allows
in | age 58 | Patient's age ≥ 21 years on the date of consent, regardless of gender | allows
in | age 58 | ≥ 21 years of age and have signed written informed consent | unknown
in | age 58 | Adults of 21 to 75 years of any race or gender who are listed for a transplant | unknown
in | has diabetes | Control group: 1) age 25-70 years, 2) without diabetes | unknown
in | had insulin 2 years ago | Insulin for the past 4 months or longer before entry | unknown
ex | had surgery 2 months ago | Surgery within the next 5 months | unknown
ex | has stroke 3 weeks ago | Stroke within the past year | blocks
in | not nursing; female | Healthy women that are non-lactating, whose age is high or unknown, aged 25 to 65 years | unknown
ex | has asthma | * Persons are excluded if they meet any of the following conditions:\n  * Asthma | blocks
in | has asthma | * Persons are eligible if all of the following are met:\n  * No asthma | blocks
in | has asthma | * If a sailor has any of the following:\n  * Gout | unknown
in | has HIV | No subjects will be excluded for their race or HIV status. | unknown
ex | has acute myeloid leukemia | Acute myeloid leukemia or gout participants with prior treatment by cells | unknown
ex | has atrial fibrillation | Atrial fibrillation or flutter with a heart rate > 105 bpm | unknown
ex | had chemotherapy 6 weeks ago | Prior chemotherapy, or bevacizumab for breast cancer | unknown
ex | had surgery 8 months ago | Prior surgery, or a stent in the carotid artery | unknown
ex | has aortic stenosis | Moderate or severe mitral or aortic stenosis, or severe gout | unknown
ex | has chronic kidney disease | Kidney or lung transplant | unknown
ex | has chronic kidney disease | Heart, kidney or lung disease | blocks
ex | has chronic kidney disease | CKD | blocks
ex | without diabetes; female | Women with diabetes and other diseases of the blood | unknown
ex | value potassium 5.1 mmol/L | Potassium ≥ 4.9 mmol/l. One more test is allowed. | unknown
ex | has chronic hepatitis C | HIV, HBV or HCV | blocks
ex | without cancer | A malignancy in the last 5 years | allows
in | has heart failure | Signs of HF | allows
ex | has chronic kidney disease | Renal disease | blocks
ex | has chronic kidney disease | End stage liver or kidney disease | unknown
in | has type 2 diabetes | A diagnosis of T2DM | allows
in | age 58; male | Sailors aged 21 to 75 years, male or female; | unknown
in | age 58; male | Patients aged 21 to 75 years, male or female; | allows
in | value platelets 150 x 10^9/L | Platelets > 55,000 | allows
in | value platelets 150 x 10^9/L | Platelets > 55 | unknown
ex | value hemoglobin 7 g/dL | Hemoglobin < 8.5 | blocks
ex | without myocardial infarction | The subject had a myocardial infarction within 80 days of entry. | allows
in | value ALT 3 x ULN | ALT ≤ 2 x ULN (≤ 4 x ULN for bone metastases) | unknown
in | value Child-Pugh A | Child-Pugh score ≤ 7 | allows
in | value Child-Pugh B | Child-Pugh class A or B7 | unknown
in | value Child-Pugh 6 | Child-Pugh class A | allows
in | value Child-Pugh B | Child-Pugh A | blocks
ex | value Child-Pugh A | Child-Pugh B or C | allows
in | value NYHA III | NYHA II or III. Half with NYHA II and half with NYHA III are expected. | unknown
ex | has COPD | Any condition other than disease of the vessels or COPD that is a risk | unknown
ex | value LVEF 35 % | LVEF < 48 % (healthy persons only) | unknown
in | without cancer | Cancer and Leukemia Group B (CALGB) performance status of at most 2 | unknown
ex | had dialysis 3 years ago | Dialysis (permanent) or gout | unknown
ex | has cirrhosis | A disorder of the mind, cirrhosis, or active gout leading to a life expectancy < 5 months | unknown
ex | has osteoporosis | Osteopenia, osteoporosis, or osteomalacia to a degree that no implant holds | unknown
ex | has osteoporosis | Osteoporosis, or any condition that would limit the walk | blocks
`
