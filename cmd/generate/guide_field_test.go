package main

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestFieldGuide follows docs/add-a-field.md in a copy of the repository. A field of a record takes three places, and a test reports the
// forgotten row and the forgotten mapper as the guide shows.
func TestFieldGuide(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	s := copyRepository(t)
	guide := string(mustRead(t, s.root, "docs/add-a-field.md"))
	blocks := guideBlocks(guide)
	expect.Must(t, len(blocks) == 3, "the guide changes %d places; the most is 3", len(blocks))
	fails := func(shown string, args ...string) {
		t.Helper()
		out, err := s.run(t, "go", append([]string{"test", "-vet=off"}, args...)...)
		expect.That(t, strings.Contains(guide, shown), "the guide does not show %q", shown)
		expect.That(t, err != nil && strings.Contains(out, shown), "go test %v does not say %q:\n%s", args, shown, out)
	}
	s.apply(t, blocks[0])
	fails("no row of internal/mapping/trials/trials.tsv has the field results.outcome_measures.analyzed_type", "./cmd/internal/coverage")
	s.apply(t, blocks[1])
	s.must(t, "go", "test", "-vet=off", "./cmd/internal/coverage")
	fails(`no call returns resultsSection.outcomeMeasuresModule.outcomeMeasures.typeUnitsAnalyzed whole: "eyes"`,
		"./e2e", "-run", "TestCoverageOfResults/embedded")
	s.apply(t, blocks[2])
	s.must(t, "go", "test", "-vet=off", "./e2e", "-run", "TestCoverageOfResults/embedded")
	s.must(t, "go", "generate", "./...")
	for path, want := range map[string]string{
		"docs/tools.md": "analyzed_type", "docs/coverage.md": "`results.outcome_measures.analyzed_type`",
	} {
		expect.That(t, strings.Contains(string(mustRead(t, s.root, path)), want), "%s lacks %s", path, want)
	}
	expect.Is(t, s.must(t, "gofmt", "-l", "internal/entity", "internal/mapping"), "", "the guide's code is not as gofmt writes it")
}
