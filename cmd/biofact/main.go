// Command biofact is an MCP server that answers biomedical facts. Without a subcommand it serves one client over standard input and
// output.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	environ, err := config.WithUserFile(os.Environ())
	var cfg *config.Config
	if err == nil {
		cfg, err = config.Read(environ)
	}
	out := &output{file: os.Stdout}
	if err == nil {
		root := rootCommand(cfg)
		root.SetOut(out)
		err = root.ExecuteContext(ctx)
	}
	if lost := out.failed(); lost != nil {
		err = lost
	}
	if err == nil {
		return
	}
	code, reported := codeOf(err)
	if !reported {
		fmt.Fprintln(os.Stderr, "biofact:", entity.Clean(err.Error())) // it may quote a source
	}
	stop()
	os.Exit(int(code))
}

func rootCommand(cfg *config.Config) *cobra.Command {
	root := &cobra.Command{
		Use:   "biofact",
		Short: "Biomedical facts for LLM agents, over the Model Context Protocol",
		Long: "Facts from ClinicalTrials.gov, NCBI, Europe PMC and openFDA, on the command line and for MCP clients.\n" +
			"Without a command, biofact serves one client over standard input and output.\n" +
			"Try it without network: biofact --sandbox call search_trials asthma\n\n" +
			"Exit codes: 0 an answer; 1 an error, or a check that failed; 2 wrong usage; 3 no source can be reached (doctor); " +
			"4 no news (mirror changes --watch); 130 Ctrl-C.",
		Version: buildVersion(),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, cfg, args[0])
			}
			return nil
		},
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			limitMemory(cfg)
			sayOrigin(cmd, cfg)
			return app.Validate(cfg)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return greetOrServe(cmd, cfg) },
	}
	cfg.Flags(root.PersistentFlags())
	root.AddCommand(serveCommand(cfg), tokenCommand(cfg), callCommand(cfg), checkCommand(cfg), exportCommand(cfg),
		toolsCommand(cfg), doctorCommand(cfg),
		demoCommand(cfg, rootCommand), cacheCommand(cfg), mirrorCommand(cfg), watchCommand(), configCommand(cfg),
		schemaCommand(), validateCommand(), skillCommand(), versionCommand())
	addHelp(root, cfg)
	return root
}

// sayOrigin says on standard error that a command answers from a sandbox.
func sayOrigin(cmd *cobra.Command, cfg *config.Config) {
	if origin := app.Origin(cfg); origin != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), "biofact:", entity.Clean(origin.Notice))
	}
}

// maxLeftOut limits the files that are named.
const maxLeftOut = 3

// sayLeftOut says on standard error which files of the sandbox hold no records.
func sayLeftOut(cmd *cobra.Command, a *app.App) {
	if n := len(a.LeftOut); n > 0 {
		text := fmt.Sprintf("%s left out: %s", plural(n, "file"), strings.Join(a.LeftOut[:min(n, maxLeftOut)], "; "))
		if n > maxLeftOut {
			text += fmt.Sprintf("; and %d more", n-maxLeftOut)
		}
		fmt.Fprintln(cmd.ErrOrStderr(), "biofact:", entity.Clean(text))
	}
}

// memoryLimit is the soft memory limit. Near it the garbage collector runs more often, which bounds the memory that a very large answer
// of a source takes. A busy server needs half of it.
const memoryLimit = 60 << 20

// limitMemory sets the limit, unless GOMEMLIMIT is set or loaded records need more.
func limitMemory(cfg *config.Config) {
	if os.Getenv("GOMEMLIMIT") == "" && (cfg.Sandbox == "" || cfg.Sandbox == config.SandboxEmbedded) {
		debug.SetMemoryLimit(memoryLimit)
	}
}
