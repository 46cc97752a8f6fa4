package runner

import (
	"database/sql/driver"
	"fmt"
	"regexp"
	"strconv"

	"github.com/biofact-mcp/biofact/internal/tables/dialect"
)

const (
	maxText      = 1_000_000 // bytes of a value
	maxPattern   = 300       // characters
	maxProgram   = 600       // instructions of a compiled pattern
	maxCollected = 2_000_000 // values that the aggregates of a statement keep
)

// functions are the functions of a statement that SQLite lacks or that PostgreSQL defines otherwise. SQLite does not interrupt them, so
// each is bounded.
type functions struct {
	problem   *dialect.Problem // of the first one that failed
	patterns  map[string]*regexp.Regexp
	collected int
}

// fail returns an error whose problem the answer has: SQLite would put its own words before it.
func (f *functions) fail(next, format string, args ...any) error {
	if f.problem == nil {
		f.problem = &dialect.Problem{Message: fmt.Sprintf(format, args...), Next: next}
	}
	return f.problem
}

type (
	value  = driver.Value
	scalar = func(args []value) (value, error)
)

// asString returns a value as a text.
func asString(v value) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []byte:
		return string(v)
	}
	return ""
}

func asFloat(v value) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

func asInt(v value) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case float64:
		return int64(v)
	}
	return 0
}

// oneText returns a function of one text.
func oneText(call func(string) string) scalar {
	return func(args []value) (value, error) { return call(asString(args[0])), nil }
}

// short returns the begin of a text for a message.
func short(text string) string {
	if all := []rune(text); len(all) > 40 {
		return string(all[:40]) + "…"
	}
	return text
}
