package service

import (
	"time"

	"github.com/biofact-mcp/biofact/internal/essie"
)

// A calendar reads dates that depend on today, such as last month. For all pages of a list, today is the day of the first page.
type calendar struct {
	today time.Time
	used  bool // a date depended on today
}

// calendarOf returns the calendar of the list that a cursor continues, or that of today for an empty cursor or one without a day.
func calendarOf(given string) *calendar {
	if day, err := time.Parse(time.DateOnly, cursorDay(given)); err == nil {
		return &calendar{today: day}
	}
	return &calendar{today: time.Now().UTC()}
}

// dates reads a date or a range of dates.
func (c *calendar) dates(text string) (essie.Range, error) {
	dates, err := essie.ReadDates(text, c.today)
	c.used = c.used || dates.Relative
	return dates, err
}

// day returns the day for the cursors of the list; "" if no date depended on it.
func (c *calendar) day() string {
	if !c.used {
		return ""
	}
	return c.today.Format(time.DateOnly)
}
