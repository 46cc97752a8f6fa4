package sourcetest

import (
	"log/slog"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
)

// MirrorOf returns a mirror of a registry, which alone answers, and a function that syncs it.
func MirrorOf(t testing.TB, from http.RoundTripper) (local *ctgov.Mirror, update func()) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mirror.db")
	sync := mirror.Sync{Path: path, Source: "test", URL: RegistryURL, Do: &http.Client{Transport: from}}
	update = func() {
		_, err := sync.Run(t.Context())
		expect.NoError(t, err)
	}
	update()
	reader := mirror.NewReader(path)
	t.Cleanup(func() { expect.NoError(t, reader.Close()) })
	return &ctgov.Mirror{Reader: reader, Source: "test", Only: true, Log: slog.New(slog.DiscardHandler)}, update
}
