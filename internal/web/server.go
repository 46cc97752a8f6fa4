// Package web serves a protocol endpoint over HTTP to untrusted clients: it checks hosts, origins, sizes, times and rates. It does not
// depend on the protocol.
package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/klauspost/compress/gzhttp"
)

// Options configure a Server. MCP, Ready and Log are required; zero sizes and times mean the default.
type Options struct {
	MCP      http.Handler                          // answers /mcp
	Auth     func(next http.Handler) http.Handler  // guards /mcp and /metrics; nil allows every client
	Subject  func(ctx context.Context) string      // returns the subject that Auth authenticated, "" for none; may be nil
	Metadata http.Handler                          // answers /.well-known/oauth-protected-resource; nil: 404
	Metrics  http.Handler                          // answers /metrics; nil: 404
	Home     http.Handler                          // answers / for people; nil: 404
	Ready    func(ctx context.Context) (any, bool) // returns a report that encodes as JSON, and whether calls can be served
	Log      *slog.Logger

	// Stopping is the cause of the contexts of calls that are cancelled because the server stops.
	Stopping error

	AllowedHosts   []string // names, or name:port, in addition to loopback and the server's address
	AllowedOrigins []string // such as https://app.example.org, in addition to the server's own

	Rate  float64 // requests per second of one client; 0 or less: no limit
	Burst int     // requests that a client may make at once; at least 1

	MaxBody        int64         // bytes of a request's body; 1 MB
	MaxConnections int           // open at once; 2000
	HeaderTimeout  time.Duration // for a request's header; 5 s
	ReadTimeout    time.Duration // for a request with its body; 30 s
	WriteTimeout   time.Duration // for the call and its answer; 2 min
	IdleTimeout    time.Duration // between requests; 1 min
	Drain          time.Duration // for active calls when the server stops; 20 s
}

const (
	maxHeader = 32 << 10 // bytes, including a token
	// maxClients limits the clients whose rate is remembered.
	maxClients = 10_000
	// failedRate and failedBurst limit the attempts of an address without a valid token.
	failedRate, failedBurst = 1, 20
	// minCompressed is the number of bytes from which on an answer is compressed: about those of a packet.
	minCompressed = 1400
	// cutOff is the time in which cancelled calls must end.
	cutOff = time.Second
)

// Server is an HTTP server. It serves once.
type Server struct {
	o       Options
	origins origins
	active  *activeRequests
	mcp     http.Handler // with authentication and limits
	metrics http.Handler // with authentication
}

// New returns a server. An invalid host or origin in the options is an error.
func New(o Options) (*Server, error) {
	o.Burst = max(o.Burst, 1)
	o.MaxBody = cmp.Or(o.MaxBody, 1<<20)
	o.MaxConnections = cmp.Or(o.MaxConnections, 2000)
	o.HeaderTimeout = cmp.Or(o.HeaderTimeout, 5*time.Second)
	o.ReadTimeout = cmp.Or(o.ReadTimeout, 30*time.Second)
	o.WriteTimeout = cmp.Or(o.WriteTimeout, 2*time.Minute)
	o.IdleTimeout = cmp.Or(o.IdleTimeout, time.Minute)
	o.Drain = cmp.Or(o.Drain, 20*time.Second)
	if o.Auth == nil {
		o.Auth = func(next http.Handler) http.Handler { return next }
	}
	if o.Subject == nil {
		o.Subject = func(context.Context) string { return "" }
	}
	origins, err := readOrigins(o.AllowedHosts, o.AllowedOrigins)
	if err != nil {
		return nil, err
	}
	s := &Server{o: o, origins: origins, active: &activeRequests{idle: make(chan struct{})}}
	guard := func(next http.Handler) http.Handler {
		failures, authenticated := newClients(failedRate, failedBurst), o.Auth(s.recordSubject(next))
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			authenticated.ServeHTTP(&failureWriter{ResponseWriter: w, failures: failures, address: address(r)}, r)
		})
	}
	compressed, err := gzhttp.NewWrapper(gzhttp.MinSize(minCompressed), gzhttp.ContentTypes([]string{"application/json"}))
	if err != nil {
		return nil, err
	}
	s.mcp = guard(s.limitRate(s.readBody(compressed(o.MCP))))
	if o.Metrics != nil {
		s.metrics = guard(o.Metrics)
	}
	return s, nil
}

// Serve serves the connections of a listener, which it closes, until ctx is done. Active calls are then answered within Options.Drain, new
// requests are refused with 503, and Serve returns nil.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	base, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	l = &boundedListener{Listener: l, places: make(chan struct{}, s.o.MaxConnections), closed: make(chan struct{})}
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	server := &http.Server{
		Handler:     s.logRequests(s.limitBodyTime(http.HandlerFunc(s.route))),
		BaseContext: func(net.Listener) context.Context { return base },
		Protocols:   &protocols,
		ErrorLog:    slog.NewLogLogger(s.o.Log.Handler(), slog.LevelDebug), // errors that clients cause

		ReadHeaderTimeout: s.o.HeaderTimeout,
		ReadTimeout:       s.o.ReadTimeout,
		WriteTimeout:      s.o.WriteTimeout,
		IdleTimeout:       s.o.IdleTimeout,
		MaxHeaderBytes:    maxHeader,

		DisableGeneralOptionsHandler: true, // it checks neither host nor origin
	}
	stopped := make(chan error, 1)
	go func() { stopped <- server.Serve(l) }()
	select {
	case err := <-stopped:
		_ = server.Close() // the listener's error is more specific
		return fmt.Errorf("serve HTTP: %w", err)
	case <-ctx.Done():
	}
	drain, done := context.WithTimeout(base, s.o.Drain)
	defer done()
	// The listener stays open meanwhile, so that new requests get an answer.
	idle := s.active.end()
	s.o.Log.Info("stopping", "drain", s.o.Drain) // after this no request begins
	select {
	case <-idle:
	case <-drain.Done():
		s.o.Log.Warn("active calls were cancelled", "drain", s.o.Drain)
	}
	cancel(s.o.Stopping)
	late, ended := context.WithTimeout(context.WithoutCancel(ctx), cutOff)
	defer ended()
	_ = server.Shutdown(late) // answers on their way, also of cancelled calls
	_ = server.Close()        // the remaining connections
	if err := <-stopped; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve HTTP: %w", err)
	}
	select {
	case <-idle:
	case <-late.Done():
	}
	return nil
}

// writeJSON answers with a value that can be encoded as JSON.
func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	// A write error means that the client has gone.
	_ = json.NewEncoder(w).Encode(value)
}

// refuse answers with an error in one sentence.
func refuse(w http.ResponseWriter, status int, text string) {
	writeJSON(w, status, map[string]string{"error": text})
}
