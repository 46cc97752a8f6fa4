package openfda

import (
	"strings"
	"unicode"

	api "github.com/biofact-mcp/biofact/gen/openfda"
)

// An Expression is a search in the language of openFDA. Only the functions of this file make one.
type Expression string

// A Field is a field of an endpoint that can be searched, from the generated lists.
type Field interface {
	~string
	api.ApplicationField | api.LabelField | api.ProductField | api.RecallField | api.ReportField | api.SubstanceField | ShortageField
}

// A ShortageField is a field of the shortages. Their mapping is not published; these are in the field document.
type ShortageField string

// The fields of shortages that are searched.
const (
	ShortageGeneric ShortageField = "generic_name"
	ShortageUNII    ShortageField = "openfda.unii"
)

// Has returns the search for records of which a field has one of some texts. A field of words has the text as a phrase; the other fields
// have it as their whole value, case included. Texts without a letter or digit are left out; without any text the search is empty.
func Has[F Field](field F, texts ...string) Expression {
	return Expression(strings.TrimSuffix(string(field)+":"+string(Anywhere(texts...)), string(field)+":"))
}

// Between returns the search for records of which a field has a day from since to until, as YYYYMMDD; empty: open.
func Between[F Field](field F, since, until string) Expression {
	open := func(day string) string {
		if day == "" {
			return "*"
		}
		return strings.ReplaceAll(day, "-", "")
	}
	if since == "" && until == "" {
		return ""
	}
	return Expression(string(field) + ":[" + open(since) + " TO " + open(until) + "]")
}

// Any returns the search for records that one of some searches finds. Empty ones are left out.
func Any(searches ...Expression) Expression { return join(" OR ", searches) }

// All returns the search for records that all of some searches find. Empty ones are left out.
func All(searches ...Expression) Expression { return join(" AND ", searches) }

// Descending returns the order of a field, the highest value first.
func Descending[F Field](field F) string { return string(field) + ":desc" }

// Ascending returns the order of a field, the lowest value first.
func Ascending[F Field](field F) string { return string(field) + ":asc" }

func join(with string, searches []Expression) Expression {
	var parts []string
	for _, s := range searches {
		if s != "" {
			parts = append(parts, string(s))
		}
	}
	if len(parts) < 2 {
		return Expression(strings.Join(parts, with))
	}
	return Expression("(" + strings.Join(parts, with) + ")")
}

// Anywhere returns the search for records that have one of some texts in any field.
func Anywhere(texts ...string) Expression {
	var searches []Expression
	for _, text := range texts {
		if phrase := Clean(text); phrase != "" {
			searches = append(searches, Expression(`"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(phrase)+`"`))
		}
	}
	return Any(searches...)
}

// accepted are the characters, in addition to letters and digits of ASCII, that openFDA accepts in a query.
const accepted = ` &@%/\',._:()"[]{}-+><=*`

// Clean returns a text with the characters that openFDA accepts; others are spaces. Without a letter or digit it returns "".
func Clean(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)), strings.ContainsRune(accepted, r):
			return r
		case strings.ContainsRune("‐‑‒–—−", r):
			return '-'
		case strings.ContainsRune("‘’", r):
			return '\''
		}
		return ' '
	}, text)
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return ""
	}
	return strings.Join(strings.Fields(text), " ")
}
