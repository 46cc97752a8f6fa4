package genes

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestBeforeSpreadsheet: a date may be a symbol that a spreadsheet has read.
func TestBeforeSpreadsheet(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2-Sep": "SEPT2 SEP2", "Sep-02": "SEPT2 SEP2", "1-Mar": "MARCH1 MARC1", "01-MAR": "MARCH1 MARC1", "4-Oct": "OCT4", "1-Dec": "DEC1",
		"Sep": "", "2-Sep-3": "", "2": "", "HLA-2": "", "SEPT2": "", "": "", "2-Foo": "",
	} {
		expect.Is(t, strings.Join(beforeSpreadsheet(text), " "), want, "%q", text)
	}
}
