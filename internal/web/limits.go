package web

import (
	"bytes"
	"container/list"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// clients holds the pace of each client. Those that were not seen for longest
// are forgotten when there are too many.
type clients struct {
	limit rate.Limit
	burst int

	mu     sync.Mutex
	byName map[string]*list.Element // of *client
	recent *list.List               // the newest in front
}

type client struct {
	name string
	pace *rate.Limiter
}

func newClients(perSecond float64, burst int) *clients {
	return &clients{limit: rate.Limit(perSecond), burst: burst, byName: map[string]*list.Element{}, recent: list.New()}
}

// take counts a request of a client and returns how long it comes too early.
func (c *clients) reserve(name string) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, ok := c.byName[name]
	if !ok {
		known = c.recent.PushFront(&client{name: name, pace: rate.NewLimiter(c.limit, c.burst)})
		c.byName[name] = known
		if c.recent.Len() > maxClients {
			delete(c.byName, c.recent.Remove(c.recent.Back()).(*client).name)
		}
	}
	c.recent.MoveToFront(known)
	turn := known.Value.(*client).pace.Reserve()
	wait := turn.Delay()
	if wait > 0 {
		turn.Cancel()
	}
	return wait
}

// limited bounds the rate of each client: of a subject, where one was let in,
// and of an address else.
func (s *Server) limitRate(next http.Handler) http.Handler {
	if s.o.Rate <= 0 {
		return next
	}
	clients := newClients(s.o.Rate, s.o.Burst)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := "address " + address(r)
		if subject := s.o.Subject(r.Context()); subject != "" {
			name = "subject " + subject
		}
		if wait := clients.reserve(name); wait > 0 {
			tooMany(w, wait)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func tooMany(w http.ResponseWriter, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	refuse(w, http.StatusTooManyRequests, "Too many requests. Retry-After gives the seconds to wait.")
}

// address returns the network that a request comes from: of an IPv6 address the
// part that one client has for itself.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is6() {
		if network, err := ip.Prefix(64); err == nil {
			return network.String()
		}
	}
	return ip.String()
}

// limitFailures bounds how often an address is told that it is not let in. Who
// is let in never pays for the failures of others: behind a proxy all have one
// address.
func limitFailures(failures *clients, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&failureWriter{ResponseWriter: w, failures: failures, address: address(r)}, r)
	})
}

// failureWriter turns a 401 that comes too often into 429.
type failureWriter struct {
	http.ResponseWriter
	failures *clients
	address  string
	replaced bool
}

// Unwrap is for http.ResponseController.
func (w *failureWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush implements http.Flusher.
func (w *failureWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// WriteHeader implements http.ResponseWriter.
func (w *failureWriter) WriteHeader(status int) {
	if status == http.StatusUnauthorized {
		if wait := w.failures.reserve(w.address); wait > 0 {
			w.replaced = true
			w.Header().Del("Content-Length")
			tooMany(w.ResponseWriter, wait)
			return
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *failureWriter) Write(p []byte) (int, error) {
	if w.replaced {
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}

const (
	// smallBody is what nearly every call fits in, in bytes.
	smallBody = 16 << 10
	// largeBodies is how many larger ones are held at once: a thousand clients
	// may each send a small one, but not each a large one.
	largeBodies = 8
	// unreadBody is the time for the body of a refused request to arrive.
	unreadBody = 50 * time.Millisecond
)

var errBusy = errors.New("too many large bodies at once")

// hurried gives the body of a request little time until its client is
// authorised: net/http reads the body of a refused request before it sends the
// answer. Where strangers come in crowds, only a body that came with its header
// is read.
func (s *Server) limitBodyTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength == 0 {
			next.ServeHTTP(w, r)
			return
		}
		c, timeout := connectionOf(r.Context()), unreadBody
		c.setHasBody()
		if c.expendable() {
			timeout = 0
		}
		s.setReadDeadline(w, r, time.Now().Add(timeout))
		next.ServeHTTP(w, r)
		if r.ContentLength > smallBody && c.expendable() {
			panic(http.ErrAbortHandler) // net/http would wait half a second for the client to take the answer
		}
	})
}

// bounded reads the body, if it is not too large, before the call begins.
func (s *Server) readBody(next http.Handler) http.Handler {
	large := make(chan struct{}, largeBodies)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > s.o.MaxBody {
			s.refuseBody(w, r, &http.MaxBytesError{})
			return
		}
		s.setReadDeadline(w, r, time.Now().Add(s.o.ReadTimeout))
		from := http.MaxBytesReader(w, r.Body, s.o.MaxBody)
		var body bytes.Buffer
		_, err := body.ReadFrom(io.LimitReader(from, smallBody))
		if err == nil && body.Len() == smallBody {
			select {
			case large <- struct{}{}:
				defer func() { <-large }()
				body.Grow(remainingCapacity(r, s.o.MaxBody)) // at once: doubled again and again, it would take three times as much
				_, err = body.ReadFrom(from)
			default:
				err = errBusy
			}
		}
		if err != nil {
			s.refuseBody(w, r, err)
			return
		}
		// The time for reading is over, and must not cancel the call: net/http
		// goes on reading to notice that the client has gone.
		s.setReadDeadline(w, r, time.Time{})
		defer connectionOf(r.Context()).work()()
		r = r.WithContext(r.Context())
		r.Body = io.NopCloser(&body)
		next.ServeHTTP(w, r)
	})
}

// rest is how many bytes a large body may have beside the first ones, and what a
// buffer needs to see that it has ended.
func remainingCapacity(r *http.Request, most int64) int {
	if r.ContentLength >= 0 {
		most = r.ContentLength
	}
	return int(most) - smallBody + bytes.MinRead
}

// readBy sets when the body must have been read; the zero time sets no limit.
func (s *Server) setReadDeadline(w http.ResponseWriter, r *http.Request, deadline time.Time) {
	if err := http.NewResponseController(w).SetReadDeadline(deadline); err != nil {
		s.o.Log.WarnContext(r.Context(), "read deadline stays", "cause", err)
	}
}

func (s *Server) refuseBody(w http.ResponseWriter, r *http.Request, err error) {
	w.Header().Set("Connection", "close") // the rest of it stays unread
	s.setReadDeadline(w, r, time.Now().Add(unreadBody))
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		refuse(w, http.StatusRequestEntityTooLarge, "The body is larger than "+strconv.FormatInt(s.o.MaxBody, 10)+" bytes.")
	case errors.Is(err, os.ErrDeadlineExceeded):
		refuse(w, http.StatusRequestTimeout, "The body took too long.")
	case errors.Is(err, errBusy):
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, "Too many large bodies at once.")
	default:
		refuse(w, http.StatusBadRequest, "The body could not be read.")
	}
}
