package ranges

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// relative matches a period that depends on the current day: today, last month, past 30 days, next 12 months, this year.
var relative = lazyregexp.New(`^(?i)(?:the\s+)?(?:(today|now|yesterday|tomorrow)|` +
	`(last|past|previous|next|coming|following|this|current)\s+(?:([0-9]{1,3}|two|three|four|five|six|ten|twelve)\s+)?(day|week|month|quarter|year)s?)$`)

var smallNumbers = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10, "twelve": 12}

func isRelative(text string) bool { return relative.MatchString(strings.TrimSpace(text)) }

// relativePeriod returns the first and the last day of a period that depends on the current day. "last month" is the month before the
// current one; "past month", and each period with a number, begins or ends today.
func relativePeriod(text string, today time.Time) (first, last time.Time) {
	today = time.Date(today.Year(), today.Month(), today.Day(), 0, 0, 0, 0, time.UTC)
	m := relative.FindStringSubmatch(strings.ToLower(strings.TrimSpace(text)))
	which, unit := m[2], m[4]
	switch m[1] {
	case "today", "now":
		return today, today
	case "yesterday":
		which, unit = "last", "day"
	case "tomorrow":
		which, unit = "next", "day"
	}
	n, _ := strconv.Atoi(m[3])
	n = cmp.Or(n, smallNumbers[m[3]])
	back := which == "last" || which == "past" || which == "previous"
	switch {
	case which == "this" || which == "current":
		n = 0
	case n == 0 && which != "past" && which != "coming":
		n = 1
		if back {
			n = -1
		}
	case back:
		return later(today, -max(n, 1), unit), today
	default:
		return today, later(today, max(n, 1), unit)
	}
	first = later(beginning(today, unit), n, unit)
	return first, later(first, 1, unit).AddDate(0, 0, -1)
}

// beginning returns the first day of the week, month, quarter or year of a day. A week begins on Monday.
func beginning(day time.Time, unit string) time.Time {
	switch unit {
	case "week":
		return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
	case "month":
		return day.AddDate(0, 0, 1-day.Day())
	case "quarter":
		return time.Date(day.Year(), (day.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)
	case "year":
		return time.Date(day.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return day
}

// later returns the day that is n units after a day; the last day of the month if the month has no such day.
func later(day time.Time, n int, unit string) time.Time {
	switch unit {
	case "day":
		return day.AddDate(0, 0, n)
	case "week":
		return day.AddDate(0, 0, 7*n)
	case "quarter":
		n *= 3
	case "year":
		n *= 12
	}
	month := beginning(day, "month").AddDate(0, n, 0)
	return month.AddDate(0, 0, min(day.Day(), month.AddDate(0, 1, -1).Day())-1)
}
