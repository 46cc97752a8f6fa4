package web_test

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/web"
)

// TestCrowd: the server waits a moment for the body of a request that it
// refuses, and not at all during a crowd of unauthenticated clients.
func TestCrowd(t *testing.T) {
	for unauthenticated, atOnce := range map[int]bool{0: false, 5: true} {
		synctest.Test(t, func(t *testing.T) {
			s := serve(t, web.Options{Auth: bySubject, Subject: subject, MaxConnections: 20, HeaderTimeout: time.Minute,
				ReadTimeout: time.Minute})
			for range unauthenticated {
				conn, err := s.listener.dial(t.Context(), "", "")
				expect.NoError(t, err)
				defer conn.Close()
			}
			conn, err := s.listener.dial(t.Context(), "", "")
			expect.NoError(t, err)
			defer conn.Close()
			synctest.Wait()
			start := time.Now()
			go io.WriteString(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")
			head := make([]byte, 12)
			_, err = io.ReadFull(conn, head)
			if took := time.Since(start); err != nil || !strings.HasSuffix(string(head), " 401") || (took == 0) != atOnce ||
				took > time.Second {
				t.Errorf("%d unauthenticated: %q after %s, %v", unauthenticated, head, took, err)
			}
			s.close(t)
		})
	}
}
