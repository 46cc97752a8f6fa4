package config

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// Word returns a flag as it is set on a command line, without shell quoting.
func Word(f *pflag.Flag) string {
	value := f.Value.String()
	if list, ok := f.Value.(pflag.SliceValue); ok {
		value = strings.Join(list.GetSlice(), ",")
	}
	if f.NoOptDefVal != "" && value == f.NoOptDefVal {
		return "--" + f.Name
	}
	return "--" + f.Name + "=" + value
}

// safeWord matches a word without characters that are special in a shell.
var safeWord = lazyregexp.New(`^[A-Za-z0-9_@%+=:,./-]+$`)

// Quoted returns a word, quoted for a shell if necessary.
func Quoted(word string) string {
	if safeWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
