package articles

import (
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// An articleTerm is a search text as a term for ESearch.
type articleTerm struct {
	given   string // by the caller
	text    string
	ids     bool     // it consists of ids only
	dois    []string // the ids, if they are DOIs
	notices []string
}

// and returns the expression, restricted by filters.
func (t articleTerm) and(filters ...string) string {
	text := t.text
	if len(filters) > 0 {
		text = "(" + text + ")"
	}
	for _, filter := range filters {
		text += " AND (" + filter + ")"
	}
	return text
}

// readArticleTerm returns the text of an argument as a term for ESearch, as it was given. Only ids as Biofact writes them become those of
// NCBI.
func readArticleTerm(toolName, argument, text string) (articleTerm, error) {
	if t := readIdentifiers(argument, text); t.ids {
		return t, nil
	}
	if pasted := envelope.PastedSearch(toolName, argument, text, false); pasted != nil {
		return articleTerm{}, pasted
	}
	if trials, bad := id.NCT.Only(text); trials == nil && bad != nil {
		return articleTerm{}, envelope.MalformedNCT(entity.InvalidInput, argument, text, bad)
	}
	if !entrez.Distinguishes(text) && !strings.Contains(text, "[") {
		reason := "%s has no word that distinguishes articles: it needs one with two letters or digits"
		if len(text) > 2 && strings.ContainsFunc(text, unicode.IsLetter) {
			reason = "%s is in too many articles to distinguish any: it needs another word"
		}
		return articleTerm{}, envelope.Refuse(argument, text, reason, envelope.Quoted(text)).As(entity.AmbiguousQuery).
			Again(toolName, "with words of a title or a subject in %s", argument)
	}
	// The colon of a CURIE would split it.
	return articleTerm{given: text, text: id.NCT.Rewrite(text), notices: envelope.MalformedNCTNotice(argument, text)}, nil
}

var (
	// idTag matches a field tag of an article id.
	idTag = lazyregexp.New(`(?i)\s*\[\s*(?:doi|aid|lid|pmc|pmcid|article identifier|location id)\s*\]`)
	// idSigns removes the characters around ids in a query, and decodes the slash of a DOI in an address.
	idSigns = strings.NewReplacer(`"`, "", "“", "", "”", "", "%2F", "/", "%2f", "/", " OR ", ", ")
)

// plainIDs returns a text without the characters around ids of articles.
func plainIDs(text string) string {
	cleaned := strings.TrimSpace(idSigns.Replace(idTag.ReplaceAllString(text, "")))
	if inner, ok := strings.CutPrefix(cleaned, "("); ok {
		cleaned = strings.TrimSuffix(inner, ")")
	}
	return cleaned
}

// readIdentifiers reads a text that consists of ids of articles of one kind. It leaves a bare number to PubMed.
func readIdentifiers(argument, text string) (t articleTerm) {
	cleaned := plainIDs(text)
	// A PMCID must not be read as a PMID; a DOI may contain both.
	if dois, _ := id.DOI.Only(cleaned); dois != nil {
		t = articleTerm{text: orTerms(dois, id.DOI.Value), ids: true, dois: dois}
		if !strings.Contains(text, "[") && cleaned != dois[0] {
			t.notices = []string{argument + " was read as the DOI " + strings.Join(dois, ", ") + "."}
		}
	} else if pmcids, _ := id.PMCID.Only(cleaned); pmcids != nil {
		t = articleTerm{text: orTerms(pmcids, id.PMCID.Value), ids: true}
		if cleaned != pmcids[0] && !strings.Contains(text, " OR ") {
			t.notices = []string{argument + " was read as the PMCID " + strings.Join(pmcids, ", ") + "."}
		}
	} else if pmids, _ := id.PMID.Only(cleaned); pmids != nil && !id.Bare(cleaned) {
		t = articleTerm{text: orTerms(pmids, func(pmid string) string { return pmid + "[uid]" }), ids: true,
			notices: []string{argument + " was read as PMIDs."}}
	}
	return t
}

// orTerms joins the search terms of ids with OR.
func orTerms(ids []string, term func(string) string) string {
	terms := make([]string, len(ids))
	for i, one := range ids {
		terms[i] = term(one)
	}
	return strings.Join(terms, " OR ")
}
