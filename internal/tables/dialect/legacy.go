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
		piece := registry.PieceAt(path)
		if how != "" && how != "join" || piece == nil || c.Kind != tables.Text || len(piece.Enum()) == 0 {
			return nil
		}
		for _, value := range piece.Enum() {
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
	"SINGLE_BLIND", "SINGLE", "DOUBLE_BLIND", "DOUBLE")

// splitsWords reports whether a character ends a word of a value, which has underscores between its words.
func splitsWords(r rune) bool {
	return r == '_' || r >= utf8.RuneSelf || !isLetter(byte(r)) && !isDigit(byte(r))
}

// legacy adds a notice where a column with a closed list is compared with a text outside the list.
func (p *parser) legacy(column, value *expr, pattern bool) {
	if column.values == nil || value.quoted == nil {
		return
	}
	given := *value.quoted
	if pattern {
		given = strings.Trim(given, "%")
	}
	all, today := true, []string{}
	for part := range strings.SplitSeq(given, "/") {
		code := renamedValues.Replace(strings.ToUpper(strings.Join(strings.FieldsFunc(part, splitsWords), "_")))
		all = all && slices.Contains(column.values, code)
		today = append(today, code)
	}
	code := strings.Join(today, "/")
	if given == "N/A" {
		code, all = "NA", slices.Contains(column.values, "NA")
	}
	switch {
	case all && code != given && (!pattern || !strings.EqualFold(code, given)):
		p.notice("'%s' is written '%s' since 2024", cut(given), code)
	case !all && !pattern && given != "":
		p.notice("'%s' is no value of %s, which has %s", cut(given), column.name, strings.Join(column.values, ", "))
	}
}
