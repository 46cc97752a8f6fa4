// Package service serves the tools: it turns arguments into requests to the sources, and their records into answers. It implements the
// generated Handlers and uses a source through its package alone, never through an HTTP client. Files are named after their subject.
package service

import (
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/sources"
)

// Options configure a Service.
type Options struct {
	// Sources are the sources that the tools read.
	Sources sources.Sources
	// MaxAnswerBytes limits one answer. The next page has the rest, and a notice says so.
	MaxAnswerBytes int
	// Facts describe the server.
	Facts Facts
}

// Facts describe the server.
type Facts struct {
	// Version is the version of the program, ProtocolVersion the newest version of the protocol that it supports.
	Version, ProtocolVersion string
	// NCBITool and NCBIEmail are sent to NCBI with each request.
	NCBITool, NCBIEmail string
	// NCBIKey reports whether an API key is sent as well.
	NCBIKey bool
}

// Service implements the handlers of all tools. It is safe for concurrent use.
type Service struct {
	sources   sources.Sources
	maxAnswer int
	facts     Facts
}

var _ tools.Handlers = (*Service)(nil)

// New returns a service.
func New(o Options) *Service {
	return &Service{sources: o.Sources, maxAnswer: o.MaxAnswerBytes, facts: o.Facts}
}
