package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/doctor"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

func doctorCommand(cfg *config.Config) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check configuration, cache, clock, network and sources",
		Long: "Check everything that a server needs, one line each: ok, warn (it works, but could work better) or fail, with a remedy.\n" +
			"Each source gets one small request, within its rate limit. With --sandbox the sandbox gets the requests instead.",
		Args: cobra.NoArgs,
		// An invalid configuration is one of the findings.
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			sayOrigin(cmd, cfg)
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			d := newDoctor(cmd.Context(), cfg)
			if !asJSON {
				d.Found = func(c doctor.Check) { c.Print(out) }
			}
			all := d.Examine(cmd.Context())
			switch {
			case asJSON:
				enc := json.NewEncoder(out)
				enc.SetEscapeHTML(false)
				enc.SetIndent("", "  ")
				if err := enc.Encode(all); err != nil {
					return err
				}
			case all.Offline:
				fmt.Fprintln(out, "\nNo source can be reached from this machine: check the network. Without a network "+
					"try biofact --sandbox.")
			}
			return exitOf(all)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the checks as JSON")
	return cmd
}

// newDoctor returns a doctor that sends requests as the server would, without logging.
func newDoctor(ctx context.Context, cfg *config.Config) *doctor.Doctor {
	return &doctor.Doctor{
		Config: cfg, Version: buildVersion(), Found: func(doctor.Check) {}, Validate: func() error { return app.Validate(cfg) },
		Store: func() *store.Store { return app.Store(cfg, slog.New(slog.DiscardHandler)) },
		Options: func(turns *store.Store) (func(*source.Source) upstream.Options, error) {
			return app.Options(ctx, cfg, buildVersion(), turns)
		},
	}
}

// exitOf returns the exit error for a diagnosis, or nil.
func exitOf(d doctor.Diagnosis) error {
	local := slices.ContainsFunc(d.Checks, func(c doctor.Check) bool { return c.Status == doctor.Fail && c.Problem == "" })
	switch {
	case d.Offline && !local:
		return exitOffline
	case d.Status == doctor.Fail:
		return exitFailed
	}
	return nil
}
