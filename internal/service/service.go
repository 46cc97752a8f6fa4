// Package service serves the tools: it turns arguments into upstream requests
// and upstream records, through package mapping, into answers. It implements
// the generated Handlers; files carry the name of their subject.
package service

import (
	"fmt"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// Options are what the tools are served from.
type Options struct {
	// CTGovURL is the base URL of the ClinicalTrials.gov API v2.
	CTGovURL string
	// CTGov makes the requests to it, politely.
	CTGov *upstream.Client
	// EUtilsURL is the base URL of NCBI's E-utilities.
	EUtilsURL string
	// EUtils makes the requests to them, politely.
	EUtils *upstream.Client
	// NCBITool, NCBIEmail and NCBIAPIKey go with every request to NCBI; empty
	// ones do not.
	NCBITool, NCBIEmail, NCBIAPIKey string
	// RecordAge and SearchAge are how long what is kept of NCBI counts as current.
	RecordAge, SearchAge time.Duration
	// Version of the program, and the newest version of the protocol that it
	// speaks, for those who ask.
	Version, ProtocolVersion string
	// Store keeps answers; nil: none are kept.
	Store *store.Store
	// MaxAnswerBytes bounds one answer; what does not fit is left for the next
	// page, and a notice says so.
	MaxAnswerBytes int
	// Observe is told how well requests to the sources are saved.
	Observe Observer
}

// Observer is told how well requests to the sources are saved, for an
// operator's figures. A source is ctgov, gene or pubmed; a kind is of what is
// asked for, such as record or search. Both are few, and neither is of what a
// caller asks. A function that is nil is not called. They are called at the
// same time, and must not wait.
type Observer struct {
	// Batch is told how many questions one request asks.
	Batch func(source, kind string, questions int)
	// Cache is told what the store had to some questions: hit, miss or stale.
	// Without a store it is told nothing, and nothing of a caller who went away.
	Cache func(source, kind, use string, questions int)
}

// Service implements the handlers of all tools. It is safe for concurrent use.
type Service struct {
	trials    *trialSource
	genes     *geneSource
	articles  *articleSource
	maxAnswer int
}

var _ tools.Handlers = (*Service)(nil)

// New returns a service. A base URL that cannot be one is an error.
func New(o Options) (*Service, error) {
	trials, err := newTrialSource(o)
	if err != nil {
		return nil, fmt.Errorf("client of %s: %w", o.CTGovURL, err)
	}
	n, err := newNCBI(o)
	if err != nil {
		return nil, fmt.Errorf("client of %s: %w", o.EUtilsURL, err)
	}
	return &Service{trials: trials, genes: newGeneSource(n), articles: newArticleSource(n), maxAnswer: o.MaxAnswerBytes}, nil
}
