package runner

import (
	"cmp"
	"database/sql/driver"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"time"
	"unicode"

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
						return nil, nil //nolint:nilnil // NULL is a value
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

func (f *functions) texts() map[string]scalar {
	return map[string]scalar{
		"_lower":   oneText(strings.ToLower),
		"_upper":   oneText(strings.ToUpper),
		"_initcap": oneText(initCap),
		"_reverse": oneText(reversed),
		"_trim":    func(a []value) (value, error) { return strings.Trim(asString(a[0]), second(a, " ")), nil },
		"_ltrim":   func(a []value) (value, error) { return strings.TrimLeft(asString(a[0]), second(a, " ")), nil },
		"_rtrim":   func(a []value) (value, error) { return strings.TrimRight(asString(a[0]), second(a, " ")), nil },
		"_repeat": func(a []value) (value, error) {
			text, n := asString(a[0]), max(0, asInt(a[1]))
			if n > 0 && int64(len(text)) > maxText/n {
				return nil, f.fail("Repeat it less often.", "a value has more than %d bytes", maxText)
			}
			return strings.Repeat(text, int(n)), nil
		},
		"_lpad": func(a []value) (value, error) { return f.pad(a, true) },
		"_rpad": func(a []value) (value, error) { return f.pad(a, false) },
		"_left": func(a []value) (value, error) {
			all, n := []rune(asString(a[0])), asInt(a[1])
			if n < 0 {
				n = max(0, int64(len(all))+n)
			}
			return string(all[:min(n, int64(len(all)))]), nil
		},
		"_right": func(a []value) (value, error) {
			all, n := []rune(asString(a[0])), asInt(a[1])
			if n < 0 {
				return string(all[min(-n, int64(len(all))):]), nil
			}
			return string(all[max(0, int64(len(all))-n):]), nil
		},
		"_substr":     f.substring,
		"_split_part": f.splitPart,
		"_translate": func(a []value) (value, error) {
			from, to := []rune(asString(a[1])), []rune(asString(a[2]))
			return strings.Map(func(r rune) rune {
				for i, other := range from {
					if r == other && i < len(to) {
						return to[i]
					}
					if r == other {
						return -1
					}
				}
				return r
			}, asString(a[0])), nil
		},
		"_starts_with": func(a []value) (value, error) { return number(strings.HasPrefix(asString(a[0]), asString(a[1]))), nil },
		"_text":        func(a []value) (value, error) { return asString(a[0]), nil },
	}
}

func number(on bool) int64 {
	if on {
		return 1
	}
	return 0
}

func initCap(text string) string {
	inside := false
	return strings.Map(func(r rune) rune {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		defer func() { inside = letter }()
		if inside {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, text)
}

func reversed(text string) string {
	all := []rune(text)
	for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = all[j], all[i]
	}
	return string(all)
}

func (f *functions) pad(a []value, left bool) (value, error) {
	text, n, fill := []rune(asString(a[0])), asInt(a[1]), []rune(" ")
	if len(a) > 2 {
		fill = []rune(asString(a[2]))
	}
	if n > maxText/4 {
		return nil, f.fail("Pad to a smaller length.", "a value has more than %d bytes", maxText)
	}
	if n <= int64(len(text)) || len(fill) == 0 {
		return string(text[:max(0, min(n, int64(len(text))))]), nil
	}
	var more []rune
	for i := 0; int64(len(text)+len(more)) < n; i++ {
		more = append(more, fill[i%len(fill)])
	}
	if left {
		return string(more) + string(text), nil
	}
	return string(text) + string(more), nil
}

func (f *functions) substring(a []value) (value, error) {
	all, from, end := []rune(asString(a[0])), asInt(a[1]), int64(math.MaxInt32)
	if len(a) > 2 {
		if asInt(a[2]) < 0 {
			return nil, f.fail("Write a length of at least 0.", "the length of substring is negative")
		}
		end = from + min(asInt(a[2]), math.MaxInt32)
	}
	size := int64(len(all)) + 1
	from, end = min(max(1, from), size), min(max(1, end), size)
	return string(all[from-1 : max(from, end)-1]), nil
}

func (f *functions) splitPart(a []value) (value, error) {
	n := asInt(a[2])
	parts := []string{asString(a[0])}
	if by := asString(a[1]); by != "" {
		parts = strings.Split(parts[0], by)
	}
	if n < 0 {
		n = int64(len(parts)) + n + 1
	}
	switch {
	case asInt(a[2]) == 0:
		return nil, f.fail("Count from 1.", "split_part has no part 0")
	case n < 1 || n > int64(len(parts)):
		return "", nil
	}
	return parts[n-1], nil
}

// concat joins the values that are not NULL.
func (f *functions) concat(by string, args []value) (value, error) {
	var parts []string
	size := 0
	for _, arg := range args {
		if arg != nil {
			parts = append(parts, asString(arg))
			size += len(parts[len(parts)-1]) + len(by)
		}
	}
	if size > maxText {
		return nil, f.fail("Join fewer rows, or shorten them with left(x, 100).", "a value has more than %d bytes", maxText)
	}
	return strings.Join(parts, by), nil
}

func (f *functions) concatWith(args []value) (value, error) {
	if args[0] == nil {
		return nil, nil //nolint:nilnil // NULL is a value
	}
	return f.concat(asString(args[0]), args[1:])
}

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
	return map[string]scalar{
		"_sign":  one(func(x float64) float64 { return float64(cmp.Compare(x, 0)) }),
		"_ceil":  one(math.Ceil),
		"_floor": one(math.Floor),
		"_sqrt":  one(math.Sqrt),
		"_exp":   one(math.Exp),
		"_ln":    one(math.Log),
		"_log": func(a []value) (value, error) {
			if len(a) == 1 {
				return one(math.Log10)(a)
			}
			return one(func(x float64) float64 { return math.Log(x) / math.Log(asFloat(a[0])) })(a[1:])
		},
		"_power": func(a []value) (value, error) {
			return one(func(x float64) float64 { return math.Pow(x, asFloat(a[1])) })(a[:1])
		},
		"_round":    func(a []value) (value, error) { return round(asFloat(a[0]), a[1:], false), nil },
		"_trunc":    func(a []value) (value, error) { return round(asFloat(a[0]), a[1:], true), nil },
		"_div":      f.divide,
		"_mod":      f.modulo,
		"_quotient": func(a []value) (value, error) { return f.quotient(a) },
		"_int":      f.integer,
		"_real": func(a []value) (value, error) {
			x, err := strconv.ParseFloat(strings.TrimSpace(asString(a[0])), 64)
			if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
				return nil, f.fail("Leave such values out with WHERE x ~ '^[0-9.]+$', or use the column that ends in _num.", "'%s' is no number",
					short(asString(a[0])))
			}
			return x, nil
		},
		"_bool": func(a []value) (value, error) {
			switch strings.ToLower(strings.TrimSpace(asString(a[0]))) {
			case "t", "true", "y", "yes", "on", "1":
				return int64(1), nil
			case "f", "false", "n", "no", "off", "0":
				return int64(0), nil
			}
			return nil, f.fail("Compare with the text itself.", "'%s' is no boolean value", short(asString(a[0])))
		},
	}
}

// short returns the begin of a text for a message.
func short(text string) string {
	if all := []rune(text); len(all) > 40 {
		return string(all[:40]) + "…"
	}
	return text
}

// round returns a number with some decimal places, halves away from zero, as PostgreSQL rounds numeric values.
func round(x float64, places []value, cut bool) float64 {
	n := 0
	if len(places) > 0 {
		n = int(max(-30, min(30, asInt(places[0]))))
	}
	exact, ok := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
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
	if y, ok := a[1].(int64); ok && isInt && y != -1 {
		return x / y, nil
	} else if ok && isInt {
		return -x, nil
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

func (f *functions) integer(a []value) (value, error) {
	if x, ok := a[0].(float64); ok {
		return int64(math.Round(x)), nil
	}
	n, err := strconv.ParseInt(strings.TrimSpace(asString(a[0])), 10, 64)
	if err != nil {
		return nil, f.fail("Leave such values out with WHERE x ~ '^[0-9]+$', or use the column that ends in _num.", "'%s' is no whole number",
			short(asString(a[0])))
	}
	return n, nil
}

// pattern compiles a regular expression of PostgreSQL.
func (f *functions) pattern(text, flags string) (*regexp.Regexp, error) {
	key := flags + "/" + text
	if found := f.patterns[key]; found != nil {
		return found, nil
	}
	if len([]rune(text)) > maxPattern {
		return nil, f.fail("Write a shorter pattern.", "a pattern has more than %d characters", maxPattern)
	}
	prefix := "(?s)"
	if strings.Contains(flags, "i") {
		prefix = "(?si)"
	}
	expression := prefix + strings.NewReplacer(`\\`, `\\`, `\y`, `\b`, `\m`, `\b`, `\M`, `\b`, `\Y`, `\B`).Replace(text)
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil, f.fail("Write it without references, look-around and repeated repetition.", "the pattern '%s' is not read", short(text))
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(program.Inst) > maxProgram {
		return nil, f.fail("Repeat less, as in {1,20}.", "the pattern '%s' is too large", short(text))
	}
	compiled, err := regexp.Compile(expression)
	if err != nil {
		return nil, err
	}
	if len(f.patterns) > 50 {
		clear(f.patterns)
	}
	f.patterns[key] = compiled
	return compiled, nil
}

func (f *functions) matching() map[string]scalar {
	with := func(at int, call func(a []value, p *regexp.Regexp) value) scalar {
		return func(a []value) (value, error) {
			flags := ""
			switch last := a[len(a)-1]; {
			case at == 0 && asInt(last) == 1:
				flags = "i"
			case at == 1 && len(a) > 2:
				flags = asString(last)
			}
			p, err := f.pattern(asString(a[at]), flags)
			if err != nil {
				return nil, err
			}
			return call(a, p), nil
		}
	}
	part := func(a []value, p *regexp.Regexp, group int) value {
		found := p.FindStringSubmatch(asString(a[0]))
		if found == nil {
			return nil
		}
		return found[min(group, len(found)-1)]
	}
	return map[string]scalar{
		"_like":          f.like,
		"_regexp":        with(0, func(a []value, p *regexp.Regexp) value { return number(p.MatchString(asString(a[1]))) }),
		"_regexp_like":   with(1, func(a []value, p *regexp.Regexp) value { return number(p.MatchString(asString(a[0]))) }),
		"_regexp_substr": with(1, func(a []value, p *regexp.Regexp) value { return part(a, p, 0) }),
		"_regexp_part":   with(1, func(a []value, p *regexp.Regexp) value { return part(a, p, 1) }),
		"_regexp_count": with(1, func(a []value, p *regexp.Regexp) value {
			return int64(len(p.FindAllStringIndex(asString(a[0]), maxText)))
		}),
		"_regexp_replace": func(a []value) (value, error) {
			flags := ""
			if len(a) > 3 {
				flags = asString(a[3])
			}
			p, err := f.pattern(asString(a[1]), flags)
			if err != nil {
				return nil, err
			}
			return f.replace(p, asString(a[0]), asString(a[2]), strings.Contains(flags, "g"))
		},
	}
}

// replace replaces the matches of a pattern. \1 stands for the first group, \& for the match.
func (f *functions) replace(p *regexp.Regexp, text, by string, all bool) (value, error) {
	limit := 1
	if all {
		limit = -1
	}
	var out []byte
	at := 0
	for _, m := range p.FindAllStringSubmatchIndex(text, limit) {
		out = append(out, text[at:m[0]]...)
		for i := 0; i < len(by); i++ {
			group := -1
			if by[i] == '\\' && i+1 < len(by) {
				switch next := by[i+1]; {
				case next >= '1' && next <= '9':
					group = int(next - '0')
				case next == '&':
					group = 0
				}
				i++
			}
			switch {
			case group < 0:
				out = append(out, by[i])
			case 2*group+1 < len(m) && m[2*group] >= 0:
				out = append(out, text[m[2*group]:m[2*group+1]]...)
			}
		}
		if at = m[1]; len(out) > maxText {
			return nil, f.fail("Replace less.", "a value has more than %d bytes", maxText)
		}
	}
	return string(append(out, text[at:]...)), nil
}

// like reports whether a text matches a pattern of LIKE, in time linear in the text for each part between %.
func (f *functions) like(a []value) (value, error) {
	pattern, text := asString(a[0]), asString(a[1])
	if len([]rune(pattern)) > maxPattern {
		return nil, f.fail("Write a shorter pattern.", "a pattern has more than %d characters", maxPattern)
	}
	if asInt(a[2]) == 1 {
		pattern, text = strings.ToLower(pattern), strings.ToLower(text)
	}
	if inner := strings.Trim(pattern, "%"); len(pattern) == len(inner)+2 && strings.HasPrefix(pattern, "%") && !strings.ContainsAny(inner, `%_\`) {
		return number(strings.Contains(text, inner)), nil
	}
	if strings.HasSuffix(pattern, `\`) && !strings.HasSuffix(pattern, `\\`) {
		return nil, f.fail(`Write \\ for a backslash.`, "a pattern ends with a backslash")
	}
	return number(likeMatch([]rune(pattern), []rune(text))), nil
}

func likeMatch(pattern, text []rune) bool {
	p, t, star, mark := 0, 0, -1, 0
	for t < len(text) {
		escaped := p+1 < len(pattern) && pattern[p] == '\\'
		switch {
		case p < len(pattern) && pattern[p] == '%':
			star, mark = p, t
			p++
		case escaped && pattern[p+1] == text[t]:
			p, t = p+2, t+1
		case p < len(pattern) && !escaped && (pattern[p] == '_' || pattern[p] == text[t]):
			p, t = p+1, t+1
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '%' {
		p++
	}
	return p == len(pattern)
}

func (f *functions) dates() map[string]scalar {
	day := func(v value) (time.Time, error) {
		t, err := time.Parse(time.DateOnly, asString(v))
		if err != nil {
			return t, f.fail("Write ::text, or leave such values out.", "'%s' is no day", short(asString(v)))
		}
		return t, nil
	}
	return map[string]scalar{
		"_add": func(a []value) (value, error) {
			t, err := day(a[0])
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
		},
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
		"_date_trunc": func(a []value) (value, error) {
			t, err := day(a[1])
			if err != nil {
				return nil, err
			}
			if t, ok := truncated(asString(a[0]), t); ok {
				return t.Format(time.DateOnly), nil
			}
			return nil, f.fail("Write 'year', 'quarter', 'month', 'week' or 'day'.", "date_trunc does not read '%s'", short(asString(a[0])))
		},
		"_make_date": func(a []value) (value, error) {
			text := fmt.Sprintf("%04d-%02d-%02d", asInt(a[0]), asInt(a[1]), asInt(a[2]))
			_, err := day(text)
			return text, err
		},
		"_to_date": func(a []value) (value, error) {
			layout := toLayout.Replace(asString(a[1]))
			t, err := time.Parse(layout, asString(a[0]))
			if err != nil {
				return nil, f.fail("Write a form as 'YYYY-MM-DD'.", "'%s' is no day of the form '%s'", short(asString(a[0])), short(asString(a[1])))
			}
			return t.Format(time.DateOnly), nil
		},
		"_to_char": func(a []value) (value, error) {
			t, err := day(a[0])
			if err != nil {
				return nil, err
			}
			return formatDay(t, asString(a[1])), nil
		},
		"_age": func(a []value) (value, error) {
			to, err := day(a[0])
			from, err2 := day(a[1])
			if err != nil || err2 != nil {
				return nil, f.problem
			}
			return age(to, from), nil
		},
	}
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
		if part.n == 1 {
			parts = append(parts, sign+"1 "+part.name)
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

// formatDay writes a day by the patterns of to_char.
func formatDay(t time.Time, form string) string {
	year, week := t.ISOWeek()
	short := strings.HasPrefix(form, "FM")
	patterns := []struct{ name, text string }{
		{"FM", ""}, {"YYYY", t.Format("2006")}, {"IYYY", fmt.Sprintf("%04d", year)}, {"YY", t.Format("06")},
		{"MONTH", fmt.Sprintf("%-9s", strings.ToUpper(t.Month().String()))}, {"Month", fmt.Sprintf("%-9s", t.Month())},
		{"month", fmt.Sprintf("%-9s", strings.ToLower(t.Month().String()))}, {"MON", strings.ToUpper(t.Format("Jan"))}, {"Mon", t.Format("Jan")},
		{"mon", strings.ToLower(t.Format("Jan"))}, {"MM", t.Format("01")}, {"DDD", fmt.Sprintf("%03d", t.YearDay())}, {"DD", t.Format("02")},
		{"Day", fmt.Sprintf("%-9s", t.Weekday())}, {"DY", strings.ToUpper(t.Format("Mon"))}, {"Dy", t.Format("Mon")}, {"IW", fmt.Sprintf("%02d", week)},
		{"Q", strconv.Itoa((int(t.Month()) + 2) / 3)}, {"HH24", "00"}, {"MI", "00"}, {"SS", "00"}, {"D", strconv.Itoa(int(t.Weekday()) + 1)},
	}
	var out strings.Builder
	for form != "" {
		if form[0] == '"' {
			inner, rest, _ := strings.Cut(form[1:], `"`)
			out.WriteString(inner)
			form = rest
			continue
		}
		known := false
		for _, p := range patterns {
			if rest, ok := strings.CutPrefix(form, p.name); ok {
				text := p.text
				if short {
					text = strings.TrimLeft(strings.TrimRight(text, " "), "0")
				}
				out.WriteString(text)
				form, known = rest, true
				break
			}
		}
		if !known {
			out.WriteByte(form[0])
			form = form[1:]
		}
	}
	return out.String()
}
