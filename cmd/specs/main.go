// Command specs writes the structure of an upstream's official OpenAPI
// document, given as a file or a URL, for the generators to read.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"

	"github.com/biofact-mcp/biofact/internal/openapi"
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
	if from == "" {
		return errors.New("say where the official document is: -from FILE or -from URL")
	}
	document, err := read(ctx, from)
	if err != nil {
		return err
	}
	structure, err := openapi.Structure(document)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return os.WriteFile(out, structure, 0o644)
}

// maxDocument bounds what is read from the network: the document has 80 kB.
const maxDocument = 16 << 20

func read(ctx context.Context, from string) ([]byte, error) {
	if !strings.HasPrefix(from, "https://") && !strings.HasPrefix(from, "http://") {
		return os.ReadFile(from)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered %s", from, resp.Status)
	}
	document, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument+1))
	if len(document) > maxDocument { // cut YAML may well be YAML
		return nil, fmt.Errorf("%s has more than %d bytes", from, maxDocument)
	}
	return document, err
}
