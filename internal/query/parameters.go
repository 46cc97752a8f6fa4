package query

import (
	"net/url"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// parameters are the values of a query string by name.
type parameters url.Values

// readParameters admits only the known names and refuses the first other one.
func readParameters(rawQuery string, known ...string) (parameters, error) {
	values, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil, refuse("The query string has incorrect format")
	}
	for part := range strings.SplitSeq(rawQuery, "&") {
		escaped, _, _ := strings.Cut(part, "=")
		name, err := url.QueryUnescape(escaped)
		if err == nil && part != "" && !slices.Contains(known, name) {
			return nil, refuse("`%s` is unknown parameter", name)
		}
	}
	return parameters(values), nil
}

// get returns the first value of a parameter and whether the parameter is given.
func (p parameters) get(name string) (value string, given bool) {
	values := p[name]
	if len(values) == 0 {
		return "", false
	}
	return values[0], true
}

// list returns the items of a parameter, which commas or pipes part and which may be
// repeated; nil if it is not given.
func (p parameters) list(name string) []string {
	if len(p[name]) == 0 {
		return nil
	}
	return strings.Split(strings.ReplaceAll(strings.Join(p[name], ","), "|", ","), ",")
}

// checkFormat admits json and markdown. It refuses the other documented values as unsupported,
// undocumented ones with the registry's sentence.
func (p parameters) checkFormat(documented ...string) error {
	if err := p.checkValue("format", "json", documented); err != nil {
		return err
	}
	return p.checkValue("markupFormat", "markdown", []string{"legacy"})
}

func (p parameters) checkValue(name, supported string, documented []string) error {
	value, given := p.get(name)
	switch {
	case !given || value == supported:
		return nil
	case slices.Contains(documented, value):
		return unsupported("serves %s `%s` only, not `%s`", name, supported, value)
	}
	return refuse("Invalid value in parameter `%s`: `%s`", name, value)
}

// looseID is the registry's pattern of an NCT id.
var looseID = lazyregexp.New(`^[Nn][Cc][Tt]0*[1-9][0-9]{0,7}$`)

// ParseID returns an NCT id as records write it. The registry takes upper and lower
// case, and any number of zeros.
func ParseID(text string) (id string, ok bool) {
	if !looseID.MatchString(text) {
		return "", false
	}
	digits := strings.TrimLeft(text[len("NCT"):], "0")
	return "NCT" + strings.Repeat("0", max(0, 8-len(digits))) + digits, true
}
