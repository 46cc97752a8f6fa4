package display

import (
	"slices"

	"github.com/biofact-mcp/biofact/internal/id"
)

// Links are the pages of the records that an answer is of, at their registries:
// those of a list, or that of the one record. Each stands once.
func (a Answer) Links() []string {
	answer := a.envelope
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
		ids := m.name == "pmids" || m.name == "sourcePmids"
		for _, item := range list {
			for _, curie := range named(item, ids) {
				add(curie)
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

// named returns the ids that an item of a list has, or the item where the list is
// one of ids.
func named(item any, ids bool) []string {
	switch item := item.(type) {
	case object:
		return []string{item.text("id"), item.text("pmid")}
	case string:
		if ids {
			return []string{item}
		}
	}
	return nil
}
