package auth

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// refusal is the body of an answer to a refused request, in the terms of RFC 6749, section 5.2.
type refusal struct {
	Error       string `json:"error"`
	Description string `json:"error_description"`
	Scope       string `json:"scope,omitempty"`
}

// refuse answers a request that was refused with an error of identify.
func (g *Guard) refuse(w http.ResponseWriter, r *http.Request, err error) {
	status, body := http.StatusUnauthorized, refusal{Error: "invalid_token", Description: err.Error()}
	log := g.options.Log.With("class", err.Error())
	if down, ok := errors.AsType[unavailable](err); ok {
		status, body.Error = http.StatusServiceUnavailable, "temporarily_unavailable"
		w.Header().Set("Retry-After", seconds(down.wait))
	} else {
		if valid, ok := errors.AsType[noScope](err); ok {
			status, body.Error, body.Scope = http.StatusForbidden, "insufficient_scope", strings.Join(g.scopes(), " ")
			log = log.With("subject", valid.subject)
		}
		w.Header().Set("WWW-Authenticate", g.challenge(r, body))
	}
	log.InfoContext(r.Context(), "request refused", "status", status)
	w.Header().Set("Cache-Control", "no-store")
	writeJSON(w, status, body)
}

// challenge returns the WWW-Authenticate header: the reason of the refusal, and the URL of the metadata. No value contains quotes: they are
// fixed words, scopes and checked URLs.
func (g *Guard) challenge(r *http.Request, why refusal) string {
	c := `Bearer realm="biofact", error="` + why.Error + `", error_description="` + why.Description + `"`
	if why.Scope != "" {
		c += `, scope="` + why.Scope + `"`
	}
	if resource := g.resourceFor(r); g.issuer != nil && resource != nil {
		c += `, resource_metadata="` + metadataURL(resource) + `"`
	}
	return c
}

// seconds returns a time to wait as a header has it: in whole seconds, at least 1.
func seconds(d time.Duration) string {
	return strconv.Itoa(max(1, int(math.Ceil(d.Seconds()))))
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	// A write error means that the client has gone.
	_ = json.NewEncoder(w).Encode(v)
}
