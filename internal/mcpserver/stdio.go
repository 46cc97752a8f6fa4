package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"golang.org/x/sync/semaphore"

	"github.com/biofact-mcp/biofact/internal/entity"
)

const (
	// maxActive limits the requests that are not answered yet, and with them the answers that a client does not read. At the limit no
	// further line is read.
	maxActive = 256
	// drainTime is the time that active calls get beyond their own timeout when the input has ended.
	drainTime = 2 * time.Second
	// unreadTime is how long a stopping server waits for the client to read.
	unreadTime = 2 * time.Second
)

// ServeStdio serves one client over a pair of streams until the input ends or ctx is cancelled. Calls that were read before the input ended
// are answered. A goroutine is left in a call of in.Read or out.Write if the client neither closes nor reads; it ends when they are closed.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	running, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() { stop(entity.ErrStopping) })()
	session := server.NewInProcessSession("stdio", nil)
	if err := s.mcp.RegisterSession(running, session); err != nil {
		return err
	}
	defer s.mcp.UnregisterSession(running, session.SessionID())
	flight := &inFlight{free: semaphore.NewWeighted(maxActive), active: map[int64]message{}, next: make(chan func())}
	answers := newAnswerWriter(running, out, flight, session.ClientNotifications())
	r := &requestReader{ctx: s.mcp.WithContext(running, session), stop: stop, server: s, lines: bufio.NewReader(in), answers: answers,
		flight: flight, drainTime: s.o.Timeout + drainTime}
	ended := make(chan error, 1)
	go func() { ended <- r.read() }()
	var err error
	select {
	case err = <-ended:
	case <-running.Done():
	}
	stop(nil)
	flight.end()
	answers.end()
	return err
}

// inFlight has the requests that were read and not answered yet, by the id that the library gets.
type inFlight struct {
	free   *semaphore.Weighted // for requests
	calls  sync.WaitGroup      // the goroutines of requests
	next   chan func()         // for goroutines that have answered a request; closed at the end
	mu     sync.Mutex
	last   int64 // the newest id
	active map[int64]message
	ended  bool
}

// start calls serve in a goroutine, with the id of a request for the library. The caller acquired a place. After the end it does nothing.
// A goroutine that has answered a request takes the next one: a new one would grow its stack again, a third of the time of a ping.
func (f *inFlight) start(m message, serve func(id int64)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return
	}
	f.last++
	id := f.last
	f.active[id] = m
	select {
	case f.next <- func() { serve(id) }:
	default:
		f.calls.Go(func() {
			serve(id)
			for serve := range f.next {
				serve()
			}
		})
	}
}

// end waits for the goroutines of requests, which were cancelled.
func (f *inFlight) end() {
	f.mu.Lock()
	f.ended = true
	close(f.next)
	f.mu.Unlock()
	f.calls.Wait()
}

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

// answered frees the place of a request; 0 is no request.
func (f *inFlight) answered(id int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.active[id]; ok {
		delete(f.active, id)
		f.free.Release(1)
	}
}

// requestReader reads the input line by line and passes its messages to the library. It answers requests with invalid parameters itself.
type requestReader struct {
	ctx       context.Context
	stop      context.CancelCauseFunc
	server    *Server
	lines     *bufio.Reader
	answers   *answerWriter
	flight    *inFlight
	drainTime time.Duration
}

// read takes the lines until the input ends and its requests are answered.
func (r *requestReader) read() error {
	for {
		line, complete, err := r.line()
		if len(line) == 0 {
			if errors.Is(err, io.EOF) {
				r.await(maxActive)
				return nil
			}
			return err
		}
		if err = r.take(line, complete); err != nil {
			return err
		}
	}
}

// await reports whether the given number of places became free within the time in which a client that reads gets all answers. If not, the
// server stops.
func (r *requestReader) await(places int64) bool {
	ctx, cancel := context.WithTimeout(r.ctx, r.drainTime)
	defer cancel()
	if r.flight.free.Acquire(ctx, places) == nil {
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

// take passes the message of a line to the library, unless it is answered here.
func (r *requestReader) take(line []byte, complete bool) error {
	if !complete {
		return r.refuse(leadingID(line), mcp.INVALID_REQUEST, "A message is longer than "+strconv.Itoa(MaxMessage)+" bytes")
	}
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	members, isBatch := batchOf(line)
	if !isBatch {
		return r.message(line, r.answers.send)
	}
	if bad := batchError(members); bad != "" {
		return r.refuse(nil, mcp.INVALID_REQUEST, bad)
	}
	reply := r.gather(len(members))
	for _, member := range members {
		if err := r.message(member, reply); err != nil {
			return err
		}
	}
	return nil
}

// message passes one message to the library, unless it is answered here. reply gets its answer, or nothing if it expects none.
func (r *requestReader) message(raw []byte, reply func(outgoing) error) error {
	refuse := func(id json.RawMessage, code int, text string) error {
		return reply(outgoing{text: errorLine(id, code, text)})
	}
	m, code, text := readMessage(raw)
	switch {
	case code == 0 && (m.Result != nil || m.Error != nil) && m.Method == "":
		return reply(outgoing{}) // a response: the server sends no requests
	case code != 0:
		return refuse(nil, code, text)
	case m.notifies():
		r.notify(m)
		return reply(outgoing{})
	case m.Method == "":
		return refuse(m.ID, mcp.INVALID_REQUEST, "A message must have a method")
	}
	if bad := r.server.paramsError(r.ctx, m, raw); bad != nil {
		return refuse(m.ID, paramsCode(bad), bad.Error())
	}
	if !r.await(1) {
		return errUnread
	}
	r.flight.start(m, func(id int64) {
		_ = reply(outgoing{text: append(r.server.answer(r.ctx, m, id), '\n'), answers: id}) // the reader gets the same error
	})
	return nil
}

// gather returns the reply of each of the n messages of a batch: their answers leave with the last of them, as one array.
func (r *requestReader) gather(n int) func(outgoing) error {
	var mu sync.Mutex
	var answers [][]byte
	return func(m outgoing) error {
		mu.Lock()
		defer mu.Unlock()
		if m.text != nil {
			answers = append(answers, m.text)
		}
		if n--; n > 0 {
			r.flight.answered(m.answers)
			return nil
		}
		return r.answers.send(outgoing{text: arrayOf(answers), answers: m.answers})
	}
}

func (r *requestReader) refuse(id json.RawMessage, code int, text string) error {
	return r.answers.send(outgoing{text: errorLine(id, code, text)})
}

// notify passes a notification to the library. A cancellation names the id that the library knows; that of an unknown request is dropped.
func (r *requestReader) notify(m message) {
	if m.Method == string(mcp.MethodNotificationCancelled) {
		var params struct {
			RequestID json.RawMessage `json:"requestId"`
		}
		_ = json.Unmarshal(m.Params, &params) // without an id it names no request
		id, ok := r.flight.find(params.RequestID)
		if !ok {
			return
		}
		m.Params, _ = json.Marshal(map[string]int64{"requestId": id}) // it can be encoded
	}
	line, _ := json.Marshal(m) // fields that were decoded can be encoded
	r.server.mcp.HandleMessage(r.ctx, line)
}
