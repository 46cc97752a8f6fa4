package criteria

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// longestPiece limits the bytes that are read as one: a longer line is read in pieces, so that the time is linear in its length.
const longestPiece = 4000

// Limits returns the limits in the words of a line, in its order.
func (l *Line) Limits() []Limit { return read(l.Text, l.Start, false) }

// Values returns the measured values that a text states, such as "ECOG 1" or "blood pressure 150/85 mmHg".
func Values(text string) []Limit { return read(text[:min(len(text), longestPiece)], 0, true) }

// read reads a text that begins at a byte of another one.
func read(text string, at int, values bool) (all []Limit) {
	for text != "" {
		end := pieceEnd(text)
		all = append(all, readPiece(text[:end], at, values)...)
		text, at = text[end:], at+end
	}
	return all
}

// pieceEnd returns where the first piece of a text ends: behind a clause, else at a space, else anywhere.
func pieceEnd(text string) int {
	if len(text) <= longestPiece {
		return len(text)
	}
	for _, mark := range []string{"\n", "; ", ". ", ", ", " "} {
		if i := strings.LastIndex(text[longestPiece/2:longestPiece], mark); i >= 0 {
			return longestPiece/2 + i + len(mark)
		}
	}
	end := longestPiece
	for end > 1 && !utf8.RuneStart(text[end]) {
		end--
	}
	return end
}

func readPiece(text string, at int, values bool) []Limit {
	r := &reader{t: tables(), text: text, tokens: lex(text), values: values}
	r.survey()
	for i := 0; i < len(r.tokens); {
		if m := r.mentions[i]; m != nil {
			i = max(m.to, r.classes(m)) // a name may have a number: Ki-67
			continue
		}
		v, ok := r.valueAt(i)
		if !ok {
			i++
			continue
		}
		if !r.assign(&v) && v.from == i && r.tokens[i].kind != number && v.number > i {
			i++ // the comparator may be a part of other words; its number is read again
			continue
		}
		i = max(v.to, i+1)
	}
	r.unitOfPair()
	for i := range r.limits {
		r.limits[i].Start += at
		r.limits[i].End += at
	}
	slices.SortStableFunc(r.limits, func(a, b Limit) int { return a.Start - b.Start })
	return r.limits
}

// unitOfPair gives a limit without unit that of the next limit of the same name: below 12 or above 17.5 g/dL.
func (r *reader) unitOfPair() {
	for i := len(r.limits) - 2; i >= 0; i-- {
		l, next := &r.limits[i], &r.limits[i+1]
		if l.What == next.What && l.name == next.name && l.Unit == "" && NeedsUnit(l.What) {
			l.Unit = next.Unit
		}
	}
}
