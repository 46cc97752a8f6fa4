package mirror

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror/disk"
)

// TestAgain: a reader waits for a process that has just changed the file, and reports an error of an old file at once.
func TestAgain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "mirror.db")
	expect.NoError(t, os.WriteFile(path, nil, 0o600))
	_, failure := openMirror(t.Context(), t.TempDir(), url.Values{"mode": {"ro"}})
	expect.Must(t, disk.Code(failure) != 0, "%v", failure)
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			age          time.Duration
			failures     int
			calls        int
			wantsSuccess bool
		}{
			{0, 0, 1, true}, {0, 2, 3, true}, {0, 100, attempts, false}, {time.Hour, 1, 1, false},
		} {
			changed := time.Now().Add(-c.age)
			expect.NoError(t, os.Chtimes(path, changed, changed))
			calls := 0
			err := NewReader(path).again(t.Context(), func() error {
				if calls++; calls <= c.failures {
					return failure
				}
				return nil
			})
			expect.That(t, calls == c.calls && (err == nil) == c.wantsSuccess, "%+v: %d calls, %v", c, calls, err)
		}
	})
}
