package coverage_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/cmd/internal/coverage"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestList checks that each field of the official document is in an answer, or left out for a reason, and that the list names no other
// field.
func TestList(t *testing.T) {
	t.Parallel()
	for _, l := range []struct{ list, document, record string }{
		{"trials/trials.tsv", "clinicaltrials.yaml", "Study"}, {"drugs/drugs.tsv", "openfda.yaml", "Records"},
	} {
		l.list = "../../../internal/mapping/" + l.list
		text, err := os.ReadFile(l.list)
		expect.NoError(t, err)
		document, err := os.ReadFile("../../../specs/" + l.document)
		expect.NoError(t, err)
		table, err := coverage.Parse(text)
		expect.NoError(t, err)
		leaves, err := coverage.Leaves(document, l.record)
		expect.NoError(t, err)
		for _, path := range table.Missing(leaves) {
			t.Errorf("%s has no line for the field %s: say which answer has it, or why it is left out", l.list, path)
		}
		for i, row := range table {
			expect.That(t, slices.ContainsFunc(leaves, func(path string) bool { return strings.HasPrefix(path+".", row.Path+".") }),
				"%s:%d: the document has no field %s", l.list, i+1, row.Path)
		}
		expect.That(t, len(table.Missing([]string{"protocolSection.newModule.field"})) == 1, "a new field passes")
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a", "a\t-", "a\tx\na\ty", "a\tb\tc\td", "a\t-\twhy\na.b\tx"} {
		if _, err := coverage.Parse([]byte(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
