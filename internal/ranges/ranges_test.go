package ranges_test

import (
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/ranges"
)

func TestReadDates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2022": "2022-01-01..2022-12-31", "2022-03": "2022-03-01..2022-03-31", "2024-02": "2024-02-01..2024-02-29",
		"2022-03-05":    "2022-03-05..2022-03-05",
		"2022-03..2023": "2022-03-01..2023-12-31", "2022 to 2023": "2022-01-01..2023-12-31", "2020-2022": "2020-01-01..2022-12-31",
		"2020-01-01 - 2020-06-30": "2020-01-01..2020-06-30", "from 2020 to 2022-06": "2020-01-01..2022-06-30",
		"between 2020 and 2022": "2020-01-01..2022-12-31",
		"since 2023":            "2023-01-01..", "2023..": "2023-01-01..", ">= 2023-05": "2023-05-01..", "after 2020": "2021-01-01..",
		"> 2020-02":     "2020-03-01..",
		"until 2020-06": "..2020-06-30", "..2020": "..2020-12-31", "before 2020": "..2019-12-31", "<2020-03-01": "..2020-02-29",
		"January 2020": "2020-01-01..2020-01-31", "5 March 2020": "2020-03-05..2020-03-05", "Mar 5, 2020": "2020-03-05..2020-03-05",
		"2020/03": "2020-03-01..2020-03-31", "06/2022": "2022-06-01..2022-06-30",
		"in 2022": "2022-01-01..2022-12-31", "2022 onwards": "2022-01-01..", "2020 or earlier": "..2020-12-31", "not before 2022": "2022-01-01..",
		"no later than 2022": "..2022-12-31", "2022-3": "2022-03-01..2022-03-31",
		"Q1 2022": "2022-01-01..2022-03-31", "2022-Q4": "2022-10-01..2022-12-31", "Q5 2022": "!",
		"in 5 years": "!",
		"today":      "2026-03-31..2026-03-31", "last month": "2026-02-01..2026-02-28", "past month": "2026-02-28..2026-03-31",
		"past 30 days": "2026-03-01..2026-03-31", "in the last 5 years": "2021-03-31..2026-03-31", "Next 12 months": "2026-03-31..2027-03-31",
		"this year": "2026-01-01..2026-12-31", "last year": "2025-01-01..2025-12-31", "this week": "2026-03-30..2026-04-05",
		"next quarter": "2026-04-01..2026-06-30", "since last year": "2025-01-01..", "until today": "..2026-03-31",
		"before this year": "..2025-12-31", "yesterday": "2026-03-30..2026-03-30", "coming month": "2026-03-31..2026-04-30",
		"2024 to now": "2024-01-01..2026-03-31", "last three weeks": "2026-03-10..2026-03-31", "less than 2 years ago": "!", "recent": "!",
		"2022-13": "!", "2022-02-30": "!", "03/05/2020": "!", "soon": "!", "": "!", "..": "!", "2023..2022": "!",
		"22": "!", "1022": "!",
		"2022..2023..2024": "!", "since": "!", "MAX": "!", "2022] OR ALL": "!",
	} {
		got, err := ranges.ReadDates(text, time.Date(2026, 3, 31, 23, 0, 0, 0, time.UTC))
		check(t, text, want, got, err)
	}
}

func TestReadNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"300": "300..300", "100..500": "100..500", "100-500": "100..500", "100 to 1,000": "100..1000", "at least 100": "100..",
		"100+": "100..", "> 100": "101..",
		"<50": "..49", "up to 50": "..50", "0": "0..0", "10 000..": "10000..", "2000-3000": "2000..3000",
		"10-50": "10..50", "1,000-5,000": "1000..5000", "100 or more": "100..", "50 or fewer": "..50", "10-20-30": "!",
		"-5": "!", "1.5": "!", "ten": "!", "500..100": "!", "1e9": "!", "999999999": "!", "": "!", "1,00": "!", "+5": "!", "<0": "!",
		"> 99999999": "!",
	} {
		got, err := ranges.ReadNumbers(text)
		check(t, text, want, got, err)
	}
}

func check(t *testing.T, text, want string, got ranges.Range, err error) {
	t.Helper()
	if want == "!" {
		expect.That(t, err != nil, "%q was read as %v", text, got)
		return
	}
	expect.Succeeds(t, err, "%q", text)
	expect.Is(t, got.From+".."+got.To, want, "%q", text)
}

func TestReadAge(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"58": "58 years", "58 years": "58 years", "58y": "58 years", "58 yo": "58 years", "64-year-old": "64 years", "1 year": "1 years",
		"6 months": "6 months", "6mo": "6 months",
		"3 weeks": "3 weeks", "10 days": "10 days", "12 hours": "12 hours", "0": "0 years", " 7 ": "7 years",
		"": "", "old": "", "-1": "", "151": "", "1.5 years": "", "6m": "", "adult": "", "58, MAX] OR ALL": "",
	} {
		got, err := ranges.ReadAge(text)
		expect.Is(t, got, want, "%q", text)
		expect.That(t, (err == nil) == (want != ""), "%q: %v", text, err)
	}
}

// FuzzRanges: the expression of a valid range of numbers is valid for the registry, and its ends read again give the same range.
func FuzzRanges(f *testing.F) {
	for _, text := range []string{"300", "100-500", "100..500", "at least 5", "<50", "<00", ">99999999", ">= 1,000", "between 10 and 20",
		"..", "99999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ranges.ReadNumbers(text)
		if err != nil {
			return
		}
		parse(t, query.InRange("EnrollmentCount", r))
		again, err := ranges.ReadNumbers(r.From + ".." + r.To)
		expect.That(t, err == nil && again == r, "%q is %v, read again %v: %v", text, r, again, err)
	})
}

// FuzzDates: the same holds for ranges of dates, whose ends are days.
func FuzzDates(f *testing.F) {
	for _, text := range []string{"2022", "2022-03..2023", "since 2023", "until 2020-06", "<2020", ">2020-02-29", "..", "2020-02-30",
		"3 March 2021 to Jan 2022", "1900..2100"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ranges.ReadDates(text, time.Now())
		if err != nil {
			return
		}
		parse(t, query.InRange("StartDate", r))
		for _, day := range []string{r.From, r.To} {
			if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
				t.Errorf("%q: %s is no day", text, day)
			}
		}
		if strings.HasPrefix(r.From, "2101") || strings.HasPrefix(r.To, "1899") {
			return // outside of the days that are read
		}
		r.Relative = false
		again, err := ranges.ReadDates(r.String(), time.Now())
		expect.That(t, err == nil && again == r, "%q is %v, read again %v: %v", text, r, again, err)
	})
}

// FuzzAges: the expression of a valid age is valid for the registry, and the age read again is the same.
func FuzzAges(f *testing.F) {
	for _, text := range []string{"58", "58 years", "6mo", "64-year-old", "10 days", "12 h", "0", "151", "6m", "58, MAX] OR ALL"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		age, err := ranges.ReadAge(text)
		if err != nil {
			return
		}
		parse(t, query.ForAge(age))
		again, err := ranges.ReadAge(age)
		expect.That(t, err == nil && again == age, "%q is %s, read again %s: %v", text, age, again, err)
	})
}

func parse(t *testing.T, built query.Node) {
	t.Helper()
	expression := built.String()
	n, err := query.Parse(expression, query.AreaNamed("BasicSearch"))
	expect.That(t, err == nil && n != nil && !strings.Contains(expression, "RANGE[,"), "%s: %v", expression, err)
}

// TestSwapped: the ends of a range are swapped in each of its forms; of another text Swapped returns nothing.
func TestSwapped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2021..2019": "2019..2021", "2021-2019": "2019..2021", "2021 to 2019": "2019..2021", "2021-03 .. 2020-02": "2020-02..2021-03",
		"2019": "", "2020-13": "", "2021-03-05": "", "soon": "", "2019-2021": "",
	} {
		expect.Equal(t, text, want, ranges.Swapped(text, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
	}
}
