// Package articles serves the tools for the literature: searches, records, full texts, citations, MeSH terms. It uses the sources through
// their packages alone, and knows neither trials nor genes.
package articles

import (
	"github.com/biofact-mcp/biofact/internal/sources"
)

// Facts describe the server.
type Facts struct {
	// Version is the version of the program, ProtocolVersion the newest version of the protocol that it supports.
	Version, ProtocolVersion string
	// NCBITool and NCBIEmail are sent to NCBI with each request.
	NCBITool, NCBIEmail string
	// NCBIKey reports whether an API key is sent as well.
	NCBIKey bool
}

// Articles serves the tools for articles. It is safe for concurrent use.
type Articles struct {
	sources   sources.Sources
	maxAnswer int
	facts     Facts
}

// New returns the tools for articles. maxAnswer limits an answer in bytes.
func New(from sources.Sources, maxAnswer int, facts Facts) *Articles {
	return &Articles{from, maxAnswer, facts}
}

// nonNil returns an empty slice for nil, so that JSON has [].
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
