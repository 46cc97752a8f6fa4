package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// origins decides by the Host and Origin headers which requests are allowed: a web page must not reach the server through the browser of
// its visitor, neither directly nor through a name that resolves to the server's address.
type origins struct {
	hosts   []string // lower case, name or name:port
	allowed []string // lower case, scheme://host[:port]
}

// The methods and headers that browsers allow to pages of allowed origins.
const (
	allowedMethods = "GET, POST, DELETE"
	allowedHeaders = "Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, " +
		"X-Request-Id"
	exposedHeaders = "Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After, X-Request-Id"
)

func readOrigins(hosts, allowed []string) (origins, error) {
	var o origins
	for _, host := range hosts {
		if host == "" || strings.ContainsAny(host, "/*@ ") {
			return o, fmt.Errorf("allowed host %q: must be a name such as mcp.example.org, or name:port", host)
		}
		o.hosts = append(o.hosts, strings.ToLower(withoutBrackets(host)))
	}
	for _, origin := range allowed {
		normal, ok := normalOrigin(origin)
		if !ok {
			return o, fmt.Errorf("allowed origin %q: must be scheme://host or scheme://host:port, such as https://app.example.org", origin)
		}
		o.allowed = append(o.allowed, normal)
	}
	return o, nil
}

// normalOrigin returns an origin as browsers write it.
func normalOrigin(origin string) (string, bool) {
	u, err := url.Parse(strings.TrimSuffix(origin, "/"))
	if err != nil || u.Scheme == "" || u.Hostname() == "" || strings.Contains(u.Host, "*") || u.Scheme+"://"+
		u.Host != strings.TrimSuffix(origin, "/") {
		return "", false
	}
	host := strings.ToLower(u.Host)
	for scheme, port := range map[string]string{"http": ":80", "https": ":443"} {
		if u.Scheme == scheme {
			host = strings.TrimSuffix(host, port)
		}
	}
	return u.Scheme + "://" + host, true
}

// admit refuses a request with a host or origin that is not allowed, and answers a preflight request.
func (o origins) admit(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Add("Vary", "Origin")
	if !o.host(r) {
		refuse(w, http.StatusForbidden, "This server does not have that host name.")
		return false
	}
	given, ok := r.Header["Origin"]
	if !ok {
		return true // not from a browser, or from the server's own page
	}
	if len(given) != 1 || !o.origin(given[0], r.Host) {
		refuse(w, http.StatusForbidden, "This origin is not allowed.")
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", given[0])
	h.Set("Access-Control-Expose-Headers", exposedHeaders)
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return true
	}
	h.Set("Access-Control-Allow-Methods", allowedMethods)
	h.Set("Access-Control-Allow-Headers", allowedHeaders)
	h.Set("Access-Control-Max-Age", "3600")
	w.WriteHeader(http.StatusNoContent)
	return false
}

// host reports whether the Host header is a name of the server.
func (o origins) host(r *http.Request) bool {
	given := strings.ToLower(r.Host)
	name := given
	if host, _, err := net.SplitHostPort(given); err == nil {
		name = host
	}
	name = withoutBrackets(name)
	if name == "localhost" || slices.Contains(o.hosts, given) || slices.Contains(o.hosts, name) {
		return true
	}
	ip, err := netip.ParseAddr(name)
	if err != nil {
		return false
	}
	// An address is not a name that DNS could point elsewhere.
	return ip.IsLoopback() || localAddress(r) == ip.Unmap()
}

// withoutBrackets returns an IPv6 address without its brackets, and any other host unchanged.
func withoutBrackets(host string) string {
	if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		return host[1 : len(host)-1]
	}
	return host
}

// localAddress returns the server's own address of the connection.
func localAddress(r *http.Request) netip.Addr {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if local == nil {
		return netip.Addr{}
	}
	at, err := netip.ParseAddrPort(local.String())
	if err != nil {
		return netip.Addr{}
	}
	return at.Addr().Unmap()
}

// origin reports whether pages of an origin may make requests to a host. A proxy may terminate TLS, so only the host of the server's own
// origin is known.
func (o origins) origin(given, host string) bool {
	normal, ok := normalOrigin(given)
	if !ok {
		return false // for example null
	}
	_, own, _ := strings.Cut(normal, "://")
	return strings.EqualFold(own, host) || slices.Contains(o.allowed, normal)
}
