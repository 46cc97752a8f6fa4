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
	// CURIE of the trial, the argument of get_trial.
	ID string `json:"id" jsonschema:"pattern=^NCT:[0-9]{8}$"`
	// Official title, or the brief one where there is none.
	Title string `json:"title" jsonschema:"minLength=1"`
	// Brief summary, cut at a word within 300 characters.
	BriefSummary string `json:"brief_summary,omitempty" jsonschema:"minLength=1"`
	// First phase. Absent for observational studies.
	Phase Phase `json:"phase,omitempty"`
	// All phases where a trial combines several.
	Phases []Phase `json:"phases,omitempty" jsonschema:"minItems=2"`
	// Overall recruitment status.
	Status Status `json:"status"`
	// Conditions or diseases studied.
	Conditions []string `json:"conditions,omitempty" jsonschema:"minItems=1"`
	// Names of the interventions.
	Interventions []string `json:"interventions,omitempty" jsonschema:"minItems=1"`
}

// Trial is the complete flat record of a trial. Absent is absent: no field is
// ever null, empty or guessed.
type Trial struct {
	// CURIE of the trial.
	ID string `json:"id" jsonschema:"pattern=^NCT:[0-9]{8}$"`
	// CURIEs of obsolete ids that lead to this trial.
	IDAliases []string `json:"id_aliases,omitempty" jsonschema:"minItems=1"`
	// Official title, or the brief one where there is none.
	Title string `json:"title" jsonschema:"minLength=1"`
	// Acronym of the study.
	Acronym string `json:"acronym,omitempty" jsonschema:"minLength=1"`
	// Brief summary, whole. Markdown.
	BriefSummary string `json:"brief_summary,omitempty" jsonschema:"minLength=1"`
	// Detailed description. Markdown.
	DetailedDescription string `json:"detailed_description,omitempty" jsonschema:"minLength=1"`
	// Overall recruitment status.
	Status Status `json:"status"`
	// Status before it became UNKNOWN.
	LastKnownStatus Status `json:"last_known_status,omitempty"`
	// Why the study was stopped.
	WhyStopped string `json:"why_stopped,omitempty" jsonschema:"minLength=1"`
	// First phase. Absent for observational studies.
	Phase Phase `json:"phase,omitempty"`
	// All phases where a trial combines several.
	Phases []Phase `json:"phases,omitempty" jsonschema:"minItems=2"`
	// Study design.
	Protocol *TrialProtocol `json:"protocol,omitempty"`
	// Conditions or diseases studied.
	Conditions []string `json:"conditions,omitempty" jsonschema:"minItems=1"`
	// Names of the interventions.
	Interventions []string `json:"interventions,omitempty" jsonschema:"minItems=1"`
	// Who may take part.
	EligibilityCriteria *EligibilityCriteria `json:"eligibility_criteria,omitempty"`
	// Primary outcome measures.
	PrimaryOutcomes []Outcome `json:"primary_outcomes,omitempty" jsonschema:"minItems=1"`
	// Secondary outcome measures.
	SecondaryOutcomes []Outcome `json:"secondary_outcomes,omitempty" jsonschema:"minItems=1"`
	// Lead sponsor first, then collaborators.
	Sponsors []Sponsor `json:"sponsors,omitempty" jsonschema:"minItems=1"`
	// Number of participants. Absent where unknown.
	Enrollment *int `json:"enrollment,omitempty" jsonschema:"minimum=0"`
	// Whether the number is the actual or an estimated one.
	EnrollmentType EnrollmentType `json:"enrollment_type,omitempty"`
	// Start of the study: YYYY-MM-DD, YYYY-MM or YYYY as registered.
	StartDate string `json:"start_date,omitempty" jsonschema:"minLength=4"`
	// Last data collection for the primary outcomes, as registered.
	PrimaryCompletionDate string `json:"primary_completion_date,omitempty" jsonschema:"minLength=4"`
	// Completion of the study, as registered.
	CompletionDate string `json:"completion_date,omitempty" jsonschema:"minLength=4"`
	// Last update posted at the registry.
	LastUpdateDate string `json:"last_update_date,omitempty" jsonschema:"minLength=4"`
	// Whether results are posted at the registry.
	HasResults *bool `json:"has_results,omitempty"`
	// Contacts for the whole study, not for one site.
	CentralContacts []Contact `json:"central_contacts,omitempty" jsonschema:"minItems=1"`
	// Ids of the trial elsewhere.
	CrossReferences TrialCrossReferences `json:"cross_references"`
}

// TrialProtocol is the design of a study.
type TrialProtocol struct {
	// Kind of study.
	StudyType StudyType `json:"study_type,omitempty"`
	// How participants are assigned to arms.
	Allocation DesignAllocation `json:"allocation,omitempty"`
	// Intervention model of an interventional study.
	InterventionModel InterventionalAssignment `json:"intervention_model,omitempty"`
	// Model of an observational study.
	ObservationalModel ObservationalModel `json:"observational_model,omitempty"`
	// Masking (blinding).
	Masking DesignMasking `json:"masking,omitempty"`
	// Main purpose of the interventions.
	PrimaryPurpose PrimaryPurpose `json:"primary_purpose,omitempty"`
}

// EligibilityCriteria tell who may take part in a trial.
type EligibilityCriteria struct {
	// Inclusion and exclusion criteria. Markdown.
	CriteriaText string `json:"criteria_text,omitempty" jsonschema:"minLength=1"`
	// Minimum age with its unit, such as 18 Years. Absent: no limit.
	MinimumAge string `json:"minimum_age,omitempty" jsonschema:"minLength=1"`
	// Maximum age with its unit. Absent: no limit.
	MaximumAge string `json:"maximum_age,omitempty" jsonschema:"minLength=1"`
	// Eligible sex.
	Sex Sex `json:"sex,omitempty"`
	// Whether healthy volunteers are accepted. Absent where not stated.
	AcceptsHealthyVolunteers *bool `json:"accepts_healthy_volunteers,omitempty"`
}

// Outcome is one outcome measure.
type Outcome struct {
	// What is measured.
	Measure string `json:"measure,omitempty" jsonschema:"minLength=1"`
	// When it is measured.
	TimeFrame string `json:"time_frame,omitempty" jsonschema:"minLength=1"`
	// How it is measured. Markdown.
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
	// Name of the person or office.
	Name string `json:"name,omitempty" jsonschema:"minLength=1"`
	// Phone number. An extension follows as x123.
	Phone string `json:"phone,omitempty" jsonschema:"minLength=1"`
	// E-mail address.
	Email string `json:"email,omitempty" jsonschema:"minLength=1"`
}

// TrialCrossReferences are the ids of a trial, and of what it is about, in
// other systems.
type TrialCrossReferences struct {
	// Page of the trial at the registry.
	ClinicalTrialsGov string `json:"clinicaltrials_gov" jsonschema:"pattern=^https://clinicaltrials\\.gov/study/NCT[0-9]{8}$"`
	// PMIDs of the publications, in the order of the record.
	PubMed []string `json:"pubmed,omitempty" jsonschema:"minItems=1"`
	// MeSH ids of the conditions.
	MeSHConditions []string `json:"mesh_conditions,omitempty" jsonschema:"minItems=1"`
	// MeSH ids of the interventions.
	MeSHInterventions []string `json:"mesh_interventions,omitempty" jsonschema:"minItems=1"`
	// EudraCT numbers (EU, until 2023).
	EudraCT []string `json:"eudract,omitempty" jsonschema:"minItems=1"`
	// EU CT numbers of the Clinical Trials Information System.
	CTIS []string `json:"ctis,omitempty" jsonschema:"minItems=1"`
	// ISRCTN registry numbers.
	ISRCTN []string `json:"isrctn,omitempty" jsonschema:"minItems=1"`
	// Universal Trial Numbers of the WHO.
	WHOUTN []string `json:"who_utn,omitempty" jsonschema:"minItems=1"`
}

// TrialLocation is one site of a trial with its first contact.
type TrialLocation struct {
	// Name of the facility.
	FacilityName string `json:"facility_name,omitempty" jsonschema:"minLength=1"`
	// City.
	City string `json:"city,omitempty" jsonschema:"minLength=1"`
	// State or province.
	State string `json:"state,omitempty" jsonschema:"minLength=1"`
	// Country.
	Country string `json:"country,omitempty" jsonschema:"minLength=1"`
	// Postal code.
	Zip string `json:"zip,omitempty" jsonschema:"minLength=1"`
	// Name of the first contact.
	ContactName string `json:"contact_name,omitempty" jsonschema:"minLength=1"`
	// Phone of the first contact. An extension follows as x123.
	ContactPhone string `json:"contact_phone,omitempty" jsonschema:"minLength=1"`
	// E-mail address of the first contact.
	ContactEmail string `json:"contact_email,omitempty" jsonschema:"minLength=1"`
	// Recruitment status of the site. Absent where not stated.
	RecruitmentStatus RecruitmentStatus `json:"recruitment_status,omitempty"`
}
