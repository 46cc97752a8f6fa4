package envelope

import "strconv"

// UntilYear and sinceYear are the prefixes of the names of the buckets of all years up to one, and from one.
const UntilYear, SinceYear = "until ", "since "

// YearOf returns the year of a date, or 0 if the date stands for an open end.
func YearOf(date, open string) int {
	year, err := strconv.Atoi(date[:len(FirstDate)])
	if err != nil || date == open {
		return 0
	}
	return year
}

// FirstDate and lastDate are PubMed's values for the open ends of a range.
const FirstDate, LastDate = "1000", "3000"

// MaxCounts limits the requests of one call.
const MaxCounts = 20
