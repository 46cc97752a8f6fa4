package facts

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	factsFile   = "trials.yaml"
	recordsFile = "../data/studies.jsonl"
)

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func render(t *testing.T) []byte {
	t.Helper()
	records, err := Studies(readFile(t, factsFile))
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// decode reads the committed records with nothing but the fields of record.
func decode(t *testing.T) []record {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(readFile(t, recordsFile)))
	decoder.DisallowUnknownFields()
	var all []record
	for decoder.More() {
		var r record
		if err := decoder.Decode(&r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

func TestRecordsAreFresh(t *testing.T) {
	rendered := render(t)
	if !bytes.Equal(rendered, readFile(t, recordsFile)) {
		t.Errorf("%s is not what %s says; run: go run ./internal/sandbox/facts/generate", recordsFile, factsFile)
	}
	if !bytes.Equal(rendered, render(t)) {
		t.Error("the same facts gave other bytes the second time")
	}
	if len(rendered) > 1_200_000 {
		t.Errorf("the records take %d bytes, more than the program should carry", len(rendered))
	}
}

func TestMistakesAreRefusedWithTheirLine(t *testing.T) {
	const good = `version: 2026-01-02
studies:
- id: NCT00000001
  title: A Study
  status: COMPLETED
  type: INTERVENTIONAL
  phases: [PHASE1]
  sponsor: Someone | OTHER
`
	if _, err := Studies([]byte(good)); err != nil {
		t.Fatal(err)
	}
	observational := strings.Replace(strings.Replace(good, "INTERVENTIONAL", "OBSERVATIONAL", 1), "  phases: [PHASE1]\n", "", 1)
	tests := []struct{ name, source, want string }{
		{"unknown key", good + "  statuss: COMPLETED\n", `study NCT00000001: line 9: unknown key "statuss"`},
		{"key twice", good + "  title: Again\n", `line 9: key "title" stands twice`},
		{"null", good + "  acronym:\n", "acronym: line 9: a text is expected here"},
		{"empty text", good + "  acronym: \"\"\n", "acronym: line 9: a text is expected here"},
		{"empty list", good + "  conditions: []\n", "conditions: line 9: a list of at least one item"},
		{"bad id", strings.Replace(good, "NCT00000001", "NCT1", 1), `line 3: "NCT1" is not an NCT number`},
		{"bad status", strings.Replace(good, "COMPLETED", "DONE", 1), `status: line 5: "DONE" is not one of ACTIVE_NOT_RECRUITING, `},
		{"bad phase", strings.Replace(good, "PHASE1", "PHASE9", 1), `phases: line 7: "PHASE9" is not one of NA, `},
		{"bad class", strings.Replace(good, "| OTHER", "| PRIVATE", 1), `sponsor: line 8: "PRIVATE" is not one of NIH, `},
		{"no class", strings.Replace(good, " | OTHER", "", 1), "sponsor: line 8: 2 to 2 columns between bars"},
		{"bad date", good + "  start: 2024-02-30\n", `start: line 9: "2024-02-30" is not a date`},
		{"bad date word", good + "  start: 2024-02 anticipated\n", `start: line 9: "2024-02 anticipated" is not a date`},
		{"bad version", strings.Replace(good, "2026-01-02", "2026-01", 1), `version: line 1: "2026-01" is not a date`},
		{"bad age", good + "  ages: adults\n", `ages: line 9: "adults" is not like`},
		{"bad flag", good + "  healthy: maybe\n", "healthy: line 9: true or false"},
		{"bad count", good + "  enrollment: {count: many}\n", `enrollment: count: line 9: "many" is not a count`},
		{"no count", good + "  enrollment: {type: ACTUAL}\n", "enrollment: line 9: enrollment needs a count"},
		{"bad PMID", good + "  pmids:\n  - \"012\"\n", `pmids: line 10: "012" is not a PMID`},
		{"bad MeSH id", good + "  mesh_conditions:\n  - X1 | Asthma\n", `line 10: "X1" is not a MeSH id`},
		{"bad intervention", good + "  interventions:\n  - PILL | Sugar\n", `line 10: "PILL" is not one of`},
		{"bad site status", good + "  sites:\n  - A | B | | | France | WITHHELD\n", `sites: line 10: "WITHHELD" is not one of`},
		{"site without country", good + "  sites:\n  - A | B\n", "sites: line 10: a site needs a country"},
		{"bad contact", good + "  sites:\n  - A | B | | | France | | doctor\n", `sites: line 10: "doctor" is not one of person`},
		{"arm of nothing", good + "  arms:\n  - OTHER | A | 1\n", "line 3: the arm A names an intervention"},
		{"phases missing", strings.Replace(good, "  phases: [PHASE1]\n", "", 1), "line 3: phases belong to"},
		{"phases combined", strings.Replace(good, "PHASE1", "PHASE1, PHASE3", 1), "line 3: the only combined phases"},
		{"unknown without last status", strings.Replace(good, "COMPLETED", "UNKNOWN", 1), "line 3: last_known_status"},
		{"available trial", strings.Replace(good, "COMPLETED", "AVAILABLE", 1), "line 3: the status AVAILABLE belongs"},
		{"masked observation", observational + "  masking: DOUBLE\n", "line 3: allocation, masking and purpose"},
		{"model", good + "  model: COHORT\n", "line 3: model COHORT is not one of an interventional study"},
		{"results of nobody", good + "  results: true\n", "line 3: results need an enrollment"},
		{"posted without results", good + "  results_posted: 2020-01-01\n", "line 3: results_posted and flow"},
		{"no sponsor", strings.Replace(good, "  sponsor: Someone | OTHER\n", "", 1), "line 3: id, title, status and sponsor"},
		{"no id", "version: 2026-01-02\nstudies:\n- title: A\n", "study without id: line 3"},
		{"id twice", good + good[strings.Index(good, "- id"):], "line 9: NCT00000001 already belongs to study NCT00000001"},
		{"alias taken", good + "  aliases: [NCT00000001]\n", "line 3: NCT00000001 already belongs"},
		{"no studies", "version: 2026-01-02\n", "the file must have the keys version and studies"},
		{"empty", "", "the file is empty"},
		{"not a study", "version: 2026-01-02\nstudies:\n- NCT00000001\n", "line 3: keys and values are expected"},
		{"not YAML", "version: [\n", "line "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Studies([]byte(tt.source))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
	_, err := Studies([]byte(good + "  statuss: COMPLETED\n"))
	if mistake := (*lineError)(nil); !errors.As(err, &mistake) || mistake.line != 9 {
		t.Errorf("%v does not carry its line", err)
	}
}

// TestNothingIsEmpty holds what the upstream holds: no null, no empty text, list or object.
func TestNothingIsEmpty(t *testing.T) {
	for line := range bytes.Lines(readFile(t, recordsFile)) {
		for _, empty := range []string{"null", `""`, "[]", "{}"} {
			if value := regexp.MustCompile(`[:\[,]` + regexp.QuoteMeta(empty) + `[,\]}]`).Find(line); value != nil {
				t.Errorf("%.80s has %s", line, value)
			}
		}
	}
}

func TestPeopleAreInvented(t *testing.T) {
	var contacts []contact
	for _, r := range decode(t) {
		if l := r.Protocol.Locations; l != nil {
			contacts = append(contacts, l.Central...)
			for _, place := range l.Locations {
				contacts = append(contacts, place.Contacts...)
			}
		}
	}
	if len(contacts) < 300 {
		t.Errorf("only %d contacts", len(contacts))
	}
	phone := regexp.MustCompile(`^(\+?\d{2,3}[ -])?555-01\d\d$`)
	for _, c := range contacts {
		if c.Phone != "" && !phone.MatchString(c.Phone) {
			t.Errorf("%q may be somebody's phone", c.Phone)
		}
		if c.Email != "" && !strings.HasSuffix(c.Email, "@example.org") {
			t.Errorf("%q may be somebody's address", c.Email)
		}
		if given, rest, _ := strings.Cut(c.Name, " "); c.Name != "" {
			family, _, _ := strings.Cut(rest, ",")
			if !slices.Contains(givenNames, given) || !slices.Contains(familyNames, family) {
				t.Errorf("%q is not from the lists of invented names", c.Name)
			}
		}
	}
}

// TestCoverage asserts that the data set holds every kind of record that a tool or a
// test of this project may want to meet.
func TestCoverage(t *testing.T) {
	all := decode(t)
	if len(all) < 110 {
		t.Errorf("only %d studies", len(all))
	}
	seen := map[string]int{}
	for _, r := range all {
		for _, kind := range kinds(r) {
			seen[kind]++
		}
	}
	var wanted []string
	for prefix, words := range map[string][]string{
		"status ":       statuses,
		"last known ":   {"RECRUITING"},
		"phase ":        append(slices.Clone(phases), "PHASE1+PHASE2", "PHASE2+PHASE3", "absent"),
		"type ":         append(slices.Clone(studyTypes), "absent"),
		"access ":       accessTypes,
		"allocation ":   allocations,
		"model ":        append(slices.Clone(interventionalModels), "COHORT", "CASE_ONLY", "OTHER"),
		"masking ":      maskings,
		"site ":         append(slices.Clone(siteStatuses), "without status", "without facility", "without contact"),
		"contact ":      {"role only", "extension", "without name", "investigator", "whole"},
		"healthy ":      {"true", "false", "absent"},
		"start ":        {"yyyy", "yyyy-MM", "yyyy-MM-dd", "without type"},
		"secondary ":    {"EUDRACT_NUMBER", "CTIS", "REGISTRY", "OTHER", "NIH", "without type"},
		"number ":       {"EudraCT", "CTIS typed EUDRACT_NUMBER", "CTIS typed REGISTRY", "CTIS typed OTHER", "ISRCTN", "UTN"},
		"mesh ":         {"padded", "plain"},
		"enrollment ":   {"absent", "0", "99999999", "without type"},
		"sites ":        {"0", "1", "20", "300"},
		"without ":      {"official title", "description", "outcomes", "conditions", "ages", "locations"},
		"ages ":         {"both", "minimum", "maximum", "months"},
		"intervention ": interventionTypes[:8],
		"markup ":       {`\>`, `\<`, `\[`, `\]`, `\*`},
		"city ":         {"Boston, Massachusetts", "Portland, Oregon", "Portland, Maine", "Paris, France"},
		"": {"results", "aliases", "why stopped", "30 conditions", "30 interventions",
			"central contacts and no site contact", "references", "collaborators", "sandbox example",
			"melanoma PHASE2", "melanoma PHASE3", "melanoma PHASE2+PHASE3", "breast cancer immunotherapy",
			"insulin for diabetes, recruiting", "heart disease in Boston"},
	} {
		for _, w := range words {
			wanted = append(wanted, prefix+w)
		}
	}
	slices.Sort(wanted)
	for _, kind := range wanted {
		if seen[kind] == 0 {
			t.Errorf("no study with: %s", kind)
		}
	}
}

// kinds lists what a record is an example of.
func kinds(r record) []string {
	var k []string
	add := func(condition bool, kind string) {
		if condition {
			k = append(k, kind)
		}
	}
	p := r.Protocol
	add(true, "status "+p.Status.Overall)
	add(p.Status.LastKnown != "", "last known "+p.Status.LastKnown)
	add(p.Status.WhyStopped != "", "why stopped")
	add(r.HasResults && r.Results != nil, "results")
	add(len(p.Identification.Aliases) > 0, "aliases")
	add(p.Identification.OfficialTitle == "", "without official title")
	add(strings.HasPrefix(p.Identification.BriefTitle, "Sandbox example: "), "sandbox example")
	add(p.Description == nil, "without description")
	add(p.Outcomes == nil, "without outcomes")
	add(p.Conditions == nil, "without conditions")
	add(p.Locations == nil, "without locations")
	add(p.References != nil, "references")
	add(len(p.Sponsors.Collaborators) > 0, "collaborators")
	if d := p.Status.Start; d != nil {
		add(true, "start "+"yyyy-MM-dd"[:len(d.Date)])
		add(d.Type == "", "start without type")
	}
	k = append(k, designKinds(p.Design)...)
	k = append(k, numberKinds(p.Identification.SecondaryIDs)...)
	k = append(k, placeKinds(p.Locations)...)
	k = append(k, subjectKinds(p)...)
	if e := p.Eligibility; e != nil {
		add(e.Healthy == nil, "healthy absent")
		add(e.Healthy != nil && *e.Healthy, "healthy true")
		add(e.Healthy != nil && !*e.Healthy, "healthy false")
		add(e.MinimumAge == "" && e.MaximumAge == "", "without ages")
		add(e.MinimumAge != "" && e.MaximumAge != "", "ages both")
		add(e.MinimumAge != "" && e.MaximumAge == "", "ages minimum")
		add(e.MinimumAge == "" && e.MaximumAge != "", "ages maximum")
		add(strings.Contains(e.MinimumAge, "Month"), "ages months")
		for _, escaped := range []string{`\>`, `\<`, `\[`, `\]`, `\*`} {
			add(p.Description != nil && strings.Contains(e.Criteria+p.Description.Brief+p.Description.Detailed, escaped), "markup "+escaped)
		}
	}
	for _, b := range []*browse{r.Derived.Conditions, r.Derived.Interventions} {
		for i := 0; b != nil && i < len(b.Meshes); i++ {
			padded := len(b.Meshes[i].ID) == 10 && b.Meshes[i].ID[1:4] == "000" && b.Meshes[i].ID < "D000066331"
			add(padded, "mesh padded")
			add(len(b.Meshes[i].ID) == 7, "mesh plain")
		}
	}
	return k
}

func designKinds(d *design) []string {
	if d == nil {
		return []string{"type absent"}
	}
	phase := strings.Join(d.Phases, "+")
	if phase == "" {
		phase = "absent"
	}
	k := []string{"type " + d.StudyType, "phase " + phase}
	for access := range d.AccessTypes {
		k = append(k, "access "+access)
	}
	if i := d.Info; i != nil {
		k = append(k, "allocation "+i.Allocation, "model "+i.InterventionalModel, "model "+i.ObservationalModel)
		if i.Masking != nil {
			k = append(k, "masking "+i.Masking.Masking)
		}
	}
	switch e := d.Enrollment; {
	case e == nil:
		k = append(k, "enrollment absent")
	case e.Type == "":
		k = append(k, "enrollment without type")
	case e.Count == 0:
		k = append(k, "enrollment 0")
	case e.Count == 99999999:
		k = append(k, "enrollment 99999999")
	}
	return k
}

func numberKinds(ids []secondaryID) []string {
	var k []string
	forms := map[string]*regexp.Regexp{
		"EudraCT": regexp.MustCompile(`^20\d\d-\d{6}-\d{2}$`),
		"CTIS":    regexp.MustCompile(`^20\d\d-5\d{5}-\d{2}(-00)?$`),
		"ISRCTN":  regexp.MustCompile(`^ISRCTN\d{8}$`),
		"UTN":     regexp.MustCompile(`^U1111-\d{4}-\d{4}$`),
	}
	for _, id := range ids {
		kind := id.Type
		if kind == "" {
			kind = "without type"
		}
		k = append(k, "secondary "+kind)
		for name, form := range forms {
			if form.MatchString(id.ID) {
				k = append(k, "number "+name, "number "+name+" typed "+kind)
			}
		}
	}
	return k
}

func placeKinds(l *locations) []string {
	if l == nil {
		return []string{"sites 0"}
	}
	var k []string
	switch n := len(l.Locations); {
	case n == 0 || n == 1:
		k = append(k, "sites "+string(rune('0'+n)))
	case n >= 18 && n <= 22:
		k = append(k, "sites 20")
	case n >= 300:
		k = append(k, "sites 300")
	}
	contacts := 0
	for _, place := range l.Locations {
		contacts += len(place.Contacts)
		k = append(k, "city "+place.City+", "+place.State, "city "+place.City+", "+place.Country, "site "+place.Status)
		if place.Status == "" {
			k = append(k, "site without status")
		}
		if place.Facility == "" {
			k = append(k, "site without facility")
		}
		if len(place.Contacts) == 0 {
			k = append(k, "site without contact")
		}
		for _, c := range place.Contacts {
			k = append(k, "contact "+contactKind(c))
		}
	}
	if len(l.Central) > 0 && contacts == 0 {
		k = append(k, "central contacts and no site contact")
	}
	return k
}

func contactKind(c contact) string {
	switch {
	case c == contact{Role: c.Role}:
		return "role only"
	case c.PhoneExt != "":
		return "extension"
	case c.Name == "":
		return "without name"
	case c.Role == "PRINCIPAL_INVESTIGATOR":
		return "investigator"
	}
	return "whole"
}

func subjectKinds(p protocol) []string {
	var k []string
	about := strings.ToLower(p.Identification.BriefTitle)
	if p.Conditions != nil {
		about += strings.ToLower(strings.Join(append(slices.Clone(p.Conditions.Conditions), p.Conditions.Keywords...), " "))
		if len(p.Conditions.Conditions) == 30 {
			k = append(k, "30 conditions")
		}
	}
	if p.Arms != nil {
		if len(p.Arms.Interventions) == 30 {
			k = append(k, "30 interventions")
		}
		for _, i := range p.Arms.Interventions {
			k = append(k, "intervention "+i.Type)
			if strings.Contains(about, "diabetes") && strings.Contains(i.Name, "Insulin") && p.Status.Overall == "RECRUITING" {
				k = append(k, "insulin for diabetes, recruiting")
			}
		}
	}
	if p.Design != nil && strings.Contains(about, "melanoma") {
		k = append(k, "melanoma "+strings.Join(p.Design.Phases, "+"))
	}
	if strings.Contains(about, "breast cancer") && strings.Contains(about, "immunotherapy") {
		k = append(k, "breast cancer immunotherapy")
	}
	if p.Locations != nil && strings.Contains(about, "heart disease") &&
		slices.ContainsFunc(p.Locations.Locations, func(l location) bool { return l.City == "Boston" }) {
		k = append(k, "heart disease in Boston")
	}
	return k
}

// TestNamedStudies keeps the studies that documents and examples name.
func TestNamedStudies(t *testing.T) {
	title := map[string]string{}
	for _, r := range decode(t) {
		title[r.Protocol.Identification.NCTID] = r.Protocol.Identification.BriefTitle
	}
	for id, part := range map[string]string{
		"NCT00461032": "Montelukast Back to School Asthma Study",
		"NCT01100827": "Epidemiology",
		"NCT01131676": "EMPA-REG OUTCOME",
		"NCT01206062": "SPRINT",
		"NCT01234567": "Sandbox example: ",
		"NCT01764633": "PCSK9 Inhibition",
		"NCT01772472": "KATHERINE",
		"NCT02142738": "KEYNOTE-024",
		"NCT02300909": "dHACM",
		"NCT03036124": "Dapagliflozin",
		"NCT03103880": "Asthma",
		"NCT03887455": "Lecanemab",
		"NCT04123456": "Sandbox example: ",
		"NCT04184622": "Tirzepatide",
		"NCT04280705": "ACTT",
		"NCT04368728": "RNA Vaccine Candidates",
		"NCT04381936": "Randomised Evaluation",
		"NCT04470427": "mRNA-1273",
		"NCT05436431": "Sandbox example: ",
	} {
		if !strings.Contains(title[id], part) {
			t.Errorf("%s is %q, want a title with %q", id, title[id], part)
		}
	}
}
