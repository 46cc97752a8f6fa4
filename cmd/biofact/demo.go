package main

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/internal/config"
)

// demoText is the conversation of the demo. A line that starts with the prompt is a command.
//
//go:embed demo.txt
var demoText string

// demoCommand returns the command that runs the commands of the conversation, each below a root of its own.
func demoCommand(cfg *config.Config, root func(*config.Config) *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Show a conversation with the server, from words to facts, without network",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			shown := *cfg
			shown.Sandbox = config.SandboxEmbedded
			sayOrigin(cmd, &shown)
			for line := range strings.Lines(demoText) {
				if _, err := fmt.Fprint(cmd.OutOrStdout(), line); err != nil {
					return err
				}
				command, ok := strings.CutPrefix(line, "$ biofact ")
				if !ok {
					continue
				}
				if err := demoCall(cmd, root, shown, strings.TrimSpace(command)); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// demoCall runs a command on the embedded records, with its answer as a terminal gets it. The error of a tool is a part of the demo.
func demoCall(cmd *cobra.Command, newRoot func(*config.Config) *cobra.Command, cfg config.Config, command string) error {
	root := newRoot(&cfg)
	root.PersistentPreRunE = nil // the demo has said where its answers come from
	root.SetArgs(slices.Concat([]string{"--sandbox"}, strings.Fields(command), []string{"--format", "table"}))
	root.SetOut(cmd.OutOrStdout())
	root.SetErr(cmd.OutOrStdout())
	if err := root.ExecuteContext(cmd.Context()); err != nil && !errors.Is(err, exitFailed) {
		return fmt.Errorf("%s: %w", command, err)
	}
	return nil
}
