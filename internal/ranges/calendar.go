package ranges

import "time"

// A Calendar reads dates that depend on today, such as last month. For all pages of a list, today is the day of the first page.
type Calendar struct {
	Today time.Time
	used  bool // a date depended on today
}

// CalendarOf returns the calendar of a day (2006-01-02), or that of today for any other text.
func CalendarOf(day string) *Calendar {
	if day, err := time.Parse(time.DateOnly, day); err == nil {
		return &Calendar{Today: day}
	}
	return &Calendar{Today: time.Now().UTC()}
}

// Dates reads a date or a range of dates.
func (c *Calendar) Dates(text string) (Range, error) {
	dates, err := ReadDates(text, c.Today)
	c.used = c.used || dates.Relative
	return dates, err
}

// Day returns the day for the cursors of the list; "" if no date depended on it.
func (c *Calendar) Day() string {
	if !c.used {
		return ""
	}
	return c.Today.Format(time.DateOnly)
}
