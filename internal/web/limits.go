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

// clients has the rate limiter of each client. When it is full, it forgets the client that was not seen for the longest time.
type clients struct {
	limit rate.Limit
	burst int

	mu     sync.Mutex
	byName map[string]*list.Element // of *client
	recent *list.List               // the newest first
}

type client struct {
	name string
	pace *rate.Limiter
}

func newClients(perSecond float64, burst int) *clients {
	return &clients{limit: rate.Limit(perSecond), burst: burst, byName: map[string]*list.Element{}, recent: list.New()}
}

// reserve counts a request of a client and returns how long the client must wait; 0: not at all.
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

// limitRate limits the rate of each client: by subject if one is authenticated, otherwise by address.
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

// address returns the network that a request comes from: an IPv4 address, or the IPv6 prefix (/64) of one client.
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

// failureWriter replaces a 401 that comes too often with 429. Clients with a valid token are not affected: behind a proxy all have one
// address.
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
	// smallBody is the size in bytes that nearly every call fits in.
	smallBody = 16 << 10
	// largeBodies is the number of larger bodies that are held at once: a thousand clients may each send a small one, but not each a large
	// one.
	largeBodies = 8
	// unreadBody is the time for the body of a refused request to arrive.
	unreadBody = 50 * time.Millisecond
)

var errBusy = errors.New("too many large bodies at once")

// limitBodyTime shortens the time for the body of a request until its client is authenticated: net/http reads the body of a refused request
// before it sends the answer.
func (s *Server) limitBodyTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			s.setReadDeadline(w, r, time.Now().Add(unreadBody))
		}
		next.ServeHTTP(w, r)
	})
}

// readBody reads the body, up to the limit, before the call begins.
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
				body.Grow(remainingCapacity(r, s.o.MaxBody)) // at once: repeated doubling would use three times as much
				_, err = body.ReadFrom(from)
			default:
				err = errBusy
			}
		}
		if err != nil {
			s.refuseBody(w, r, err)
			return
		}
		// The time for reading is over, and must not cancel the call: net/http continues to read, to detect that the client has gone.
		s.setReadDeadline(w, r, time.Time{})
		r = r.WithContext(r.Context())
		r.Body = io.NopCloser(&body)
		next.ServeHTTP(w, r)
	})
}

// remainingCapacity returns the number of bytes of a large body after the first smallBody bytes, plus the space that a buffer needs to
// detect the end.
func remainingCapacity(r *http.Request, most int64) int {
	if r.ContentLength >= 0 {
		most = r.ContentLength
	}
	return int(most) - smallBody + bytes.MinRead
}

// setReadDeadline sets when the body must have been read; the zero time sets no limit.
func (s *Server) setReadDeadline(w http.ResponseWriter, r *http.Request, deadline time.Time) {
	if err := http.NewResponseController(w).SetReadDeadline(deadline); err != nil {
		s.o.Log.WarnContext(r.Context(), "read deadline could not be set", "cause", err)
	}
}

func (s *Server) refuseBody(w http.ResponseWriter, r *http.Request, err error) {
	w.Header().Set("Connection", "close") // the rest of the body stays unread
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
