// Package toolgen generates from tools.yaml and the upstreams' OpenAPI documents all parts of a tool except its behaviour: argument
// structs, the Handlers interface, one table, JSON Schemas and the README's tool table.
//
// It renders into memory and writes no file, so that the command that writes the files, the check that they are current, and the tests call
// the same function. It never imports a generated package.
package toolgen

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Inputs are the documents that everything is rendered from.
type Inputs struct {
	// Tools, Words and Prompts are the texts of tools.yaml, words.yaml and prompts.yaml. The last two may be empty.
	Tools, Words, Prompts []byte
	// Specs holds the OpenAPI document of each upstream by its name in tools.yaml, which is the package name of its generated client.
	Specs map[string][]byte
	// EntityDir is the folder of package entity: its doc comments are the descriptions in the schemas.
	EntityDir string
	// Readme is the README whose tool table is replaced. If it is empty, neither the README nor the documents are rendered.
	Readme []byte
}

// Repository returns the inputs of a repository.
func Repository(root string) (Inputs, error) {
	in := Inputs{Specs: map[string][]byte{}, EntityDir: filepath.Join(root, "internal/entity")}
	clients, err := Clients(root)
	if err != nil {
		return in, err
	}
	for _, c := range clients {
		if in.Specs[c.Package], err = os.ReadFile(filepath.Join(root, c.Spec)); err != nil {
			return in, err
		}
	}
	for name, text := range map[string]*[]byte{"tools.yaml": &in.Tools, "words.yaml": &in.Words, "prompts.yaml": &in.Prompts,
		"README.md": &in.Readme} {
		if *text, err = os.ReadFile(filepath.Join(root, name)); err != nil {
			return in, err
		}
	}
	return in, nil
}

// Read reads and checks the complete contract, so that nothing is rendered from invalid inputs. Errors of tools.yaml name the line and the
// tool.
func Read(in Inputs) (*Contract, error) {
	specs := map[string]*spec{}
	for _, name := range slices.Sorted(maps.Keys(in.Specs)) {
		s, err := readSpec(name, in.Specs[name])
		if err != nil {
			return nil, err
		}
		specs[name] = s
	}
	c, err := parse(in, specs)
	if err != nil {
		return nil, err
	}
	c.specs = specs
	return c, nil
}

// Render renders every file of the contract. The keys are slash-separated paths relative to the root of the repository. The same inputs
// give the same bytes.
func (c *Contract) Render(in Inputs) (map[string][]byte, error) {
	schemas, err := newSchemas(in.EntityDir, c.specs)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	if err := renderSchemas(files, schemas, c.Tools); err != nil {
		return nil, err
	}
	if err := renderGo(files, c); err != nil {
		return nil, err
	}
	if len(in.Readme) > 0 {
		readme, err := renderReadme(in.Readme, c)
		if err != nil {
			return nil, err
		}
		files["README.md"] = readme
		if err := renderPages(files, schemas, c); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// Folders lists the folders that contain only rendered files. Any other file in them is left over from an earlier run.
func Folders() []string {
	return []string{"gen/fields", "gen/schemas", "gen/schemas/open", "gen/tools", "gen/words"}
}
