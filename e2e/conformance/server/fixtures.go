//go:build conformance

package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// fixtures adds the tools, resources and prompts that the suite calls to a server. Their names and texts come from the suite.
type fixtures struct {
	mcp *server.MCPServer
	key []byte // signs the state of conversations
}

func newFixtures(s *server.MCPServer) (*fixtures, error) {
	f := &fixtures{mcp: s, key: make([]byte, sha256.Size)}
	if _, err := rand.Read(f.key); err != nil {
		return nil, err
	}
	for _, option := range []server.ServerOption{
		server.WithToolCapabilities(true),
		server.WithResourceCapabilities(true, true),
		server.WithPromptCapabilities(true),
		server.WithCompletions(),
		server.WithPromptCompletionProvider(completions{}),
		server.WithLogging(),
	} {
		option(s)
	}
	return f, nil
}

// settle is the time that a handler waits after its last notification, because the library drops unwritten notifications when the
// handler returns.
const settle = 10 * time.Millisecond

// step is the time between notifications that the suite expects.
const step = 50 * time.Millisecond

// notify sends notifications one step apart, and returns when they are written.
func notify(sends ...func() error) error {
	for i, send := range sends {
		if i > 0 {
			time.Sleep(step)
		}
		if err := send(); err != nil {
			return err
		}
	}
	time.Sleep(settle)
	return nil
}

// log sends a log message to the client, if the client's log level includes it.
func (f *fixtures) log(ctx context.Context, text string) func() error {
	return func() error {
		return f.mcp.SendLogMessageToClient(ctx, mcp.NewLoggingMessageNotification(mcp.LoggingLevelInfo, "conformance", text))
	}
}

// progress reports the progress of a call in percent.
func (f *fixtures) progress(ctx context.Context, token mcp.ProgressToken, percent float64) func() error {
	return func() error {
		return f.mcp.SendNotificationToClient(ctx, string(mcp.MethodNotificationProgress),
			map[string]any{"progressToken": token, "progress": percent, "total": 100})
	}
}

// sign returns a signed state, which the client can return but not change.
func (f *fixtures) sign(state string) string {
	mac := hmac.New(sha256.New, f.key)
	mac.Write([]byte(state))
	return state + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

var errState = errors.New("the request state is not this server's")

// verify checks the signature and returns the state.
func (f *fixtures) verify(signed string) (string, error) {
	state, _, _ := strings.Cut(signed, ".")
	if !hmac.Equal([]byte(signed), []byte(f.sign(state))) {
		return "", errState
	}
	return state, nil
}

// Contents that the suite expects.
const (
	pixel   = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC" // a PNG
	silence = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=="                             // a WAV of one sample
)
