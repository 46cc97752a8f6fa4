// Package repository tests the repository as a whole: imports between packages, the documents, and that the contract is not repeated by
// hand.
package repository

import (
	"fmt"
	"os"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestMain runs the tests in the root of the repository.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	expect.LongMain(m)
}
