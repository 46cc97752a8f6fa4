package tool

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestPercentSign: a percentage may have its sign, another number may not.
func TestPercentSign(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"min_percent": "50", "size": "refused"} {
		got := "refused"
		value, err := (&Tool{}).scalar(Argument{Name: name, Type: "integer"}, "50 %")
		if err == nil {
			got = Show(value)
		}
		expect.Equal(t, name, want, got)
	}
}
