// Package plaintext converts text with markup to plain text: it folds white space, marks scripts that would read as another value, and
// writes formulas in one line.
package plaintext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Line is a text whose white space is folded while it is built.
type Line struct {
	// Text is the text so far.
	Text []byte

	space bool // white space must precede the next word
}

// Reset empties the line.
func (l *Line) Reset() { l.Text, l.space = l.Text[:0], false }

// Space adds white space before the next word.
func (l *Line) Space() { l.space = true }

// Add adds text.
func (l *Line) Add(text []byte) {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if unicode.IsSpace(r) {
			l.space = true
		} else {
			if l.space && len(l.Text) > 0 {
				l.Text = append(l.Text, ' ')
			}
			l.space = false
			l.Text = append(l.Text, text[:n]...)
		}
		text = text[n:]
	}
}

// Script inserts mark before the script that begins at begin, if the script would read as another value without it.
func (l *Line) Script(begin int, mark byte) {
	first, n := utf8.DecodeRune(l.Text[begin:])
	if begin > 0 && strings.ContainsRune("+-\u2212\u2013", first) && n < len(l.Text)-begin {
		second := l.Text[begin+n]
		if digit(second) && (mark == '^' || digit(l.Text[begin-1])) {
			l.Insert(begin, mark)
		}
		return
	}
	if begin > 0 && begin < len(l.Text) && digit(l.Text[begin]) && digit(l.Text[begin-1]) {
		l.Insert(begin, mark)
	}
}

// Insert inserts a character at position i.
func (l *Line) Insert(i int, c byte) {
	l.Text = append(l.Text, 0)
	copy(l.Text[i+1:], l.Text[i:])
	l.Text[i] = c
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
