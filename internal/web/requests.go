package web

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// request has the fields of a request for the log.
type request struct {
	id      string
	subject string // the subject that Auth authenticated
}

type requestKey struct{}

// RequestID returns the id of the request that ctx belongs to, or "".
func RequestID(ctx context.Context) string {
	if info, ok := ctx.Value(requestKey{}).(*request); ok {
		return info.id
	}
	return ""
}

var acceptedID = lazyregexp.New(`^[A-Za-z0-9._-]{1,64}$`)

// logRequests gives each request an id, that of the client if it has one, logs the answer, and answers when a handler panics. It logs
// neither token nor query.
func (s *Server) logRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		info := &request{id: r.Header.Get("X-Request-Id")}
		if !acceptedID.MatchString(info.id) {
			info.id = rand.Text()
		}
		w.Header().Set("X-Request-Id", info.id)
		r = r.WithContext(context.WithValue(r.Context(), requestKey{}, info))
		answer := &answerWriter{ResponseWriter: w}
		defer func() {
			p := recover()
			aborted := p == http.ErrAbortHandler //nolint:errorlint // the value of a panic, which net/http compares in the same way
			if p != nil && !aborted {
				s.o.Log.ErrorContext(r.Context(), "panic", "request", info.id, "cause", fmt.Sprint(p), "stack", string(debug.Stack()))
				if answer.status == 0 {
					w.Header().Set("Connection", "close")
					refuse(answer, http.StatusInternalServerError, "The request could not be answered.")
				} else {
					aborted = true // the client must not mistake an incomplete answer for a complete one
				}
			}
			s.log(r, info, answer, time.Since(start))
			if aborted {
				panic(http.ErrAbortHandler)
			}
		}()
		next.ServeHTTP(answer, r)
	})
}

func (s *Server) log(r *http.Request, info *request, answer *answerWriter, took time.Duration) {
	level, route := slog.LevelInfo, routeOf(r)
	switch route {
	case routeHealth, routeReady, routeMetrics:
		level = slog.LevelDebug // requested every few seconds
	}
	attrs := []slog.Attr{
		slog.String("method", method(r)), slog.String("route", route), slog.Int("status", answer.status),
		slog.Duration("duration", took), slog.Int64("bytes", answer.bytes), slog.String("request", info.id),
	}
	if info.subject != "" {
		attrs = append(attrs, slog.String("subject", info.subject))
	}
	s.o.Log.LogAttrs(r.Context(), level, "request", attrs...)
}

// method returns the request's method if it is a common one.
func method(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return r.Method
	}
	return "other"
}

// recordSubject records that Auth has authenticated the client, and its subject for the log.
func (s *Server) recordSubject(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if info, ok := r.Context().Value(requestKey{}).(*request); ok {
			info.subject = s.o.Subject(r.Context())
		}
		next.ServeHTTP(w, r)
	})
}

// answerWriter records the status and the size of an answer.
type answerWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// Unwrap is for http.ResponseController.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush implements http.Flusher.
func (w *answerWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// WriteHeader implements http.ResponseWriter.
func (w *answerWriter) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *answerWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}
