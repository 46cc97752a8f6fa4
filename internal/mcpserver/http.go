package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// HTTP returns the server's streamable HTTP endpoint, for both protocol eras.
// It keeps nothing between requests, so that any replica can answer any of
// them. Whoever mounts it looks after what concerns every route: hosts, origins,
// tokens, and the size of bodies, which it reads whole.
func (s *Server) HTTP() http.Handler {
	return &endpoint{server: s, library: server.NewStreamableHTTPServer(s.mcp,
		server.WithStateLess(true),
		server.WithStreamableHTTPLogger(s.o.Log),
		// It knows no host but loopback; who mounts the endpoint knows them all.
		server.WithDisableLocalhostProtection(true),
	)}
}

// endpoint answers what the library would answer wrongly, and leaves the rest
// to it.
type endpoint struct {
	server  *Server
	library http.Handler
}

// message is what must be known of a client's message before the library has
// it. It is decoded by the library's own rules, so that both see the same.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// notifies reports whether the message asks for no answer.
func (m message) notifies() bool {
	return m.Method != "" && (len(m.ID) == 0 || string(m.ID) == "null")
}

// ServeHTTP implements http.Handler.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		// There is no stream to listen to and no session to end.
		w.Header().Set("Allow", http.MethodPost)
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		writeError(w, http.StatusBadRequest, nil, mcp.PARSE_ERROR, "The body could not be read")
		return
	}
	if !json.Valid(body) {
		writeError(w, http.StatusBadRequest, nil, mcp.PARSE_ERROR, "Parse error")
		return
	}
	var m message
	if json.Unmarshal(body, &m) != nil {
		writeError(w, http.StatusBadRequest, nil, mcp.INVALID_REQUEST, "The body must be one JSON-RPC message: an object, not a batch")
		return
	}
	if m.notifies() {
		// Nothing is kept that a notification could concern. Least of all may
		// the library see notifications/cancelled: without sessions it knows a
		// call by its id alone, and would cancel that of another client. A call
		// is cancelled by closing its connection.
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if m.Method == "" {
		writeError(w, http.StatusBadRequest, m.ID, mcp.INVALID_REQUEST,
			"A message must have a method: nothing is asked of clients that they could answer")
		return
	}
	err = e.server.paramsError(r.Context(), body)
	if err == nil {
		err = e.server.scopeError(r.Context(), m)
	}
	if err != nil {
		status := http.StatusOK
		if mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) {
			status = http.StatusBadRequest
		}
		writeError(w, status, m.ID, mcp.INVALID_PARAMS, err.Error())
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
	r = r.WithContext(ctx)
	r.Body = io.NopCloser(bytes.NewReader(body))
	e.library.ServeHTTP(w, r)
}

// stream is the answer to a subscription: first the acknowledgement, which tells
// what was subscribed to, and the result at the end.
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

// acknowledged holds the result of a subscription back until its
// acknowledgement is being written. There is nothing to subscribe to, so that
// the result follows at once, and the library would drop the acknowledgement
// if it has not begun to write it.
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

// refused returns what the caller lacks to make a request, or nil. The library
// would refuse it as well, but say that the tool does not exist.
func (s *Server) scopeError(ctx context.Context, m message) error {
	var params struct {
		Name string `json:"name"` // of a tool
		URI  string `json:"uri"`  // of a resource
	}
	if len(m.Params) == 0 || json.Unmarshal(m.Params, &params) != nil {
		return nil //nolint:nilerr // nothing is named that a scope could be missing for
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
	// An error of writing is the client's: it has gone.
	_, _ = w.Write(errorLine(id, code, text))
}

// errorLine returns the answer to a request that failed, and a line end.
func errorLine(id json.RawMessage, code int, text string) []byte {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	line, _ := json.Marshal(struct { // an id that was decoded can be encoded
		JSONRPC string                  `json:"jsonrpc"`
		ID      json.RawMessage         `json:"id"`
		Error   mcp.JSONRPCErrorDetails `json:"error"`
	}{mcp.JSONRPC_VERSION, id, mcp.NewJSONRPCErrorDetails(code, text, nil)})
	return append(line, '\n')
}
