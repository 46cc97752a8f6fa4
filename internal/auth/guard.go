package auth

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

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

// leeway is how much the clocks of server and issuer may differ.
const leeway = 30 * time.Second

var (
	secretAlgorithms = []string{jwt.SigningMethodHS256.Alg()}
	issuerAlgorithms = []string{jwt.SigningMethodRS256.Alg(), jwt.SigningMethodES256.Alg()}
)

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

// Scope returns the scope that grants a toolset.
func Scope(toolset string) string { return toolset + ":read" }

func (g *Guard) scopes() []string {
	all := make([]string, len(g.options.Toolsets))
	for i, t := range g.options.Toolsets {
		all[i] = Scope(t)
	}
	return all
}

// minSecret is the minimum length of a secret in bytes: that of the hash, as RFC 7518, section 3.2, requires.
const minSecret = 32

var errSecret = fmt.Errorf("the secret must have at least %d bytes", minSecret)

// maxLifetime limits all tokens that are signed with the secret: a secret should be changed from time to time.
const maxLifetime = 366 * 24 * time.Hour
