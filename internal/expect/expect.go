// Package expect has checks for the tests of all packages.
package expect

import (
	"fmt"
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Main runs the tests of a package that makes much garbage. It is collected less often, because a fifth of the time went there.
func Main(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

// NoError ends the test if err is not nil.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// NoErrorf ends the test if err is not nil. The format describes the failed action.
func NoErrorf(t testing.TB, err error, format string, args ...any) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", fmt.Sprintf(format, args...), err)
	}
}

// Succeeds fails the test if err is not nil, and lets it continue. The format describes the failed action.
func Succeeds(t testing.TB, err error, format string, args ...any) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", fmt.Sprintf(format, args...), err)
	}
}

// Equal fails the test if two values differ, and prints the differences after the text what.
func Equal[T any](t testing.TB, what string, want, got T, options ...cmp.Option) {
	t.Helper()
	if diff := cmp.Diff(want, got, options...); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// Is fails the test if got is not want. The format describes the value.
func Is[T comparable](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", fmt.Sprintf(format, args...), got, want)
	}
}

// That fails the test with the message if the condition does not hold.
func That(t testing.TB, holds bool, format string, args ...any) {
	t.Helper()
	if !holds {
		t.Errorf(format, args...)
	}
}

// Must ends the test with the message if the condition does not hold.
func Must(t testing.TB, holds bool, format string, args ...any) {
	t.Helper()
	if !holds {
		t.Fatalf(format, args...)
	}
}

// Long skips a long test with -short.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("a long test, which -short leaves out")
	}
}
