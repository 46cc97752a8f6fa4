package e2e

import (
	"os/exec"
	"strings"
	"testing"
)

// TestDemo plays the conversation of biofact demo: it reaches its last step, and each value that it names is in an answer.
func TestDemo(t *testing.T) {
	cmd := exec.Command(binary(t), "demo")
	cmd.Env = append(cmd.Environ(), "BIOFACT_CACHE_DIR="+t.TempDir())
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, want := range []string{"PALbociclib", "300 sites in all", "Hazard Ratio (HR) 0.96", "TP53", "ids            10.1056/NEJMoa2034577, PMC7745181"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the demo does not show %q", want)
		}
	}
	if strings.Contains(string(text), "<no value>") {
		t.Errorf("a value is missing:\n%s", text)
	}
}
