package openfda

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

const reactionTerm = "patient.reaction.reactionmeddrapt"

// keywords are the fields that have their whole value as it is written. The others are split into words.
var keywords = map[string]bool{
	"id": true, "set_id": true, "application_number": true, "sponsor_name": true, "products.marketing_status": true, "product_ndc": true,
	"unii": true, "names.name": true, "codes.code": true, "codes.code_system": true, "serious": true, "patient.patientsex": true,
	"patient.patientagegroup": true, "patient.reaction.reactionoutcome": true, "primarysource.qualification": true,
}

// A parser reads the expressions that Biofact writes. It removes each part that it reads from text.
type parser struct {
	text   string
	failed bool
}

func (p *parser) take(token string) bool {
	rest, found := strings.CutPrefix(p.text, token)
	if found {
		p.text = rest
	}
	return found
}

// expression reads alternatives.
func (p *parser) expression() func(*record) bool {
	all := []func(*record) bool{p.conjunction()}
	for p.take(" OR ") {
		all = append(all, p.conjunction())
	}
	return func(r *record) bool {
		return slices.ContainsFunc(all, func(one func(*record) bool) bool { return one(r) })
	}
}

func (p *parser) conjunction() func(*record) bool {
	all := []func(*record) bool{p.term()}
	for p.take(" AND ") {
		all = append(all, p.term())
	}
	return func(r *record) bool {
		return !slices.ContainsFunc(all, func(one func(*record) bool) bool { return !one(r) })
	}
}

// term reads an expression in parentheses, or a condition on a field or on all of them.
func (p *parser) term() func(*record) bool {
	if p.take("(") {
		inner := p.expression()
		p.failed = p.failed || !p.take(")")
		return inner
	}
	field := ""
	if end := strings.IndexAny(p.text, `:"`); end > 0 && p.text[end] == ':' {
		field, p.text = p.text[:end], p.text[end+1:]
	}
	if p.take("[") {
		bounds, rest, closed := strings.Cut(p.text, "]")
		since, until, both := strings.Cut(bounds, " TO ")
		p.text, p.failed = rest, p.failed || !closed || !both
		return func(r *record) bool {
			return slices.ContainsFunc(r.values(field), func(v string) bool {
				return (since == "*" || v >= since) && (until == "*" || v <= until)
			})
		}
	}
	if !p.take("(") {
		return has(field, p.phrase())
	}
	var all []func(*record) bool
	for next := true; next; next = p.take(" OR ") {
		all = append(all, has(field, p.phrase()))
	}
	p.failed = p.failed || !p.take(")")
	return func(r *record) bool {
		return slices.ContainsFunc(all, func(one func(*record) bool) bool { return one(r) })
	}
}

// phrase reads a quoted text.
func (p *parser) phrase() string {
	var out strings.Builder
	if !p.take(`"`) {
		p.failed = true
		return ""
	}
	for i := 0; i < len(p.text); i++ {
		switch c := p.text[i]; c {
		case '"':
			p.text = p.text[i+1:]
			return out.String()
		case '\\':
			if i++; i < len(p.text) {
				out.WriteByte(p.text[i])
			}
		default:
			out.WriteByte(c)
		}
	}
	p.failed = true
	return ""
}

// has reports whether a field has a text; an empty field stands for all.
func has(field, phrase string) func(*record) bool {
	name, exact := strings.CutSuffix(field, ".exact")
	return func(r *record) bool {
		return slices.ContainsFunc(r.values(name), func(value string) bool {
			switch {
			case exact && name == reactionTerm:
				return strings.ToUpper(value) == phrase
			case exact || keywords[name]:
				return value == phrase
			}
			return strings.Contains(words(value), words(phrase))
		})
	}
}

// words returns the words of a text in lower case, with a space around each.
func words(text string) string {
	split := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return " " + strings.Join(split, " ") + " "
}

// values returns the values of a field, or of all fields.
func (r *record) values(field string) []string {
	if field == "" {
		return flat(r.fields)
	}
	at := []any{r.fields}
	for key := range strings.SplitSeq(field, ".") {
		var next []any
		for _, value := range at {
			if object, ok := value.(map[string]any); ok {
				value = object[key]
			} else {
				continue
			}
			if list, ok := value.([]any); ok {
				next = append(next, list...)
			} else {
				next = append(next, value)
			}
		}
		at = next
	}
	return flat(at)
}

// flat returns the texts and numbers in a value.
func flat(value any) (all []string) {
	switch v := value.(type) {
	case map[string]any:
		for _, inner := range v {
			all = append(all, flat(inner)...)
		}
	case []any:
		for _, inner := range v {
			all = append(all, flat(inner)...)
		}
	case nil:
	default:
		all = append(all, fmt.Sprint(v))
	}
	return all
}
