package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/clients"
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
	var force bool
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
			if info, err := os.Lstat(folder); err != nil || !info.IsDir() {
				return fmt.Errorf("--dir: %s is no folder, but perhaps a link to one", folder)
			}
			file := filepath.Join(folder, "SKILL.md")
			made := func(old []byte) bool { return bytes.HasPrefix(old, []byte("---\nname: "+clients.Name+"\n")) }
			err := mayWrite(file, force, made)
			if err == nil {
				err = os.WriteFile(file, skillText, 0o644)
			}
			if err != nil {
				return fmt.Errorf("--dir: %w", err)
			}
			fmt.Fprintln(cmd.OutOrStdout(), file)
			return nil
		},
	}
	install.Flags().StringVar(&dir, "dir", "", "folder of skills; if unset, ~/.claude/skills; .claude/skills is the folder of one project")
	install.Flags().BoolVar(&force, "force", false, aboutForce)
	cmd.AddCommand(install)
	return cmd
}
