package service

import (
	"fmt"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/essie"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/tool"
)

var (
	strictNCT = lazyregexp.New(`(?i)^NCT\s*:?\s*([0-9]{8})$`)
	nctDigits = lazyregexp.New(`(?i)^NCT\s*:?\s*([0-9]+)$`)
	bareNCT   = lazyregexp.New(`^0[0-9]{7}$`) // no PMID begins with 0
	insideNCT = lazyregexp.New(`(?i)\bNCT:?[0-9]{8}\b`)
	// looseNCT is what upstream takes for an NCT id, zeros or not.
	looseNCT = lazyregexp.New(`(?i)^NCT:?0*([1-9][0-9]{0,7})$`)
)

// readNCT returns the id as the registry writes it, NCT00461032. It accepts
// what is unambiguous and never pads: a dropped digit would become another
// trial. Anything else is UNRESOLVED_ENTITY.
func readNCT(name, text string) (string, error) {
	text = strings.TrimSpace(text)
	if m := strictNCT.FindStringSubmatch(text); m != nil {
		return "NCT" + m[1], nil
	}
	e := &entity.Error{Code: entity.UnresolvedEntity, Input: text}
	search := "search_trials with " + tool.Object("query", "montelukast asthma")
	if essie.Distinguishes(text) {
		search = "search_trials with " + tool.Object("query", text)
	}
	switch found := insideNCT.FindAllString(text, 3); {
	case nctDigits.MatchString(text):
		e.Message = fmt.Sprintf("nct_id: an NCT id has 8 digits, %s has %d.", entity.Cut(text, 40), digits(text))
		e.Hint = "Check the id at its source. To find the trial by words, call search_trials and take the id of a result."
	case len(found) == 1:
		e.Message = name + " takes one NCT id alone, in the form NCT:00461032."
		e.Hint = "Call " + name + " with " + tool.Object("nct_id", curie(strings.ToUpper(found[0]))) + "."
	case len(found) > 1:
		e.Message = name + " takes one NCT id at a time."
		e.Hint = "Call " + name + " once for each id, first with " + tool.Object("nct_id", curie(strings.ToUpper(found[0]))) + "."
	default:
		e.Message = name + " takes a resolved NCT id in the form NCT:00461032, not words or another kind of id."
		e.Hint = otherID(name, text)
		if e.Hint == "" {
			e.Hint = "Call " + search + ", then " + name + " with the id of a result."
		}
	}
	return "", e
}

// otherID is the way to a trial from the id of something else, which the
// registry cannot be searched for; "" where the text is none.
func otherID(name, text string) string {
	thenTrial := ", then " + name + " with one of its nctIds."
	pmid, doi := strictPMID.FindStringSubmatch(text), strictDOI.FindStringSubmatch(text)
	switch {
	case bareNCT.MatchString(text):
		return "Call " + name + " with " + tool.Object("nct_id", curie(text)) + "."
	case pmid != nil:
		return "If this is the PMID of an article, call fetchArticleDetails with " + tool.Object("pmids", pmidOf(pmid[1])) + thenTrial + " For words use search_trials."
	case doi != nil:
		return "This is the DOI of an article: call searchPubMedArticles with " + tool.Object("queryTerm", `"`+doi[1]+`"[doi]`) +
			", then fetchArticleDetails with the PMID of a result" + thenTrial
	case geneID.MatchString(text):
		return "This is the id of a gene: call get_gene with " + tool.Object("entrez_id", text) + ", then search_trials with its symbol as query."
	}
	return ""
}

func digits(text string) (count int) {
	for _, r := range text {
		if r >= '0' && r <= '9' {
			count++
		}
	}
	return count
}

// notFound is the answer to a well-formed id without a record.
func notFound(tool, id string) *entity.Error {
	return &entity.Error{
		Code:    entity.EntityNotFound,
		Message: "ClinicalTrials.gov has no trial " + curie(id) + ".",
		Hint: "Check the digits of the id at its source. To find the trial by words of its title or condition, " +
			`call search_trials, such as with {"query":"montelukast asthma"}, then ` + tool + " with the id of a result.",
		Input: curie(id),
	}
}

// curie writes NCT00461032 as NCT:00461032.
func curie(id string) string {
	return "NCT:" + strings.TrimPrefix(strings.TrimPrefix(id, "NCT"), ":")
}

// onlyIDs returns the NCT ids of a text that is nothing but NCT ids, as the
// registry writes them, and those among them whose zeros were missing.
// Upstream takes such a text for a lookup and silently drops every filter.
func onlyIDs(text string) (ids, padded []string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n,;|", r) }) {
		if strings.EqualFold(word, "NCT00000000") || strings.EqualFold(word, "NCT:00000000") {
			ids = append(ids, nowhere)
			continue
		}
		m := looseNCT.FindStringSubmatch(word)
		if m == nil {
			return nil, nil
		}
		id := "NCT" + strings.Repeat("0", 8-len(m[1])) + m[1]
		if !strictNCT.MatchString(word) {
			padded = append(padded, word)
		}
		ids = append(ids, id)
	}
	return ids, padded
}

// nowhere is well-formed and the id of no trial; upstream refuses a whole
// batch that holds it.
const nowhere = "NCT00000000"
