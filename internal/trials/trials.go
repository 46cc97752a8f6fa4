// Package trials serves the tools for clinical trials: it turns their arguments into queries of the registry, and its records into
// answers. It uses the registry through its package alone, and knows neither genes nor articles.
package trials

import (
	"github.com/biofact-mcp/biofact/internal/sources"
)

// Trials serves the tools for clinical trials. It is safe for concurrent use.
type Trials struct {
	sources   sources.Sources
	maxAnswer int
}

// New returns the tools for clinical trials. maxAnswer limits an answer in bytes.
func New(from sources.Sources, maxAnswer int) *Trials { return &Trials{from, maxAnswer} }

// ExportTrialsName is the name of an export in messages.
const ExportTrialsName = "export trials"
