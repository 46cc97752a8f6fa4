package service

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

var (
	// strictPMID matches the ways in which people write a PMID.
	strictPMID = lazyregexp.New(`^(?i:(?:PMID|PubMed(?: ?ID)?)\s*[:=]?\s*|(?:https?://)?pubmed\.ncbi\.nlm\.nih\.gov/)?0*([0-9]{1,9})/?$`)
	// pmidPrefix matches what stands before an id, without one.
	pmidPrefix = lazyregexp.New(`^(?i:PMID|PubMed(?: ?ID)?)\s*[:=]?[^0-9A-Za-z]*$`)
	strictDOI  = lazyregexp.New(`^(?i:(?:https?://)?(?:www\.|dx\.)?doi\.org/|doi\s*[:=]?\s*)?(10\.[0-9]{4,9}/\S*[^\s.,;])[.,;]?$`)
	strictPMC  = lazyregexp.New(`^(?i:PMC\s*:?\s*)([0-9]{1,9})$`)
)

// readPMID returns the digits of a PMID. Anything else is UNRESOLVED_ENTITY,
// with the search that resolves it.
func readPMID(toolName, text string) (string, error) {
	words := strings.TrimSpace(entity.Clean(text))
	if m := strictPMID.FindStringSubmatch(words); m != nil {
		return pmidOf(m[1]), nil
	}
	then := ", then " + toolName + " with the PMID of a result."
	search := func(query string) string {
		return "Call searchPubMedArticles with " + tool.Object("queryTerm", query) + then
	}
	hint := search("nivolumab melanoma")
	trials, _ := onlyIDs(words)
	switch doi, pmc := strictDOI.FindStringSubmatch(words), strictPMC.FindStringSubmatch(words); {
	case len(trials) > 0:
		hint = "This is the id of a clinical trial. " + search(trials[0]+"[si]") + " For the trial itself call get_trial with " + tool.Object("nct_id", curie(trials[0])) + "."
	case doi != nil:
		hint = search(`"` + doi[1] + `"[doi]`)
	case pmc != nil:
		hint = search("PMC" + pmc[1])
	case geneID.MatchString(words) && !allDigits(words):
		hint = "This is the id of a gene: call get_pubmed_links with " + tool.Object("entrez_id", words) + " for the PMIDs of its articles."
	case entrez.Distinguishes(words) && !pmidPrefix.MatchString(words):
		hint = search(words)
	}
	return "", &entity.Error{
		Code:    entity.UnresolvedEntity,
		Message: toolName + " takes resolved PMIDs, which are digits such as 26027431, not words or another kind of id.",
		Hint:    hint,
		Input:   text,
	}
}

func allDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// pmidOf writes a number as PubMed does, without leading zeros.
func pmidOf(digits string) string {
	if id := strings.TrimLeft(digits, "0"); id != "" {
		return id
	}
	return "0"
}

// readSourcePMID does the same for the one PMID of getArticleRelationships. Of
// several the first is shown in a call.
func readSourcePMID(text string) (string, error) {
	const toolName = tools.GetArticleRelationships
	parts := len(pmidParts(text))
	pmids, _, err := readPMIDs(toolName, []string{text})
	if parts < 2 || err != nil {
		return readPMID(toolName, text)
	}
	return "", &entity.Error{
		Code:    entity.InvalidInput,
		Message: fmt.Sprintf("sourcePmid: takes one PMID, got a list of %d.", parts),
		Hint:    "Call " + toolName + " again, once for each PMID, first with " + tool.Object("sourcePmid", pmids[0]) + ".",
		Input:   text,
	}
}

// pmidParts divides a text that may list several ids.
func pmidParts(text string) (parts []string) {
	if strictDOI.MatchString(strings.TrimSpace(text)) {
		return []string{text} // which may hold a comma
	}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		if words := strings.Fields(part); !slices.ContainsFunc(words, func(word string) bool { return !strictPMID.MatchString(word) }) {
			parts = append(parts, words...)
		} else {
			parts = append(parts, part)
		}
	}
	return parts
}

// readPMIDs returns the digits of some PMIDs, each once. Those that are none are
// named in a notice; where none is a PMID, in the error.
func readPMIDs(toolName string, texts []string) (pmids, notices []string, err error) {
	given := 0
	var bad []string
	var first error // of those that are none
	for _, text := range texts {
		for _, part := range pmidParts(text) {
			pmid, err := readPMID(toolName, part)
			if err != nil {
				bad, first = append(bad, entity.Cut(strings.TrimSpace(part), 60)), cmp.Or(first, err)
				continue
			}
			if given++; !slices.Contains(pmids, pmid) {
				pmids = append(pmids, pmid)
			}
		}
	}
	switch {
	case len(pmids) == 0 && len(bad) > 1:
		e := *entity.AsError(first)
		e.Message += " These are none: " + strings.Join(bad, ", ") + "."
		e.Input = strings.Join(bad, ", ")
		return nil, nil, &e
	case len(pmids) == 0 && first != nil:
		return nil, nil, first
	case len(pmids) == 0:
		_, err := readPMID(toolName, strings.Join(texts, " "))
		return nil, nil, err
	case len(pmids) > ncbi.MaxArticles:
		return nil, nil, &entity.Error{
			Code:    entity.InvalidInput,
			Message: fmt.Sprintf("pmids: takes at most %d PMIDs, got %d.", ncbi.MaxArticles, len(pmids)),
			Hint:    fmt.Sprintf("Call %s again with at most %d of pmids at a time.", toolName, ncbi.MaxArticles),
			Input:   strings.Join(texts, ","),
		}
	}
	if len(pmids) < given {
		notices = append(notices, "PMIDs that were given more than once are answered once.")
	}
	if len(bad) > 0 {
		notices = append(notices, "These are no PMIDs and were left out: "+strings.Join(bad, ", ")+". "+entity.AsError(first).Hint)
	}
	return pmids, notices, nil
}

// onlyPMIDs returns the PMIDs of a text that is nothing but marked PMIDs, such
// as PMID: 26027431; nil where there is anything else.
func onlyPMIDs(text string) (pmids []string) {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		part = strings.TrimSpace(part)
		m := strictPMID.FindStringSubmatch(part)
		if m == nil || m[1] == part {
			return nil
		}
		pmids = append(pmids, pmidOf(m[1]))
	}
	return pmids
}

// noArticle is the error of a PMID without a record.
func noArticle(toolName, pmid string) *entity.Error {
	return &entity.Error{
		Code:    entity.EntityNotFound,
		Message: "PubMed has no article with the PMID " + pmid + ".",
		Hint: "Check the digits of the PMID at its source. To find the article by words of its title call searchPubMedArticles, such as with " +
			tool.Object("queryTerm", "nivolumab melanoma") + ", then " + toolName + " with the PMID of a result.",
		Input: pmid,
	}
}
