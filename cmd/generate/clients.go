package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
)

// clients adds the client of each upstream: what oapi-codegen makes of its
// document and of the configuration beside it.
func clients(ctx context.Context, root string, files map[string][]byte) error {
	for _, client := range []struct{ document, path string }{
		{"clinicaltrials", "gen/ctgov/ctgov.gen.go"},
		{"eutils", "gen/eutils/eutils.gen.go"},
	} {
		var stdout, stderr bytes.Buffer
		cmd := exec.CommandContext(ctx, "go", "tool", "oapi-codegen", "-config", client.document+".codegen.yaml", client.document+".yaml")
		cmd.Dir = filepath.Join(root, "specs")
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("specs/%s.yaml: oapi-codegen: %w\n%s", client.document, err, stderr.String())
		}
		files[client.path] = stdout.Bytes()
	}
	return nil
}
