// Package expect has the checks that the tests of all packages repeat.
package expect

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// NoError ends the test where err is not nil.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Equal fails the test with the differences between two values, and what they are.
func Equal[T any](t testing.TB, what string, want, got T, options ...cmp.Option) {
	t.Helper()
	if diff := cmp.Diff(want, got, options...); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
