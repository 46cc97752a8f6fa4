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
)

const (
	// issuerTimeout limits the search for the keys, and each reading of them. Calls wait for both.
	issuerTimeout = 5 * time.Second
	// issuerRetry is the time between two attempts at an issuer that is down.
	issuerRetry = 5 * time.Second
	// issuerBody limits the bytes of one answer. Key sets with certificates have about 20 kB.
	issuerBody = 512 << 10
)

// issuer is the authorization server and its keys.
type issuer struct {
	ctx    context.Context // of the Guard: the keys that one request reads serve all, also after its client has gone
	name   string
	client *http.Client
	log    *slog.Logger

	known atomic.Pointer[keySet] // nil until the first reading

	turn    chan struct{} // held by the request that reads keys; it guards the fields below
	retryAt time.Time     // time of the next reading that a request may cause
	failing bool          // the last reading failed
}

func newIssuer(ctx context.Context, o Options) (*issuer, error) {
	u, err := url.Parse(o.Issuer)
	if err != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.User != nil || !trusted(u) {
		return nil, errors.New("the issuer must be an https URL, or http on loopback, without user, query or fragment")
	}
	return &issuer{
		ctx: ctx, name: o.Issuer, log: o.Log.With("issuer", o.Issuer), turn: make(chan struct{}, 1),
		client: &http.Client{
			Transport: o.Base,
			// The issuer must state the final location of metadata and keys.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// trusted reports whether the answers of u are protected against changes on the way: https, or http on loopback.
func trusted(u *url.URL) bool {
	return u.Hostname() != "" && (u.Scheme == "https" || u.Scheme == "http" && loopback(u))
}

func loopback(u *url.URL) bool {
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// take waits for the turn to read keys. It reports false if the client of a request goes away first.
func (i *issuer) take(ctx context.Context) bool {
	select {
	case i.turn <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// keys returns the keys of the issuer, and finds them until that succeeds. One request does so for all others.
func (i *issuer) keys(ctx context.Context) (*keySet, error) {
	if set := i.known.Load(); set != nil {
		return set, nil
	}
	if !i.take(ctx) {
		return nil, unavailable{issuerRetry}
	}
	defer func() { <-i.turn }()
	if set := i.known.Load(); set != nil {
		return set, nil
	}
	if wait := time.Until(i.retryAt); wait > 0 {
		return nil, unavailable{wait}
	}
	set, err := i.discover()
	if err != nil {
		i.retryAt = time.Now().Add(issuerRetry)
		i.log.WarnContext(ctx, "the issuer's keys are unavailable", "cause", err)
		return nil, unavailable{issuerRetry}
	}
	i.known.Store(set)
	go i.refresh()
	return set, nil
}

// discover finds the keys by the metadata of the issuer, of OpenID Connect or else of RFC 8414, and reads them.
func (i *issuer) discover() (*keySet, error) {
	ctx, cancel := context.WithTimeout(i.ctx, issuerTimeout)
	defer cancel()
	u, err := url.Parse(i.name)
	if err != nil {
		return nil, err
	}
	origin, path := u.Scheme+"://"+u.Host, strings.TrimSuffix(u.EscapedPath(), "/")
	at, err := i.readMetadata(ctx, origin+path+"/.well-known/openid-configuration")
	if errors.Is(err, errAbsent) {
		var second error
		if at, second = i.readMetadata(ctx, origin+"/.well-known/oauth-authorization-server"+path); second == nil {
			err = nil
		} else {
			err = errors.Join(err, second)
		}
	}
	if err != nil {
		return nil, err
	}
	return i.readKeys(at)
}

// readMetadata returns the URL of the keys in the metadata at a URL. Its error is errAbsent if the URL has no metadata.
func (i *issuer) readMetadata(ctx context.Context, at string) (string, error) {
	var m struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	if err := i.get(ctx, at, &m); err != nil {
		return "", err
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

// errAbsent is the error for an address that answers, but not with a document.
var errAbsent = errors.New("no metadata or keys")

// get decodes the JSON document at a URL.
func (i *issuer) get(ctx context.Context, at string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json, application/jwk-set+json")
	resp, err := i.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode >= http.StatusInternalServerError:
		return fmt.Errorf("%s: status %d", at, resp.StatusCode)
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("%w at %s: status %d", errAbsent, at, resp.StatusCode)
	}
	if err := json.NewDecoder(http.MaxBytesReader(nil, resp.Body, issuerBody)).Decode(into); err != nil {
		return fmt.Errorf("%w at %s: decode: %w", errAbsent, at, err)
	}
	return nil
}
