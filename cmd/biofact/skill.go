package main

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// skillText is the skill for agents: procedures for exact answers. The folder plugin is the plugin of Claude Code.
//
//go:embed plugin/skills/biofact/SKILL.md
var skillText []byte

func skillCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "skill",
		Short: "Print the skill for agents, or install it",
		Long:  "Print SKILL.md, the procedures for an agent that uses Biofact: how to find, read and verify, and how to use notices.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(skillText)
			return err
		},
	}
	var dir string
	install := &cobra.Command{
		Use:   "install",
		Short: "Write the skill to the folder of skills of this user, which Claude Code reads",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" {
				home, err := os.UserHomeDir()
				if err != nil {
					return err
				}
				dir = filepath.Join(home, ".claude", "skills")
			}
			folder := filepath.Join(dir, "biofact")
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return fmt.Errorf("--dir: %w", err)
			}
			file := filepath.Join(folder, "SKILL.md")
			if err := os.WriteFile(file, skillText, 0o644); err != nil {
				return fmt.Errorf("--dir: %w", err)
			}
			fmt.Fprintln(cmd.OutOrStdout(), file)
			return nil
		},
	}
	install.Flags().StringVar(&dir, "dir", "", "folder of skills; if unset, ~/.claude/skills; .claude/skills is the folder of one project")
	cmd.AddCommand(install)
	return cmd
}
