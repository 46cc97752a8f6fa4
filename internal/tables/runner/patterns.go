package runner

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// pattern compiles a regular expression of PostgreSQL.
func (f *functions) pattern(text, flags string) (*regexp.Regexp, error) {
	key := flags + "/" + text
	if found := f.patterns[key]; found != nil {
		return found, nil
	}
	if len([]rune(text)) > maxPattern {
		return nil, f.fail("Write a shorter pattern.", "a pattern has more than %d characters", maxPattern)
	}
	prefix := "(?s)"
	if strings.Contains(flags, "i") {
		prefix = "(?si)"
	}
	parsed, err := syntax.Parse(prefix+translated(text), syntax.Perl)
	if err != nil {
		return nil, f.fail("Write it without references, look-around and repeated repetition.", "the pattern '%s' is not read", short(text))
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(program.Inst) > maxProgram {
		return nil, f.fail("Repeat less, as in {1,20}.", "the pattern '%s' is too large", short(text))
	}
	shortest := greed(parsed) < 0
	if shortest {
		shorten(parsed)
	}
	compiled, err := regexp.Compile(parsed.String())
	if err != nil {
		return nil, err
	}
	if !shortest {
		compiled.Longest()
	}
	if len(f.patterns) > 50 {
		clear(f.patterns)
	}
	f.patterns[key] = compiled
	return compiled, nil
}

// greed returns 1 if PostgreSQL looks for the longest match of an expression, -1 for the shortest one, and 0 if it has one length. The
// first part whose length varies decides.
func greed(e *syntax.Regexp) int {
	switch e.Op {
	case syntax.OpAlternate:
		return 1
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		switch {
		case e.Op == syntax.OpRepeat && e.Min == e.Max:
			return greed(e.Sub[0])
		case e.Flags&syntax.NonGreedy != 0:
			return -1
		}
		return 1
	}
	for _, part := range e.Sub {
		if g := greed(part); g != 0 {
			return g
		}
	}
	return 0
}

// shorten makes all repetitions of an expression as short as possible.
func shorten(e *syntax.Regexp) {
	e.Flags |= syntax.NonGreedy
	for _, part := range e.Sub {
		shorten(part)
	}
}

// escapesOf are the escapes of PostgreSQL that Go writes otherwise, outside and within brackets. Letters are those of all scripts.
var escapesOf = map[bool]map[byte]string{
	false: {'y': `\b`, 'm': `\b`, 'M': `\b`, 'Y': `\B`, 'Z': `\z`, 'w': `[\pL\pN_]`, 'W': `[^\pL\pN_]`},
	true:  {'w': `\pL\pN_`},
}

// translated returns a pattern of PostgreSQL as Go writes it.
func translated(text string) string {
	text = strings.NewReplacer("[:alpha:]", `\pL`, "[:alnum:]", `\pL\pN`, "[:upper:]", `\p{Lu}`, "[:lower:]", `\p{Ll}`).Replace(text)
	var out strings.Builder
	class := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			if escape := escapesOf[class][text[i]]; escape != "" {
				out.WriteString(escape)
				continue
			}
			out.WriteString(text[i-1 : i+1])
			continue
		case c == '[' || class && c == ']':
			class = c == '['
		}
		out.WriteByte(text[i])
	}
	return out.String()
}

// matching returns the functions with a pattern.
func (f *functions) matching() map[string]scalar {
	with := func(at int, call func(a []value, p *regexp.Regexp) value) scalar {
		return func(a []value) (value, error) {
			flags := ""
			switch last := a[len(a)-1]; {
			case at == 0 && asInt(last) == 1:
				flags = "i"
			case at == 1 && len(a) > 2:
				flags = asString(last)
			}
			p, err := f.pattern(asString(a[at]), flags)
			if err != nil {
				return nil, err
			}
			return call(a, p), nil
		}
	}
	part := func(a []value, p *regexp.Regexp, group int) value {
		text := asString(a[0])
		found := p.FindStringSubmatchIndex(text)
		if at := 2 * min(group, p.NumSubexp()); found != nil && found[at] >= 0 {
			return text[found[at]:found[at+1]]
		}
		return nil
	}
	return map[string]scalar{
		"_like":          f.like,
		"_similar":       f.similarTo,
		"_regexp":        with(0, func(a []value, p *regexp.Regexp) value { return number(p.MatchString(asString(a[1]))) }),
		"_regexp_like":   with(1, func(a []value, p *regexp.Regexp) value { return number(p.MatchString(asString(a[0]))) }),
		"_regexp_substr": with(1, func(a []value, p *regexp.Regexp) value { return part(a, p, 0) }),
		"_regexp_part":   with(1, func(a []value, p *regexp.Regexp) value { return part(a, p, 1) }),
		"_regexp_match": with(1, func(a []value, p *regexp.Regexp) value {
			if match := p.FindStringSubmatchIndex(asString(a[0])); match != nil {
				return listOf(groups(asString(a[0]), p, match))
			}
			return nil
		}),
		"_regexp_matches": with(1, allGroups),
		"_regexp_split":   with(1, func(a []value, p *regexp.Regexp) value { return listOf(p.Split(asString(a[0]), -1)) }),
		"_regexp_count": with(1, func(a []value, p *regexp.Regexp) value {
			return int64(len(p.FindAllStringIndex(asString(a[0]), maxText)))
		}),
		"_regexp_replace": func(a []value) (value, error) {
			flags := ""
			if len(a) > 3 {
				flags = asString(a[3])
			}
			p, err := f.pattern(asString(a[1]), flags)
			if err != nil {
				return nil, err
			}
			return f.replace(p, asString(a[0]), asString(a[2]), strings.Contains(flags, "g"))
		},
	}
}

func (f *functions) similarTo(a []value) (value, error) {
	p, err := f.pattern("^(?:"+similar(asString(a[0]))+")$", "")
	if err != nil {
		return nil, err
	}
	return number(p.MatchString(asString(a[1]))), nil
}

// similar returns the regular expression of a pattern of SIMILAR TO.
func similar(pattern string) string {
	var out strings.Builder
	escaped, class := false, false
	for _, c := range pattern {
		switch {
		case escaped:
			out.WriteString(regexp.QuoteMeta(string(c)))
		case c == '\\', class:
			if c != '\\' {
				out.WriteRune(c)
			}
		case c == '%':
			out.WriteString(".*")
		case c == '_':
			out.WriteByte('.')
		case strings.ContainsRune(".^$", c):
			out.WriteString(regexp.QuoteMeta(string(c)))
		default:
			out.WriteRune(c)
		}
		class = !escaped && (c == '[' || class && c != ']')
		escaped = !escaped && c == '\\'
	}
	return out.String()
}

// replace replaces the matches of a pattern. \1 stands for the first group, \& for the match.
func (f *functions) replace(p *regexp.Regexp, text, by string, all bool) (value, error) {
	limit := 1
	if all {
		limit = -1
	}
	var out []byte
	at := 0
	for _, m := range p.FindAllStringSubmatchIndex(text, limit) {
		out = append(out, text[at:m[0]]...)
		for i := 0; i < len(by); i++ {
			group := -1
			if by[i] == '\\' && i+1 < len(by) {
				switch next := by[i+1]; {
				case next >= '1' && next <= '9':
					group = int(next - '0')
				case next == '&':
					group = 0
				}
				i++
			}
			switch {
			case group < 0:
				out = append(out, by[i])
			case 2*group+1 < len(m) && m[2*group] >= 0:
				out = append(out, text[m[2*group]:m[2*group+1]]...)
			}
		}
		if at = m[1]; len(out) > maxText {
			return nil, f.fail("Replace less.", "a value has more than %d bytes", maxText)
		}
	}
	return string(append(out, text[at:]...)), nil
}

// like reports whether a text matches a pattern of LIKE, in time linear in the text for each part between %.
func (f *functions) like(a []value) (value, error) {
	pattern, text := asString(a[0]), asString(a[1])
	if len([]rune(pattern)) > maxPattern {
		return nil, f.fail("Write a shorter pattern.", "a pattern has more than %d characters", maxPattern)
	}
	if asInt(a[2]) == 1 {
		pattern, text = strings.ToLower(pattern), strings.ToLower(text)
	}
	if inner := strings.Trim(pattern, "%"); len(pattern) == len(inner)+2 && strings.HasPrefix(pattern, "%") && !strings.ContainsAny(inner, `%_\`) {
		return number(strings.Contains(text, inner)), nil
	}
	if strings.HasSuffix(pattern, `\`) && !strings.HasSuffix(pattern, `\\`) {
		return nil, f.fail(`Write \\ for a backslash.`, "a pattern ends with a backslash")
	}
	return number(likeMatch([]rune(pattern), []rune(text))), nil
}

func likeMatch(pattern, text []rune) bool {
	p, t, star, mark := 0, 0, -1, 0
	for t < len(text) {
		escaped := p+1 < len(pattern) && pattern[p] == '\\'
		switch {
		case p < len(pattern) && pattern[p] == '%':
			star, mark = p, t
			p++
		case escaped && pattern[p+1] == text[t]:
			p, t = p+2, t+1
		case p < len(pattern) && !escaped && (pattern[p] == '_' || pattern[p] == text[t]):
			p, t = p+1, t+1
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '%' {
		p++
	}
	return p == len(pattern)
}
