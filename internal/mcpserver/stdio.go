package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

const (
	// workers is the maximum of the library. Calls wait for their turn at the
	// source, and waiting calls share a request: the pool must not be the
	// limit.
	workers = 100
	// queued limits the waiting calls; the library would serve further calls on
	// the read loop.
	queued = 10000
	// drainTime is the time that active calls get beyond their own timeout when
	// the input has ended.
	drainTime = 2 * time.Second
)

// ServeStdio serves one client over a pair of streams until the input ends or
// ctx is cancelled. Calls that were read before the input ended are answered.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	flight := newInFlight()
	answers := &responseWriter{out: out, flight: flight}
	stdio := server.NewStdioServer(s.mcp)
	for _, option := range []server.StdioOption{
		server.WithErrorLogger(slog.NewLogLogger(s.o.Log.Handler(), slog.LevelError)),
		server.WithWorkerPoolSize(workers),
		server.WithQueueSize(queued),
	} {
		option(stdio)
	}
	err := stdio.Listen(ctx,
		&requestReader{ctx: ctx, server: s, lines: bufio.NewReader(in), answers: answers, flight: flight,
			drainTime: s.o.Timeout + drainTime},
		answers)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		err = nil // the caller stopped the server
	}
	return err
}

// inFlight records the requests that were read and not answered yet. The
// library cancels them when the input ends, so the end is delayed until none is
// left.
type inFlight struct {
	mu      sync.Mutex
	ids     map[string]int
	changed chan struct{} // closed and replaced at every answer
}

func newInFlight() *inFlight {
	return &inFlight{ids: map[string]int{}, changed: make(chan struct{})}
}

func (f *inFlight) read(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ids[id]++
}

func (f *inFlight) answered(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ids[id]--; f.ids[id] <= 0 {
		delete(f.ids, id)
	}
	close(f.changed)
	f.changed = make(chan struct{})
}

// wait returns when no request is active or ctx is done.
func (f *inFlight) wait(ctx context.Context) {
	for {
		f.mu.Lock()
		left, changed := len(f.ids), f.changed
		f.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// requestReader passes the input on line by line, records the requests in it,
// and delays the end of the input until they are answered. It answers requests
// with invalid parameters itself.
type requestReader struct {
	ctx       context.Context
	server    *Server
	lines     *bufio.Reader
	answers   io.Writer
	flight    *inFlight
	drainTime time.Duration
	rest      []byte // of the line that is being read
}

// Read implements io.Reader.
func (r *requestReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		line, err := r.lines.ReadBytes('\n')
		if len(line) == 0 {
			if err == io.EOF {
				ctx, cancel := context.WithTimeout(r.ctx, r.drainTime)
				defer cancel()
				r.flight.wait(ctx)
			}
			return 0, err
		}
		if err == io.EOF && line[len(line)-1] != '\n' {
			line = append(line, '\n') // the library drops a last line without an end
		}
		if id, ok := requestID(line); ok {
			r.flight.read(id)
			if bad := r.server.paramsError(r.ctx, line); bad != nil {
				if _, err := r.answers.Write(errorLine(json.RawMessage(id), mcp.INVALID_PARAMS, bad.Error())); err != nil {
					return 0, err
				}
				continue
			}
		}
		r.rest = line
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// requestID returns the id of a request that will be answered. Subscriptions
// are answered when the connection ends, so the end cannot wait for them.
func requestID(line []byte) (string, bool) {
	var message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(line, &message) != nil || message.Method == "" || message.Method == "subscriptions/listen" {
		return "", false
	}
	if len(message.ID) == 0 || string(message.ID) == "null" {
		return "", false
	}
	return string(message.ID), true
}

// responseWriter passes the output on and records the answers in it. Each call
// of Write has one message.
type responseWriter struct {
	out    io.Writer
	flight *inFlight

	mu sync.Mutex // held while a message is written
}

// Write implements io.Writer.
func (w *responseWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	n, err := w.out.Write(p)
	w.mu.Unlock()
	if id, ok := responseID(p); ok {
		w.flight.answered(id)
	}
	return n, err
}

// responseID returns the id of a response. It stops reading at the id, which
// precedes the result.
func responseID(message []byte) (string, bool) {
	dec := json.NewDecoder(bytes.NewReader(message))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return "", false
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil || key == "method" {
			return "", false
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return "", false
		}
		if key == "id" {
			return string(value), string(value) != "null"
		}
	}
	return "", false
}
