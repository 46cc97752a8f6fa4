package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"

	"github.com/biofact-mcp/biofact/cmd/internal/toolgen"
)

// clients adds the client of each upstream, which oapi-codegen generates from its document and the configuration next to it.
func clients(ctx context.Context, root string, files map[string][]byte) error {
	list, err := toolgen.Clients(root)
	if err != nil {
		return err
	}
	for _, client := range list {
		var stdout, stderr bytes.Buffer
		cmd := exec.CommandContext(ctx, "go", "tool", "oapi-codegen", "-config", path.Base(client.Config), path.Base(client.Spec))
		cmd.Dir = filepath.Join(root, "specs")
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: oapi-codegen: %w\n%s", client.Spec, err, stderr.String())
		}
		files[client.File] = stdout.Bytes()
	}
	return nil
}
