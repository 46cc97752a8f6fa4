package registry

import (
	"net/url"
	"slices"
	"strings"
)

// parameters are the values of a query string by name.
type parameters url.Values

// readParameters admits the known names only and names the first other one.
func readParameters(query string, known ...string) (parameters, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, refuse("The query string has incorrect format")
	}
	for part := range strings.SplitSeq(query, "&") {
		escaped, _, _ := strings.Cut(part, "=")
		name, err := url.QueryUnescape(escaped)
		if err == nil && part != "" && !slices.Contains(known, name) {
			return nil, refuse("`%s` is unknown parameter", name)
		}
	}
	return parameters(values), nil
}

// get is the first value of a parameter and whether it is there.
func (p parameters) get(name string) (string, bool) {
	values := p[name]
	if len(values) == 0 {
		return "", false
	}
	return values[0], true
}

// list is a parameter of comma- or pipe-separated items, which may also be
// repeated; nil if it is not there.
func (p parameters) list(name string) []string {
	if len(p[name]) == 0 {
		return nil
	}
	return strings.Split(strings.ReplaceAll(strings.Join(p[name], ","), "|", ","), ",")
}

// checkFormat admits json and markdown. The other documented values are
// refused in our own words, undocumented ones in the upstream's.
func (p parameters) checkFormat(documented ...string) error {
	if format, there := p.get("format"); there && format != "json" {
		if slices.Contains(documented, format) {
			return refuse("the sandbox serves format `json` only, not `%s`", format)
		}
		return refuse("Invalid value in parameter `format`: `%s`", format)
	}
	if format, there := p.get("markupFormat"); there && format != "markdown" {
		if format == "legacy" {
			return refuse("the sandbox serves markupFormat `markdown` only, not `legacy`")
		}
		return refuse("Invalid value in parameter `markupFormat`: `%s`", format)
	}
	return nil
}

func (p parameters) fields() (*Projection, error) {
	names := p.list("fields")
	if names == nil {
		return everything, nil
	}
	return selectFields(names)
}
