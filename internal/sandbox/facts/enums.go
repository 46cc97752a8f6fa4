package facts

// The closed lists of the upstream, version 2.0.5 of its document.
var (
	statuses = []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "ENROLLING_BY_INVITATION", "NOT_YET_RECRUITING",
		"RECRUITING", "SUSPENDED", "TERMINATED", "WITHDRAWN", "AVAILABLE", "NO_LONGER_AVAILABLE",
		"TEMPORARILY_NOT_AVAILABLE", "APPROVED_FOR_MARKETING", "WITHHELD", "UNKNOWN"}
	// siteStatuses are those that a site may have: the first eight and AVAILABLE.
	siteStatuses = statuses[:9:9]
	// accessStatuses belong to expanded access and to nothing else.
	accessStatuses = statuses[8:12:12]

	phases               = []string{"NA", "EARLY_PHASE1", "PHASE1", "PHASE2", "PHASE3", "PHASE4"}
	studyTypes           = []string{"EXPANDED_ACCESS", "INTERVENTIONAL", "OBSERVATIONAL"}
	accessTypes          = []string{"individual", "intermediate", "treatment"}
	allocations          = []string{"RANDOMIZED", "NON_RANDOMIZED", "NA"}
	interventionalModels = []string{"SINGLE_GROUP", "PARALLEL", "CROSSOVER", "FACTORIAL", "SEQUENTIAL"}
	observationalModels  = []string{"COHORT", "CASE_CONTROL", "CASE_ONLY", "CASE_CROSSOVER", "ECOLOGIC_OR_COMMUNITY",
		"FAMILY_BASED", "DEFINED_POPULATION", "NATURAL_HISTORY", "OTHER"}
	perspectives = []string{"RETROSPECTIVE", "PROSPECTIVE", "CROSS_SECTIONAL", "OTHER"}
	maskings     = []string{"NONE", "SINGLE", "DOUBLE", "TRIPLE", "QUADRUPLE"}
	whoMasked    = []string{"PARTICIPANT", "CARE_PROVIDER", "INVESTIGATOR", "OUTCOMES_ASSESSOR"}
	purposes     = []string{"TREATMENT", "PREVENTION", "DIAGNOSTIC", "ECT", "SUPPORTIVE_CARE", "SCREENING",
		"HEALTH_SERVICES_RESEARCH", "BASIC_SCIENCE", "DEVICE_FEASIBILITY", "OTHER"}
	samplings         = []string{"PROBABILITY_SAMPLE", "NON_PROBABILITY_SAMPLE"}
	sexes             = []string{"FEMALE", "MALE", "ALL"}
	dateTypes         = []string{"ACTUAL", "ESTIMATED"}
	agencyClasses     = []string{"NIH", "FED", "OTHER_GOV", "INDIV", "INDUSTRY", "NETWORK", "AMBIG", "OTHER", "UNKNOWN"}
	interventionTypes = []string{"BEHAVIORAL", "BIOLOGICAL", "COMBINATION_PRODUCT", "DEVICE", "DIAGNOSTIC_TEST",
		"DIETARY_SUPPLEMENT", "DRUG", "GENETIC", "PROCEDURE", "RADIATION", "OTHER"}
	armTypes = []string{"EXPERIMENTAL", "ACTIVE_COMPARATOR", "PLACEBO_COMPARATOR", "SHAM_COMPARATOR", "NO_INTERVENTION",
		"OTHER"}
	secondaryIDTypes = []string{"NIH", "FDA", "VA", "CDC", "AHRQ", "SAMHSA", "OTHER_GRANT", "EUDRACT_NUMBER", "CTIS",
		"REGISTRY", "OTHER"}
	referenceTypes = []string{"BACKGROUND", "RESULT", "DERIVED"}
)

// Words of the facts file itself.
var (
	// contactKinds say which of its fields a contact has: a person has a name, a
	// phone and an e-mail address, extension adds a phone extension, investigator
	// has a name and its role, phone has no name, and role has nothing else.
	contactKinds = []string{"person", "extension", "investigator", "phone", "role"}
	// leftOut are the parts that a record can do without although its facts would
	// give them; real records do.
	leftOut = []string{"description", "outcomes", "eligibility"}
)
