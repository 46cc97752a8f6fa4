package runner

import (
	"modernc.org/sqlite"
)

// register makes the functions known to SQLite in this process.
func (f *functions) register() error {
	// Those that are NULL if an argument is.
	for _, all := range []map[string]scalar{f.texts(), f.numbers(), f.dates(), f.matching(), f.arrays()} {
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
