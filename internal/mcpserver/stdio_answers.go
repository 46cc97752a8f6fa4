package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// answerWriter writes messages from a goroutine of its own, so that a client that does not read cannot keep a stopping server.
type answerWriter struct {
	out           io.Writer
	flight        *inFlight
	messages      chan outgoing
	notifications <-chan mcp.JSONRPCNotification // of the library
	finished      chan struct{}                  // closed after the last message
	ended         chan struct{}                  // closed when all messages were written
	gone          chan struct{}                  // closed when the client has not read for too long

	mu  sync.Mutex
	err error // of the last write
}

var errUnread = errors.New("the client does not read its answers")

// outgoing is a message to the client.
type outgoing struct {
	text    []byte
	answers int64 // the id of the active request that it answers, or 0
}

// newAnswerWriter returns a writer that gives up unreadTime after running is done. The caller must call end.
func newAnswerWriter(running context.Context, out io.Writer, flight *inFlight, notifications <-chan mcp.JSONRPCNotification) *answerWriter {
	w := &answerWriter{
		out: out, flight: flight, messages: make(chan outgoing, maxActive), notifications: notifications,
		finished: make(chan struct{}), ended: make(chan struct{}), gone: make(chan struct{}),
	}
	context.AfterFunc(running, func() { time.AfterFunc(unreadTime, func() { close(w.gone) }) })
	go w.run()
	return w
}

func (w *answerWriter) run() {
	defer close(w.ended)
	for {
		select {
		case n := <-w.notifications:
			w.notify(n)
		case m := <-w.messages:
			w.write(m)
		case <-w.finished:
			for len(w.messages) > 0 {
				w.write(<-w.messages)
			}
			return
		}
	}
}

// notify writes a notification. That of a subscription has the client's id.
func (w *answerWriter) notify(n mcp.JSONRPCNotification) {
	line, _ := json.Marshal(n) // its parameters are texts and numbers
	id, _ := idAfter(line, beforeSubscription)
	if request, active := w.flight.request(id); active {
		line = withID(line, id, request)
	}
	w.put(append(line, '\n'))
}

// write writes a message after the notifications that precede it.
func (w *answerWriter) write(m outgoing) {
	for len(w.notifications) > 0 {
		w.notify(<-w.notifications)
	}
	w.put(m.text)
	w.flight.answered(m.answers)
}

func (w *answerWriter) put(line []byte) {
	_, err := w.out.Write(line)
	w.mu.Lock()
	w.err = err
	w.mu.Unlock()
}

// send passes a message to the goroutine, unless it has no text. The error can be that of an earlier message.
func (w *answerWriter) send(m outgoing) error {
	if m.text == nil {
		return nil
	}
	select {
	case w.messages <- m:
	case <-w.gone:
		return errUnread
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// end waits until all messages were written or the client is gone.
func (w *answerWriter) end() {
	close(w.finished)
	select {
	case <-w.ended:
	case <-w.gone:
	}
}
