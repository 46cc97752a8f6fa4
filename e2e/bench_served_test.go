package e2e

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/expect"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/mcpserver"
)

// BenchmarkServed serves calls from the file cache inside this process, so that they can be profiled:
//
//	go test ./e2e -run '^$' -bench Served/get_trial -cpuprofile cpu.out
func BenchmarkServed(b *testing.B) {
	get, _ := medianTrial(b)
	up := newRegistry(b, embeddedRecords(b))
	for _, q := range []question{get, fullPage} {
		b.Run(q.tool, func(b *testing.B) {
			cfg, err := config.Read(append(os.Environ(), "BIOFACT_CTGOV_URL="+up.url, "BIOFACT_CACHE_DIR="+b.TempDir(),
				"BIOFACT_CTGOV_RPS=1000"))
			expect.NoError(b, err)
			a, err := app.New(b.Context(), cfg, "0", nil)
			expect.NoError(b, err)
			defer a.Close()
			server := mcpserver.New(a.Tools, mcpserver.Options{Version: "0", Timeout: cfg.CallTimeout, Log: a.Log})
			requests, in := io.Pipe()
			out, answers := io.Pipe()
			done := make(chan error, 1)
			go func() { done <- server.ServeStdio(b.Context(), requests, answers) }()
			lines := bufio.NewReaderSize(out, 1<<20)
			roundTrip := func(line string) {
				fmt.Fprintln(in, line)
				if _, err := lines.ReadSlice('\n'); err != nil {
					b.Fatal(err)
				}
			}
			roundTrip(initialize)
			roundTrip(q.line(1))
			for b.Loop() {
				roundTrip(q.line(1))
			}
			in.Close()
			expect.NoError(b, <-done)
		})
	}
}
