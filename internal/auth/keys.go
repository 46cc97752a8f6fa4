package auth

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/MicahParks/keyfunc/v3"
	"golang.org/x/time/rate"
)

const (
	// keysAge is how long a key stays valid after the issuer withdrew it.
	keysAge = 15 * time.Minute
	// keysInterval is the minimum time between two requests for the keys that
	// tokens with an unknown key cause: any client can invent a key name.
	keysInterval = 10 * time.Second
)

// newKeys reads the key set at a URL, again every keysAge and when a token
// names an unknown key, until ctx ends. After an error no goroutine is left.
func newKeys(ctx context.Context, at string, client *http.Client, log *slog.Logger) (keys keyfunc.Keyfunc, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer func() {
		if err != nil {
			stop()
		}
	}()
	validate := jwkset.JWKValidateOptions{SkipUse: true, SkipKeyOps: true}
	readable := *client
	readable.Transport = readableKeys{next: client.Transport, validate: validate, log: log}
	known := &usableKeys{MemoryJWKSet: jwkset.NewMemoryStorage(), log: log}
	remote, err := jwkset.NewStorageFromHTTP(at, jwkset.HTTPClientStorageOptions{
		Client: &readable, Ctx: ctx, HTTPTimeout: issuerTimeout, RefreshInterval: keysAge, Storage: known,
		RefreshErrorHandler: func(_ context.Context, err error) {
			if ctx.Err() == nil {
				known.failing.Store(true)
				log.WarnContext(ctx, "the issuer's keys cannot be read again; the known keys stay valid", "cause", err)
			}
		},
		// usableKeys ignores a key of a type that this package does not
		// support; the other keys stay valid.
		ValidateOptions: validate,
	})
	if err != nil {
		return nil, fmt.Errorf("read the keys: %w", err)
	}
	limit := rate.NewLimiter(rate.Every(keysInterval), 1)
	fetching, err := jwkset.NewHTTPClient(jwkset.HTTPClientOptions{
		HTTPURLs: map[string]jwkset.Storage{at: remote}, RefreshUnknownKID: limit, RateLimitWaitMax: issuerTimeout,
	})
	if err != nil {
		return nil, err
	}
	return keyfunc.New(keyfunc.Options{
		Ctx: ctx, Storage: &rotatingKeys{usableKeys: known, ctx: ctx, fetching: fetching, limit: limit, turn: make(chan struct{}, 1)},
	})
}

// readableKeys is a transport for key sets that removes each key that cannot be
// read: the library would reject the whole set for one.
type readableKeys struct {
	next     http.RoundTripper
	validate jwkset.JWKValidateOptions
	log      *slog.Logger
}

// RoundTrip implements http.RoundTripper.
func (t readableKeys) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	// A text that is not a key set is passed to the library, which has an error
	// for it.
	if json.Unmarshal(body, &set) == nil {
		var last error
		all := len(set.Keys)
		set.Keys = slices.DeleteFunc(set.Keys, func(raw json.RawMessage) bool {
			_, err := jwkset.NewJWKFromRawJSON(raw, jwkset.JWKMarshalOptions{Private: true}, t.validate)
			if err != nil {
				last = err
			}
			return err != nil
		})
		if bad := all - len(set.Keys); bad > 0 {
			t.log.WarnContext(req.Context(), "keys of the issuer cannot be read and are ignored", "keys", bad, "cause", last)
		}
		if body, err = json.Marshal(set); err != nil {
			return nil, err
		}
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// usableKeys keeps the keys of a set that can verify a token here: public keys
// for RS256 and ES256. It must remove symmetric keys, with which every reader
// of the set could sign, and private keys, which are not secret in a public
// set.
type usableKeys struct {
	*jwkset.MemoryJWKSet
	log     *slog.Logger
	failing atomic.Bool // the last reading of the set failed
}

// KeyReplaceAll stores a set that has been read.
func (u *usableKeys) KeyReplaceAll(ctx context.Context, set []jwkset.JWK) error {
	u.failing.Store(false)
	all := len(set)
	set = slices.DeleteFunc(set, func(k jwkset.JWK) bool { return !verifies(k) })
	if len(set) == 0 {
		u.log.WarnContext(ctx, "the issuer has no key for RS256 or ES256: no token is valid", "keys", all)
	}
	return u.MemoryJWKSet.KeyReplaceAll(ctx, set)
}

// verifies reports whether k is a key for RS256 or ES256 and for nothing else.
func verifies(k jwkset.JWK) bool {
	m := k.Marshal()
	if m.USE != "" && m.USE != jwkset.UseSig {
		return false
	}
	if len(m.KEYOPS) > 0 && !slices.Contains(m.KEYOPS, jwkset.KeyOpsVerify) {
		return false
	}
	switch key := k.Key().(type) {
	case *rsa.PublicKey:
		// RFC 7518, section 3.3, requires 2048 bits; much longer keys are slow to verify.
		bits := key.N.BitLen()
		return bits >= 2048 && bits <= 8192 && (m.ALG == "" || m.ALG == jwkset.AlgRS256)
	case *ecdsa.PublicKey:
		return key.Curve == elliptic.P256() && (m.ALG == "" || m.ALG == jwkset.AlgES256)
	}
	return false
}

// rotatingKeys asks the issuer for unknown keys.
type rotatingKeys struct {
	*usableKeys
	ctx      context.Context // of the Guard: a client that goes away does not stop the reading
	fetching jwkset.Storage
	limit    *rate.Limiter
	turn     chan struct{} // held by the request that asks
}

// KeyRead returns the key of a name. All requests with a new key wait for the
// same reading of the set. It is not read again within keysInterval.
func (r *rotatingKeys) KeyRead(ctx context.Context, name string) (jwkset.JWK, error) {
	if k, err := r.usableKeys.KeyRead(ctx, name); err == nil {
		return k, nil
	}
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return jwkset.JWK{}, unavailable{keysInterval}
	}
	k, err := r.usableKeys.KeyRead(ctx, name)
	if err != nil && r.limit.Tokens() >= 1 {
		k, err = r.fetching.KeyRead(r.ctx, name)
	}
	if err != nil && r.failing.Load() {
		return jwkset.JWK{}, unavailable{keysInterval}
	}
	return k, err
}
