package articles

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

func pages(p *entrez.Pagination) string {
	if pages := text.Clean(p.MedlinePgn); pages != "" {
		return pages
	}
	from, to := text.Clean(p.StartPage), text.Clean(p.EndPage)
	if from == to {
		to = ""
	}
	return strings.Join(text.CleanAll([]string{from, to}), "-")
}

// month returns the three-letter name of a month for its name or number, "" for another number, and the name itself otherwise.
func month(name string) string {
	name = text.Clean(name)
	for m := time.January; m <= time.December; m++ {
		if full := m.String(); strings.EqualFold(name, full) || strings.EqualFold(name, full[:3]) || strings.EqualFold(name, "Sept") &&
			m == time.September || intInRange(name, 12) == int(m) {
			return full[:3]
		}
	}
	if _, err := strconv.Atoi(name); err == nil {
		return ""
	}
	return name
}

// intInRange returns the number in a text, or 0 if the text is not a number from 1 to most.
func intInRange(digits string, most int) int {
	n, err := strconv.Atoi(text.Clean(digits))
	if err != nil || n < 1 || n > most {
		return 0
	}
	return n
}

// firstYear matches the first year in a MedlineDate.
var firstYear = lazyregexp.New(`\b[12][0-9]{3}\b`)

func publicationDate(d *entrez.Date) *entity.PublicationDate {
	out := entity.PublicationDate{
		Year:        intInRange(d.Year, 9999),
		Month:       month(d.Month),
		Day:         intInRange(d.Day, 31),
		Season:      text.Clean(d.Season),
		MedlineDate: text.Clean(d.MedlineDate),
	}
	if out.Year == 0 {
		out.Year = intInRange(firstYear.FindString(out.MedlineDate), 9999)
	}
	return text.NonZero(out)
}

// isoDate returns a date as YYYY-MM-DD, or as much of it as the record has.
func isoDate(d entrez.Date) string {
	y, m := intInRange(d.Year, 9999), monthNumber(d.Month)
	day := realDay(y, m, intInRange(d.Day, 31))
	switch {
	case y == 0:
		return ""
	case m == 0:
		return fmt.Sprintf("%04d", y)
	case day == 0:
		return fmt.Sprintf("%04d-%02d", y, m)
	}
	return fmt.Sprintf("%04d-%02d-%02d", y, m, day)
}

// realDay returns a day that exists in its month, else 0.
func realDay(year int, month time.Month, day int) int {
	if _, err := time.Parse(time.DateOnly, fmt.Sprintf("%04d-%02d-%02d", year, month, day)); err != nil {
		return 0
	}
	return day
}

func monthNumber(text string) time.Month {
	t, err := time.Parse("Jan", month(text))
	if err != nil {
		return 0
	}
	return t.Month()
}

func firstDate(dates []entrez.Date) string {
	for _, d := range dates {
		if text := isoDate(d); text != "" {
			return text
		}
	}
	return ""
}
