package coverage_test

import (
	"os"
	"testing"

	"github.com/biofact-mcp/biofact/cmd/internal/coverage"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestList checks that each field of the official document is in an answer, or left out for a reason, and that the list names no other
// field.
func TestList(t *testing.T) {
	t.Parallel()
	const list = "../../../internal/mapping/trials/trials.tsv"
	text, err := os.ReadFile(list)
	expect.NoError(t, err)
	document, err := os.ReadFile("../../../specs/clinicaltrials.yaml")
	expect.NoError(t, err)
	table, err := coverage.Parse(text)
	expect.NoError(t, err)
	leaves, err := coverage.Leaves(document, "Study")
	expect.NoError(t, err)
	if err := table.Check(leaves); err != nil {
		t.Errorf("%s: %v", list, err)
	}
	expect.That(t, table.Check(append(leaves, "protocolSection.newModule.field")) != nil, "a new field passes")
	expect.That(t, table.Check(leaves[1:]) != nil, "a field that is gone passes")
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a", "a\t-", "a\tx\na\ty", "a\tb\tc\td", "a\t-\twhy\na.b\tx"} {
		if _, err := coverage.Parse([]byte(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
