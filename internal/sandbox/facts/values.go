package facts

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// The values of a study that are more than a word. In the facts file most of them
// are one line with columns between " | ", so that a list of sites reads like a table.
type (
	agency    struct{ name, class string }
	item      struct{ kind, name string } // an intervention
	mesh      struct{ id, term string }
	secondary struct{ id, kind, domain string }
	reference struct{ pmid, kind string }
	outcome   struct{ measure, timeFrame, description string }
	flow      struct{ title, started, completed string }
	day       struct{ date, kind string }
	ages      struct{ minimum, maximum string }
	arm       struct {
		kind, label   string
		interventions []int // counted from 1, as the lines of the facts file
	}
	headcount struct {
		count *int
		kind  string
	}
	site struct {
		facility, city, state, zip, country, status string
		contacts                                    []string
	}
)

// text reads a line or a paragraph. Null and empty text are refused, because a
// record of the upstream has neither.
func text(node *yaml.Node) (string, error) {
	if node.Kind != yaml.ScalarNode || node.Tag == "!!null" || strings.TrimSpace(node.Value) == "" {
		return "", at(node.Line, "a text is expected here")
	}
	return strings.TrimSpace(node.Value), nil
}

// word reads one word of a closed list.
func word(known []string) func(*yaml.Node) (string, error) {
	return func(node *yaml.Node) (string, error) {
		value, err := text(node)
		if err == nil {
			err = oneOf(node, known, value)
		}
		return value, err
	}
}

func oneOf(node *yaml.Node, known []string, value string) error {
	if !slices.Contains(known, value) {
		return at(node.Line, "%q is not one of %s", value, strings.Join(known, ", "))
	}
	return nil
}

// flag reads true or false; the pointer tells false from absent.
func flag(node *yaml.Node) (*bool, error) {
	if node.Kind != yaml.ScalarNode || node.Value != "true" && node.Value != "false" {
		return nil, at(node.Line, "true or false is expected here")
	}
	value := node.Value == "true"
	return &value, nil
}

func isTrue(value *bool) bool { return value != nil && *value }

// columns splits a line at its bars and checks how many columns it has.
func columns(node *yaml.Node, fewest, most int) ([]string, error) {
	line, err := text(node)
	if err != nil {
		return nil, err
	}
	parts := strings.Split(line, "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	if len(parts) < fewest || len(parts) > most {
		return nil, at(node.Line, "%d to %d columns between bars are expected here, not %d", fewest, most, len(parts))
	}
	for i := range fewest {
		if parts[i] == "" {
			return nil, at(node.Line, "column %d is empty", i+1)
		}
	}
	return append(parts, make([]string, most-len(parts))...), nil
}

func parseAgency(node *yaml.Node) (agency, error) {
	c, err := columns(node, 2, 2)
	if err != nil {
		return agency{}, err
	}
	return agency{c[0], c[1]}, oneOf(node, agencyClasses, c[1])
}

func parseItem(node *yaml.Node) (item, error) {
	c, err := columns(node, 2, 2)
	if err != nil {
		return item{}, err
	}
	return item{c[0], c[1]}, oneOf(node, interventionTypes, c[0])
}

// parseArm reads type | label | the numbers of its interventions in their list.
// The arms of observational studies have no type.
func parseArm(node *yaml.Node) (arm, error) {
	c, err := columns(node, 0, 3)
	if err != nil {
		return arm{}, err
	}
	a := arm{kind: c[0], label: c[1]}
	if a.label == "" {
		return arm{}, at(node.Line, "an arm needs a label in its second column")
	}
	for _, digits := range strings.Fields(c[2]) {
		n, err := strconv.Atoi(digits)
		if err != nil {
			return arm{}, at(node.Line, "%q is not the number of an intervention", digits)
		}
		a.interventions = append(a.interventions, n)
	}
	if a.kind == "" {
		return a, nil
	}
	return a, oneOf(node, armTypes, a.kind)
}

var meshID = regexp.MustCompile(`^[CD]\d{6,9}$`)

func parseMesh(node *yaml.Node) (mesh, error) {
	c, err := columns(node, 2, 2)
	if err == nil && !meshID.MatchString(c[0]) {
		err = at(node.Line, "%q is not a MeSH id", c[0])
	}
	if err != nil {
		return mesh{}, err
	}
	return mesh{c[0], c[1]}, nil
}

func parseSecondary(node *yaml.Node) (secondary, error) {
	c, err := columns(node, 1, 3)
	if err == nil && c[1] != "" {
		err = oneOf(node, secondaryIDTypes, c[1])
	}
	if err != nil {
		return secondary{}, err
	}
	return secondary{c[0], c[1], c[2]}, nil
}

var pubmedID = regexp.MustCompile(`^[1-9]\d{0,7}$`)

func parseReference(node *yaml.Node) (reference, error) {
	c, err := columns(node, 1, 2)
	if err == nil && !pubmedID.MatchString(c[0]) {
		err = at(node.Line, "%q is not a PMID", c[0])
	}
	if err == nil && c[1] != "" {
		err = oneOf(node, referenceTypes, c[1])
	}
	if err != nil {
		return reference{}, err
	}
	return reference{c[0], c[1]}, nil
}

func parseOutcome(node *yaml.Node) (outcome, error) {
	c, err := columns(node, 1, 3)
	if err != nil {
		return outcome{}, err
	}
	return outcome{c[0], c[1], c[2]}, nil
}

func parseFlow(node *yaml.Node) (flow, error) {
	c, err := columns(node, 2, 3)
	if err != nil {
		return flow{}, err
	}
	for _, count := range c[1:] {
		if _, err := strconv.Atoi(count); err != nil && count != "" {
			return flow{}, at(node.Line, "%q is not a count", count)
		}
	}
	return flow{c[0], c[1], c[2]}, nil
}

// parseSite reads facility | city | state | zip | country | status | contacts.
// Only the country is certain: the registry has sites without any of the others.
func parseSite(node *yaml.Node) (site, error) {
	c, err := columns(node, 0, 7)
	if err != nil {
		return site{}, err
	}
	s := site{c[0], c[1], c[2], c[3], c[4], c[5], strings.Fields(c[6])}
	if s.country == "" {
		return site{}, at(node.Line, "a site needs a country in its fifth column")
	}
	if s.status != "" {
		if err := oneOf(node, siteStatuses, s.status); err != nil {
			return site{}, err
		}
	}
	return s, contactWords(node, s.contacts)
}

func parseContacts(node *yaml.Node) ([]string, error) {
	line, err := text(node)
	if err != nil {
		return nil, err
	}
	return strings.Fields(line), contactWords(node, strings.Fields(line))
}

func contactWords(node *yaml.Node, words []string) error {
	for _, w := range words {
		if err := oneOf(node, contactKinds, w); err != nil {
			return err
		}
	}
	return nil
}

// date reads a calendar date of the form that the pattern allows.
func date(pattern string) func(*yaml.Node) (string, error) {
	form := matching(pattern, "a date of this kind")
	return func(node *yaml.Node) (string, error) {
		value, err := form(node)
		if err == nil && !onCalendar(value) {
			err = at(node.Line, "%q is not on the calendar", value)
		}
		return value, err
	}
}

func onCalendar(value string) bool {
	_, err := time.Parse("2006-01-02"[:min(len(value), 10)], value)
	return err == nil
}

var dayForm = regexp.MustCompile(`^(\d{4}(?:-\d{2}){0,2})(?: (actual|estimated))?$`)

// parseDay reads a date, whole or partial, and the word that says how sure it is.
// The registry has dates without that word, mostly old ones.
func parseDay(node *yaml.Node) (day, error) {
	value, err := text(node)
	if err != nil {
		return day{}, err
	}
	parts := dayForm.FindStringSubmatch(value)
	if parts == nil || !onCalendar(parts[1]) {
		return day{}, at(node.Line, "%q is not a date, with or without the word actual or estimated", value)
	}
	return day{parts[1], strings.ToUpper(parts[2])}, nil
}

var (
	age      = `\d+ (?:Year|Month|Week|Day|Hour|Minute)s?`
	ageForms = []*regexp.Regexp{
		regexp.MustCompile(`^(` + age + `) to (` + age + `)$`),
		regexp.MustCompile(`^(` + age + `) and (older)$`),
		regexp.MustCompile(`^(up) to (` + age + `)$`),
	}
)

func parseAges(node *yaml.Node) (ages, error) {
	value, err := text(node)
	if err != nil {
		return ages{}, err
	}
	for _, form := range ageForms {
		parts := form.FindStringSubmatch(value)
		switch {
		case parts == nil:
		case parts[1] == "up":
			return ages{maximum: parts[2]}, nil
		case parts[2] == "older":
			return ages{minimum: parts[1]}, nil
		default:
			return ages{parts[1], parts[2]}, nil
		}
	}
	return ages{}, at(node.Line, "%q is not like 6 Years to 14 Years, 18 Years and older, up to 17 Years", value)
}

func parseHeadcount(node *yaml.Node) (headcount, error) {
	var h headcount
	known := keys{"count": one(&h.count, number), "type": one(&h.kind, word(dateTypes))}
	if err := known.decode(node); err != nil {
		return headcount{}, err
	}
	if h.count == nil {
		return headcount{}, at(node.Line, "enrollment needs a count")
	}
	return h, nil
}

func number(node *yaml.Node) (*int, error) {
	value, err := strconv.Atoi(node.Value)
	if err != nil || value < 0 {
		return nil, at(node.Line, "%q is not a count", node.Value)
	}
	return &value, nil
}
