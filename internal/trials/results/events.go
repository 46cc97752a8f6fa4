package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// eventSeparator splits a list of events, any of which may match.
var eventSeparator = lazyregexp.New(`(?i)[,;|]|\s+or\s+`)

// eventParts splits a text into events that could also be parts of one term.
var eventParts = lazyregexp.New(`(?i)[,;|/&+]|\s+(?:or|and)\s+`)

// chooseEvents returns the events that the arguments select.
func (c *Call) chooseEvents(a *entity.AdverseEventResults) []entity.AdverseEvent {
	if len(a.Events) == 0 {
		c.Notes.Add("The record lists no adverse event terms. The numbers of the groups say how many participants had any.")
		return nil
	}
	named, unrated := c.namedEvents(a.Events), 0
	var chosen []entity.AdverseEvent
	for i := range named {
		e := &named[i]
		if c.Serious != nil && *c.Serious != e.Serious {
			continue
		}
		rate, known := highestRate(e, 0)
		if c.MinPercent > 0 && !known {
			unrated++
		}
		if rate >= float64(c.MinPercent) {
			chosen = append(chosen, *e)
		}
	}
	if unrated > 0 {
		c.Notes.Add(fmt.Sprintf("min_percent: %d events without a rate in any group were left out.", unrated))
	}
	if chosen == nil {
		c.Notes.Add(c.noEvents(a, named))
	}
	return chosen
}

// eventText returns the requested events as one text for a message.
func (c *Call) eventText() string { return strings.Join(c.Event, ", ") }

// UnknownEvents returns the requested events that the record does not have by the same words.
func (c *Call) UnknownEvents(r *entity.TrialResults) []string {
	if r.AdverseEvents == nil || c.Section != adverseEvents && c.Section != arms {
		return nil
	}
	_, missing := eventsOf(r.AdverseEvents.Events, c.eventTexts(r.AdverseEvents.Events), nil)
	return missing
}

// eventTexts returns the items of the argument event, each of which may be a list.
func (c *Call) eventTexts(all []entity.AdverseEvent) (texts []string) {
	for _, text := range c.Event {
		parts := eventSeparator.Split(text, -1)
		if slices.ContainsFunc(all, func(e entity.AdverseEvent) bool { return slices.Equal(words(e.OrganSystem), words(text)) }) {
			parts = []string{text} // an organ system may have a comma
		}
		texts = append(texts, parts...)
	}
	return texts
}

// namedEvents returns the events that have all words of one item of the argument event, or of one of its names in MeSH. If no event does,
// it splits the items into parts and returns the events that have all words of one part.
func (c *Call) namedEvents(all []entity.AdverseEvent) []entity.AdverseEvent {
	if len(words(c.eventText())) == 0 {
		return all
	}
	lists := [][]string{c.eventTexts(all), nil}
	for _, text := range c.Event {
		lists[1] = append(lists[1], eventParts.Split(text, -1)...)
	}
	for i, list := range lists {
		found, missing := eventsOf(all, list, c.Names)
		if found == nil {
			continue
		}
		if i > 0 {
			c.Notes.Add(fmt.Sprintf("event: no event has all words of %q; these have a part of it.", entity.Cut(c.eventText(), 100)))
		}
		for _, text := range list {
			text = strings.TrimSpace(text)
			if term := c.Names[text]; term != nil && !slices.Contains(missing, text) {
				c.Notes.Add(fmt.Sprintf("event: no term or organ system has %q; events with another name of the MeSH term %s are shown.",
					entity.Cut(text, 100), term.Terms[0]))
			}
		}
		for _, part := range missing {
			c.Notes.Add(fmt.Sprintf("event: no term or organ system has %q.%s", entity.Cut(part, 100), didYouMean(all, words(part))))
		}
		return found
	}
	return nil
}

// eventsOf returns the events that have all words of one of the texts or of one of its names, and the texts that match no event.
func eventsOf(
	all []entity.AdverseEvent, texts []string, names map[string]*entrez.MeshSummary,
) (found []entity.AdverseEvent, missing []string) {
	hit := make([]bool, len(all))
	for _, text := range texts {
		text = strings.TrimSpace(text)
		queries, known := [][]string{words(text)}, false
		if len(queries[0]) == 0 {
			continue
		}
		if term := names[text]; term != nil {
			for _, name := range term.Terms {
				queries = append(queries, words(name))
			}
		}
		for i := range all {
			recorded := all[i].Term + " " + all[i].OrganSystem
			if slices.ContainsFunc(queries, func(query []string) bool { return hasWords(recorded, query) }) {
				hit[i], known = true, true
			}
		}
		if !known {
			missing = append(missing, text)
		}
	}
	for i := range all {
		if hit[i] {
			found = append(found, all[i])
		}
	}
	return found, missing
}

// didYouMean returns a question with the terms that have similar words; "" if no term does.
func didYouMean(all []entity.AdverseEvent, query []string) string {
	type near struct {
		term  string
		score int
	}
	var terms []near
	for i := range all {
		score := 0
		for _, w := range query {
			score += nearness(w, words(all[i].Term))
		}
		if score > 0 {
			terms = append(terms, near{all[i].Term, score})
		}
	}
	slices.SortStableFunc(terms, func(a, b near) int { return cmp.Compare(b.score, a.score) })
	var names []string
	for _, t := range terms {
		if 2*t.score > terms[0].score {
			names = append(names, t.term)
		}
	}
	if names = entity.Once(names); names == nil {
		return ""
	}
	return " Did you mean " + strings.Join(names[:min(len(names), 8)], "; ") + "?"
}

// nearness returns how similar a word is to a word of a term, from 0 (not similar) to 4 (equal). One letter in four may differ.
func nearness(query string, term []string) int {
	if len(query) < 4 {
		return 0
	}
	best := 0
	for _, word := range term {
		if d := entity.Distance(query, word); d <= min(3, len(query)/4) {
			best = max(best, 4-d)
		}
	}
	return best
}

// noEvents says which events the record has when none was selected. named are the events that match the argument event.
func (c *Call) noEvents(a *entity.AdverseEventResults, named []entity.AdverseEvent) string {
	if len(named) > 0 {
		return c.filteredEvents(named)
	}
	var systems []string
	serious := 0
	for i := range a.Events {
		systems = append(systems, a.Events[i].OrganSystem)
		if a.Events[i].Serious {
			serious++
		}
	}
	systems = slices.DeleteFunc(entity.Once(systems), func(s string) bool { return s == "" })
	text := fmt.Sprintf("No adverse event has %q in its term or organ system. The record lists %d serious and %d other events",
		entity.Cut(c.eventText(), 100), serious, len(a.Events)-serious)
	if strings.Trim(a.FrequencyThreshold, "0. %") != "" {
		text += ", the others only above " + a.FrequencyThreshold + " %"
	}
	if near := didYouMean(a.Events, words(c.eventText())); near != "" {
		return text + "." + near
	}
	return text + "; organ systems: " + strings.Join(systems, "; ") + "."
}

// filteredEvents says which of the named events the arguments serious and min_percent exclude.
func (c *Call) filteredEvents(named []entity.AdverseEvent) string {
	kind, left := "", named
	if c.Serious != nil {
		kind = "other "
		if *c.Serious {
			kind = "serious "
		}
		left = slices.DeleteFunc(slices.Clone(named), func(e entity.AdverseEvent) bool { return e.Serious != *c.Serious })
	}
	of := ""
	if len(c.Event) > 0 {
		of = fmt.Sprintf(" with %q", entity.Cut(c.eventText(), 100))
	}
	if len(left) == 0 {
		instead := "serious"
		if kind == "serious " {
			instead = "other"
		}
		return fmt.Sprintf("The record lists no %sadverse event%s, but %d %s: leave out serious for both.", kind, of, len(named), instead)
	}
	top, shown := highestEvent(left)
	if top == nil {
		return fmt.Sprintf("Of the %d %sadverse events%s none has a rate: leave out min_percent.", len(left), kind, of)
	}
	if len(left) == 1 {
		return fmt.Sprintf("The only %sadverse event%s, %s, does not reach %d %% in any group; its highest rate is %v %%.", kind, of,
			top.Term, c.MinPercent, shown)
	}
	return fmt.Sprintf("Of the %d %sadverse events%s none reaches %d %% in any group; the highest rate is %v %% (%s).",
		len(left), kind, of, c.MinPercent, shown, top.Term)
}

// highestEvent returns the event with the highest rate, and the rate as its cell shows it; nil if no event has a rate.
func highestEvent(events []entity.AdverseEvent) (top *entity.AdverseEvent, shown float64) {
	highest := -1.0
	for i := range events {
		if rate, known := highestRate(&events[i], 0); known && rate > highest {
			highest, top = rate, &events[i]
		}
	}
	if top == nil {
		return nil, 0
	}
	for _, cell := range top.Cells {
		if cell.PercentComputed != nil {
			shown = max(shown, *cell.PercentComputed)
		}
	}
	return top, shown
}

// highestRate returns the highest percentage in the first groups of a table (0: all groups), not rounded. known is false if no group has a
// rate.
func highestRate(e *entity.AdverseEvent, groups int) (rate float64, known bool) {
	for _, cell := range e.Cells {
		if cell.PercentComputed == nil || groups > 0 && cell.Group > groups {
			continue
		}
		known = true
		rate = max(rate, 100*float64(*cell.Affected)/float64(*cell.AtRisk))
	}
	return rate, known
}
