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
	{"Network", "A proxy and certificate authorities come from the usual variables: `HTTPS_PROXY`, `NO_PROXY`, `SSL_CERT_FILE`, " +
		"`SSL_CERT_DIR`."},
	{"Kept answers", "`biofact cache info` tells what is kept and where, `biofact cache clear` removes it."},
	{"Logs", "The log has messages of the set level and above. Biofact writes `debug`, `info`, `warning` and `error`: `notice` logs " +
		"what `warning` does, and `critical`, `alert` and `emergency` log nothing.\n`warn`, `err`, `crit` and `emerg` are other " +
		"spellings. The log file is renamed at 20 MB; five old ones are kept."},
	{"HTTP", "They count with `biofact serve --http` or `MCP_TRANSPORT_TYPE=http`. [deploy.md](deploy.md) puts them together."},
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

Each setting is a variable of the environment or a flag; the flag wins. A value that is empty, or a placeholder that a client left as it is
(`+"`${user_config.x}`"+`), counts as not set. A bad value stops the start with one line that names it.

Secrets have no flag, since a command line can be seen by others. Each can stand in a file instead, which the variable with `+"`_FILE`"+` names; without either it is not set.
No log, message or answer shows one.
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
			fmt.Fprint(&out, "| variable | flag | default | what it sets |\n|---|---|---|---|\n")
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
