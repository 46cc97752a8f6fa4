package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/clients"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
)

// userVariables are the settings that each user of a client sets.
var userVariables = []clients.Variable{
	{Name: "NCBI_API_KEY", About: "API key of NCBI (optional; raises its limit from 3 to 10 requests per second)", Secret: true},
	{Name: "NCBI_ADMIN_EMAIL", About: "Your e-mail address, which NCBI requests (optional)"},
}

// configFlags are the flags of biofact config.
type configFlags struct {
	client, url                  string
	write, dryRun, project, link bool
}

func configCommand(cfg *config.Config) *cobra.Command {
	var flags configFlags
	cmd := &cobra.Command{
		Use:   "config --client NAME",
		Short: "Connect an MCP client to this binary, or keep a setting",
		Long: "Print the configuration of an MCP client that starts this binary, or connects to --url.\n" +
			"With --write, add it to the client's file instead: everything else in the file stays, and a backup is written beside it.\n" +
			"Clients: " + strings.Join(clients.Names(), ", ") + ".\n" +
			"With --sandbox the client starts the sandbox.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			server, err := clientServer(cfg, flags.url)
			if err != nil {
				return err
			}
			if flags.write || flags.dryRun || flags.project {
				return writeClient(cmd, flags, server)
			}
			if flags.link {
				link, err := clients.Link(flags.client, server)
				if err == nil {
					fmt.Fprintln(cmd.OutOrStdout(), link)
				}
				return err
			}
			snippet, err := clients.For(flags.client, server, runtime.GOOS)
			if err != nil {
				return err
			}
			comments := cmd.ErrOrStderr()
			fmt.Fprintf(comments, "# For the file %s; --write adds the entry to it.\n", snippet.File)
			for _, note := range snippet.Notes {
				fmt.Fprintln(comments, "#", note)
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), snippet.Text)
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.client, "client", "", "the client: "+strings.Join(clients.Names(), ", "))
	f.StringVar(&flags.url, "url", "", "connect to a running server, such as https://host.example/mcp")
	f.BoolVar(&flags.write, "write", false, "add the entry to the client's file of this user")
	f.BoolVar(&flags.project, "project", false, "like --write, to the client's file of the current folder")
	f.BoolVar(&flags.link, "link", false, "print a web address that adds the entry to VS Code or Cursor, for a page with --url")
	f.BoolVar(&flags.dryRun, "dry-run", false, "with --write or --project, print the new content of the file and change nothing")
	completion := cobra.FixedCompletions(clients.Names(), cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc("client", completion); err != nil {
		panic(err) // fails only for an unknown flag
	}
	cmd.AddCommand(configSetCommand())
	return cmd
}

// configSetCommand returns the command that keeps a setting in the file of the user.
func configSetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "set NAME VALUE",
		Short: "Keep a setting for this user, below environment and flags; an empty value removes it",
		Long: "Keep a setting, by its flag or its variable, in a file of this user. Environment and flags override it.\n" +
			"VALUE - is read from standard input, for secrets.",
		Example: "  biofact config set contact you@example.org\n  biofact config set NCBI_API_KEY - < key.txt",
		Args:    takes(2, 2),
		// An invalid setting can be corrected.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(cmd *cobra.Command, args []string) error {
			value := args[1]
			if value == "-" {
				text, err := io.ReadAll(limitBytes(cmd.InOrStdin(), maxArguments))
				if err != nil {
					return err
				}
				value = strings.TrimSpace(string(text))
			}
			variable, err := config.Keep(args[0], value, app.Validate)
			if err == nil {
				fmt.Fprintf(cmd.OutOrStdout(), "%s is kept in %s\n", variable, config.UserFile())
			}
			return err
		},
	}
}

func writeClient(cmd *cobra.Command, flags configFlags, server clients.Server) error {
	if flags.client == "claude-code" && !flags.project { // its user file expands no variables; the server gets those of the client
		server.Env = nil
	}
	path, err := clients.FileOf(flags.client, flags.project)
	if err != nil {
		return err
	}
	old, err := config.ReadBounded(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	content, err := clients.Merge(flags.client, old, server, runtime.GOOS)
	switch out := cmd.OutOrStdout(); {
	case err != nil:
		return fmt.Errorf("%s was not changed: %w", path, err)
	case flags.dryRun:
		_, err := out.Write(content)
		return err
	case bytes.Equal(old, content):
		fmt.Fprintf(out, "%s has the entry already\n", path)
		return nil
	}
	backup, err := clients.Write(path, old, content)
	if err != nil {
		return fmt.Errorf("%s was not changed: %w", path, err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %s is added; start the client again\n", path, clients.Name)
	if backup != "" {
		fmt.Fprintf(cmd.OutOrStdout(), "its former content: %s\n", backup)
	}
	return nil
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
	server := clients.Server{Env: userVariables}
	server.Command, server.Args = starter(startedAs(os.Args[0], self))
	switch cfg.Sandbox {
	case "":
	case config.SandboxEmbedded:
		server.Args = append(server.Args, "--sandbox")
	default: // a client may start the server in any folder
		path, err := filepath.Abs(cfg.Sandbox)
		if err != nil {
			return clients.Server{}, fmt.Errorf("--sandbox: %w", err)
		}
		server.Args = append(server.Args, "--sandbox="+path)
	}
	return server, nil
}

// starter returns the command that starts the binary at a path. A path in the cache of npx or uvx does not last, so they start it again.
func starter(path string) (command string, args []string) {
	switch slashed := filepath.ToSlash(path); {
	case strings.Contains(slashed, "/_npx/") && runtime.GOOS != "windows": // there npx is a script, which clients do not start
		return "npx", []string{"-y", clients.Name}
	case strings.Contains(slashed, "/uv/archive-"):
		return "uvx", []string{clients.Name}
	}
	return path, nil
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
