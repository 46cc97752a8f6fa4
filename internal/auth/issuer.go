package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
)

const (
	// issuerTimeout limits one request to the issuer, for which calls wait.
	issuerTimeout = 5 * time.Second
	// issuerRetry is the time between two attempts at an issuer that is down.
	issuerRetry = 5 * time.Second
	// issuerBody limits the bytes of one answer. Key sets with certificates
	// have about 20 kB.
	issuerBody = 512 << 10
)

// issuer is the authorization server, with the location of its keys and the
// keys.
type issuer struct {
	ctx    context.Context // of the Guard: the result serves all requests
	name   string
	client *http.Client
	log    *slog.Logger

	found   atomic.Pointer[keyfunc.Keyfunc] // nil until discovery succeeded
	turn    chan struct{}                   // held by the request that discovers
	retryAt time.Time                       // time of the next attempt; only for the holder of turn
}

func newIssuer(ctx context.Context, o Options) (*issuer, error) {
	u, err := url.Parse(o.Issuer)
	if err != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.User != nil || !trusted(u) {
		return nil, errors.New("the issuer must be an https URL, or http on loopback, without user, query or fragment")
	}
	base := o.Base
	if base == nil {
		base = http.DefaultTransport
	}
	return &issuer{
		ctx: ctx, name: o.Issuer, log: o.Log, turn: make(chan struct{}, 1),
		client: &http.Client{
			Transport: limitedTransport{base},
			// The issuer must state the final location of metadata and keys.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// trusted reports whether the answers of u are protected against changes on the
// way: https, or http on loopback.
func trusted(u *url.URL) bool {
	return u.Hostname() != "" && (u.Scheme == "https" || u.Scheme == "http" && loopback(u))
}

func loopback(u *url.URL) bool {
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// key returns the key that must have signed t. Its error is unavailable if the
// keys cannot be read now.
func (i *issuer) key(ctx context.Context, t *jwt.Token) (any, error) {
	keys, err := i.keys(ctx)
	if err != nil {
		return nil, err
	}
	return keys.KeyfuncCtx(ctx)(t)
}

// keys returns the keys of the issuer, and fetches its metadata until that
// succeeds. One request does so for all others, and continues when its own
// client has gone.
func (i *issuer) keys(ctx context.Context) (keyfunc.Keyfunc, error) {
	if keys := i.found.Load(); keys != nil {
		return *keys, nil
	}
	select {
	case i.turn <- struct{}{}:
		defer func() { <-i.turn }()
	case <-ctx.Done():
		return nil, unavailable{issuerRetry}
	}
	if keys := i.found.Load(); keys != nil {
		return *keys, nil
	}
	if wait := time.Until(i.retryAt); wait > 0 {
		return nil, unavailable{wait}
	}
	keys, err := i.discover()
	if err != nil {
		i.retryAt = time.Now().Add(issuerRetry)
		i.log.WarnContext(ctx, "the issuer's keys are unavailable", "issuer", i.name, "cause", err)
		return nil, unavailable{issuerRetry}
	}
	i.found.Store(&keys)
	return keys, nil
}

// discover fetches the metadata of the issuer, and then its keys.
func (i *issuer) discover() (keyfunc.Keyfunc, error) {
	at, err := i.keysURL()
	if err != nil {
		return nil, err
	}
	return newKeys(i.ctx, at, i.client, i.log.With("issuer", i.name))
}

// keysURL returns the URL of the keys: by OpenID Connect discovery, or else by
// RFC 8414.
func (i *issuer) keysURL() (string, error) {
	ctx, cancel := context.WithTimeout(i.ctx, issuerTimeout)
	defer cancel()
	u, err := url.Parse(i.name)
	if err != nil {
		return "", err
	}
	origin, path := u.Scheme+"://"+u.Host, strings.TrimSuffix(u.EscapedPath(), "/")
	at, err := i.readMetadata(ctx, origin+path+"/.well-known/openid-configuration")
	if errors.Is(err, errNoMetadata) {
		var second error
		at, second = i.readMetadata(ctx, origin+"/.well-known/oauth-authorization-server"+path)
		if second == nil {
			return at, nil
		}
		err = errors.Join(err, second)
	}
	return at, err
}

var errNoMetadata = errors.New("no metadata")

// readMetadata returns the URL of the keys in the metadata at a URL. Its error
// is errNoMetadata if the URL has no metadata.
func (i *issuer) readMetadata(ctx context.Context, at string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("Accept", "application/json")
	resp, err := i.client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusInternalServerError {
		return "", fmt.Errorf("%s: status %d", at, resp.StatusCode)
	}
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%w at %s: status %d", errNoMetadata, at, resp.StatusCode)
	}
	var m struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&m); err != nil {
		return "", fmt.Errorf("%w at %s: %w", errNoMetadata, at, err)
	}
	if m.Issuer != i.name {
		// Another issuer's keys would verify another issuer's tokens.
		return "", fmt.Errorf("the metadata at %s are those of another issuer, %.100q", at, m.Issuer)
	}
	u, err := url.Parse(m.Keys)
	if err != nil || !trusted(u) || u.Scheme == "http" && !strings.HasPrefix(i.name, "http:") {
		return "", fmt.Errorf("the metadata at %s name no trusted place of keys", at)
	}
	return m.Keys, nil
}

// limitedTransport is a transport whose answers end with an error after
// issuerBody bytes.
type limitedTransport struct {
	next http.RoundTripper
}

func (c limitedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := c.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	resp.Body = http.MaxBytesReader(nil, resp.Body, issuerBody)
	return resp, nil
}
