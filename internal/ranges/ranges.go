// Package ranges reads dates, numbers and ages, and ranges of them: 2022-03..2023, since 2023, last 30 days, >=100, 58 years. It knows no
// source and no tool.
package ranges

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A Range is an inclusive range of dates or numbers. An empty end is open.
type Range struct {
	From, To string
	// Relative reports that the text of a range of dates depends on the day on which it is read.
	Relative bool
}

// String returns a range in the form that ReadDates and ReadNumbers read.
func (r Range) String() string { return r.From + ".." + r.To }

// The forms of ranges, for messages.
const (
	DateForms   = "a year, a month or a day (2022, 2022-03, 2022-03-15), a range 2022-03..2023, since 2023, until 2020-06, or last 30 days"
	NumberForms = "a whole number, a range 100..500, >=100 or <=50"
)

var (
	// pair matches two ends as other languages write them, or in the wrong order: 2020-2022, 2020 to 2022, [2020 TO *], RANGE[2020,MAX].
	pair = lazyregexp.New(`(?i)^(?:range)?(?:\[\s*([-0-9]+|min|\*)\s*(?:,|to)\s*([-0-9]+|max|\*)\s*\]|` +
		`(?:between\s+|from\s+)?([0-9][-0-9]*?)\s*(?:\.\.|:|to|and|[-–])\s*([0-9][-0-9]*))$`)
	openEnd    = lazyregexp.New(`(?i)^(?:min|max|\*)$`)
	lastPeriod = lazyregexp.New(`(?i)^last ([1-9][0-9]{0,3}) (day|week|month|year)s?$`)
	age        = lazyregexp.New(`(?i)^([0-9]{1,4}) ?(y|years?|months?|weeks?|days?|hours?)?$`)
)

// A Problem is the error for a text that is no range.
type Problem struct {
	Reason  string // a sentence for the caller, without a full stop
	Instead string // the range that the text certainly means; "" for none
}

// Error returns the sentence.
func (p *Problem) Error() string { return p.Reason }

// corrected returns err as a *Problem, with the range that a text certainly means, if read takes that.
func corrected(text string, err error, read func(text string) (Range, error)) error {
	if err == nil {
		return nil
	}
	p := &Problem{Reason: err.Error()}
	if m := pair.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		from, to := openEnd.ReplaceAllString(m[1]+m[3], ""), openEnd.ReplaceAllString(m[2]+m[4], "")
		p.Instead = from + ".." + to
		if strings.Contains(text, "..") {
			p.Instead = to + ".." + from
		}
		if _, wrong := read(p.Instead); wrong != nil {
			p.Instead = ""
		}
	}
	return p
}

// readEnds splits a text into its two ends, each empty if it is open. For one value both ends are the value.
func readEnds(text string) (from, to string) {
	text = strings.TrimSpace(text)
	for _, sign := range []string{"since ", ">="} {
		if rest, ok := strings.CutPrefix(strings.ToLower(text), sign); ok {
			return strings.TrimSpace(rest), ""
		}
	}
	for _, sign := range []string{"until ", "<="} {
		if rest, ok := strings.CutPrefix(strings.ToLower(text), sign); ok {
			return "", strings.TrimSpace(rest)
		}
	}
	if from, to, ok := strings.Cut(text, ".."); ok {
		return strings.TrimSpace(from), strings.TrimSpace(to)
	}
	return text, text
}

// ReadDates reads a date or a range of dates. A year or a month includes all its days, and a period such as "last 30 days" ends today. The
// only error is *Problem.
func ReadDates(text string, today time.Time) (Range, error) {
	read := func(text string) (Range, error) { return readDates(text, today) }
	r, err := read(text)
	return r, corrected(text, err, read)
}

func readDates(text string, today time.Time) (r Range, err error) {
	if m := lastPeriod.FindStringSubmatch(strings.Join(strings.Fields(text), " ")); m != nil {
		n, _ := strconv.Atoi(m[1])
		r = Range{From: before(today, n, strings.ToLower(m[2])).Format(time.DateOnly), To: today.Format(time.DateOnly), Relative: true}
		if r.From < "1900" {
			return r, fmt.Errorf("%s is not between 1900 and 2100", strconv.Quote(text))
		}
		return r, nil
	}
	from, to := readEnds(text)
	if from != "" {
		first, _, err := readDate(from)
		if err != nil {
			return r, err
		}
		r.From = first.Format(time.DateOnly)
	}
	if to != "" {
		_, last, err := readDate(to)
		if err != nil {
			return r, err
		}
		r.To = last.Format(time.DateOnly)
	}
	return r, check(r, strings.Compare(r.From, r.To))
}

// before returns the day that is n units before a day; the last day of the month if the month has no such day.
func before(day time.Time, n int, unit string) time.Time {
	switch unit {
	case "day":
		return day.AddDate(0, 0, -n)
	case "week":
		return day.AddDate(0, 0, -7*n)
	case "year":
		n *= 12
	}
	month := day.AddDate(0, 0, 1-day.Day()).AddDate(0, -n, 0)
	return month.AddDate(0, 0, min(day.Day(), month.AddDate(0, 1, -1).Day())-1)
}

// readDate returns the first and the last day of a date, a month or a year between 1900 and 2100.
func readDate(text string) (first, last time.Time, err error) {
	for _, form := range []struct {
		layout       string
		years, month int
	}{{time.DateOnly, 0, 0}, {"2006-01", 0, 1}, {"2006", 1, 0}} {
		if first, err = time.Parse(form.layout, text); err != nil {
			continue
		}
		if last = first; form.years+form.month > 0 {
			last = first.AddDate(form.years, form.month, -1)
		}
		if first.Year() < 1900 || first.Year() > 2100 {
			return first, last, fmt.Errorf("%s is not between 1900 and 2100", strconv.Quote(text))
		}
		return first, last, nil
	}
	return first, last, fmt.Errorf("%s is not a date such as 2022, 2022-03 or 2022-03-15", strconv.Quote(text))
}

// maxNumber is the largest number of participants in a range. The registry uses 99999999 for an unknown number.
const maxNumber = 99_999_999

// ReadNumbers reads a whole number or a range of them. The only error is *Problem.
func ReadNumbers(text string) (Range, error) {
	r, err := readNumbers(text)
	return r, corrected(text, err, readNumbers)
}

func readNumbers(text string) (r Range, err error) {
	from, to := readEnds(text)
	var ends [2]int
	for i, end := range []string{from, to} {
		if end == "" {
			continue
		}
		if ends[i], err = strconv.Atoi(end); err != nil || ends[i] < 0 || ends[i] > maxNumber || end[0] == '+' {
			return r, fmt.Errorf("%s is not a whole number between 0 and %d", strconv.Quote(end), maxNumber)
		}
	}
	if from != "" {
		r.From = strconv.Itoa(ends[0])
	}
	if to != "" {
		r.To = strconv.Itoa(ends[1])
	}
	return r, check(r, cmp.Compare(ends[0], ends[1]))
}

// check returns an error for a range without ends, or whose first end is after its second. order compares the ends.
func check(r Range, order int) error {
	switch {
	case r == Range{}:
		return fmt.Errorf("it names neither a beginning nor an end")
	case r.From != "" && r.To != "" && order > 0:
		return fmt.Errorf("it begins with %s, after its end %s", r.From, r.To)
	}
	return nil
}

// units has the units of ages, and the highest age in each.
var units = []struct {
	name string
	most int
}{{"years", 150}, {"months", 1800}, {"weeks", 7800}, {"days", 9999}, {"hours", 9999}}

// ReadAge returns an age as the registry writes it: 58, "58 years" and 58y are 58 years. The error is a sentence for the caller.
func ReadAge(text string) (string, error) {
	m := age.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return "", fmt.Errorf("%s is not an age such as 58, 6 months or 10 days", strconv.Quote(text))
	}
	n, _ := strconv.Atoi(m[1])
	for _, u := range units {
		if !strings.HasPrefix(u.name, strings.ToLower(m[2])) {
			continue
		}
		if n > u.most {
			return "", fmt.Errorf("%s is more than %d %s", strconv.Quote(text), u.most, u.name)
		}
		return fmt.Sprintf("%d %s", n, u.name), nil
	}
	return "", fmt.Errorf("%s has no unit of age", strconv.Quote(text))
}
