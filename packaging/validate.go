package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// validate checks JSON files against a schema. A schema that it refers to by file name must be in the same folder; nothing is fetched.
func validate(schema string, files []string) error {
	text, err := os.ReadFile(schema)
	if err != nil {
		return err
	}
	var root struct {
		ID string `json:"$id"`
	}
	if err := json.Unmarshal(text, &root); err != nil {
		return fmt.Errorf("%s: %w", schema, err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(root.ID, bytes.NewReader(text)); err != nil {
		return fmt.Errorf("%s: %w", schema, err)
	}
	siblings, err := filepath.Glob(filepath.Join(filepath.Dir(schema), "*.json"))
	if err != nil {
		return err
	}
	for _, path := range siblings {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		id := root.ID[:strings.LastIndex(root.ID, "/")+1] + filepath.Base(path)
		if id == root.ID {
			continue
		}
		if err := c.AddResource(id, bytes.NewReader(text)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	compiled, err := c.Compile(root.ID)
	if err != nil {
		return fmt.Errorf("%s: %w", schema, err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var document any
		if err := json.Unmarshal(text, &document); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := compiled.Validate(document); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		fmt.Printf("%s: valid by %s\n", path, root.ID)
	}
	return nil
}
