package tool

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// readWords returns the known values that a text names: one value in any case and with any punctuation, or several separated by commas,
// semicolons, bars or "or". It also returns the parts that name no value.
func readWords(text string, known []string, means map[string][]string) (values, bad []string) {
	byWords, longest := map[string][]string{}, 0
	for word, values := range means {
		byWords[entity.Fold(word)] = values
	}
	for _, k := range known {
		byWords[entity.Fold(k)] = []string{k}
		longest = max(longest, 1+strings.Count(k, "_"))
	}
	if k, ok := byWords[entity.Fold(text)]; ok {
		return k, nil
	}
	parts := separators.Split(text, -1)
	for i := 0; i < len(parts); {
		if strings.TrimSpace(parts[i]) == "" {
			i++
			continue
		}
		// A value may contain a comma (Active, not recruiting): the longest run of parts that is one value is used.
		end := min(len(parts), i+longest)
		for ; end > i; end-- {
			if k, ok := byWords[entity.Fold(strings.Join(parts[i:end], ""))]; ok {
				values = append(values, k...)
				break
			}
		}
		if end == i {
			bad = append(bad, strings.TrimSpace(parts[i]))
			end++
		}
		i = end
	}
	return values, bad
}

var separators = lazyregexp.New(`(?i)[,;|]|\s+or\s+`)

// Nearest returns the candidate whose spelling is closest to name, or "" if none is close: one letter in four may differ, and none in a
// short word.
func Nearest(name string, candidates []string) string {
	letters := len(entity.Fold(name))
	best, limit := "", min(3, letters/4)
	for _, c := range candidates {
		// A short name that begins with another letter is another word: year, near.
		if letters < 6 && letters > 0 && c != "" && entity.Fold(name)[0] != entity.Fold(c)[0] {
			continue
		}
		if d := entity.Distance(name, c); letters > 0 && d <= limit {
			best, limit = c, d-1
		}
	}
	return best
}

var directed = lazyregexp.New(`^(?i)\s*([-+]?)\s*(\w+?)(?:[\s:,]+(asc|desc)(?:ending)?)?\s*$`)

// splitDirection moves the direction of a sort key to its own argument, and returns a notice: start_date:asc and -start_date.
func splitDirection(given map[string]any, a Argument) (notices []string) {
	text, isText := given[a.Name].(string)
	m := directed.FindStringSubmatch(text)
	if a.Direction == "" || !isText || m == nil || m[1]+m[3] == "" || !absent(given[a.Direction]) {
		return nil
	}
	direction := strings.ToLower(m[3])
	if direction == "" {
		direction = map[string]string{"-": "desc", "+": "asc"}[m[1]]
	}
	given[a.Name], given[a.Direction] = m[2], direction
	return []string{fmt.Sprintf("%s: %q was read as %s, with %s %s.", a.Name, text, m[2], a.Direction, direction)}
}

// joinTexts joins the texts of a list by OR if the argument takes one text of words, and returns notices.
func (t *Tool) joinTexts(given map[string]any) (notices []string) {
	for _, a := range t.Arguments {
		if list, several := items(given[a.Name]); a.Either && several && len(list) > 1 {
			text := anyOf(list)
			given[a.Name] = text
			notices = append(notices, a.Name+": the list was read as "+strconv.Quote(entity.Cut(text, 200))+
				": one of its values must match.")
		}
	}
	return notices
}

// anyOf returns texts joined by OR. A text with operators gets parentheses.
func anyOf(list []any) string {
	var texts []string
	for _, item := range list {
		text := strings.TrimSpace(Show(item))
		if strings.Contains(text, " AND ") || strings.Contains(text, " OR ") || strings.Contains(text, "NOT ") {
			text = "(" + text + ")"
		}
		if !absent(text) && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, " OR ")
}

// rangeText returns a range that was given as a list of its two ends, or as an object with one or two, also as a JSON string, in the form
// from..to.
func rangeText(value any) (string, bool) {
	if list, ok := items(value); ok && len(list) == 2 && !absent(list[0]) && !absent(list[1]) {
		return Show(list[0]) + ".." + Show(list[1]), true
	}
	object, ok := value.(map[string]any)
	if text, written := value.(string); written && strings.HasPrefix(text, "{") {
		ok = decode([]byte(text), &object) == nil
	}
	if !ok {
		return "", false
	}
	var from, to string
	for name, value := range object {
		switch entity.Fold(name) {
		case "from", "min", "minimum", "gte", "start", "since":
			from = Show(value)
		case "to", "max", "maximum", "lte", "end", "until":
			to = Show(value)
		default:
			return "", false
		}
	}
	return from + ".." + to, from+to != "" && len(from)+len(to) < 100
}

// onlyPoint writes a point that was given as an object as latitude,longitude, and returns a notice about other members of the object.
func onlyPoint(given map[string]any, a Argument) (notices []string) {
	object, ok := given[a.Name].(map[string]any)
	if text, written := given[a.Name].(string); written && strings.HasPrefix(text, "{") {
		ok = decode([]byte(text), &object) == nil
	}
	text, isPoint := pointText(object)
	if !a.Point || !ok || !isPoint {
		return nil
	}
	given[a.Name] = text
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(object)), func(name string) bool {
		return matchesAny(name, []string{"lat", "latitude", "lon", "lng", "longitude"})
	})
	if len(others) > 0 {
		notices = []string{a.Name + ": left out, as a point has latitude and longitude alone: " + Listed(others) + "."}
	}
	return notices
}

// pointText returns a point that was given as a list or an object, in the form latitude,longitude.
func pointText(value any) (string, bool) {
	list, _ := items(value)
	if object, ok := value.(map[string]any); ok {
		list = []any{cmp.Or(object["lat"], object["latitude"]), cmp.Or(object["lon"], object["lng"], object["longitude"])}
	}
	if len(list) != 2 {
		return "", false
	}
	latitude, longitude := Show(list[0]), Show(list[1])
	return latitude + "," + longitude, number.MatchString(latitude) && number.MatchString(longitude)
}

// spread gives the second of two values of one argument to the next argument, if that takes the same values and was not given: by=[phase,
// status] is by and then_by.
func spread(given map[string]any, known []Argument) map[string]any {
	for i := 1; i < len(known); i++ {
		first, second := known[i-1], known[i]
		if first.List || first.Words == nil || !slices.Equal(first.Words, second.Words) || !absent(given[second.Name]) {
			continue
		}
		text, _ := given[first.Name].(string)
		if list, ok := items(given[first.Name]); ok {
			text = ""
			for _, item := range list {
				text += fmt.Sprint(item) + ","
			}
		}
		if values, bad := readWords(text, first.Words, first.Means); len(values) == 2 && len(bad) == 0 {
			given = maps.Clone(given)
			given[first.Name], given[second.Name] = values[0], values[1]
		}
	}
	return given
}

// labelled returns the arguments with the label of a bare number that only its name has: 7383595 in pmcid is PMC7383595, and without the
// label a PMID.
func labelled(given map[string]any, names []string) map[string]any {
	label := func(value any) any {
		if text := Show(value); text != "" && strings.Trim(text, "0123456789") == "" {
			return "PMC" + text
		}
		return value
	}
	given = maps.Clone(given)
	for _, name := range names {
		if !strings.HasPrefix(entity.Fold(name), "pmc") {
			continue
		}
		if list, isList := items(given[name]); isList {
			list = slices.Clone(list)
			for i, value := range list {
				list[i] = label(value)
			}
			given[name] = list
		} else {
			given[name] = label(given[name])
		}
	}
	return given
}
