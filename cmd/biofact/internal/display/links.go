package display

import (
	"slices"

	"github.com/biofact-mcp/biofact/internal/id"
)

// Links returns the web pages of the records in an answer at their registries, without duplicates. The answer is a list or one record.
func (a Answer) Links() []string {
	answer := a.envelope
	if link := id.Link(answer.Text("id")); link != "" {
		return []string{link} // of the record, which has lists of other records
	}
	var found []string
	add := func(curie string) {
		if link := id.Link(curie); link != "" && !slices.Contains(found, link) {
			found = append(found, link)
		}
	}
	for _, m := range answer {
		list, ok := m.Value.([]any)
		if !ok || m.Name == "requestedPmids" || m.Name == "notFoundPmids" {
			continue
		}
		ids := m.Name == "pmids" || m.Name == "sourcePmids"
		for _, item := range list {
			for _, curie := range named(item, ids) {
				add(curie)
			}
		}
	}
	if len(found) > 0 {
		return found
	}
	add(answer.Text("sourcePmid"))
	missing, _ := answer.Get("notFoundPmids").([]any)
	requested, _ := answer.Get("requestedPmids").([]any)
	for _, pmid := range requested {
		if text, ok := pmid.(string); ok && !slices.Contains(missing, pmid) {
			add(text)
		}
	}
	return found
}

// TrialLink returns the web page of a trial by an id as get_trial_locations accepts it, because the answer of that tool does not
// contain the id. It returns "" for any other text.
func TrialLink(text string) string {
	if nct, ok := id.NCT.Read(text); ok {
		return id.NCT.URL(nct)
	}
	return ""
}

// named returns the ids in an item of a list, or the item itself if the list has ids as items.
func named(item any, ids bool) []string {
	switch item := item.(type) {
	case object:
		return []string{item.Text("id"), item.Text("pmid")}
	case string:
		if ids {
			return []string{item}
		}
	}
	return nil
}
