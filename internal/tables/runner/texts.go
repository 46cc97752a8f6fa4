package runner

import (
	"crypto/md5"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
)

// texts returns the functions of texts.
func (f *functions) texts() map[string]scalar {
	return map[string]scalar{
		"_lower":   oneText(strings.ToLower),
		"_upper":   oneText(strings.ToUpper),
		"_initcap": oneText(initCap),
		"_reverse": oneText(reversed),
		"_repeat": func(a []value) (value, error) {
			text, n := asString(a[0]), max(0, asInt(a[1]))
			if n > 0 && int64(len(text)) > maxText/n {
				return nil, f.fail("Repeat it less often.", "a value has more than %d bytes", maxText)
			}
			return strings.Repeat(text, int(n)), nil
		},
		"_lpad": func(a []value) (value, error) { return f.pad(a, true) },
		"_rpad": func(a []value) (value, error) { return f.pad(a, false) },
		"_left": func(a []value) (value, error) {
			all, n := []rune(asString(a[0])), asInt(a[1])
			if n < 0 {
				n = max(0, int64(len(all))+n)
			}
			return string(all[:min(n, int64(len(all)))]), nil
		},
		"_right": func(a []value) (value, error) {
			all, n := []rune(asString(a[0])), asInt(a[1])
			if n < 0 {
				return string(all[min(-n, int64(len(all))):]), nil
			}
			return string(all[max(0, int64(len(all))-n):]), nil
		},
		"_substr":     f.substring,
		"_split_part": f.splitPart,
		"_translate": func(a []value) (value, error) {
			from, to := []rune(asString(a[1])), []rune(asString(a[2]))
			return strings.Map(func(r rune) rune {
				for i, other := range from {
					if r == other && i < len(to) {
						return to[i]
					}
					if r == other {
						return -1
					}
				}
				return r
			}, asString(a[0])), nil
		},
		"_chr":         f.character,
		"_ascii":       codeOf,
		"_starts_with": func(a []value) (value, error) { return number(strings.HasPrefix(asString(a[0]), asString(a[1]))), nil },
		"_md5":         func(a []value) (value, error) { return fmt.Sprintf("%x", md5.Sum([]byte(asString(a[0])))), nil },
		"_text":        numeral,
	}
}

func number(on bool) int64 {
	if on {
		return 1
	}
	return 0
}

func initCap(text string) string {
	inside := false
	return strings.Map(func(r rune) rune {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		defer func() { inside = letter }()
		if inside {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, text)
}

func reversed(text string) string {
	all := []rune(text)
	slices.Reverse(all)
	return string(all)
}

func (f *functions) pad(a []value, left bool) (value, error) {
	text, n, fill := []rune(asString(a[0])), asInt(a[1]), []rune(" ")
	if len(a) > 2 {
		fill = []rune(asString(a[2]))
	}
	if n > maxText/4 {
		return nil, f.fail("Pad to a smaller length.", "a value has more than %d bytes", maxText)
	}
	if n <= int64(len(text)) || len(fill) == 0 {
		return string(text[:max(0, min(n, int64(len(text))))]), nil
	}
	var more []rune
	for i := 0; int64(len(text)+len(more)) < n; i++ {
		more = append(more, fill[i%len(fill)])
	}
	if left {
		return string(more) + string(text), nil
	}
	return string(text) + string(more), nil
}

func (f *functions) substring(a []value) (value, error) {
	all, from, end := []rune(asString(a[0])), asInt(a[1]), int64(math.MaxInt32)
	if len(a) > 2 {
		if asInt(a[2]) < 0 {
			return nil, f.fail("Write a length of at least 0.", "the length of substring is negative")
		}
		end = from + min(asInt(a[2]), math.MaxInt32)
	}
	size := int64(len(all)) + 1
	from, end = min(max(1, from), size), min(max(1, end), size)
	return string(all[from-1 : max(from, end)-1]), nil
}

func (f *functions) splitPart(a []value) (value, error) {
	n := asInt(a[2])
	parts := []string{asString(a[0])}
	if by := asString(a[1]); by != "" {
		parts = strings.Split(parts[0], by)
	}
	if n < 0 {
		n = int64(len(parts)) + n + 1
	}
	switch {
	case asInt(a[2]) == 0:
		return nil, f.fail("Count from 1.", "split_part has no part 0")
	case n < 1 || n > int64(len(parts)):
		return "", nil
	}
	return parts[n-1], nil
}

// concat joins the values that are not NULL.
func (f *functions) concat(by string, args []value) (value, error) {
	var parts []string
	size := 0
	for _, arg := range args {
		if arg != nil {
			parts = append(parts, asString(arg))
			size += len(parts[len(parts)-1]) + len(by)
		}
	}
	if size > maxText {
		return nil, f.fail("Join fewer rows, or shorten them with left(x, 100).", "a value has more than %d bytes", maxText)
	}
	return strings.Join(parts, by), nil
}

func (f *functions) concatWith(args []value) (value, error) {
	if args[0] == nil {
		return nil, nil
	}
	return f.concat(asString(args[0]), args[1:])
}

// character returns the character of a code.
func (f *functions) character(a []value) (value, error) {
	if n := asInt(a[0]); n < 1 || n > unicode.MaxRune || n < ' ' && n != '\t' && n != '\n' && n != '\r' {
		return nil, f.fail("Write the character itself, in single quotes.", "chr(%d) is not read", n)
	}
	return string(rune(asInt(a[0]))), nil
}

// codeOf returns the code of the first character of a text, 0 for an empty one.
func codeOf(a []value) (value, error) {
	for _, r := range asString(a[0]) {
		return int64(r), nil
	}
	return int64(0), nil
}
