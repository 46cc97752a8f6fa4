package entity

// LocationsSummary counts the sites of a trial.
type LocationsSummary struct {
	// Number of sites.
	Sites int `json:"sites" jsonschema:"minimum=1"`
	// Most sites first.
	Countries []CountrySites `json:"countries,omitempty" jsonschema:"minItems=1"`
}

// CountrySites counts the sites in a country.
type CountrySites struct {
	// Country. Source: locations.country.
	Country string `json:"country"`
	// Number of sites there.
	Sites int `json:"sites" jsonschema:"minimum=1"`
	// Recruiting sites there (last known, if the trial is UNKNOWN). Absent where no site of the trial has a status. Source:
	// locations.status.
	Recruiting *int `json:"recruiting,omitempty" jsonschema:"minimum=0"`
}

// TrialMeSH are the MeSH terms of a trial.
type TrialMeSH struct {
	// Terms of the conditions. Source: conditionBrowseModule.meshes.
	Conditions []TrialMeSHTerm `json:"conditions,omitempty" jsonschema:"minItems=1"`
	// Terms of the interventions. Source: interventionBrowseModule.meshes.
	Interventions []TrialMeSHTerm `json:"interventions,omitempty" jsonschema:"minItems=1"`
}

// TrialMeSHTerm is one heading of MeSH.
type TrialMeSHTerm struct {
	// MeSH id. Source: meshes.id.
	ID string `json:"id,omitempty" jsonschema:"pattern=^[CD]([0-9]{6}|[0-9]{9})$"`
	// Heading. Source: meshes.term.
	Term string `json:"term,omitempty"`
}

// ExpandedAccess describes access to a treatment outside a study.
type ExpandedAccess struct {
	// Whether the treatment is available outside the study. Source: expandedAccessInfo.hasExpandedAccess.
	Available *bool `json:"available,omitempty"`
	// CURIE of the expanded access record, for get_trial. Source: expandedAccessInfo.nctId.
	ID string `json:"id,omitempty" jsonschema:"pattern=^NCT:[0-9]{8}$"`
	// Status of that record. Source: expandedAccessInfo.statusForNctId.
	Status ExpandedAccessStatus `json:"status,omitempty"`
	// Whether this record is for single patients. Source: expandedAccessTypes.individual.
	Individual *bool `json:"individual,omitempty"`
	// Whether for an intermediate number of patients. Source: expandedAccessTypes.intermediate.
	Intermediate *bool `json:"intermediate,omitempty"`
	// Whether by a treatment protocol. Source: expandedAccessTypes.treatment.
	Treatment *bool `json:"treatment,omitempty"`
	// Number of trials that refer to this record. Source: designModule.nPtrsToThisExpAccNctId.
	ReferringTrials *int `json:"referring_trials,omitempty" jsonschema:"minimum=0"`
}

// Arm is a group of participants with the same treatment.
type Arm struct {
	// Name of the arm. Source: armGroups.label.
	Label string `json:"label,omitempty"`
	// Kind of arm. Source: armGroups.type.
	Type ArmGroupType `json:"type,omitempty"`
	// Markdown. Source: armGroups.description.
	Description string `json:"description,omitempty" detail:"Label"`
	// Type and name of each of its interventions. Source: armGroups.interventionNames.
	Interventions []string `json:"interventions,omitempty" jsonschema:"minItems=1"`
}

// Intervention is one treatment or procedure of a trial.
type Intervention struct {
	// Name of the intervention. Source: interventions.name.
	Name string `json:"name,omitempty"`
	// Kind of intervention. Source: interventions.type.
	Type InterventionType `json:"type,omitempty"`
	// Such as dose and schedule. Markdown. Source: interventions.description.
	Description string `json:"description,omitempty" detail:"Name"`
	// Brand names and synonyms. Source: interventions.otherNames.
	OtherNames []string `json:"other_names,omitempty" jsonschema:"minItems=1"`
	// Labels of its arms. Source: interventions.armGroupLabels.
	Arms []string `json:"arms,omitempty" jsonschema:"minItems=1"`
}

// Official is a person who is responsible for a study.
type Official struct {
	// Name of the person. Source: overallOfficials.name.
	Name string `json:"name,omitempty"`
	// Role in the study. Source: overallOfficials.role.
	Role OfficialRole `json:"role,omitempty"`
	// Organization of the person. Source: overallOfficials.affiliation.
	Affiliation string `json:"affiliation,omitempty"`
}

// ResponsibleParty is the person or organization responsible for a record.
type ResponsibleParty struct {
	// Sponsor or investigator. Source: responsibleParty.type.
	Type ResponsiblePartyType `json:"type,omitempty"`
	// Name of the investigator. Source: responsibleParty.investigatorFullName.
	Name string `json:"name,omitempty"`
	// Title of the investigator. Source: responsibleParty.investigatorTitle.
	Title string `json:"title,omitempty"`
	// Affiliation of the investigator. Source: responsibleParty.investigatorAffiliation.
	Affiliation string `json:"affiliation,omitempty"`
	// Name and title in records from before 2011. Source: responsibleParty.oldNameTitle.
	OldNameTitle string `json:"old_name_title,omitempty"`
	// Organization in records from before 2011. Source: responsibleParty.oldOrganization.
	OldOrganization string `json:"old_organization,omitempty"`
}

// Reference is an article that a record names.
type Reference struct {
	// PMID, for fetchArticleDetails. Source: references.pmid.
	PMID string `json:"pmid,omitempty" jsonschema:"pattern=^[0-9]+$"`
	// RESULT: results of this trial; DERIVED: found by its NCT id; BACKGROUND: cited. Source: references.type.
	Type ReferenceType `json:"type,omitempty"`
	// Citation, as in the record. Source: references.citation.
	Citation string `json:"citation,omitempty" detail:"PMID"`
	// Notices of retraction. Source: references.retractions.
	Retractions []Retraction `json:"retractions,omitempty" jsonschema:"minItems=1"`
}

// Retraction is a notice that an article was retracted.
type Retraction struct {
	// PMID of the notice. Source: retractions.pmid.
	PMID string `json:"pmid,omitempty" jsonschema:"pattern=^[0-9]+$"`
	// Citation of the notice. Source: retractions.source.
	Source string `json:"source,omitempty"`
}

// Link is a page about a study.
type Link struct {
	// Text of the link. Source: seeAlsoLinks.label.
	Label string `json:"label,omitempty"`
	// Address. Source: seeAlsoLinks.url.
	URL string `json:"url,omitempty"`
}

// TrialDocument is a posted document of a study.
type TrialDocument struct {
	// Parts of the document: protocol, sap, icf. Source: largeDocs.hasProtocol, hasSap, hasIcf, typeAbbrev.
	Kinds []string `json:"kinds,omitempty" jsonschema:"minItems=1"`
	// Title of the document. Source: largeDocs.label.
	Label string `json:"label,omitempty"`
	// Date of the document. Source: largeDocs.date.
	Date string `json:"date,omitempty" jsonschema:"minLength=4"`
	// Upload time. Source: largeDocs.uploadDate.
	Uploaded string `json:"uploaded,omitempty" jsonschema:"minLength=4"`
	// Size in bytes. Source: largeDocs.size.
	Size *int `json:"size,omitempty" jsonschema:"minimum=0"`
	// Name of the file. Source: largeDocs.filename.
	Filename string `json:"filename,omitempty"`
	// Address of the file, built as on the registry's pages.
	URL string `json:"url,omitempty" jsonschema:"pattern=^https://cdn\\.clinicaltrials\\.gov/large-docs/[0-9]{2}/NCT[0-9]{8}/[^/]+$"`
}

// IPDSharingPlan is the plan to share data of participants.
type IPDSharingPlan struct {
	// YES, NO or UNDECIDED. Source: ipdSharing.
	Sharing IPDSharing `json:"sharing,omitempty"`
	// Markdown. Source: description.
	Description string `json:"description,omitempty"`
	// Documents shared with the data. Source: infoTypes.
	InfoTypes []IPDSharingInfoType `json:"info_types,omitempty" jsonschema:"minItems=1"`
	// When the data are available. Markdown. Source: timeFrame.
	TimeFrame string `json:"time_frame,omitempty"`
	// Conditions of access and use. Markdown. Source: accessCriteria.
	AccessCriteria string `json:"access_criteria,omitempty"`
	// Page about the plan. Source: url.
	URL string `json:"url,omitempty"`
}

// AvailableIPD is an available data set or document.
type AvailableIPD struct {
	// Id of the data. Source: availIpds.id.
	ID string `json:"id,omitempty"`
	// Kind of data or document. Source: availIpds.type.
	Type string `json:"type,omitempty"`
	// Address of the data. Source: availIpds.url.
	URL string `json:"url,omitempty"`
	// Markdown. Source: availIpds.comment.
	Comment string `json:"comment,omitempty"`
}

// SecondaryID is an id of a study in another system.
type SecondaryID struct {
	// The id. Source: secondaryIdInfos.id.
	ID string `json:"id,omitempty"`
	// Kind of id. Source: secondaryIdInfos.type.
	Type SecondaryIDType `json:"type,omitempty"`
	// Organization that assigned the id. Source: secondaryIdInfos.domain.
	Domain string `json:"domain,omitempty"`
	// Page of the id. Source: secondaryIdInfos.link.
	Link string `json:"link,omitempty"`
	// Register of trials whose number the id is or contains, such as ISRCTN. Read from the form of the id.
	Register string `json:"register,omitempty"`
	// The number as the register writes it.
	RegisterID string `json:"register_id,omitempty"`
	// Record in the register, where its address follows from the number and the registry gives no page.
	RegisterURL string `json:"register_url,omitempty"`
}

// Oversight holds facts about the oversight of a study.
type Oversight struct {
	// Whether the study has a data monitoring committee. Source: oversightHasDmc.
	HasDMC *bool `json:"has_dmc,omitempty"`
	// Whether it studies a drug that the FDA regulates. Source: isFdaRegulatedDrug.
	FDARegulatedDrug *bool `json:"fda_regulated_drug,omitempty"`
	// Whether it studies a device that the FDA regulates. Source: isFdaRegulatedDevice.
	FDARegulatedDevice *bool `json:"fda_regulated_device,omitempty"`
	// Whether it studies a device that the FDA has not approved. Source: isUnapprovedDevice.
	UnapprovedDevice *bool `json:"unapproved_device,omitempty"`
	// Whether it is pediatric postmarket surveillance of a device. Source: isPpsd.
	PediatricPostmarketSurveillance *bool `json:"pediatric_postmarket_surveillance,omitempty"`
	// Whether the product is exported from the USA. Source: isUsExport.
	USExport *bool `json:"us_export,omitempty"`
	// Whether FDAAA 801 was violated. Source: fdaaa801Violation.
	FDAAA801Violation *bool `json:"fdaaa801_violation,omitempty"`
}

// ResultsSubmission describes submissions of results that are not posted.
type ResultsSubmission struct {
	// Estimated first submission of results. Source: submissionTracking.estimatedResultsFirstSubmitDate.
	EstimatedFirstSubmittedDate string `json:"estimated_first_submitted_date,omitempty" jsonschema:"minLength=4"`
	// First posting under a modified certificate. Source: submissionTracking.firstMcpInfo.postDateStruct.date.
	FirstMCPPostedDate string `json:"first_mcp_posted_date,omitempty" jsonschema:"minLength=4"`
	// Type of the date. Source: submissionTracking.firstMcpInfo.postDateStruct.type.
	FirstMCPPostedDateType DateType `json:"first_mcp_posted_date_type,omitempty"`
	// Submissions and returns. Source: submissionTracking.submissionInfos.
	Cycles []SubmissionCycle `json:"cycles,omitempty" jsonschema:"minItems=1"`
}

// SubmissionCycle is one submission of results, with its outcome.
type SubmissionCycle struct {
	// Date of submission. Source: submissionInfos.releaseDate.
	Released string `json:"released,omitempty" jsonschema:"minLength=4"`
	// Date of withdrawal. Source: submissionInfos.unreleaseDate.
	Unreleased string `json:"unreleased,omitempty" jsonschema:"minLength=4"`
	// True: withdrawn on an unknown date. Source: submissionInfos.unreleaseDateUnknown.
	UnreleasedUnknown *bool `json:"unreleased_unknown,omitempty"`
	// Date of return after quality control. Source: submissionInfos.resetDate.
	Reset string `json:"reset,omitempty" jsonschema:"minLength=4"`
	// Number of the modified certificate. Source: submissionInfos.mcpReleaseN.
	MCPRelease *int `json:"mcp_release,omitempty"`
}

// UnpostedSubmission is the submission history of results that are not posted.
type UnpostedSubmission struct {
	// Submitter. Source: unpostedAnnotation.unpostedResponsibleParty.
	ResponsibleParty string `json:"responsible_party,omitempty"`
	// Submissions and returns. Source: unpostedAnnotation.unpostedEvents.
	Events []UnpostedEvent `json:"events,omitempty" jsonschema:"minItems=1"`
}

// Violation is a notice about a violation of the duty to report.
type Violation struct {
	// Kind of notice. Source: violationEvents.type.
	Type string `json:"type,omitempty"`
	// Text of the notice. Source: violationEvents.description.
	Description string `json:"description,omitempty"`
	// Creation date. Source: violationEvents.creationDate.
	CreatedDate string `json:"created_date,omitempty" jsonschema:"minLength=4"`
	// Issue date. Source: violationEvents.issuedDate.
	IssuedDate string `json:"issued_date,omitempty" jsonschema:"minLength=4"`
	// Release date. Source: violationEvents.releaseDate.
	ReleasedDate string `json:"released_date,omitempty" jsonschema:"minLength=4"`
	// Posting date. Source: violationEvents.postedDate.
	PostedDate string `json:"posted_date,omitempty" jsonschema:"minLength=4"`
}

// UnpostedEvent is a step of a submission of results.
type UnpostedEvent struct {
	// RELEASE: submitted; RESET: returned; UNRELEASE: withdrawn. Source: type.
	Type string `json:"type,omitempty" jsonschema:"minLength=1"`
	// YYYY-MM-DD. Source: date.
	Date string `json:"date,omitempty" jsonschema:"minLength=4"`
	// True: the date is unknown. Source: dateUnknown.
	DateUnknown *bool `json:"date_unknown,omitempty"`
}
