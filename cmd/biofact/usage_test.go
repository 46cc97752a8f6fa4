package main

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestNumberOfArguments: a command line with too few or too many arguments gets the usage line of its command.
func TestNumberOfArguments(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"call":                "an argument is missing; usage: biofact call TOOL",
		"mirror snapshot":     "an argument is missing; usage: biofact mirror snapshot FILE",
		"mirror snapshot a b": `"b" is an argument too many; usage: biofact mirror snapshot FILE`,
		"validate":            "an argument is missing; usage: biofact validate FILE ...",
		"schema trial gene":   `"gene" is an argument too many; usage: biofact schema [NAME]`,
	} {
		cfg, err := config.Read([]string{"BIOFACT_CACHE_DIR=off"})
		expect.NoError(t, err)
		root := rootCommand(cfg)
		root.SetArgs(strings.Fields(line))
		err = root.ExecuteContext(t.Context())
		expect.That(t, err != nil && strings.HasPrefix(err.Error(), want), "%s: %v", line, err)
	}
}
