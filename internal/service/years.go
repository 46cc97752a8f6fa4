package service

import "strconv"

// untilYear and sinceYear are the prefixes of the names of the buckets of all years up to one, and from one.
const untilYear, sinceYear = "until ", "since "

// yearOf returns the year of a date, or 0 if the date stands for an open end.
func yearOf(date, open string) int {
	year, err := strconv.Atoi(date[:len(firstDate)])
	if err != nil || date == open {
		return 0
	}
	return year
}

// firstDate and lastDate are PubMed's values for the open ends of a range.
const firstDate, lastDate = "1000", "3000"

// maxCounts limits the requests of one call.
const maxCounts = 20
