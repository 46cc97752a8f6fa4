package criteria

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

var (
	// criteriaHeading matches a line that is only a heading. Words for groups of people, such as "patient" and "donor", are not part of it,
	// because a text may have criteria for several groups.
	criteriaHeading = pattern(`(?i)^\s*(?:[*•-]\s+|(?:[0-9]{1,2}|[ivx]{1,4})[.)]\s+)?` +
		`(?:(?:list of|key|main|major|general|select(?:ed)?|subjects?|study)\s+)*((?:non-)?in|ex)clusion(?:\s+criteria)?\s*[:：.]?\s*$`)
	// maybeHeading matches a line that may be a heading, alone or with other text.
	maybeHeading = pattern(`(?i)(non-)?(in|ex)clusion\s+criteria\s*[:：]|` +
		`^\W*(?:[\w-]+\W+){0,4}?(non-)?(in|ex)clusion(?:\s+criteria)?\b[^.]{0,60}[:：]\s*$`)
	listItem = pattern(`^\s*(?:[*•·–-]|\(?(?:[0-9]{1,2}|[a-zA-Z]|[ivx]{1,4})[.)])\s`)
	bullet   = pattern(`^[*•·–-]\s+`)
)

// pattern returns a function that compiles an expression at its first call.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// A section is the part of a text below one heading. Titles are the lines above the heading that name its group.
type section struct {
	list          List
	titles, lines []string
	start         int // line of the text
}

// Split returns the inclusion and the exclusion criteria of a text with headings of both. Lines before the first heading are in the list
// below it, and so is the title of a group in the list of the group. If other lines may be headings too, it returns nil.
func Split(text string) (inclusion, exclusion []string) {
	for _, s := range sections(strings.Split(text, "\n")) {
		items := append(criteria(s.titles), criteria(s.lines)...)
		if s.list == Inclusion {
			inclusion = append(inclusion, items...)
		} else {
			exclusion = append(exclusion, items...)
		}
	}
	return inclusion, exclusion
}

// Items returns the items of a text without headings.
func Items(text string) []string { return criteria(strings.Split(text, "\n")) }

// sections returns the sections of a text, or nil if its headings are not clear: one kind has no criteria below it, or another line may be
// a heading.
func sections(lines []string) (all []section) {
	var before []string
	for i, line := range lines {
		kind := headingAlone(line)
		switch {
		case kind == "" && len(all) == 0:
			before = append(before, line)
		case kind == "":
			last := &all[len(all)-1]
			last.lines = append(last.lines, line)
		default:
			s := section{list: kind, start: i + 1}
			if len(all) == 0 {
				s.titles = before
			} else if slices.ContainsFunc(all, func(o section) bool { return o.list == kind }) {
				s.titles = all[len(all)-1].takeTitle()
			}
			all = append(all, s)
		}
	}
	if slices.ContainsFunc(before, func(l string) bool { return headingOf("in")(l) || headingOf("ex")(l) }) || !clear(all) {
		return nil
	}
	return all
}

// clear reports whether sections have criteria in both lists, and no other line that may be a heading.
func clear(all []section) bool {
	has := map[List]bool{}
	for _, s := range all {
		other := map[List]string{Inclusion: "ex", Exclusion: "in"}[s.list]
		if slices.ContainsFunc(s.lines, headingOf(other)) || len(all) > 2 && slices.ContainsFunc(s.lines, headingOf(string(s.list[:2]))) {
			return false
		}
		nonEmpty := func(l string) bool { return strings.TrimSpace(l) != "" }
		has[s.list] = has[s.list] || slices.ContainsFunc(s.lines, nonEmpty)
	}
	return has[Inclusion] && has[Exclusion]
}

// takeTitle removes the last line of a section if it may be the title of the next group: a short paragraph that is not an item.
func (s *section) takeTitle() []string {
	i := len(s.lines) - 1
	for i >= 0 && strings.TrimSpace(s.lines[i]) == "" {
		i--
	}
	if i < 1 || strings.TrimSpace(s.lines[i-1]) != "" || len(s.lines[i]) > 80 {
		return nil
	}
	if s.lines[i][0] == ' ' || listItem().MatchString(s.lines[i]) {
		return nil
	}
	title := s.lines[i:]
	s.lines = s.lines[:i:i]
	return title
}

// headingAlone returns the list of a line that is only the heading of inclusion or exclusion criteria, else "".
func headingAlone(line string) List {
	if !namesCriteria(line) {
		return ""
	}
	switch m := criteriaHeading().FindStringSubmatch(line); {
	case m == nil:
		return ""
	case strings.EqualFold(m[1], "in"):
		return Inclusion
	}
	return Exclusion
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
		m := maybeHeading().FindStringSubmatch(line)
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
		switch starts := blank || listItem().MatchString(line); {
		case item == nil || starts && indent <= level:
			finish()
			item, level = []string{bullet().ReplaceAllString(text, "")}, indent
		default:
			item = append(item, line[min(level, indent):])
		}
		blank = false
	}
	finish()
	return items
}

// TrimBullet returns a line without the bullet that it begins with.
func TrimBullet(line string) string { return bullet().ReplaceAllString(line, "") }

// A List is the list of a line.
type List string

// The lists of criteria. Unclear are all lines of a text without clear headings.
const (
	Inclusion List = "inclusion"
	Exclusion List = "exclusion"
	Unclear   List = "unclear"
)
