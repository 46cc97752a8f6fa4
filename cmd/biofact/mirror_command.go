package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/internal/config"
)

func mirrorCommand(cfg *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mirror",
		Short: "Keep a copy of ClinicalTrials.gov on this machine",
		Long: "Keep a copy of ClinicalTrials.gov in one file, which answers lookups, filters and counts without a request.\n" +
			"Try it without network: biofact --sandbox mirror sync, then biofact --sandbox --mirror=only call count_trials by=country",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	add := func(use, short, long string, run func(*mirrorCall, context.Context) error, args cobra.PositionalArgs) *cobra.Command {
		sub := ofMirror(cfg, &cobra.Command{Use: use, Short: short, Long: long, Args: args}, run)
		cmd.AddCommand(sub)
		return sub
	}
	var from string
	sync := add("sync", "Load the registry, or bring the mirror up to date",
		"Load the registry, or bring the mirror up to date. The first load makes about one request for 1000 trials, at the pace that "+
			"all processes share, and takes about\n"+
			"4 kB of transfer and 8 kB of disk for each trial. It can be stopped at any time; the same command continues it. Later runs "+
			"read the changes only.\nWith --from it makes no request to the registry: a snapshot of another mirror becomes this one.",
		func(c *mirrorCall, ctx context.Context) error {
			if from != "" {
				return c.syncFrom(ctx, from)
			}
			return c.sync(ctx)
		}, cobra.NoArgs)
	sync.Flags().StringVar(&from, "from", "", "a snapshot: a file, or its address (https)")
	add("status", "Show the date and the size of the mirror", "", (*mirrorCall).status, cobra.NoArgs)
	add("verify", "Compare the mirror with the registry: the number of trials, and 100 records",
		"Compare the mirror with the registry: the number of trials, and 100 random records. It makes three requests and changes "+
			"nothing. Exit code 1: they differ.",
		(*mirrorCall).verify, cobra.NoArgs)
	add("snapshot FILE", "Write a copy of the mirror to a file, for other machines",
		"Write a copy of the mirror to a file, for other machines. Servers that read an older copy with that name use the new one without "+
			"a restart.",
		(*mirrorCall).snapshot, takes(1, 1))
	cmd.AddCommand(historyCommands(cfg)...)
	cmd.AddCommand(append(sqlCommands(cfg), tablesExportCommand(cfg))...)
	add("path", "Print the path of the mirror", "", (*mirrorCall).printPath, cobra.NoArgs)
	add("remove", "Remove the mirror and its tables", "", (*mirrorCall).remove, cobra.NoArgs)
	return cmd
}
