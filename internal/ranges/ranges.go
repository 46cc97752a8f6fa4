// Package ranges reads the dates, numbers and ages that people write: 2022-03..2023, last month, at least 100, 58y. It knows no source and
// no tool.
package ranges

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A Range is an inclusive range of dates, numbers or ages. An empty end is open.
type Range struct {
	From, To string
	// Relative reports that the text of a range of dates depends on the day on which it is read.
	Relative bool
}

// String returns a range in the form that ReadDates and ReadNumbers read.
func (r Range) String() string {
	switch {
	case r.To == "":
		return "since " + r.From
	case r.From == "":
		return "until " + r.To
	}
	return r.From + ".." + r.To
}

// ends holds the texts of the two ends of a range, and whether a sign or word excludes an end itself.
type ends struct {
	from, to                 string
	fromExcluded, toExcluded bool
}

var (
	// rangeSign splits a range into its ends. A hyphen separates them only between spaces; twoYears and twoNumbers split with any hyphen.
	rangeSign      = lazyregexp.New(`^(.*?)\s*(?:\.{2,3}|…|–|—|\s(?:to|until|till|through|and|-)\s)\s*(.*)$`)
	twoYears       = lazyregexp.New(`^([0-9]{4})\s*-\s*([0-9]{4})$`)
	twoNumbers     = lazyregexp.New(`([0-9])\s*-\s*([0-9])`)
	lower          = lazyregexp.New(`^(?i)(>=|≥|>|(?:since|from|at least|min(?:imum)?|starting|more than|over|after|newer than|later than)\b)\s*(.*)$`)
	upper          = lazyregexp.New(`^(?i)(<=|≤|<|(?:until|till|up to|to|at most|max(?:imum)?|through|by|less than|fewer than|under|before|older than|earlier than)\b)\s*(.*)$`)
	between        = lazyregexp.New(`^(?i)(?:between|from)\s+(.*)$`)
	exclusiveBound = lazyregexp.New(`^(?i)(?:[<>]|(?:more|less|fewer|newer|later|older|earlier) than|over|under|after|before)$`)
)

// readEnds splits a text at its range sign, or reads the sign or word before its only end. For one value both ends are the value.
func readEnds(text string) ends {
	text = strings.TrimSpace(text)
	if m := upper.FindStringSubmatch(text); m != nil {
		return ends{to: m[2], toExcluded: exclusiveBound.MatchString(m[1])}
	}
	rest := text
	if m := between.FindStringSubmatch(text); m != nil {
		rest = m[1]
	}
	if m := rangeSign.FindStringSubmatch(rest); m != nil && m[1]+m[2] != "" {
		return ends{from: m[1], to: m[2]}
	}
	if m := twoYears.FindStringSubmatch(rest); m != nil {
		return ends{from: m[1], to: m[2]}
	}
	if m := lower.FindStringSubmatch(text); m != nil {
		return ends{from: m[2], fromExcluded: exclusiveBound.MatchString(m[1])}
	}
	if n, ok := strings.CutSuffix(text, "+"); ok {
		return ends{from: n}
	}
	return ends{from: text, to: text}
}

// ReadDates reads a date or a range of dates: 2022, 2022-03..2023, since 2023, until 2020-06, last month. A year or a month includes all
// its days. The error is a sentence for the caller.
func ReadDates(text string, today time.Time) (Range, error) {
	e := readEnds(fromWords(text))
	r := Range{Relative: isRelative(e.from) || isRelative(e.to)}
	if e.from != "" {
		first, last, err := readDate(e.from, today)
		if err != nil {
			return r, err
		}
		if e.fromExcluded {
			first = last.AddDate(0, 0, 1)
		}
		r.From = first.Format(time.DateOnly)
	}
	if e.to != "" {
		first, last, err := readDate(e.to, today)
		if err != nil {
			return r, err
		}
		if e.toExcluded {
			last = first.AddDate(0, 0, -1)
		}
		r.To = last.Format(time.DateOnly)
	}
	return r, checkRange(r, strings.Compare)
}

var (
	inPeriod  = lazyregexp.New(`^(?i)(?:in|during|in the year|year)\s+([0-9].*|[a-z]+\s+[0-9]{4})$`)
	inCurrent = lazyregexp.New(`^(?i)(?:in|within|during|over)\s+(?:the\s+)?((?:last|past|previous|next|coming|following|this|current)\s.*)$`)
	onwards   = lazyregexp.New(`^(?i)(.*[0-9])\s+(?:onwards?|(?:and|or)\s+(?:later|after|newer|more|above|over))$`)
	downwards = lazyregexp.New(`^(?i)(.*[0-9])\s+(?:and|or)\s+(?:earlier|before|older|less|fewer|below|under)$`)
	notBefore = lazyregexp.New(`^(?i)(?:not\s+before|(?:not|no)\s+earlier\s+than)\s+(.*)$`)
	notAfter  = lazyregexp.New(`^(?i)(?:not\s+after|(?:not|no)\s+later\s+than)\s+(.*)$`)
	quarter   = lazyregexp.New(`^(?i)(?:q([1-4])[ /-]?([0-9]{4})|([0-9]{4})[ /-]?q([1-4]))$`)
)

// fromWords writes a text in words as a date, a number or a range: "2022 onwards" as "since 2022", "Q1 2022" as "2022-01..2022-03".
func fromWords(text string) string {
	text = strings.TrimSpace(text)
	if m := quarter.FindStringSubmatch(text); m != nil {
		number, _ := strconv.Atoi(m[1] + m[4])
		return fmt.Sprintf("%s-%02d..%[1]s-%02[3]d", m[2]+m[3], 3*number-2, 3*number)
	}
	for _, words := range []struct {
		pattern *lazyregexp.Regexp
		before  string
	}{{inPeriod, ""}, {inCurrent, ""}, {onwards, "since "}, {downwards, "until "}, {notBefore, "since "}, {notAfter, "until "}} {
		if m := words.pattern.FindStringSubmatch(text); m != nil {
			return words.before + m[1]
		}
	}
	return text
}

// The layouts of a date with a day, and of one without.
var (
	dayLayouts = []string{"2006-1-2", "2006/01/02", "2006.01.02", "2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006",
		"January 2 2006", "Jan 2 2006"}
	monthLayouts = []string{"2006-1", "01/2006", "1/2006", "2006/01", "January 2006", "Jan 2006", "January, 2006"}
)

// readDate returns the first and the last day of a date, a month or a year between 1900 and 2100.
func readDate(text string, today time.Time) (first, last time.Time, err error) {
	if isRelative(text) {
		first, last = relativePeriod(text, today)
		return first, last, nil
	}
	first, last, ok := parsePeriod(strings.Join(strings.Fields(text), " "))
	switch {
	case !ok:
		return first, last, fmt.Errorf("%s is not a date such as 2022, 2022-03 or 2022-03-15", strconv.Quote(text))
	case first.Year() < 1900 || first.Year() > 2100:
		return first, last, fmt.Errorf("%s is not between 1900 and 2100", strconv.Quote(text))
	}
	return first, last, nil
}

func parsePeriod(text string) (first, last time.Time, ok bool) {
	for _, layout := range dayLayouts {
		if day, err := time.Parse(layout, text); err == nil {
			return day, day, true
		}
	}
	for _, layout := range monthLayouts {
		if month, err := time.Parse(layout, text); err == nil {
			return month, month.AddDate(0, 1, -1), true
		}
	}
	year, err := time.Parse("2006", text)
	return year, year.AddDate(1, 0, -1), err == nil
}

// maxNumber is the largest number of participants in a range. The registry uses 99999999 for an unknown number.
const maxNumber = 99_999_999

var thousands = lazyregexp.New(`^[0-9]{1,3}(?:[, '][0-9]{3})+$`)

// ReadNumbers reads a whole number or a range of them: 300, 100..500, at least 100, <50. The error is a sentence for the caller.
func ReadNumbers(text string) (Range, error) {
	e := readEnds(twoNumbers.ReplaceAllString(fromWords(text), "$1..$2"))
	var r Range
	if e.from != "" {
		n, err := readNumber(e.from)
		if err != nil {
			return r, err
		}
		if e.fromExcluded {
			if n++; n > maxNumber {
				return r, fmt.Errorf("no number of the registry is above %d", maxNumber)
			}
		}
		r.From = strconv.Itoa(n)
	}
	if e.to != "" {
		n, err := readNumber(e.to)
		if err != nil {
			return r, err
		}
		if e.toExcluded {
			if n--; n < 0 {
				return r, errors.New("no number is below 0")
			}
		}
		r.To = strconv.Itoa(n)
	}
	return r, checkRange(r, func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return x - y
	})
}

func readNumber(text string) (int, error) {
	digits := text
	if thousands.MatchString(text) {
		digits = strings.NewReplacer(",", "", " ", "", "'", "").Replace(text)
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n > maxNumber || strings.HasPrefix(digits, "+") {
		return 0, fmt.Errorf("%s is not a whole number between 0 and %d", strconv.Quote(text), maxNumber)
	}
	return n, nil
}

// Swapped returns a text of a range of dates with its ends swapped, or "" if that is no range.
func Swapped(text string, now time.Time) string {
	for _, between := range []string{"..", " to ", "-"} {
		first, second, found := strings.Cut(text, between)
		swapped := strings.TrimSpace(second) + ".." + strings.TrimSpace(first)
		if _, err := ReadDates(swapped, now); found && err == nil {
			return swapped
		}
	}
	return ""
}

// checkRange returns an error for a range without ends, or whose first end is after its second.
func checkRange(r Range, compare func(a, b string) int) error {
	switch {
	case r == Range{}:
		return fmt.Errorf("it names neither a beginning nor an end")
	case r.From != "" && r.To != "" && compare(r.From, r.To) > 0:
		return fmt.Errorf("it begins with %s, after its end %s", r.From, r.To)
	}
	return nil
}

var age = lazyregexp.New(`^(?i)([0-9]{1,4})[\s-]*(y|yo|yrs?|years?|mos?|months?|w|wks?|weeks?|d|days?|h|hrs?|hours?)?\.?(?:[\s-]*(?:old|of age))?$`)

// units has the units of ages with the beginning of their names, and the highest age in each.
var units = []struct {
	prefix, name string
	most         int
}{{"y", "years", 150}, {"mo", "months", 1800}, {"w", "weeks", 7800}, {"d", "days", 9999}, {"h", "hours", 9999}}

// ReadAge returns an age as the registry writes it: 58, "58 years" and 58y are 58 years. The error is a sentence for the caller.
func ReadAge(text string) (string, error) {
	m := age.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return "", fmt.Errorf("%s is not an age such as 58, 6 months or 10 days", strconv.Quote(text))
	}
	n, _ := strconv.Atoi(m[1])
	unit := cmp.Or(strings.ToLower(m[2]), "y")
	for _, u := range units {
		if !strings.HasPrefix(unit, u.prefix) {
			continue
		}
		if n > u.most {
			return "", fmt.Errorf("%s is more than %d %s", strconv.Quote(text), u.most, u.name)
		}
		return fmt.Sprintf("%d %s", n, u.name), nil
	}
	return "", fmt.Errorf("%s has no unit of age", strconv.Quote(text))
}
