package web_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/web"
)

// TestLargeBodies: as many large bodies are held at once as docs/security.md
// states, and the next one is refused.
func TestLargeBodies(t *testing.T) {
	const held = 8
	document, err := os.ReadFile("../../docs/security.md")
	expect.NoError(t, err)
	if sentence := fmt.Sprintf("No more than %d bodies above 16 kB are read at once; the next gets 503.",
		held); !strings.Contains(string(document), sentence) {
		t.Errorf("docs/security.md does not say: %s", sentence)
	}
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, web.Options{Auth: bySubject, Subject: subject, ReadTimeout: time.Minute})
		send := func() net.Conn {
			conn, err := s.listener.dial(t.Context(), "", "")
			expect.NoError(t, err)
			go io.WriteString(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ann\r\nContent-Length: 100000\r\n\r\n"+
				strings.Repeat(" ", 17<<10))
			synctest.Wait()
			return conn
		}
		var last net.Conn
		for range held {
			last = send()
			defer last.Close()
		}
		start, refused, head := time.Now(), send(), make([]byte, 12)
		defer refused.Close()
		if _, err := io.ReadFull(refused, head); err != nil || !strings.HasSuffix(string(head), " 503") || time.Since(start) > time.Second {
			t.Errorf("one more was answered with %q after %s, %v", head, time.Since(start), err)
		}
		go io.WriteString(last, strings.Repeat(" ", 100_000-17<<10))
		if _, err := io.ReadFull(last, head); err != nil || !strings.HasSuffix(string(head), " 200") {
			t.Errorf("the last one that was held was answered with %q, %v", head, err)
		}
		s.close(t)
	})
}
