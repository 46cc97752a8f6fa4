package runner

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/tables/dialect"
)

// dates returns the functions of days, which are texts as 2015-01-31.
func (f *functions) dates() map[string]scalar {
	return map[string]scalar{
		"_add": f.addDays,
		"_date": func(a []value) (value, error) {
			text := dialect.Day(asString(a[0]))
			if text == "" {
				return nil, f.fail("Use the column that ends in _date: it is a day.", "'%s' is no day", short(asString(a[0])))
			}
			return text, nil
		},
		"_extract": func(a []value) (value, error) {
			if t, err := time.Parse(time.DateOnly, asString(a[1])); err == nil {
				return datePart(asString(a[0]), t), nil
			}
			return intervalPart(asString(a[0]), asString(a[1])), nil
		},
		"_date_trunc": f.dateTrunc,
		"_length":     func(a []value) (value, error) { return intervalPart("length", asString(a[0])), nil },
		"_days": func(a []value) (value, error) {
			switch n := asInt(a[0]); n {
			case 0:
				return "00:00:00", nil
			case 1:
				return "1 day", nil
			default:
				return strconv.FormatInt(n, 10) + " days", nil
			}
		},
		"_make_date": func(a []value) (value, error) {
			text := fmt.Sprintf("%04d-%02d-%02d", asInt(a[0]), asInt(a[1]), asInt(a[2]))
			_, err := f.day(text)
			return text, err
		},
		"_to_date": f.toDate,
		"_to_char": func(a []value) (value, error) {
			t, err := f.day(a[0])
			if err != nil {
				return nil, err
			}
			return formatDay(t, asString(a[1])), nil
		},
		"_age": func(a []value) (value, error) {
			to, err := f.day(a[0])
			from, err2 := f.day(a[1])
			if err != nil || err2 != nil {
				return nil, f.problem
			}
			return age(to, from), nil
		},
	}
}

// day returns the day of a value.
func (f *functions) day(v value) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, asString(v))
	if err != nil {
		return t, f.fail("Write ::text, or leave such values out.", "'%s' is no day", short(asString(v)))
	}
	return t, nil
}

// addDays adds months and days to a day. Months that are shorter end the day at their last one.
func (f *functions) addDays(a []value) (value, error) {
	t, err := f.day(a[0])
	if err != nil {
		return nil, err
	}
	if months := int(asInt(a[1])); months != 0 {
		first := time.Date(t.Year(), t.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
		t = first.AddDate(0, 0, min(t.Day(), first.AddDate(0, 1, -1).Day())-1)
	}
	days := asInt(a[2])
	if days > 3_000_000 || days < -3_000_000 {
		return nil, f.fail("Add fewer days.", "a date has no year")
	}
	if t = t.AddDate(0, 0, int(days)); t.Year() < 1 || t.Year() > 9999 {
		return nil, f.fail("Add fewer days.", "a date has no year of four digits")
	}
	return t.Format(time.DateOnly), nil
}

// dateTrunc returns the first day of the period of a day.
func (f *functions) dateTrunc(a []value) (value, error) {
	t, err := f.day(a[1])
	if err != nil {
		return nil, err
	}
	t, known := truncated(asString(a[0]), t)
	if !known {
		return nil, f.fail("Write 'year', 'quarter', 'month', 'week' or 'day'.", "date_trunc does not read '%s'", short(asString(a[0])))
	}
	return t.Format(time.DateOnly), nil
}

// toDate reads a day in a form of PostgreSQL.
func (f *functions) toDate(a []value) (value, error) {
	t, err := time.Parse(toLayout.Replace(asString(a[1])), asString(a[0]))
	if err != nil {
		return nil, f.fail("Write a form as 'YYYY-MM-DD'.", "'%s' is no day of the form '%s'",
			short(asString(a[0])), short(asString(a[1])))
	}
	return t.Format(time.DateOnly), nil
}

var toLayout = strings.NewReplacer("YYYY", "2006", "MM", "01", "DD", "02", "Month", "January", "Mon", "Jan", "YY", "06")

// datePart returns a part of a day.
func datePart(name string, t time.Time) float64 {
	year, week := t.ISOWeek()
	return float64(map[string]int{
		"year": t.Year(), "month": int(t.Month()), "day": t.Day(), "quarter": (int(t.Month()) + 2) / 3, "week": week, "isoyear": year,
		"dow": int(t.Weekday()), "isodow": (int(t.Weekday())+6)%7 + 1, "doy": t.YearDay(), "decade": t.Year() / 10,
		"century": (t.Year() + 99) / 100, "epoch": int(t.Unix()),
	}[name])
}

// truncated returns the first day of the period of a day.
func truncated(name string, t time.Time) (time.Time, bool) {
	first := func(year int, month time.Month) (time.Time, bool) {
		return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC), true
	}
	switch name {
	case "year":
		return first(t.Year(), 1)
	case "quarter":
		return first(t.Year(), (t.Month()-1)/3*3+1)
	case "month":
		return first(t.Year(), t.Month())
	case "week":
		return t.AddDate(0, 0, -(int(t.Weekday())+6)%7), true
	case "decade":
		return first(t.Year()/10*10, 1)
	case "day":
		return t, true
	}
	return t, false
}

// age returns the time between two days in years, months and days, as PostgreSQL writes it.
func age(to, from time.Time) string {
	sign := ""
	if to.Before(from) {
		to, from, sign = from, to, "-"
	}
	months := (to.Year()-from.Year())*12 + int(to.Month()) - int(from.Month())
	days := to.Day() - from.Day()
	if days < 0 {
		months--
		days += time.Date(from.Year(), from.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
	}
	var parts []string
	for _, part := range []struct {
		n    int
		name string
	}{{months / 12, "year"}, {months % 12, "mon"}, {days, "day"}} {
		if part.n == 1 && sign == "" {
			parts = append(parts, "1 "+part.name)
		} else if part.n > 0 {
			parts = append(parts, sign+strconv.Itoa(part.n)+" "+part.name+"s")
		}
	}
	if len(parts) == 0 {
		return "00:00:00"
	}
	return strings.Join(parts, " ")
}

// intervalPart returns a part of an age.
func intervalPart(name, text string) float64 {
	parts := map[string]float64{}
	fields := strings.Fields(text)
	for i := 0; i+1 < len(fields); i += 2 {
		parts[fields[i+1][:3]], _ = strconv.ParseFloat(fields[i], 64)
	}
	switch name {
	case "length":
		return parts["yea"]*360 + parts["mon"]*30 + parts["day"]
	case "year":
		return parts["yea"]
	case "month":
		return parts["mon"]
	case "day":
		return parts["day"]
	case "epoch":
		return (parts["yea"]*365.25 + parts["mon"]*30 + parts["day"]) * 86400
	}
	return 0
}

// formatDay writes a day by the patterns of to_char. FM before a pattern leaves out its blanks and leading zeros.
func formatDay(t time.Time, form string) string {
	year, week := t.ISOWeek()
	month, day := fmt.Sprintf("%-9s", t.Month()), fmt.Sprintf("%-9s", t.Weekday())
	numbered := func(n int) string { return fmt.Sprintf("%02d", n) }
	patterns := [][2]string{
		{"YYYY", t.Format("2006")}, {"IYYY", fmt.Sprintf("%04d", year)}, {"YY", t.Format("06")}, {"CC", numbered((t.Year() + 99) / 100)},
		{"MONTH", strings.ToUpper(month)}, {"Month", month}, {"month", strings.ToLower(month)}, {"MON", strings.ToUpper(month[:3])},
		{"Mon", month[:3]}, {"mon", strings.ToLower(month[:3])}, {"MM", t.Format("01")}, {"DDD", fmt.Sprintf("%03d", t.YearDay())},
		{"DD", t.Format("02")}, {"DAY", strings.ToUpper(day)}, {"Day", day}, {"day", strings.ToLower(day)},
		{"DY", strings.ToUpper(day[:3])}, {"Dy", day[:3]}, {"dy", strings.ToLower(day[:3])},
		{"ID", strconv.Itoa((int(t.Weekday())+6)%7 + 1)}, {"IW", numbered(week)},
		{"WW", numbered((t.YearDay()-1)/7 + 1)}, {"W", strconv.Itoa((t.Day()-1)/7 + 1)}, {"Q", strconv.Itoa((int(t.Month()) + 2) / 3)},
		{"HH24", "00"}, {"HH12", "12"}, {"HH", "12"}, {"MI", "00"}, {"SS", "00"}, {"AM", "AM"}, {"PM", "AM"}, {"am", "am"}, {"pm", "am"},
		{"D", strconv.Itoa(int(t.Weekday()) + 1)},
	}
	var out strings.Builder
	for form != "" {
		if form[0] == '"' {
			inner, rest, _ := strings.Cut(form[1:], `"`)
			out.WriteString(inner)
			form = rest
			continue
		}
		rest, fill := strings.CutPrefix(form, "FM")
		i := slices.IndexFunc(patterns, func(p [2]string) bool { return strings.HasPrefix(rest, p[0]) })
		switch {
		case i < 0:
			out.WriteByte(form[0])
			form = form[1:]
			continue
		case fill:
			out.WriteString(strings.TrimLeft(strings.TrimRight(patterns[i][1], " "), "0"))
		default:
			out.WriteString(patterns[i][1])
		}
		form = rest[len(patterns[i][0]):]
	}
	return out.String()
}
