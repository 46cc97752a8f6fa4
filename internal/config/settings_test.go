package config

import (
	"cmp"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestSettingsAreListed(t *testing.T) {
	t.Parallel()
	settings, err := Settings()
	expect.NoError(t, err)
	if want := reflect.TypeFor[Config]().NumField(); len(settings) != want {
		t.Fatalf("%d settings are listed, want %d", len(settings), want)
	}
	byName := map[string]Setting{}
	for _, s := range settings {
		byName[cmp.Or(s.Variable, s.Flag)] = s
		expect.That(t, s.Usage != "" && (s.Variable != "" || s.Flag != "") && s.Secret == (s.Flag == ""),
			"%+v: must have a usage and a name, and a flag if it is no secret", s)
	}
	for name, want := range map[string]string{
		"BIOFACT_RECORD_AGE": "24h", "BIOFACT_CALL_TIMEOUT": "30s", "BIOFACT_MAX_CALLS": "64", "BIOFACT_TOOLSETS": "trials,genes,articles,drugs",
		"BIOFACT_CACHE_BYTES": "500000000",
		"BIOFACT_CTGOV_RPS":   "1", "MCP_HTTP_PORT": "3010", "NCBI_REQUEST_DELAY_MS": "", "MCP_TRANSPORT_TYPE": "stdio",
		"BIOFACT_CACHE_DIR": "",
	} {
		if got := byName[name]; got.Default != want || got.Secret {
			t.Errorf("%s: %+v, want the default %q", name, got, want)
		}
	}
	// The listed defaults are those of the flags.
	c, err := Read(nil)
	expect.NoError(t, err)
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.Flags(flags)
	for _, s := range settings {
		if s.Flag != "" && s.Default != "" {
			expect.Succeeds(t, flags.Set(s.Flag, s.Default), "--%s does not take its default %q", s.Flag, s.Default)
		}
	}
	if fresh, err := Read(nil); err != nil || !reflect.DeepEqual(c, fresh) {
		t.Errorf("the defaults that are listed are others than those that count: %v", err)
	}
}

// TestSettingsAreDocumented: every setting has a row in the document, with its
// variable and its flag.
func TestSettingsAreDocumented(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../docs/configuration.md")
	expect.NoError(t, err)
	settings, err := Settings()
	expect.NoError(t, err)
	for _, s := range settings {
		found := false
		for line := range strings.Lines(string(document)) {
			if strings.HasPrefix(line, "|") &&
				(s.Variable == "" || strings.Contains(line, "`"+s.Variable+"`")) && (s.Flag == "" || strings.Contains(line, "`--"+s.Flag)) {
				found = true
			}
		}
		expect.That(t, found, "docs/configuration.md has no row for %s --%s: run make generate", s.Variable, s.Flag)
	}
}
