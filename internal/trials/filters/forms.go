package filters

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// ageGroups has the age groups of the registry, with patterns of the words that mean them.
var ageGroups = []struct {
	words *lazyregexp.Regexp
	group string
}{
	{lazyregexp.New(`(?i)\b(?:newborns?|neonat(?:es?|al)|infants?|bab(?:y|ies)|toddlers?|child(?:ren)?|kids?|p(?:a?e)diatrics?|teen(?:ager)?s?|adolescents?)\b`), "CHILD"},
	{lazyregexp.New(`(?i)\b(?:elderly|seniors?|geriatric|old(?:er)? (?:adults?|people))\b`), "OLDER_ADULT"},
	{lazyregexp.New(`(?i)\badults?\b`), "ADULT"},
}

var (
	firstNumber    = lazyregexp.New(`[1-9][0-9]{0,2}`) // in an age such as 65+
	monthsOnly     = lazyregexp.New(`^(?i)([0-9]{1,4})\s*m$`)
	yearsAndMonths = lazyregexp.New(`^(?i)([0-9]{1,3})\s*(?:y|yrs?|years?)[\s,]*(?:and\s+)?([0-9]{1,2})\s*(?:m|mos?|months?)$`)
)

// ageError returns the error for a text that is not an age. counts reports whether the called tool counts age groups.
func ageError(args tools.TrialFilters, counts bool, err error) error {
	text := strings.TrimSpace(args.Age)
	forms := "An age is a whole number of years, or of another unit: 58, 6 months, 10 days. It is that of one person."
	e := valueForm{"age", forms, nil}.unreadable(text, err)
	example := ""
	if numbers := firstNumber.FindAllString(text, 2); len(numbers) == 1 && !startsWithSign(text) { // else more than one age, or none
		example = numbers[0]
	}
	if m := monthsOnly.FindStringSubmatch(text); m != nil {
		example = m[1] + " months"
	} else if m := yearsAndMonths.FindStringSubmatch(text); m != nil {
		years, _ := strconv.Atoi(m[1])
		months, _ := strconv.Atoi(m[2])
		example = strconv.Itoa(12*years+months) + " months"
	}
	if _, wrong := ranges.ReadAge(example); wrong == nil {
		e.hint = forms + " Call " + TheTool + " again with " + tool.Object("age", example) + "."
		return e
	}
	for _, g := range ageGroups {
		if !g.words.MatchString(text) {
			continue
		}
		group := query.Has("StdAge", g.group)
		if args.Expression != "" {
			group = query.AllOf(query.Source(args.Expression), group)
		}
		e.hint = forms + " For trials of an age group call " + TheTool + ` again with {"age":null,"expression":` +
			strconv.Quote(group.String()) + `}.`
		if counts {
			e.hint += " by age_group counts the trials of each group."
		}
		return e
	}
	return e
}

var eitherMonth = lazyregexp.New(`^\s*([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})\s*$`)

// likelyDates returns the ranges that an unreadable text may mean: a range with its ends swapped, or both readings of a day. It returns
// nothing for any other text.
func likelyDates(text string) (likely []string) {
	readings := []string{ranges.Swapped(text, time.Now())}
	if m := eitherMonth.FindStringSubmatch(text); m != nil {
		readings = []string{m[3] + "-" + m[1] + "-" + m[2], m[3] + "-" + m[2] + "-" + m[1]}
	}
	for _, reading := range readings {
		if _, err := ranges.ReadDates(reading, time.Now()); err == nil {
			likely = append(likely, reading)
		}
	}
	return likely
}

var (
	fieldValue  = lazyregexp.New(`^([A-Za-z_]+)\s*[:=]+\s*("[^"]+"|[^\s"]+)$`)
	joinedPairs = lazyregexp.New(`\s+(?:AND|and)\s+|\s*[,;&]+\s*`)
)

// expressionError returns the error for an expression that the registry cannot read, or that has the syntax of another search language,
// which the registry would read as words.
func expressionError(args tools.TrialFilters) error {
	form := valueForm{"expression", "An expression is written with the pieces of a record: AREA[Piece]value. " +
		"For plain words use query.", nil}
	if err := query.CheckExpression(args.Expression); err != nil {
		return form.unreadable(args.Expression, err)
	}
	foreign := errors.New(envelope.Quoted(args.Expression) + " is not in the registry's syntax, which is AREA[Field]value")
	call := map[string]any{"expression": nil}
	for _, part := range joinedPairs.Split(strings.TrimSpace(args.Expression), -1) {
		m := fieldValue.FindStringSubmatch(part)
		if m == nil {
			return nil
		}
		i := slices.IndexFunc(args.Names(), func(name string) bool { return entity.Fold(name) == entity.Fold(m[1]) })
		if i < 0 || slices.Contains(args.Given(), args.Names()[i]) {
			return form.unreadable(args.Expression, foreign)
		}
		call[args.Names()[i]] = strings.Trim(m[2], `"`)
	}
	text, err := entity.JSON(call)
	if err != nil {
		return err
	}
	e := form.unreadable(args.Expression, foreign)
	e.hint = "Call " + TheTool + " again with " + string(text) + `. An expression is written as AREA[Phase]PHASE3 AND AREA[Sex]"ALL".`
	return e
}

// A valueForm describes how the value of an argument is written. likely has the values that the given one may mean.
type valueForm struct {
	argument, forms string
	likely          []string
}

// unreadable returns the error for a value that does not have this form.
func (f valueForm) unreadable(text string, err error) Misread {
	call := f.argument + " in one of these forms"
	switch len(f.likely) {
	case 0:
	case 1:
		call = tool.Object(f.argument, f.likely[0])
	default:
		call = f.argument + " " + alternatives(f.likely)
	}
	return Misread{Argument: f.argument, Text: text, short: true, Reason: err.Error(),
		hint: f.forms + " Call " + TheTool + " again with " + call + "."}
}
