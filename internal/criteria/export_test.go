package criteria

import "strings"

// Measure returns the measure that a name is for, or "".
func Measure(name string) string {
	tokens := lex(strings.Join(plainWords(name), " "))
	if what, to := tables().names.find(tokens, 0, nil); to == len(tokens) {
		return what
	}
	return ""
}
