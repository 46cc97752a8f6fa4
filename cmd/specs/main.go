// Command specs writes the structure of an official document of a source, which the generators and command drift read. Without -source it
// writes those of all. It runs from the root of the repository and imports no generated code, so that it works if generated code
// does not compile.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/biofact-mcp/biofact/cmd/internal/openapi"
	"github.com/biofact-mcp/biofact/internal/source"
)

func main() {
	name := flag.String("source", "", "the document, such as ctgov; empty: all")
	from := flag.String("from", "", "the official document: a file or a URL; empty: where its operator publishes it")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, ".", *name, *from); err != nil {
		fmt.Fprintln(os.Stderr, "specs:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root, name, from string) error {
	documents, err := source.Documents(name, from)
	if err != nil {
		return err
	}
	for _, d := range documents {
		structure, err := openapi.Read(ctx, d.URL)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(root, d.Spec), structure, 0o644); err != nil {
			return err
		}
	}
	return nil
}
