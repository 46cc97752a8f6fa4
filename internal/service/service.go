// Package service joins the toolsets to the handlers of all tools. It contains no behaviour of a tool.
package service

import (
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/articles"
	"github.com/biofact-mcp/biofact/internal/check"
	"github.com/biofact-mcp/biofact/internal/database"
	"github.com/biofact-mcp/biofact/internal/drugs"
	"github.com/biofact-mcp/biofact/internal/genes"
	"github.com/biofact-mcp/biofact/internal/research"
	"github.com/biofact-mcp/biofact/internal/sources"
	"github.com/biofact-mcp/biofact/internal/trials"
)

// Options configure a Service.
type Options struct {
	// Sources are the sources that the tools read.
	Sources sources.Sources
	// MaxAnswerBytes limits one answer. The next page has the rest, and a notice says so.
	MaxAnswerBytes int
	// Database has the tables of the registry; nil: no mirror is used. SQLTimeout limits one query over them.
	Database   *database.Database
	SQLTimeout time.Duration
	// Facts describe the server.
	Facts articles.Facts
}

// Service implements the handlers of all tools. It is safe for concurrent use.
type Service struct {
	*trials.Trials
	*genes.Genes
	*articles.Articles
	*drugs.Drugs
	*research.Research
	*database.Tools
	*check.Check
}

var _ tools.Handlers = (*Service)(nil)

// New returns a service.
func New(o Options) *Service {
	s := &Service{
		Trials:   trials.New(o.Sources, o.MaxAnswerBytes),
		Genes:    genes.New(o.Sources, o.MaxAnswerBytes),
		Articles: articles.New(o.Sources, o.MaxAnswerBytes, o.Facts),
		Drugs:    drugs.New(o.Sources, o.MaxAnswerBytes),
	}
	s.Research = research.New(s)
	s.Check = check.New(s, o.Sources, o.MaxAnswerBytes)
	s.Tools = database.NewTools(o.Database, o.MaxAnswerBytes, o.SQLTimeout)
	return s
}
