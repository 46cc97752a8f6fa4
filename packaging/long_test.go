package main

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestMain(m *testing.M) { expect.LongMain(m) }
