package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/internal/auth"
	"github.com/biofact-mcp/biofact/internal/config"
)

func tokenCommand(cfg *config.Config) *cobra.Command {
	var grant auth.Grant
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Make a token for the HTTP server, signed with MCP_AUTH_SECRET_KEY",
		Long: "Make an HS256 token for a server with the same MCP_AUTH_SECRET_KEY. It grants the toolsets of --toolsets.\n" +
			"Clients send it as: Authorization: Bearer TOKEN",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cfg.AuthSecret == "" {
				return errors.New("MCP_AUTH_SECRET_KEY: must be set to the secret of the server")
			}
			grant.Audience = cfg.AuthAudience
			for _, toolset := range cfg.Toolsets {
				grant.Scopes = append(grant.Scopes, auth.Scope(toolset))
			}
			token, err := auth.Token([]byte(cfg.AuthSecret), grant, time.Now())
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), token)
			return nil
		},
	}
	cmd.Flags().StringVar(&grant.Subject, "subject", "trial", "name of the client; logs and the rate limit distinguish clients by it")
	cmd.Flags().DurationVar(&grant.Lifetime, "lifetime", 24*time.Hour, "how long the token is valid, 366 days at most")
	return cmd
}
