package entity

// TrialFieldRows are the trials of a search with the requested fields alone.
type TrialFieldRows struct {
	// The requested fields.
	Fields []string `json:"fields" jsonschema:"minItems=1"`
	// One row per trial, in rank order.
	Items []TrialFieldRow `json:"items"`
	// How to get the next page.
	Pagination Pagination `json:"pagination"`
}

// TrialFieldRow is a trial with the requested fields. A field without a value is absent.
type TrialFieldRow struct {
	// CURIE of the trial. Source: identificationModule.nctId.
	ID string `json:"id" jsonschema:"pattern=^NCT:[0-9]{8}$"`
	// With queries: numbers of the texts that found it, from 1.
	FoundBy []int `json:"found_by,omitempty" jsonschema:"minItems=1,minimum=1"`
	// The nearest site, with near.
	NearestSite *NearSite `json:"nearest_site,omitempty"`
	// Official title, else the brief one. Source: identificationModule.officialTitle, briefTitle.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// Short title. Source: identificationModule.briefTitle.
	BriefTitle string `json:"brief_title,omitempty" jsonschema:"minLength=1"`
	// Acronym of the study. Source: identificationModule.acronym.
	Acronym string `json:"acronym,omitempty" jsonschema:"minLength=1"`
	// Overall recruitment status. Source: statusModule.overallStatus.
	Status Status `json:"status,omitempty"`
	// Why the study was stopped. Source: statusModule.whyStopped.
	WhyStopped string `json:"why_stopped,omitempty" jsonschema:"minLength=1"`
	// All phases. Source: designModule.phases.
	Phases []Phase `json:"phases,omitempty" jsonschema:"minItems=1"`
	// Kind of study. Source: designModule.studyType.
	StudyType StudyType `json:"study_type,omitempty"`
	// Assignment to arms. Source: designInfo.allocation.
	Allocation DesignAllocation `json:"allocation,omitempty"`
	// Of an interventional study. Source: designInfo.interventionModel.
	InterventionModel InterventionalAssignment `json:"intervention_model,omitempty"`
	// Masking (blinding). Source: designInfo.maskingInfo.masking.
	Masking DesignMasking `json:"masking,omitempty"`
	// Main purpose. Source: designInfo.primaryPurpose.
	PrimaryPurpose PrimaryPurpose `json:"primary_purpose,omitempty"`
	// Conditions studied. Source: conditionsModule.conditions.
	Conditions []string `json:"conditions,omitempty" jsonschema:"minItems=1"`
	// Names of the interventions. Source: armsInterventionsModule.interventions.name.
	Interventions []string `json:"interventions,omitempty" jsonschema:"minItems=1"`
	// Keywords of the sponsor. Source: conditionsModule.keywords.
	Keywords []string `json:"keywords,omitempty" jsonschema:"minItems=1"`
	// Eligibility text. Source: eligibilityModule.eligibilityCriteria.
	CriteriaText string `json:"criteria_text,omitempty" jsonschema:"minLength=1"`
	// Absent: no minimum. Source: eligibilityModule.minimumAge.
	MinimumAge string `json:"minimum_age,omitempty" jsonschema:"minLength=1"`
	// Absent: no maximum. Source: eligibilityModule.maximumAge.
	MaximumAge string `json:"maximum_age,omitempty" jsonschema:"minLength=1"`
	// Eligible sex. Source: eligibilityModule.sex.
	Sex Sex `json:"sex,omitempty"`
	// Whether healthy people can take part. Source: eligibilityModule.healthyVolunteers.
	AcceptsHealthyVolunteers *bool `json:"accepts_healthy_volunteers,omitempty"`
	// Participants. Source: designModule.enrollmentInfo.count, where 99999999 means unknown.
	Enrollment *int `json:"enrollment,omitempty" jsonschema:"minimum=0"`
	// Type of the number. Source: designModule.enrollmentInfo.type.
	EnrollmentType EnrollmentType `json:"enrollment_type,omitempty"`
	// Start. Source: statusModule.startDateStruct.
	StartDate string `json:"start_date,omitempty" jsonschema:"minLength=1"`
	// Last data for the primary outcomes. Source: statusModule.primaryCompletionDateStruct.
	PrimaryCompletionDate string `json:"primary_completion_date,omitempty" jsonschema:"minLength=1"`
	// Completion. Source: statusModule.completionDateStruct.
	CompletionDate string `json:"completion_date,omitempty" jsonschema:"minLength=1"`
	// First posting. Source: statusModule.studyFirstPostDateStruct.
	FirstPostedDate string `json:"first_posted_date,omitempty" jsonschema:"minLength=1"`
	// Last update. Source: statusModule.lastUpdatePostDateStruct.
	LastUpdateDate string `json:"last_update_date,omitempty" jsonschema:"minLength=1"`
	// First posting of results. Source: statusModule.resultsFirstPostDateStruct.
	ResultsFirstPostedDate string `json:"results_first_posted_date,omitempty" jsonschema:"minLength=1"`
	// First submission of results. Source: statusModule.resultsFirstSubmitDate.
	ResultsFirstSubmittedDate string `json:"results_first_submitted_date,omitempty" jsonschema:"minLength=1"`
	// Submission of the certificate that delays the results. Source: statusModule.dispFirstSubmitDate.
	DelayFirstSubmittedDate string `json:"delay_first_submitted_date,omitempty" jsonschema:"minLength=1"`
	// Whether results are posted. Source: hasResults.
	HasResults *bool `json:"has_results,omitempty"`
	// Submissions and returns of results that are not posted. Source: annotationModule.unpostedAnnotation.
	UnpostedResults *UnpostedSubmission `json:"unposted_results,omitempty"`
	// Lead sponsor. Source: sponsorCollaboratorsModule.leadSponsor.name.
	LeadSponsor string `json:"lead_sponsor,omitempty" jsonschema:"minLength=1"`
	// Kind of the lead sponsor. Source: sponsorCollaboratorsModule.leadSponsor.class.
	SponsorClass AgencyClass `json:"sponsor_class,omitempty"`
	// Names of the collaborators. Source: sponsorCollaboratorsModule.collaborators.name.
	Collaborators []string `json:"collaborators,omitempty" jsonschema:"minItems=1"`
	// Names of the responsible persons. Source: contactsLocationsModule.overallOfficials.name.
	Officials []string `json:"officials,omitempty" jsonschema:"minItems=1"`
	// MeSH terms of the conditions. Source: conditionBrowseModule.meshes.term.
	MeSHConditions []string `json:"mesh_conditions,omitempty" jsonschema:"minItems=1"`
	// MeSH terms of the interventions. Source: interventionBrowseModule.meshes.term.
	MeSHInterventions []string `json:"mesh_interventions,omitempty" jsonschema:"minItems=1"`
	// Labels of the arms. Source: armsInterventionsModule.armGroups.label.
	Arms []string `json:"arms,omitempty" jsonschema:"minItems=1"`
	// Primary outcome measures. Source: outcomesModule.primaryOutcomes.measure.
	PrimaryOutcomes []string `json:"primary_outcomes,omitempty" jsonschema:"minItems=1"`
	// PMIDs of its publications. Source: referencesModule.references.pmid of type RESULT or DERIVED.
	Publications []string `json:"publications,omitempty" jsonschema:"minItems=1"`
	// Number of sites. Source: contactsLocationsModule.locations.
	Sites *int `json:"sites,omitempty" jsonschema:"minimum=0"`
	// Countries of the sites, by name. Source: contactsLocationsModule.locations.country.
	Countries []string `json:"countries,omitempty" jsonschema:"minItems=1"`
	// Numbers of sites by country. Source: contactsLocationsModule.locations.country.
	SitesPerCountry []CountrySites `json:"sites_per_country,omitempty" jsonschema:"minItems=1"`
	// Day up to which results of an applicable trial are due by 42 CFR 11, as the FDAAA TrialsTracker computes it.
	DueDateComputed string `json:"due_date_computed,omitempty" jsonschema:"minLength=1"`
	// Days from that day to the day of the data, if no results are submitted.
	DaysOverdueComputed int `json:"days_overdue_computed,omitempty" jsonschema:"minimum=1"`
	// Months of 30.4375 days from start to completion; a month is its first day.
	DurationMonthsComputed *float64 `json:"duration_months_computed,omitempty"`
}
