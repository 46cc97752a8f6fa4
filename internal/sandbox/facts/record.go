package facts

import (
	"slices"
	"strconv"
	"strings"
)

// A record in the upstream's shape. Only what the facts can fill is here; a field
// without a fact is left out, because the upstream has no null and no empty text.
type (
	record struct {
		Protocol   protocol `json:"protocolSection"`
		Results    *results `json:"resultsSection,omitempty"`
		Derived    derived  `json:"derivedSection"`
		HasResults bool     `json:"hasResults"`
	}
	protocol struct {
		Identification identification  `json:"identificationModule"`
		Status         statusModule    `json:"statusModule"`
		Sponsors       sponsors        `json:"sponsorCollaboratorsModule"`
		Description    *descriptions   `json:"descriptionModule,omitempty"`
		Conditions     *conditions     `json:"conditionsModule,omitempty"`
		Design         *design         `json:"designModule,omitempty"`
		Arms           *arms           `json:"armsInterventionsModule,omitempty"`
		Outcomes       *outcomesModule `json:"outcomesModule,omitempty"`
		Eligibility    *eligibility    `json:"eligibilityModule,omitempty"`
		Locations      *locations      `json:"contactsLocationsModule,omitempty"`
		References     *references     `json:"referencesModule,omitempty"`
	}
	identification struct {
		NCTID         string        `json:"nctId"`
		Aliases       []string      `json:"nctIdAliases,omitempty"`
		OrgStudyID    *orgStudyID   `json:"orgStudyIdInfo,omitempty"`
		SecondaryIDs  []secondaryID `json:"secondaryIdInfos,omitempty"`
		Organization  organization  `json:"organization"`
		BriefTitle    string        `json:"briefTitle"`
		OfficialTitle string        `json:"officialTitle,omitempty"`
		Acronym       string        `json:"acronym,omitempty"`
	}
	orgStudyID struct {
		ID string `json:"id"`
	}
	secondaryID struct {
		ID     string `json:"id"`
		Type   string `json:"type,omitempty"`
		Domain string `json:"domain,omitempty"`
	}
	organization struct {
		FullName string `json:"fullName"`
		Class    string `json:"class"`
	}
	statusModule struct {
		Verified          string      `json:"statusVerifiedDate,omitempty"`
		Overall           string      `json:"overallStatus"`
		LastKnown         string      `json:"lastKnownStatus,omitempty"`
		WhyStopped        string      `json:"whyStopped,omitempty"`
		Start             *dateStruct `json:"startDateStruct,omitempty"`
		PrimaryCompletion *dateStruct `json:"primaryCompletionDateStruct,omitempty"`
		Completion        *dateStruct `json:"completionDateStruct,omitempty"`
		FirstPosted       *dateStruct `json:"studyFirstPostDateStruct,omitempty"`
		ResultsPosted     *dateStruct `json:"resultsFirstPostDateStruct,omitempty"`
		Updated           *dateStruct `json:"lastUpdatePostDateStruct,omitempty"`
	}
	dateStruct struct {
		Date string `json:"date"`
		Type string `json:"type,omitempty"`
	}
	sponsors struct {
		Lead          sponsor   `json:"leadSponsor"`
		Collaborators []sponsor `json:"collaborators,omitempty"`
	}
	sponsor struct {
		Name  string `json:"name"`
		Class string `json:"class"`
	}
	descriptions struct {
		Brief    string `json:"briefSummary"`
		Detailed string `json:"detailedDescription,omitempty"`
	}
	conditions struct {
		Conditions []string `json:"conditions,omitempty"`
		Keywords   []string `json:"keywords,omitempty"`
	}
	design struct {
		StudyType   string          `json:"studyType"`
		AccessTypes map[string]bool `json:"expandedAccessTypes,omitempty"`
		Registry    *bool           `json:"patientRegistry,omitempty"`
		Phases      []string        `json:"phases,omitempty"`
		Info        *designInfo     `json:"designInfo,omitempty"`
		Enrollment  *enrollment     `json:"enrollmentInfo,omitempty"`
	}
	designInfo struct {
		Allocation          string   `json:"allocation,omitempty"`
		InterventionalModel string   `json:"interventionModel,omitempty"`
		Purpose             string   `json:"primaryPurpose,omitempty"`
		ObservationalModel  string   `json:"observationalModel,omitempty"`
		Perspective         string   `json:"timePerspective,omitempty"`
		Masking             *masking `json:"maskingInfo,omitempty"`
	}
	masking struct {
		Masking string   `json:"masking,omitempty"`
		Who     []string `json:"whoMasked,omitempty"`
	}
	enrollment struct {
		Count int    `json:"count"`
		Type  string `json:"type,omitempty"`
	}
	arms struct {
		Groups        []armGroup     `json:"armGroups,omitempty"`
		Interventions []intervention `json:"interventions,omitempty"`
	}
	armGroup struct {
		Label         string   `json:"label"`
		Type          string   `json:"type,omitempty"`
		Description   string   `json:"description,omitempty"`
		Interventions []string `json:"interventionNames,omitempty"`
	}
	intervention struct {
		Type        string   `json:"type"`
		Name        string   `json:"name"`
		Description string   `json:"description,omitempty"`
		Arms        []string `json:"armGroupLabels,omitempty"`
	}
	outcomesModule struct {
		Primary   []outcomeRecord `json:"primaryOutcomes,omitempty"`
		Secondary []outcomeRecord `json:"secondaryOutcomes,omitempty"`
	}
	outcomeRecord struct {
		Measure     string `json:"measure"`
		Description string `json:"description,omitempty"`
		TimeFrame   string `json:"timeFrame,omitempty"`
	}
	eligibility struct {
		Criteria   string   `json:"eligibilityCriteria,omitempty"`
		Healthy    *bool    `json:"healthyVolunteers,omitempty"`
		Sex        string   `json:"sex,omitempty"`
		MinimumAge string   `json:"minimumAge,omitempty"`
		MaximumAge string   `json:"maximumAge,omitempty"`
		StdAges    []string `json:"stdAges,omitempty"`
		Population string   `json:"studyPopulation,omitempty"`
		Sampling   string   `json:"samplingMethod,omitempty"`
	}
	locations struct {
		Central   []contact  `json:"centralContacts,omitempty"`
		Locations []location `json:"locations,omitempty"`
	}
	location struct {
		Facility string    `json:"facility,omitempty"`
		Status   string    `json:"status,omitempty"`
		City     string    `json:"city,omitempty"`
		State    string    `json:"state,omitempty"`
		Zip      string    `json:"zip,omitempty"`
		Country  string    `json:"country"`
		Contacts []contact `json:"contacts,omitempty"`
	}
	contact struct {
		Name     string `json:"name,omitempty"`
		Role     string `json:"role"`
		Phone    string `json:"phone,omitempty"`
		PhoneExt string `json:"phoneExt,omitempty"`
		Email    string `json:"email,omitempty"`
	}
	references struct {
		References []referenceRecord `json:"references"`
	}
	referenceRecord struct {
		PMID string `json:"pmid"`
		Type string `json:"type,omitempty"`
	}
	derived struct {
		Misc          misc    `json:"miscInfoModule"`
		Conditions    *browse `json:"conditionBrowseModule,omitempty"`
		Interventions *browse `json:"interventionBrowseModule,omitempty"`
	}
	misc struct {
		Version string `json:"versionHolder"`
	}
	browse struct {
		Meshes []meshRecord `json:"meshes"`
	}
	meshRecord struct {
		ID   string `json:"id"`
		Term string `json:"term"`
	}
)

// newRecord makes the whole record of a study.
func newRecord(version string, s *study) record {
	return record{
		Protocol: protocol{
			Identification: newIdentification(s),
			Status:         newStatus(s),
			Sponsors:       newSponsors(s),
			Description:    newDescriptions(s),
			Conditions:     newConditions(s),
			Design:         newDesign(s),
			Arms:           newArms(s),
			Outcomes:       newOutcomes(s),
			Eligibility:    newEligibility(s),
			Locations:      newLocations(s),
			References:     newReferences(s),
		},
		Results:    newResults(s),
		Derived:    derived{misc{version}, newBrowse(s.meshConditions), newBrowse(s.meshInterventions)},
		HasResults: isTrue(s.results),
	}
}

func newIdentification(s *study) identification {
	i := identification{
		NCTID:         s.id,
		Aliases:       s.aliases,
		Organization:  organization{s.sponsor.name, s.sponsor.class},
		BriefTitle:    s.title,
		OfficialTitle: s.officialTitle,
		Acronym:       s.acronym,
	}
	if s.orgID != "" {
		i.OrgStudyID = &orgStudyID{s.orgID}
	}
	for _, id := range s.secondaryIDs {
		i.SecondaryIDs = append(i.SecondaryIDs, secondaryID{id.id, id.kind, id.domain})
	}
	return i
}

func newStatus(s *study) statusModule {
	return statusModule{
		Verified:          s.verified,
		Overall:           s.status,
		LastKnown:         s.lastKnownStatus,
		WhyStopped:        s.whyStopped,
		Start:             newDate(s.start),
		PrimaryCompletion: newDate(s.primaryCompletion),
		Completion:        newDate(s.completion),
		FirstPosted:       newDate(s.firstPosted),
		ResultsPosted:     newDate(s.resultsPosted),
		Updated:           newDate(s.updated),
	}
}

func newDate(d day) *dateStruct {
	if d.date == "" {
		return nil
	}
	return &dateStruct{d.date, d.kind}
}

func newSponsors(s *study) sponsors {
	all := sponsors{Lead: sponsor{s.sponsor.name, s.sponsor.class}}
	for _, c := range s.collaborators {
		all.Collaborators = append(all.Collaborators, sponsor{c.name, c.class})
	}
	return all
}

func newConditions(s *study) *conditions {
	if len(s.conditions)+len(s.keywords) == 0 {
		return nil
	}
	return &conditions{s.conditions, s.keywords}
}

func newDesign(s *study) *design {
	if s.studyType == "" {
		return nil
	}
	d := &design{StudyType: s.studyType, Registry: s.registry, Phases: s.phases, Info: newDesignInfo(s)}
	for _, access := range s.accessTypes {
		if d.AccessTypes == nil {
			d.AccessTypes = map[string]bool{}
		}
		d.AccessTypes[access] = true
	}
	if s.enrollment.count != nil {
		d.Enrollment = &enrollment{*s.enrollment.count, s.enrollment.kind}
	}
	return d
}

func newDesignInfo(s *study) *designInfo {
	info := &designInfo{Allocation: s.allocation, Purpose: s.purpose, Perspective: s.perspective}
	if s.studyType == "OBSERVATIONAL" {
		info.ObservationalModel = s.model
	} else {
		info.InterventionalModel = s.model
	}
	if s.masking != "" || len(s.whoMasked) > 0 {
		info.Masking = &masking{s.masking, s.whoMasked}
	}
	if *info == (designInfo{}) {
		return nil
	}
	return info
}

// typeLabels are the words that the registry puts before the name of an// typeLabel writes a code in capital letters as the registry writes it in front
// of the interventions of an arm: DIETARY_SUPPLEMENT is Dietary Supplement.
func typeLabel(kind string) string {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(kind, "_", " ")))
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

func newReferences(s *study) *references {
	if len(s.references) == 0 {
		return nil
	}
	all := &references{}
	for _, r := range s.references {
		all.References = append(all.References, referenceRecord{r.pmid, r.kind})
	}
	return all
}

func newLocations(s *study) *locations {
	if len(s.centralContacts)+len(s.sites) == 0 {
		return nil
	}
	all := &locations{}
	country := "United States"
	if len(s.sites) > 0 {
		country = s.sites[0].country
	}
	for i, kind := range s.centralContacts {
		all.Central = append(all.Central, newContact(kind, country, s.id, "central", i))
	}
	for i, place := range s.sites {
		l := location{place.facility, place.status, place.city, place.state, place.zip, place.country, nil}
		for j, kind := range place.contacts {
			l.Contacts = append(l.Contacts, newContact(kind, place.country, s.id, i, j))
		}
		all.Locations = append(all.Locations, l)
	}
	return all
}

func newBrowse(terms []mesh) *browse {
	if len(terms) == 0 {
		return nil
	}
	b := &browse{}
	for _, t := range terms {
		b.Meshes = append(b.Meshes, meshRecord{t.id, t.term})
	}
	return b
}

// stdAges derives the age groups as the registry does: a child is under 18 years,
// an older adult 65 or more, and a limit that is absent is no limit.
func stdAges(a ages) []string {
	low, high := years(a.minimum, 0), years(a.maximum, 200)
	var groups []string
	if low < 18 {
		groups = append(groups, "CHILD")
	}
	if low < 65 && high >= 18 {
		groups = append(groups, "ADULT")
	}
	if high >= 65 {
		groups = append(groups, "OLDER_ADULT")
	}
	return groups
}

// years reads an age such as 6 Months; all units below the year count as none.
func years(age string, absent int) int {
	count, unit, found := strings.Cut(age, " ")
	n, err := strconv.Atoi(count)
	switch {
	case !found || err != nil:
		return absent
	case !strings.HasPrefix(unit, "Year"):
		return 0
	}
	return n
}

// countries are the countries of the sites, each once, in order.
func countries(s *study) []string {
	var names []string
	for _, place := range s.sites {
		if !slices.Contains(names, place.country) {
			names = append(names, place.country)
		}
	}
	return names
}
