package config_test

import (
	"fmt"
	"testing"

	"github.com/spf13/pflag"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestWords: the written form of a flag can be parsed again, also by a shell.
func TestWords(t *testing.T) {
	t.Parallel()
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.Bool("all", false, "")
	flags.Int("limit", 0, "")
	flags.StringSlice("toolsets", nil, "")
	flags.String("name", "", "")
	given := []string{"--all", "--limit=3", "--name=O'Neill & sons", "--toolsets=genes,trials"}
	expect.NoError(t, flags.Parse(given))
	i := 0
	flags.Visit(func(f *pflag.Flag) { // by name
		expect.Equal(t, "", given[i], config.Word(f))
		i++
	})
	for word, want := range map[string]string{
		"--toolsets=genes,trials": "--toolsets=genes,trials", "--name=O'Neill & sons": `'--name=O'\''Neill & sons'`, "": "''",
		"$HOME": "'$HOME'", "a\nb": "'a\nb'",
	} {
		expect.Equal(t, fmt.Sprintf("%q", word), want, config.Quoted(word))
	}
}
