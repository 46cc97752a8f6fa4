// Command generate writes what package toolgen renders from tools.yaml and the
// specs, and the pages of docs/ that follow from them, from the settings and from
// docs/flow.txt. It runs from the root of the repository.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/biofact-mcp/biofact/internal/toolgen"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	in, err := inputs(root)
	if err != nil {
		return err
	}
	files, err := toolgen.Generate(in)
	if err != nil {
		return err
	}
	if err := documents(root, in, files); err != nil {
		return err
	}
	for path, content := range files {
		path = filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return removeOrphans(root, files)
}

// documents adds the pages of docs/ that are made here.
func documents(root string, in toolgen.Inputs, files map[string][]byte) error {
	flow, err := os.ReadFile(filepath.Join(root, "docs/flow.txt"))
	if err != nil {
		return err
	}
	if files["docs/flow.svg"], err = drawFlow(flow); err != nil {
		return err
	}
	if files["docs/configuration.md"], err = configuration(); err != nil {
		return err
	}
	files["docs/tools.md"], err = toolPages(in.Tools, files)
	return err
}

func inputs(root string) (toolgen.Inputs, error) {
	in := toolgen.Inputs{Specs: map[string][]byte{}, EntityDir: filepath.Join(root, "internal/entity")}
	for path, set := range map[string]func([]byte){
		"tools.yaml":                func(b []byte) { in.Tools = b },
		"README.md":                 func(b []byte) { in.Readme = b },
		"specs/clinicaltrials.yaml": func(b []byte) { in.Specs["ctgov"] = b },
		"specs/eutils.yaml":         func(b []byte) { in.Specs["eutils"] = b },
	} {
		b, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return in, err
		}
		set(b)
	}
	return in, nil
}

// removeOrphans deletes what an earlier run wrote and this one did not, such
// as the schemas of a tool that was taken out.
func removeOrphans(root string, files map[string][]byte) error {
	for _, folder := range toolgen.Folders() {
		entries, err := os.ReadDir(filepath.Join(root, folder))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if _, rendered := files[folder+"/"+e.Name()]; !rendered {
				if err := os.RemoveAll(filepath.Join(root, folder, e.Name())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
