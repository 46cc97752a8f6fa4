package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkStart measures the built binary from its start to the answered
// initialize, and its resident memory then, beside the least server that the
// protocol library can make.
func BenchmarkStart(b *testing.B) {
	for _, server := range []struct {
		name, pkg string
		args      []string
	}{
		{"biofact", ".", nil},
		{"biofact-sandbox", ".", []string{"--sandbox"}},
		{"trivial", "../../internal/mcpserver/testdata/trivial", nil},
	} {
		binary := build(b, server.pkg)
		b.Run(server.name, func(b *testing.B) {
			var resident int
			for b.Loop() {
				resident = start(b, binary, server.args)
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/start")
			b.ReportMetric(float64(resident)/1024, "MB-resident")
		})
	}
}

// build compiles a command as a release is.
func build(tb testing.TB, pkg string) string {
	tb.Helper()
	binary := filepath.Join(tb.TempDir(), "server")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("build %s: %v\n%s", pkg, err, out)
	}
	return binary
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`

// start runs a server until it has answered initialize, and returns its
// resident memory in kB.
func start(tb testing.TB, binary string, args []string) int {
	tb.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), "NCBI_ADMIN_EMAIL=bench@example.org")
	in, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	fmt.Fprintln(in, initialize)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.Contains(line, `"serverInfo"`) {
		tb.Fatalf("initialize was answered with %q, %v", line, err)
	}
	resident := residentKB(tb, cmd.Process.Pid)
	in.Close()
	if _, err := io.Copy(io.Discard, out); err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		tb.Fatal(err)
	}
	return resident
}

func residentKB(tb testing.TB, pid int) int {
	tb.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0 // no such file system: the figure is left at zero
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				tb.Fatal(err)
			}
			return kb
		}
	}
	return 0
}
