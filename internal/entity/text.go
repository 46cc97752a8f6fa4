package entity

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// Clean returns text without what could make it more than data to a reader:
// control characters other than newline and tab, and bidirectional
// embeddings, overrides and isolates.
func Clean(text string) string {
	clean := true
	for _, r := range text {
		if unwanted(r) {
			clean = false
			break
		}
	}
	if clean {
		return text
	}
	return strings.Map(func(r rune) rune {
		if unwanted(r) {
			return -1
		}
		return r
	}, text)
}

func unwanted(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case unicode.IsControl(r):
		return true
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// Cut returns text within limit characters: whole, or cut after a word and
// ended by an ellipsis.
func Cut(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	end, count := 0, 0 // end is the byte offset after limit-1 characters
	for i := range text {
		if count == limit-1 {
			end = i
			break
		}
		count++
	}
	cut := text[:end]
	next, _ := utf8.DecodeRuneInString(text[end:])
	if !unicode.IsSpace(next) {
		if i := strings.LastIndexFunc(cut, unicode.IsSpace); i > 0 {
			cut = cut[:i]
		}
	}
	return strings.TrimRightFunc(cut, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:", r) }) + "…"
}

// Distance counts the letters in which two words differ, whatever way they are
// written. Two letters that changed places count once.
func Distance(a, b string) int {
	a, b = Fold(a), Fold(b)
	distance := levenshtein.ComputeDistance(a, b)
	if distance == 2 && slices.Equal(slices.Sorted(strings.SplitSeq(a, "")), slices.Sorted(strings.SplitSeq(b, ""))) {
		return 1
	}
	return distance
}

// Fold leaves the ASCII letters and digits of a text, in lower case: what
// people mean by a word, whatever way they write it.
func Fold(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, text)
}
