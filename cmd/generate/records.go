package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/biofact-mcp/biofact/internal/sandbox/facts"
)

// records adds the records of the sandbox, which are made of its facts files.
func records(root string, files map[string][]byte) error {
	const sandbox = "internal/sandbox/"
	for _, file := range []struct {
		from, to string
		render   func([]byte) ([]byte, error)
	}{
		{"facts/trials.yaml", "data/studies.jsonl", facts.Studies},
		{"facts/genes.yaml", "data/genes.jsonl", facts.Genes},
		{"facts/articles.yaml", "data/articles.jsonl", facts.Articles},
	} {
		source, err := os.ReadFile(filepath.Join(root, sandbox+file.from))
		if err != nil {
			return err
		}
		if files[sandbox+file.to], err = file.render(source); err != nil {
			return fmt.Errorf("%s: %w", sandbox+file.from, err)
		}
	}
	return nil
}
