package facts

import (
	"slices"
	"strings"
)

// theme is what studies of one field of medicine commonly ask and measure.
type theme struct {
	words    []string
	aim      string
	outcomes []outcome
}

// themes are tried in order, cancer before infection because a vaccine may be against a tumor; the last one fits
// everything.
var themes = []theme{
	{
		words: []string{"leuk", "lymphom", "myelom", "myelodys", "hematolog", "stem cell"},
		aim:   "whether remission is reached and lasts",
		outcomes: []outcome{
			{"Complete remission", "After 2 cycles of 28 days", "Blasts in the bone marrow < 5% and recovery of blood counts."},
			{"Overall survival", "2 years", "From entry to death from any cause."},
			{"Dose-limiting toxicity", "First 28 days", "Events of grade >= 3 that the study team relates to the treatment."},
			{"Event-free survival", "2 years", "From entry to failure, relapse or death*, whichever comes first."},
		},
	},
	{
		words: []string{"cancer", "tumor", "tumour", "carcinom", "melanom", "neoplasm", "neuroblastom", "sarcom", "nsclc", "oncolog"},
		aim:   "whether the disease is kept from growing and for how long",
		outcomes: []outcome{
			{"Progression-free survival", "Up to 3 years", "From entry to growth of the disease or death, by imaging [RECIST 1.1]."},
			{"Overall survival", "Up to 5 years", "From entry to death from any cause."},
			{"Objective response", "Every 9 weeks, up to 2 years", "Complete or partial response that lasts >= 4 weeks."},
			{"Quality of life", "Every 12 weeks", "A questionnaire from 0 to 100; higher is better."},
			{"Adverse events of grade 3 or higher", "Until 30 days after the last dose", "Graded by common criteria."},
		},
	},
	{
		words: []string{"covid", "sars-cov", "vaccin", "virus", "hiv", "infection", "malaria", "tubercul"},
		aim:   "how well infection or severe disease is prevented or overcome",
		outcomes: []outcome{
			{"Participants with confirmed infection", "6 months", "Confirmed by a laboratory test [nucleic acid or antigen]."},
			{"Time to recovery", "28 days", "Days until no care in hospital is needed; a change of >= 1 category counts."},
			{"Participants with solicited reactions", "7 days after each dose", "Local and general reactions from a diary."},
			{"Level of neutralizing antibodies", "Day 29 and month 6", "Values < the limit of quantification count as half of it."},
		},
	},
	{
		words: []string{"macul", "retin", "amblyop", "eye", "visual", "ocular", "myopia", "glaucom"},
		aim:   "whether sight improves and the eye stays healthy",
		outcomes: []outcome{
			{"Change of visual acuity", "12 weeks", "Letters read on a chart; a gain of >= 5 letters matters."},
			{"Thickness of the retina", "24 weeks", "By optical coherence tomography [in micrometres]."},
			{"Adverse events of the eye", "24 weeks", "In the study eye* and in the other one."},
		},
	},
	{
		words: []string{"diabet", "insulin", "obes", "overweight", "glyc", "metabol", "cholester", "steatohep"},
		aim:   "how blood sugar, weight and the risks that follow from them change",
		outcomes: []outcome{
			{"Change of HbA1c from baseline", "24 weeks", "Percentage points; a fall of >= 0.5 counts as a response."},
			{"Change of body weight from baseline", "52 weeks", "Percent of the weight at baseline."},
			{"Time in range", "Weeks 20 to 24", "Share of the day with glucose > 70 and < 180 mg/dL."},
			{"Episodes of hypoglycemia", "24 weeks", "Glucose < 54 mg/dL [3.0 mmol/L]."},
		},
	},
	{
		words: []string{"asthma", "lung", "copd", "respirat", "cystic fibrosis", "airway"},
		aim:   "how breathing and the number of attacks change",
		outcomes: []outcome{
			{"Change of forced expiratory volume in one second", "12 weeks", "Litres, before a bronchodilator."},
			{"Asthma attacks", "52 weeks", "Attacks that need oral steroids for >= 3 days."},
			{"Asthma control", "12 weeks", "Five questions; a change >= 3 points matters to people."},
		},
	},
	{
		words: []string{"heart", "cardi", "coronary", "hypertens", "stroke", "vascular", "thromb", "atrial", "blood pressure"},
		aim:   "whether deaths and illness of the heart and the vessels become rarer",
		outcomes: []outcome{
			{"Cardiovascular death or hospital stay for heart failure", "Up to 4 years", "Time to the first of them, judged by a committee*."},
			{"Change of systolic blood pressure", "12 months", "Mean of three readings; < 120 mmHg is the lower target."},
			{"All-cause death", "Up to 4 years", "Time from entry to death from any cause."},
		},
	},
	{
		words: []string{"depress", "anxi", "stress", "ptsd", "schizo", "smok", "addict", "alcohol", "opioid", "insomnia",
			"autism", "adhd", "mental", "nightmare", "vaping", "tobacco", "cannabis", "burnout", "suicid"},
		aim: "whether complaints become fewer and daily life easier",
		outcomes: []outcome{
			{"Change of the symptom score", "8 weeks", "A questionnaire filled in at home; a fall of >= 50% is a response."},
			{"Use of the program", "8 weeks", "Sessions finished [of those offered]."},
			{"Participants without relapse", "6 months", "By self-report and, where possible, by test."},
			{"Daily functioning", "12 weeks", "A scale from 0 to 40; higher means more trouble."},
		},
	},
	{
		words: []string{"skin", "dermat", "lupus", "psori", "hidraden", "rheum", "spondyl", "arthritis", "eczema", "systemic sclerosis", "scleroderm"},
		aim:   "whether inflammation and its signs decrease",
		outcomes: []outcome{
			{"Participants with clear or almost clear skin", "Week 16", "A score of 0 or 1 and a fall of >= 2 points."},
			{"Change of disease activity", "Week 52", "A composite score; lower is better."},
			{"Participants free of steroids", "Week 52", "Daily dose <= 5 mg at two visits* or more."},
		},
	},
	{
		words: []string{"alzheim", "parkinson", "migrain", "sclerosis", "dementia", "brain", "epilep", "narcolep", "headache",
			"cognit"},
		aim: "how thinking, movement or pain change over time",
		outcomes: []outcome{
			{"Change of the clinical rating", "18 months", "A scale from 0 to 18; higher is worse."},
			{"Days with headache per month", "Weeks 9 to 12", "From a diary; days with pain for >= 4 hours count."},
			{"Change of walking speed", "12 weeks", "Metres in a second over ten metres."},
		},
	},
	{
		words: []string{"disc", "spin", "lumbar", "back pain", "cervical", "arthr", "bone", "fusion", "scoliosis"},
		aim:   "whether pain falls, function returns and the spine stays stable",
		outcomes: []outcome{
			{"Change of the disability index", "24 months", "From 0 to 100; an improvement of >= 15 points is a success."},
			{"Fusion seen on imaging", "12 months", "Bridging bone and movement < 3 mm."},
			{"Pain score", "6 weeks, 6 and 12 months", "A line from 0 [none] to 10 [worst]."},
		},
	},
	{
		aim: "what changes for the participants and how safe it is",
		outcomes: []outcome{
			{"Participants with adverse events", "Through study completion, an average of 1 year", "Every unwanted event, related or not."},
			{"Change from baseline of the main measure", "12 weeks", "A change > 10% is counted as a change."},
			{"Satisfaction of the participants", "End of study", "Five answers from [not at all] to [very much]."},
		},
	},
}

// themeOf finds the field of a study by what it says about itself: first by its
// first condition, which is mostly the main one, then by all the rest.
func themeOf(s *study) theme {
	said := append(append([]string{}, s.conditions...), s.title)
	for _, m := range s.meshConditions {
		said = append(said, m.term)
	}
	for _, about := range []string{said[0], strings.Join(said, "\n")} {
		for _, t := range themes {
			if t.fits(strings.ToLower(about)) {
				return t
			}
		}
	}
	return themes[len(themes)-1]
}

func (t theme) fits(about string) bool {
	return slices.ContainsFunc(t.words, func(word string) bool { return strings.Contains(about, word) })
}
