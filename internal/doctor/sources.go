package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/entrez"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// A source is asked one question, and tells how it went.
type source struct {
	name, key string // as messages call it, and the check
	url       string // of the question, without key and address
	status    string // where people see whether it is in order
	client    interface {
		Do(req *http.Request) (*http.Response, error)
	}
	timeout time.Duration
	// read says what the answer tells.
	read func(body []byte) (string, error)
	// withKey tells that the question goes with an API key.
	withKey bool
	// proxy is what the question goes through; nil: nothing.
	proxy *url.URL

	result   upstream.Result
	date     time.Time // of its clock
	received time.Time // of ours at that moment
	page     bool      // it was a web page
	took     time.Duration
	told     string
	err      error
	reached  atomic.Bool // something is there: the source, a proxy, or what refuses
}

// turns is where all processes that ask the sources take their turns.
func turns(cfg *config.Config) *store.Store {
	return store.New(store.Options{
		Path: cfg.CacheFile(), MaxBytes: cfg.CacheBytes, RedisURL: string(cfg.RedisURL), Replicas: cfg.Replicas, Log: slog.New(slog.DiscardHandler),
	})
}

// sources are those that the tools of the configuration ask, through clients
// with their manners, but for one attempt alone: a doctor tells what is, and
// does not wait for better times.
func (d *Doctor) sources(shared *store.Store) ([]*source, error) {
	registry, ncbi, err := d.Manners(shared)
	if err != nil {
		return nil, err
	}
	cfg := d.Config
	var sources []*source
	add := func(s *source, o upstream.Options) *upstream.Client {
		if network, ok := o.Base.(*http.Transport); ok {
			s.proxy, _ = network.Proxy(s.request(context.Background())) // what is no proxy is not used
		}
		o.Base, o.Tries = &witness{next: o.Base, source: s}, 1
		o.Observe = upstream.Observer{Attempt: func(r upstream.Result, took time.Duration) { s.result, s.took = r, took }}
		s.name, s.status, s.timeout = o.Source, o.Status, cfg.CallTimeout
		sources = append(sources, s)
		return upstream.NewClient(o)
	}
	if slices.Contains(cfg.Toolsets, "trials") {
		s := &source{key: "clinicaltrials.gov", url: strings.TrimSuffix(cfg.CTGovURL, "/") + "/version", read: readVersion}
		s.client = add(s, registry)
	}
	if asksNCBI(cfg) {
		s := &source{
			key: "ncbi", url: strings.TrimSuffix(cfg.EUtilsURL, "/") + "/einfo.fcgi?retmode=json", read: readDatabases, withKey: cfg.NCBIAPIKey != "",
		}
		s.client = &entrez.Identified{Next: add(s, ncbi), Tool: d.NCBITool, Email: cfg.Contact, APIKey: string(cfg.NCBIAPIKey)}
	}
	return sources, nil
}

// request is the question.
func (s *source) request(ctx context.Context) *http.Request {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		panic(err) // the configuration is valid, and so is the URL
	}
	return req
}

// address is the URL of the question as it may be shown.
func (s *source) address() string {
	u := *s.request(context.Background()).URL
	u.User = nil
	return u.String()
}

// ask asks the question.
func (s *source) ask(ctx context.Context) {
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
		s.told, err = s.read(body)
	}
	if err != nil {
		s.err, s.result = err, upstream.ResultUnreadable
	}
}

// A witness notes that a source answered, and what time it told.
type witness struct {
	next   http.RoundTripper
	source *source
}

// RoundTrip makes the exchange.
func (w *witness) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := w.next.RoundTrip(req)
	if err == nil {
		w.source.reached.Store(true)
		w.source.date, w.source.received = upstream.Date(resp), time.Now()
		w.source.page = strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html")
	}
	return resp, err
}

func readVersion(body []byte) (string, error) {
	var v struct {
		API  string `json:"apiVersion"`
		Data string `json:"dataTimestamp"`
	}
	if err := json.Unmarshal(body, &v); err != nil || v.API == "" {
		return "", errors.New("no version in the answer")
	}
	return fmt.Sprintf("API %s, data of %s", v.API, v.Data), nil
}

func readDatabases(body []byte) (string, error) {
	var v struct {
		Info struct {
			Databases []string `json:"dblist"`
		} `json:"einforesult"`
	}
	if err := json.Unmarshal(body, &v); err != nil || len(v.Info.Databases) == 0 {
		return "", errors.New("no databases in the answer")
	}
	return fmt.Sprintf("E-utilities with %d databases", len(v.Info.Databases)), nil
}

// check tells how the question went, and what to do.
func (s *source) check() Check {
	c := Check{Name: s.key, Status: Fail}
	if s.err == nil {
		c.Status = OK
		c.Finding = fmt.Sprintf("answers in %d ms: %s", s.took.Milliseconds(), s.told)
		if s.withKey {
			c.Finding += "; the API key is good"
		}
		return c
	}
	later := "try again later; its state is shown at " + s.status
	switch s.result {
	case upstream.ResultRefused:
		c.Problem = "blocked"
		c.Finding = s.name + " or a filter before it refuses this client or network, which is no outage (" + s.message() + ")"
		c.Remedy = "try BIOFACT_TLS_MAX=1.2, another network, or a proxy (HTTPS_PROXY)"
	case upstream.ResultFailed:
		c.Problem = "outage"
		c.Finding, c.Remedy = s.message(), "the fault is there: "+later
	case upstream.ResultLimited:
		c.Problem = "rate_limited"
		c.Finding, c.Remedy = s.message(), "too many requests came from this address or with this key: wait a minute, and see what else asks"
	case upstream.ResultInvalid:
		s.refused(&c)
	case upstream.ResultUnreachable, upstream.ResultTimeout:
		s.unreachable(&c)
	case upstream.ResultUnreadable:
		c.Problem, c.Finding, c.Remedy = "unreadable", s.message(), later
		if s.page {
			c.Problem, c.Remedy = "web_page", "a login page or a filter of this network may answer in its place: open "+s.address()+" in a browser"
		}
	default:
		c.Problem, c.Finding, c.Remedy = "other", s.message(), "stop what else asks "+s.name+", or raise BIOFACT_CALL_TIMEOUT"
	}
	return c
}

// refused tells of a source that finds the question wrong: it never is, but the
// key that goes with it may be.
func (s *source) refused(c *Check) {
	c.Finding = s.message()
	if _, question := errors.AsType[*entrez.Refusal](s.err); s.withKey && !question {
		c.Problem, c.Remedy = "api_key", "correct NCBI_API_KEY or remove it; keys are in the account settings at NCBI"
		return
	}
	c.Problem, c.Remedy = "unreadable", "is "+s.address()+" the right address?"
}

// unreachable tells why no exchange came about.
func (s *source) unreachable(c *Check) {
	c.Finding = s.message()
	dns, byName := errors.AsType[*net.DNSError](s.err)
	switch {
	case strings.Contains(c.Finding, "certificate"):
		c.Problem = "certificate"
		c.Remedy = "a proxy may inspect the connection: name its authority in SSL_CERT_FILE"
	case s.proxy != nil:
		c.Problem, c.Finding = "proxy", s.name+" is not reached through the proxy "+s.proxy.Host
		c.Remedy = "is it the right one (HTTPS_PROXY, HTTP_PROXY), and does it let this client and this host through?"
	case byName:
		c.Problem, c.Finding = "dns", s.name+" is not found by name ("+dns.Name+")"
		c.Remedy = "is there a network, and a name server? Behind a proxy set HTTPS_PROXY"
	case errors.Is(s.err, syscall.ECONNREFUSED):
		c.Problem, c.Finding = "refused", s.name+" is there, but refuses the connection"
		c.Remedy = "is " + s.address() + " the right address? A firewall may refuse it, too"
	case s.reached.Load():
		c.Problem, c.Finding = "outage", s.name+" takes the connection, but does not answer"
		c.Remedy = "the fault is there: try again later; its state is shown at " + s.status
	case s.result == upstream.ResultTimeout:
		c.Problem, c.Remedy = "timeout", "a firewall may drop what is sent: is a proxy needed (HTTPS_PROXY)? Else its state is shown at "+s.status
	default:
		c.Problem, c.Remedy = "no_network", "is there a network? Behind a proxy set HTTPS_PROXY"
	}
}

// offline tells that the question did not get anywhere.
func (s *source) offline() bool {
	asked := s.result == upstream.ResultUnreachable || s.result == upstream.ResultTimeout
	return asked && !s.reached.Load()
}

// message is what the client says, as a part of a sentence.
func (s *source) message() string {
	text := s.err.Error()
	if e, ok := errors.AsType[*entity.Error](s.err); ok {
		text = e.Message
	}
	return strings.TrimSuffix(text, ".")
}
