// Package mapping flattens upstream records into Biofact's entities. Its
// functions are pure; beside each stands the list of fields that it reads, so
// that nothing else is asked of the upstream. The list of entity X is called
// XFields: that is how generated code finds it.
package mapping

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// TrialSearchCandidateFields returns the fields that TrialCandidate reads.
func TrialSearchCandidateFields() []string {
	return []string{
		"NCTId", "OfficialTitle", "BriefTitle", "BriefSummary", "OverallStatus", "Phase",
		"Condition", "InterventionName", "VersionHolder",
	}
}

// TrialFields returns the fields that Trial and TrialLocations read together: a
// record is asked for once and serves both.
func TrialFields() []string {
	return []string{
		"NCTId", "NCTIdAlias", "OfficialTitle", "BriefTitle", "Acronym", "SecondaryIdInfo",
		"BriefSummary", "DetailedDescription",
		"OverallStatus", "LastKnownStatus", "WhyStopped",
		"StartDate", "PrimaryCompletionDate", "CompletionDate", "LastUpdatePostDate",
		"LeadSponsorName", "CollaboratorName",
		"Condition", "InterventionName",
		"StudyType", "Phase", "DesignAllocation", "DesignInterventionModel", "DesignObservationalModel",
		"DesignMasking", "DesignPrimaryPurpose", "EnrollmentCount", "EnrollmentType",
		"EligibilityCriteria", "MinimumAge", "MaximumAge", "Sex", "HealthyVolunteers",
		"PrimaryOutcome", "SecondaryOutcome",
		"CentralContact",
		"LocationFacility", "LocationCity", "LocationState", "LocationCountry", "LocationZip", "LocationStatus",
		"LocationContactName", "LocationContactPhone", "LocationContactPhoneExt", "LocationContactEMail",
		"ReferencePMID", "ReferenceType", "ConditionMeshId", "InterventionMeshId",
		"HasResults", "VersionHolder",
	}
}

// TrialLocationFields returns TrialFields, which have those of the sites.
func TrialLocationFields() []string { return TrialFields() }

// unknownEnrollment is what the registry writes where the number of
// participants is not known.
const unknownEnrollment = 99999999

// summaryLimit keeps a candidate within its budget of 200 tokens.
const summaryLimit = 300

// ErrIncomplete is the error of a record without the facts that its upstream
// promises for every one: an id, a title and a status, a symbol.
var ErrIncomplete = errors.New("the record lacks a fact that every record has")

// DataVersion returns the date of the registry's data that a record is from,
// or "" where it is not told.
func DataVersion(s *ctgov.Study) string { return plain(s.DerivedSection.MiscInfoModule.VersionHolder) }

// TrialCandidate maps a study to a search candidate. The only error is
// ErrIncomplete.
func TrialCandidate(s *ctgov.Study) (entity.TrialSearchCandidate, error) {
	p := &s.ProtocolSection
	c := entity.TrialSearchCandidate{
		ID:            curie(id.NCT, p.IdentificationModule.NctId),
		Title:         trialTitle(&p.IdentificationModule),
		BriefSummary:  entity.Cut(markup(p.DescriptionModule.BriefSummary), summaryLimit),
		Status:        value[entity.Status](p.StatusModule.OverallStatus),
		Conditions:    plains(p.ConditionsModule.Conditions),
		Interventions: interventionNames(p),
	}
	c.Phase, c.Phases = phases(p.DesignModule.Phases)
	if c.ID == "" || c.Title == "" || c.Status == "" {
		return entity.TrialSearchCandidate{}, ErrIncomplete
	}
	return c, nil
}

// Trial maps a study to the complete entity. The only error is ErrIncomplete.
func Trial(s *ctgov.Study) (entity.Trial, error) {
	p := &s.ProtocolSection
	ident, status, design := &p.IdentificationModule, &p.StatusModule, &p.DesignModule
	t := entity.Trial{
		ID:                    curie(id.NCT, ident.NctId),
		IDAliases:             trialCURIEs(ident.NctIdAliases),
		Title:                 trialTitle(ident),
		Acronym:               plain(ident.Acronym),
		BriefSummary:          markup(p.DescriptionModule.BriefSummary),
		DetailedDescription:   markup(p.DescriptionModule.DetailedDescription),
		Status:                value[entity.Status](status.OverallStatus),
		LastKnownStatus:       value[entity.Status](status.LastKnownStatus),
		WhyStopped:            markup(status.WhyStopped),
		Protocol:              protocol(design),
		Conditions:            plains(p.ConditionsModule.Conditions),
		Interventions:         interventionNames(p),
		EligibilityCriteria:   eligibility(&p.EligibilityModule),
		PrimaryOutcomes:       outcomes(p.OutcomesModule.PrimaryOutcomes),
		SecondaryOutcomes:     outcomes(p.OutcomesModule.SecondaryOutcomes),
		Sponsors:              sponsors(&p.SponsorCollaboratorsModule),
		StartDate:             date(status.StartDateStruct.Date),
		PrimaryCompletionDate: date(status.PrimaryCompletionDateStruct.Date),
		CompletionDate:        date(status.CompletionDateStruct.Date),
		LastUpdateDate:        date(status.LastUpdatePostDateStruct.Date),
		HasResults:            s.HasResults,
		CentralContacts:       contacts(p.ContactsLocationsModule.CentralContacts),
		CrossReferences:       trialCrossReferences(s),
	}
	t.Phase, t.Phases = phases(design.Phases)
	t.Enrollment, t.EnrollmentType = enrollment(&design.EnrollmentInfo)
	if t.ID == "" || t.Title == "" || t.Status == "" {
		return entity.Trial{}, ErrIncomplete
	}
	return t, nil
}

// TrialLocations maps the sites of a study, in the order of the record.
func TrialLocations(s *ctgov.Study) []entity.TrialLocation {
	var sites []entity.TrialLocation
	for i := range s.ProtocolSection.ContactsLocationsModule.Locations {
		l := &s.ProtocolSection.ContactsLocationsModule.Locations[i]
		site := entity.TrialLocation{
			FacilityName:      plain(l.Facility),
			City:              plain(l.City),
			State:             plain(l.State),
			Country:           plain(l.Country),
			Zip:               plain(l.Zip),
			RecruitmentStatus: value[entity.RecruitmentStatus](l.Status),
		}
		if len(l.Contacts) > 0 {
			first := contact(&l.Contacts[0])
			site.ContactName, site.ContactPhone, site.ContactEmail = first.Name, first.Phone, first.Email
		}
		sites = append(sites, site)
	}
	return sites
}

func trialCURIEs(given []string) []string {
	var out []string
	for _, nct := range given {
		if alias := curie(id.NCT, nct); alias != "" {
			out = append(out, alias)
		}
	}
	return out
}

func trialTitle(id *ctgov.IdentificationModule) string {
	if title := plain(id.OfficialTitle); title != "" {
		return title
	}
	return plain(id.BriefTitle)
}

func interventionNames(p *ctgov.ProtocolSection) []string {
	var out []string
	for i := range p.ArmsInterventionsModule.Interventions {
		if name := plain(p.ArmsInterventionsModule.Interventions[i].Name); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// phases returns the first phase, and all of them where there are several.
func phases(given []ctgov.Phase) (entity.Phase, []entity.Phase) {
	var all []entity.Phase
	for _, g := range given {
		if p := value[entity.Phase](g); p != "" {
			all = append(all, p)
		}
	}
	switch len(all) {
	case 0:
		return "", nil
	case 1:
		return all[0], nil
	}
	return all[0], all
}

func protocol(d *ctgov.DesignModule) *entity.TrialProtocol {
	return filled(entity.TrialProtocol{
		StudyType:          value[entity.StudyType](d.StudyType),
		Allocation:         value[entity.DesignAllocation](d.DesignInfo.Allocation),
		InterventionModel:  value[entity.InterventionalAssignment](d.DesignInfo.InterventionModel),
		ObservationalModel: value[entity.ObservationalModel](d.DesignInfo.ObservationalModel),
		Masking:            value[entity.DesignMasking](d.DesignInfo.MaskingInfo.Masking),
		PrimaryPurpose:     value[entity.PrimaryPurpose](d.DesignInfo.PrimaryPurpose),
	})
}

func eligibility(e *ctgov.EligibilityModule) *entity.EligibilityCriteria {
	return filled(entity.EligibilityCriteria{
		CriteriaText:             markup(e.EligibilityCriteria),
		MinimumAge:               plain(e.MinimumAge),
		MaximumAge:               plain(e.MaximumAge),
		Sex:                      value[entity.Sex](e.Sex),
		AcceptsHealthyVolunteers: e.HealthyVolunteers,
	})
}

func outcomes(given []ctgov.Outcome) []entity.Outcome {
	var out []entity.Outcome
	for i := range given {
		if o := filled(entity.Outcome{
			Measure:     plain(given[i].Measure),
			TimeFrame:   plain(given[i].TimeFrame),
			Description: markup(given[i].Description),
		}); o != nil {
			out = append(out, *o)
		}
	}
	return out
}

func sponsors(m *ctgov.SponsorCollaboratorsModule) []entity.Sponsor {
	var out []entity.Sponsor
	if name := plain(m.LeadSponsor.Name); name != "" {
		out = append(out, entity.Sponsor{Name: name, Role: entity.LeadSponsor})
	}
	for i := range m.Collaborators {
		if name := plain(m.Collaborators[i].Name); name != "" {
			out = append(out, entity.Sponsor{Name: name, Role: entity.Collaborator})
		}
	}
	return out
}

func enrollment(e *ctgov.EnrollmentInfo) (*int, entity.EnrollmentType) {
	if e.Count == nil || *e.Count == unknownEnrollment || *e.Count < 0 {
		return nil, ""
	}
	return e.Count, value[entity.EnrollmentType](e.Type)
}

func contacts(given []ctgov.Contact) []entity.Contact {
	var out []entity.Contact
	for i := range given {
		if c := filled(contact(&given[i])); c != nil {
			out = append(out, *c)
		}
	}
	return out
}

func contact(c *ctgov.Contact) entity.Contact {
	phone := plain(c.Phone)
	if extension := plain(c.PhoneExt); phone != "" && extension != "" {
		phone += " x" + extension
	}
	return entity.Contact{Name: plain(c.Name), Phone: phone, Email: plain(c.Email)}
}

func trialCrossReferences(s *ctgov.Study) entity.TrialCrossReferences {
	p := &s.ProtocolSection
	refs := entity.TrialCrossReferences{
		ClinicalTrialsGov: id.NCT.URL(plain(p.IdentificationModule.NctId)),
		MeSHConditions:    meshIDs(s.DerivedSection.ConditionBrowseModule.Meshes),
		MeSHInterventions: meshIDs(s.DerivedSection.InterventionBrowseModule.Meshes),
	}
	refs.PubMed, refs.PubMedBackground = publications(p.ReferencesModule.References)
	for i := range p.IdentificationModule.SecondaryIdInfos {
		registryID(&refs, &p.IdentificationModule.SecondaryIdInfos[i])
	}
	return refs
}

// publications returns the PMIDs of the articles that report a study, and those
// of the articles that it cites beside them as background.
func publications(references []ctgov.Reference) (reports, background []string) {
	for i := range references {
		pmid := curie(id.PMID, references[i].Pmid)
		switch references[i].Type {
		case ctgov.RESULT, ctgov.DERIVED:
			reports = appendNew(reports, pmid)
		default:
			background = appendNew(background, pmid)
		}
	}
	return reports, slices.DeleteFunc(background, func(id string) bool { return slices.Contains(reports, id) })
}

// The ids of other registries as they stand in secondary ids, alone or inside
// a remark.
var (
	// The numbers of CTIS continue EudraCT's with a 5 at the head of the middle
	// part; registrants often give them as EudraCT numbers.
	ctisNumber    = lazyregexp.New(`\b20[0-9]{2}-5[0-9]{5}-[0-9]{2}(-[0-9]{2})?\b`)
	eudractNumber = lazyregexp.New(`\b(19|20)[0-9]{2}-[0-4][0-9]{5}-[0-9]{2}\b`)
	isrctnNumber  = lazyregexp.New(`(?i)\bISRCTN ?[0-9]{8}\b`)
	whoUTN        = lazyregexp.New(`\bU1111-[0-9]{4}-[0-9]{4}\b`)
)

func registryID(refs *entity.TrialCrossReferences, info *ctgov.SecondaryIdInfo) {
	id := plain(info.Id)
	switch {
	case ctisNumber.MatchString(id):
		refs.CTIS = appendNew(refs.CTIS, ctisNumber.FindString(id))
	case eudractNumber.MatchString(id):
		refs.EudraCT = appendNew(refs.EudraCT, eudractNumber.FindString(id))
	case isrctnNumber.MatchString(id):
		refs.ISRCTN = appendNew(refs.ISRCTN, strings.ToUpper(strings.ReplaceAll(isrctnNumber.FindString(id), " ", "")))
	case whoUTN.MatchString(id):
		refs.WHOUTN = appendNew(refs.WHOUTN, whoUTN.FindString(id))
	}
}

var meshID = lazyregexp.New(`^([CD])([0-9]{1,9})$`)

// The last MeSH numbers that are written with six digits; larger ones have
// nine.
const (
	lastShortDescriptor    = 66330
	lastShortSupplementary = 584933
)

// meshIDs returns the ids as MeSH writes them: the registry pads some of them
// to nine digits, and one id occurs in both writings.
func meshIDs(meshes []ctgov.Mesh) []string {
	var out []string
	for i := range meshes {
		out = appendNew(out, canonicalMeSH(plain(meshes[i].Id)))
	}
	return out
}

// canonicalMeSH returns an id as MeSH writes it, and "" for what is no MeSH id.
func canonicalMeSH(id string) string {
	m := meshID.FindStringSubmatch(id)
	if m == nil {
		return ""
	}
	number, err := strconv.Atoi(m[2])
	if err != nil {
		return ""
	}
	last := lastShortDescriptor
	if m[1] == "C" {
		last = lastShortSupplementary
	}
	width := 9
	if number <= last {
		width = 6
	}
	return fmt.Sprintf("%s%0*d", m[1], width, number)
}

func appendNew(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
