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
	"net/http"
	"slices"

	"github.com/golang-jwt/jwt/v5"
)

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
