// Command generate renders the facts file of the sandbox as the study records that
// the program embeds.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/biofact-mcp/biofact/internal/sandbox/facts"
)

func main() {
	in := flag.String("in", "internal/sandbox/facts/trials.yaml", "facts file")
	out := flag.String("out", "internal/sandbox/data/studies.jsonl", "records to write")
	flag.Parse()
	if err := generate(*in, *out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(in, out string) error {
	source, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	records, err := facts.Studies(source)
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	return os.WriteFile(out, records, 0o644)
}
