package display

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// Links are the pages of the records that an answer is of, at their registries:
// those of a list, or that of the one record. Each stands once.
func (a Answer) Links() []string {
	answer := a.whole
	var found []string
	add := func(id string) {
		if link := link(id); link != "" && !slices.Contains(found, link) {
			found = append(found, link)
		}
	}
	for _, m := range answer {
		list, ok := m.value.([]any)
		if !ok || m.name == "requestedPmids" || m.name == "notFoundPmids" {
			continue
		}
		for _, item := range list {
			switch item := item.(type) {
			case object:
				add(item.text("id"))
				add(item.text("pmid"))
			case string:
				if m.name == "pmids" {
					add(item)
				}
			}
		}
	}
	if len(found) > 0 {
		return found
	}
	add(answer.text("id"))
	add(answer.text("sourcePmid"))
	missing, _ := answer.get("notFoundPmids").([]any)
	requested, _ := answer.get("requestedPmids").([]any)
	for _, pmid := range requested {
		if text, ok := pmid.(string); ok && !slices.Contains(missing, pmid) {
			add(text)
		}
	}
	return found
}

// nctID is one as get_trial_locations takes it.
var nctID = lazyregexp.New(`(?i)^NCT:?([0-9]{8})$`)

// TrialLink is the page of a trial by its id as get_trial_locations takes it, in
// whose answer it does not stand; "": it is none.
func TrialLink(id string) string {
	parts := nctID.FindStringSubmatch(strings.TrimSpace(id))
	if parts == nil {
		return ""
	}
	return link("NCT:" + parts[1])
}

// link is the page of a record, or "" for what is no id. PMIDs are bare digits.
func link(id string) string {
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	if nct, ok := strings.CutPrefix(id, "NCT:"); ok && digits(nct) {
		return "https://clinicaltrials.gov/study/NCT" + nct
	}
	if gene, ok := strings.CutPrefix(id, "NCBIGene:"); ok && digits(gene) {
		return "https://www.ncbi.nlm.nih.gov/gene/" + gene
	}
	if digits(id) {
		return "https://pubmed.ncbi.nlm.nih.gov/" + id + "/"
	}
	return ""
}
