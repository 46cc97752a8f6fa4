package auth

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// A Grant configures a token: its client and its rights.
type Grant struct {
	// Subject is the name of the client.
	Subject string
	// Scopes are the scopes of the allowed toolsets; none: all toolsets.
	Scopes []string
	// Audience is the server; empty: none, which a Guard with an audience refuses.
	Audience string
	// Lifetime is 1 second to 366 days.
	Lifetime time.Duration
}

// Token returns an HS256 token for a Guard with the same secret, of at least 32 bytes. The token is valid from now on. The error shows no
// secret.
func Token(secret []byte, grant Grant, now time.Time) (string, error) {
	if len(secret) < minSecret {
		return "", errSecret
	}
	if grant.Subject == "" {
		return "", errors.New("a token needs a subject")
	}
	if grant.Lifetime < time.Second || grant.Lifetime > maxLifetime {
		return "", errors.New("a token's lifetime must be 1 second to 366 days")
	}
	for _, s := range grant.Scopes {
		if s == "" || strings.ContainsFunc(s, invalidInScope) {
			return "", fmt.Errorf("%q is no scope", s)
		}
	}
	claims := struct {
		jwt.RegisteredClaims
		Scope string `json:"scope,omitempty"`
	}{
		jwt.RegisteredClaims{
			Subject: grant.Subject, ID: rand.Text(),
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(grant.Lifetime)),
		},
		strings.Join(grant.Scopes, " "),
	}
	if grant.Audience != "" {
		claims.Audience = jwt.ClaimStrings{grant.Audience}
	}
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString(secret)
	if err != nil {
		return "", fmt.Errorf("sign a token: %w", err)
	}
	if len(token) > maxToken {
		return "", fmt.Errorf("the token would have more than the %d bytes that are accepted", maxToken)
	}
	return token, nil
}

// invalidInScope reports whether r is not allowed in a scope: RFC 6749, section 3.3.
func invalidInScope(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }
