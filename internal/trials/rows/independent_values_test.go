package rows_test

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

func get(v any, path ...string) any {
	for _, step := range path {
		object, _ := v.(map[string]any)
		v = object[step]
	}
	return v
}

func list(v any, path ...string) []any {
	items, _ := get(v, path...).([]any)
	return items
}

var escape = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")

// text returns a text as answers have it: cleaned, without escapes and character references.
func text(v any, path ...string) string {
	s, _ := get(v, path...).(string)
	return escape.ReplaceAllString(strings.TrimSpace(entity.Clean(html.UnescapeString(html.UnescapeString(s)))), "$1")
}

func placeOf(groups []any, id string) int {
	return 1 + slices.IndexFunc(groups, func(g any) bool { return text(g, "id") == id })
}

// uses reports which fields a dispersion type of the registry's forms uses.
func uses(dispersion string) (spread, limits bool) {
	switch dispersion {
	case "Standard Deviation", "Standard Error", "Geometric Coefficient of Variation",
		"STANDARD_DEVIATION", "STANDARD_ERROR", "GEOMETRIC_COEFFICIENT":
		return true, false
	case "", "NA":
		return false, false
	}
	return false, true // ranges and confidence intervals
}
