package auth

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// MetadataPath is the path of the metadata of a server's protected resource. If the resource has a path, it is appended (RFC 9728, section
// 3.1).
const MetadataPath = "/.well-known/oauth-protected-resource"

// metadata describes the guarded endpoint: RFC 9728, section 2.
type metadata struct {
	Resource      string   `json:"resource"`
	Servers       []string `json:"authorization_servers"`
	Scopes        []string `json:"scopes_supported"`
	Methods       []string `json:"bearer_methods_supported"`
	Documentation string   `json:"resource_documentation,omitempty"`
}

// Metadata serves the metadata of the guarded endpoint to every client, at any path. Without an issuer it answers 404, as no server issues
// tokens.
func (g *Guard) Metadata() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.issuer == nil {
			http.NotFound(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "GET or HEAD", http.StatusMethodNotAllowed)
			return
		}
		resource := g.resourceFor(r)
		if resource == nil {
			http.Error(w, "bad host", http.StatusBadRequest)
			return
		}
		writeJSON(w, http.StatusOK, metadata{
			Resource: resource.String(), Servers: []string{g.options.Issuer}, Scopes: g.scopes(),
			Methods: []string{"header"}, Documentation: g.options.Documentation,
		})
	})
}

func parseResource(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.RawQuery != "" || u.Fragment != "" || u.User != nil || u.Opaque != "":
	case u.Scheme == "" && u.Host == "" && strings.HasPrefix(u.Path, "/"):
		return u, nil
	case (u.Scheme == "https" || u.Scheme == "http") && validHost(u.Host):
		return u, nil
	}
	return nil, errors.New("the guarded resource must be an http or https URL or a path, without query or fragment")
}

// resourceFor returns the URL of the guarded endpoint for a request; nil if the host of the request is invalid. It ignores
// X-Forwarded-Proto: any client can send it.
func (g *Guard) resourceFor(r *http.Request) *url.URL {
	u := *g.resource
	if u.Host != "" {
		return &u
	}
	if !validHost(r.Host) {
		return nil
	}
	u.Scheme, u.Host = "http", r.Host
	if r.TLS != nil {
		u.Scheme = "https"
	}
	return &u
}

// validHost reports whether s can be a host with a port, and can be quoted.
func validHost(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !isTokenRune(r) && !strings.ContainsRune(":[]", r) })
}

func metadataURL(resource *url.URL) string {
	path := resource.EscapedPath()
	if path == "/" {
		path = ""
	}
	return resource.Scheme + "://" + resource.Host + MetadataPath + path
}
