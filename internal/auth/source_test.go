package auth_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/biofact-mcp/biofact/internal/auth"
	"github.com/biofact-mcp/biofact/internal/expect"
)

const (
	name     = "https://issuer.example.org/realm"
	audience = "https://facts.example.org/mcp"
)

var (
	secret   = []byte("a secret of more than 32 bytes, for tests")
	toolsets = []string{"trials", "genes", "articles"}
)

// log is the log of a Guard.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *log) logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func withSecret() auth.Options {
	return auth.Options{Secret: secret, Toolsets: toolsets, Resource: "/mcp", Log: slog.New(slog.DiscardHandler)}
}

func withIssuer(i *issuer) auth.Options {
	return auth.Options{
		Issuer: i.name, Audience: audience, Base: i, Toolsets: toolsets, Resource: audience, Log: slog.New(slog.DiscardHandler),
	}
}

func guard(t testing.TB, o auth.Options) *auth.Guard {
	t.Helper()
	g, err := auth.New(t.Context(), o)
	expect.NoError(t, err)
	return g
}

// answer is the result of a request: the status, and the identity if it passed.
type answer struct {
	*httptest.ResponseRecorder
	passed bool
	who    auth.Identity
	header http.Header // of the request, as the guarded handler sees it
}

// ask sends a request with Authorization headers through a guard.
func ask(g *auth.Guard, authorization ...string) answer {
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	for _, a := range authorization {
		r.Header.Add("Authorization", a)
	}
	return send(g, r)
}

func send(g *auth.Guard, r *http.Request) answer {
	a := answer{ResponseRecorder: httptest.NewRecorder()}
	g.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		a.who, a.passed = auth.FromContext(r.Context())
		a.header = r.Header
	})).ServeHTTP(a, r)
	return a
}

// refusedAs checks that a request got 401 with a class and no other detail.
func refusedAs(t *testing.T, a answer, class, metadata string) {
	t.Helper()
	expect.Must(t, !a.passed && a.Code == http.StatusUnauthorized,
		"status %d, passed %v, body %s; want 401 for %s", a.Code, a.passed, a.Body, class)
	want := `Bearer realm="biofact", error="invalid_token", error_description="` + class + `"`
	if metadata != "" {
		want += `, resource_metadata="` + metadata + `"`
	}
	expect.Equal(t, "challenge", want, a.Header().Get("WWW-Authenticate"))
	if got, want := a.Body.String(), `{"error":"invalid_token","error_description":"`+class+"\"}\n"; got != want {
		t.Errorf("body %s, want %s", got, want)
	}
	expect.Is(t, a.Header().Get("Content-Type"), "application/json", "content type")
}

func passes(t *testing.T, a answer, subject string, sets ...string) {
	t.Helper()
	expect.That(t, a.passed && a.who.Subject == subject && slices.Equal(a.who.Toolsets, sets),
		"status %d, %s, passed %v as %+v; want %s with %v", a.Code, a.Body, a.passed, a.who, subject, sets)
}

// claims returns claims that are valid for every guard of the tests, with
// changes. A nil value removes a claim.
func claims(changes ...any) jwt.MapClaims {
	c := jwt.MapClaims{
		"iss": name, "aud": audience, "sub": "ada", "exp": time.Now().Add(time.Hour).Unix(), "scope": "genes:read trials:read openid",
	}
	for i := 0; i < len(changes); i += 2 {
		if changes[i+1] == nil {
			delete(c, changes[i].(string))
			continue
		}
		c[changes[i].(string)] = changes[i+1]
	}
	return c
}

// sign returns a token; header fields come in pairs.
func sign(t testing.TB, m jwt.SigningMethod, key any, c jwt.Claims, header ...any) string {
	t.Helper()
	token := jwt.NewWithClaims(m, c)
	for i := 0; i < len(header); i += 2 {
		token.Header[header[i].(string)] = header[i+1]
	}
	s, err := token.SignedString(key)
	expect.NoError(t, err)
	return s
}

func hs256(t testing.TB, c jwt.Claims, header ...any) string {
	t.Helper()
	return sign(t, jwt.SigningMethodHS256, secret, c, header...)
}

// Keys are made once: an RSA key takes a while.
var (
	rsaKey   = sync.OnceValue(func() *rsa.PrivateKey { return must(rsa.GenerateKey(rand.Reader, 2048)) })
	otherRSA = sync.OnceValue(func() *rsa.PrivateKey { return must(rsa.GenerateKey(rand.Reader, 2048)) })
	p256     = sync.OnceValue(func() *ecdsa.PrivateKey { return must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)) })
	p384     = sync.OnceValue(func() *ecdsa.PrivateKey { return must(ecdsa.GenerateKey(elliptic.P384(), rand.Reader)) })
	ed       = sync.OnceValue(func() ed25519.PrivateKey { _, k, _ := ed25519.GenerateKey(rand.Reader); return k })
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// jwk returns a public key as an issuer publishes it; more fields come in
// pairs.
func jwk(kid string, key crypto.PublicKey, more ...string) map[string]any {
	k := map[string]any{"kid": kid, "use": "sig"}
	switch p := key.(type) {
	case *rsa.PublicKey:
		k["kty"], k["n"], k["e"] = "RSA", b64(p.N.Bytes()), b64(big.NewInt(int64(p.E)).Bytes())
	case *ecdsa.PublicKey:
		point := must(p.Bytes())
		half := (len(point) - 1) / 2
		k["kty"], k["crv"], k["x"], k["y"] = "EC", p.Curve.Params().Name, b64(point[1:1+half]), b64(point[1+half:])
	case ed25519.PublicKey:
		k["kty"], k["crv"], k["x"] = "OKP", "Ed25519", b64(p)
	case []byte:
		k["kty"], k["k"] = "oct", b64(p)
	}
	for i := 0; i < len(more); i += 2 {
		k[more[i]] = more[i+1]
	}
	return k
}

// issuer is an authorization server, in this process or behind a listener.
type issuer struct {
	name string

	mu       sync.Mutex
	keys     []map[string]any
	metadata map[string]string              // by path
	fault    func(http.ResponseWriter) bool // answers instead of the issuer
	err      error                          // no connection
	hold     chan struct{}                  // no answer before it is closed, or the client cancels
	paths    []string                       // requested
}

func newIssuer(keys ...map[string]any) *issuer {
	i := &issuer{name: name, keys: keys}
	i.at("/realm/.well-known/openid-configuration", i.name)
	return i
}

// at publishes metadata at a path, and at no other.
func (i *issuer) at(path, name string) {
	origin, _ := strings.CutSuffix(i.name, "/realm")
	doc, _ := json.Marshal(map[string]any{"issuer": name, "jwks_uri": origin + "/keys", "token_endpoint": "https://a.example.org"})
	i.metadata = map[string]string{path: string(doc)}
}

func (i *issuer) change(f func(*issuer)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	f(i)
}

func (i *issuer) publish(keys ...map[string]any) { i.change(func(i *issuer) { i.keys = keys }) }

// requests returns the number of requests for a path so far.
func (i *issuer) requests(path string) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	n := 0
	for _, a := range i.paths {
		if a == path {
			n++
		}
	}
	return n
}

func (i *issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.paths = append(i.paths, r.URL.Path)
	doc, known := i.metadata[r.URL.Path]
	switch {
	case i.fault != nil && i.fault(w):
	case r.URL.Path == "/keys":
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": i.keys})
	case known:
		_, _ = io.WriteString(w, doc)
	default:
		http.NotFound(w, r)
	}
}

// RoundTrip is the network between a guard and the issuer, in this process.
func (i *issuer) RoundTrip(r *http.Request) (*http.Response, error) {
	i.mu.Lock()
	err, hold := i.err, i.hold
	i.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-r.Context().Done():
			err = context.Cause(r.Context())
		}
	}
	if err != nil {
		i.change(func(i *issuer) { i.paths = append(i.paths, r.URL.Path) })
		return nil, err
	}
	w := httptest.NewRecorder()
	i.ServeHTTP(w, r)
	return w.Result(), nil
}
