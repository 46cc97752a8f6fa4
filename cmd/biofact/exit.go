package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
)

// An exitError is returned after the command has printed its error. Its value is the exit code.
type exitError int

const (
	exitFailed      exitError = 1   // the answer was an error envelope, or a check failed
	exitUsage       exitError = 2   // the request is invalid
	exitOffline     exitError = 3   // no source can be reached from this machine
	exitNoNews      exitError = 4   // a watch has no news
	exitInterrupted exitError = 130 // the code that shells use after Ctrl-C
)

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// A failure is the error of a valid request that could not be met.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// codeOf returns the exit code for an error. reported is true if the error has already been printed.
func codeOf(err error) (code exitError, reported bool) {
	if ended, ok := errors.AsType[exitError](err); ok {
		return ended, true
	}
	if errors.Is(err, context.Canceled) {
		return exitInterrupted, true
	}
	if _, ok := errors.AsType[failure](err); ok {
		return exitFailed, false
	}
	return exitUsage, false
}

// takes checks the number of arguments of a command, which its usage line names.
func takes(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("an argument is missing; usage: %s", cmd.UseLine())
		case len(args) > most:
			return fmt.Errorf("%q is an argument too many; usage: %s", args[most], cmd.UseLine())
		}
		return nil
	}
}

// plural formats a number with a noun, in the singular or in the plural.
func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}
