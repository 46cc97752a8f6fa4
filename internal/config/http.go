package config

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// TransportHTTP is the value of Transport for streamable HTTP.
const TransportHTTP = "http"

const authNone = "none"

// HTTP reports whether clients connect over streamable HTTP.
func (c *Config) HTTP() bool { return c.Transport == TransportHTTP }

// ListenAddr returns the address that the HTTP server listens on.
func (c *Config) ListenAddr() string { return net.JoinHostPort(c.HTTPHost, strconv.Itoa(c.HTTPPort)) }

// NoAuth reports whether every client may call.
func (c *Config) NoAuth() bool { return c.Auth == authNone }

// validateHTTP returns an error for the first invalid setting of the HTTP transport.
func (c *Config) validateHTTP() error {
	if err := firstInvalid(
		rule{"MCP_HTTP_HOST", c.HTTPHost, c.HTTPHost != "" && !strings.ContainsAny(c.HTTPHost, "/ "), "a host name or an IP address"},
		rule{"MCP_HTTP_PORT", c.HTTPPort, between(c.HTTPPort, 0, 65535), "from 0 to 65535"},
		rule{"MCP_AUTH_MODE", c.Auth, oneOf(c.Auth, "", authNone), "none, or not set"},
	); err != nil {
		return err
	}
	if err := c.validateAuth(); err != nil {
		return err
	}
	if c.PublicURL != "" && bareURL(c.PublicURL) == nil {
		return errors.New("MCP_PUBLIC_URL: must be an http or https URL, without user, query or fragment")
	}
	if c.MetricsAddr != "" {
		if _, _, err := net.SplitHostPort(c.MetricsAddr); err != nil {
			return invalid("MCP_METRICS_ADDR", c.MetricsAddr, "an address with a port, such as 127.0.0.1:9090")
		}
	}
	return firstInvalid(
		rule{"MCP_CLIENT_RATE", c.ClientRate, between(c.ClientRate, 0, 100_000), "from 0 to 100000"},
		rule{"MCP_DRAIN_TIME", c.DrainTime, between(c.DrainTime, 0, 10*time.Minute), "from 0s to 10m"},
	)
}

// validateAuth returns an error if the settings of the authentication are invalid.
func (c *Config) validateAuth() error {
	modes := 0
	for _, set := range []bool{c.NoAuth(), c.AuthSecret != "", c.AuthIssuer != ""} {
		if set {
			modes++
		}
	}
	switch {
	case modes == 0:
		return errors.New("MCP_AUTH_SECRET_KEY: HTTP needs a secret of at least 32 bytes, or MCP_AUTH_ISSUER and MCP_AUTH_AUDIENCE; " +
			"to try it on this machine alone: --auth none")
	case modes > 1:
		return errors.New("MCP_AUTH_SECRET_KEY, MCP_AUTH_ISSUER and --auth none: only one of them can be set")
	case c.AuthSecret != "" && len(c.AuthSecret) < 32:
		return errors.New("MCP_AUTH_SECRET_KEY: must have at least 32 bytes")
	case c.AuthIssuer != "" && c.AuthAudience == "":
		return errors.New("MCP_AUTH_AUDIENCE: must be set with MCP_AUTH_ISSUER")
	case c.NoAuth():
		return c.validateOpen()
	}
	if c.AuthIssuer != "" && !isIssuer(c.AuthIssuer) {
		return errors.New("MCP_AUTH_ISSUER: must be an https URL, or http on loopback, without user, query or fragment")
	}
	return nil
}

// validateOpen returns an error if clients without authentication would get more than they may.
func (c *Config) validateOpen() error {
	switch {
	case !c.SQLOpen && c.servesSQL():
		return errors.New("BIOFACT_SQL_OPEN: must be true to serve the toolset sql with --auth none: each client may run queries")
	case !Loopback(c.HTTPHost):
		return invalid("MCP_HTTP_HOST", c.HTTPHost, "a loopback address with --auth none")
	}
	return nil
}

// servesSQL reports whether a tool of the toolset sql is served.
func (c *Config) servesSQL() bool {
	if len(c.Tools) > 0 {
		return slices.ContainsFunc(c.Tools, func(name string) bool { return strings.HasSuffix(name, "_registry") })
	}
	return slices.Contains(c.Toolsets, "sql")
}

// bareURL returns an http or https URL without user, query and fragment; nil for any other text.
func bareURL(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.RawQuery != "" || u.ForceQuery ||
		u.Fragment != "" {
		return nil
	}
	return u
}

// isIssuer reports whether the answers of a URL are protected against changes on the way: https, or loopback.
func isIssuer(text string) bool {
	u := bareURL(text)
	return u != nil && (u.Scheme == "https" || Loopback(u.Hostname()))
}

// Loopback reports whether a host is only reachable from this machine.
func Loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && addr.IsLoopback()
}
