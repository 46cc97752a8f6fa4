package auth_test

import (
	"context"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/auth"
	"github.com/biofact-mcp/biofact/internal/expect"
)

const metadataURL = "https://facts.example.org/.well-known/oauth-protected-resource/mcp"

var both = []string{"trials", "genes"}

func rs256(t testing.TB, c jwt.Claims, header ...any) string {
	t.Helper()
	return "Bearer " + sign(t, jwt.SigningMethodRS256, rsaKey(), c, header...)
}

func es256(t testing.TB, c jwt.Claims, header ...any) string {
	t.Helper()
	return "Bearer " + sign(t, jwt.SigningMethodES256, p256(), c, header...)
}

// wantUnavailable checks that a request got 503 and a Retry-After.
func wantUnavailable(t *testing.T, a answer, after string) {
	t.Helper()
	if a.passed || a.Code != http.StatusServiceUnavailable || a.Header().Get("Retry-After") != after ||
		a.Header().Get("WWW-Authenticate") != "" {
		t.Errorf("status %d, header %v, body %s; want 503, again after %s s", a.Code, a.Header(), a.Body, after)
	}
	expect.Is(t, a.Body.String(), `{"error":"temporarily_unavailable","error_description":"the issuer's keys are unavailable"}`+"\n",
		"body")
}

func TestIssuerPasses(t *testing.T) {
	t.Parallel()
	i := newIssuer(jwk("r", rsaKey().Public(), "alg", "RS256"), jwk("e", p256().Public()))
	g := guard(t, withIssuer(i))
	for name, token := range map[string]string{
		"RS256":              rs256(t, claims(), "kid", "r"),
		"ES256":              es256(t, claims(), "kid", "e"),
		"without kid":        es256(t, claims()),
		"audiences":          rs256(t, claims("aud", []string{"x", audience}), "kid", "r"),
		"typ of RFC 9068":    rs256(t, claims(), "kid", "r", "typ", "at+jwt"),
		"foreign URLs":       rs256(t, claims(), "kid", "r", "jku", "https://evil.example.org/keys", "x5u", "https://evil.example.org/x"),
		"foreign key inside": rs256(t, claims(), "kid", "r", "jwk", jwk("r", otherRSA().Public())),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			passes(t, ask(g, token), "ada", both...)
		})
	}
}

func TestIssuerRefusals(t *testing.T) {
	t.Parallel()
	// The set has keys for all refused cases, under separate names.
	i := newIssuer(
		jwk("r", rsaKey().Public()), jwk("e", p256().Public()), jwk("e384", p384().Public()), jwk("ed", ed().Public()),
		jwk("oct", secret), jwk("oct-hs", secret, "alg", "HS256"),
		jwk("enc", otherRSA().Public(), "use", "enc"), jwk("odd", otherRSA().Public(), "use", "tls"),
		jwk("ps", otherRSA().Public(), "alg", "PS256"),
		map[string]any{"kid": "new", "kty": "AKP", "use": "sig"},
	)
	g := guard(t, withIssuer(i))
	t.Cleanup(func() {
		for _, path := range i.paths {
			expect.That(t, path == "/keys" || path == "/realm/.well-known/openid-configuration", "a token led to %s", path)
		}
	})
	spki := must(x509.MarshalPKIXPublicKey(rsaKey().Public()))
	pemKey := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: spki})
	n := rsaKey().N.Bytes()
	bearer := func(m jwt.SigningMethod, key any, header ...any) string {
		return "Bearer " + sign(t, m, key, claims(), header...)
	}
	foreign := jwk("r", otherRSA().Public())
	for _, test := range []struct{ name, class, token string }{
		{"PS256", "algorithm", bearer(jwt.SigningMethodPS256, rsaKey(), "kid", "r")},
		{"RS384", "algorithm", bearer(jwt.SigningMethodRS384, rsaKey(), "kid", "r")},
		{"RS512", "algorithm", bearer(jwt.SigningMethodRS512, rsaKey(), "kid", "r")},
		{"ES384", "algorithm", bearer(jwt.SigningMethodES384, p384(), "kid", "e384")},
		{"EdDSA", "algorithm", bearer(jwt.SigningMethodEdDSA, ed(), "kid", "ed")},
		{"none", "algorithm", bearer(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, "kid", "r")},
		{"HS256 by a key of the set", "algorithm", bearer(jwt.SigningMethodHS256, secret, "kid", "oct")},
		{"HS256 by a key of the set, no kid", "algorithm", bearer(jwt.SigningMethodHS256, secret)},
		{"HS256 by the public key, PEM", "algorithm", bearer(jwt.SigningMethodHS256, pemKey, "kid", "r")},
		{"HS256 by the public key, DER", "algorithm", bearer(jwt.SigningMethodHS256, spki, "kid", "r")},
		{"HS256 by the public key, modulus", "algorithm", bearer(jwt.SigningMethodHS256, n, "kid", "r")},

		{"other key", "signature", bearer(jwt.SigningMethodRS256, otherRSA(), "kid", "r")},
		{"other key, no kid", "signature", bearer(jwt.SigningMethodRS256, otherRSA())},
		{"key of another kind", "signature", bearer(jwt.SigningMethodRS256, rsaKey(), "kid", "e")},
		{"unknown kid", "signature", bearer(jwt.SigningMethodRS256, rsaKey(), "kid", "x")},
		{"kid a number", "signature", bearer(jwt.SigningMethodRS256, rsaKey(), "kid", 7)},
		{"kid a path", "signature", bearer(jwt.SigningMethodRS256, rsaKey(), "kid", "../../dev/null")},
		{"name of a symmetric key", "signature", bearer(jwt.SigningMethodRS256, rsaKey(), "kid", "oct")},
		{"key for encryption", "signature", bearer(jwt.SigningMethodRS256, otherRSA(), "kid", "enc")},
		{"key for something else", "signature", bearer(jwt.SigningMethodRS256, otherRSA(), "kid", "odd")},
		{"key for PS256", "signature", bearer(jwt.SigningMethodRS256, otherRSA(), "kid", "ps")},
		{"key inside", "signature", bearer(jwt.SigningMethodRS256, otherRSA(), "kid", "r", "jwk", foreign)},
		{"key inside, no kid", "signature", bearer(jwt.SigningMethodRS256, otherRSA(), "jwk", foreign)},
		{"URL of keys", "signature", bearer(jwt.SigningMethodRS256, otherRSA(), "kid", "r", "jku", "https://evil.example.org/keys")},
		{"URL of certificates", "signature",
			bearer(jwt.SigningMethodRS256, otherRSA(), "x5u", "https://evil.example.org/x", "x5c", []string{"x"})},

		{"crit", "malformed", bearer(jwt.SigningMethodRS256, rsaKey(), "kid", "r", "crit", []string{"exp"})},
		{"expired", "expired", rs256(t, claims("exp", 1), "kid", "r")},
		{"no expiry", "no expiry", rs256(t, claims("exp", nil), "kid", "r")},
		{"not yet valid", "not yet valid", rs256(t, claims("nbf", time.Now().Add(time.Minute).Unix()), "kid", "r")},
		{"other issuer", "issuer", rs256(t, claims("iss", "https://other.example.org"), "kid", "r")},
		{"issuer with a slash more", "issuer", rs256(t, claims("iss", name+"/"), "kid", "r")},
		{"no issuer", "issuer", rs256(t, claims("iss", nil), "kid", "r")},
		{"issuer no text", "malformed", rs256(t, claims("iss", []string{name}), "kid", "r")},
		{"other audience", "audience", rs256(t, claims("aud", "x"), "kid", "r")},
		{"other audiences", "audience", rs256(t, claims("aud", []string{"x", "y"}), "kid", "r")},
		{"no audience", "audience", rs256(t, claims("aud", nil), "kid", "r")},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			refusedAs(t, ask(g, test.token), test.class, metadataURL)
		})
	}
}

// A token of an issuer without a scope claim grants nothing.
func TestIssuerWithoutScope(t *testing.T) {
	t.Parallel()
	g := guard(t, withIssuer(newIssuer(jwk("r", rsaKey().Public()))))
	a := ask(g, rs256(t, claims("scope", nil), "kid", "r"))
	want := `Bearer realm="biofact", error="insufficient_scope", error_description="no scope of this server", ` +
		`scope="trials:read genes:read articles:read", resource_metadata="` + metadataURL + `"`
	if got := a.Header().Get("WWW-Authenticate"); a.Code != http.StatusForbidden || a.passed || got != want {
		t.Errorf("status %d, challenge\n%s, want 403 with\n%s", a.Code, got, want)
	}
}

// TestUnreadableKeys: a key that cannot be read does not affect the other keys
// of the set.
func TestUnreadableKeys(t *testing.T) {
	t.Parallel()
	good, rest := jwk("r", rsaKey().Public()), `"kid":"bad","use":"sig"`
	first, err := json.Marshal(good)
	expect.NoError(t, err)
	for _, bad := range []string{
		`{}`, `null`, `"text"`, `5`, `[]`, `{"kty":5}`, `{"kty":"RSA",` + rest + `}`, `{"kty":"RSA","n":"%%%","e":"AQAB",` + rest + `}`,
		`{"kty":"EC","crv":"P-256","x":"AA","y":"AA",` + rest + `}`, `{"kty":"EC","crv":"P-1","x":"AA","y":"AA",` + rest + `}`,
		`{"kty":"RSA","n":"AQAB","e":"AQAB","x5c":["no certificate"],` + rest + `}`, `{"kty":"oct","k":5}`,
		`{"kty":"OKP","crv":"Ed25519","x":"AA"}`,
	} {
		i := newIssuer()
		requested := 0
		i.fault = func(w http.ResponseWriter) bool {
			if requested++; requested == 1 {
				return false // the metadata
			}
			_, _ = io.WriteString(w, `{"keys":[`+bad+`,`+string(first)+`]}`)
			return true
		}
		var l log
		o := withIssuer(i)
		o.Log = l.logger()
		answer := ask(guard(t, o), rs256(t, claims(), "kid", "r"))
		expect.That(t, answer.Code == http.StatusOK, "beside %s a good key is answered with %d %s", bad, answer.Code, answer.Body)
		expect.That(t, strings.Contains(l.String(), "cannot be read and are ignored"), "%s: log %s", bad, l.String())
	}
}

// TestUnfitKeys: private keys, and keys that are unfit for RS256 and ES256,
// verify nothing.
func TestUnfitKeys(t *testing.T) {
	t.Parallel()
	key := rsaKey()
	private := jwk("r", key.Public())
	for f, v := range map[string][]byte{
		"d": key.D.Bytes(), "p": key.Primes[0].Bytes(), "q": key.Primes[1].Bytes(),
		"dp": key.Precomputed.Dp.Bytes(), "dq": key.Precomputed.Dq.Bytes(), "qi": key.Precomputed.Qinv.Bytes(),
	} {
		private[f] = b64(v)
	}
	for name, set := range map[string][]map[string]any{
		"private":           {private},
		"for signing alone": {func() map[string]any { k := jwk("r", key.Public()); k["key_ops"] = []string{"sign"}; return k }()},
		"too short":         {jwk("r", &rsa.PublicKey{N: new(big.Int).Rsh(key.N, 1), E: key.E})},
		"too long":          {jwk("r", &rsa.PublicKey{N: new(big.Int).Lsh(key.N, 8192), E: key.E})},
		"of another curve":  {jwk("r", p384().Public())},
		"none":              {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var l log
			o := withIssuer(newIssuer(set...))
			o.Log = l.logger()
			g := guard(t, o)
			refusedAs(t, ask(g, rs256(t, claims(), "kid", "r")), "signature", metadataURL)
			refusedAs(t, ask(g, rs256(t, claims())), "signature", metadataURL)
			expect.That(t, strings.Contains(l.String(), "no key for RS256 or ES256"), "log %s", l.String())
		})
	}
}

// The first token that needs a key fetches the keys. Neither the start nor a
// token that can be refused without keys does.
func TestLazy(t *testing.T) {
	t.Parallel()
	i := newIssuer(jwk("r", rsaKey().Public()))
	i.err = errors.New("no network")
	g := guard(t, withIssuer(i))
	refusedAs(t, ask(g), "missing", metadataURL)
	refusedAs(t, ask(g, "Bearer x"), "malformed", metadataURL)
	refusedAs(t, ask(g, "Bearer "+strings.Repeat("x", 8<<10+1)), "too large", metadataURL)
	refusedAs(t, ask(g, "Bearer "+hs256(t, claims())), "algorithm", metadataURL)
	expect.That(t, len(i.paths) == 0, "asked %v", i.paths)
}

func TestIssuerDownThenUp(t *testing.T) {
	t.Parallel()
	metadata := "/realm/.well-known/openid-configuration"
	synctest.Test(t, func(t *testing.T) {
		i := newIssuer(jwk("r", rsaKey().Public()))
		i.err = errors.New("connection refused")
		var l log
		o := withIssuer(i)
		o.Log = l.logger()
		g := guard(t, o)
		token := rs256(t, claims(), "kid", "r")
		for range 10 {
			wantUnavailable(t, ask(g, token), "5")
		}
		if n := i.requests(metadata); n != 1 {
			t.Errorf("%d requests, want 1 at a time", n)
		}
		time.Sleep(3500 * time.Millisecond)
		wantUnavailable(t, ask(g, token), "2")
		i.change(func(i *issuer) { i.err = nil })
		wantUnavailable(t, ask(g, token), "2")
		time.Sleep(1500 * time.Millisecond)
		passes(t, ask(g, token), "ada", both...)
		for range 10 {
			passes(t, ask(g, token), "ada", both...)
		}
		if m, k := i.requests(metadata), i.requests("/keys"); m != 2 || k != 1 {
			t.Errorf("%d requests for metadata, %d for keys, want 2 and 1", m, k)
		}
		if n := strings.Count(l.String(), "the issuer's keys are unavailable\",\"issuer\":\""+name+"\",\"cause\""); n != 1 {
			t.Errorf("%d warnings, want 1:\n%s", n, l.String())
		}
	})
}

// With any fault of the issuer, requests get 503 without details.
func TestIssuerFaults(t *testing.T) {
	t.Parallel()
	text := func(s string) func(http.ResponseWriter) bool {
		return func(w http.ResponseWriter) bool { _, _ = io.WriteString(w, s); return true }
	}
	keys := func(f func(w http.ResponseWriter)) func(i *issuer) {
		return func(i *issuer) {
			first := true
			i.fault = func(w http.ResponseWriter) bool {
				if first {
					first = false
					return false
				}
				f(w)
				return true
			}
		}
	}
	metadata := func(doc string) func(i *issuer) {
		return func(i *issuer) { i.metadata["/realm/.well-known/openid-configuration"] = doc }
	}
	for _, test := range []struct {
		name, log string
		change    func(*issuer)
	}{
		{"500", "status 500", func(i *issuer) {
			i.fault = func(w http.ResponseWriter) bool { w.WriteHeader(http.StatusInternalServerError); return true }
		}},
		{"nothing there", "no metadata", func(i *issuer) { i.metadata = nil }},
		{"a web page", "no metadata", func(i *issuer) { i.fault = text("<!DOCTYPE html>") }},
		{"redirect", "status 302", func(i *issuer) {
			i.fault = func(w http.ResponseWriter) bool {
				w.Header().Set("Location", "https://evil.example.org/")
				w.WriteHeader(http.StatusFound)
				return true
			}
		}},
		{"huge metadata", "too large", func(i *issuer) { i.fault = text(`{"issuer":"` + strings.Repeat("x", 1<<20)) }},
		{"other issuer", "another issuer", metadata(`{"issuer":"https://evil.example.org","jwks_uri":"https://issuer.example.org/keys"}`)},
		{"slash more", "another issuer", metadata(`{"issuer":"` + name + `/","jwks_uri":"https://issuer.example.org/keys"}`)},
		{"no issuer", "another issuer", metadata(`{"jwks_uri":"https://issuer.example.org/keys"}`)},
		{"no keys", "no trusted place", metadata(`{"issuer":"` + name + `"}`)},
		{"keys without TLS", "no trusted place", metadata(`{"issuer":"` + name + `","jwks_uri":"http://issuer.example.org/keys"}`)},
		{"keys on loopback", "no trusted place", metadata(`{"issuer":"` + name + `","jwks_uri":"http://127.0.0.1/keys"}`)},
		{"keys in a file", "no trusted place", metadata(`{"issuer":"` + name + `","jwks_uri":"file:///etc/passwd"}`)},
		{"keys: 404", "404", keys(func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) })},
		{"keys: no JSON", "decode", keys(func(w http.ResponseWriter) { _, _ = io.WriteString(w, "hello") })},
		{"keys: oversized", "too large", keys(func(w http.ResponseWriter) {
			_ = json.NewEncoder(w).Encode(map[string]any{"fill": strings.Repeat("x", 1<<20), "keys": []any{jwk("r", rsaKey().Public())}})
		})},
		{"keys: endless", "too large",
			keys(func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"keys":[`+strings.Repeat(`{},`, 1<<18)) })},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				i := newIssuer(jwk("r", rsaKey().Public()))
				document := i.metadata["/realm/.well-known/openid-configuration"]
				test.change(i)
				var l log
				o := withIssuer(i)
				o.Log = l.logger()
				g := guard(t, o)
				token := rs256(t, claims(), "kid", "r")
				wantUnavailable(t, ask(g, token), "5")
				expect.That(t, strings.Contains(l.String(), test.log), "the log does not say %s:\n%s", test.log, l.String())
				requests := len(i.paths)
				time.Sleep(20 * time.Minute)
				expect.That(t, len(i.paths) <= requests, "asked on, for no request: %v", i.paths)
				i.change(func(i *issuer) {
					i.fault, i.metadata = nil, map[string]string{"/realm/.well-known/openid-configuration": document}
				})
				passes(t, ask(g, token), "ada", both...)
			})
		})
	}
}

// RFC 8414 has another path for the metadata.
func TestMetadataOfRFC8414(t *testing.T) {
	t.Parallel()
	i := newIssuer(jwk("r", rsaKey().Public()))
	i.at("/.well-known/oauth-authorization-server/realm", name)
	passes(t, ask(guard(t, withIssuer(i)), rs256(t, claims(), "kid", "r")), "ada", both...)

	i = newIssuer(jwk("r", rsaKey().Public()))
	i.at("/.well-known/oauth-authorization-server/realm", "https://other.example.org")
	wantUnavailable(t, ask(guard(t, withIssuer(i)), rs256(t, claims(), "kid", "r")), "5")
}

// A slow issuer delays requests by 5 seconds at most, and a client that has
// gone does not matter.
func TestSlowIssuer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		i := newIssuer(jwk("r", rsaKey().Public()))
		i.hold = make(chan struct{})
		g := guard(t, withIssuer(i))
		token := rs256(t, claims(), "kid", "r")
		start := time.Now()
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() { wantUnavailable(t, ask(g, token), "5") })
		}
		synctest.Wait() // one of these fetches for all
		gone, cancel := context.WithCancel(t.Context())
		waiting := make(chan struct{})
		go func() {
			defer close(waiting)
			r := httptest.NewRequestWithContext(gone, http.MethodPost, "/mcp", nil)
			r.Header.Set("Authorization", token)
			send(g, r)
		}()
		synctest.Wait()
		cancel()
		<-waiting
		expect.Is(t, time.Since(start), 0, "a client that is gone was waited for")
		wg.Wait()
		expect.Is(t, time.Since(start), 5*time.Second, "held for")
		i.change(func(i *issuer) { i.hold = nil })
		time.Sleep(5 * time.Second)
		r := httptest.NewRequestWithContext(gone, http.MethodPost, "/mcp", nil)
		r.Header.Set("Authorization", token)
		send(g, r)
		passes(t, ask(g, token), "ada", both...)
	})
}

func TestRotation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first, second := jwk("1", rsaKey().Public()), jwk("2", p256().Public())
		i := newIssuer(first)
		g := guard(t, withIssuer(i))
		old, renewed := rs256(t, claims("exp", time.Now().Add(24*time.Hour).Unix()), "kid", "1"),
			es256(t, claims("exp", time.Now().Add(24*time.Hour).Unix()), "kid", "2")
		passes(t, ask(g, old), "ada", both...)

		// A new key is valid from its first token, which many clients send at
		// once.
		i.publish(first, second)
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() { passes(t, ask(g, renewed), "ada", both...) })
		}
		wg.Wait()
		passes(t, ask(g, old), "ada", both...)
		expect.Equal(t, "requests for keys", 2, i.requests("/keys"))

		// A withdrawn key is valid for a quarter of an hour.
		i.publish(second)
		time.Sleep(14 * time.Minute)
		passes(t, ask(g, old), "ada", both...)
		time.Sleep(time.Minute)
		synctest.Wait()
		passes(t, ask(g, renewed), "ada", both...)
		refusedAs(t, ask(g, old), "signature", metadataURL)

		// The same name may return with another key.
		i.publish(jwk("2", rsaKey().Public()))
		time.Sleep(15 * time.Minute)
		synctest.Wait()
		refusedAs(t, ask(g, renewed), "signature", metadataURL)
		passes(t, ask(g, rs256(t, claims(), "kid", "2")), "ada", both...)
	})
}

// Invented names of keys cause one request in 10 seconds.
func TestUnknownKeys(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		i := newIssuer(jwk("1", rsaKey().Public()))
		g := guard(t, withIssuer(i))
		known := rs256(t, claims(), "kid", "1")
		passes(t, ask(g, known), "ada", both...)
		for round := range 3 {
			var wg sync.WaitGroup
			for n := range 50 {
				wg.Go(func() {
					refusedAs(t, ask(g, rs256(t, claims(), "kid", fmt.Sprint("x", n))), "signature", metadataURL)
				})
			}
			wg.Wait()
			passes(t, ask(g, known), "ada", both...)
			expect.Equal(t, fmt.Sprintf("round %d: requests for keys", round), 2+round, i.requests("/keys"))
			// Nor does a token with an invented name wait for the next request.
			time.Sleep(6 * time.Second)
			before := time.Now()
			refusedAs(t, ask(g, rs256(t, claims(), "kid", "y")), "signature", metadataURL)
			expect.Is(t, time.Since(before), 0, "held for")
			time.Sleep(4 * time.Second)
		}
	})
}

// The client whose token has a new key goes away: the key is read anyway.
func TestClientGoneDuringKeyRefresh(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		i := newIssuer(jwk("1", rsaKey().Public()))
		g := guard(t, withIssuer(i))
		passes(t, ask(g, rs256(t, claims(), "kid", "1")), "ada", both...)
		token, hold := es256(t, claims(), "kid", "2"), make(chan struct{})
		i.change(func(i *issuer) { i.hold = hold; i.keys = append(i.keys, jwk("2", p256().Public())) })
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/mcp", nil)
			r.Header.Set("Authorization", token)
			send(g, r)
		}()
		synctest.Wait()
		cancel()
		synctest.Wait()
		close(hold)
		synctest.Wait()
		passes(t, ask(g, token), "ada", both...)
		expect.Equal(t, "requests for keys", 2, i.requests("/keys"))
	})
}

// While the keys cannot be read again, the known ones stay valid, and other
// keys cannot be checked.
func TestIssuerLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		i := newIssuer(jwk("1", rsaKey().Public()))
		var l log
		o := withIssuer(i)
		o.Log = l.logger()
		g := guard(t, o)
		exp := time.Now().Add(24 * time.Hour).Unix()
		old, renewed := rs256(t, claims("exp", exp), "kid", "1"), es256(t, claims("exp", exp), "kid", "2")
		passes(t, ask(g, old), "ada", both...)
		i.change(func(i *issuer) { i.err = errors.New("connection refused") })
		time.Sleep(16 * time.Minute)
		synctest.Wait()
		passes(t, ask(g, old), "ada", both...)
		wantUnavailable(t, ask(g, renewed), "10")
		wantUnavailable(t, ask(g, renewed), "10")
		expect.That(t, strings.Contains(l.String(), "cannot be read again"), "log %s", l.String())
		i.change(func(i *issuer) { i.err = nil; i.keys = append(i.keys, jwk("2", p256().Public())) })
		time.Sleep(10 * time.Second)
		passes(t, ask(g, renewed), "ada", both...)
		refusedAs(t, ask(g, rs256(t, claims(), "kid", "3")), "signature", metadataURL)
	})
}

// The background work of a Guard ends with its context: otherwise the bubble
// would not end.
func TestEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		i := newIssuer(jwk("r", rsaKey().Public()))
		ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
		g, err := auth.New(ctx, withIssuer(i))
		expect.NoError(t, err)
		token := rs256(t, claims(), "kid", "r")
		passes(t, ask(g, token), "ada", both...)
		cancel()
		synctest.Wait()
		passes(t, ask(g, token), "ada", both...) // a call that is still active
		refusedAs(t, ask(g, rs256(t, claims(), "kid", "x")), "signature", metadataURL)

		ctx, cancel = context.WithCancel(context.WithoutCancel(t.Context()))
		i.hold = make(chan struct{})
		if g, err = auth.New(ctx, withIssuer(i)); err != nil {
			t.Fatal(err)
		}
		start, done := time.Now(), make(chan struct{})
		go func() { defer close(done); wantUnavailable(t, ask(g, token), "5") }()
		synctest.Wait()
		cancel()
		<-done
		expect.Is(t, time.Since(start), 0, "the end of the guard took")
	})
}

// The complete exchange over a listener, as between two servers on one machine.
func TestOverLoopback(t *testing.T) {
	t.Parallel()
	i := newIssuer(jwk("r", rsaKey().Public()))
	s := httptest.NewServer(i)
	defer s.Close()
	i.name = s.URL
	i.at("/.well-known/openid-configuration", s.URL)
	network := &http.Transport{}
	defer network.CloseIdleConnections()
	o := withIssuer(i)
	o.Base, o.Resource = network, "/mcp"
	g := guard(t, o)
	mux := http.NewServeMux()
	mux.Handle("/mcp", g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, _ := auth.FromContext(r.Context())
		fmt.Fprint(w, id.Subject, id.Toolsets)
	})))
	mux.Handle(auth.MetadataPath, g.Metadata())
	mux.Handle(auth.MetadataPath+"/mcp", g.Metadata())
	server := httptest.NewServer(mux)
	defer server.Close()

	do := func(url, authorization string) (*http.Response, string) {
		req := must(http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil))
		if authorization != "" {
			req.Header.Set("Authorization", authorization)
		}
		resp, err := network.RoundTrip(req)
		expect.NoError(t, err)
		defer resp.Body.Close()
		return resp, string(must(io.ReadAll(resp.Body)))
	}
	// A client without a token finds the issuer: challenge, metadata, issuer,
	// token.
	resp, _ := do(server.URL+"/mcp", "")
	_, at, _ := strings.Cut(resp.Header.Get("WWW-Authenticate"), `resource_metadata="`)
	at = strings.TrimSuffix(at, `"`)
	expect.Must(t, resp.StatusCode == http.StatusUnauthorized && at == server.URL+auth.MetadataPath+"/mcp",
		"status %d, metadata at %s", resp.StatusCode, at)
	var meta struct {
		Resource string
		Servers  []string `json:"authorization_servers"`
	}
	_, body := do(at, "")
	if err := json.Unmarshal([]byte(body), &meta); err != nil || meta.Resource != server.URL+"/mcp" || len(meta.Servers) != 1 ||
		meta.Servers[0] != s.URL {
		t.Fatalf("metadata %s, %v", body, err)
	}
	resp, body = do(server.URL+"/mcp", rs256(t, claims("iss", s.URL), "kid", "r"))
	expect.That(t, resp.StatusCode == http.StatusOK && body == "ada[trials genes]", "status %d, %s", resp.StatusCode, body)
}

func TestMetadata(t *testing.T) {
	t.Parallel()
	get := func(o auth.Options, change func(*http.Request)) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, auth.MetadataPath, nil)
		r.Host = "host.example.org:8443"
		r.Header.Set("X-Forwarded-Proto", "https")
		r.Header.Set("X-Forwarded-Host", "evil.example.org")
		if change != nil {
			change(r)
		}
		w := httptest.NewRecorder()
		guard(t, o).Metadata().ServeHTTP(w, r)
		return w
	}
	fixed := withIssuer(newIssuer())
	fixed.Documentation = "https://facts.example.org/help"
	path := withIssuer(newIssuer())
	path.Resource = "/mcp"
	doc := func(resource, more string) string {
		return `{"resource":"` + resource + `","authorization_servers":["` + name +
			`"],"scopes_supported":["trials:read","genes:read","articles:read"],` +
			`"bearer_methods_supported":["header"]` + more + "}\n"
	}
	for _, test := range []struct {
		name   string
		o      auth.Options
		change func(*http.Request)
		status int
		body   string
	}{
		{"of a URL", fixed, nil, 200, doc(audience, `,"resource_documentation":"https://facts.example.org/help"`)},
		{"of a path", path, nil, 200, doc("http://host.example.org:8443/mcp", "")},
		{"of a path, TLS", path, func(r *http.Request) { r.TLS = &tls.ConnectionState{} }, 200,
			doc("https://host.example.org:8443/mcp", "")},
		{"bad host", path, func(r *http.Request) { r.Host = `a"b` }, 400, "bad host\n"},
		{"no host", path, func(r *http.Request) { r.Host = "" }, 400, "bad host\n"},
		{"POST", fixed, func(r *http.Request) { r.Method = http.MethodPost }, 405, "GET or HEAD\n"},
		{"without issuer", withSecret(), nil, 404, "404 page not found\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := get(test.o, test.change)
			if diff := cmp.Diff(test.body, w.Body.String()); diff != "" || w.Code != test.status {
				t.Errorf("status %d, want %d; body (-want +got)\n%s", w.Code, test.status, diff)
			}
		})
	}
}

// The challenge names the metadata of the requested URL, and contains no text
// of the client.
func TestChallenge(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ resource, host, at string }{
		{"/mcp", "a.example.org:3010", "http://a.example.org:3010/.well-known/oauth-protected-resource/mcp"},
		{"/mcp", "[::1]:3010", "http://[::1]:3010/.well-known/oauth-protected-resource/mcp"},
		{"/", "a.example.org", "http://a.example.org/.well-known/oauth-protected-resource"},
		{"/mcp", `a", x="y`, ""},
		{"/mcp", "a\r\nX: y", ""},
		{"/mcp", "u@a.example.org", ""},
		{"https://b.example.org/team/mcp", "a.example.org", "https://b.example.org/.well-known/oauth-protected-resource/team/mcp"},
		{"https://b.example.org", "a.example.org", "https://b.example.org/.well-known/oauth-protected-resource"},
		{`https://b.example.org/a"b`, "a.example.org", "https://b.example.org/.well-known/oauth-protected-resource/a%22b"},
	} {
		t.Run(test.resource+" "+test.host, func(t *testing.T) {
			t.Parallel()
			o := withIssuer(newIssuer())
			o.Resource = test.resource
			r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
			r.Host = test.host
			r.Header.Set("X-Forwarded-Proto", "https")
			refusedAs(t, send(guard(t, o), r), "missing", test.at)
		})
	}
}
