package trials

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

var (
	// criteriaHeading matches a line that is only a heading. Words for groups of people, such as "patient" and "donor", are not part of it,
	// because a text may have criteria for several groups.
	criteriaHeading = lazyregexp.New(`(?i)^\s*(?:[*•-]\s+|(?:[0-9]{1,2}|[ivx]{1,4})[.)]\s+)?` +
		`(?:(?:list of|key|main|major|general|select(?:ed)?|subjects?|study)\s+)*(in|ex)clusion(?:\s+criteria)?\s*[:：.]?\s*$`)
	// maybeHeading matches a line that may be a heading, alone or with other text.
	maybeHeading = lazyregexp.New(`(?i)(non-)?(in|ex)clusion\s+criteria\s*[:：]|^\W*(?:[\w-]+\W+){0,4}?(non-)?(in|ex)clusion(?:\s+criteria)?\b[^.]{0,60}[:：]\s*$`)
	listItem     = lazyregexp.New(`^\s*(?:[*•·–-]|\(?(?:[0-9]{1,2}|[a-zA-Z]|[ivx]{1,4})[.)])\s`)
	bullet       = lazyregexp.New(`^[*•·–-]\s+`)
)

// splitCriteria returns the inclusion and the exclusion criteria of a text that begins with the heading of the inclusion criteria and has
// the heading of the exclusion criteria exactly once. If other lines may be headings too, it returns nil.
func splitCriteria(text string) (inclusion, exclusion []string) {
	lines := strings.Split(text, "\n")
	second := 0
	for i, line := range lines {
		switch kind := headingAlone(line); {
		case i == 0 && kind == "in", i > 0 && kind == "":
		case i > 0 && second == 0 && kind == "ex":
			second = i
		default:
			return nil, nil
		}
	}
	if second == 0 {
		return nil, nil
	}
	first, rest := lines[1:second], lines[second+1:]
	if slices.ContainsFunc(first, headingOf("ex")) || slices.ContainsFunc(rest, headingOf("in")) {
		return nil, nil
	}
	inclusion, exclusion = criteria(first), criteria(rest)
	if len(inclusion) == 0 || len(exclusion) == 0 {
		return nil, nil
	}
	return inclusion, exclusion
}

// headingAlone returns "in" or "ex" for a line that is only the heading of inclusion or exclusion criteria, else "".
func headingAlone(line string) string {
	if !namesCriteria(line) {
		return ""
	}
	if m := criteriaHeading.FindStringSubmatch(line); m != nil {
		return strings.ToLower(m[1])
	}
	return ""
}

// namesCriteria reports whether a line may have the word inclusion or exclusion, as headings have. It takes much less time than the
// regular expressions.
func namesCriteria(line string) bool { return strings.Contains(strings.ToLower(line), "clusion") }

// headingOf returns a function that reports whether a line may be a heading of inclusion ("in") or exclusion ("ex") criteria.
// "Non-inclusion" counts as exclusion.
func headingOf(kind string) func(line string) bool {
	return func(line string) bool {
		if !namesCriteria(line) {
			return false
		}
		m := maybeHeading.FindStringSubmatch(line)
		if m == nil {
			return false
		}
		found := strings.ToLower(m[2] + m[4])
		return found == kind || m[1]+m[3] != ""
	}
}

// criteria returns the items and paragraphs of a list. Deeper lines belong to the item above them.
func criteria(lines []string) []string {
	var items, item []string // item has the lines of the last one
	finish := func() {
		if item != nil {
			items = append(items, strings.Join(item, "\n"))
		}
	}
	level, blank := 0, true
	for _, line := range lines {
		line = strings.TrimRight(line, " \t")
		if line == "" {
			blank = true
			continue
		}
		text := strings.TrimLeft(line, " \t")
		indent := len(line) - len(text)
		switch starts := blank || listItem.MatchString(line); {
		case item == nil || starts && indent <= level:
			finish()
			item, level = []string{bullet.ReplaceAllString(text, "")}, indent
		default:
			item = append(item, line[min(level, indent):])
		}
		blank = false
	}
	finish()
	return items
}
