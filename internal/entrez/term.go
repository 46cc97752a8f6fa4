package entrez

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/boolean"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// stopWords are in nearly every record. Words that are also gene symbols, such as WAS, MET and CAN, are not in the list.
var stopWords = []string{
	"a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "it", "not", "of", "on", "or",
	"the", "to", "with",
}

var bracketed = lazyregexp.New(`\[[^\[\]]*\]`)

// Distinguishes reports whether a search text selects some records from others: it has at least two letters or digits, outside of brackets,
// in a word that is neither in nearly every record nor one of the others.
func Distinguishes(text string, others ...string) bool {
	return boolean.Distinguishes(bracketed.ReplaceAllString(text, " "), slices.Concat(stopWords, others))
}

var (
	symbolTag = lazyregexp.New(`(?i)\[\s*(sym|symbol|gene|gene\s+name|pref|preferred\s+symbol)\s*\]$`)
	isSymbol  = lazyregexp.New(`^[\pL\pN][\pL\pN._()@/'-]{0,63}$`)
)

// Symbol returns the gene symbol that a text may be: one word, bare, in quotes, or with the tag of a gene name.
func Symbol(text string) (symbol string, ok bool) {
	text = strings.TrimSpace(symbolTag.ReplaceAllString(strings.TrimSpace(text), ""))
	if len(text) > 2 && text[0] == '"' && text[len(text)-1] == '"' {
		text = text[1 : len(text)-1]
	}
	if !isSymbol.MatchString(text) || strings.Count(text, "(") != strings.Count(text, ")") || boolean.IsOperator(text) {
		return "", false
	}
	return text, true
}

// InField returns the term for a symbol in a field, as a phrase if the symbol has a character that Entrez reads as syntax.
func InField(symbol, field string) string {
	if strings.ContainsAny(symbol, "()") {
		symbol = `"` + symbol + `"`
	}
	return symbol + "[" + field + "]"
}
