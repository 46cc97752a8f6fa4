package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// An examined source gets one probe request. The fields below proxy are the outcome.
type examined struct {
	source.Source
	url     string // of the probe, without key and address
	client  source.Doer
	timeout time.Duration
	// withKey reports whether the probe has an API key.
	withKey bool
	// proxy is the proxy of the probe; nil: no proxy.
	proxy *url.URL

	result      upstream.Result
	date        time.Time // of the source's clock
	received    time.Time // by the local clock
	page        bool      // the response was a web page
	took        time.Duration
	probeResult string
	err         error
	reached     atomic.Bool // a source, a proxy or a firewall responded
}

// turns returns the store in which all processes take their turns for requests.
func turns(cfg *config.Config) *store.Store {
	return store.New(store.Options{
		Path: cfg.CacheFile(), PaceShare: cfg.NoCacheFolder(), MaxBytes: cfg.CacheBytes,
		RedisURL: string(cfg.RedisURL), Replicas: cfg.Replicas, Log: slog.New(slog.DiscardHandler),
	})
}

// sources returns the sources to check. A probe is sent as a server sends a request, but without retries: doctor reports the current
// state.
func (d *Doctor) sources(requested []source.Source, shared *store.Store) ([]*examined, error) {
	options, err := d.Options(shared)
	if err != nil {
		return nil, err
	}
	var sources []*examined
	for _, described := range requested {
		s := &examined{
			Source: described, url: described.BaseURL(d.Config) + described.Probe.Path, timeout: d.Config.CallTimeout,
			withKey: described.HasKey(d.Config),
		}
		o := options(&described)
		if network, ok := o.Base.(*http.Transport); ok {
			s.proxy, _ = network.Proxy(s.request(context.Background())) // an invalid proxy is not used
		}
		o.Base, o.Tries = &witness{next: o.Base, source: s}, 1
		o.Observe = upstream.Observer{Attempt: func(r upstream.Result, took time.Duration) { s.result, s.took = r, took }}
		s.client = described.Doer(d.Config, d.Version, upstream.NewClient(o))
		sources = append(sources, s)
	}
	return sources, nil
}

// request returns the probe request.
func (s *examined) request(ctx context.Context) *http.Request {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		panic(err) // the configuration is valid, and so is the URL
	}
	return req
}

// address returns the URL of the probe without secrets.
func (s *examined) address() string {
	u := *s.request(context.Background()).URL
	u.User = nil
	return u.String()
}

// ask sends the probe.
func (s *examined) ask(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{ConnectDone: func(_, _ string, err error) {
		if err == nil || errors.Is(err, syscall.ECONNREFUSED) {
			s.reached.Store(true)
		}
	}})
	resp, err := s.client.Do(s.request(ctx))
	if err != nil {
		s.err = err
		return
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d", resp.StatusCode)
	}
	if err == nil {
		s.probeResult, err = s.Probe.Read(body)
	}
	if err != nil {
		s.err, s.result = err, upstream.ResultUnreadable
	}
}

// A witness is a RoundTripper that records that a source answered, with the time of its clock.
type witness struct {
	next   http.RoundTripper
	source *examined
}

// RoundTrip implements http.RoundTripper.
func (w *witness) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := w.next.RoundTrip(req)
	if err == nil {
		w.source.reached.Store(true)
		w.source.date, w.source.received = upstream.Date(resp), time.Now()
		w.source.page = strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html")
	}
	return resp, err
}

// check returns the result of the probe and a remedy.
func (s *examined) check() Check {
	c := Check{Name: s.Name, Status: Fail}
	if s.err == nil {
		c.Status = OK
		c.Finding = fmt.Sprintf("answers in %d ms: %s", s.took.Milliseconds(), s.probeResult)
		if s.withKey {
			c.Finding += "; the API key is good"
		}
		return c
	}
	later := "try again later; its status page is " + s.Status
	switch s.result {
	case upstream.ResultRefused:
		c.Problem = "blocked"
		c.Finding = s.Title + ", or a firewall before it, refuses this client or network; this is not an outage (" + s.message() + ")"
		c.Remedy = "try BIOFACT_TLS_MAX=1.2, another network, or a proxy (HTTPS_PROXY)"
	case upstream.ResultFailed:
		c.Problem = "outage"
		c.Finding, c.Remedy = s.message(), "the fault is at the source: "+later
	case upstream.ResultLimited:
		c.Problem = "rate_limited"
		c.Finding, c.Remedy = s.message(),
			"too many requests came from this address or with this key: wait a minute, and check which other programs send requests"
	case upstream.ResultInvalid:
		s.refused(&c)
	case upstream.ResultUnreachable, upstream.ResultTimeout:
		s.unreachable(&c)
	case upstream.ResultUnreadable:
		c.Problem, c.Finding, c.Remedy = "unreadable", s.message(), later
		if s.page {
			c.Problem, c.Remedy = "web_page", "a login page or a firewall of this network may have answered instead: open "+s.address()+
				" in a browser"
		}
	default:
		c.Problem, c.Finding, c.Remedy = "other", s.message(), "stop other programs that send requests to "+s.Title+
			", or raise BIOFACT_CALL_TIMEOUT"
	}
	return c
}

// refused describes a source that refuses the probe. The probe is valid, so the cause is the API key or the address.
func (s *examined) refused(c *Check) {
	c.Finding = s.message()
	if _, question := errors.AsType[*entrez.Refusal](s.err); s.withKey && !question {
		c.Problem, c.Remedy = "api_key", "correct "+s.KeyVariable+" or remove it; keys are in the account settings at "+s.Title
		return
	}
	c.Problem, c.Remedy = "unreadable", "check that "+s.address()+" is the right address"
}

// unreachable describes why the probe got no response.
func (s *examined) unreachable(c *Check) {
	c.Finding = s.message()
	dns, byName := errors.AsType[*net.DNSError](s.err)
	switch {
	case strings.Contains(c.Finding, "certificate"):
		c.Problem = "certificate"
		c.Remedy = "a proxy may inspect the connection: name its authority in SSL_CERT_FILE"
	case s.proxy != nil:
		c.Problem, c.Finding = "proxy", s.Title+"cannot be reached through the proxy "+s.proxy.Host
		c.Remedy = "check the proxy (HTTPS_PROXY, HTTP_PROXY), and that it allows this client and this host"
	case byName:
		c.Problem, c.Finding = "dns", s.Title+" cannot be reached: the host name "+dns.Name+" is not known"
		c.Remedy = "check the network and the name server; behind a proxy set HTTPS_PROXY"
	case errors.Is(s.err, syscall.ECONNREFUSED):
		c.Problem, c.Finding = "refused", s.Title+": the connection is refused"
		c.Remedy = "check that " + s.address() + " is the right address; a firewall may also refuse connections"
	case s.reached.Load():
		c.Problem, c.Finding = "outage", s.Title+" accepts the connection, but does not answer"
		c.Remedy = "the fault is at the source: try again later; its status page is " + s.Status
	case s.result == upstream.ResultTimeout:
		c.Problem, c.Remedy = "timeout",
			"a firewall may drop the packets: set HTTPS_PROXY if a proxy is needed; otherwise its status page is "+
				s.Status
	default:
		c.Problem, c.Remedy = "no_network", "check the network; behind a proxy set HTTPS_PROXY"
	}
}

// offline reports whether the probe did not leave this network.
func (s *examined) offline() bool {
	requested := s.result == upstream.ResultUnreachable || s.result == upstream.ResultTimeout
	return requested && !s.reached.Load()
}

// message returns the error message of the client, as part of a sentence.
func (s *examined) message() string {
	text := s.err.Error()
	if e, ok := errors.AsType[*entity.Error](s.err); ok {
		text = e.Message
	}
	return strings.TrimSuffix(text, ".")
}
