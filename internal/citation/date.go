package citation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// date is a publication date. An issue for two months or two years has two of them.
type date struct {
	years  []int
	months []time.Month
	day    int
	season string // as in the record, such as Winter-Spring
	days   string // the whole date as in the record, if it has a range of days or a quarter
}

func (d date) year() int {
	if len(d.years) == 0 {
		return 0
	}
	return d.years[0]
}

// span returns the year, or both years.
func (d date) span(dash string) string {
	return strings.Join(convert(d.years, strconv.Itoa), dash)
}

// rangeOfDays matches 2009 Oct 15-31, 1983 Jul 30-Aug 6 and 1976 4th Quarter.
var rangeOfDays = lazyregexp.New(
	`^[0-9]{4} (?:[A-Z][a-z]{2} [0-9]{1,2}-(?:(?:[0-9]{4} )?[A-Z][a-z]{2} )?[0-9]{1,2}|[1-4](?:st|nd|rd|d|th) Quart(?:er)?)$`)

func readDate(p *entity.PublicationDate) date {
	var d date
	if p == nil {
		return d
	}
	d.addYear(p.Year)
	d.addWords(joinNonEmpty(" ", line(p.Month), line(p.Season), line(p.MedlineDate)))
	if len(d.months) == 1 {
		d.day = p.Day
	}
	if text := line(p.MedlineDate); rangeOfDays.MatchString(text) {
		d.days = text
	}
	return d
}

// addWords reads texts such as 1998 Dec-1999 Jan, Spring and Jul-Aug. It ignores ranges of days, as in 2020 Dec 15-31,
// which only Vancouver writes.
func (d *date) addWords(text string) {
	var seasons []string
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" -–/,.", r) }) {
		if m := monthOf(word); m != 0 {
			d.addMonth(m)
		} else if isSeason(word) {
			seasons = append(seasons, capital(strings.ToLower(word)))
		} else if n, err := strconv.Atoi(word); err == nil && len(word) == 4 {
			d.addYear(n)
		}
	}
	d.season = strings.Join(seasons, "-")
}

func (d *date) addYear(year int) {
	if year >= 1000 && year <= 9999 && len(d.years) < 2 && !slices.Contains(d.years, year) {
		d.years = append(d.years, year)
	}
}

func (d *date) addMonth(m time.Month) {
	if len(d.months) < 2 && !slices.Contains(d.months, m) {
		d.months = append(d.months, m)
	}
}

func monthOf(word string) time.Month {
	for m := time.January; m <= time.December; m++ {
		if name := m.String(); strings.EqualFold(word, name) || strings.EqualFold(word, name[:3]) {
			return m
		}
	}
	return 0
}

func isSeason(word string) bool {
	return slices.ContainsFunc([]string{"spring", "summer", "autumn", "fall", "winter"},
		func(s string) bool { return strings.EqualFold(s, word) })
}

// isoDate reads YYYY-MM-DD, YYYY-MM or YYYY.
func isoDate(text string) date {
	var d date
	parts := strings.Split(text, "-")
	numbers := make([]int, 3)
	for i := range min(len(parts), 3) {
		numbers[i], _ = strconv.Atoi(parts[i]) // a part that is not a number counts as 0
	}
	d.addYear(numbers[0])
	if m := time.Month(numbers[1]); m >= time.January && m <= time.December {
		d.addMonth(m)
		d.day = numbers[2]
	}
	return d
}

// ris returns year/month/day/remark, or "" if only the year is known.
func (d date) ris() string {
	month, day, remark := "", when(d.day > 0, fmt.Sprintf("%02d", d.day)), d.season
	if len(d.months) > 0 {
		month = fmt.Sprintf("%02d", d.months[0])
	}
	if len(d.months) == 2 {
		remark = d.monthSpan("-", func(m time.Month) string { return m.String()[:3] })
	}
	if d.year() == 0 || month+remark == "" {
		return ""
	}
	return fmt.Sprintf("%d/%s/%s/%s", d.year(), month, day, remark)
}

// mla returns a date such as 15 Mar. 2020, winter 1998-1999 or Dec. 1998-Jan. 1999.
func (d date) mla() string {
	switch {
	case len(d.years) == 0:
		return ""
	case len(d.months) == 2 && len(d.years) == 2:
		return fmt.Sprintf("%s %d-%s %d", shortMonth(d.months[0]), d.years[0], shortMonth(d.months[1]), d.years[1])
	case len(d.months) > 0:
		return joinNonEmpty(" ", when(d.day > 0, strconv.Itoa(d.day)), d.monthSpan("-", shortMonth), d.span("-"))
	}
	return joinNonEmpty(" ", strings.ToLower(d.season), d.span("-"))
}

func (d date) monthSpan(dash string, name func(time.Month) string) string {
	return strings.Join(convert(d.months, name), dash)
}

func shortMonth(m time.Month) string {
	switch m {
	case time.May, time.June, time.July:
		return m.String()
	case time.September:
		return "Sept."
	}
	return m.String()[:3] + "."
}
