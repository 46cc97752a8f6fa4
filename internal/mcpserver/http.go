package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// HTTP returns the server's streamable HTTP endpoint, for both protocol eras. It stores nothing between requests, so that any replica can
// answer any of them. The caller must check hosts, origins, tokens, and the size of bodies, which the endpoint reads into memory.
func (s *Server) HTTP() http.Handler {
	return &endpoint{server: s, library: server.NewStreamableHTTPServer(s.mcp,
		server.WithStateLess(true),
		server.WithStreamableHTTPLogger(s.o.Log),
		// It would accept only loopback hosts; the caller checks the hosts.
		server.WithDisableLocalhostProtection(true),
	)}
}

// endpoint answers the requests that the library would answer wrongly, and passes the others to it.
type endpoint struct {
	server  *Server
	library http.Handler
}

// ServeHTTP implements http.Handler.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		// The server has no stream to listen to and no session to end.
		w.Header().Set("Allow", http.MethodPost)
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		writeError(w, http.StatusBadRequest, nil, mcp.PARSE_ERROR, "The body could not be read")
		return
	}
	if members, isBatch := batchOf(body); isBatch {
		e.serveBatch(w, r, members)
		return
	}
	m, code, text := readMessage(body)
	if code != 0 {
		writeError(w, http.StatusBadRequest, nil, code, text)
		return
	}
	if m.notifies() {
		// No notification has an effect here. The library must not get notifications/cancelled: without sessions it knows a call only by
		// its id, and would cancel that of another client. A client cancels a call by closing its connection.
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if m.Method == "" {
		writeError(w, http.StatusBadRequest, m.ID, mcp.INVALID_REQUEST,
			"A message must have a method: the server sends no requests that a client could answer")
		return
	}
	if err = e.server.requestError(r.Context(), m, body); err != nil {
		status := http.StatusOK
		if mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) {
			status = http.StatusBadRequest
		}
		writeError(w, status, m.ID, paramsCode(err), err.Error())
		return
	}
	ctx := r.Context()
	if mcp.MCPMethod(m.Method) == mcp.MethodSubscriptionsListen {
		stream := &stream{ResponseWriter: w, begun: make(chan struct{})}
		w, ctx = stream, context.WithValue(ctx, streamKey{}, stream)
	}
	if id := newPagesSession(m); id != "" {
		w.Header().Set(sessionHeader, id)
	}
	if strings.HasPrefix(r.Header.Get(sessionHeader), pagesSession) {
		ctx = context.WithValue(ctx, pagesKey{}, true)
	}
	ctx, b := withBody(ctx)
	r = r.WithContext(ctx)
	r.Body = io.NopCloser(bytes.NewReader(m.as(httpID)))
	e.library.ServeHTTP(&messageWriter{ResponseWriter: w, server: e.server, request: m, body: b}, r)
}

// serveBatch answers the messages of a batch as one array.
func (e *endpoint) serveBatch(w http.ResponseWriter, r *http.Request, members []json.RawMessage) {
	bad := batchError(members)
	if r.Header.Get(mcp.HeaderProtocolVersion) > mcp.ProtocolVersion20250326 {
		bad = "This version of the protocol has no batches"
	}
	if bad != "" {
		writeError(w, http.StatusBadRequest, nil, mcp.INVALID_REQUEST, bad)
		return
	}
	answers := make([][]byte, len(members))
	var calls sync.WaitGroup
	for i, member := range members {
		calls.Go(func() { answers[i] = e.answerMember(r.Context(), member) })
	}
	calls.Wait()
	array := arrayOf(slices.DeleteFunc(answers, func(a []byte) bool { return a == nil }))
	if array == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(array) // an error means that the client has gone
}

// answerMember returns the answer to a message of a batch, or nil for one that expects none.
func (e *endpoint) answerMember(ctx context.Context, raw []byte) []byte {
	m, code, text := readMessage(raw)
	switch {
	case code != 0:
		return errorLine(nil, code, text)
	case m.notifies(), m.Result != nil, m.Error != nil:
		return nil
	case m.Method == "":
		return errorLine(m.ID, mcp.INVALID_REQUEST, "A message must have a method")
	}
	if err := e.server.requestError(ctx, m, raw); err != nil {
		return errorLine(m.ID, paramsCode(err), err.Error())
	}
	return e.server.answer(ctx, m, httpID)
}

// httpID is the id that the library gets for every request: each is answered on its own connection.
const httpID = 1

// messageWriter writes the client's id in the place of the internal one, and the body of an answer. The library writes each message in one
// call.
type messageWriter struct {
	http.ResponseWriter
	server  *Server
	request message
	body    *body
}

// Write implements http.ResponseWriter.
func (w *messageWriter) Write(p []byte) (int, error) {
	message := withID(p, httpID, w.request)
	if bytes.Contains(p, beforeID) { // while the call is active, it reports its progress
		message = w.server.fill(message, w.body)
	}
	if _, err := w.ResponseWriter.Write(message); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush implements http.Flusher.
func (w *messageWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// stream is the answer to a subscription: first the acknowledgement, and at the end the result.
type stream struct {
	http.ResponseWriter
	once  sync.Once
	begun chan struct{} // closed when the header is written
}

type streamKey struct{}

// WriteHeader implements http.ResponseWriter.
func (s *stream) WriteHeader(status int) {
	s.ResponseWriter.WriteHeader(status)
	s.once.Do(func() { close(s.begun) })
}

// Flush implements http.Flusher.
func (s *stream) Flush() { _ = http.NewResponseController(s.ResponseWriter).Flush() }

// awaitAcknowledgement delays the result of a subscription until its acknowledgement is being written. The server has no events, so that
// the result follows at once, and the library would drop an acknowledgement that it has not begun to write.
func awaitAcknowledgement(ctx context.Context, _ any, _ *mcp.SubscriptionsListenRequest, _ *mcp.SubscriptionsListenResult) {
	s, ok := ctx.Value(streamKey{}).(*stream)
	if !ok {
		return
	}
	select {
	case <-s.begun:
	case <-ctx.Done():
	}
}

// requestError returns the error of a request that the library would not see or would report wrongly, or nil.
func (s *Server) requestError(ctx context.Context, m message, raw []byte) error {
	if err := s.paramsError(ctx, m, raw); err != nil {
		return err
	}
	return s.scopeError(ctx, m)
}

// scopeError returns an error if the caller lacks a scope for a request, or nil. The library would refuse the request too, but with the
// message that the tool does not exist.
func (s *Server) scopeError(ctx context.Context, m message) error {
	var params struct {
		Name string `json:"name"` // of a tool
		URI  string `json:"uri"`  // of a resource
	}
	if len(m.Params) == 0 || json.Unmarshal(m.Params, &params) != nil {
		return nil //nolint:nilerr // the request names nothing that needs a scope
	}
	var name, toolset string
	var known bool
	switch mcp.MCPMethod(m.Method) {
	case mcp.MethodToolsCall:
		name = params.Name
		toolset, known = s.tools[name]
	case mcp.MethodResourcesRead:
		name = params.URI
		toolset, known = s.resources[name]
	}
	if !known || s.allows(ctx, toolset) {
		return nil
	}
	return refusal(name, toolset)
}

func writeError(w http.ResponseWriter, status int, id json.RawMessage, code int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// A write error means that the client has gone.
	_, _ = w.Write(errorLine(id, code, text))
}
