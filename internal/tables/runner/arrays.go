package runner

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// arrays returns the functions of arrays, which are lists in JSON.
func (f *functions) arrays() map[string]scalar {
	return map[string]scalar{
		"_split": func(a []value) (value, error) {
			text, by := asString(a[0]), asString(a[1])
			switch {
			case text == "":
				return "[]", nil
			case by == "":
				return listOf([]string{text}), nil
			}
			return listOf(strings.Split(text, by)), nil
		},
		"_element": func(a []value) (value, error) {
			all, n := valuesOf(a[0]), asInt(a[1])
			if n < 1 || n > int64(len(all)) {
				return nil, nil
			}
			return all[n-1], nil
		},
		"_array_length": func(a []value) (value, error) {
			n := len(valuesOf(a[0]))
			switch {
			case asInt(a[1]) != 1:
				return nil, f.fail("Write array_length(x, 1).", "arrays have one dimension")
			case n == 0:
				return nil, nil
			}
			return int64(n), nil
		},
		"_json": func(a []value) (value, error) {
			var parts []string
			for _, part := range partsOf(a[0]) {
				parts = append(parts, string(part))
			}
			if parts == nil {
				return nil, nil
			}
			return "[" + strings.Join(parts, ", ") + "]", nil
		},
		"_braces":  func(a []value) (value, error) { return braces(asString(a[0])), nil },
		"_overlap": func(a []value) (value, error) { return number(slices.ContainsFunc(valuesOf(a[1]), isIn(a[0]))), nil },
		"_contain": func(a []value) (value, error) {
			held := isIn(a[0])
			return number(!slices.ContainsFunc(valuesOf(a[1]), func(v value) bool { return !held(v) })), nil
		},
	}
}

// isIn returns a function that reports whether a value is in an array. NULL is in none.
func isIn(array value) func(value) bool {
	all := map[value]bool{}
	for _, v := range valuesOf(array) {
		all[v] = true
	}
	return func(v value) bool { return v != nil && all[v] }
}

// listOf returns texts as a list in JSON.
func listOf[T any](all []T) string {
	if all == nil {
		return "[]"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(all) // texts can be written
	return strings.TrimSpace(b.String())
}

// partsOf returns the values of a list in JSON, each in JSON.
func partsOf(list value) (parts []json.RawMessage) {
	_ = json.Unmarshal([]byte(asString(list)), &parts) // another text than a list leaves it empty
	return parts
}

// valuesOf returns the values of a list in JSON. A list within it is a text.
func valuesOf(list value) []value {
	parts := partsOf(list)
	all := make([]value, len(parts))
	for i, part := range parts {
		var text string
		if json.Unmarshal(part, &text) == nil && part[0] == '"' {
			all[i] = text
		} else if n, err := strconv.ParseInt(string(part), 10, 64); err == nil {
			all[i] = n
		} else if x, err := strconv.ParseFloat(string(part), 64); err == nil {
			all[i] = x
		} else if string(part) != "null" {
			all[i] = string(part)
		}
	}
	return all
}

// braces returns a list in JSON as PostgreSQL writes an array.
func braces(list string) string {
	var parts []string
	for _, v := range valuesOf(list) {
		text := asString(v)
		switch {
		case v == nil:
			text = "NULL"
		case text == "" || strings.EqualFold(text, "null") || strings.ContainsAny(text, "{},\"\\ \t\r\n"):
			text = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
		}
		parts = append(parts, text)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// join joins the values of a list in JSON that are not NULL; of none it is NULL. A third argument stands for NULL.
func (f *functions) join(args []value) (value, error) {
	if args[0] == nil || args[1] == nil {
		return nil, nil
	}
	var values []value
	for _, v := range valuesOf(args[0]) {
		if v == nil && len(args) > 2 {
			v = args[2]
		}
		if v != nil {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return nil, nil
	}
	return f.concat(asString(args[1]), values)
}

// groups returns the groups of a match. A pattern without groups has one: all of the match.
func groups(text string, p *regexp.Regexp, match []int) []*string {
	var all []*string
	for i := min(1, p.NumSubexp()); i <= p.NumSubexp(); i++ {
		if match[2*i] < 0 {
			all = append(all, nil)
			continue
		}
		part := text[match[2*i]:match[2*i+1]]
		all = append(all, &part)
	}
	return all
}

// allGroups returns the groups of each match, without the flag g of the first one.
func allGroups(a []value, p *regexp.Regexp) value {
	most := 1
	if len(a) > 2 && strings.Contains(asString(a[2]), "g") {
		most = maxText
	}
	var all [][]*string
	for _, match := range p.FindAllStringSubmatchIndex(asString(a[0]), most) {
		all = append(all, groups(asString(a[0]), p, match))
	}
	return listOf(all)
}
