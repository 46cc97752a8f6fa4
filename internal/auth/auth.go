// Package auth is the access control of the HTTP transport: it verifies bearer tokens (JWT, RFC 6750 and 9068) and returns the toolsets
// that a request may use.
//
// Tokens are signed with a shared secret (HS256), or by an OAuth authorization server, whose keys are found by discovery (RS256, ES256). A
// refused request gets the class of its failure from a closed set of words, and no more.
package auth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// leeway is how much the clocks of server and issuer may differ.
const leeway = 30 * time.Second

// minSecret is the minimum length of a secret in bytes: that of the hash, as RFC 7518, section 3.2, requires.
const minSecret = 32

var errSecret = fmt.Errorf("the secret must have at least %d bytes", minSecret)

// Options configure the clients that a Guard accepts. One of Secret, Issuer and None is set.
type Options struct {
	// Secret verifies HS256 tokens; at least 32 bytes.
	Secret []byte
	// Issuer is the URL of the authorization server whose tokens are accepted, exactly as in its metadata: https, or http on loopback.
	Issuer string
	// Audience is the audience that a token must have. It is required with Issuer; empty with Secret: any audience.
	Audience string
	// None allows every client to use every toolset.
	None bool
	// Toolsets are the toolsets that a token can grant, each by a scope: see Scope.
	Toolsets []string
	// Resource is the guarded endpoint: its URL as clients know it, or only its path, which is completed with the scheme and host of each
	// request. A server behind a proxy that terminates TLS needs the URL.
	Resource string
	// Documentation is the URL of a page for developers of clients; empty: none.
	Documentation string
	// Base sends the requests to the issuer; nil: http.DefaultTransport.
	Base http.RoundTripper
	// Log gets the classes of refused requests and the issuer's failures.
	Log *slog.Logger
}

// Guard accepts requests with a valid token.
type Guard struct {
	options  Options
	resource *url.URL // without host if Options.Resource is a path
	parser   *jwt.Parser
	issuer   *issuer // nil without Options.Issuer
}

// New returns a Guard, or an error that names the invalid option and shows no secret. The first token that needs a key fetches the keys of
// the issuer: a server can start while the issuer is down. The background work of the Guard ends with ctx.
func New(ctx context.Context, o Options) (*Guard, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	resource, err := parseResource(o.Resource)
	if err != nil {
		return nil, err
	}
	o.Secret, o.Toolsets = bytes.Clone(o.Secret), slices.Clone(o.Toolsets)
	g := &Guard{options: o, resource: resource}
	rules := []jwt.ParserOption{jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithLeeway(leeway), jwt.WithStrictDecoding()}
	if o.Audience != "" {
		rules = append(rules, jwt.WithAudience(o.Audience))
	}
	if o.Issuer != "" {
		if g.issuer, err = newIssuer(ctx, o); err != nil {
			return nil, err
		}
		rules = append(rules, jwt.WithIssuer(o.Issuer), jwt.WithValidMethods(issuerAlgorithms))
	} else {
		rules = append(rules, jwt.WithValidMethods(secretAlgorithms))
	}
	g.parser = jwt.NewParser(rules...)
	return g, nil
}

var (
	secretAlgorithms = []string{jwt.SigningMethodHS256.Alg()}
	issuerAlgorithms = []string{jwt.SigningMethodRS256.Alg(), jwt.SigningMethodES256.Alg()}
)

func (o Options) check() error {
	modes := 0
	for _, set := range []bool{len(o.Secret) > 0, o.Issuer != "", o.None} {
		if set {
			modes++
		}
	}
	switch {
	case modes == 0:
		return errors.New("no access control is set: a secret, an issuer, or none by name")
	case modes > 1:
		return errors.New("a secret, an issuer and no access control exclude each other")
	case len(o.Secret) > 0 && len(o.Secret) < minSecret:
		return errSecret
	case o.Issuer != "" && o.Audience == "":
		return errors.New("an issuer needs an audience: its tokens for other servers must not count here")
	case o.None && o.Audience != "":
		return errors.New("an audience without tokens has no meaning")
	case len(o.Toolsets) == 0:
		return errors.New("no toolset is set: at least one is needed")
	}
	return nil
}

// Identity is the client of a request, as its token describes it.
type Identity struct {
	// Subject is the sub claim of the token, in the issuer's form; it may be empty.
	Subject string
	// Toolsets may be used, in the order of Options.Toolsets; never empty.
	Toolsets []string
}

type identityKey struct{}

// FromContext returns the identity of the client. It reports false for a request that passed no Guard, which may use no toolset.
func FromContext(ctx context.Context) (Identity, bool) {
	id, ok := ctx.Value(identityKey{}).(Identity)
	return id, ok
}

// Wrap returns a handler that passes requests with a valid token to next, with an Identity in their context and without the Authorization
// header: the token is only for this server. Other requests get 401, or 403 if the token grants no toolset, or 503 with Retry-After while
// the keys of the issuer are unavailable.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := Identity{Toolsets: slices.Clone(g.options.Toolsets)}
		if !g.options.None {
			var err error
			if id, err = g.identify(r); err != nil {
				g.refuse(w, r, err)
				return
			}
		}
		r = r.WithContext(context.WithValue(r.Context(), identityKey{}, id))
		r.Header = r.Header.Clone()
		r.Header.Del("Authorization")
		next.ServeHTTP(w, r)
	})
}

// Scope returns the scope that grants a toolset.
func Scope(toolset string) string { return toolset + ":read" }

// scopes returns the scopes of all toolsets.
func (g *Guard) scopes() []string {
	all := make([]string, len(g.options.Toolsets))
	for i, t := range g.options.Toolsets {
		all[i] = Scope(t)
	}
	return all
}

// granted returns the toolsets that claims grant by a scope (RFC 8693) or scp claim. Without these claims the signer decides: a token with
// the shared secret was made for this server and grants everything. An issuer signs tokens for many purposes, so its token grants nothing.
func (g *Guard) granted(claims jwt.MapClaims) []string {
	var scopes []string
	found := false
	for _, claim := range []string{"scope", "scp"} {
		value, ok := claims[claim]
		if !ok {
			continue
		}
		found = true
		switch v := value.(type) {
		case string:
			scopes = append(scopes, strings.Fields(v)...)
		case []any:
			for _, one := range v {
				if s, ok := one.(string); ok {
					scopes = append(scopes, s)
				}
			}
		}
	}
	if !found && g.issuer == nil {
		return slices.Clone(g.options.Toolsets)
	}
	var sets []string
	for _, t := range g.options.Toolsets {
		if slices.Contains(scopes, Scope(t)) {
			sets = append(sets, t)
		}
	}
	return sets
}
