package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/biofact-mcp/biofact/internal/entity"
)

const (
	// workers is the maximum of the library. Calls wait for their turn at the source, and waiting calls share a request: the pool must not
	// be the limit.
	workers = 100
	// maxActive limits the requests that are not answered yet, and with them the answers that a client does not read. At the limit no
	// further line is read. The queues have room for all of them.
	maxActive = 256
	// drainTime is the time that active calls get beyond their own timeout when the input has ended.
	drainTime = 2 * time.Second
	// unreadTime is how long a stopping server waits for the client to read.
	unreadTime = 2 * time.Second
)

// ServeStdio serves one client over a pair of streams until the input ends or ctx is cancelled. Calls that were read before the input ended
// are answered. If the client does not read its answers, a goroutine is left in a call of out.Write, which ends when out is closed.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	running, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() { stop(entity.ErrStopping) })()
	flight := newInFlight()
	answers := newAnswerWriter(running, out, flight)
	stdio := server.NewStdioServer(s.mcp)
	for _, option := range []server.StdioOption{
		server.WithErrorLogger(slog.NewLogLogger(s.o.Log.Handler(), slog.LevelError)),
		server.WithWorkerPoolSize(workers),
		server.WithQueueSize(maxActive),
	} {
		option(stdio)
	}
	err := stdio.Listen(running,
		&requestReader{ctx: running, stop: stop, server: s, lines: bufio.NewReader(in), answers: answers, flight: flight,
			drainTime: s.o.Timeout + drainTime},
		answers)
	answers.end()
	if errors.Is(err, context.Canceled) && running.Err() != nil {
		err = nil // the caller stopped the server
	}
	return err
}

// inFlight has the requests that were read and not answered yet, by the id that the library gets. The library cancels them when the input
// ends, so the end is delayed until none is left.
type inFlight struct {
	mu      sync.Mutex
	last    int64 // the newest id
	active  map[int64]message
	changed chan struct{} // closed and replaced at every answer
}

func newInFlight() *inFlight {
	return &inFlight{active: map[int64]message{}, changed: make(chan struct{})}
}

// add returns the id of a request for the library.
func (f *inFlight) add(m message) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last++
	f.active[f.last] = m
	return f.last
}

// request returns an active request.
func (f *inFlight) request(id int64) (message, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m, ok := f.active[id]
	return m, ok
}

// find returns the newest active request with the client's id.
func (f *inFlight) find(client json.RawMessage) (newest int64, found bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, m := range f.active {
		if id > newest && sameID(m.ID, client) {
			newest = id
		}
	}
	return newest, newest > 0
}

func (f *inFlight) answered(id int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.active, id)
	close(f.changed)
	f.changed = make(chan struct{})
}

// wait reports that at most the given number of requests is active, or false if ctx is done before.
func (f *inFlight) wait(ctx context.Context, most int) bool {
	for {
		f.mu.Lock()
		left, changed := len(f.active), f.changed
		f.mu.Unlock()
		if left <= most {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// requestReader passes the input on line by line, records the requests in it, and delays the end of the input until they are answered. It
// answers requests with invalid parameters itself.
type requestReader struct {
	ctx       context.Context
	stop      context.CancelCauseFunc
	server    *Server
	lines     *bufio.Reader
	answers   *answerWriter
	flight    *inFlight
	drainTime time.Duration
	rest      []byte // of the line that is being read
}

// Read implements io.Reader.
func (r *requestReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		line, complete, err := r.line()
		if len(line) == 0 {
			if errors.Is(err, io.EOF) {
				r.await(0)
			}
			return 0, err
		}
		if r.rest, err = r.next(line, complete); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// await reports whether at most the given number of requests is active, after the time in which a client that reads gets all answers. If
// not, the server stops.
func (r *requestReader) await(most int) bool {
	ctx, cancel := context.WithTimeout(r.ctx, r.drainTime)
	defer cancel()
	if r.flight.wait(ctx, most) {
		return true
	}
	r.stop(entity.ErrStopping)
	return false
}

// line returns the next line with its end. Of a line that is longer than MaxMessage it returns the beginning.
func (r *requestReader) line() (line []byte, complete bool, err error) {
	complete = true
	for {
		part, err := r.lines.ReadSlice('\n')
		if complete = complete && len(line)+len(part) <= MaxMessage+1; complete {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, complete, err
		}
	}
}

// next returns what the library gets for a line, or nothing if the line is answered here.
func (r *requestReader) next(line []byte, complete bool) ([]byte, error) {
	if !complete {
		return r.refuse(leadingID(line), mcp.INVALID_REQUEST, "A message is longer than "+strconv.Itoa(MaxMessage)+" bytes")
	}
	m, code, text := readMessage(line)
	switch {
	case code != 0 && len(bytes.TrimSpace(line)) == 0, code == 0 && (m.Result != nil || m.Error != nil) && m.Method == "":
		return nil, nil // an empty line and a response: the server sends no requests
	case code != 0:
		return r.refuse(nil, code, text)
	case m.notifies():
		return r.notification(m), nil
	case m.Method == "":
		return r.refuse(m.ID, mcp.INVALID_REQUEST, "A message must have a method")
	}
	if bad := r.server.paramsError(r.ctx, line); bad != nil {
		return r.refuse(m.ID, paramsCode(bad), bad.Error())
	}
	if !r.await(maxActive - 1) {
		return nil, errUnread
	}
	return append(m.as(r.flight.add(m)), '\n'), nil
}

func (r *requestReader) refuse(id json.RawMessage, code int, text string) ([]byte, error) {
	return nil, r.answers.send(outgoing{text: errorLine(id, code, text)})
}

// notification returns what the library gets for a notification. A cancellation names the id that the library knows; that of an unknown
// request is dropped.
func (r *requestReader) notification(m message) []byte {
	if m.Method == string(mcp.MethodNotificationCancelled) {
		var params struct {
			RequestID json.RawMessage `json:"requestId"`
		}
		_ = json.Unmarshal(m.Params, &params) // without an id it names no request
		id, ok := r.flight.find(params.RequestID)
		if !ok {
			return nil
		}
		m.Params, _ = json.Marshal(map[string]int64{"requestId": id}) // it can be encoded
	}
	line, _ := json.Marshal(m) // fields that were decoded can be encoded
	return append(line, '\n')
}
