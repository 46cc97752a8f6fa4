package articles

import (
	"context"
	"fmt"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"

	"github.com/biofact-mcp/biofact/internal/entity"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/articles"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// Resources returns the resources for PubMed.
func (s *Articles) Resources() []tool.Resource {
	return []tool.Resource{
		{
			URI: "pubmed-connect://info", Name: "serverInfo", Title: "About this server", Toolset: "articles", MIMEType: "application/json",
			Description: "The server of the PubMed tools, its limits for requests to NCBI, and the last answer of NCBI.",
			Read:        s.serverInfo,
		},
		{
			URI: "pubmed-connect://stats/pubmed", Name: "getPubMedStats", Title: "Figures of PubMed", Toolset: "articles",
			MIMEType:    "application/json",
			Description: "Number of records, last update, search fields and link names of PubMed, from EInfo.",
			Read:        s.pubMedStats,
		},
	}
}

func (s *Articles) serverInfo(context.Context) ([]byte, error) {
	n := s.facts
	usage, allowed := "No NCBI API key", 3
	if n.NCBIKey {
		usage, allowed = "NCBI API key in use", 10
	}
	info := entity.ServerInfo{
		ServerName: "biofact", ServerVersion: n.Version, MCPSpecVersion: n.ProtocolVersion,
		Description:  "MCP server for PubMed, NCBI Gene and ClinicalTrials.gov.",
		ContactEmail: n.NCBIEmail,
		NCBICompliance: entity.NCBICompliance{
			APIUsageStatus:            usage,
			ToolIdentifier:            n.NCBITool,
			NCBIUsagePolicyURL:        "https://www.ncbi.nlm.nih.gov/books/NBK25497/",
			CurrentRateLimitAdherence: adherence(s.sources.Articles.Interval(), allowed),
		},
		SupportedEUtilities: tools.EUtilities(),
		DocumentationURL:    "https://github.com/biofact-mcp/biofact",
	}
	state := s.sources.Articles.State()
	info.OperationalStatus = entity.OperationalStatus{NCBIStatus: "Unknown", InternalQueueLength: state.Queued}
	if up, known := state.Up(); known {
		info.OperationalStatus.NCBIStatus = "Failing"
		last := state.Failed
		if up {
			info.OperationalStatus.NCBIStatus, last = "Nominal", state.Answered
		}
		info.OperationalStatus.LastNCBIConnectivityCheck = last.UTC().Format(time.RFC3339)
	}
	return entity.JSON(info)
}

// adherence describes the interval between requests. Without an interval, the requests do not go to NCBI.
func adherence(interval time.Duration, allowed int) string {
	if interval == 0 {
		return "Requests are not spaced: they do not go to NCBI"
	}
	return fmt.Sprintf("Requests start at least %d ms apart, all callers and processes together; NCBI allows %d a second",
		interval.Milliseconds(), allowed)
}

func (s *Articles) pubMedStats(ctx context.Context) ([]byte, error) {
	var notes entity.Notes
	info, err := s.sources.Articles.Info(ctx, &notes)
	if err != nil {
		return nil, err
	}
	stats := mapping.PubMedStats(info)
	stats.EInfoURL = ncbi.InfoURL()
	return entity.JSON(entity.Answer[entity.PubMedStats]{Value: stats, Notes: notes})
}
