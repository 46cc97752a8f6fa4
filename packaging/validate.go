package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// validate checks JSON files against a schema. A schema that it refers to by file name must be in the same folder; nothing is fetched.
func validate(schema string, files []string) error {
	c := jsonschema.NewCompiler()
	c.LoadURL = func(url string) (io.ReadCloser, error) {
		return os.Open(filepath.Join(filepath.Dir(schema), path.Base(url)))
	}
	compiled, err := c.Compile("file:///" + filepath.Base(schema))
	if err != nil {
		return fmt.Errorf("%s: %w", schema, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var document any
		if err := json.Unmarshal(text, &document); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := compiled.Validate(document); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Printf("%s: valid by %s\n", name, filepath.Base(schema))
	}
	return nil
}
