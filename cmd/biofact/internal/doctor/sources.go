package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

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
	if s.err == nil {
		finding := fmt.Sprintf("answers in %d ms: %s", s.took.Milliseconds(), s.probeResult)
		if s.withKey {
			finding += "; the API key is good"
		}
		return passed(s.Name, finding)
	}
	later := "try again later; its status page is " + s.Status
	switch s.result {
	case upstream.ResultRefused:
		return s.fails("blocked",
			s.Title+", or a firewall before it, refuses this client or network; this is not an outage ("+s.message()+")",
			"try BIOFACT_TLS_MAX=1.2, another network, or a proxy (HTTPS_PROXY)")
	case upstream.ResultFailed:
		return s.fails("outage", s.message(), "the fault is at the source: "+later)
	case upstream.ResultLimited:
		return s.fails("rate_limited", s.message(),
			"too many requests came from this address or with this key: wait a minute, and check which other programs send requests")
	case upstream.ResultInvalid:
		// The probe is valid, so the cause is the API key or the address.
		if _, question := errors.AsType[*entrez.Refusal](s.err); s.withKey && !question {
			return s.fails("api_key", s.message(), "correct "+s.KeyVariable+" or remove it; keys are in the account settings at "+s.Title)
		}
		return s.fails("unreadable", s.message(), "check that "+s.address()+" is the right address")
	case upstream.ResultUnreachable, upstream.ResultTimeout:
		return s.unreachable()
	case upstream.ResultUnreadable:
		if s.page {
			return s.fails("web_page", s.message(),
				"a login page or a firewall of this network may have answered instead: open "+s.address()+" in a browser")
		}
		return s.fails("unreadable", s.message(), later)
	}
	return s.fails("other", s.message(), "stop other programs that send requests to "+s.Title+", or raise BIOFACT_CALL_TIMEOUT")
}

func (s *examined) fails(problem, finding, remedy string) Check {
	return Check{Name: s.Name, Status: Fail, Problem: problem, Finding: finding, Remedy: remedy}
}

// unreachable returns why the probe got no response.
func (s *examined) unreachable() Check {
	dns, byName := errors.AsType[*net.DNSError](s.err)
	switch {
	case strings.Contains(s.message(), "certificate"):
		return s.fails("certificate", s.message(), "a proxy may inspect the connection: name its authority in SSL_CERT_FILE")
	case s.proxy != nil:
		return s.fails("proxy", s.Title+" cannot be reached through the proxy "+s.proxy.Host,
			"check the proxy (HTTPS_PROXY, HTTP_PROXY), and that it allows this client and this host")
	case byName:
		return s.fails("dns", s.Title+" cannot be reached: the host name "+dns.Name+" is not known",
			"check the network and the name server; behind a proxy set HTTPS_PROXY")
	case errors.Is(s.err, syscall.ECONNREFUSED):
		return s.fails("refused", s.Title+": the connection is refused",
			"check that "+s.address()+" is the right address; a firewall may also refuse connections")
	case s.reached.Load():
		return s.fails("outage", s.Title+" accepts the connection, but does not answer",
			"the fault is at the source: try again later; its status page is "+s.Status)
	case s.result == upstream.ResultTimeout:
		return s.fails("timeout", s.message(),
			"a firewall may drop the packets: set HTTPS_PROXY if a proxy is needed; otherwise its status page is "+s.Status)
	}
	return s.fails("no_network", s.message(), "check the network; behind a proxy set HTTPS_PROXY")
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

func passed(name, finding string) Check { return Check{Name: name, Status: OK, Finding: finding} }
