package auth

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// class is why a request gets 401: all that the client learns, and the log too.
type class string

// Error makes a class the error that it is.
func (c class) Error() string { return string(c) }

const (
	missing     class = "missing"
	malformed   class = "malformed"
	tooLarge    class = "too large"
	algorithm   class = "algorithm"
	signature   class = "signature"
	noExpiry    class = "no expiry"
	expired     class = "expired"
	notYetValid class = "not yet valid"
	badLifetime class = "lifetime"
	badIssuer   class = "issuer"
	badAudience class = "audience"
)

// unavailable is why a request gets 503: nobody can tell now whether its token
// is valid.
type unavailable struct {
	wait time.Duration // until another request may succeed
}

func (unavailable) Error() string { return "the issuer's keys cannot be had" }

// noScope is why a request gets 403: its token is valid, and grants nothing here.
type noScope struct {
	subject string
}

func (noScope) Error() string { return "no scope of this server" }

// maxToken bounds a token in bytes. Tokens of issuers have 1 to 2 kB.
const maxToken = 8 << 10

// bearer is the token of a request. The query string is no place for one (RFC
// 6750, section 2.3), and of two headers nobody can tell which one counts.
func bearer(h http.Header) (string, error) {
	values := h.Values("Authorization")
	if len(values) > 1 {
		return "", malformed
	}
	if len(values) == 0 {
		return "", missing
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.Trim(token, " ")
	switch {
	case !strings.EqualFold(scheme, "Bearer") || token == "":
		return "", missing
	case len(token) > maxToken:
		return "", tooLarge
	case strings.ContainsFunc(token, func(r rune) bool { return !isTokenRune(r) }):
		return "", malformed
	}
	return token, nil
}

// plain tells whether r is one of the characters of a signed JWT, base64url and
// the dot, which mean nothing else anywhere.
func isTokenRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.", r)
}

// identify verifies the token of a request. Its error is a class, unavailable
// or noScope.
func (g *Guard) identify(r *http.Request) (Identity, error) {
	raw, err := bearer(r.Header)
	if err != nil {
		return Identity{}, err
	}
	claims := jwt.MapClaims{} // names are compared exactly, which fields of a struct are not
	token, err := g.parser.ParseWithClaims(raw, claims, g.key(r.Context()))
	if err != nil {
		return Identity{}, g.classify(token, claims, err)
	}
	subject, err := claims.GetSubject()
	if err != nil {
		return Identity{}, malformed
	}
	expiry, err := claims.GetExpirationTime()
	if err != nil || expiry == nil {
		return Identity{}, noExpiry
	}
	if g.issuer == nil && !shortLived(claims, expiry.Time) {
		return Identity{}, badLifetime
	}
	sets := g.granted(claims)
	if len(sets) == 0 {
		return Identity{}, noScope{subject}
	}
	return Identity{Subject: subject, Toolsets: sets}, nil
}

// shortLived reports whether a token expires within maxLifetime: of when it was
// issued or, where it does not say, of now.
func shortLived(claims jwt.MapClaims, expiry time.Time) bool {
	begin := time.Now().Add(leeway)
	if issued, err := claims.GetIssuedAt(); err == nil && issued != nil {
		begin = issued.Time
	}
	return expiry.Sub(begin) <= maxLifetime
}

// key finds the key of a token by its header's alg and kid. Keys that the
// header brings or points to (jwk, jku, x5c, x5u) are never looked at.
func (g *Guard) key(ctx context.Context) jwt.Keyfunc {
	return func(t *jwt.Token) (any, error) {
		if _, ok := t.Header["crit"]; ok {
			return nil, malformed // no extension is understood: RFC 7515, section 4.1.11
		}
		if g.issuer == nil {
			return g.options.Secret, nil
		}
		return g.issuer.key(ctx, t)
	}
}

// reason tells what err of the parser is. Claims are looked at last: the parser
// does not come to them before the signature is verified.
func (g *Guard) classify(t *jwt.Token, claims jwt.MapClaims, err error) error {
	if down, ok := errors.AsType[unavailable](err); ok {
		return down
	}
	if c, ok := errors.AsType[class](err); ok {
		return c
	}
	allowed := secretAlgorithms
	if g.issuer != nil {
		allowed = issuerAlgorithms
	}
	switch {
	case errors.Is(err, jwt.ErrTokenMalformed):
		return malformed
	case t == nil || t.Method == nil || !slices.Contains(allowed, t.Method.Alg()):
		return algorithm
	case !errors.Is(err, jwt.ErrTokenInvalidClaims):
		return signature
	case errors.Is(err, jwt.ErrInvalidType):
		return malformed
	case errors.Is(err, jwt.ErrTokenExpired):
		return expired
	case errors.Is(err, jwt.ErrTokenNotValidYet), errors.Is(err, jwt.ErrTokenUsedBeforeIssued):
		return notYetValid
	}
	return g.badClaim(claims)
}

// badClaim returns the error of claims whose signature and times are valid.
func (g *Guard) badClaim(claims jwt.MapClaims) error {
	if exp, err := claims.GetExpirationTime(); err == nil && exp == nil {
		return noExpiry
	}
	if iss, err := claims.GetIssuer(); g.issuer != nil && (err != nil || iss != g.options.Issuer) {
		return badIssuer
	}
	return badAudience
}
