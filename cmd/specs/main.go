// Command specs writes the structure of an upstream's official OpenAPI
// document, given as a file or a URL, for the generators to read. It stands on
// nothing that is generated, so that it works where that does not compile.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/biofact-mcp/biofact/cmd/internal/openapi"
)

func main() {
	from := flag.String("from", "", "the official document: a file or an https URL")
	out := flag.String("out", "specs/clinicaltrials.yaml", "the file to write")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *from, *out); err != nil {
		fmt.Fprintln(os.Stderr, "specs:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, from, out string) error {
	structure, err := openapi.Read(ctx, from)
	if err != nil {
		return err
	}
	return os.WriteFile(out, structure, 0o644)
}
