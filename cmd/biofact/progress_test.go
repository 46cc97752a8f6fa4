package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestProgress checks that a line shows the remaining time at most every half minute if the output is not a terminal, a new step is
// shown at once, and a terminal has one line.
func TestProgress(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := newProgress(&out, "records", true)
	p.show("records", 200, 1200, "")
	p.show("records", 300, 1200, "")
	expect.That(t, out.Len() == 0, "at once: %s", out.String())
	p.began, p.shown = p.began.Add(-10*time.Minute), p.shown.Add(-time.Minute)
	p.show("records", 700, 1200, ", 9 requests")
	expect.Equal(t, "line", "biofact: records: 700 of 1200, 9 requests, about 10 minutes left\n", out.String())
	p.show("records", 800, 1200, "")
	p.show("links", 3, 0, "")
	expect.Equal(t, "next step", "biofact: records: 700 of 1200, 9 requests, about 10 minutes left\nbiofact: links: 3\n", out.String())
	out.Reset()
	p.terminal = true
	p.show("links", 4, 8, "")
	p.clear()
	expect.Equal(t, "terminal", "\r\x1b[Klinks: 4 of 8\r\x1b[K", out.String())
	for d, want := range map[time.Duration]string{0: "1 second", 90 * time.Second: "90 seconds", 5 * time.Minute: "5 minutes",
		3 * time.Hour: "3 hours"} {
		expect.Equal(t, d.String(), want, roughly(d))
	}
}
