package entity

// These types hold values that ClinicalTrials.gov declares as enumerations. They
// are strings without validation: the upstream may add a value at any time, and a
// new value must pass. Each type has the name of its schema in the official
// document, from which the generator takes the known values.
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
	// DesignMasking says how many roles do not know the arm: NONE to QUADRUPLE.
	DesignMasking string
	// PrimaryPurpose of the interventions: TREATMENT, PREVENTION, ...
	PrimaryPurpose string
	// EnrollmentType is ACTUAL or ESTIMATED.
	EnrollmentType string
	// Sex of eligible participants: ALL, FEMALE or MALE.
	Sex string
	// StandardAge is an age group: CHILD, ADULT or OLDER_ADULT.
	StandardAge string
	// SamplingMethod of an observational study.
	SamplingMethod string
	// DesignTimePerspective of an observational study: PROSPECTIVE, ...
	DesignTimePerspective string
	// WhoMasked is a role that does not know the arm: PARTICIPANT, ...
	WhoMasked string
	// BioSpecRetention says which biospecimens are retained.
	BioSpecRetention string
	// ExpandedAccessStatus of an expanded access record.
	ExpandedAccessStatus string
	// DateType is ACTUAL or ESTIMATED.
	DateType string
	// ArmGroupType is the kind of an arm: EXPERIMENTAL, ACTIVE_COMPARATOR, ...
	ArmGroupType string
	// InterventionType is the kind of an intervention: DRUG, DEVICE, ...
	InterventionType string
	// AgencyClass is the kind of an organization: INDUSTRY, NIH, ...
	AgencyClass string
	// ContactRole of a person at a site: CONTACT, PRINCIPAL_INVESTIGATOR, ...
	ContactRole string
	// OfficialRole of a person who is responsible for a study.
	OfficialRole string
	// ResponsiblePartyType is the kind of a responsible party.
	ResponsiblePartyType string
	// OrgStudyIDType is the kind of the organization's own id.
	OrgStudyIDType string
	// SecondaryIDType is the kind of an id in another system.
	SecondaryIDType string
	// ReferenceType is BACKGROUND, RESULT or DERIVED.
	ReferenceType string
	// IPDSharing says whether data of participants will be shared.
	IPDSharing string
	// IPDSharingInfoType is a kind of document that is shared with the data.
	IPDSharingInfoType string
)
