package entity

// The reasons that join an article to a trial, the strongest one first.
const (
	RegistryResult     = "registry_result"
	NamesTrial         = "names_trial"
	FullTextNames      = "full_text"
	RegistryDerived    = "registry_derived"
	TitleWords         = "title_words"
	RegistryBackground = "registry_background"
)

// TrialPublication is an article that a source joins to a trial.
type TrialPublication struct {
	// PubMed id. Absent for a preprint.
	PMID string `json:"pmid,omitempty" jsonschema:"pattern=^[0-9]+$"`
	// PubMed Central id.
	PMCID string `json:"pmcid,omitempty" jsonschema:"pattern=^PMC[0-9]+$"`
	// DOI.
	DOI string `json:"doi,omitempty" jsonschema:"minLength=1"`
	// Title.
	Title string `json:"title,omitempty" jsonschema:"minLength=1"`
	// Journal, or the server of a preprint.
	Journal string `json:"journal,omitempty" jsonschema:"minLength=1"`
	// Earliest day of publication that is known, YYYY-MM-DD or less.
	Date string `json:"date,omitempty" jsonschema:"minLength=4"`
	// registry_result: the registry lists it as a paper with results. names_trial: its PubMed record names the trial. full_text: Europe PMC
	// finds the number of the trial in the title, abstract or text, as reviews have it too. registry_derived: the registry added it by the
	// number. title_words: the titles share words, which says nothing more. registry_background: the sponsor cites it.
	Reasons []string `json:"reasons" jsonschema:"minItems=1,minLength=1"`
	// True: title_words is the only reason.
	Candidate bool `json:"candidate,omitempty"`
}
