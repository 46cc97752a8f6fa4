package toolgen

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Client is the generated client of an upstream. Its paths are slash-separated and relative to the root of the repository.
type Client struct {
	// Package is its package name, which is also the name of the upstream in tools.yaml.
	Package string
	// Spec is the path of its OpenAPI document.
	Spec string
	// Config is the path of its generator configuration.
	Config string
	// File is the path of the generated file.
	File string
	// Operations are the operations to generate; empty: all operations of the document.
	Operations []string
}

// Clients returns the clients of a repository: one for each specs/*.codegen.yaml.
func Clients(root string) ([]Client, error) {
	const suffix = ".codegen.yaml"
	configs, err := filepath.Glob(filepath.Join(root, "specs", "*"+suffix))
	if err != nil {
		return nil, err
	}
	var clients []Client
	packages := map[string]string{}
	for _, path := range configs {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var config struct {
			Package string
			Options struct {
				Operations []string `yaml:"include-operation-ids"`
			} `yaml:"output-options"`
		}
		name := "specs/" + filepath.Base(path)
		if err := yaml.Unmarshal(text, &config); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if !token.IsIdentifier(config.Package) {
			return nil, fmt.Errorf("%s: package %q is not a valid name of a Go package", name, config.Package)
		}
		if other, taken := packages[config.Package]; taken {
			return nil, fmt.Errorf("%s: package %s is already used by %s", name, config.Package, other)
		}
		packages[config.Package] = name
		clients = append(clients, Client{
			Package: config.Package, Spec: strings.TrimSuffix(name, suffix) + ".yaml", Config: name,
			File: "gen/" + config.Package + "/" + config.Package + ".gen.go", Operations: config.Options.Operations,
		})
	}
	return clients, nil
}
