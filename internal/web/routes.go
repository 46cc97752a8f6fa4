package web

import (
	"net/http"
	"slices"
	"strings"
)

// The routes, as logs name them.
const (
	routeHome     = "/"
	routeMCP      = "/mcp"
	routeHealth   = "/healthz"
	routeReady    = "/readyz"
	routeMetrics  = "/metrics"
	routeMetadata = "/.well-known/oauth-protected-resource"
	routeOther    = "other"
)

// routeOf returns the route of a path as it was sent. The path must match exactly: it is not cleaned, unescaped or redirected.
func routeOf(r *http.Request) string {
	switch path := r.URL.EscapedPath(); path {
	case routeHome, routeMCP, routeHealth, routeReady, routeMetrics, routeMetadata:
		return path
	case routeMetadata + routeMCP:
		return routeMetadata
	}
	return routeOther
}

// route answers a request if its host and origin are allowed.
func (s *Server) route(w http.ResponseWriter, r *http.Request) {
	if !s.origins.admit(w, r) {
		return
	}
	if !s.active.begin() {
		w.Header().Set("Connection", "close")
		w.Header().Set("Retry-After", "5")
		refuse(w, http.StatusServiceUnavailable, "The server is stopping.")
		return
	}
	defer s.active.finish()
	switch routeOf(r) {
	case routeMCP:
		s.mcp.ServeHTTP(w, r)
	case routeHealth:
		if isRead(w, r) {
			writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
		}
	case routeReady:
		if isRead(w, r) {
			s.ready(w, r)
		}
	case routeHome:
		s.serveOptional(s.o.Home, w, r)
	case routeMetrics:
		s.serveOptional(s.metrics, w, r)
	case routeMetadata:
		s.serveOptional(s.o.Metadata, w, r)
	default:
		notFound(w)
	}
}

func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	report, ok := s.o.Ready(r.Context())
	status := http.StatusOK
	if !ok {
		status = http.StatusServiceUnavailable
	}
	writeJSON(w, status, report)
}

// serveOptional answers with a handler that may be nil.
func (s *Server) serveOptional(h http.Handler, w http.ResponseWriter, r *http.Request) {
	if h == nil {
		notFound(w)
		return
	}
	if isRead(w, r) {
		h.ServeHTTP(w, r)
	}
}

func notFound(w http.ResponseWriter) {
	refuse(w, http.StatusNotFound, "This path does not exist. The protocol is served at "+routeMCP+".")
}

// isRead reports whether the method of a request is GET or HEAD, and refuses the request otherwise.
func isRead(w http.ResponseWriter, r *http.Request) bool {
	methods := []string{http.MethodGet, http.MethodHead}
	if slices.Contains(methods, r.Method) {
		return true
	}
	w.Header().Set("Allow", strings.Join(methods, ", "))
	refuse(w, http.StatusMethodNotAllowed, "Only GET and HEAD are accepted here.")
	return false
}
