// Package plaintext writes marked-up text as plain text: white space folded,
// scripts marked where they would read as another value, formulas in one line.
package plaintext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line is a text whose white space is folded as it grows.
type Line struct {
	// Text is what was added so far.
	Text []byte

	space bool // white space waits for a word
}

// Reset empties the line.
func (l *Line) Reset() { l.Text, l.space = l.Text[:0], false }

// Space adds white space, which is written before the next word.
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

// Script puts a mark in front of the script that begins at begin, where it would
// read as another value without.
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

// Insert puts a character in front of what stands at i.
func (l *Line) Insert(i int, c byte) {
	l.Text = append(l.Text, 0)
	copy(l.Text[i+1:], l.Text[i:])
	l.Text[i] = c
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
