// Command drift reports what changed between the committed structure of an
// upstream's OpenAPI document and a newer official document, given as a file or
// a URL, and what of it breaks the project: as Markdown on standard output, and
// as JSON in a file. It runs from the root of the repository.
//
// Its exit status is 0 where nothing changed that breaks the project, 1 where
// something did, and 2 where no report could be made.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/biofact-mcp/biofact/cmd/internal/drift"
	"github.com/biofact-mcp/biofact/cmd/internal/openapi"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, ".", os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// Exit statuses.
const (
	harmless = iota
	breaking
	noReport
)

// run prints the report and returns the exit status.
func run(ctx context.Context, root string, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("drift", flag.ContinueOnError)
	flags.SetOutput(stderr)
	from := flags.String("from", "", "the official document: a file or an https URL")
	out := flags.String("json", "", "a file to write the report to as JSON, too")
	if err := flags.Parse(args); err != nil {
		return noReport // flags has said why
	}
	report, err := compare(ctx, root, *from)
	if err == nil && *out != "" {
		err = writeJSON(*out, report)
	}
	if err == nil {
		_, err = io.WriteString(stdout, report.Markdown())
	}
	switch {
	case err != nil:
		// Errors of a parser or of the network may have several lines.
		fmt.Fprintln(stderr, "drift:", strings.Join(strings.Fields(err.Error()), " "))
		return noReport
	case report.Breaking:
		return breaking
	}
	return harmless
}

func compare(ctx context.Context, root, from string) (*drift.Report, error) {
	use, err := readUse(root)
	if err != nil {
		return nil, err
	}
	committed, err := os.ReadFile(filepath.Join(root, "specs/clinicaltrials.yaml"))
	if err != nil {
		return nil, err
	}
	newer, err := openapi.Read(ctx, from)
	if err != nil {
		return nil, err
	}
	return drift.Compare(committed, newer, use)
}

func writeJSON(path string, report *drift.Report) error {
	text, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
