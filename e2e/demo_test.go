package e2e

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestDemo plays the conversation of biofact demo: it reaches its last step, and each id that a command has is in an answer before it.
func TestDemo(t *testing.T) {
	cmd := exec.Command(binary(t), "demo")
	cmd.Env = append(cmd.Environ(), "BIOFACT_CACHE_DIR="+t.TempDir())
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, want := range []string{"PALbociclib", "2 of 437", "UNRESOLVED_ENTITY", "Hazard Ratio (HR) 0.96", "TP53", "PMC7383595", "3 of 3204"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the demo does not show %q", want)
		}
	}
	ids, shown := regexp.MustCompile(`\d{8}|Gene:\d+`), ""
	for line := range strings.Lines(string(text)) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			for _, id := range ids.FindAllString(command, -1) {
				if number := strings.TrimPrefix(id, "Gene:"); !strings.Contains(shown, number) {
					t.Errorf("%s: no answer before has the id %s", command, id)
				}
			}
			continue
		}
		shown += line
	}
}
