package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/clients"
	"github.com/biofact-mcp/biofact/internal/config"
)

// userVariables are the settings that each user of a client sets.
var userVariables = []clients.Variable{
	{Name: "NCBI_API_KEY", About: "API key of NCBI (optional; raises its limit from 3 to 10 requests per second)", Secret: true},
	{Name: "NCBI_ADMIN_EMAIL", About: "Your e-mail address, which NCBI requests (optional)"},
}

func configCommand(cfg *config.Config) *cobra.Command {
	var client, url string
	cmd := &cobra.Command{
		Use:   "config --client NAME",
		Short: "Print the configuration for an MCP client that starts this binary",
		Long: "Print the configuration of an MCP client that starts this binary, or connects to --url.\n" +
			"The configuration goes to standard output, the path of its file and further hints to standard error.\n" +
			"Clients: " + strings.Join(clients.Names(), ", ") + ".\n" +
			"With --sandbox the client starts the sandbox.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			server, err := clientServer(cfg, url)
			if err != nil {
				return err
			}
			snippet, err := clients.For(client, server, runtime.GOOS)
			if err != nil {
				return err
			}
			comments := cmd.ErrOrStderr()
			fmt.Fprintf(comments, "# For the file %s; if it exists already, add the entry to it.\n", snippet.File)
			for _, note := range snippet.Notes {
				fmt.Fprintln(comments, "#", note)
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), snippet.Text)
			return err
		},
	}
	cmd.Flags().StringVar(&client, "client", "", "the client: "+strings.Join(clients.Names(), ", "))
	cmd.Flags().StringVar(&url, "url", "", "connect to a running server, such as https://host.example/mcp")
	completion := cobra.FixedCompletions(clients.Names(), cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc("client", completion); err != nil {
		panic(err) // fails only for an unknown flag
	}
	return cmd
}

// clientServer returns the server that the client starts or connects to.
func clientServer(cfg *config.Config, url string) (clients.Server, error) {
	if url != "" {
		if cfg.Sandbox != "" {
			return clients.Server{}, errors.New("--sandbox: cannot be used with --url, because that server runs already")
		}
		return clients.Server{URL: url}, nil
	}
	self, err := os.Executable()
	if err != nil {
		return clients.Server{}, fmt.Errorf("find this binary: %w", err)
	}
	server := clients.Server{Command: startedAs(os.Args[0], self), Env: userVariables}
	switch cfg.Sandbox {
	case "":
	case config.SandboxEmbedded:
		server.Args = []string{"--sandbox"}
	default: // a client may start the server in any folder
		path, err := filepath.Abs(cfg.Sandbox)
		if err != nil {
			return clients.Server{}, fmt.Errorf("--sandbox: %w", err)
		}
		server.Args = []string{"--sandbox=" + path}
	}
	return server, nil
}

// startedAs returns the absolute path by which the program was called, if it leads to the running binary, and otherwise the binary's
// own path. A symbolic link is not resolved: a link of a package manager stays valid after an update of its target.
func startedAs(called, self string) string {
	path, err := exec.LookPath(called)
	if err != nil {
		return self
	}
	if path, err = filepath.Abs(path); err != nil {
		return self
	}
	calledInfo, err := os.Stat(path)
	if err != nil {
		return self
	}
	if binaryInfo, err := os.Stat(self); err != nil || !os.SameFile(calledInfo, binaryInfo) {
		return self
	}
	return path
}
