// Package repository tests what holds for the repository as a whole: who imports
// whom, that the documents are true, and that the contract stands once.
package repository

import (
	"fmt"
	"os"
	"testing"
)

// TestMain runs the tests in the root of the repository.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
