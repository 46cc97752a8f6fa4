package dialect

import (
	"slices"
	"strings"
	"unicode/utf8"

	registry "github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/tables"
)

// Values returns the closed list of the values of a column, nil for another column.
func Values(c *tables.Column) (all []string) {
	for _, from := range c.From {
		path, how, _ := strings.Cut(from, " ")
		constant, isConstant := strings.CutPrefix(from, `"`)
		values := []string{strings.TrimSuffix(constant, `"`)}
		if piece := registry.PieceAt(path); !isConstant && piece != nil {
			values = piece.Enum()
		} else if !isConstant {
			return nil
		}
		if c.Kind != tables.Text || len(values) == 0 || !isConstant && how != "" && how != "join" {
			return nil
		}
		for _, value := range values {
			if !slices.Contains(all, value) {
				all = append(all, value)
			}
		}
	}
	return all
}

// renamedValues are the spellings of today that are not the older ones in capitals.
var renamedValues = strings.NewReplacer("PHASE_", "PHASE", "N_A", "NA", "NOT_APPLICABLE", "NA", "UNKNOWN_STATUS", "UNKNOWN", "U_S_FED",
	"FED", "_ASSIGNMENT", "", "ANTICIPATED", "ESTIMATED", "NONE_OPEN_LABEL", "NONE", "OBSERVATIONAL_PATIENT_REGISTRY", "OBSERVATIONAL",
	"SINGLE_BLIND", "SINGLE", "DOUBLE_BLIND", "DOUBLE", "BOTH", "ALL")

// codeOf returns a value as the registry writes its codes.
func codeOf(value string) string {
	return strings.ToUpper(strings.Join(strings.FieldsFunc(value, splitsWords), "_"))
}

// splitsWords reports whether a character ends a word of a value, which has underscores between its words.
func splitsWords(r rune) bool {
	return r == '_' || r >= utf8.RuneSelf || !isLetter(byte(r)) && !isDigit(byte(r))
}

// legacy adds a notice where a column with a closed list is compared with a text outside the list.
func (p *parser) legacy(column, value *expr, pattern bool) {
	if column.values == nil || value.quoted == nil {
		return
	}
	given, today := strings.Trim(*value.quoted, strings.Repeat("%", flag(pattern))), []string{}
	parts := strings.Split(strings.Replace(given, "N/A", "NA", 1), "/")
	for _, part := range parts {
		part = renamedValues.Replace(codeOf(part))
		for _, value := range column.values {
			if codeOf(value) == part {
				today = append(today, value)
			}
		}
	}
	code, since := strings.Join(today, "/"), ""
	if code == strings.ToUpper(code) {
		since = " since 2024"
	}
	switch all := len(today) == len(parts); {
	case all && code != given && (!pattern || !strings.EqualFold(code, given)):
		p.notice("'%s' is written '%s'%s", cut(given), code, since)
	case !all && !pattern && given != "":
		p.notice("'%s' is no value of %s, which has %s", cut(given), column.name, strings.Join(column.values, ", "))
	}
}
