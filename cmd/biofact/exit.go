package main

import (
	"context"
	"errors"
	"fmt"
)

// An exit is the error of a command that has told itself what is wrong. Its
// value is the exit code.
type exit int

const (
	exitAnswered    exit = 1   // the answer was an error envelope, or a check failed
	exitUsage       exit = 2   // what was asked for cannot be
	exitOffline     exit = 3   // no source can be reached from here
	exitInterrupted exit = 130 // as a shell calls what Ctrl-C ended
)

// Error returns the code.
func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// codeOf is the exit code that an error ends the program with; told means that
// nothing is left to say.
func codeOf(err error) (code exit, told bool) {
	if ended, ok := errors.AsType[exit](err); ok {
		return ended, true
	}
	if errors.Is(err, context.Canceled) {
		return exitInterrupted, true
	}
	return exitUsage, false
}
