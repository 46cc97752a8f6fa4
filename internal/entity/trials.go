package entity

// Values that ClinicalTrials.gov declares as enumerations. They are plain
// strings: the upstream may add a value at any time, and a new one must pass.
// The name of each type is the name of its schema in the official document,
// from where the generator takes the known values.
type (
	// Status of a trial: RECRUITING, COMPLETED and twelve more.
	Status string
	// RecruitmentStatus of one site of a trial.
	RecruitmentStatus string
	// Phase of a trial: NA, EARLY_PHASE1, PHASE1 to PHASE4.
	Phase string
	// StudyType is INTERVENTIONAL, OBSERVATIONAL or EXPANDED_ACCESS.
	StudyType string
	// DesignAllocation of participants to arms.
	DesignAllocation string
	// InterventionalAssignment is the intervention model: PARALLEL, CROSSOVER, ...
	InterventionalAssignment string
	// ObservationalModel is the model of an observational study: COHORT, ...
	ObservationalModel string
	// DesignMasking tells who is kept from knowing the arm: NONE to QUADRUPLE.
	DesignMasking string
	// PrimaryPurpose of the interventions: TREATMENT, PREVENTION, ...
	PrimaryPurpose string
	// EnrollmentType is ACTUAL or ESTIMATED.
	EnrollmentType string
	// Sex of eligible participants: ALL, FEMALE or MALE.
	Sex string
)

// TrialSearchCandidate is one ranked hit of a trial search: enough to choose
// by, at 100 to 200 tokens.
type TrialSearchCandidate struct {
	// CURIE, for get_trial. Source: identificationModule.nctId.
	ID string `json:"id" jsonschema:"pattern=^NCT:[0-9]{8}$"`
	// Official title, else the brief one. Source: identificationModule.officialTitle, briefTitle.
	Title string `json:"title" jsonschema:"minLength=1"`
	// Cut at a word within 300 characters. Source: descriptionModule.briefSummary.
	BriefSummary string `json:"brief_summary,omitempty" jsonschema:"minLength=1"`
	// Absent for observational studies. Source: designModule.phases.
	Phase Phase `json:"phase,omitempty"`
	// All phases, where several. Source: designModule.phases.
	Phases []Phase `json:"phases,omitempty" jsonschema:"minItems=2"`
	// Overall recruitment status. Source: statusModule.overallStatus.
	Status Status `json:"status"`
	// Conditions or diseases studied. Source: conditionsModule.conditions.
	Conditions []string `json:"conditions,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Names of the interventions. Source: armsInterventionsModule.interventions.name.
	Interventions []string `json:"interventions,omitempty" jsonschema:"minItems=1,minLength=1"`
}

// Trial is the complete flat record of a trial. Absent is absent: no field is
// ever null, empty or guessed.
type Trial struct {
	// CURIE of the trial. Source: identificationModule.nctId.
	ID string `json:"id" jsonschema:"pattern=^NCT:[0-9]{8}$"`
	// Obsolete ids that lead here. Source: identificationModule.nctIdAliases.
	IDAliases []string `json:"id_aliases,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Official title, else the brief one. Source: identificationModule.officialTitle, briefTitle.
	Title string `json:"title" jsonschema:"minLength=1"`
	// Acronym of the study. Source: identificationModule.acronym.
	Acronym string `json:"acronym,omitempty" jsonschema:"minLength=1"`
	// Brief summary, whole. Markdown. Source: descriptionModule.briefSummary.
	BriefSummary string `json:"brief_summary,omitempty" jsonschema:"minLength=1"`
	// Detailed description. Markdown. Source: descriptionModule.detailedDescription.
	DetailedDescription string `json:"detailed_description,omitempty" jsonschema:"minLength=1"`
	// Overall recruitment status. Source: statusModule.overallStatus.
	Status Status `json:"status"`
	// Status before it became UNKNOWN. Source: statusModule.lastKnownStatus.
	LastKnownStatus Status `json:"last_known_status,omitempty"`
	// Why the study was stopped. Source: statusModule.whyStopped.
	WhyStopped string `json:"why_stopped,omitempty" jsonschema:"minLength=1"`
	// Absent for observational studies. Source: designModule.phases.
	Phase Phase `json:"phase,omitempty"`
	// All phases, where several. Source: designModule.phases.
	Phases []Phase `json:"phases,omitempty" jsonschema:"minItems=2"`
	// Study design. Source: designModule.
	Protocol *TrialProtocol `json:"protocol,omitempty"`
	// Conditions or diseases studied. Source: conditionsModule.conditions.
	Conditions []string `json:"conditions,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Names of the interventions. Source: armsInterventionsModule.interventions.name.
	Interventions []string `json:"interventions,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Who may take part. Source: eligibilityModule.
	EligibilityCriteria *EligibilityCriteria `json:"eligibility_criteria,omitempty"`
	// Primary outcome measures. Source: outcomesModule.primaryOutcomes.
	PrimaryOutcomes []Outcome `json:"primary_outcomes,omitempty" jsonschema:"minItems=1"`
	// Secondary outcome measures. Source: outcomesModule.secondaryOutcomes.
	SecondaryOutcomes []Outcome `json:"secondary_outcomes,omitempty" jsonschema:"minItems=1"`
	// Lead sponsor first, then collaborators. Source: sponsorCollaboratorsModule.leadSponsor, collaborators.
	Sponsors []Sponsor `json:"sponsors,omitempty" jsonschema:"minItems=1"`
	// Participants. Absent where unknown. Source: designModule.enrollmentInfo.count, where 99999999 means unknown.
	Enrollment *int `json:"enrollment,omitempty" jsonschema:"minimum=0"`
	// Of the number. Source: designModule.enrollmentInfo.type.
	EnrollmentType EnrollmentType `json:"enrollment_type,omitempty"`
	// YYYY-MM-DD, YYYY-MM or YYYY. Source: statusModule.startDateStruct.
	StartDate string `json:"start_date,omitempty" jsonschema:"minLength=4"`
	// Last data collection for the primary outcomes. Source: statusModule.primaryCompletionDateStruct.
	PrimaryCompletionDate string `json:"primary_completion_date,omitempty" jsonschema:"minLength=4"`
	// Completion of the study. Source: statusModule.completionDateStruct.
	CompletionDate string `json:"completion_date,omitempty" jsonschema:"minLength=4"`
	// Last update posted. Source: statusModule.lastUpdatePostDateStruct.
	LastUpdateDate string `json:"last_update_date,omitempty" jsonschema:"minLength=4"`
	// Whether results are posted. Source: hasResults.
	HasResults *bool `json:"has_results,omitempty"`
	// For the whole study. Source: contactsLocationsModule.centralContacts.
	CentralContacts []Contact `json:"central_contacts,omitempty" jsonschema:"minItems=1"`
	// Ids of the trial elsewhere.
	CrossReferences TrialCrossReferences `json:"cross_references"`
}

// TrialProtocol is the design of a study.
type TrialProtocol struct {
	// Kind of study. Source: designModule.studyType.
	StudyType StudyType `json:"study_type,omitempty"`
	// Assignment to arms. Source: designInfo.allocation.
	Allocation DesignAllocation `json:"allocation,omitempty"`
	// Of an interventional study. Source: designInfo.interventionModel.
	InterventionModel InterventionalAssignment `json:"intervention_model,omitempty"`
	// Of an observational study. Source: designInfo.observationalModel.
	ObservationalModel ObservationalModel `json:"observational_model,omitempty"`
	// Masking (blinding). Source: designInfo.maskingInfo.masking.
	Masking DesignMasking `json:"masking,omitempty"`
	// Main purpose. Source: designInfo.primaryPurpose.
	PrimaryPurpose PrimaryPurpose `json:"primary_purpose,omitempty"`
}

// EligibilityCriteria tell who may take part in a trial.
type EligibilityCriteria struct {
	// Markdown. Source: eligibilityModule.eligibilityCriteria.
	CriteriaText string `json:"criteria_text,omitempty" jsonschema:"minLength=1"`
	// Such as 18 Years. Absent: no limit. Source: minimumAge.
	MinimumAge string `json:"minimum_age,omitempty" jsonschema:"minLength=1"`
	// Absent: no limit. Source: maximumAge.
	MaximumAge string `json:"maximum_age,omitempty" jsonschema:"minLength=1"`
	// Eligible sex. Source: sex.
	Sex Sex `json:"sex,omitempty"`
	// Absent where not stated. Source: healthyVolunteers.
	AcceptsHealthyVolunteers *bool `json:"accepts_healthy_volunteers,omitempty"`
}

// Outcome is one outcome measure.
type Outcome struct {
	// What is measured. Source: measure.
	Measure string `json:"measure,omitempty" jsonschema:"minLength=1"`
	// When it is measured. Source: timeFrame.
	TimeFrame string `json:"time_frame,omitempty" jsonschema:"minLength=1"`
	// How it is measured. Markdown. Source: description.
	Description string `json:"description,omitempty" jsonschema:"minLength=1"`
}

// SponsorRole is LEAD_SPONSOR or COLLABORATOR.
type SponsorRole string

// The roles of a sponsor.
const (
	LeadSponsor  SponsorRole = "LEAD_SPONSOR"
	Collaborator SponsorRole = "COLLABORATOR"
)

// Sponsor is an organization that stands behind a trial.
type Sponsor struct {
	// Name of the organization.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Its part in the trial.
	Role SponsorRole `json:"role" jsonschema:"enum=LEAD_SPONSOR,enum=COLLABORATOR"`
}

// Contact is a person or office that answers questions about a trial.
type Contact struct {
	// Name of the person or office. Source: name.
	Name string `json:"name,omitempty" jsonschema:"minLength=1"`
	// An extension follows as x123. Source: phone, phoneExt.
	Phone string `json:"phone,omitempty" jsonschema:"minLength=1"`
	// E-mail address. Source: email.
	Email string `json:"email,omitempty" jsonschema:"minLength=1"`
}

// TrialCrossReferences are the ids of a trial, and of what it is about, in
// other systems. Here each key has its pattern; what does not match it is left
// out.
type TrialCrossReferences struct {
	// Page of the trial at the registry.
	ClinicalTrialsGov string `json:"clinicaltrials_gov" jsonschema:"pattern=^https://clinicaltrials\\.gov/study/NCT[0-9]{8}$"`
	// PMIDs of its publications (results, and articles that name the trial), for fetchArticleDetails. Source: referencesModule.references.pmid of type RESULT or DERIVED.
	PubMed []string `json:"pubmed,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^[0-9]+$"`
	// PMIDs of articles cited as background: not about this trial. Source: referencesModule.references.pmid of other types.
	PubMedBackground []string `json:"pubmed_background,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^[0-9]+$"`
	// MeSH ids of the conditions. Source: conditionBrowseModule.meshes.id.
	MeSHConditions []string `json:"mesh_conditions,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^[CD]([0-9]{6}|[0-9]{9})$"`
	// MeSH ids of the interventions. Source: interventionBrowseModule.meshes.id.
	MeSHInterventions []string `json:"mesh_interventions,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^[CD]([0-9]{6}|[0-9]{9})$"`
	// EudraCT numbers (EU, until 2023). Source: secondaryIdInfos, by pattern.
	EudraCT []string `json:"eudract,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^(19|20)[0-9]{2}-[0-4][0-9]{5}-[0-9]{2}$"`
	// EU CT numbers (CTIS). Source: secondaryIdInfos, by pattern.
	CTIS []string `json:"ctis,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^20[0-9]{2}-5[0-9]{5}-[0-9]{2}(-[0-9]{2})?$"`
	// ISRCTN registry numbers. Source: secondaryIdInfos, by pattern.
	ISRCTN []string `json:"isrctn,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^ISRCTN[0-9]{8}$"`
	// Universal Trial Numbers of the WHO. Source: secondaryIdInfos, by pattern.
	WHOUTN []string `json:"who_utn,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^U1111-[0-9]{4}-[0-9]{4}$"`
}

// TrialLocation is one site of a trial with its first contact.
type TrialLocation struct {
	// Name of the facility. Source: locations.facility.
	FacilityName string `json:"facility_name,omitempty" jsonschema:"minLength=1"`
	// City. Source: locations.city.
	City string `json:"city,omitempty" jsonschema:"minLength=1"`
	// State or province. Source: locations.state.
	State string `json:"state,omitempty" jsonschema:"minLength=1"`
	// Country. Source: locations.country.
	Country string `json:"country,omitempty" jsonschema:"minLength=1"`
	// Postal code. Source: locations.zip.
	Zip string `json:"zip,omitempty" jsonschema:"minLength=1"`
	// First contact. Source: locations.contacts[0].name.
	ContactName string `json:"contact_name,omitempty" jsonschema:"minLength=1"`
	// An extension follows as x123. Source: locations.contacts[0].phone, phoneExt.
	ContactPhone string `json:"contact_phone,omitempty" jsonschema:"minLength=1"`
	// Of the first contact. Source: locations.contacts[0].email.
	ContactEmail string `json:"contact_email,omitempty" jsonschema:"minLength=1"`
	// Of the site. Absent where not stated. Source: locations.status.
	RecruitmentStatus RecruitmentStatus `json:"recruitment_status,omitempty"`
}
