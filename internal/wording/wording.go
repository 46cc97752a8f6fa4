// Package wording knows the words that say nothing about a subject, and the spellings of a word. It knows no source and no tool.
package wording

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed generic.txt
var genericText string

// Words returns the words of the language, and those that appear in texts about any person or study.
func Words() (words []string) {
	for line := range strings.Lines(genericText) {
		if !strings.HasPrefix(line, "#") {
			words = append(words, strings.Fields(line)...)
		}
	}
	return words
}

var generic = sync.OnceValue(Words)

// Generic reports whether a word in lower case says nothing about a subject: one of Words, its plural, or a number.
func Generic(word string) bool {
	return slices.Contains(generic(), word) || slices.Contains(generic(), strings.TrimSuffix(word, "s")) ||
		strings.Trim(word, "0123456789.") == ""
}

// Bare returns a word without the punctuation around it.
func Bare(word string) string { return strings.Trim(word, ".,;:!?'…") }

// pairs are the British and the American form of a part of a word.
var pairs = [][2]string{
	{"aemia", "emia"}, {"aemic", "emic"}, {"haem", "hem"}, {"paed", "ped"}, {"anaes", "anes"}, {"gynaec", "gynec"}, {"ischaem", "ischem"},
	{"caec", "cec"}, {"faec", "fec"}, {"oedem", "edem"}, {"oesoph", "esoph"}, {"oestr", "estr"}, {"foet", "fet"}, {"rrhoea", "rrhea"},
	{"dyspnoea", "dyspnea"}, {"apnoea", "apnea"}, {"tumour", "tumor"}, {"behaviour", "behavior"}, {"colour", "color"}, {"labour", "labor"},
	{"isation", "ization"}, {"ised", "ized"}, {"ising", "izing"}, {"lyse", "lyze"}, {"fibre", "fiber"}, {"centre", "center"},
	{"leukaem", "leukem"}, {"sulph", "sulf"}, {"aetiol", "etiol"}, {"orthopaed", "orthoped"}, {"programme", "program"}, {"ageing", "aging"},
}

// Spellings returns a word and its other spellings: British and American, and without its hyphen.
func Spellings(text string) []string {
	all, lower := []string{text}, strings.ToLower(text)
	for _, p := range pairs {
		for _, form := range [][2]string{p, {p[1], p[0]}} {
			if strings.Contains(form[1], form[0]) && strings.Contains(lower, form[1]) { // program in programme
				continue
			}
			if other := strings.Replace(lower, form[0], form[1], 1); other != lower {
				all = append(all, other)
				break
			}
		}
	}
	letters := func(s string) bool {
		return len(s) > 1 && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz") == ""
	}
	if left, right, ok := strings.Cut(text, "-"); ok && letters(left) && letters(right) {
		all = append(all, left+right)
	}
	slices.Sort(all[1:])
	return slices.Compact(all)
}
