package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/config"
)

// A section is one of docs/configuration.md: its settings are named by variable,
// or by flag where there is none.
type section struct {
	title, about string
	names        []string
}

// sections are those before and after the sections that settings name themselves.
var sections = [2][]section{{
	{"Tools and answers", "", []string{"BIOFACT_TOOLSETS", "BIOFACT_CALL_TIMEOUT", "BIOFACT_MAX_ANSWER_BYTES", "sandbox", "sandbox-fault"}},
}, {
	{
		"Network", "A proxy and certificate authorities come from the usual variables: `HTTPS_PROXY`, `NO_PROXY`, `SSL_CERT_FILE`, `SSL_CERT_DIR`.",
		[]string{"BIOFACT_TLS_MAX"},
	},
	{"Kept answers", "`biofact cache info` tells what is kept and where, `biofact cache clear` removes it.", []string{"BIOFACT_CACHE_DIR", "BIOFACT_CACHE_BYTES"}},
	{"Logs", "The log has messages of the set level and above. Biofact writes `debug`, `info`, `warning` and `error`: `notice` logs what `warning` does, and `critical`, `alert` and `emergency` log nothing.\n`warn`, `err`, `crit` and `emerg` are other spellings. The log file is renamed at 20 MB; five old ones are kept.", []string{"MCP_LOG_LEVEL", "LOGS_DIR"}},
	{
		"HTTP", "They count with `biofact serve --http` or `MCP_TRANSPORT_TYPE=http`. [deploy.md](deploy.md) puts them together.",
		[]string{
			"MCP_TRANSPORT_TYPE", "MCP_HTTP_HOST", "MCP_HTTP_PORT", "MCP_PUBLIC_URL", "MCP_ALLOWED_HOSTS", "MCP_ALLOWED_ORIGINS", "MCP_AUTH_SECRET_KEY",
			"MCP_AUTH_SECRET_KEY_FILE", "MCP_AUTH_ISSUER", "MCP_AUTH_AUDIENCE", "MCP_AUTH_MODE", "MCP_CLIENT_RATE", "MCP_DRAIN_TIME", "MCP_METRICS_ADDR",
		},
	},
	{"Replicas", "", []string{"BIOFACT_REDIS_URL", "BIOFACT_REDIS_URL_FILE", "BIOFACT_REPLICAS"}},
}}

// named returns the sections that settings name, in their order.
func named(list []config.Setting) []section {
	var out []section
	for _, s := range list {
		if s.Section == "" {
			continue
		}
		i := slices.IndexFunc(out, func(known section) bool { return known.title == s.Section })
		if i < 0 {
			i = len(out)
			out = append(out, section{title: s.Section})
		}
		out[i].names = append(out[i].names, cmp.Or(s.Variable, s.Flag))
	}
	return out
}

// configuration renders docs/configuration.md from the settings that there are.
// One that stands in no section is an error, and so is one that is none.
func configuration() ([]byte, error) {
	list, err := config.Settings()
	if err != nil {
		return nil, err
	}
	byName := map[string]config.Setting{}
	for _, s := range list {
		byName[cmp.Or(s.Variable, s.Flag)] = s
	}
	var out bytes.Buffer
	fmt.Fprint(&out, `<!-- Generated from internal/config. Not to be edited. -->
# Configuration

Each setting is a variable of the environment or a flag; the flag wins. A value that is empty, or a placeholder that a client left as it is
(`+"`${user_config.x}`"+`), counts as not set. A bad value stops the start with one line that names it.

Secrets have no flag, since a command line can be seen by others. Each can stand in a file instead, which the variable with `+"`_FILE`"+` names; without either it is not set.
No log, message or answer shows one.
`)
	for _, section := range slices.Concat(sections[0], named(list), sections[1]) {
		fmt.Fprintf(&out, "\n## %s\n\n", section.title)
		if section.about != "" {
			fmt.Fprintf(&out, "%s\n\n", section.about)
		}
		fmt.Fprint(&out, "| variable | flag | default | what it sets |\n|---|---|---|---|\n")
		for _, name := range section.names {
			s, ok := byName[name]
			if !ok {
				return nil, fmt.Errorf("cmd/generate/configuration.go: there is no setting %s", name)
			}
			delete(byName, name)
			usage := s.Usage
			if s.Secret {
				usage += " (secret)"
			}
			fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", code(s.Variable), flagCode(s), code(s.Default), cell(usage))
		}
	}
	for _, s := range list {
		if name := cmp.Or(s.Variable, s.Flag); byName[name] == s {
			return nil, fmt.Errorf("cmd/generate/configuration.go: say in which section %s stands, or give it the tag section", name)
		}
	}
	return out.Bytes(), nil
}

// flagCode returns the flag of a setting as code.
func flagCode(s config.Setting) string {
	switch s.Flag {
	case "":
		return ""
	case "sandbox": // whose value may be left out
		return code("--sandbox[=PATH]")
	}
	return code("--" + s.Flag)
}

// code is a text as code; nothing stays nothing.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// cell is a text that a row of a table can hold.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(strings.Join(strings.Fields(text), " "))
}

// codes are texts as code, in one line.
func codes(texts []string) string {
	texts = slices.Clone(texts)
	for i := range texts {
		texts[i] = code(texts[i])
	}
	return strings.Join(texts, " ")
}
