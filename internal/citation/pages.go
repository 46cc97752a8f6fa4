package citation

import (
	"cmp"
	"strings"
)

// span is a range of pages with its complete end, or one page.
type span struct{ from, to string }

// pages is the position of a work in its container.
type pages struct {
	spans  []span
	number string // the number of an article without pages
	text   string // pages in an unknown format
}

func (p pages) empty() bool { return len(p.spans) == 0 && p.number == "" && p.text == "" }

// multiple reports whether the work has more than one page.
func (p pages) multiple() bool {
	return p.text != "" || len(p.spans) > 1 || len(p.spans) == 1 && p.spans[0].to != ""
}

// write returns the ranges, each written by one.
func (p pages) write(one func(span) string) string {
	if len(p.spans) == 0 {
		return cmp.Or(p.text, p.number)
	}
	return strings.Join(convert(p.spans, one), ", ")
}

func (s span) join(dash string) string { return joinNonEmpty(dash, s.from, s.to) }

// readPages reads texts such as 113-25; quiz 126-7.
func readPages(text, location string) pages {
	if text == "" {
		if isShortNumber(location) {
			return pages{number: location}
		}
		return pages{}
	}
	if isArticleNumber(text, location) {
		return pages{number: text}
	}
	var out pages
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ';' }) {
		word, ok := pageWord(part)
		if !ok {
			return pages{text: text}
		}
		if word != "" {
			out.spans = append(out.spans, readSpan(word))
		}
	}
	if len(out.spans) == 0 {
		return pages{text: text}
	}
	return out
}

// pageWord removes the words before a range, such as author reply. It returns false if words follow the range.
func pageWord(part string) (string, bool) {
	words := strings.Fields(part)
	for len(words) > 1 && !strings.ContainsAny(words[0], "0123456789-") {
		words = words[1:]
	}
	return strings.Join(words, ""), len(words) < 2
}

// isShortNumber reports whether a location is the number of an article, not an internal id of the publisher such as S0140-6736(20)30183-5
// or s41586-024-07487-w.
func isShortNumber(location string) bool {
	return location != "" && len(location) <= 12 && !strings.ContainsAny(location, " /():") && strings.ContainsAny(location, "0123456789")
}

// isArticleNumber reports whether text is the number of an article, not pages. Pages do not begin with e or 0 and rarely reach 100000.
func isArticleNumber(text, location string) bool {
	if text == location {
		return true
	}
	letters, number, rest := cutNumber(text)
	if number == "" {
		return false
	}
	zero := len(number) > 1 && number[0] == '0'
	if rest != "" { // e00337-22 is one number, e1-e5 are five pages
		return letters != "" && zero && digits(strings.TrimPrefix(rest, "-"))
	}
	return strings.EqualFold(letters, "e") || zero || letters == "" && len(number) > 5
}

// readSpan splits a range of pages, and completes its end.
func readSpan(text string) span {
	from, to, found := strings.Cut(strings.ReplaceAll(text, "–", "-"), "-")
	if !found || from == "" || to == "" {
		return span{from: text}
	}
	if to = lastPage(from, to); to == from {
		to = ""
	}
	return span{from, to}
}

// lastPage completes the end of 113-25 to 125, of S12-9 to S19, and of 1233-44.e3, which has pages on the web only, to 1244.e3.
func lastPage(from, to string) string {
	letters, start, rest := cutNumber(from)
	toLetters, end, toRest := cutNumber(to)
	online := ""
	if strings.HasPrefix(toRest, ".e") {
		online, toRest = toRest, ""
	}
	if start == "" || end == "" || rest+toRest != "" || toLetters != "" && toLetters != letters {
		return to
	}
	if missing := len(start) - len(end); missing > 0 {
		end = start[:missing] + end
	}
	if len(end) == len(start) && end < start {
		return to
	}
	return letters + end + online
}

// cutNumber splits S12a into S, 12 and a.
func cutNumber(text string) (letters, number, rest string) {
	number = strings.TrimLeft(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
	letters = text[:len(text)-len(number)]
	rest = strings.TrimLeft(number, "0123456789")
	return letters, number[:len(number)-len(rest)], rest
}

// mlaRange shortens the end of a range as MLA does: to the last two digits, or more if more digits differ.
func (s span) mlaRange() string {
	if !digits(s.from) || !digits(s.to) || len(s.from) != len(s.to) {
		return s.join("-")
	}
	same := 0
	for same < len(s.to)-2 && s.to[same] == s.from[same] {
		same++
	}
	return s.from + "-" + s.to[same:]
}
