package trials_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/mappingtest"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/sandbox"
)

// realRecord is a record of the corpus, or an embedded one. Tests name records and fields, never their contents, which are about real
// people.
type realRecord struct {
	id    string
	study ctgov.Study
	raw   map[string]any
}

// realRecords returns records of some files, of real ones a sample in short tests.
func realRecords(t testing.TB, names ...string) (records []realRecord) {
	t.Helper()
	files := expect.Trials(names...)
	for _, path := range files.Paths {
		for n, line := range expect.Lines(t, path) {
			if files.Real && !expect.All() && n%8 > 0 {
				continue
			}
			var r realRecord
			expect.NoErrorf(t, errors.Join(json.Unmarshal(line, &r.study), json.Unmarshal(line, &r.raw)), "%s:%d", path, n+1)
			r.id = textAt(r.raw, "protocolSection", "identificationModule", "nctId")
			records = append(records, r)
		}
	}
	expect.Must(t, len(records) >= 389 || !expect.All() || !files.Real, "only %d real records", len(records))
	return records
}

// allRecords returns the records of all files.
func allRecords(t testing.TB) []realRecord {
	t.Helper()
	return realRecords(t, "studies", "results", "more")
}

// TestCorpusLosesNothing compares candidates and sites with an independent reading
// of the same JSON. Whole trials are read through the tools, in e2e.
func TestCorpusLosesNothing(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	for _, r := range realRecords(t, "studies") {
		m, err := mapStudy(&r.study)
		if err != nil {
			t.Errorf("%s: %v", r.id, err)
			continue
		}
		for _, p := range problems(t, m) {
			t.Errorf("%s: %s", r.id, p)
		}
		mappingtest.Differ(t, r.id, "candidate", wantCandidate(r.raw, m.Candidate.BriefSummary), mappingtest.PlainJSON(t, m.Candidate))
		sites := wantSites(r.raw)
		if len(sites) != len(m.Locations) {
			t.Errorf("%s: %d sites of %d", r.id, len(m.Locations), len(sites))
			continue
		}
		for i, want := range sites {
			mappingtest.Differ(t, r.id, fmt.Sprintf("site %d", i), want, mappingtest.PlainJSON(t, m.Locations[i]))
		}
	}
}

// TestCorpusCrossReferences checks the ids of all real records against the
// patterns of the schema, which leave out what does not match: no PMID and no
// MeSH id may be lost to a pattern.
func TestCorpusCrossReferences(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	records := allRecords(t)
	reports, background := 0, 0
	for _, r := range records {
		trial, err := trials.Trial(&r.study)
		if err != nil {
			t.Errorf("%s: %v", r.id, err)
			continue
		}
		for _, p := range mappingtest.Check(t, "trial", trial) {
			t.Errorf("%s: %s", r.id, p)
		}
		p := r.raw["protocolSection"]
		id := at(p, "identificationModule")
		mappingtest.Differ(t, r.id, "cross_references", mappingtest.Object(
			"clinicaltrials_gov", "https://clinicaltrials.gov/study/"+r.id,
			"pubmed", wantPMIDs(p, func(kind string) bool { return kind != "BACKGROUND" }),
			"pubmed_background", wantPMIDs(p, func(kind string) bool { return kind == "BACKGROUND" }),
			"mesh_conditions", wantMeSH(r.raw, "conditionBrowseModule"),
			"mesh_interventions", wantMeSH(r.raw, "interventionBrowseModule"),
			"eudract", wantRegistry(id, "eudract"), "ctis", wantRegistry(id, "ctis"),
			"isrctn", wantRegistry(id, "isrctn"), "who_utn", wantRegistry(id, "who_utn")), mappingtest.PlainJSON(t, trial.CrossReferences))
		reports, background = reports+len(trial.CrossReferences.PubMed), background+len(trial.CrossReferences.PubMedBackground)
	}
	t.Logf("%d records: %d PMIDs of publications, %d of background", len(records), reports, background)
}

func TestCorpusFieldsAreEnough(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	records := realRecords(t, "studies")
	upstream, err := sandbox.Open(t.Context(), expect.Trials("studies").Folder(t))
	expect.NoError(t, err)
	for _, tt := range projections {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for part := range slices.Chunk(records, 100) {
				var ids []string
				full := map[string]*ctgov.Study{}
				for i := range part {
					ids, full[part[i].id] = append(ids, part[i].id), &part[i].study
				}
				for _, s := range projected(t, upstream, ids, tt.fields) {
					id := s.ProtocolSection.IdentificationModule.NctId
					expect.That(t, gocmp.Equal(tt.read(full[id]), tt.read(&s)),
						"%s: the record cut to its fields maps to something else", id)
				}
			}
		})
	}
}

func TestCorpusCandidatesAreSmall(t *testing.T) {
	t.Parallel()
	var sizes []int
	for _, r := range realRecords(t, "studies") {
		c, err := trials.TrialCandidate(&r.study)
		expect.Must(t, err == nil, "%s: %v", r.id, err)
		sizes = append(sizes, len(bytes.TrimSpace(mappingtest.Encode(t, c, ""))))
		if n := len([]rune(c.BriefSummary)); n > 300 {
			t.Errorf("%s: summary of %d characters", r.id, n)
		}
	}
	slices.Sort(sizes)
	median := sizes[len(sizes)/2]
	t.Logf("the median candidate has %d bytes", median)
	if median >= 800 {
		t.Errorf("the median candidate has %d bytes", median)
	}
}

// at returns the value at a path in raw JSON; nil if the path does not exist.
func at(v any, path ...string) any {
	for _, step := range path {
		object, _ := v.(map[string]any)
		v = object[step]
	}
	return v
}

func list(v any, path ...string) []any {
	items, _ := at(v, path...).([]any)
	return items
}

// references replaces the character references of HTML that the real records have.
var references = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "&#39;", "'")

// textAt returns a text of the raw record without the characters that are removed from every text.
func textAt(v any, path ...string) string {
	s, _ := at(v, path...).(string)
	var out []rune
	for _, r := range references.Replace(references.Replace(s)) {
		if !mappingtest.Unwanted(r) {
			out = append(out, r)
		}
	}
	return strings.TrimSpace(string(out))
}

// unescaped returns a text without the backslash before each sign.
func unescaped(v any, path ...string) string {
	s := textAt(v, path...)
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
			i++
		}
		out = append(out, s[i])
	}
	return string(out)
}

// mapPresent maps every item and leaves out nil results.
func mapPresent(items []any, read func(any) any) []any {
	var out []any
	for _, item := range items {
		if v := read(item); v != nil && v != "" {
			out = append(out, v)
		}
	}
	return out
}

func name(item any) any { return textAt(item, "name") }

func identity(item any) any { return textAt(item) }

func CURIE(item any) any { return "NCT:" + textAt(item)[3:] }

func wantPhases(p any) (first, all any) {
	phases := mapPresent(list(p, "designModule", "phases"), identity)
	if len(phases) > 0 {
		first = phases[0]
	}
	if len(phases) > 1 {
		all = phases
	}
	return first, all
}

func wantCandidate(raw map[string]any, cut string) any {
	p := raw["protocolSection"]
	first, all := wantPhases(p)
	summary := unescaped(p, "descriptionModule", "briefSummary")
	if begin, ok := strings.CutSuffix(cut, "…"); ok && len([]rune(summary)) > 300 && len(begin) > 200 && strings.HasPrefix(summary, begin) {
		summary = cut // where exactly is for the tests of entity.Cut
	}
	return mappingtest.Object(
		"id", CURIE(at(p, "identificationModule", "nctId")),
		"title", wantTitle(p),
		"brief_summary", summary,
		"phase", first, "phases", all,
		"status", textAt(p, "statusModule", "overallStatus"),
		"conditions", mapPresent(list(p, "conditionsModule", "conditions"), identity),
		"interventions", mappingtest.Distinct(mapPresent(list(p, "armsInterventionsModule", "interventions"), name)),
		"lead_sponsor", textAt(p, "sponsorCollaboratorsModule", "leadSponsor", "name"),
		"start_date", textAt(p, "statusModule", "startDateStruct", "date"),
		"enrollment", wantEnrollment(p),
		"has_results", raw["hasResults"],
		"why_stopped", unescaped(p, "statusModule", "whyStopped"),
	)
}

func wantEnrollment(p any) any {
	count := at(p, "designModule", "enrollmentInfo", "count")
	if count == float64(99999999) {
		return nil
	}
	return count
}

func wantTitle(p any) string {
	return cmp.Or(textAt(p, "identificationModule", "officialTitle"), textAt(p, "identificationModule", "briefTitle"))
}

func wantPhone(contact any) string {
	phone, extension := textAt(contact, "phone"), textAt(contact, "phoneExt")
	if phone != "" && extension != "" {
		return phone + " x" + extension
	}
	return phone
}

// wantPMIDs finds the references of some types. In the corpus none is of two.
func wantPMIDs(p any, included func(kind string) bool) []any {
	return mappingtest.Distinct(mapPresent(list(p, "referencesModule", "references"), func(r any) any {
		if !included(textAt(r, "type")) {
			return nil
		}
		return textAt(r, "pmid")
	}))
}

// wantMeSH returns the numbers of a browse module in the form of MeSH.
func wantMeSH(raw map[string]any, module string) []any {
	return mappingtest.Distinct(mapPresent(list(raw, "derivedSection", module, "meshes"), func(m any) any {
		id := textAt(m, "id")
		if id == "" {
			return nil
		}
		number, err := strconv.Atoi(id[1:])
		if err != nil {
			return "no MeSH id"
		}
		if id[0] == 'D' && number <= 66330 || id[0] == 'C' && number <= 584933 {
			return fmt.Sprintf("%c%06d", id[0], number)
		}
		return fmt.Sprintf("%c%09d", id[0], number)
	}))
}

var registryParts = regexp.MustCompile(`[A-Za-z0-9]+(-[A-Za-z0-9]+)*`)

// wantRegistry returns the ids of a registry by the form of their parts.
func wantRegistry(id any, registry string) []any {
	digits := func(s string, n int) bool { return len(s) == n && strings.Trim(s, "0123456789") == "" }
	return mappingtest.Distinct(mapPresent(list(id, "secondaryIdInfos"), func(info any) any {
		for _, word := range registryParts.FindAllString(textAt(info, "id"), -1) {
			p := strings.Split(word, "-")
			is := ""
			switch {
			case len(p) >= 3 && digits(p[0], 4) && digits(p[1], 6) && digits(p[2], 2):
				is = "eudract"
				if p[1][0] == '5' {
					is = "ctis"
				}
			case len(p) == 3 && p[0] == "U1111":
				is = "who_utn"
			case strings.HasPrefix(word, "ISRCTN"):
				is = "isrctn"
			}
			if is == registry {
				return word
			}
		}
		return nil
	}))
}

func wantContact(c any) any {
	return mappingtest.Object("name", textAt(c, "name"), "phone", wantPhone(c), "email", textAt(c, "email"), "role", textAt(c, "role"))
}

// wantContacts returns the contacts of a site, or its investigators with a name only.
func wantContacts(site any, investigators bool) []any {
	return mapPresent(list(site, "contacts"), func(c any) any {
		reach := textAt(c, "phone") + textAt(c, "email")
		investigator := strings.HasSuffix(textAt(c, "role"), "_INVESTIGATOR") && reach == ""
		if investigator != investigators || reach+textAt(c, "name") == "" {
			return nil
		}
		return wantContact(c)
	})
}

func wantSites(raw map[string]any) []any {
	var sites []any
	for _, l := range list(raw, "protocolSection", "contactsLocationsModule", "locations") {
		var first any
		if contacts := list(l, "contacts"); len(contacts) > 0 {
			first = contacts[0]
		}
		sites = append(sites, mappingtest.Object(
			"facility_name", textAt(l, "facility"), "city", textAt(l, "city"), "state", textAt(l, "state"),
			"country", textAt(l, "country"), "zip", textAt(l, "zip"), "recruitment_status", textAt(l, "status"),
			"contact_name", textAt(first, "name"), "contact_phone", wantPhone(first), "contact_email", textAt(first, "email"),
			"contacts", wantContacts(l, false), "investigators", wantContacts(l, true),
			"latitude", at(l, "geoPoint", "lat"), "longitude", at(l, "geoPoint", "lon"),
		))
	}
	return sites
}
