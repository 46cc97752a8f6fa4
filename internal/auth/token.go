package auth

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// maxLifetime bounds the tokens that are signed with the secret, wherever they
// are made: a secret is to be changed some day.
const maxLifetime = 366 * 24 * time.Hour

// Token makes an HS256 token for a Guard with the same secret, of at least 32
// bytes. No scopes: all toolsets. An empty audience: none, which a Guard with
// an audience refuses. The token begins to count at now and expires after
// lifetime, 1 second to 366 days. The error shows no secret.
func Token(secret []byte, subject string, scopes []string, lifetime time.Duration, audience string, now time.Time) (string, error) {
	if len(secret) < minSecret {
		return "", errSecret
	}
	if subject == "" {
		return "", errors.New("a token needs a subject")
	}
	if lifetime < time.Second || lifetime > maxLifetime {
		return "", errors.New("a token's lifetime must be 1 second to 366 days")
	}
	for _, s := range scopes {
		if s == "" || strings.ContainsFunc(s, notOfScope) {
			return "", fmt.Errorf("%q is no scope", s)
		}
	}
	claims := struct {
		jwt.RegisteredClaims
		Scope string `json:"scope,omitempty"`
	}{
		jwt.RegisteredClaims{
			Subject: subject, ID: rand.Text(),
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(lifetime)),
		},
		strings.Join(scopes, " "),
	}
	if audience != "" {
		claims.Audience = jwt.ClaimStrings{audience}
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

// notOfScope tells whether r cannot stand in a scope: RFC 6749, section 3.3.
func notOfScope(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }
