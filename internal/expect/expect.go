// Package expect has checks for the tests of all packages.
package expect

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Main runs the tests of a package that makes much garbage. It is collected less often, because a fifth of the time went there.
func Main(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

// LongMain is Main for a package whose tests are all long: -short leaves them out.
func LongMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("long tests, which -short leaves out")
		return
	}
	Main(m)
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

// Long skips a test of a second or more with -short.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("a long test, which -short leaves out")
	}
}

// Slow skips a slow test, unless all tests run. A test is slow if it takes more than two seconds of processor time, and another test
// already shows whether the build is good.
func Slow(t testing.TB) {
	t.Helper()
	if !All() {
		t.Skip("a slow test, which make check-all runs")
	}
}

// All reports whether slow tests run, and each test takes all of its cases instead of a sample: if BIOFACT_SLOW=1 is set, as make check-all
// does, without -short.
func All() bool { return os.Getenv("BIOFACT_SLOW") == "1" && !testing.Short() }
