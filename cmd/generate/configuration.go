package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/biofact-mcp/biofact/cmd/internal/toolgen"
	"github.com/biofact-mcp/biofact/internal/config"
)

// sections are the sections of docs/configuration.md in order, each with an introduction. The settings of the sources take the place of
// the empty one.
var sections = [][2]string{
	{"Tools and answers", ""},
	{"", ""},
	{"Network", "A proxy and certificate authorities come from the standard variables: `HTTPS_PROXY`, `NO_PROXY`, `SSL_CERT_FILE`, " +
		"`SSL_CERT_DIR`."},
	{"Cache", "`biofact cache info` shows the path and the size of the cache, `biofact cache clear` removes its entries."},
	{"Logs", "The log has messages of the set level and above.\nBiofact writes `debug`, `info`, `warning` and `error`: `notice` logs the " +
		"same as `warning`, and `critical`, `alert` and `emergency` log nothing.\n`warn`, `err`, `crit` and `emerg` are other " +
		"spellings.\nThe log file is renamed at 20 MB; five old files are kept."},
	{"HTTP", "These settings apply to `biofact serve --http` or `MCP_TRANSPORT_TYPE=http`.\n[deploy.md](deploy.md) shows them together."},
	{"Replicas", ""},
}

// configuration renders docs/configuration.md from the settings of package config.
func configuration() ([]byte, error) {
	list, err := config.Settings()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprint(&out, `<!-- Generated from internal/config. Not to be edited. -->
# Configuration

Each setting is an environment variable or a flag; the flag takes precedence.
An empty value, or a placeholder that a client did not replace (`+"`${user_config.x}`"+`), counts as not set.
An invalid value stops the start with one line that names it.

A secret has no flag, because other users can see a command line.
It can be in a file instead, which the variable with `+"`_FILE`"+` names.
No log, message or answer shows a secret.
`)
	slices.SortStableFunc(list, func(a, b config.Setting) int { return cmp.Compare(place(a.Section), place(b.Section)) })
	title := ""
	for _, s := range list {
		if s.Section == "" {
			return nil, fmt.Errorf("internal/config: the setting %s lacks the tag section", cmp.Or(s.Variable, s.Flag))
		}
		if s.Section != title {
			title = s.Section
			fmt.Fprintf(&out, "\n## %s\n\n", title)
			if about := sections[place(title)][1]; about != "" {
				fmt.Fprintf(&out, "%s\n\n", about)
			}
			fmt.Fprint(&out, "| variable | flag | default | description |\n|---|---|---|---|\n")
		}
		usage := s.Usage
		if s.Secret {
			usage += " (secret)"
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", toolgen.Code(s.Variable), flagCode(s), toolgen.Code(s.Default), toolgen.Cell(usage))
	}
	return out.Bytes(), nil
}

// place returns the position of a section.
func place(title string) int {
	of := func(title string) int {
		return slices.IndexFunc(sections, func(s [2]string) bool { return s[0] == title })
	}
	if i := of(title); i >= 0 {
		return i
	}
	return of("")
}

// flagCode returns the flag of a setting as Markdown code.
func flagCode(s config.Setting) string {
	switch s.Flag {
	case "":
		return ""
	case "sandbox": // the value of this flag is optional
		return toolgen.Code("--sandbox[=PATH]")
	}
	return toolgen.Code("--" + s.Flag)
}
