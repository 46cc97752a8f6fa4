package entity

// TrialSearchCandidate is one ranked result of a trial search, with enough fields
// to choose from and 100 to 200 tokens long.
type TrialSearchCandidate struct {
	// CURIE, for get_trial. Source: identificationModule.nctId.
	ID string `json:"id" jsonschema:"pattern=^NCT:[0-9]{8}$"`
	// With near: the nearest site; of several in one city, one that recruits.
	NearestSite *NearSite `json:"nearest_site,omitempty"`
	// With near: the nearest site that recruits, if it is another; may be beyond within.
	NearestRecruitingSite *NearSite `json:"nearest_recruiting_site,omitempty"`
	// With queries: numbers of the texts that found it, from 1.
	FoundBy []int `json:"found_by,omitempty" jsonschema:"minItems=1,minimum=1"`
	// Words that it has, where some may be missing.
	MatchedWords []string `json:"matched_words,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Official title, else the brief one. Source: identificationModule.officialTitle, briefTitle.
	Title string `json:"title" jsonschema:"minLength=1"`
	// Cut after a word, at most 300 characters. Source: descriptionModule.briefSummary.
	BriefSummary string `json:"brief_summary,omitempty" jsonschema:"minLength=1"`
	// Absent for observational studies. Source: designModule.phases.
	Phase Phase `json:"phase,omitempty"`
	// All phases of a trial with several. Source: designModule.phases.
	Phases []Phase `json:"phases,omitempty" jsonschema:"minItems=2"`
	// Overall recruitment status. Source: statusModule.overallStatus.
	Status Status `json:"status"`
	// Conditions or diseases studied. Source: conditionsModule.conditions.
	Conditions []string `json:"conditions,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Names of the interventions. Source: armsInterventionsModule.interventions.name.
	Interventions []string `json:"interventions,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Lead sponsor. Source: sponsorCollaboratorsModule.leadSponsor.name.
	LeadSponsor string `json:"lead_sponsor,omitempty" jsonschema:"minLength=1"`
	// YYYY-MM-DD, YYYY-MM or YYYY. Source: statusModule.startDateStruct.
	StartDate string `json:"start_date,omitempty" jsonschema:"minLength=4"`
	// Participants. Absent where unknown. Source: designModule.enrollmentInfo.count, where 99999999 means unknown.
	Enrollment *int `json:"enrollment,omitempty" jsonschema:"minimum=0"`
	// Whether results are posted. Source: hasResults.
	HasResults *bool `json:"has_results,omitempty"`
	// Why the study was stopped, at most 300 characters. Source: statusModule.whyStopped.
	WhyStopped string `json:"why_stopped,omitempty" jsonschema:"minLength=1"`
	// If the call filters by it. Source: statusModule.primaryCompletionDateStruct.
	PrimaryCompletionDate string `json:"primary_completion_date,omitempty" jsonschema:"minLength=4"`
	// If the call sorts or filters by it. Source: statusModule.completionDateStruct.
	CompletionDate string `json:"completion_date,omitempty" jsonschema:"minLength=4"`
	// If the call sorts or filters by it. Source: statusModule.studyFirstPostDateStruct.
	FirstPostedDate string `json:"first_posted_date,omitempty" jsonschema:"minLength=4"`
	// If the call sorts or filters by it. Source: statusModule.resultsFirstPostDateStruct.
	ResultsFirstPostedDate string `json:"results_first_posted_date,omitempty" jsonschema:"minLength=4"`
	// If the call sorts or filters by it. Source: statusModule.lastUpdatePostDateStruct.
	LastUpdateDate string `json:"last_update_date,omitempty" jsonschema:"minLength=4"`
	// With age. Absent: no minimum. Source: eligibilityModule.minimumAge.
	MinimumAge string `json:"minimum_age,omitempty" jsonschema:"minLength=1"`
	// With age. Absent: no maximum. Source: eligibilityModule.maximumAge.
	MaximumAge string `json:"maximum_age,omitempty" jsonschema:"minLength=1"`
	// With sex. Source: eligibilityModule.sex.
	Sex Sex `json:"sex,omitempty"`
	// With healthy_volunteers. Source: eligibilityModule.healthyVolunteers.
	AcceptsHealthyVolunteers *bool `json:"accepts_healthy_volunteers,omitempty"`
	// With criteria: lines of the eligibility text with its words, at most two of each list. Source:
	// eligibilityModule.eligibilityCriteria.
	CriteriaMatch []CriteriaMatch `json:"criteria_match,omitempty" jsonschema:"minItems=1"`
	// Number of further lines with the words.
	CriteriaMatchMore int `json:"criteria_match_more,omitempty" jsonschema:"minimum=1"`

	// Row is the trial in an answer with requested fields, in place of all others.
	Row *TrialFieldRow `json:"row,omitempty" jsonschema:"-"`
}

// TrialSearch has the fields that search_trials adds to its page of trials.
type TrialSearch struct {
	// Trials that have only some of the words, if fewer than ten have all.
	Relaxed *RelaxedTrials `json:"relaxed,omitempty"`
}

// RelaxedTrials are trials that have some of the words of a search, but not all.
type RelaxedTrials struct {
	// Number of such trials. Absent if filters left out rows.
	SomeWords *int `json:"some_words,omitempty" jsonschema:"minimum=0"`
	// Words that no trial has.
	UnknownWords []string `json:"unknown_words,omitempty" jsonschema:"minItems=1,minLength=1"`
	// The best of them.
	Items []TrialSearchCandidate `json:"items,omitempty" jsonschema:"minItems=1"`
}

// CriteriaMatch is a line of an eligibility text.
type CriteriaMatch struct {
	// unclear: the headings of the text are unclear.
	List string `json:"list" jsonschema:"enum=inclusion,enum=exclusion,enum=unclear"`
	// At most 200 characters, around the words.
	Text string `json:"text" jsonschema:"minLength=1"`
}

// Trial is the complete flat record of a trial, except for its sites and its
// posted results. A field without a value is absent; no field is ever null, empty
// or guessed.
type Trial struct {
	// CURIE of the trial. Source: identificationModule.nctId.
	ID string `json:"id" jsonschema:"pattern=^NCT:[0-9]{8}$" section:"always"`
	// Official title, else the brief one. Source: identificationModule.officialTitle, briefTitle.
	Title string `json:"title" jsonschema:"minLength=1" section:"always"`
	// Overall recruitment status. Source: statusModule.overallStatus.
	Status Status `json:"status" section:"always"`

	// Obsolete ids of this trial. Source: identificationModule.nctIdAliases.
	IDAliases []string `json:"id_aliases,omitempty" jsonschema:"minItems=1,minLength=1" section:"summary"`
	// Short title. Source: identificationModule.briefTitle.
	BriefTitle string `json:"brief_title,omitempty" section:"summary"`
	// Acronym of the study. Source: identificationModule.acronym.
	Acronym string `json:"acronym,omitempty" jsonschema:"minLength=1" section:"summary"`
	// Complete brief summary. Markdown. Source: descriptionModule.briefSummary.
	BriefSummary string `json:"brief_summary,omitempty" jsonschema:"minLength=1" section:"summary" cut:"30"`
	// Status before it became UNKNOWN. Source: statusModule.lastKnownStatus.
	LastKnownStatus Status `json:"last_known_status,omitempty" section:"summary"`
	// Why the study was stopped. Source: statusModule.whyStopped.
	WhyStopped string `json:"why_stopped,omitempty" jsonschema:"minLength=1" section:"summary"`
	// Absent for observational studies. Source: designModule.phases.
	Phase Phase `json:"phase,omitempty" section:"summary"`
	// All phases of a trial with several. Source: designModule.phases.
	Phases []Phase `json:"phases,omitempty" jsonschema:"minItems=2" section:"summary"`
	// Conditions or diseases studied. Source: conditionsModule.conditions.
	Conditions []string `json:"conditions,omitempty" jsonschema:"minItems=1,minLength=1" section:"summary" cut:"38"`
	// Keywords of the sponsor. Source: conditionsModule.keywords.
	Keywords []string `json:"keywords,omitempty" jsonschema:"minItems=1,minLength=1" section:"summary" cut:"27"`
	// Names of the interventions. Source: armsInterventionsModule.interventions.name.
	Interventions []string `json:"interventions,omitempty" jsonschema:"minItems=1,minLength=1" section:"summary" cut:"37"`
	// MeSH terms that the registry assigned. Source: conditionBrowseModule.meshes, interventionBrowseModule.meshes.
	MeSH *TrialMeSH `json:"mesh,omitempty" section:"summary" drop:"28"`
	// Lead sponsor first, then collaborators. Source: sponsorCollaboratorsModule.leadSponsor, collaborators.
	Sponsors []Sponsor `json:"sponsors,omitempty" jsonschema:"minItems=1" section:"summary" cut:"36"`
	// Participants. Absent where unknown. Source: designModule.enrollmentInfo.count, where 99999999 means unknown.
	Enrollment *int `json:"enrollment,omitempty" jsonschema:"minimum=0" section:"summary"`
	// Type of the number. Source: designModule.enrollmentInfo.type.
	EnrollmentType EnrollmentType `json:"enrollment_type,omitempty" section:"summary"`
	// YYYY-MM-DD, YYYY-MM or YYYY. Source: statusModule.startDateStruct.
	StartDate string `json:"start_date,omitempty" jsonschema:"minLength=4" section:"summary"`
	// Type of the date. Source: statusModule.startDateStruct.type.
	StartDateType DateType `json:"start_date_type,omitempty" section:"summary"`
	// Last data collection for the primary outcomes. Source: statusModule.primaryCompletionDateStruct.
	PrimaryCompletionDate string `json:"primary_completion_date,omitempty" jsonschema:"minLength=4" section:"summary"`
	// Type of the date. Source: statusModule.primaryCompletionDateStruct.type.
	PrimaryCompletionDateType DateType `json:"primary_completion_date_type,omitempty" section:"summary"`
	// Completion of the study. Source: statusModule.completionDateStruct.
	CompletionDate string `json:"completion_date,omitempty" jsonschema:"minLength=4" section:"summary"`
	// Type of the date. Source: statusModule.completionDateStruct.type.
	CompletionDateType DateType `json:"completion_date_type,omitempty" section:"summary"`
	// Whether results are posted. Source: hasResults.
	HasResults *bool `json:"has_results,omitempty" section:"summary"`
	// Numbers of sites by country; get_trial_locations lists the sites. Source: contactsLocationsModule.locations.
	LocationsSummary *LocationsSummary `json:"locations_summary,omitempty" section:"summary" drop:"29"`

	// Detailed description. Markdown. Source: descriptionModule.detailedDescription.
	DetailedDescription string `json:"detailed_description,omitempty" jsonschema:"minLength=1" section:"design" cut:"2"`
	// Study design. Source: designModule.
	Protocol *TrialProtocol `json:"protocol,omitempty" section:"design" details:"11 descriptions of protocol"`
	// Access to the treatment outside the study. Source: statusModule.expandedAccessInfo, designModule.expandedAccessTypes.
	ExpandedAccess *ExpandedAccess `json:"expanded_access,omitempty" section:"design"`

	// Conditions of participation. Source: eligibilityModule.
	EligibilityCriteria *EligibilityCriteria `json:"eligibility_criteria,omitempty" section:"eligibility"`
	// Whether eligibility depends on gender identity. Source: eligibilityModule.genderBased.
	GenderBased *bool `json:"gender_based,omitempty" section:"eligibility"`
	// Eligible gender identity. Source: eligibilityModule.genderDescription.
	GenderDescription string `json:"gender_description,omitempty" section:"eligibility"`
	// Eligible age groups. Source: eligibilityModule.stdAges.
	AgeGroups []StandardAge `json:"age_groups,omitempty" jsonschema:"minItems=1" section:"eligibility"`
	// Population that is sampled. Markdown. Source: eligibilityModule.studyPopulation.
	StudyPopulation string `json:"study_population,omitempty" section:"eligibility" cut:"18"`
	// How it is sampled. Source: eligibilityModule.samplingMethod.
	SamplingMethod SamplingMethod `json:"sampling_method,omitempty" section:"eligibility"`

	// Primary outcome measures. Source: outcomesModule.primaryOutcomes.
	PrimaryOutcomes []Outcome `json:"primary_outcomes,omitempty" jsonschema:"minItems=1" section:"outcomes" details:"6 descriptions of primary_outcomes" cut:"16"`
	// Secondary outcome measures. Source: outcomesModule.secondaryOutcomes.
	SecondaryOutcomes []Outcome `json:"secondary_outcomes,omitempty" jsonschema:"minItems=1" section:"outcomes" details:"5 descriptions of secondary_outcomes" cut:"9"`
	// Other outcome measures. Source: outcomesModule.otherOutcomes.
	OtherOutcomes []Outcome `json:"other_outcomes,omitempty" jsonschema:"minItems=1" section:"outcomes" details:"4 descriptions of other_outcomes" cut:"8"`

	// Groups of participants. Source: armsInterventionsModule.armGroups.
	Arms []Arm `json:"arms,omitempty" jsonschema:"minItems=1" section:"arms" details:"7 descriptions of arms and intervention_details" cut:"14"`
	// Interventions with doses and other names. Source: armsInterventionsModule.interventions.
	InterventionDetails []Intervention `json:"intervention_details,omitempty" jsonschema:"minItems=1" section:"arms" details:"7" cut:"15"`

	// Contacts for the whole study. Source: contactsLocationsModule.centralContacts.
	CentralContacts []Contact `json:"central_contacts,omitempty" jsonschema:"minItems=1" section:"contacts" cut:"35"`
	// Persons who are responsible for the study. Source: contactsLocationsModule.overallOfficials.
	Officials []Official `json:"officials,omitempty" jsonschema:"minItems=1" section:"contacts" cut:"26"`
	// Person or organization responsible for the record. Source: sponsorCollaboratorsModule.responsibleParty.
	ResponsibleParty *ResponsibleParty `json:"responsible_party,omitempty" section:"contacts"`

	// Articles that the record names. Source: referencesModule.references.
	References []Reference `json:"references,omitempty" jsonschema:"minItems=1" section:"references" details:"3 citations of references that have a pmid" cut:"10"`
	// Pages about the study. Source: referencesModule.seeAlsoLinks.
	Links []Link `json:"links,omitempty" jsonschema:"minItems=1" section:"references" cut:"24"`
	// Protocol, analysis plan and consent form as files. Source: documentSection.largeDocumentModule.largeDocs.
	Documents []TrialDocument `json:"documents,omitempty" jsonschema:"minItems=1" section:"references" cut:"25"`
	// True: the study has no statistical analysis plan. Source: documentSection.largeDocumentModule.noSap.
	NoSAP *bool `json:"no_sap,omitempty" section:"references"`
	// Plan to share data of participants. Source: ipdSharingStatementModule.
	IPDSharing *IPDSharingPlan `json:"ipd_sharing,omitempty" section:"references" drop:"12"`
	// Shared data and documents. Source: referencesModule.availIpds.
	AvailableIPD []AvailableIPD `json:"available_ipd,omitempty" jsonschema:"minItems=1" section:"references" cut:"13"`

	// Articles that sources join to the trial, each with its reasons. Only if the section is requested.
	Publications []TrialPublication `json:"publications,omitempty" jsonschema:"minItems=1" section:"publications" on:"request" cut:"39"`

	// Organization that maintains the record. Source: identificationModule.organization.fullName.
	Organization string `json:"organization,omitempty" section:"administrative"`
	// Kind of the organization. Source: identificationModule.organization.class.
	OrganizationClass AgencyClass `json:"organization_class,omitempty" section:"administrative"`
	// The organization's own id of the study. Source: identificationModule.orgStudyIdInfo.id.
	OrgStudyID string `json:"org_study_id,omitempty" section:"administrative"`
	// Kind of the id. Source: identificationModule.orgStudyIdInfo.type.
	OrgStudyIDType OrgStudyIDType `json:"org_study_id_type,omitempty" section:"administrative"`
	// Page of the id. Source: identificationModule.orgStudyIdInfo.link.
	OrgStudyIDLink string `json:"org_study_id_link,omitempty" section:"administrative"`
	// Ids in other systems, as in the record. Source: identificationModule.secondaryIdInfos.
	SecondaryIDs []SecondaryID `json:"secondary_ids,omitempty" jsonschema:"minItems=1" section:"administrative" cut:"22"`
	// Oversight of the study. Source: oversightModule.
	Oversight *Oversight `json:"oversight,omitempty" section:"administrative"`
	// Last verification of the record. Source: statusModule.statusVerifiedDate.
	VerifiedDate string `json:"verified_date,omitempty" jsonschema:"minLength=4" section:"administrative"`
	// First submission. Source: statusModule.studyFirstSubmitDate.
	FirstSubmittedDate string `json:"first_submitted_date,omitempty" jsonschema:"minLength=4" section:"administrative"`
	// First submission that passed quality control. Source: statusModule.studyFirstSubmitQcDate.
	FirstSubmittedQCDate string `json:"first_submitted_qc_date,omitempty" jsonschema:"minLength=4" section:"administrative"`
	// First posted. Source: statusModule.studyFirstPostDateStruct.
	FirstPostedDate string `json:"first_posted_date,omitempty" jsonschema:"minLength=4" section:"administrative"`
	// Type of the date. Source: statusModule.studyFirstPostDateStruct.type.
	FirstPostedDateType DateType `json:"first_posted_date_type,omitempty" section:"administrative"`
	// First submission of results. Source: statusModule.resultsFirstSubmitDate.
	ResultsFirstSubmittedDate string `json:"results_first_submitted_date,omitempty" jsonschema:"minLength=4" section:"administrative"`
	// First submission of results that passed quality control. Source: statusModule.resultsFirstSubmitQcDate.
	ResultsFirstSubmittedQCDate string `json:"results_first_submitted_qc_date,omitempty" jsonschema:"minLength=4" section:"administrative"`
	// Results first posted. Source: statusModule.resultsFirstPostDateStruct.
	ResultsFirstPostedDate string `json:"results_first_posted_date,omitempty" jsonschema:"minLength=4" section:"administrative"`
	// Type of the date. Source: statusModule.resultsFirstPostDateStruct.type.
	ResultsFirstPostedDateType DateType `json:"results_first_posted_date_type,omitempty" section:"administrative"`
	// Whether posting of results was waived. Source: statusModule.resultsWaived.
	ResultsWaived *bool `json:"results_waived,omitempty" section:"administrative"`
	// Request to post results later: submitted. Source: statusModule.dispFirstSubmitDate.
	DelayFirstSubmittedDate string `json:"delay_first_submitted_date,omitempty" jsonschema:"minLength=4" section:"administrative"`
	// Request to post results later: passed quality control. Source: statusModule.dispFirstSubmitQcDate.
	DelayFirstSubmittedQCDate string `json:"delay_first_submitted_qc_date,omitempty" jsonschema:"minLength=4" section:"administrative"`
	// Request to post results later: posted. Source: statusModule.dispFirstPostDateStruct.
	DelayFirstPostedDate string `json:"delay_first_posted_date,omitempty" jsonschema:"minLength=4" section:"administrative"`
	// Type of the date. Source: statusModule.dispFirstPostDateStruct.type.
	DelayFirstPostedDateType DateType `json:"delay_first_posted_date_type,omitempty" section:"administrative"`
	// Whether posting of the record is delayed, as for unapproved devices. Source: statusModule.delayedPosting.
	DelayedPosting *bool `json:"delayed_posting,omitempty" section:"administrative"`
	// Last update submitted. Source: statusModule.lastUpdateSubmitDate.
	LastUpdateSubmittedDate string `json:"last_update_submitted_date,omitempty" jsonschema:"minLength=4" section:"administrative"`
	// Last update posted. Source: statusModule.lastUpdatePostDateStruct.
	LastUpdateDate string `json:"last_update_date,omitempty" jsonschema:"minLength=4" section:"administrative"`
	// Type of the date. Source: statusModule.lastUpdatePostDateStruct.type.
	LastUpdateDateType DateType `json:"last_update_date_type,omitempty" section:"administrative"`
	// Countries whose sites were removed. Source: miscInfoModule.removedCountries.
	RemovedCountries []string `json:"removed_countries,omitempty" jsonschema:"minItems=1,minLength=1" section:"administrative" cut:"23"`
	// Submissions of results that are not posted. Source: miscInfoModule.submissionTracking.
	ResultsSubmission *ResultsSubmission `json:"results_submission,omitempty" section:"administrative" drop:"21"`
	// Submission history of results that are not posted. Source: annotationModule.unpostedAnnotation.
	UnpostedResults *UnpostedSubmission `json:"unposted_results,omitempty" section:"administrative" drop:"20"`
	// Whether and when results are due by 42 CFR 11, computed.
	Reporting *Reporting `json:"reporting,omitempty" section:"administrative"`
	// Notices of violation. Source: annotationModule.violationAnnotation.
	Violations []Violation `json:"violations,omitempty" jsonschema:"minItems=1" section:"administrative" cut:"19"`

	// Ids of the trial in other systems.
	CrossReferences TrialCrossReferences `json:"cross_references" section:"always"`
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
	// How the arms follow the model. Markdown. Source: designInfo.interventionModelDescription.
	InterventionModelDescription string `json:"intervention_model_description,omitempty" detail:""`
	// Markdown. Source: designInfo.maskingInfo.maskingDescription.
	MaskingDescription string `json:"masking_description,omitempty" detail:""`
	// Roles that do not know the arm. Source: designInfo.maskingInfo.whoMasked.
	WhoMasked []WhoMasked `json:"who_masked,omitempty" jsonschema:"minItems=1"`
	// Of an observational study. Source: designInfo.timePerspective.
	TimePerspective DesignTimePerspective `json:"time_perspective,omitempty"`
	// Whether it is a patient registry. Source: designModule.patientRegistry.
	PatientRegistry *bool `json:"patient_registry,omitempty"`
	// Of a patient registry: how long each participant is followed. Source: designModule.targetDuration.
	TargetDuration string `json:"target_duration,omitempty"`
	// Retained biospecimens. Source: designModule.bioSpec.retention.
	BiospecimenRetention BioSpecRetention `json:"biospecimen_retention,omitempty"`
	// Markdown. Source: designModule.bioSpec.description.
	BiospecimenDescription string `json:"biospecimen_description,omitempty" detail:""`
	// Number of items in arms. Source: armsInterventionsModule.armGroups.
	ArmsCounted int `json:"arms_counted,omitempty" jsonschema:"minimum=1"`
}

// EligibilityCriteria are the conditions for participation in a trial.
type EligibilityCriteria struct {
	// Markdown. Source: eligibilityModule.eligibilityCriteria.
	CriteriaText string `json:"criteria_text,omitempty" jsonschema:"minLength=1" cut:"17"`
	// Limits that criteria_text sets. Phrases without a clear meaning are left out. Computed.
	Limits []CriteriaLimit `json:"limits,omitempty" jsonschema:"minItems=1" cut:"0"`
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
	// Measure. Source: measure.
	Measure string `json:"measure,omitempty" jsonschema:"minLength=1"`
	// When it is measured. Source: timeFrame.
	TimeFrame string `json:"time_frame,omitempty" jsonschema:"minLength=1"`
	// How it is measured. Markdown. Source: description.
	Description string `json:"description,omitempty" jsonschema:"minLength=1" detail:"Measure TimeFrame"`
}

// SponsorRole is LEAD_SPONSOR or COLLABORATOR.
type SponsorRole string

// The roles of a sponsor.
const (
	LeadSponsor  SponsorRole = "LEAD_SPONSOR"
	Collaborator SponsorRole = "COLLABORATOR"
)

// Sponsor is the lead sponsor or a collaborator of a trial.
type Sponsor struct {
	// Name of the organization.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Role in the trial.
	Role SponsorRole `json:"role" jsonschema:"enum=LEAD_SPONSOR,enum=COLLABORATOR"`
	// Kind of organization. Source: class.
	Class AgencyClass `json:"class,omitempty"`
}

// TrialCrossReferences are the ids of a trial and of its subjects in other
// systems. The field of a key states its pattern; an id that does not match it is
// left out.
type TrialCrossReferences struct {
	// Page of the trial at the registry.
	ClinicalTrialsGov string `json:"clinicaltrials_gov" jsonschema:"pattern=^https://clinicaltrials\\.gov/study/NCT[0-9]{8}$"`
	// PMIDs of its publications (results, and articles that name the trial), for fetchArticleDetails. Source:
	// referencesModule.references.pmid, but for the type BACKGROUND.
	PubMed []string `json:"pubmed,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^[0-9]+$" section:"references" cut:"32"`
	// PMIDs of articles cited as background, not about this trial. Source: referencesModule.references.pmid of type BACKGROUND.
	PubMedBackground []string `json:"pubmed_background,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^[0-9]+$" section:"references" cut:"31"`
	// MeSH ids of the conditions. Source: conditionBrowseModule.meshes.id.
	MeSHConditions []string `json:"mesh_conditions,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^[CD]([0-9]{6}|[0-9]{9})$" section:"summary" cut:"34"`
	// MeSH ids of the interventions. Source: interventionBrowseModule.meshes.id.
	MeSHInterventions []string `json:"mesh_interventions,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^[CD]([0-9]{6}|[0-9]{9})$" section:"summary" cut:"33"`
	// EudraCT numbers (EU, until 2023). Source: secondaryIdInfos, by pattern.
	EudraCT []string `json:"eudract,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^(19|20)[0-9]{2}-[0-4][0-9]{5}-[0-9]{2}$"`
	// EU CT numbers (CTIS). Source: secondaryIdInfos, by pattern.
	CTIS []string `json:"ctis,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^20[0-9]{2}-5[0-9]{5}-[0-9]{2}(-[0-9]{2})?$"`
	// ISRCTN registry numbers. Source: secondaryIdInfos, by pattern.
	ISRCTN []string `json:"isrctn,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^ISRCTN[0-9]{8}$"`
	// Universal Trial Numbers of the WHO. Source: secondaryIdInfos, by pattern.
	WHOUTN []string `json:"who_utn,omitempty" jsonschema:"minItems=1,minLength=1,pattern=^U1111-[0-9]{4}-[0-9]{4}$"`
}
