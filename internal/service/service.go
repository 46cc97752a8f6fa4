// Package service serves the tools: it turns arguments into questions to the
// sources, and what they answer into answers. It implements the generated
// Handlers and reaches a source through its package alone, never through a
// client; files carry the name of their subject.
package service

import (
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/sources"
)

// Options are what the tools are served from.
type Options struct {
	// Sources of the tools.
	Sources sources.Sources
	// MaxAnswerBytes bounds one answer; what does not fit is left for the next
	// page, and a notice says so.
	MaxAnswerBytes int
	// Facts about the server, for those who ask.
	Facts Facts
}

// Facts are what the server says about itself.
type Facts struct {
	// Version of the program, and the newest version of the protocol that it
	// speaks.
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
