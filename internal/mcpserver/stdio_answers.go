package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// answerWriter writes messages from a goroutine of its own, so that a client that does not read cannot keep a stopping server.
type answerWriter struct {
	out      io.Writer
	flight   *inFlight
	messages chan outgoing
	finished chan struct{} // closed after the last message
	ended    chan struct{} // closed when all messages were written
	gone     chan struct{} // closed when the client has not read for too long

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
func newAnswerWriter(running context.Context, out io.Writer, flight *inFlight) *answerWriter {
	w := &answerWriter{
		out: out, flight: flight, messages: make(chan outgoing, maxActive),
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

func (w *answerWriter) write(m outgoing) {
	_, err := w.out.Write(m.text)
	w.mu.Lock()
	w.err = err
	w.mu.Unlock()
	w.flight.answered(m.answers)
}

// Write implements io.Writer for the library. Each call has one message, which gets the client's id.
func (w *answerWriter) Write(p []byte) (int, error) {
	isAnswer, mark := bytes.HasPrefix(p, beforeID), beforeSubscription
	if isAnswer {
		mark = beforeID
	}
	m := outgoing{text: p}
	id, _ := idAfter(p, mark)
	if request, active := w.flight.request(id); active {
		m.text = withID(p, id, request)
		if isAnswer {
			m.answers = id
		}
	}
	m.text = bytes.Clone(m.text) // the library reuses p
	return len(p), w.send(m)
}

// send passes a message to the goroutine. The error can be that of an earlier message.
func (w *answerWriter) send(m outgoing) error {
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
