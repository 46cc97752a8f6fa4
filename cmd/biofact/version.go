package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/internal/aact/engine"
)

// version is set by the build.
var version = ""

// homepage is the web page of the project.
const homepage = "https://github.com/biofact-mcp/biofact"

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprintln(cmd.OutOrStdout(), "biofact", buildVersion())
			path, err := engine.Find()
			if err != nil {
				return // many installations need no queries over the tables
			}
			if name, err := engine.NewDuckDB(nil).Name(cmd.Context()); err == nil {
				fmt.Fprintln(cmd.OutOrStdout(), "biofact-sql with", name, "in", path)
			}
		},
	}
}

// buildVersion returns the version that the build set, or the version that the Go command recorded.
func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "0.0.0-dev"
}
