package toolgen_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestGuide compares docs/add-a-tool.md with the generator: its entry is valid in tools.yaml, and its tables list every key.
func TestGuide(t *testing.T) {
	t.Parallel()
	guide := string(read(t, root+"/docs/add-a-tool.md"))
	_, rest, _ := strings.Cut(guide, "```yaml tools.yaml\n")
	entry, _, found := strings.Cut(rest, "```")
	expect.Must(t, found, "the guide shows no entry")
	in := repository(t)
	in.Tools = append(in.Tools, "\n"+entry...)
	if _, err := renderAll(in); err == nil ||
		!strings.Contains(err.Error(), "total_trials: returns TrialTotal: internal/entity has no such type") {
		t.Errorf("of an entity that is not there the generator says %v", err)
	}
	entry = strings.Replace(entry, "TrialTotal", "TrialLocation", 1)
	in = repository(t)
	in.Tools = append(in.Tools, "\n"+entry...)
	generate(t, in)

	for _, wrong := range []string{
		"- {no_such_key: x}",
		strings.Replace(entry, "{filters: trial_filters}", "{no_such_key: x}", 1),
	} {
		in.Tools = []byte(wrong)
		_, err := renderAll(in)
		expect.Must(t, err != nil && strings.Contains(err.Error(), "; it has "), "of an unknown key the generator says %v", err)
		_, keys, _ := strings.Cut(err.Error(), "; it has ")
		for key := range strings.SplitSeq(keys, ", ") {
			expect.That(t, regexp.MustCompile("(?m)^\\| (`\\w+`, )?`"+key+"`").MatchString(guide),
				"the guide does not list the key %s", key)
		}
	}
}
