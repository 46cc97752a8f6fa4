package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const (
	// licensesPath is the path of the file with the license texts of the program and of all modules in it.
	licensesPath = "LICENSES.txt"
	std          = "std" // the module of Go's own library
)

// A license holds the license texts of a module, by path in the module.
type license map[string]string

// readLicenses returns the licenses of the program and of all modules that it links on any platform, by path of the module.
func readLicenses(ctx context.Context) (map[string]license, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	// The module of a package, the folder of the module, and the folder of the package.
	format := "{{if .Standard}}" + std + "\t" + strings.TrimSpace(string(root)) +
		"{{else}}{{.Module.Path}}\t{{.Module.Dir}}{{end}}\t{{.Dir}}"
	licenses, seen := map[string]license{}, map[string]bool{}
	for _, t := range targets {
		cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-f", format, "./cmd/"+name)
		cmd.Env = t.environment()
		listed, err := cmd.Output()
		if err == nil && !slices.Contains(withoutSecond, t) {
			cmd = exec.CommandContext(ctx, "go", "-C", "cmd/"+secondName, "list", "-deps", "-f", format, ".")
			cmd.Env = append(t.environment(), "CGO_ENABLED=1")
			more, secondErr := cmd.Output()
			listed, err = append(listed, more...), secondErr
		}
		if err != nil {
			return nil, fmt.Errorf("go list for %s/%s: %w", t.goos, t.goarch, err)
		}
		for line := range strings.Lines(string(listed)) {
			if seen[line] || strings.HasPrefix(line, secondModule+"\t") { // whose license is that of the project
				continue
			}
			seen[line] = true
			field := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
			if licenses[field[0]] == nil {
				licenses[field[0]] = license{}
			}
			if err := licenses[field[0]].read(field[1], field[2]); err != nil {
				return nil, err
			}
		}
	}
	return licenses, nil
}

var licenseFile = regexp.MustCompile(`(?i)^(un)?(licen[sc]e|copying|notice|patents)([-.].*)?$`)

// read adds the texts in a folder of a module and in the folders around it.
func (l license) read(module, folder string) error {
	for ; ; folder = filepath.Dir(folder) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if entry.IsDir() || !licenseFile.MatchString(entry.Name()) || filepath.Ext(entry.Name()) == ".go" {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			if err != nil {
				return err
			}
			path, err := filepath.Rel(module, filepath.Join(folder, entry.Name()))
			if err != nil {
				return err
			}
			l[filepath.ToSlash(path)] = string(text)
		}
		if len(folder) <= len(module) {
			return nil
		}
	}
}

// knownLicenses maps the SPDX id of a license to a sentence that only this license has. BSD-2-Clause is the beginning of BSD-3-Clause.
var knownLicenses = map[string]string{
	"Apache-2.0":   "apache license version 2.0",
	"MIT":          "permission is hereby granted, free of charge, to any person obtaining a copy",
	"ISC":          "permission to use, copy, modify, and/or distribute this software for any purpose",
	"blessing":     "sqlite is public domain",
	"BSD-3-Clause": "contributors may be used to endorse or promote products derived from",
	"BSD-2-Clause": "redistributions in binary form must reproduce the above copyright notice",
}

// ids returns the sorted SPDX ids of the license; nil: it is not a known one.
func (l license) ids() []string {
	found := map[string]bool{}
	for _, text := range l {
		words := strings.ToLower(strings.Join(strings.Fields(text), " "))
		has := func(id string) bool { return strings.Contains(words, knownLicenses[id]) }
		for id := range knownLicenses {
			if has(id) && (id != "BSD-2-Clause" || !has("BSD-3-Clause")) {
				found[id] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// licenseTexts returns the file with all texts. A module without a known license is an error.
func licenseTexts(licenses map[string]license) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("License texts of biofact and of the modules in it. The module std is the library of Go.\n")
	for _, module := range slices.Sorted(maps.Keys(licenses)) {
		ids := licenses[module].ids()
		if len(ids) == 0 {
			return nil, fmt.Errorf("%s: has no known license; see knownLicenses", module)
		}
		for _, path := range slices.Sorted(maps.Keys(licenses[module])) {
			fmt.Fprintf(&out, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 80), module, path, strings.TrimSpace(licenses[module][path]))
		}
	}
	return out.Bytes(), nil
}

func writeLicenses(licenses map[string]license, folder string) error {
	texts, err := licenseTexts(licenses)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, licensesPath), texts, 0o644)
}
