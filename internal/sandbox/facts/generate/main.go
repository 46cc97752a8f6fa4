// Command generate renders the facts files of the sandbox as the records that
// the program embeds.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/biofact-mcp/biofact/internal/sandbox/facts"
)

// rendered are the facts files and what becomes of each.
var rendered = []struct {
	in, out string
	render  func([]byte) ([]byte, error)
}{
	{"facts/trials.yaml", "data/studies.jsonl", facts.Studies},
	{"facts/genes.yaml", "data/genes.jsonl", facts.Genes},
	{"facts/articles.yaml", "data/articles.jsonl", facts.Articles},
}

func main() {
	sandbox := flag.String("sandbox", "internal/sandbox", "folder of the sandbox")
	flag.Parse()
	if err := generate(*sandbox); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(sandbox string) error {
	for _, file := range rendered {
		in := filepath.Join(sandbox, file.in)
		source, err := os.ReadFile(in)
		if err != nil {
			return err
		}
		records, err := file.render(source)
		if err != nil {
			return fmt.Errorf("%s: %w", in, err)
		}
		if err := os.WriteFile(filepath.Join(sandbox, file.out), records, 0o644); err != nil {
			return err
		}
	}
	return nil
}
