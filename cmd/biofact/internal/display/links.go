package display

import (
	"slices"

	"github.com/biofact-mcp/biofact/internal/id"
)

// Links are the pages of the records that an answer is of, at their registries:
// those of a list, or that of the one record. Each stands once.
func (a Answer) Links() []string {
	answer := a.whole
	var found []string
	add := func(curie string) {
		if link := id.Link(curie); link != "" && !slices.Contains(found, link) {
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
				if m.name == "pmids" || m.name == "sourcePmids" {
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

// TrialLink is the page of a trial by its id as get_trial_locations takes it, in
// whose answer it does not stand; "": it is none.
func TrialLink(text string) string {
	if nct, ok := id.NCT.Read(text); ok {
		return id.NCT.URL(nct)
	}
	return ""
}
