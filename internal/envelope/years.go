package envelope

import "strconv"

// The prefixes of the names of the buckets of all years up to one, and from one.
const (
	UntilYear = "until "
	SinceYear = "since "
)

// YearOf returns the year of a date, or 0 if the date stands for an open end.
func YearOf(date, open string) int {
	year, err := strconv.Atoi(date[:len(FirstDate)])
	if err != nil || date == open {
		return 0
	}
	return year
}

// PubMed's values for the open ends of a range of dates.
const (
	FirstDate = "1000"
	LastDate  = "3000"
)

// MaxCounts limits the requests of one call that counts groups.
const MaxCounts = 20
