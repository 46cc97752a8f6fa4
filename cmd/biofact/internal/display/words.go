package display

import (
	"slices"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// enumerated are the fields whose values are constants of the sources, such as ACTIVE_NOT_RECRUITING.
var enumerated = []string{
	"status", "phase", "phases", "recruitment_status", "overall_status", "study_type", "class", "role", "type", "sponsor_class",
	"intervention_type", "sex", "primary_purpose", "purpose", "allocation", "masking", "intervention_model", "reporting_status",
	"parameter",
	"dispersion", "enrollment_type", "start_date_type", "primary_completion_date_type", "completion_date_type", "ci_sides", "hypothesis",
	"check", "measure", "kind", "assessment", "who_masked", "age_groups", "age_group",
}

// words returns a value for people: constants of the sources become words, other texts stay as they are.
func words(field string, value any) string {
	if text, ok := value.(string); ok && (!slices.Contains(enumerated, field) || strings.Contains(text, "\n")) {
		return strings.TrimSpace(bareID(text))
	}
	if list, ok := value.([]any); ok {
		var texts []string
		for _, item := range list {
			texts = append(texts, words(field, item))
		}
		return oneLine(strings.Join(texts, "; "))
	}
	if text, ok := value.(bool); ok {
		return map[bool]string{true: "yes", false: "no"}[text]
	}
	text := oneLine(value)
	if slices.Contains(enumerated, field) {
		return constant(text)
	}
	return text
}

// spelt are the constants whose words do not follow from their letters.
var spelt = map[string]string{"NA": "Not applicable", "ACTIVE_NOT_RECRUITING": "Active, not recruiting", "NIH": "NIH", "FED": "Federal",
	"INDIV": "Individual", "ALL": "All"}

// constant returns a constant as words: Enrolling by invitation, Phase 2/Phase 3, not checkable. Any other text stays as it is.
func constant(text string) string {
	if known := spelt[text]; known != "" {
		return known
	}
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyz_") == "" { // a code of our own
		return strings.ReplaceAll(text, "_", " ")
	}
	if len(text) < 3 || strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/") != "" || strings.ToUpper(text) != text {
		return text
	}
	var out strings.Builder
	before := ' '
	for i, r := range text {
		switch {
		case r == '_':
			r = ' '
		case unicode.IsDigit(r) && unicode.IsLetter(before):
			out.WriteRune(' ')
		case i > 0 && before != '/':
			r = unicode.ToLower(r)
		}
		out.WriteRune(r)
		before = r
	}
	return out.String()
}

// abbreviations are the names, and the words of names, that are not written in small letters.
var abbreviations = map[string]string{"clinicaltrials_gov": "ClinicalTrials.gov", "eudract": "EudraCT", "apa_string": "APA",
	"mla_string": "MLA", "ama": "AMA", "ris": "RIS", "nbib": "NBIB", "bibtex": "BibTeX", "csl_json": "CSL-JSON",
	"id": "ID", "ids": "IDs", "pmid": "PMID", "pmids": "PMIDs", "nct": "NCT", "mesh": "MeSH",
	"doi": "DOI", "hgnc": "HGNC", "omim": "OMIM", "url": "URL", "dna": "DNA", "rna": "RNA", "ci": "CI", "pmc": "PMC", "pubmed": "PubMed",
	"issn": "ISSN", "nlm": "NLM", "iso": "ISO", "refseq": "RefSeq", "uniprot": "UniProt"}

// constantWords matches the constants inside the text of an aspect.
var constantWords = lazyregexp.New(`\b[A-Z_]{3,}\b`)

// label returns the name of a member for people: primary_outcomes is Primary outcomes, journalInfo is Journal info.
func label(name string) string {
	if known := abbreviations[name]; known != "" {
		return known
	}
	var parts []string
	start := 0
	for i, r := range name + "_" {
		if r == '_' || unicode.IsUpper(r) && i > 0 && unicode.IsLower(rune(name[i-1])) {
			parts = append(parts, strings.ToLower(strings.Trim(name[start:i], "_")))
			start = i
		}
	}
	for i, part := range parts {
		switch known := abbreviations[part]; {
		case known != "":
			parts[i] = known
		case i == 0 && part != "":
			parts[i] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, " ")
}

// bareID returns an id without its prefix, as its source writes it: NCT00461032, 7157. Any other text stays as it is.
func bareID(text string) string {
	if _, bare, ok := kindOf(text); ok {
		return bare
	}
	return text
}

// member returns the name of the member that shows a field to people: the phases of a trial are one fact in two members.
func memberOf(o object, field string) string {
	switch several := o.Get("phases") != nil; {
	case field == "phase" && several:
		return "phases"
	case field == "phases" && !several:
		return "phase"
	}
	return field
}

// kindOf returns the argument that takes an id in the form of an answer, and the id as its source writes it.
func kindOf(curie string) (argument, bare string, ok bool) {
	for _, k := range []*id.Kind{id.NCT, id.Gene} {
		if bare, ok := k.Read(curie); ok && k.CURIE(bare) == curie && bare != curie {
			return k.Argument, bare, true
		}
	}
	return "", "", false
}
