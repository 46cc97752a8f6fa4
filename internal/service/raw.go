package service

import (
	"context"
	"slices"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// rawArgs has the ids that the tools for records take.
type rawArgs struct {
	NCTID    string   `json:"nct_id"`
	NCTIDs   []string `json:"nct_ids"`
	EntrezID string   `json:"entrez_id"`
	PMIDs    []string `json:"pmids"`
}

// rawAnswer is empty: the record is passed to the callback of RawTool.
type rawAnswer struct{}

// HasRaw reports whether RawTool supports a tool.
func HasRaw(toolName string) bool { return (&Service{}).rawReader(toolName) != nil }

// RawTool returns a tool that takes the arguments of another one and passes the source's own record to take: JSON of ClinicalTrials.gov,
// one record per line, or XML of NCBI. HasRaw must be true for the tool.
func (s *Service) RawTool(t *tool.Tool, take func(record []byte)) *tool.Tool {
	read := s.rawReader(t.Name)
	return tool.New(t.Definition, func() rawArgs { return rawArgs{} },
		func(ctx context.Context, args rawArgs) (answer entity.Answer[rawAnswer], err error) {
			record, err := read(ctx, t.Name, args.ids(), &answer.Notes)
			if err == nil {
				take(record)
			}
			return answer, err
		})
}

func (a rawArgs) ids() []string {
	if ids := slices.Concat(a.NCTIDs, a.PMIDs); len(ids) > 0 {
		return ids
	}
	return []string{a.NCTID + a.EntrezID}
}

type rawReader func(ctx context.Context, toolName string, ids []string, notes *entity.Notes) ([]byte, error)

// rawReader returns the function that reads the records of a tool, or nil.
func (s *Service) rawReader(toolName string) rawReader {
	switch toolName {
	case tools.GetTrial, tools.GetTrialLocations, tools.GetTrialResults, tools.CompareTrials:
		return s.Trials.Raw
	case tools.GetGene:
		return s.Genes.Raw
	case tools.FetchArticleDetails:
		return s.Articles.Raw
	}
	return nil
}
