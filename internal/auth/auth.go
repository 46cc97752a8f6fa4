// Package auth is the access control of the HTTP transport: it verifies bearer
// tokens (JWT, RFC 6750 and 9068) and tells which toolsets a request may use.
//
// Tokens are signed with a secret that the server shares with whoever makes
// them (HS256), or by an OAuth authorization server, whose keys are found by
// discovery (RS256, ES256). A refused request learns the class of its failure
// from a closed set of words and nothing more.
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

// leeway is how far the clocks of server and issuer may be apart.
const leeway = 30 * time.Second

// minSecret is the least length of a secret in bytes: that of the hash, as RFC
// 7518, section 3.2, demands.
const minSecret = 32

var errSecret = fmt.Errorf("the secret must have at least %d bytes", minSecret)

// Options say whom a Guard lets in. One of Secret, Issuer and None is set.
type Options struct {
	// Secret verifies HS256 tokens; at least 32 bytes.
	Secret []byte
	// Issuer is the authorization server whose tokens count, exactly as it calls
	// itself: an https URL, or http on loopback.
	Issuer string
	// Audience is whom a token must be meant for. Issuer needs it; with Secret,
	// empty: tokens for anybody.
	Audience string
	// None lets everybody use everything.
	None bool
	// Toolsets are what can be granted, each by the scope of its name: see Scope.
	Toolsets []string
	// Resource is the guarded endpoint: its URL as clients know it, or its path
	// alone, which stands at the scheme and host that a request itself shows. A
	// server behind a proxy that ends TLS needs the URL.
	Resource string
	// Documentation is the URL of a page for those who write clients; empty: none.
	Documentation string
	// Base makes the requests to the issuer; nil: http.DefaultTransport.
	Base http.RoundTripper
	// Log gets the classes of refused requests and the issuer's failures.
	Log *slog.Logger
}

// Guard lets requests with a valid token pass.
type Guard struct {
	options  Options
	resource *url.URL // without host where Options.Resource is a path
	parser   *jwt.Parser
	issuer   *issuer // nil without Options.Issuer
}

// New returns a Guard, or an error that says which option is wrong and shows
// no secret. The issuer is asked for its keys when the first token needs one:
// a server can start while the issuer is down. What the Guard runs in the
// background ends with ctx.
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
		return errors.New("there is no toolset to grant")
	}
	return nil
}

// Identity is who asks, as far as a token tells.
type Identity struct {
	// Subject is the token's sub, whatever its issuer puts there; it may be empty.
	Subject string
	// Toolsets may be used, in the order of Options.Toolsets; never empty.
	Toolsets []string
}

type identityKey struct{}

// FromContext returns who asks. It is false for a request that passed no Guard,
// which may use nothing.
func FromContext(ctx context.Context) (Identity, bool) {
	id, ok := ctx.Value(identityKey{}).(Identity)
	return id, ok
}

// Wrap returns a handler that lets requests with a valid token pass to next,
// with an Identity in their context and without the Authorization header: the
// token is meant for this server and goes no further. Others get 401 or, where
// the token grants no toolset, 403; while the keys of the issuer cannot be had,
// 503 with Retry-After.
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

// Scope is the scope that grants a toolset.
func Scope(toolset string) string { return toolset + ":read" }

// scopes are those that grant anything here.
func (g *Guard) scopes() []string {
	all := make([]string, len(g.options.Toolsets))
	for i, t := range g.options.Toolsets {
		all[i] = Scope(t)
	}
	return all
}

// granted are the toolsets that claims grant by a scope (RFC 8693) or scp
// claim. Where a token has neither, it decides who made it: one signed with the
// shared secret was made by hand for this server and grants everything. An
// issuer signs tokens for many purposes, so silence grants nothing.
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
