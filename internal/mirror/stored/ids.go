package stored

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/query"
)

// NCT returns the NCT id with a number.
func NCT(id int64) string { return fmt.Sprintf("NCT%08d", id) }

// Number returns the number of an NCT id in the spelling of records.
func Number(nct string) (int64, bool) {
	digits, ok := strings.CutPrefix(nct, "NCT")
	if !ok || len(digits) != 8 {
		return 0, false
	}
	id, err := strconv.ParseInt(digits, 10, 64)
	return id, err == nil && id > 0
}

// Day returns the number yyyymmdd of a date yyyy-mm-dd.
func Day(text string) (int64, bool) {
	if len(text) != len("yyyy-mm-dd") || text[4] != '-' || text[7] != '-' {
		return 0, false
	}
	n, err := strconv.ParseInt(text[:4]+text[5:7]+text[8:], 10, 64)
	return n, err == nil
}

// LastUpdate returns the day of the last update of a record, 0 without a day of the calendar: requests contain it.
func LastUpdate(body map[string]any) int64 {
	text := query.FirstDay(query.First(body, "LastUpdatePostDate"))
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return 0
	}
	day, _ := Day(text)
	return day
}

// Date returns the date yyyy-mm-dd of a number yyyymmdd.
func Date(day int64) string { return fmt.Sprintf("%04d-%02d-%02d", day/10000, day/100%100, day%100) }
