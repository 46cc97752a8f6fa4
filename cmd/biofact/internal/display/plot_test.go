package display

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"github.com/biofact-mcp/biofact/internal/expect"
)

func plotted(t *testing.T, answer string, width int) string {
	t.Helper()
	parsed, err := Parse([]byte(answer))
	expect.NoError(t, err)
	var out strings.Builder
	(&Printer{Out: &out, Width: width}).Plot(parsed)
	return out.String()
}

func TestPlot(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ answer, want string }{
		"years in order": {
			`{"total_count":15,"groups":[{"value":"until 2021","count":1},{"value":"2022","count":5},{"value":"2024","count":10}]}`,
			"until 2021   1  ██▍\n2022         5  ████████████\n2023         0\n2024        10  ████████████████████████\n\nTotal count  15\n",
		},
		"nested groups, and the values left out": {
			`{"total_count":9,"groups":[{"value":"A","count":8,"groups":[{"value":"x","count":4}]},{"value":"BB","count":1}],"others":{"values":2,"count":3},"exact":false,"notices":["A sample."]}`,
			"A            8  ████████████████████████\n  x          4  ████████████\nBB           1  ███\n(others: 2)  3\n\nTotal count  9\nOthers\n  Values  2\n " +
				" Count   3\nExact        no\nnotice: A sample.\n",
		},
		"a long label": {
			`{"groups":[{"value":"National Institute of Allergy and Infectious Diseases","count":1000},{"value":"日本語日本語日本語日本語日本語","count":1}]}`,
			"National In…  1000  ████████████████████\n日本語日本…      1  ▏\n\n",
		},
		"other names":     {`{"buckets":[{"year":"2001","count":2}],"total":2}`, "2001  2  ███████████████████████████████\n\nTotal  2\n"},
		"nothing to draw": {`{"total_count":0,"exact":true}`, "Total count  0\nExact        yes\n"},
	} {
		got := plotted(t, tt.answer, 40)
		expect.Equal(t, name, strings.TrimRight(tt.want, "\n"), strings.TrimRight(got, "\n"))
	}
}

// TestPlotWidth checks that no line is wider than the terminal, that numbers are right-aligned, and that each count above zero has a
// bar.
func TestPlotWidth(t *testing.T) {
	t.Parallel()
	answer := `{"groups":[{"value":"` + strings.Repeat("long words ", 9) + `","count":123456},{"value":"PHASE2","count":7}]}`
	for width := 30; width < 160; width += 9 {
		lines := strings.Split(plotted(t, answer, width), "\n")
		ends := map[int]bool{}
		for _, line := range lines[:2] {
			expect.That(t, uniseg.StringWidth(line) <= width, "width %d: %s", width, line)
			before, bar, _ := strings.Cut(line, "  "+string([]rune(line)[len([]rune(line))-1]))
			_ = bar
			ends[uniseg.StringWidth(strings.TrimRight(strings.TrimRight(before, "█▏▎▍▌▋▊▉"), " "))] = true
		}
		expect.That(t, len(ends) == 1, "width %d: numbers end in %v:\n%s", width, ends, strings.Join(lines, "\n"))
	}
	for count := 1; count < 100; count += 7 {
		expect.That(t, drawn(count, 100_000, 20) == "▏" && drawn(100, 100, count) == strings.Repeat("█", count), "%d", count)
	}
}
