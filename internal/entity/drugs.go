package entity

// DrugsRead are the days of the data that an answer about drugs is made from.
type DrugsRead struct {
	// Days of the data, by endpoint of openFDA. Source: meta.last_updated.
	DataDates map[string]string `json:"data_dates,omitempty"`
}

// DrugSearchCandidate is one set of active substances: salts and labellers are folded.
type DrugSearchCandidate struct {
	// For get_drug and count_drug_events: UNII of a single substance, else application number, else SPL set id. Source: openfda.unii,
	// application_number, openfda.spl_set_id.
	ID string `json:"id" jsonschema:"minLength=1"`
	// Active substances without their salts. Source: active_ingredients.name.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Name that matches query. Source: brand_name, generic_name, active_ingredients.name, names.name.
	Matched string `json:"matched,omitempty" jsonschema:"minLength=1"`
	// Active substances as listed, salts included. Source: active_ingredients, openfda.unii.
	Ingredients []DrugIngredient `json:"ingredients,omitempty" jsonschema:"minItems=1"`
	// True: several substances together.
	Combination bool `json:"combination,omitempty"`
	// Up to 5 brands. Source: brand_name.
	Brands []string `json:"brands,omitempty" jsonschema:"minItems=1,minLength=1"`
	// NDA, BLA, ANDA, monograph or unapproved. Source: application_number, marketing_category.
	Approval string `json:"approval,omitempty" jsonschema:"enum=NDA,enum=BLA,enum=ANDA,enum=monograph,enum=unapproved"`
	// original, biosimilar (a later BLA of the substance, under a name with a suffix) or generic (ANDAs alone); openFDA has no such field.
	KindComputed string `json:"kind_computed,omitempty" jsonschema:"enum=original,enum=biosimilar,enum=generic"`
	// Earliest approval over all applications that were read. Source: submissions ORIG, AP.
	FirstApproved string `json:"first_approved,omitempty" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
	// Number of applications.
	Applications int `json:"applications,omitempty" jsonschema:"minimum=1"`
	// Number of labels.
	Labels int `json:"labels,omitempty" jsonschema:"minimum=1"`
	// With nct_id: where the label cites the trial.
	Citations []DrugCitation `json:"citations,omitempty" jsonschema:"minItems=1"`
	// Falls from 1 over all pages.
	Score float64 `json:"score" jsonschema:"exclusiveMinimum=0,maximum=1"`
}

// DrugIngredient is an active substance.
type DrugIngredient struct {
	// CURIE of the substance. Source: openfda.unii.
	ID string `json:"id,omitempty" jsonschema:"pattern=^UNII:[A-Z0-9]{10}$"`
	// Name with the salt. Source: active_ingredients.name.
	Name string `json:"name" jsonschema:"minLength=1"`
}

// DrugCitation is a trial that a label cites.
type DrugCitation struct {
	// CURIE of the trial, for get_trial and get_trial_results.
	NCTID string `json:"nct_id" jsonschema:"pattern=^NCT:[0-9]{8}$"`
	// Section of the label, for get_drug.
	Section string `json:"section" jsonschema:"minLength=1"`
	// Text around the id.
	Text string `json:"text" jsonschema:"minLength=1"`
}

// Drug is a set of active substances with one of its labels and its applications.
type Drug struct {
	// UNII of a single substance, else application number, else SPL set id. Source: openfda.unii, application_number, openfda.spl_set_id.
	ID string `json:"id" jsonschema:"minLength=1"`
	// Active substances without their salts. Source: active_ingredients.name.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Active substances, salts included. Source: active_ingredients, openfda.unii.
	Ingredients []DrugIngredient `json:"ingredients,omitempty" jsonschema:"minItems=1"`
	// True: several substances together.
	Combination bool `json:"combination,omitempty"`
	// Brands. Source: brand_name.
	Brands []string `json:"brands,omitempty" jsonschema:"minItems=1,minLength=1"`
	// original, biosimilar (a later BLA of the substance, under a name with a suffix) or generic (ANDAs alone); openFDA has no such field.
	KindComputed string `json:"kind_computed,omitempty" jsonschema:"enum=original,enum=biosimilar,enum=generic"`
	// Earliest approval over all applications. Source: submissions ORIG, AP.
	FirstApproved string `json:"first_approved,omitempty" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
	// Such as HUMAN PRESCRIPTION DRUG. Source: product_type.
	ProductType string `json:"product_type,omitempty" jsonschema:"minLength=1"`
	// Routes. Source: route.
	Routes []string `json:"routes,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Dosage forms. Source: dosage_form.
	DosageForms []string `json:"dosage_forms,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Pharmacologic classes. Source: pharm_class.
	PharmClasses *DrugClasses `json:"pharm_classes,omitempty"`
	// The label.
	Label *DrugLabel `json:"label,omitempty"`
	// Applications, the earliest approval first. Source: drugsfda.
	Applications []DrugApplication `json:"applications,omitempty" jsonschema:"minItems=1" cut:"2"`
	// Section labels: the labels of the drug. Source: ndc.
	Labels []DrugListing `json:"labels,omitempty" jsonschema:"minItems=1" cut:"1"`
	// Trials that the label cites, in any section.
	NCTIDs []DrugCitation `json:"nct_ids,omitempty" jsonschema:"minItems=1" cut:"4"`
	// Section shortages. Source: shortages.
	Shortages []DrugShortage `json:"shortages,omitempty" jsonschema:"minItems=1" cut:"3"`
	// Section recalls, the newest first. Source: enforcement.
	Recalls []DrugRecall `json:"recalls,omitempty" jsonschema:"minItems=1" cut:"3"`
	// Ids of the drug. Always present.
	CrossReferences DrugCrossReferences `json:"cross_references"`
	// Days of the data, by endpoint of openFDA. Source: meta.last_updated.
	DataDates map[string]string `json:"data_dates,omitempty"`
}

// DrugClasses are pharmacologic classes.
type DrugClasses struct {
	// Established classes. Source: pharm_class EPC.
	EPC []string `json:"epc,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Mechanisms of action. Source: pharm_class MoA.
	MoA []string `json:"moa,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Chemical structures. Source: pharm_class CS.
	CS []string `json:"cs,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Physiologic effects. Source: pharm_class PE.
	PE []string `json:"pe,omitempty" jsonschema:"minItems=1,minLength=1"`
}

// DrugLabel is the current version of one label. Its text is the manufacturer's.
type DrugLabel struct {
	// SPL set id. Source: set_id.
	SetID string `json:"set_id" jsonschema:"minLength=1"`
	// Version within the set id. Source: version.
	Version string `json:"version,omitempty" jsonschema:"minLength=1"`
	// YYYY-MM-DD. Source: effective_time.
	EffectiveDate string `json:"effective_date,omitempty" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
	// Manufacturer or repackager. Source: openfda.manufacturer_name, labeler_name.
	Manufacturer string `json:"manufacturer,omitempty" jsonschema:"minLength=1"`
	// Sections that sections of get_drug takes.
	Sections []DrugSection `json:"sections,omitempty" jsonschema:"minItems=1"`
	// Verbatim text of the requested sections; by default boxed_warning and indications_and_usage, cut.
	Text map[string]string `json:"text,omitempty"`
	// Tables of the requested sections, one line per row. Source: section_table.
	Tables map[string][]string `json:"tables,omitempty"`
	// Number of other labels of the drug; section labels lists them.
	OtherLabels int `json:"other_labels,omitempty" jsonschema:"minimum=1"`
}

// DrugSection is a section of a label.
type DrugSection struct {
	// Key of the section.
	ID string `json:"id" jsonschema:"minLength=1"`
	// Size of its text.
	Bytes int `json:"bytes" jsonschema:"minimum=1"`
}

// DrugApplication is an application for approval.
type DrugApplication struct {
	// NDA, ANDA or BLA with six digits. Source: application_number.
	ID string `json:"id" jsonschema:"minLength=1"`
	// Sponsor. Source: sponsor_name.
	Sponsor string `json:"sponsor,omitempty" jsonschema:"minLength=1"`
	// Approval of the original application; a tentative one does not count. Source: submissions ORIG, AP.
	FirstApproved string `json:"first_approved,omitempty" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
	// Its only approval is tentative. Source: submission_status TA.
	Tentative bool `json:"tentative,omitempty"`
	// Products. Source: products.
	Products []DrugProduct `json:"products,omitempty" jsonschema:"minItems=1"`
	// Section approvals, the oldest first. Source: submissions.
	Submissions []DrugSubmission `json:"submissions,omitempty" jsonschema:"minItems=1"`
}

// DrugProduct is a product of an application.
type DrugProduct struct {
	// Number within the application. Source: product_number.
	Number string `json:"number,omitempty" jsonschema:"minLength=1"`
	// Brand. Source: brand_name.
	Brand string `json:"brand,omitempty" jsonschema:"minLength=1"`
	// Strengths of its ingredients. Source: active_ingredients.strength.
	Strength string `json:"strength,omitempty" jsonschema:"minLength=1"`
	// Dosage form. Source: dosage_form.
	DosageForm string `json:"dosage_form,omitempty" jsonschema:"minLength=1"`
	// Route. Source: route.
	Route string `json:"route,omitempty" jsonschema:"minLength=1"`
	// Such as Prescription or Discontinued. Source: marketing_status.
	MarketingStatus string `json:"marketing_status,omitempty" jsonschema:"minLength=1"`
	// Code of therapeutic equivalence. Source: te_code.
	TECode string `json:"te_code,omitempty" jsonschema:"minLength=1"`
	// It is a reference drug or standard. Source: reference_drug, reference_standard.
	Reference bool `json:"reference,omitempty"`
}

// DrugSubmission is a submission to an application.
type DrugSubmission struct {
	// ORIG or SUPPL. Source: submission_type.
	Type string `json:"type" jsonschema:"minLength=1"`
	// Number. Source: submission_number.
	Number string `json:"number,omitempty" jsonschema:"minLength=1"`
	// AP is approved, TA tentative. Source: submission_status.
	Status string `json:"status,omitempty" jsonschema:"minLength=1"`
	// YYYY-MM-DD. Source: submission_status_date.
	Date string `json:"date,omitempty" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
	// Such as EFFICACY: a new indication, among others. Source: submission_class_code.
	Class string `json:"class,omitempty" jsonschema:"minLength=1"`
	// PRIORITY or STANDARD. Source: review_priority.
	Priority string `json:"priority,omitempty" jsonschema:"minLength=1"`
	// Such as Orphan. Source: submission_property_type.code.
	Properties []string `json:"properties,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Notes. Source: submission_public_notes.
	Notes string `json:"notes,omitempty" jsonschema:"minLength=1"`
	// Documents. Source: application_docs.
	Documents []DrugDocument `json:"documents,omitempty" jsonschema:"minItems=1"`
}

// DrugDocument is a document of a submission.
type DrugDocument struct {
	// Such as Label, Letter or Review. Source: type, title.
	Type string `json:"type,omitempty" jsonschema:"minLength=1"`
	// YYYY-MM-DD. Source: date.
	Date string `json:"date,omitempty" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
	// Address. Source: url.
	URL string `json:"url" jsonschema:"minLength=1"`
}

// DrugListing is a listed product with its label. A listing is no approval.
type DrugListing struct {
	// SPL set id, for get_drug. Source: openfda.spl_set_id.
	SetID string `json:"set_id,omitempty" jsonschema:"minLength=1"`
	// CURIE of the product. Source: product_ndc.
	NDC string `json:"ndc" jsonschema:"pattern=^NDC:[0-9-]+$"`
	// Brand. Source: brand_name.
	Brand string `json:"brand,omitempty" jsonschema:"minLength=1"`
	// Manufacturer or repackager. Source: labeler_name.
	Labeler string `json:"labeler,omitempty" jsonschema:"minLength=1"`
	// Such as NDA or ANDA. Source: marketing_category.
	Category string `json:"category,omitempty" jsonschema:"minLength=1"`
	// Application. Source: application_number.
	Application string `json:"application,omitempty" jsonschema:"minLength=1"`
	// Dosage form. Source: dosage_form.
	DosageForm string `json:"dosage_form,omitempty" jsonschema:"minLength=1"`
	// The labeller is the original packager. Source: openfda.is_original_packager.
	OriginalPackager bool `json:"original_packager,omitempty"`
	// Day from which it is sold. Source: marketing_start_date.
	MarketedFrom string `json:"marketed_from,omitempty" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
	// Day until which it is sold. Source: marketing_end_date.
	MarketedUntil string `json:"marketed_until,omitempty" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
	// Schedule of controlled substances. Source: dea_schedule.
	Schedule string `json:"schedule,omitempty" jsonschema:"minLength=1"`
}

// DrugShortage is the supply of one presentation.
type DrugShortage struct {
	// Presentation. Source: presentation, generic_name.
	Presentation string `json:"presentation" jsonschema:"minLength=1"`
	// Company. Source: company_name.
	Company string `json:"company,omitempty" jsonschema:"minLength=1"`
	// Such as Current or Resolved. Source: status.
	Status string `json:"status,omitempty" jsonschema:"minLength=1"`
	// As FDA writes it, such as Unvailable. Source: availability.
	Availability string `json:"availability,omitempty" jsonschema:"minLength=1"`
	// Reason. Source: shortage_reason.
	Reason string `json:"reason,omitempty" jsonschema:"minLength=1"`
	// Notes. Source: related_info, resolved_note.
	Notes []string `json:"notes,omitempty" jsonschema:"minItems=1,minLength=1"`
	// First posting. Source: initial_posting_date.
	Posted string `json:"posted,omitempty" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
	// Last update. Source: update_date.
	Updated string `json:"updated,omitempty" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
	// Day on which it was discontinued. Source: discontinued_date.
	Discontinued string `json:"discontinued,omitempty" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
	// CURIE of the package. Source: package_ndc.
	NDC string `json:"ndc,omitempty" jsonschema:"pattern=^NDC:[0-9-]+$"`
}

// DrugRecall is a recall of a product.
type DrugRecall struct {
	// Number. Source: recall_number.
	Number string `json:"number,omitempty" jsonschema:"minLength=1"`
	// Class I is the most serious. Source: classification.
	Classification string `json:"classification,omitempty" jsonschema:"minLength=1"`
	// Such as Ongoing. Source: status.
	Status string `json:"status,omitempty" jsonschema:"minLength=1"`
	// Firm. Source: recalling_firm.
	Firm string `json:"firm,omitempty" jsonschema:"minLength=1"`
	// Product. Source: product_description.
	Product string `json:"product" jsonschema:"minLength=1"`
	// Reason. Source: reason_for_recall.
	Reason string `json:"reason,omitempty" jsonschema:"minLength=1"`
	// Area. Source: distribution_pattern.
	Distribution string `json:"distribution,omitempty" jsonschema:"minLength=1"`
	// Lots. Source: code_info.
	Lots string `json:"lots,omitempty" jsonschema:"minLength=1"`
	// Start. Source: recall_initiation_date.
	Initiated string `json:"initiated,omitempty" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
	// End. Source: termination_date.
	Terminated string `json:"terminated,omitempty" jsonschema:"pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
}

// DrugCrossReferences are the ids of a drug.
type DrugCrossReferences struct {
	// CURIEs of the substances. Source: openfda.unii.
	UNII []string `json:"unii,omitempty" jsonschema:"minItems=1,pattern=^UNII:[A-Z0-9]{10}$"`
	// CURIEs in RxNorm. Source: openfda.rxcui.
	RxCUI []string `json:"rxcui,omitempty" jsonschema:"minItems=1,pattern=^RXCUI:[0-9]+$"`
	// CURIEs of products of the label. Source: product_ndc.
	NDC []string `json:"ndc,omitempty" jsonschema:"minItems=1,pattern=^NDC:[0-9-]+$"`
	// SPL set id of the label. Source: set_id.
	SPLSetID string `json:"spl_set_id,omitempty" jsonschema:"minLength=1"`
	// Applications. Source: application_number.
	Applications []string `json:"application_number,omitempty" jsonschema:"minItems=1,minLength=1"`
	// Address of the label at DailyMed.
	DailyMed string `json:"dailymed,omitempty" jsonschema:"minLength=1"`
}

// DrugEventCounts are numbers of reports of side effects in FAERS.
type DrugEventCounts struct {
	// Holds for every number of this answer.
	Disclaimer string `json:"disclaimer" jsonschema:"minLength=1"`
	// The drug; absent: reports of any drug.
	ID string `json:"id,omitempty" jsonschema:"minLength=1"`
	// The MedDRA term of the reaction.
	Reaction string `json:"reaction,omitempty" jsonschema:"minLength=1"`
	// Field or names by which reports were found.
	MatchedBy string `json:"matched_by" jsonschema:"minLength=1"`
	// Reports that name the drug in any role and match the arguments. Source: meta.results.total.
	TotalReports int `json:"total_reports" jsonschema:"minimum=0"`
	// Groups, largest first; years in order, without holes.
	Groups []DrugEventGroup `json:"groups,omitempty" jsonschema:"minItems=1"`
	// True: a report can be in several groups.
	Overlapping bool `json:"overlapping,omitempty"`
	// Reports without a value of the field.
	WithoutValue *int `json:"without_value,omitempty" jsonschema:"minimum=0"`
	// The groups that are not shown.
	Others *OtherGroups `json:"others,omitempty"`
	// The drug and the reaction beside all others.
	Disproportionality *Disproportionality `json:"disproportionality,omitempty"`
	// Day of the data. Source: meta.last_updated.
	DataDate string `json:"data_date,omitempty" jsonschema:"minLength=4"`
}

// Disproportionality is the reports of a drug and a reaction beside all others that match the other arguments.
type Disproportionality struct {
	// The limits of the ratios.
	Caution string `json:"caution" jsonschema:"minLength=1"`
	// Reports with the drug and the reaction.
	Both int `json:"drug_and_reaction" jsonschema:"minimum=0"`
	// Reports with the drug, without the reaction.
	DrugOnly int `json:"drug_only" jsonschema:"minimum=0"`
	// Reports with the reaction, without the drug.
	ReactionOnly int `json:"reaction_only" jsonschema:"minimum=0"`
	// Reports with neither.
	Neither int `json:"neither" jsonschema:"minimum=0"`
	// Proportional reporting ratio, computed here if each number is at least three.
	PRRComputed *float64 `json:"prr_computed,omitempty" jsonschema:"minimum=0"`
	// Reporting odds ratio, computed here if each number is at least three.
	RORComputed *float64 `json:"ror_computed,omitempty" jsonschema:"minimum=0"`
	// Lower end of its 95 % interval.
	RORLowComputed *float64 `json:"ror_low_computed,omitempty" jsonschema:"minimum=0"`
	// Upper end of its 95 % interval.
	RORHighComputed *float64 `json:"ror_high_computed,omitempty" jsonschema:"minimum=0"`
}

// DrugEventGroup is the reports with one value of a field.
type DrugEventGroup struct {
	// Reaction as MedDRA term in capitals, year, country code or word.
	Value string `json:"value" jsonschema:"minLength=1"`
	// Reports in the group.
	Count int `json:"count" jsonschema:"minimum=0"`
}
