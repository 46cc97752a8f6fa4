package runner

import (
	"database/sql/driver"
	"fmt"
	"regexp"
	"strconv"

	"modernc.org/sqlite"

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

// register makes the functions known to SQLite in this process.
func (f *functions) register() error {
	// Those that are NULL if an argument is.
	for _, all := range []map[string]scalar{f.texts(), f.numbers(), f.dates(), f.matching()} {
		for name, call := range all {
			if err := addFunction(name, func(args []value) (value, error) {
				for _, arg := range args {
					if arg == nil {
						return nil, nil
					}
				}
				v, err := call(args)
				if text, ok := v.(string); ok && len(text) > maxText {
					err = f.fail("Shorten it with left(x, 1000).", "a value has more than %d bytes", maxText)
				}
				return v, err
			}); err != nil {
				return err
			}
		}
	}
	for name, call := range map[string]scalar{
		"_several": func([]value) (value, error) {
			return nil, f.fail("Write an aggregate as max(x), or LIMIT 1.", "a query in an expression has more than one row")
		},
		"_greatest":  func(args []value) (value, error) { return extreme(args, 1), nil },
		"_least":     func(args []value) (value, error) { return extreme(args, -1), nil },
		"_concat":    func(args []value) (value, error) { return f.concat("", args) },
		"_concat_ws": f.concatWith,
		"_join":      f.join,
	} {
		if err := addFunction(name, call); err != nil {
			return err
		}
	}
	return f.aggregates()
}

func addFunction(name string, call scalar) error {
	return sqlite.RegisterFunction(name, &sqlite.FunctionImpl{NArgs: -1, Deterministic: true,
		Scalar: func(_ *sqlite.FunctionContext, args []value) (value, error) { return call(args) }})
}

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

// second returns the second argument as a text, or another text.
func second(args []value, other string) string {
	if len(args) > 1 {
		return asString(args[1])
	}
	return other
}

// short returns the begin of a text for a message.
func short(text string) string {
	if all := []rune(text); len(all) > 40 {
		return string(all[:40]) + "…"
	}
	return text
}
