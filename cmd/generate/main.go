// Command generate renders everything that follows from tools.yaml and specs/: the clients of the upstreams, the output of package
// toolgen, the pages of docs/ and the bundle's manifest. It writes nothing until all of it is rendered. With -check it writes nothing
// and fails if a file is not fresh. It runs from the root of the repository.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/cmd/internal/toolgen"
)

func main() {
	check := flag.Bool("check", false, "write nothing; fail where a file is not fresh")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, ".", *check)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root string, check bool) error {
	files, err := render(ctx, root)
	if err != nil {
		return err
	}
	stale, orphans, err := compare(root, files)
	if err != nil {
		return err
	}
	if check {
		if len(stale)+len(orphans) == 0 {
			return nil
		}
		return errors.New("not fresh, run make generate: " + strings.Join(slices.Concat(stale, orphans), ", "))
	}
	return write(root, files, stale, orphans)
}

// render checks all inputs and returns the generated files by path.
func render(ctx context.Context, root string) (map[string][]byte, error) {
	in, err := toolgen.Repository(root)
	if err != nil {
		return nil, err
	}
	contract, err := toolgen.Read(in)
	if err != nil {
		return nil, err
	}
	files, err := contract.Render(in)
	if err != nil {
		return nil, err
	}
	for _, step := range []func() error{
		func() error { return clients(ctx, root, files) },
		func() (err error) { files["docs/configuration.md"], err = configuration(); return err },
		func() error { return coveragePage(root, files) },
		func() error { return studySchema(root, files) },
		func() error { return manifest(root, contract, files) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// compare returns the paths of the files that differ from the rendered ones, and of generated files that are no longer rendered, such
// as the schemas of a removed tool.
func compare(root string, files map[string][]byte) (stale, orphans []string, err error) {
	for _, path := range slices.Sorted(maps.Keys(files)) {
		current, err := os.ReadFile(filepath.Join(root, path))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		if err != nil || !bytes.Equal(current, files[path]) {
			stale = append(stale, path)
		}
	}
	for _, folder := range toolgen.Folders() {
		entries, err := os.ReadDir(filepath.Join(root, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		for _, e := range entries {
			if path := folder + "/" + e.Name(); files[path] == nil && !slices.Contains(toolgen.Folders(), path) {
				orphans = append(orphans, path)
			}
		}
	}
	return stale, orphans, nil
}

// write writes the stale files and removes the orphans.
func write(root string, files map[string][]byte, stale, orphans []string) error {
	for _, path := range stale {
		to := filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, files[path], 0o644); err != nil {
			return err
		}
	}
	for _, path := range orphans {
		if err := os.RemoveAll(filepath.Join(root, path)); err != nil {
			return err
		}
	}
	return nil
}
