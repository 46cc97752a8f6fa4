package tool_test

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// TestPromptArgumentNeedsAnother: an argument without the one that it needs is
// refused.
func TestPromptArgumentNeedsAnother(t *testing.T) {
	t.Parallel()
	p := &tool.Prompt{Name: "p", Arguments: []tool.PromptArgument{{Name: "near", Example: "Boston"},
		{Name: "within", Example: "50 mi", Needs: "near"}}}
	err := p.Check(map[string]string{"within": "50 mi"})
	expect.That(t, err != nil && err.Error() == "within: needs near, which was not given", "%v", err)
	expect.NoError(t, p.Check(map[string]string{"near": "Boston", "within": "50 mi"}))
}
