package main

import (
	"context"
	"errors"
	"fmt"
)

// An exitError is the error of a command that has told itself what is wrong. Its
// value is the exit code.
type exitError int

const (
	exitAnswered    exitError = 1   // the answer was an error envelope, or a check failed
	exitUsage       exitError = 2   // what was asked for cannot be
	exitOffline     exitError = 3   // no source can be reached from here
	exitInterrupted exitError = 130 // as a shell calls what Ctrl-C ended
)

// Error returns the code.
func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// codeOf is the exit code that an error ends the program with; told means that
// nothing is left to say.
func codeOf(err error) (code exitError, reported bool) {
	if ended, ok := errors.AsType[exitError](err); ok {
		return ended, true
	}
	if errors.Is(err, context.Canceled) {
		return exitInterrupted, true
	}
	return exitUsage, false
}
