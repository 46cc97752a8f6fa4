package config

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// Word is a flag as it is set on a command line, before a shell reads it.
func Word(f *pflag.Flag) string {
	value := f.Value.String()
	if list, ok := f.Value.(pflag.SliceValue); ok {
		value = strings.Join(list.GetSlice(), ",")
	}
	if f.Value.Type() == "bool" && value == "true" {
		return "--" + f.Name
	}
	return "--" + f.Name + "=" + value
}

// plain is a word that no shell reads as anything else.
var safeWord = lazyregexp.New(`^[A-Za-z0-9_@%+=:,./-]+$`)

// Quoted writes a word for a shell.
func Quoted(word string) string {
	if safeWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
