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

// class is the reason for a 401. The client and the log get no more than the class.
type class string

// Error returns the class, which makes it an error.
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

// unavailable is the error for a 503: the server cannot check now whether the token is valid.
type unavailable struct {
	wait time.Duration // until another request may succeed
}

func (unavailable) Error() string { return "the issuer's keys are unavailable" }

// noScope is the error for a 403: the token is valid, and grants no toolset of this server.
type noScope struct {
	subject string
}

func (noScope) Error() string { return "no scope of this server" }

// maxToken limits a token in bytes. Tokens of issuers have 1 to 2 kB.
const maxToken = 8 << 10

// bearer returns the token of a request. It ignores the query string (RFC 6750, section 2.3). Two headers are an error, as either one could
// be meant.
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

// isTokenRune reports whether r is one of the characters of a signed JWT: base64url and the dot. They have no other meaning in headers or
// URLs.
func isTokenRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.", r)
}

// identify verifies the token of a request. Its error is a class, unavailable or noScope.
func (g *Guard) identify(r *http.Request) (Identity, error) {
	raw, err := bearer(r.Header)
	if err != nil {
		return Identity{}, err
	}
	claims := jwt.MapClaims{} // a map compares names exactly, fields of a struct do not
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

// shortLived reports whether a token expires within maxLifetime of its iat claim, or of now without the claim.
func shortLived(claims jwt.MapClaims, expiry time.Time) bool {
	begin := time.Now().Add(leeway)
	if issued, err := claims.GetIssuedAt(); err == nil && issued != nil {
		begin = issued.Time
	}
	return expiry.Sub(begin) <= maxLifetime
}

// key returns the function that finds the key of a token by the alg and kid of its header. It ignores keys in the header, and references to
// keys (jwk, jku, x5c, x5u).
func (g *Guard) key(ctx context.Context) jwt.Keyfunc {
	return func(t *jwt.Token) (any, error) {
		if _, ok := t.Header["crit"]; ok {
			return nil, malformed // no extension is supported: RFC 7515, section 4.1.11
		}
		if g.issuer == nil {
			return g.options.Secret, nil
		}
		return g.issuer.key(ctx, t)
	}
}

// classify returns the class for an error of the parser. It checks claims last: the parser reads them after it has verified the signature.
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

// badClaim returns the class for claims with a valid signature and valid times.
func (g *Guard) badClaim(claims jwt.MapClaims) error {
	if exp, err := claims.GetExpirationTime(); err == nil && exp == nil {
		return noExpiry
	}
	if iss, err := claims.GetIssuer(); g.issuer != nil && (err != nil || iss != g.options.Issuer) {
		return badIssuer
	}
	return badAudience
}
