package runner

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/tables/dialect"
)

// extreme returns the largest or the smallest value that is not NULL.
func extreme(args []value, sign int) (best value) {
	for _, arg := range args {
		if arg != nil && (best == nil || compareValues(arg, best)*sign > 0) {
			best = arg
		}
	}
	return best
}

func compareValues(a, b value) int {
	if x, ok := a.(string); ok {
		return strings.Compare(x, asString(b))
	}
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(asFloat(a), asFloat(b))
}

// numbers returns the functions of numbers.
func (f *functions) numbers() map[string]scalar {
	one := func(call func(float64) float64) scalar {
		return func(a []value) (value, error) {
			x := call(asFloat(a[0]))
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, f.fail("Leave such values out with WHERE.", "a function has no value for %s", asString(a[0]))
			}
			return x, nil
		}
	}
	all := map[string]scalar{
		"_log": func(a []value) (value, error) {
			if len(a) == 1 {
				return one(math.Log10)(a)
			}
			return one(func(x float64) float64 { return math.Log(x) / math.Log(asFloat(a[0])) })(a[1:])
		},
		"_power": func(a []value) (value, error) {
			return one(func(x float64) float64 { return math.Pow(x, asFloat(a[1])) })(a[:1])
		},
		"_round":        func(a []value) (value, error) { return round(asFloat(a[0]), a[1:], false), nil },
		"_trunc":        func(a []value) (value, error) { return round(asFloat(a[0]), a[1:], true), nil },
		"_div":          f.divide,
		"_mod":          f.modulo,
		"_width_bucket": f.bucket,
		"_quotient":     f.quotient,
		"_int":          f.integer,
		"_whole": func(a []value) (value, error) {
			if _, ok := a[0].(int64); !ok {
				return nil, f.tooLarge()
			}
			return a[0], nil
		},
		"_real": func(a []value) (value, error) {
			x, err := strconv.ParseFloat(strings.TrimSpace(asString(a[0])), 64)
			if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
				return nil, f.fail("Leave such values out with WHERE x ~ '^[0-9.]+$', or use the column that ends in _num.",
					"'%s' is no number", short(asString(a[0])))
			}
			return x, nil
		},
		"_bool": func(a []value) (value, error) {
			if truth, known := dialect.Truth(asString(a[0])); known {
				return number(truth), nil
			}
			return nil, f.fail("Compare with the text itself.", "'%s' is no boolean value", short(asString(a[0])))
		},
	}
	for name, call := range ofOneNumber {
		all[name] = one(call)
	}
	return all
}

// ofOneNumber are the functions of one number.
var ofOneNumber = map[string]func(float64) float64{
	"_sign":    func(x float64) float64 { return float64(cmp.Compare(x, 0)) },
	"_ceil":    func(x float64) float64 { return math.Ceil(written(x)) },
	"_floor":   func(x float64) float64 { return math.Floor(written(x)) },
	"_radians": func(x float64) float64 { return x * math.Pi / 180 },
	"_degrees": func(x float64) float64 { return x * 180 / math.Pi },
	"_even":    math.RoundToEven, "_sqrt": math.Sqrt, "_cbrt": math.Cbrt, "_exp": math.Exp, "_ln": math.Log,
	"_sin": math.Sin, "_cos": math.Cos, "_tan": math.Tan, "_asin": math.Asin, "_acos": math.Acos, "_atan": math.Atan,
}

// bucket returns the number of the part of a range in which a number lies.
func (f *functions) bucket(a []value) (value, error) {
	x, low, high, n := asFloat(a[0]), asFloat(a[1]), asFloat(a[2]), asInt(a[3])
	if n < 1 || low >= high {
		return nil, f.fail("Write width_bucket(x, 0, 1000, 10).", "width_bucket has no buckets between its bounds")
	}
	return int64(max(0, min(float64(n)+1, math.Floor((x-low)/(high-low)*float64(n))+1))), nil
}

// round returns a number with some decimal places, halves away from zero, as PostgreSQL rounds numeric values.
func round(x float64, places []value, cut bool) float64 {
	n := 0
	if len(places) > 0 {
		n = int(max(-30, min(30, asInt(places[0]))))
	}
	exact, ok := new(big.Rat).SetString(strconv.FormatFloat(written(x), 'g', -1, 64))
	if !ok {
		return x
	}
	scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil))
	if n < 0 {
		scale.Inv(scale)
	}
	exact.Mul(exact, scale)
	integer := new(big.Rat)
	if cut {
		integer.SetInt(new(big.Int).Quo(exact.Num(), exact.Denom()))
	} else {
		integer.SetString(exact.FloatString(0))
	}
	out, _ := integer.Quo(integer, scale).Float64()
	return out
}

// written returns the number of 15 digits that a number stands for: 0.1 + 0.2 is 0.3.
func written(x float64) float64 {
	if y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 15, 64), 64); err == nil && math.Abs(x) < 1e12 {
		return y
	}
	return x
}

// numeral returns the text of a number: of a numeric value with its places, if they are known.
func numeral(a []value) (value, error) {
	if len(a) == 1 {
		return asString(a[0]), nil
	}
	return strconv.FormatFloat(written(asFloat(a[0])), 'f', int(asInt(a[1])), 64), nil
}

func (f *functions) zero(v value) error {
	if asFloat(v) == 0 {
		return f.fail("Write nullif(x, 0) below the line.", "a number is divided by zero")
	}
	return nil
}

func (f *functions) divide(a []value) (value, error) {
	if err := f.zero(a[1]); err != nil {
		return nil, err
	}
	x, isInt := a[0].(int64)
	if y, ok := a[1].(int64); ok && isInt {
		if x == math.MinInt64 && y == -1 {
			return nil, f.tooLarge()
		}
		return x / y, nil
	}
	return asFloat(a[0]) / asFloat(a[1]), nil
}

func (f *functions) modulo(a []value) (value, error) {
	if err := f.zero(a[1]); err != nil {
		return nil, err
	}
	x, isInt := a[0].(int64)
	if y, ok := a[1].(int64); ok && isInt {
		return x % y, nil
	}
	return math.Mod(asFloat(a[0]), asFloat(a[1])), nil
}

func (f *functions) quotient(a []value) (value, error) {
	v, err := f.divide(a)
	if x, ok := v.(float64); ok {
		return math.Trunc(x), err
	}
	return v, err
}

// tooLarge returns the error of a whole number that has no room.
func (f *functions) tooLarge() error { return f.fail(largeNumber.Next, "%s", largeNumber.Message) }

func (f *functions) integer(a []value) (value, error) {
	if x, ok := a[0].(float64); ok {
		if math.Abs(x) >= 1<<63 {
			return nil, f.tooLarge()
		}
		return int64(math.Round(written(x))), nil
	}
	n, err := strconv.ParseInt(strings.TrimSpace(asString(a[0])), 10, 64)
	if err != nil {
		return nil, f.fail("Leave such values out with WHERE x ~ '^[0-9]+$', or use the column that ends in _num.",
			"'%s' is no whole number", short(asString(a[0])))
	}
	return n, nil
}
