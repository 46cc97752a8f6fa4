package config

import (
	"cmp"
	"os"
	"strings"
	"testing"
)

// TestReadme: every setting stands in the README's table under its variable and
// its flag, with its default.
func TestReadme(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(line, "|"); len(cells) == 6 {
			flag, _, _ := strings.Cut(strings.Trim(cells[2], " `-"), "[")
			rows[cmp.Or(flag, strings.Trim(cells[1], " `"))] = line
		}
	}
	each(&Config{}, func(flag, _, variable string, _ any) {
		row, ok := rows[cmp.Or(flag, variable)] // a secret has no flag
		if !ok {
			t.Errorf("the README does not tell of --%s %s", flag, variable)
		}
		if variable != "" && !strings.Contains(row, "`"+variable+"`") {
			t.Errorf("the README's row of --%s does not name %s: %s", flag, variable, row)
		}
	})
}
