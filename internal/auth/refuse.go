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

// refusal is the body of an answer to a request that did not pass, in the
// terms of RFC 6749, section 5.2.
type refusal struct {
	Error       string `json:"error"`
	Description string `json:"error_description"`
	Scope       string `json:"scope,omitempty"`
}

// refuse answers a request that did not pass for err, an error of identify.
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

// challenge tells a client what it lacks, and where it may get it. All values
// are free of quotes: words of ours, scopes and checked URLs.
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

// seconds is a time to wait as a header shows it, in whole seconds and never
// none.
func seconds(d time.Duration) string {
	return strconv.Itoa(max(1, int(math.Ceil(d.Seconds()))))
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	// Nobody is left to be told that the client is gone.
	_ = json.NewEncoder(w).Encode(v)
}
