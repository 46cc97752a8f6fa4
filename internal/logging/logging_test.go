package logging_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/logging"
)

// hostile has a character of each kind that must not reach a reader of the log.
const hostile = "a\u202e\u2066\u200b\u061c\u200e\u2028\U000e0041\x1b[31m\x00\x7f\u0085b"

// TestClean: no attribute of a line contains control characters or characters
// that hide or reverse text, in any format.
func TestClean(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	for name, handler := range map[string]slog.Handler{"text": slog.NewTextHandler(&out, nil), "JSON": slog.NewJSONHandler(&out, nil)} {
		out.Reset()
		log := slog.New(logging.New(handler)).With("with", hostile).WithGroup("group")
		log.Error(hostile, "text", hostile, "error", errors.New(hostile), "list", []string{hostile}, slog.Group("inner", "text", hostile))
		line := strings.TrimSuffix(out.String(), "\n")
		for _, r := range hostile {
			expect.That(t, strings.ContainsRune("a[31mb", r) || !strings.ContainsRune(line, r), "%s: %U in %q", name, r, line)
		}
		for _, escaped := range []string{"202e", "2066", "200b", "x1b", "001b", "u0000"} {
			expect.That(t, !strings.Contains(line, escaped), "%s: %s in %q", name, escaped, line)
		}
		expect.That(t, strings.Count(line, "[31mb") == 6, "%s: a text is missing in %q", name, line)
	}
}

// TestCall: a line of a call has the id of the call; other lines have no id.
func TestCall(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(logging.New(slog.NewTextHandler(&out, nil)))
	log.InfoContext(t.Context(), "none")
	expect.That(t, !strings.Contains(out.String(), "request="), "%v", out.String())
	log.InfoContext(logging.WithCall(t.Context(), "r-1"), "one")
	expect.That(t, strings.Contains(out.String(), "request=r-1\n"), "%v", out.String())
	out.Reset()
	log.InfoContext(logging.WithCall(t.Context(), ""), "a new one")
	expect.That(t, strings.Contains(out.String(), "request=") && !strings.Contains(out.String(), "request=\n"), "%v", out.String())
}
