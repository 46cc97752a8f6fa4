package criteria_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/criteria"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// hostile are pieces of text that fill a line: comparators, numbers, names of measures, beginnings of lists, units.
var hostile = []string{"> ", "1 ", "not ", "unless if ", "age ", "ECOG 0, ", "1, 2, ", "at least 5 to 6 and ", "x 10^9/L ", "( ", "of the of the ",
	"16 0/7 ", "AST, ALT, ", "* a\n", "  * a\n", "a:\n", "Inclusion Criteria: ", "greater than or equal to ", "(1) ", "140/90 ", "times ", "a",
	"1", "NYHA class II or ", "< 5 years or > ", "; ", "é", "years ", "between 3 and ", "in the last ", ">=", "within ", "mean arterial ", "- ",
	"systolic blood pressure ", "≤ 2 x ULN; ", ". ", "\n", " \n* \n", "\t"}

// BenchmarkHostile reads lines of 900 kB of one piece, and of a third of it. It reports the processor time of the longer one, and its ratio
// to that of the shorter one: 3 is linear.
func BenchmarkHostile(b *testing.B) {
	for _, piece := range hostile {
		b.Run(fmt.Sprintf("%q", piece), func(b *testing.B) {
			read := func(size int) time.Duration {
				from := expect.ProcessTime()
				for _, l := range criteria.Lines(strings.Repeat(piece, size/len(piece))) {
					l.Limits()
				}
				return expect.ProcessTime() - from
			}
			var short, long time.Duration
			for b.Loop() {
				short, long = short+read(300_000), long+read(900_000)
			}
			b.ReportMetric(float64(long.Milliseconds())/float64(b.N), "cpu-ms/900kB")
			b.ReportMetric(float64(long)/float64(short), "ratio")
		})
	}
}
