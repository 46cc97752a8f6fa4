// Code generated from words.yaml. DO NOT EDIT.

// Package words has the words that callers use for what tools.yaml defines. Only package tool reads it.
package words

import "maps"

// Tool has the words about a tool.
type Tool struct {
	Also      []string // other names
	InsteadOf []string // names of tools that Biofact does not have
	Elsewhere []Elsewhere
	Arguments map[string]Argument
}

// Elsewhere is an argument of another tool, and the names under which callers pass its value to this one.
type Elsewhere struct {
	Tool, Argument string
	Needs          string // argument that the other tool requires; "" for none
	Names          []string
	Beside         []string // names whose words are added to the value
}

// Argument has the words about an argument. Words for values are folded.
type Argument struct {
	Also      []string            // other names
	InsteadOf []string            // names of arguments whose values this one cannot take
	Tags      []Tag               // of a query
	Means     map[string][]string // the values that a word means
	Imprecise map[string][]string // a value that means more or less than the word, and the difference
	Unclear   map[string][]string // the values that a word may mean
	Answered  map[string]string   // calls that answer words that are no values; $name in them is an argument of this call
	Direction string              // argument for the direction that a value may have; "" for none
	Fields    map[string]Argument // of an object
}

// Tag is a field tag of a query, and the argument names that it replaces.
type Tag struct {
	Tag   string // "words" for none; AREA[Piece] or, for a piece with any text, AREA[Piece]" in the syntax of ClinicalTrials.gov
	Names []string
}

// Hosts returns the keys that hosts add to the arguments of every call.
func Hosts() []string {
	return []string{"toolCallId", "tool_call_id", "task_progress", "wait_for_previous", "requires_approval", "security_risk", "sessionId", "session_id", "thought", "thoughts", "explanation", "random_string", "chatInput", "action", "tool"}
}

// Of returns the words about a tool, or the words about its arguments for the name of shared filters.
func Of(tool string) Tool {
	switch tool {
	case "search_trials":
		return Tool{
			Also: []string{"trials", "search_studies", "search_clinical_trials", "find_trials", "find_studies", "list_studies", "query_trials", "trial_searcher", "clinicaltrials_search_studies", "clinicaltrials_search_trials", "clinicaltrials_search_datatable"},
			Arguments: with(trialFilters, map[string]Argument{
				"sort": {
					Also:      []string{"sort_by", "order_by", "sorting"},
					Means:     map[string][]string{"bestmatch": []string{"relevance"}, "closest": []string{"distance"}, "completion": []string{"completion_date"}, "date": []string{"first_posted"}, "enddate": []string{"completion_date"}, "lastupdate": []string{"last_updated"}, "latest": []string{"first_posted"}, "mostrecent": []string{"first_posted"}, "nearest": []string{"distance"}, "newest": []string{"first_posted"}, "participants": []string{"enrollment"}, "posted": []string{"first_posted"}, "results": []string{"results_posted"}, "samplesize": []string{"enrollment"}, "score": []string{"relevance"}, "size": []string{"enrollment"}, "start": []string{"start_date"}, "updated": []string{"last_updated"}},
					Direction: "order",
				},
				"order": {
					Also:  []string{"sort_order", "direction", "sort_direction"},
					Means: map[string][]string{"ascending": []string{"asc"}, "descending": []string{"desc"}, "down": []string{"desc"}, "earliest": []string{"asc"}, "earliestfirst": []string{"asc"}, "highest": []string{"desc"}, "highestfirst": []string{"desc"}, "largest": []string{"desc"}, "largestfirst": []string{"desc"}, "latest": []string{"desc"}, "latestfirst": []string{"desc"}, "lowest": []string{"asc"}, "lowestfirst": []string{"asc"}, "mostrecent": []string{"desc"}, "mostrecentfirst": []string{"desc"}, "newest": []string{"desc"}, "newestfirst": []string{"desc"}, "oldest": []string{"asc"}, "oldestfirst": []string{"asc"}, "reverse": []string{"desc"}, "smallest": []string{"asc"}, "smallestfirst": []string{"asc"}, "up": []string{"asc"}},
				},
				"fields": {
					Also:  []string{"columns", "field", "return_fields", "select"},
					Means: map[string][]string{"age": []string{"minimum_age", "maximum_age"}, "country": []string{"countries"}, "criteria": []string{"criteria_text"}, "facility": []string{"sites"}, "firstposted": []string{"first_posted_date"}, "healthyvolunteers": []string{"accepts_healthy_volunteers"}, "interventiontype": []string{"interventions"}, "investigator": []string{"officials"}, "lastupdated": []string{"last_update_date"}, "location": []string{"sites"}, "mesh": []string{"mesh_conditions", "mesh_interventions"}, "near": []string{"nearest_site"}, "phase": []string{"phases"}, "primaryoutcome": []string{"primary_outcomes"}, "resultsdue": []string{"due_date_computed", "days_overdue_computed"}, "resultsposted": []string{"results_first_posted_date"}, "sponsor": []string{"lead_sponsor", "collaborators"}},
				},
				"page_size": {
					Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"},
				},
				"cursor": {
					Also:      []string{"page_token", "next_page_token", "next_cursor", "next"},
					InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"},
				},
			}),
		}
	case "count_trials":
		return Tool{
			Also: []string{"count_studies", "get_study_count", "clinicaltrials_get_study_count", "trial_counts", "trial_statistics", "aggregate_trials", "clinicaltrials_get_field_values"},
			Arguments: with(trialFilters, map[string]Argument{
				"by": {
					Also:  []string{"group_by", "field", "facet", "breakdown", "count_by"},
					Means: map[string][]string{"age": []string{"age_group"}, "blinding": []string{"masking"}, "cities": []string{"city"}, "conditions": []string{"condition"}, "countries": []string{"country"}, "disease": []string{"condition"}, "documents": []string{"document"}, "drug": []string{"intervention"}, "drugs": []string{"intervention"}, "facilities": []string{"facility"}, "funder": []string{"sponsor_class"}, "gender": []string{"sex"}, "hospital": []string{"facility"}, "interventions": []string{"intervention"}, "investigator": []string{"official"}, "mesh": []string{"condition_mesh"}, "officials": []string{"official"}, "purpose": []string{"primary_purpose"}, "site": []string{"facility"}, "sponsor": []string{"lead_sponsor"}, "sponsors": []string{"lead_sponsor"}, "startdate": []string{"start_year"}, "year": []string{"start_year"}, "years": []string{"start_year"}},
				},
				"then_by": {
					Also:  []string{"and_by", "second_by", "by2"},
					Means: map[string][]string{"age": []string{"age_group"}, "blinding": []string{"masking"}, "cities": []string{"city"}, "conditions": []string{"condition"}, "countries": []string{"country"}, "disease": []string{"condition"}, "documents": []string{"document"}, "drug": []string{"intervention"}, "drugs": []string{"intervention"}, "facilities": []string{"facility"}, "funder": []string{"sponsor_class"}, "gender": []string{"sex"}, "hospital": []string{"facility"}, "interventions": []string{"intervention"}, "investigator": []string{"official"}, "mesh": []string{"condition_mesh"}, "officials": []string{"official"}, "purpose": []string{"primary_purpose"}, "site": []string{"facility"}, "sponsor": []string{"lead_sponsor"}, "sponsors": []string{"lead_sponsor"}, "startdate": []string{"start_year"}, "year": []string{"start_year"}, "years": []string{"start_year"}},
				},
				"top": {
					Also: []string{"limit", "max", "page_size", "max_groups"},
				},
			}),
		}
	case "get_trial":
		return Tool{
			Also: []string{"get_study", "get_study_record", "get_study_details", "get_trial_details", "get_clinical_trial", "fetch_trial", "fetch_study", "trial_getter", "clinicaltrials_get_study", "clinicaltrials_get_study_record", "clinicaltrials_get_trial"},
			Elsewhere: []Elsewhere{
				{Tool: "fetchArticleDetails", Argument: "pmids", Needs: "pmids", Names: []string{"pmid", "pmids"}},
				{Tool: "search_trials", Argument: "condition", Needs: "", Names: []string{"condition", "disease"}},
				{Tool: "search_trials", Argument: "query", Needs: "", Names: []string{"query", "term", "q", "search", "keywords", "acronym"}},
			},
			Arguments: map[string]Argument{
				"nct_id": {
					Also: []string{"nct", "nct_number", "id", "ids", "identifier", "curie", "trial", "trial_id", "study", "study_id"},
				},
				"nct_ids": {
					Also: []string{"trials", "trial_ids", "study_ids", "nct_numbers"},
				},
				"of": {
					Also: []string{"filters", "of_search"},
				},
				"sections": {
					Also:     []string{"section", "parts", "part", "fields"},
					Means:    map[string][]string{"articles": []string{"publications"}, "citations": []string{"references"}, "criteria": []string{"eligibility"}, "description": []string{"summary", "design"}, "eligibilitycriteria": []string{"eligibility"}, "exclusioncriteria": []string{"eligibility"}, "identifiers": []string{"administrative"}, "inclusioncriteria": []string{"eligibility"}, "papers": []string{"publications"}, "sponsor": []string{"summary"}},
					Answered: map[string]string{"adverse events": "get_trial_results {\"nct_id\":\"$nct_id\",\"section\":\"adverse_events\"}", "baseline": "get_trial_results {\"nct_id\":\"$nct_id\",\"section\":\"baseline\"}", "facilities": "get_trial_locations {\"nct_id\":\"$nct_id\"}", "locations": "get_trial_locations {\"nct_id\":\"$nct_id\"}", "outcome results": "get_trial_results {\"nct_id\":\"$nct_id\"}", "results": "get_trial_results {\"nct_id\":\"$nct_id\"}", "sites": "get_trial_locations {\"nct_id\":\"$nct_id\"}"},
				},
				"page_size": {
					Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"},
				},
				"cursor": {
					Also:      []string{"page_token", "next_page_token", "next_cursor", "next"},
					InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"},
				},
			},
		}
	case "trial_changes":
		return Tool{
			Also: []string{"get_trial_changes", "get_trial_history", "trial_history", "study_history", "get_study_history", "record_history", "what_changed", "track_trial", "trial_updates", "get_trial_versions"},
			Elsewhere: []Elsewhere{
				{Tool: "search_trials", Argument: "condition", Needs: "", Names: []string{"condition", "disease"}},
				{Tool: "search_trials", Argument: "query", Needs: "", Names: []string{"query", "q", "search", "term"}},
			},
			Arguments: map[string]Argument{
				"nct_ids": {
					Also: []string{"nct_id", "nct", "ids", "id", "trials", "trial", "trial_ids", "study_ids", "nct_numbers"},
				},
				"of": {
					Also: []string{"filters", "of_search"},
				},
				"since": {
					Also: []string{"from", "since_date", "after", "date_from", "changed_since"},
				},
				"until": {
					Also: []string{"to", "until_date", "before", "end", "date_to"},
				},
				"fields": {
					Also:  []string{"field", "sections", "section", "aspects"},
					Means: map[string][]string{"conditions": []string{"condition"}, "dates": []string{"start_date", "primary_completion_date", "completion_date"}, "eligibilitycriteria": []string{"criteria"}, "endpoints": []string{"primary_outcome", "secondary_outcome", "other_outcome"}, "exclusioncriteria": []string{"criteria"}, "facilities": []string{"sites"}, "inclusioncriteria": []string{"criteria"}, "interventions": []string{"intervention"}, "locations": []string{"sites"}, "otheroutcomes": []string{"other_outcome"}, "outcome": []string{"primary_outcome", "secondary_outcome", "other_outcome"}, "outcomes": []string{"primary_outcome", "secondary_outcome", "other_outcome"}, "overallstatus": []string{"status"}, "phases": []string{"phase"}, "postedresults": []string{"results", "results_posted"}, "primaryendpoint": []string{"primary_outcome"}, "primaryoutcomes": []string{"primary_outcome"}, "publications": []string{"references"}, "recruitmentstatus": []string{"status"}, "samplesize": []string{"enrollment"}, "secondaryoutcomes": []string{"secondary_outcome"}, "sponsors": []string{"sponsor"}, "titles": []string{"title"}},
				},
				"page_size": {
					Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"},
				},
				"cursor": {
					Also:      []string{"page_token", "next_page_token", "next_cursor", "next"},
					InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"},
				},
			},
		}
	case "match_trials":
		return Tool{
			Also:      []string{"match_patient", "match_person", "match_patient_to_trials", "clinicaltrials_find_eligible", "clinicaltrials_match_patient"},
			InsteadOf: []string{"find_eligible", "find_eligible_studies", "find_eligible_trials", "check_eligibility", "screen_patient"},
			Elsewhere: []Elsewhere{
				{Tool: "get_trial", Argument: "sections", Needs: "nct_id", Names: []string{"sections"}},
				{Tool: "search_trials", Argument: "intervention", Needs: "", Names: []string{"intervention"}},
			},
			Arguments: map[string]Argument{
				"age": {
					Also: []string{"patient_age", "years"},
				},
				"sex": {
					Also:  []string{"gender", "patient_sex"},
					Means: map[string][]string{"boy": []string{"male"}, "boys": []string{"male"}, "f": []string{"female"}, "females": []string{"female"}, "girl": []string{"female"}, "girls": []string{"female"}, "m": []string{"male"}, "males": []string{"male"}, "man": []string{"male"}, "men": []string{"male"}, "w": []string{"female"}, "woman": []string{"female"}, "women": []string{"female"}},
				},
				"conditions": {
					Also: []string{"diagnoses", "diagnosis", "comorbidities", "diseases"},
				},
				"without": {
					Also: []string{"no_conditions", "absent", "absent_conditions"},
				},
				"measurements": {
					Also: []string{"labs", "lab_values", "vitals", "measures", "values"},
				},
				"biomarkers": {
					Also: []string{"genes", "mutations", "markers", "variants"},
				},
				"treatments": {
					Also: []string{"medications", "drugs", "therapies", "prior_treatments", "treatment"},
				},
				"prior_lines": {
					Also: []string{"lines_of_therapy", "prior_therapies"},
				},
				"pregnant": {
					Also: []string{"pregnancy"},
				},
				"breast_feeding": {
					Also: []string{"lactating", "nursing"},
				},
				"healthy": {
					Also: []string{"healthy_volunteer", "healthy_volunteers"},
				},
				"nct_ids": {
					Also: []string{"ids", "trials", "trial_ids", "study_ids", "nct_id"},
				},
				"condition": {
					Also: []string{"disease"},
				},
				"query": {
					Also: []string{"q", "search", "keywords", "terms"},
				},
				"near": {
					Also: []string{"location", "place", "city", "zip", "coordinates"},
				},
				"within": {
					Also: []string{"radius", "distance"},
				},
				"country": {
					Also: []string{"countries"},
				},
				"status": {
					Also: []string{"statuses", "overall_status"},
				},
				"phase": {
					Also: []string{"phases"},
				},
				"page_size": {
					Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"},
				},
				"cursor": {
					Also:      []string{"page_token", "next_page_token", "next_cursor", "next"},
					InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"},
				},
			},
		}
	case "compare_trials":
		return Tool{
			Also: []string{"compare_studies", "trial_comparison", "clinicaltrials_compare_studies"},
			Arguments: map[string]Argument{
				"nct_ids": {
					Also: []string{"ids", "trials", "trial_ids", "study_ids", "nct_id", "nct_id_1", "nct_id_2", "nct_id_3", "trial_1", "trial_2", "trial_3", "trial_a", "trial_b"},
				},
				"aspects": {
					Also:     []string{"fields", "aspect", "by", "compare"},
					Means:    map[string][]string{"countries": []string{"sites"}, "criteria": []string{"population"}, "eligibility": []string{"population"}, "endpoints": []string{"primary_outcomes"}, "interventions": []string{"arms"}, "locations": []string{"sites"}, "outcomes": []string{"primary_outcomes"}, "samplesize": []string{"enrollment"}, "sponsor": []string{"sponsors"}, "treatments": []string{"arms"}},
					Answered: map[string]string{"adverse events": "get_trial_results {\"nct_id\":\"$nct_ids\",\"section\":\"adverse_events\"}", "baseline": "get_trial_results {\"nct_id\":\"$nct_ids\",\"section\":\"baseline\"}", "safety": "get_trial_results {\"nct_id\":\"$nct_ids\",\"section\":\"adverse_events\"}", "side effects": "get_trial_results {\"nct_id\":\"$nct_ids\",\"section\":\"adverse_events\"}"},
				},
			},
		}
	case "get_trial_locations":
		return Tool{
			Also:      []string{"get_locations", "get_sites", "get_trial_sites", "get_study_locations", "get_study_sites", "clinicaltrials_get_trial_locations"},
			InsteadOf: []string{"analyze_study_locations", "clinicaltrials_analyze_study_locations"},
			Arguments: map[string]Argument{
				"nct_id": {
					Also: []string{"nct", "nct_ids", "nct_number", "id", "ids", "identifier", "curie", "trial", "trial_id", "study", "study_id"},
				},
				"near": {
					Also: []string{"location", "place", "around", "near_to", "zip", "zip_code", "postal_code", "coordinates", "point", "geo", "lat_lon", "lat", "lon", "lng", "latitude", "longitude"},
				},
				"within": {
					Also: []string{"radius", "distance", "max_distance", "range", "within_distance", "distance_km"},
				},
				"country": {
					Also: []string{"countries"},
				},
				"state": {
					Also: []string{"states", "province", "region"},
				},
				"city": {
					Also: []string{"cities", "town"},
				},
				"facility": {
					Also: []string{"facility_name", "hospital", "site", "site_name", "center", "centre", "institution", "query", "q", "search"},
				},
				"status": {
					Also:  []string{"statuses", "recruitment_status", "site_status", "recruiting_site", "recruiting", "open_only"},
					Means: map[string][]string{"enrolling": []string{"RECRUITING"}, "open": []string{"RECRUITING"}, "true": []string{"RECRUITING"}},
				},
				"order": {
					Also:  []string{"sort", "sort_by", "order_by"},
					Means: map[string][]string{"closest": []string{"distance"}, "near": []string{"distance"}, "nearest": []string{"distance"}},
				},
				"page_size": {
					Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"},
				},
				"cursor": {
					Also:      []string{"page_token", "next_page_token", "next_cursor", "next"},
					InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"},
				},
			},
		}
	case "get_trial_results":
		return Tool{
			Also: []string{"get_results", "get_study_results", "get_outcomes", "get_adverse_events", "get_trial_outcomes", "get_trial_adverse_events", "trial_results", "clinicaltrials_get_study_results", "clinicaltrials_get_trial_results"},
			Elsewhere: []Elsewhere{
				{Tool: "fetchArticleDetails", Argument: "pmids", Needs: "pmids", Names: []string{"pmid", "pmids"}},
				{Tool: "search_trials", Argument: "condition", Needs: "", Names: []string{"condition", "disease"}},
				{Tool: "search_trials", Argument: "query", Needs: "", Names: []string{"query", "q", "search", "keywords", "acronym"}},
			},
			Arguments: map[string]Argument{
				"nct_id": {
					Also: []string{"nct", "nct_number", "id", "ids", "identifier", "curie", "trial", "trial_id", "study", "study_id"},
				},
				"nct_ids": {
					Also: []string{"trials", "trial_ids", "study_ids", "nct_numbers"},
				},
				"of": {
					Also: []string{"filters", "of_search"},
				},
				"section": {
					Also:  []string{"sections", "part", "module", "view"},
					Means: map[string][]string{"ae": []string{"adverse_events"}, "aes": []string{"adverse_events"}, "agreement": []string{"more_info"}, "analyses": []string{"comparisons"}, "arm": []string{"arms"}, "comparison": []string{"comparisons"}, "deaths": []string{"adverse_events"}, "demographics": []string{"baseline"}, "disposition": []string{"participant_flow"}, "effects": []string{"comparisons"}, "effectsizes": []string{"comparisons"}, "efficacy": []string{"outcomes"}, "endpoints": []string{"outcomes"}, "estimates": []string{"comparisons"}, "flow": []string{"participant_flow"}, "limitations": []string{"more_info"}, "mortality": []string{"adverse_events"}, "primary": []string{"outcomes"}, "primaryoutcomes": []string{"outcomes"}, "safety": []string{"adverse_events"}, "secondary": []string{"outcomes"}, "secondaryoutcomes": []string{"outcomes"}, "sideeffects": []string{"adverse_events"}, "totals": []string{"arms"}},
				},
				"outcome": {
					Also: []string{"outcomes", "outcome_number", "measure", "outcome_measure", "endpoint", "endpoints"},
				},
				"event": {
					Also: []string{"events", "term", "adverse_event", "ae", "organ_system", "reaction"},
				},
				"serious": {
					Also: []string{"serious_only", "sae"},
				},
				"min_percent": {
					Also: []string{"minimum_percent", "min_percentage", "min_rate", "threshold", "frequency"},
				},
				"format": {
					Also: []string{"output", "output_format"},
				},
				"page_size": {
					Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"},
				},
				"cursor": {
					Also:      []string{"page_token", "next_page_token", "next_cursor", "next"},
					InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"},
				},
			},
		}
	case "search_genes":
		return Tool{
			Also: []string{"ncbi_gene", "search_gene", "find_gene", "find_genes", "query_genes", "gene_searcher", "entrez_search_genes"},
			Elsewhere: []Elsewhere{
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"variant", "variants", "mutation", "mutations", "variation", "allele", "hgvs", "rsid", "snp", "dbsnp", "protein_change", "amino_acid_change"}, Beside: []string{"query", "gene", "genes", "symbol", "symbols", "gene_symbol", "gene_name", "name", "organism", "species"}},
			},
			Arguments: map[string]Argument{
				"query": {
					Also: []string{"q", "term", "terms", "text", "search", "search_term", "search_query", "query_term", "keyword", "keywords", "gene", "genes", "gene_name", "gene_symbol", "symbol", "symbols", "name", "id", "gene_id", "entrez_id", "ensembl", "ensembl_id", "uniprot", "uniprot_id", "refseq", "transcript", "transcript_id"},
					Tags: []Tag{{Tag: "chr", Names: []string{"chromosome", "chrom"}}, {Tag: "mim", Names: []string{"omim", "omim_id"}}, {Tag: "words", Names: []string{"disease", "condition", "phenotype", "function", "pathway", "go_term"}}},
				},
				"organism": {
					Also: []string{"organisms", "organism_name", "species", "taxon", "taxon_id", "tax_id", "taxonomy"},
				},
				"pmid": {
					Also: []string{"pubmed_id", "pmids", "article"},
				},
				"page_size": {
					Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"},
				},
				"cursor": {
					Also:      []string{"page_token", "next_page_token", "next_cursor", "next"},
					InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"},
				},
			},
		}
	case "get_gene":
		return Tool{
			Also: []string{"get_gene_details", "get_gene_info", "get_gene_summary", "get_gene_record", "fetch_gene", "gene_getter", "entrez_get_gene"},
			Elsewhere: []Elsewhere{
				{Tool: "fetchArticleDetails", Argument: "pmids", Needs: "pmids", Names: []string{"pmid", "pmids", "pubmed_id"}},
				{Tool: "get_trial", Argument: "nct_id", Needs: "nct_id", Names: []string{"nct_id", "nct"}},
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"variant", "variants", "mutation", "mutations", "variation", "allele", "hgvs", "rsid", "snp", "dbsnp", "protein_change", "amino_acid_change"}, Beside: []string{"query", "gene", "genes", "symbol", "symbols", "gene_symbol", "gene_name", "name", "organism", "species"}},
				{Tool: "search_genes", Argument: "organism", Needs: "query", Names: []string{"organism", "species", "taxon", "tax_id"}},
				{Tool: "search_genes", Argument: "query", Needs: "", Names: []string{"symbol", "gene_symbol", "gene_name", "name", "query", "term", "q", "search", "gene", "id", "ensembl_id", "uniprot_id", "transcript_id"}},
			},
			Arguments: map[string]Argument{
				"entrez_id": {
					Also: []string{"entrez", "entrez_ids", "gene", "gene_id", "gene_ids", "ncbi_gene_id", "id", "ids", "identifier", "curie", "uid"},
				},
				"sections": {
					Also:     []string{"section", "parts", "part", "fields"},
					Means:    map[string][]string{"diseases": []string{"phenotypes"}, "drug": []string{"drugs"}, "druglabels": []string{"drugs"}, "function": []string{"summary", "go_terms"}, "geneontology": []string{"go_terms"}, "generif": []string{"generifs"}, "generifs": []string{"generifs"}, "go": []string{"go_terms"}, "indications": []string{"drugs"}, "labels": []string{"drugs"}, "medications": []string{"drugs"}, "pharmacogenomics": []string{"drugs"}, "rifs": []string{"generifs"}, "therapies": []string{"drugs"}, "therapy": []string{"drugs"}, "treatments": []string{"drugs"}},
					Answered: map[string]string{"articles": "get_pubmed_links {\"entrez_id\":\"$entrez_id\"}", "clinvar": "get_gene_variants {\"entrez_id\":\"$entrez_id\"}", "exons": "get_gene_transcripts {\"entrez_id\":\"$entrez_id\"}", "homologs": "get_gene_orthologs {\"entrez_id\":\"$entrez_id\"}", "isoforms": "get_gene_transcripts {\"entrez_id\":\"$entrez_id\"}", "literature": "get_pubmed_links {\"entrez_id\":\"$entrez_id\"}", "orthologs": "get_gene_orthologs {\"entrez_id\":\"$entrez_id\"}", "proteins": "get_gene_transcripts {\"entrez_id\":\"$entrez_id\"}", "publications": "get_pubmed_links {\"entrez_id\":\"$entrez_id\"}", "pubmed": "get_pubmed_links {\"entrez_id\":\"$entrez_id\"}", "transcripts": "get_gene_transcripts {\"entrez_id\":\"$entrez_id\"}", "variants": "get_gene_variants {\"entrez_id\":\"$entrez_id\"}"},
				},
			},
		}
	case "get_pubmed_links":
		return Tool{
			Also: []string{"get_gene_articles", "get_gene_literature", "get_gene_publications", "get_gene_pmids", "entrez_get_pubmed_links"},
			Elsewhere: []Elsewhere{
				{Tool: "getArticleRelationships", Argument: "sourcePmid", Needs: "", Names: []string{"pmid", "pubmed_id"}},
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"nct_id", "nct"}},
				{Tool: "search_genes", Argument: "organism", Needs: "query", Names: []string{"organism", "species", "taxon", "tax_id"}},
				{Tool: "search_genes", Argument: "query", Needs: "", Names: []string{"symbol", "gene_symbol", "gene_name", "name", "query", "term", "q", "search", "gene", "id", "ensembl_id", "uniprot_id", "transcript_id"}},
			},
			Arguments: map[string]Argument{
				"entrez_id": {
					Also: []string{"entrez", "entrez_ids", "gene", "gene_id", "gene_ids", "ncbi_gene_id", "id", "ids", "identifier", "curie", "uid"},
				},
				"limit": {
					Also: []string{"page_size", "max", "max_results", "count", "size", "n", "num_results", "per_page", "retmax", "rows", "top"},
				},
				"generif": {
					Also: []string{"rif", "rifs", "generifs"},
				},
				"cursor": {
					Also:      []string{"page_token", "next_page_token", "next_cursor", "next"},
					InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"},
				},
			},
		}
	case "get_gene_orthologs":
		return Tool{
			Also: []string{"get_orthologs", "find_orthologs", "list_orthologs", "get_homologs", "get_gene_homologs", "gene_orthologs", "ncbi_orthologs"},
			Elsewhere: []Elsewhere{
				{Tool: "search_genes", Argument: "query", Needs: "", Names: []string{"symbol", "gene_symbol", "gene_name", "name", "query", "term", "q", "search", "gene", "id", "ensembl_id", "uniprot_id", "transcript_id"}},
			},
			Arguments: map[string]Argument{
				"entrez_id": {
					Also: []string{"entrez", "entrez_ids", "gene", "gene_id", "gene_ids", "ncbi_gene_id", "id", "ids", "identifier", "curie", "uid"},
				},
				"organism": {
					Also: []string{"organisms", "organism_name", "species", "taxon", "taxa", "taxon_id", "tax_id", "taxonomy", "target_species", "target_organism", "to"},
				},
				"page_size": {
					Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"},
				},
				"cursor": {
					Also:      []string{"page_token", "next_page_token", "next_cursor", "next"},
					InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"},
				},
			},
		}
	case "get_gene_transcripts":
		return Tool{
			Also: []string{"get_transcripts", "list_transcripts", "get_isoforms", "get_gene_isoforms", "get_gene_products", "get_exons", "get_mane_select", "gene_transcripts"},
			Elsewhere: []Elsewhere{
				{Tool: "search_genes", Argument: "organism", Needs: "query", Names: []string{"organism", "species", "taxon", "tax_id"}},
				{Tool: "search_genes", Argument: "query", Needs: "", Names: []string{"symbol", "gene_symbol", "gene_name", "name", "query", "term", "q", "search", "gene", "id", "ensembl_id", "uniprot_id", "transcript_id"}},
			},
			Arguments: map[string]Argument{
				"entrez_id": {
					Also: []string{"entrez", "entrez_ids", "gene", "gene_id", "gene_ids", "ncbi_gene_id", "id", "ids", "identifier", "curie", "uid"},
				},
				"page_size": {
					Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"},
				},
				"cursor": {
					Also:      []string{"page_token", "next_page_token", "next_cursor", "next"},
					InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"},
				},
			},
		}
	case "get_gene_variants":
		return Tool{
			Also: []string{"get_variants", "list_gene_variants", "get_clinvar_variants", "search_clinvar", "clinvar_search", "clinvar", "get_gene_clinvar"},
			Elsewhere: []Elsewhere{
				{Tool: "fetchArticleDetails", Argument: "pmids", Needs: "pmids", Names: []string{"pmid", "pmids", "pubmed_id"}},
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"rsid", "snp", "dbsnp"}},
				{Tool: "search_genes", Argument: "organism", Needs: "query", Names: []string{"organism", "species", "taxon", "tax_id"}},
				{Tool: "search_genes", Argument: "query", Needs: "", Names: []string{"symbol", "gene_symbol", "gene_name", "name", "query", "term", "q", "search", "gene", "id", "ensembl_id", "uniprot_id", "transcript_id"}},
			},
			Arguments: map[string]Argument{
				"entrez_id": {
					Also: []string{"entrez", "entrez_ids", "gene", "gene_id", "gene_ids", "ncbi_gene_id", "id", "ids", "identifier", "curie", "uid"},
				},
				"significance": {
					Also:  []string{"clinical_significance", "classification", "clinsig", "pathogenicity", "class"},
					Means: map[string][]string{"b": []string{"benign"}, "benignlikelybenign": []string{"likely_benign", "benign"}, "blb": []string{"likely_benign", "benign"}, "conflict": []string{"conflicting"}, "conflictingclassifications": []string{"conflicting"}, "conflictingclassificationsofpathogenicity": []string{"conflicting"}, "conflictinginterpretations": []string{"conflicting"}, "conflictinginterpretationsofpathogenicity": []string{"conflicting"}, "conflicts": []string{"conflicting"}, "lb": []string{"likely_benign"}, "lp": []string{"likely_pathogenic"}, "p": []string{"pathogenic"}, "pathogeniclikelypathogenic": []string{"pathogenic", "likely_pathogenic"}, "plp": []string{"pathogenic", "likely_pathogenic"}, "uncertain": []string{"uncertain_significance"}, "unknownsignificance": []string{"uncertain_significance"}, "variantofuncertainsignificance": []string{"uncertain_significance"}, "variantsofuncertainsignificance": []string{"uncertain_significance"}, "vous": []string{"uncertain_significance"}, "vus": []string{"uncertain_significance"}},
				},
				"variant": {
					Also: []string{"variants", "change", "mutation", "mutations", "variation", "allele", "hgvs", "protein_change", "amino_acid_change", "variant_name"},
				},
				"page_size": {
					Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"},
				},
				"cursor": {
					Also:      []string{"page_token", "next_page_token", "next_cursor", "next"},
					InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"},
				},
			},
		}
	case "searchPubMedArticles":
		return Tool{
			Also:      []string{"search_pubmed", "search_articles", "search_publications", "search_papers", "search_literature", "pubmed_search", "pubmed_search_articles", "article_searcher", "advanced_search", "esearch"},
			InsteadOf: []string{"search", "pubmed_europepmc_search"},
			Elsewhere: []Elsewhere{
				{Tool: "fetchArticleDetails", Argument: "pmids", Needs: "pmids", Names: []string{"pmid", "pmids", "pubmed_id", "id", "ids", "uid"}},
			},
			Arguments: map[string]Argument{
				"queryTerm": {
					Also: []string{"query", "q", "term", "terms", "text", "search", "search_term", "search_query", "keyword", "keywords", "topic", "doi", "pmcid", "title"},
					Tags: []Tag{{Tag: "1au", Names: []string{"first_author"}}, {Tag: "ad", Names: []string{"affiliation", "institution"}}, {Tag: "au", Names: []string{"author", "authors"}}, {Tag: "la", Names: []string{"language"}}, {Tag: "mh", Names: []string{"mesh", "mesh_terms"}}, {Tag: "si", Names: []string{"nct_id", "nct"}}, {Tag: "ta", Names: []string{"journal"}}, {Tag: "words", Names: []string{"disease", "condition", "drug", "gene", "variant", "mutation", "species", "organism"}}},
				},
				"maxResults": {
					Also: []string{"limit", "max", "max_records", "count", "size", "n", "num_results", "page_size", "per_page", "retmax", "rows", "top", "top_k"},
				},
				"sortBy": {
					Also:  []string{"sort", "sort_order", "order", "order_by"},
					Means: map[string][]string{"bestmatch": []string{"relevance"}, "date": []string{"pub_date"}, "latest": []string{"pub_date"}, "mostrecent": []string{"pub_date"}, "newest": []string{"pub_date"}, "publicationdate": []string{"pub_date"}, "recent": []string{"pub_date"}},
				},
				"dateRange": {
					Also: []string{"dates", "date_filter", "date", "year", "years"},
					Fields: map[string]Argument{
						"minDate": {
							Also: []string{"min", "from", "from_date", "date_from", "start", "start_date", "published_after"},
						},
						"maxDate": {
							Also: []string{"max", "to", "to_date", "date_to", "until", "end", "end_date", "published_before"},
						},
						"dateType": {
							Also:  []string{"type", "kind"},
							Means: map[string][]string{"entry": []string{"edat"}, "modification": []string{"mdat"}, "modified": []string{"mdat"}, "publication": []string{"pdat"}, "published": []string{"pdat"}},
						},
					},
				},
				"filterByPublicationTypes": {
					Also:  []string{"publication_types", "publication_type", "pub_types", "pub_type", "article_types", "article_type"},
					Means: map[string][]string{"casereport": []string{"Case Reports"}, "clinicaltrialphase1": []string{"Clinical Trial, Phase I"}, "clinicaltrialphase2": []string{"Clinical Trial, Phase II"}, "clinicaltrialphase3": []string{"Clinical Trial, Phase III"}, "clinicaltrialphase4": []string{"Clinical Trial, Phase IV"}, "guidelines": []string{"Guideline"}, "metaanalyses": []string{"Meta-Analysis"}, "phase1clinicaltrial": []string{"Clinical Trial, Phase I"}, "phase2clinicaltrial": []string{"Clinical Trial, Phase II"}, "phase3clinicaltrial": []string{"Clinical Trial, Phase III"}, "phase4clinicaltrial": []string{"Clinical Trial, Phase IV"}, "randomisedcontrolledtrial": []string{"Randomized Controlled Trial"}, "randomizedtrial": []string{"Randomized Controlled Trial"}, "rct": []string{"Randomized Controlled Trial"}, "rcts": []string{"Randomized Controlled Trial"}, "retracted": []string{"Retracted Publication"}, "reviewarticle": []string{"Review"}, "reviews": []string{"Review"}, "systematicreviews": []string{"Systematic Review"}},
				},
				"openAccess": {
					Also: []string{"oa", "is_open_access", "open"},
				},
				"cursor": {
					Also:      []string{"page_token", "next_page_token", "next_cursor", "next"},
					InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"},
				},
				"fetchBriefSummaries": {
					Also: []string{"brief_summaries", "summaries", "summary_count"},
				},
			},
		}
	case "countArticles":
		return Tool{
			Also: []string{"count_publications", "get_article_count", "article_counts", "pubmed_count", "publications_by_year", "publication_trend", "compare_queries"},
			Arguments: map[string]Argument{
				"queryTerm": {
					Also: []string{"query", "q", "term", "terms", "text", "search", "search_term", "search_query", "keyword", "keywords", "topic"},
					Tags: []Tag{{Tag: "au", Names: []string{"author", "authors"}}, {Tag: "la", Names: []string{"language"}}, {Tag: "mh", Names: []string{"mesh", "mesh_terms"}}, {Tag: "pt", Names: []string{"filterByPublicationTypes", "publication_types", "publication_type", "article_type"}}, {Tag: "ta", Names: []string{"journal"}}, {Tag: "words", Names: []string{"disease", "condition", "drug", "gene", "species", "organism"}}},
				},
				"by": {
					Also:  []string{"group_by", "facet", "breakdown", "count_by", "dimension"},
					Means: map[string][]string{"publicationyear": []string{"year"}, "type": []string{"publicationType"}, "types": []string{"publicationType"}, "years": []string{"year"}},
				},
				"dateRange": {
					Also: []string{"dates", "date_filter", "date", "year", "years"},
					Fields: map[string]Argument{
						"minDate": {
							Also: []string{"min", "from", "from_date", "date_from", "start", "start_date", "published_after"},
						},
						"maxDate": {
							Also: []string{"max", "to", "to_date", "date_to", "until", "end", "end_date", "published_before"},
						},
						"dateType": {
							Also:  []string{"type", "kind"},
							Means: map[string][]string{"entry": []string{"edat"}, "modification": []string{"mdat"}, "modified": []string{"mdat"}, "publication": []string{"pdat"}, "published": []string{"pdat"}},
						},
					},
				},
				"compare": {
					Also: []string{"compare_with", "compare_to", "other_queries", "queries", "against", "versus", "vs"},
				},
			},
		}
	case "fetchArticleDetails":
		return Tool{
			Also:      []string{"get_article", "get_articles", "get_article_details", "get_publication", "get_publications", "get_paper", "get_abstract", "fetch_article", "fetch_articles", "read_article", "pubmed_fetch_articles", "pubmed_fetch_contents", "get_article_metadata", "article_getter", "efetch"},
			InsteadOf: []string{"fetch"},
			Elsewhere: []Elsewhere{
				{Tool: "convertArticleIds", Argument: "ids", Needs: "ids", Names: []string{"dois", "pmcids"}},
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"doi", "pmcid", "pmc", "nct_id", "query", "term", "q", "search", "title"}},
			},
			Arguments: map[string]Argument{
				"pmids": {
					Also: []string{"pmid", "pubmed_id", "pubmed_ids", "id", "ids", "uid", "uids", "article_id", "article_ids", "source_pmid"},
				},
				"detailLevel": {
					Also:     []string{"detail", "details", "level", "format", "rettype"},
					Means:    map[string][]string{"complete": []string{"abstract_plus"}, "summary": []string{"abstract"}},
					Answered: map[string]string{"bibtex": "getArticleRelationships {\"sourcePmid\":\"$pmids\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"bibtex\"]}", "full text": "getArticleFullText {\"id\":\"$pmids\"}", "references": "getArticleRelationships {\"sourcePmid\":\"$pmids\",\"relationshipType\":\"pubmed_references\"}", "ris": "getArticleRelationships {\"sourcePmid\":\"$pmids\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"ris\"]}"},
				},
				"includeMeshTerms": {
					Also: []string{"include_mesh", "mesh"},
				},
				"includeGrantInfo": {
					Also: []string{"include_grants", "grants"},
				},
			},
		}
	case "getArticleFullText":
		return Tool{
			Also: []string{"get_full_text", "get_full_text_article", "fetch_fulltext", "read_full_text", "pubmed_fetch_fulltext", "get_article_text", "get_pmc_article", "fetch_pmc_article", "get_paper_text", "download_paper"},
			Elsewhere: []Elsewhere{
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"query", "term", "q", "search", "title"}},
			},
			Arguments: map[string]Argument{
				"id": {
					Also: []string{"pmid", "pmids", "pmcid", "pmcids", "pmc", "doi", "ids", "uid", "article_id", "identifier", "paper_id"},
				},
				"sections": {
					Also: []string{"section", "section_ids", "section_id", "headings"},
				},
				"include": {
					Also: []string{"parts", "part", "includes", "fields"},
				},
				"tableFormat": {
					Also: []string{"tables_as"},
				},
				"outlineOnly": {
					Also: []string{"outline", "toc", "headings_only"},
				},
				"maxBytes": {
					Also: []string{"max_chars", "maxCharacters", "max_length", "limit", "budget"},
				},
				"cursor": {
					Also:      []string{"page_token", "next_page_token", "next_cursor", "next"},
					InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"},
				},
			},
		}
	case "convertArticleIds":
		return Tool{
			Also: []string{"convert_ids", "id_converter", "idconv", "pmc_id_converter", "pubmed_convert_ids", "convert_pmid", "pmid_to_pmcid", "doi_to_pmid", "pmcid_to_pmid"},
			Elsewhere: []Elsewhere{
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"query", "term", "q", "search", "title", "nct_id"}},
			},
			Arguments: map[string]Argument{
				"ids": {
					Also: []string{"id", "pmid", "pmids", "pmcid", "pmcids", "doi", "dois", "identifiers", "article_ids"},
				},
			},
		}
	case "lookupMesh":
		return Tool{
			Also: []string{"mesh", "search_mesh", "mesh_lookup", "get_mesh", "get_mesh_terms", "pubmed_lookup_mesh", "find_mesh_term", "mesh_search"},
			Arguments: map[string]Argument{
				"query": {
					Also: []string{"term", "terms", "q", "text", "disease", "condition", "keyword", "word", "words", "name", "heading", "mesh_id", "mesh_term", "id", "tree_number", "descriptor"},
				},
			},
		}
	case "matchCitations":
		return Tool{
			Also: []string{"match_citation", "citation_matcher", "pubmed_citation_matcher", "ecitmatch", "lookup_citation", "lookup_citations", "pubmed_lookup_citation", "lookup_article_by_citation", "verify_citations", "check_citations", "check_references", "resolve_references"},
			Elsewhere: []Elsewhere{
				{Tool: "convertArticleIds", Argument: "ids", Needs: "ids", Names: []string{"ids", "pmids", "dois"}},
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"query", "term", "q", "search"}},
			},
			Arguments: map[string]Argument{
				"citations": {
					Also: []string{"citation", "references", "reference", "refs", "bibliography", "items"},
					Fields: map[string]Argument{
						"text": {
							Also: []string{"raw", "ref", "citation_text", "citation_string", "reference_text", "unstructured", "pmid", "pubmed_id"},
						},
						"journal": {
							Also: []string{"journal_title", "journal_name", "source", "container_title"},
						},
						"year": {
							Also: []string{"date", "pub_year", "publication_year", "pubdate"},
						},
						"volume": {
							Also: []string{"vol"},
						},
						"firstPage": {
							Also: []string{"page", "pages", "start_page", "page_first", "article_number"},
						},
						"author": {
							Also: []string{"authors", "author_name", "first_author"},
						},
						"title": {
							Also: []string{"article_title"},
						},
					},
				},
			},
		}
	case "check_text":
		return Tool{
			Arguments: map[string]Argument{
				"page_size": {
					Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"},
				},
				"cursor": {
					Also:      []string{"page_token", "next_page_token", "next_cursor", "next"},
					InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"},
				},
			},
		}
	case "getArticleRelationships":
		return Tool{
			Also: []string{"get_related_articles", "find_related", "find_related_articles", "get_similar_articles", "get_citations", "get_cited_by", "get_references", "get_citing_articles", "format_citation", "format_citations", "pubmed_find_related", "pubmed_format_citations"},
			Elsewhere: []Elsewhere{
				{Tool: "searchPubMedArticles", Argument: "queryTerm", Needs: "queryTerm", Names: []string{"doi", "pmcid", "pmc", "nct_id", "query", "term", "q", "search", "title"}},
			},
			Arguments: map[string]Argument{
				"sourcePmid": {
					Also: []string{"pmid", "pubmed_id", "id", "uid", "article_id"},
				},
				"sourcePmids": {
					Also: []string{"pmids", "ids", "uids", "pubmed_ids", "article_ids"},
				},
				"relationshipType": {
					Also:     []string{"relationship", "relation", "link_type", "type"},
					Means:    map[string][]string{"citations": []string{"pubmed_citedin"}, "citedby": []string{"pubmed_citedin"}, "citing": []string{"pubmed_citedin"}, "references": []string{"pubmed_references"}, "related": []string{"pubmed_similar_articles"}, "similar": []string{"pubmed_similar_articles"}},
					Answered: map[string]string{"ama": "getArticleRelationships {\"sourcePmid\":\"$sourcePmid\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"ama\"]}", "apa": "getArticleRelationships {\"sourcePmid\":\"$sourcePmid\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"apa_string\"]}", "bibtex": "getArticleRelationships {\"sourcePmid\":\"$sourcePmid\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"bibtex\"]}", "csl": "getArticleRelationships {\"sourcePmid\":\"$sourcePmid\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"csl_json\"]}", "genes": "search_genes {\"pmid\":\"$sourcePmid\"}", "mla": "getArticleRelationships {\"sourcePmid\":\"$sourcePmid\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"mla_string\"]}", "nbib": "getArticleRelationships {\"sourcePmid\":\"$sourcePmid\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"nbib\"]}", "ris": "getArticleRelationships {\"sourcePmid\":\"$sourcePmid\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"ris\"]}", "vancouver": "getArticleRelationships {\"sourcePmid\":\"$sourcePmid\",\"relationshipType\":\"citation_formats\",\"citationStyles\":[\"vancouver\"]}"},
				},
				"maxRelatedResults": {
					Also: []string{"limit", "max", "max_results", "maxRelated", "count", "n", "num_results", "page_size", "retmax", "top"},
				},
				"citationStyles": {
					Also:  []string{"citation_style", "style", "styles", "format", "formats"},
					Means: map[string][]string{"apa": []string{"apa_string"}, "csl": []string{"csl_json"}, "endnote": []string{"ris"}, "mla": []string{"mla_string"}, "nlm": []string{"vancouver"}},
				},
				"cursor": {
					Also:      []string{"page_token", "next_page_token", "next_cursor", "next"},
					InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"},
				},
			},
		}
	case "search_drugs":
		return Tool{
			Also: []string{"search_drug", "find_drug", "find_drugs", "drug_search", "lookup_drug", "search_fda", "openfda_search", "openfda_search_drug_approvals", "openfda_search_drug_labels", "search_labels", "drug_getter", "search_rxnorm"},
			Elsewhere: []Elsewhere{
				{Tool: "get_drug", Argument: "drug_id", Needs: "drug_id", Names: []string{"unii", "rxcui", "ndc", "set_id", "spl_set_id", "application_number", "drug_id", "id"}},
				{Tool: "get_gene", Argument: "entrez_id", Needs: "entrez_id", Names: []string{"entrez_id", "gene_id"}},
				{Tool: "search_genes", Argument: "query", Needs: "", Names: []string{"gene", "gene_symbol", "symbol", "target", "biomarker"}},
				{Tool: "search_trials", Argument: "condition", Needs: "", Names: []string{"condition", "disease", "indication"}},
			},
			Arguments: map[string]Argument{
				"query": {
					Also: []string{"q", "term", "text", "search", "name", "drug", "drug_name", "intervention", "brand", "brand_name", "generic", "generic_name", "substance", "ingredient", "active_ingredient", "medication"},
				},
				"nct_id": {
					Also: []string{"nct", "nct_number", "trial", "trial_id"},
				},
				"page_size": {
					Also: []string{"limit", "max", "max_results", "max_records", "count", "size", "n", "num_results", "per_page", "results_per_page", "retmax", "rows", "top", "top_k"},
				},
				"cursor": {
					Also:      []string{"page_token", "next_page_token", "next_cursor", "next"},
					InsteadOf: []string{"page", "page_number", "page_no", "offset", "skip", "start", "retstart"},
				},
			},
		}
	case "get_drug":
		return Tool{
			Also: []string{"get_drug_label", "get_label", "drug_label", "get_drug_info", "get_drug_details", "drug_profile", "get_drug_approvals", "get_approvals", "fetch_drug", "openfda_get_drug_label", "openfda_drug_profile", "get_drug_shortages", "get_drug_recalls"},
			Elsewhere: []Elsewhere{
				{Tool: "search_drugs", Argument: "nct_id", Needs: "query", Names: []string{"nct_id", "nct"}},
				{Tool: "search_drugs", Argument: "query", Needs: "query", Names: []string{"query", "q", "term", "name", "drug_name", "brand", "brand_name", "generic_name", "substance"}},
			},
			Arguments: map[string]Argument{
				"drug_id": {
					Also: []string{"id", "ids", "unii", "rxcui", "ndc", "set_id", "spl_set_id", "application_number", "application", "identifier", "curie", "drug"},
				},
				"sections": {
					Also: []string{"section", "parts", "part", "fields"},
				},
			},
		}
	case "count_drug_events":
		return Tool{
			Also: []string{"count_adverse_events", "search_adverse_events", "drug_adverse_events", "drug_side_effects", "get_drug_events", "count_faers", "faers", "openfda_search_adverse_events", "openfda_count_values"},
			Elsewhere: []Elsewhere{
				{Tool: "search_drugs", Argument: "query", Needs: "query", Names: []string{"query", "q", "term", "name", "drug_name", "brand", "brand_name", "generic_name", "substance"}},
			},
			Arguments: map[string]Argument{
				"drug_id": {
					Also: []string{"id", "ids", "unii", "rxcui", "ndc", "set_id", "spl_set_id", "application_number", "application", "identifier", "curie", "drug"},
				},
				"by": {
					Also:  []string{"group_by", "field", "facet", "count_by", "breakdown", "count"},
					Means: map[string][]string{"adverseevent": []string{"reaction"}, "age": []string{"age_group"}, "countries": []string{"country"}, "date": []string{"year"}, "event": []string{"reaction"}, "gender": []string{"sex"}, "outcomes": []string{"outcome"}, "qualification": []string{"reporter"}, "reactions": []string{"reaction"}, "reporters": []string{"reporter"}, "seriousness": []string{"serious"}, "time": []string{"year"}, "years": []string{"year"}},
				},
				"reaction": {
					Also: []string{"event", "adverse_event", "side_effect", "symptom", "meddra", "meddra_term"},
				},
				"serious": {
					Also: []string{"is_serious", "seriousness", "serious_only"},
				},
				"only": {
					Also: []string{"sex", "gender", "age_group", "outcome", "reporter"},
				},
				"date_range": {
					Also: []string{"dates", "date", "years", "received", "received_date", "period"},
				},
				"top": {
					Also: []string{"limit", "max", "page_size", "max_groups"},
				},
			},
		}
	case "search":
		return Tool{
			Arguments: map[string]Argument{},
		}
	case "fetch":
		return Tool{
			Arguments: map[string]Argument{},
		}
	case "query_registry":
		return Tool{
			Arguments: map[string]Argument{
				"sql": {
					Also: []string{"query", "statement", "q", "sql_query"},
				},
				"limit": {
					Also: []string{"max_rows", "rows", "page_size"},
				},
			},
		}
	case "describe_registry":
		return Tool{
			Arguments: map[string]Argument{
				"tables": {
					Also: []string{"table", "names", "name"},
				},
			},
		}
	case "trial_filters":
		return Tool{Arguments: trialFilters}
	}
	return Tool{}
}

// trialFilters are the words about the shared arguments trial_filters.
var trialFilters = map[string]Argument{
	"query": {
		Also: []string{"q", "term", "terms", "text", "search", "search_term", "search_query", "query_term", "keywords", "other_terms"},
	},
	"words": {
		Also:  []string{"match", "word_match", "match_words"},
		Means: map[string][]string{"and": []string{"all"}, "every": []string{"all"}, "or": []string{"any"}, "some": []string{"any"}},
	},
	"nct_ids": {
		Also: []string{"nct_id", "nct", "id", "ids", "nct_numbers", "trial_ids", "study_ids"},
	},
	"condition": {
		Also: []string{"query_cond", "conditions", "cond", "disease", "diseases", "disorder", "indication", "diagnosis", "condition_query"},
	},
	"intervention": {
		Also: []string{"query_intr", "interventions", "intr", "drug", "drugs", "drug_name", "treatment", "therapy", "medication", "intervention_query"},
	},
	"status": {
		Also:      []string{"statuses", "filter_overall_status", "overall_status", "recruitment_status", "trial_status", "study_status", "status_filter", "recruiting", "is_recruiting", "open_only"},
		Means:     map[string][]string{"activebutnotrecruiting": []string{"ACTIVE_NOT_RECRUITING"}, "activenotenrolling": []string{"ACTIVE_NOT_RECRUITING"}, "byinvitation": []string{"ENROLLING_BY_INVITATION"}, "byinvitationonly": []string{"ENROLLING_BY_INVITATION"}, "invitationonly": []string{"ENROLLING_BY_INVITATION"}, "notstarted": []string{"NOT_YET_RECRUITING"}, "notyetenrolling": []string{"NOT_YET_RECRUITING"}, "notyetopen": []string{"NOT_YET_RECRUITING"}, "notyetstarted": []string{"NOT_YET_RECRUITING"}, "onhold": []string{"SUSPENDED"}, "paused": []string{"SUSPENDED"}, "pending": []string{"NOT_YET_RECRUITING"}, "planned": []string{"NOT_YET_RECRUITING"}, "stoppedearly": []string{"TERMINATED"}, "terminatedearly": []string{"TERMINATED"}, "true": []string{"RECRUITING"}, "upcoming": []string{"NOT_YET_RECRUITING"}},
		Imprecise: map[string][]string{"accepting": []string{"RECRUITING", "trials that take participants by invitation only are ENROLLING_BY_INVITATION"}, "accruing": []string{"RECRUITING", "trials that take participants by invitation only are ENROLLING_BY_INVITATION"}, "enrolling": []string{"RECRUITING", "trials that take participants by invitation only are ENROLLING_BY_INVITATION"}, "open": []string{"RECRUITING", "trials that are to open are NOT_YET_RECRUITING"}, "openforenrollment": []string{"RECRUITING", "trials that are to open are NOT_YET_RECRUITING"}, "opentoenrollment": []string{"RECRUITING", "trials that are to open are NOT_YET_RECRUITING"}},
		Unclear:   map[string][]string{"aborted": []string{"TERMINATED", "WITHDRAWN", "SUSPENDED"}, "active": []string{"RECRUITING", "ACTIVE_NOT_RECRUITING", "ENROLLING_BY_INVITATION"}, "canceled": []string{"TERMINATED", "WITHDRAWN", "SUSPENDED"}, "cancelled": []string{"TERMINATED", "WITHDRAWN", "SUSPENDED"}, "closed": []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "closedtoaccrual": []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "closedtoenrollment": []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "closedtorecruitment": []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "current": []string{"RECRUITING", "ACTIVE_NOT_RECRUITING", "ENROLLING_BY_INVITATION"}, "discontinued": []string{"TERMINATED", "WITHDRAWN", "SUSPENDED"}, "done": []string{"COMPLETED", "TERMINATED"}, "ended": []string{"COMPLETED", "TERMINATED"}, "false": []string{"NOT_YET_RECRUITING", "UNKNOWN", "ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "finished": []string{"COMPLETED", "TERMINATED"}, "halted": []string{"TERMINATED", "WITHDRAWN", "SUSPENDED"}, "inactive": []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "inprogress": []string{"RECRUITING", "ACTIVE_NOT_RECRUITING", "ENROLLING_BY_INVITATION"}, "nolongerrecruiting": []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "nonrecruiting": []string{"NOT_YET_RECRUITING", "UNKNOWN", "ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "notenrolling": []string{"NOT_YET_RECRUITING", "UNKNOWN", "ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "notopen": []string{"NOT_YET_RECRUITING", "UNKNOWN", "ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "notrecruiting": []string{"NOT_YET_RECRUITING", "UNKNOWN", "ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED", "SUSPENDED", "WITHDRAWN"}, "ongoing": []string{"RECRUITING", "ACTIVE_NOT_RECRUITING", "ENROLLING_BY_INVITATION"}, "over": []string{"COMPLETED", "TERMINATED"}, "running": []string{"RECRUITING", "ACTIVE_NOT_RECRUITING", "ENROLLING_BY_INVITATION"}, "stopped": []string{"TERMINATED", "WITHDRAWN", "SUSPENDED"}, "underway": []string{"RECRUITING", "ACTIVE_NOT_RECRUITING", "ENROLLING_BY_INVITATION"}},
	},
	"location": {
		Also:      []string{"query_locn", "locations", "locn", "place", "city", "state", "region", "location_query"},
		InsteadOf: []string{"exclude_country", "excluded_countries", "exclude_location"},
	},
	"country": {
		Also: []string{"countries", "location_country"},
	},
	"facility": {
		Also: []string{"facility_name", "hospital", "site", "center", "institution"},
	},
	"near": {
		Also: []string{"near_to", "around", "zip", "zip_code", "postal_code", "coordinates", "point", "geo", "lat_lon", "filter_geo", "geo_location", "lat", "lon", "lng", "latitude", "longitude"},
	},
	"within": {
		Also: []string{"radius", "distance", "max_distance", "range", "within_distance", "distance_km"},
	},
	"recruiting_site": {
		Also: []string{"site_recruiting", "recruiting_sites"},
	},
	"phase": {
		Also: []string{"phases", "trial_phase", "study_phase", "phase_filter"},
	},
	"study_type": {
		Also:      []string{"study_types", "type", "trial_type"},
		Means:     map[string][]string{"clinical": []string{"INTERVENTIONAL"}, "compassionateuse": []string{"EXPANDED_ACCESS"}, "eap": []string{"EXPANDED_ACCESS"}, "expanded": []string{"EXPANDED_ACCESS"}, "expandedaccessprogram": []string{"EXPANDED_ACCESS"}, "intervention": []string{"INTERVENTIONAL"}, "interventionalclinical": []string{"INTERVENTIONAL"}, "noninterventional": []string{"OBSERVATIONAL"}, "observation": []string{"OBSERVATIONAL"}},
		Imprecise: map[string][]string{"casecontrol": []string{"OBSERVATIONAL", "that holds studies of other designs too"}, "cohort": []string{"OBSERVATIONAL", "that holds studies of other designs too"}, "crosssectional": []string{"OBSERVATIONAL", "that holds studies of other designs too"}, "naturalhistory": []string{"OBSERVATIONAL", "that holds studies of other designs too"}, "observationalpatientregistry": []string{"OBSERVATIONAL", "that holds studies of other designs too"}, "patientregistry": []string{"OBSERVATIONAL", "that holds studies of other designs too"}, "randomised": []string{"INTERVENTIONAL", "that holds trials without randomization too"}, "randomisedcontrolled": []string{"INTERVENTIONAL", "that holds trials without randomization too"}, "randomized": []string{"INTERVENTIONAL", "that holds trials without randomization too"}, "randomizedcontrolled": []string{"INTERVENTIONAL", "that holds trials without randomization too"}, "rct": []string{"INTERVENTIONAL", "that holds trials without randomization too"}, "registry": []string{"OBSERVATIONAL", "that holds studies of other designs too"}},
	},
	"sponsor": {
		Also: []string{"query_spons", "sponsors", "spons", "company", "organization", "collaborator", "sponsor_query"},
	},
	"lead_sponsor": {
		Also: []string{"query_lead", "lead", "lead_sponsors", "lead_sponsor_name"},
	},
	"title": {
		Also: []string{"query_titles", "titles", "acronym", "study_title", "trial_name", "title_query"},
	},
	"outcome": {
		Also: []string{"query_outc", "outcomes", "endpoint", "endpoints", "outcome_measure", "outcome_query"},
	},
	"primary_outcome": {
		Also: []string{"primary_outcomes", "primary_endpoint"},
	},
	"keyword": {
		Also: []string{"study_keyword"},
	},
	"criteria": {
		Also:      []string{"eligibility", "eligibility_criteria", "inclusion_criteria", "gene", "genes", "biomarker", "biomarkers", "mutation", "mutations", "variant", "variants"},
		InsteadOf: []string{"exclusion_criteria"},
	},
	"criteria_in": {
		Means: map[string][]string{"include": []string{"inclusion"}, "included": []string{"inclusion"}, "inclusioncriteria": []string{"inclusion"}},
	},
	"age": {
		Also:      []string{"patient_age", "participant_age", "ages"},
		InsteadOf: []string{"age_group", "min_age", "max_age", "minimum_age", "maximum_age"},
	},
	"sex": {
		Also:  []string{"gender", "patient_sex"},
		Means: map[string][]string{"boy": []string{"male"}, "boys": []string{"male"}, "f": []string{"female"}, "females": []string{"female"}, "girl": []string{"female"}, "girls": []string{"female"}, "m": []string{"male"}, "males": []string{"male"}, "man": []string{"male"}, "men": []string{"male"}, "w": []string{"female"}, "woman": []string{"female"}, "women": []string{"female"}},
	},
	"healthy_volunteers": {
		Also: []string{"healthy", "accepts_healthy_volunteers"},
	},
	"sponsor_class": {
		Also:      []string{"funder", "funder_type", "sponsor_type", "lead_sponsor_class", "funded_by"},
		Means:     map[string][]string{"biotech": []string{"INDUSTRY"}, "commercial": []string{"INDUSTRY"}, "companies": []string{"INDUSTRY"}, "company": []string{"INDUSTRY"}, "federal": []string{"FED"}, "individual": []string{"INDIV"}, "othergovernment": []string{"OTHER_GOV"}, "pharma": []string{"INDUSTRY"}, "pharmaceutical": []string{"INDUSTRY"}},
		Imprecise: map[string][]string{"academia": []string{"OTHER", "that holds all universities, hospitals, foundations and charities together"}, "academic": []string{"OTHER", "that holds all universities, hospitals, foundations and charities together"}, "foundation": []string{"OTHER", "that holds all universities, hospitals, foundations and charities together"}, "hospital": []string{"OTHER", "that holds all universities, hospitals, foundations and charities together"}, "nonprofit": []string{"OTHER", "that holds all universities, hospitals, foundations and charities together"}, "universities": []string{"OTHER", "that holds all universities, hospitals, foundations and charities together"}, "university": []string{"OTHER", "that holds all universities, hospitals, foundations and charities together"}},
		Unclear:   map[string][]string{"government": []string{"NIH", "FED", "OTHER_GOV"}, "governmental": []string{"NIH", "FED", "OTHER_GOV"}, "public": []string{"NIH", "FED", "OTHER_GOV"}},
	},
	"intervention_type": {
		Also:      []string{"intervention_types"},
		Means:     map[string][]string{"biologic": []string{"BIOLOGICAL"}, "diagnostic": []string{"DIAGNOSTIC_TEST"}, "drugs": []string{"DRUG"}, "medication": []string{"DRUG"}, "medicine": []string{"DRUG"}, "psychotherapy": []string{"BEHAVIORAL"}, "radiotherapy": []string{"RADIATION"}, "supplement": []string{"DIETARY_SUPPLEMENT"}, "surgery": []string{"PROCEDURE"}, "surgical": []string{"PROCEDURE"}},
		Imprecise: map[string][]string{"antibody": []string{"BIOLOGICAL", "that holds vaccines, antibodies and cells; the argument intervention takes the word itself"}, "celltherapy": []string{"BIOLOGICAL", "that holds vaccines, antibodies and cells; the argument intervention takes the word itself"}, "vaccine": []string{"BIOLOGICAL", "that holds vaccines, antibodies and cells; the argument intervention takes the word itself"}, "vaccines": []string{"BIOLOGICAL", "that holds vaccines, antibodies and cells; the argument intervention takes the word itself"}},
		Unclear:   map[string][]string{"app": []string{"DEVICE", "BEHAVIORAL", "OTHER"}, "apps": []string{"DEVICE", "BEHAVIORAL", "OTHER"}, "digital": []string{"DEVICE", "BEHAVIORAL", "OTHER"}, "mobileapp": []string{"DEVICE", "BEHAVIORAL", "OTHER"}, "software": []string{"DEVICE", "BEHAVIORAL", "OTHER"}},
	},
	"investigator": {
		Also: []string{"investigators", "principal_investigator", "pi"},
	},
	"mesh": {
		Also: []string{"mesh_term", "mesh_terms"},
	},
	"masking": {
		Also:      []string{"blinding"},
		Means:     map[string][]string{"open": []string{"NONE"}, "openlabel": []string{"NONE"}, "quadrupleblind": []string{"QUADRUPLE"}, "singleblind": []string{"SINGLE"}, "tripleblind": []string{"TRIPLE"}, "unblinded": []string{"NONE"}},
		Imprecise: map[string][]string{"doubleblind": []string{"DOUBLE", "add triple and quadruple: many trials called double-blind mask three or four parties"}, "doubleblinded": []string{"DOUBLE", "add triple and quadruple: many trials called double-blind mask three or four parties"}, "doublemasked": []string{"DOUBLE", "add triple and quadruple: many trials called double-blind mask three or four parties"}},
		Unclear:   map[string][]string{"blind": []string{"SINGLE", "DOUBLE", "TRIPLE", "QUADRUPLE"}, "blinded": []string{"SINGLE", "DOUBLE", "TRIPLE", "QUADRUPLE"}, "masked": []string{"SINGLE", "DOUBLE", "TRIPLE", "QUADRUPLE"}},
	},
	"allocation": {
		Also:  []string{"randomized", "randomization"},
		Means: map[string][]string{"false": []string{"NON_RANDOMIZED"}, "no": []string{"NON_RANDOMIZED"}, "nonrandomised": []string{"NON_RANDOMIZED"}, "randomised": []string{"RANDOMIZED"}, "true": []string{"RANDOMIZED"}, "yes": []string{"RANDOMIZED"}},
	},
	"primary_purpose": {
		Also:  []string{"purpose"},
		Means: map[string][]string{"diagnosis": []string{"DIAGNOSTIC"}, "preventive": []string{"PREVENTION"}, "supportive": []string{"SUPPORTIVE_CARE"}, "therapy": []string{"TREATMENT"}},
	},
	"enrollment": {
		Also: []string{"enrollment_count", "sample_size", "participants"},
	},
	"start_date": {
		Also: []string{"start_year", "study_start", "study_start_date", "started", "year", "years", "date", "date_range"},
	},
	"primary_completion_date": {
		Also: []string{"primary_completion"},
	},
	"completion_date": {
		Also: []string{"study_completion_date", "end_date", "completed", "ended"},
	},
	"first_posted": {
		Also: []string{"first_posted_date", "registered", "registration_date", "study_first_posted", "posted"},
	},
	"results_posted": {
		Also: []string{"results_posted_date", "results_first_posted"},
	},
	"last_updated": {
		Also: []string{"last_update", "last_updated_date", "last_update_posted", "updated", "update_date"},
	},
	"has_results": {
		Also:  []string{"results", "with_results", "results_available"},
		Means: map[string][]string{"none": []string{"false"}, "posted": []string{"true"}, "with": []string{"true"}, "without": []string{"false"}, "withoutresults": []string{"false"}, "withresults": []string{"true"}},
	},
	"results_due": {
		Also:  []string{"results_overdue", "reporting_status"},
		Means: map[string][]string{"late": []string{"overdue"}, "missing": []string{"overdue"}},
	},
	"documents": {
		Also:  []string{"document", "has_documents"},
		Means: map[string][]string{"analysisplan": []string{"sap"}, "consent": []string{"icf"}, "consentform": []string{"icf"}, "informedconsent": []string{"icf"}, "informedconsentform": []string{"icf"}, "informedconsentformicf": []string{"icf"}, "prot": []string{"protocol"}, "protocolandsap": []string{"protocol", "sap"}, "protocolandstatisticalanalysisplan": []string{"protocol", "sap"}, "protocols": []string{"protocol"}, "protsap": []string{"protocol", "sap"}, "statisticalanalysisplan": []string{"sap"}, "statisticalanalysisplansap": []string{"sap"}, "statisticalplan": []string{"sap"}, "statisticsplan": []string{"sap"}, "studyprotocol": []string{"protocol"}, "studyprotocolandstatisticalanalysisplan": []string{"protocol", "sap"}, "trialprotocol": []string{"protocol"}},
	},
	"expression": {
		Also:  []string{"filter_advanced", "advanced", "advanced_filter"},
		Tags:  []Tag{{Tag: "AREA[ArmGroupType]", Names: []string{"arm_type"}}, {Tag: "AREA[DesignInterventionModel]", Names: []string{"study_design", "intervention_model", "design"}}, {Tag: "AREA[ReferencePMID]\"", Names: []string{"pmid", "pmids", "pubmed_id"}}, {Tag: "AREA[WhyStopped]\"", Names: []string{"why_stopped", "stop_reason", "reason_stopped", "termination_reason"}}},
		Means: map[string][]string{"activecomparator": []string{"AREA[ArmGroupType]ACTIVE_COMPARATOR"}, "crossover": []string{"AREA[DesignInterventionModel]CROSSOVER"}, "experimental": []string{"AREA[ArmGroupType]EXPERIMENTAL"}, "factorial": []string{"AREA[DesignInterventionModel]FACTORIAL"}, "nointervention": []string{"AREA[ArmGroupType]NO_INTERVENTION"}, "parallel": []string{"AREA[DesignInterventionModel]PARALLEL"}, "placebo": []string{"AREA[ArmGroupType]PLACEBO_COMPARATOR"}, "placebocomparator": []string{"AREA[ArmGroupType]PLACEBO_COMPARATOR"}, "sequential": []string{"AREA[DesignInterventionModel]SEQUENTIAL"}, "sham": []string{"AREA[ArmGroupType]SHAM_COMPARATOR"}, "shamcomparator": []string{"AREA[ArmGroupType]SHAM_COMPARATOR"}, "singlearm": []string{"AREA[DesignInterventionModel]SINGLE_GROUP"}, "singlegroup": []string{"AREA[DesignInterventionModel]SINGLE_GROUP"}},
	},
}

func with(shared, own map[string]Argument) map[string]Argument {
	all := maps.Clone(shared)
	maps.Copy(all, own)
	return all
}
