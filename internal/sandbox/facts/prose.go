package facts

import (
	"fmt"
	"slices"
	"strings"
)

// The sentences of a record. They are composed from its facts, in a few variants
// that the study's number chooses, unless the facts file has them written by hand.

// escape writes plain text as the Markdown of the upstream does, which puts a
// backslash before the characters that Markdown would take for markup.
var escape = strings.NewReplacer(">", `\>`, "<", `\<`, "[", `\[`, "]", `\]`, "*", `\*`).Replace

func newDescriptions(s *study) *descriptions {
	if !s.has("description") {
		return nil
	}
	d := &descriptions{Brief: escape(s.summary), Detailed: escape(s.description)}
	if d.Brief == "" {
		d.Brief = escape(briefSummary(s))
	}
	if d.Detailed == "" && s.studyType != "" && pick(5, s.id, "detailed") < 3 {
		d.Detailed = detailedDescription(s)
	}
	return d
}

// briefSummary says in two to four sentences what is studied, how and by how many.
func briefSummary(s *study) string {
	about := enumerate(s.conditions, "other conditions")
	if about == "" {
		return "The sponsor has not published what this study is about."
	}
	sentences := []string{opening(s, about)}
	if how := howAssigned(s); how != "" {
		sentences = append(sentences, how)
	}
	return strings.Join(append(sentences, size(s)...), " ")
}

func opening(s *study, about string) string {
	t, given := themeOf(s), enumerate(names(s.interventions), "other interventions")
	switch {
	case s.studyType == "EXPANDED_ACCESS":
		return fmt.Sprintf("This program gives access to %s outside a trial, in the area of %s.", given, about)
	case s.studyType == "OBSERVATIONAL" && given == "":
		return variant(s, "opening",
			"This study observes people in ordinary care in the area of %[1]s and learns %[2]s.",
			"Without assigning any treatment, this study follows people in the area of %[1]s to learn %[2]s.",
			"Records and visits of people in the area of %[1]s are collected here to learn %[2]s.",
		)(about, t.aim)
	case s.studyType == "OBSERVATIONAL":
		return variant(s, "opening",
			"People who receive %[3]s in ordinary care are observed in the area of %[1]s, to learn %[2]s.",
			"This study looks at the use of %[3]s in the area of %[1]s. It collects what happens in ordinary care to learn %[2]s.",
		)(about, t.aim, given)
	case given == "":
		return variant(s, "opening", "This study in the area of %[1]s asks %[2]s.")(about, t.aim)
	}
	return variant(s, "opening",
		"This study tests %[3]s in %[1]s. It asks %[2]s.",
		"Does the use of %[3]s make a difference in %[1]s? The study team wants to learn %[2]s.",
		"The subject of this study is %[1]s. Participants are followed with %[3]s to learn %[2]s.",
		"In the area of %[1]s, this study examines %[3]s. Its main question is %[2]s.",
	)(about, t.aim, given)
}

// howAssigned says how participants come to their group and who knows which it is.
func howAssigned(s *study) string {
	known := map[string]string{
		"NONE":      "everyone knows which treatment is given",
		"SINGLE":    "one side does not know which treatment is given",
		"DOUBLE":    "two sides do not know which treatment is given",
		"TRIPLE":    "three sides do not know which treatment is given",
		"QUADRUPLE": "neither the participants nor those who treat, lead or assess know which treatment is given",
	}[s.masking]
	switch {
	case s.allocation == "RANDOMIZED" && known != "":
		return "Chance decides the group of each participant, and " + known + "."
	case s.allocation == "RANDOMIZED":
		return "Chance decides the group of each participant."
	case s.allocation == "NON_RANDOMIZED":
		return "Groups are formed by plan and not by chance."
	case s.model == "SINGLE_GROUP":
		return "All participants are in one group."
	}
	return ""
}

func size(s *study) []string {
	var said []string
	count := s.enrollment.count
	switch {
	case count == nil || *count > 10_000_000:
	case *count == 0:
		said = append(said, "Nobody was enrolled.")
	case s.enrollment.kind == "ACTUAL":
		said = append(said, fmt.Sprintf("In all, %d participants were enrolled.", *count))
	default:
		said = append(said, fmt.Sprintf("About %d participants are planned.", *count))
	}
	if where := countries(s); len(where) > 1 && pick(2, s.id, "where") == 0 {
		said = append(said, fmt.Sprintf("There are sites in %d countries, among them %s and %s.", len(where), article(where[0]), article(where[1])))
	}
	return said
}

// article puts "the" where English wants it before the name of a country.
func article(country string) string {
	if strings.HasPrefix(country, "United ") || country == "Netherlands" || country == "Russian Federation" {
		return "the " + country
	}
	return country
}

// detailedDescription explains the course of the study in short paragraphs.
func detailedDescription(s *study) string {
	paragraphs := []string{variant(s, "course",
		"After consent, a screening visit checks the criteria. Those who meet them start at the baseline visit.",
		"Screening comes first and takes up to four weeks (day -28 to day -1). Day 1 is the day of the first study procedure.",
		"Everyone is screened, then has a baseline visit, then regular visits until the end of follow-up.",
	)()}
	if len(s.interventions) > 0 {
		lines := []string{"What the study gives or does:"}
		for _, i := range s.interventions[:min(len(s.interventions), 6)] {
			lines = append(lines, "* "+escape(fmt.Sprintf("%s [%s]", i.name, strings.ToLower(typeLabel(i.kind)))))
		}
		paragraphs = append(paragraphs, lines[0]+"\n\n"+strings.Join(lines[1:], "\n"))
	}
	paragraphs = append(paragraphs, escape(variant(s, "safety",
		"Safety is watched throughout. Events of grade >= 3 are reported within one day, all others at the next visit.",
		"A visit may be moved by < 7 days. Visits marked with * can be held by telephone.",
		"Samples with a value < the limit of detection are counted as [not detected].",
		"The analysis counts everyone in the group to which they were assigned.",
	)()))
	return strings.Join(paragraphs, "\n\n")
}

func newArms(s *study) *arms {
	if len(s.interventions) == 0 && len(s.arms) == 0 {
		return nil
	}
	all := &arms{}
	for _, i := range s.interventions {
		all.Interventions = append(all.Interventions, intervention{Type: i.kind, Name: i.name})
	}
	for _, a := range s.arms {
		g := armGroup{Label: a.label, Type: a.kind}
		for _, n := range a.interventions {
			i := &all.Interventions[n-1]
			i.Arms = append(i.Arms, a.label)
			g.Interventions = append(g.Interventions, typeLabel(i.Type)+": "+i.Name)
		}
		all.Groups = append(all.Groups, g)
	}
	return all
}

func newOutcomes(s *study) *outcomesModule {
	if !s.has("outcomes") || s.studyType == "EXPANDED_ACCESS" {
		return nil
	}
	primary, secondary := s.primaryOutcomes, s.secondaryOutcomes
	if len(primary) == 0 {
		t := themeOf(s)
		first := pick(len(t.outcomes), s.id, "outcome")
		turned := append(slices.Clone(t.outcomes[first:]), t.outcomes[:first]...)
		primary, secondary = turned[:1], turned[1:1+pick(len(turned), s.id, "outcomes")]
	}
	return &outcomesModule{outcomeRecords(primary), outcomeRecords(secondary)}
}

func outcomeRecords(all []outcome) []outcomeRecord {
	var records []outcomeRecord
	for _, o := range all {
		records = append(records, outcomeRecord{o.measure, escape(o.description), o.timeFrame})
	}
	return records
}

func newEligibility(s *study) *eligibility {
	if !s.has("eligibility") {
		return nil
	}
	e := &eligibility{
		Criteria:   criteria(s),
		Healthy:    s.healthy,
		Sex:        s.sex,
		MinimumAge: s.ages.minimum,
		MaximumAge: s.ages.maximum,
		StdAges:    stdAges(s.ages),
		Sampling:   s.sampling,
	}
	if s.studyType == "OBSERVATIONAL" {
		e.Population = "People seen at the sites of the study in the area of " + enumerate(s.conditions, "other conditions") + "."
	}
	return e
}

// criteria lists who can take part. What the facts do not say is said in general
// terms, so that no limit is invented.
func criteria(s *study) string {
	included, excluded := s.inclusion, s.exclusion
	if len(included) == 0 {
		included = []string{"Diagnosis, risk or interest in the area of " + enumerate(s.conditions, "other conditions")}
		if isTrue(s.healthy) {
			included[0] = "In good health by history and examination, or affected in the area of " + enumerate(s.conditions, "other conditions")
		}
		switch a := s.ages; {
		case a.minimum != "" && a.maximum != "":
			included = append(included, fmt.Sprintf("Age >= %s and <= %s", a.minimum, a.maximum))
		case a.minimum != "":
			included = append(included, "Age >= "+a.minimum)
		case a.maximum != "":
			included = append(included, "Age <= "+a.maximum)
		}
		included = append(included, variant(s, "consent",
			"Written consent [or consent of a parent or guardian] has been given",
			"Able to understand the study and to consent [where needed, through a legal representative]",
			"Willing to come to the visits of the study*")())
	}
	if len(excluded) == 0 {
		excluded = []string{
			variant(s, "exclusion", "Takes part in another interventional study [within the last 30 days]",
				"Known hypersensitivity to anything that the study gives", "Cannot be followed for the length of the study")(),
			variant(s, "judgement", "Anything that, in the judgement of the study team*, makes taking part unsafe",
				"Another serious illness that would hide the effect of the study")(),
		}
		if s.sex != "MALE" && len(s.interventions) > 0 && years(s.ages.maximum, 200) >= 12 {
			excluded = append(excluded, "Pregnant or breastfeeding, where this would be a risk")
		}
	}
	return "Inclusion Criteria:\n\n" + bullets(included) + "\n\nExclusion Criteria:\n\n" + bullets(excluded)
}

func bullets(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString("* " + escape(line))
	}
	return b.String()
}

// variant chooses one of several templates by the study's number.
func variant(s *study, salt string, templates ...string) func(args ...any) string {
	template := templates[pick(len(templates), s.id, salt)]
	return func(args ...any) string {
		if len(args) == 0 {
			return template
		}
		return strings.TrimSpace(fmt.Sprintf(template, args...))
	}
}

func names(items []item) []string {
	var all []string
	for _, i := range items {
		all = append(all, i.name)
	}
	return all
}

// enumerate writes the first names and counts the rest, if they are several.
func enumerate(names []string, rest string) string {
	const limit = 3
	if more := len(names) - limit; more > 1 {
		return fmt.Sprintf("%s and %d %s", strings.Join(names[:limit], ", "), more, rest)
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
