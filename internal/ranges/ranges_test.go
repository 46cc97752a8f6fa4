package ranges_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/ranges"
)

// TestRanges reads the texts of testdata/periods.tsv and testdata/numbers.tsv, which testdata/README.md describes.
func TestRanges(t *testing.T) {
	t.Parallel()
	today := time.Date(2026, 3, 31, 23, 0, 0, 0, time.UTC)
	for file, read := range map[string]func(string) (ranges.Range, error){
		"periods": func(text string) (ranges.Range, error) { return ranges.ReadDates(text, today) }, "numbers": ranges.ReadNumbers,
	} {
		table, err := os.ReadFile("testdata/" + file + ".tsv")
		expect.NoError(t, err)
		for line := range strings.Lines(string(table)) {
			text, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			got, err := read(text)
			if rest, refused := strings.CutPrefix(want, "refused"); refused {
				wrong, _ := errors.AsType[*ranges.Problem](err)
				expect.Must(t, wrong != nil, "%q was read as %v", text, got)
				expect.Is(t, wrong.Instead, strings.TrimPrefix(rest, " instead="), "instead of %q", text)
				continue
			}
			expect.Succeeds(t, err, "%q", text)
			expect.Is(t, got.String(), want, "%q", text)
		}
	}
}

func TestReadAge(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"58": "58 years", "58 years": "58 years", "58y": "58 years", "1 year": "1 years", "6 months": "6 months", "3 weeks": "3 weeks",
		"10 days": "10 days", "12 hours": "12 hours", "0": "0 years", " 7 ": "7 years",
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
