package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"

	"golang.org/x/term"

	"github.com/biofact-mcp/biofact/internal/config"
)

func isTerminal(stream any) bool {
	f, ok := asFile(stream)
	return ok && term.IsTerminal(int(f.Fd()))
}

// hasColor reports whether a terminal shows colours and the user has not switched them off.
func hasColor(out io.Writer) bool {
	return isTerminal(out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// screenWidth returns the number of columns of the terminal behind out, or 0 if out is not a terminal.
func screenWidth(out io.Writer) int {
	f, ok := asFile(out)
	if !ok || !isTerminal(f) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width == 0 {
		return 80
	}
	return width
}

// maxOpened limits the pages that --open opens in the browser.
const maxOpened = 10

// openPages opens web pages in the browser of the user. A machine without a browser gets an error.
func openPages(ctx context.Context, links []string) error {
	for _, link := range links[:min(len(links), maxOpened)] {
		command := []string{"xdg-open"}
		switch browser := os.Getenv("BROWSER"); {
		case browser != "":
			command = []string{browser}
		case runtime.GOOS == "darwin":
			command = []string{"open"}
		case runtime.GOOS == "windows":
			command = []string{"rundll32", "url.dll,FileProtocolHandler"}
		}
		if err := exec.CommandContext(ctx, command[0], append(command[1:], link)...).Run(); err != nil {
			return fmt.Errorf("--open: the browser did not start (%s: %w); the addresses are above", command[0], err)
		}
	}
	return nil
}

// quiet keeps warnings off the terminal, so that nothing is printed beside an answer; biofact doctor shows the settings that cause them.
// A log file, and a level that the user chose, stay as they are.
func quiet(cfg *config.Config) {
	if cfg.LogsDir == "" && cfg.LogLevel == "" {
		cfg.LogLevel = "emergency"
	}
}
