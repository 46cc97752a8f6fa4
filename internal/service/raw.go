package service

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
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
func HasRaw(toolName string) bool { return new(Service).rawReader(toolName) != nil }

// RawTool returns a tool that takes the arguments of another one and passes the source's own record to take: JSON of ClinicalTrials.gov,
// one record per line, or XML of NCBI. HasRaw must be true for the tool.
func (s *Service) RawTool(t *tool.Tool, take func(record []byte)) *tool.Tool {
	read := s.rawReader(t.Name)
	return tool.New(t.Definition, func() rawArgs { return rawArgs{} },
		func(ctx context.Context, args rawArgs) (answer entity.Answer[rawAnswer], err error) {
			record, err := read(ctx, t.Name, args, &answer.Notes)
			if err == nil {
				take(record)
			}
			return answer, err
		})
}

type rawReader func(ctx context.Context, toolName string, args rawArgs, notes *entity.Notes) ([]byte, error)

// rawReader returns the function that reads the records of a tool, or nil.
func (s *Service) rawReader(toolName string) rawReader {
	switch toolName {
	case tools.GetTrial, tools.GetTrialLocations, tools.GetTrialResults, tools.CompareTrials:
		return s.rawTrials
	case tools.GetGene:
		return s.rawGene
	case tools.FetchArticleDetails:
		return s.rawArticles
	}
	return nil
}

// rawTrials returns the records of trials, one per line, in the order of their ids.
func (s *Service) rawTrials(ctx context.Context, toolName string, args rawArgs, notes *entity.Notes) (lines []byte, err error) {
	var ids []string
	if toolName == tools.CompareTrials {
		ids, err = comparedIDs(args.NCTIDs, notes)
	} else {
		ids = []string{""}
		ids[0], err = readNCT(toolName, args.NCTID)
	}
	if err != nil {
		return nil, err
	}
	if slices.Contains(ids, placeholderNCT) { // the registry refuses a request with this id
		return nil, trialNotFound(toolName, placeholderNCT)
	}
	trials, err := s.sources.Trials.RawTrials(ctx, ids, false)
	if err != nil {
		return nil, err
	}
	for _, nct := range ids {
		i := slices.IndexFunc(trials, func(t ctgov.RawTrial) bool { return t.ID == nct || slices.Contains(t.Aliases, nct) })
		if i < 0 {
			return nil, trialNotFound(toolName, nct)
		}
		if trials[i].ID != nct {
			notes.Add(id.NCT.CURIE(nct) + " is an obsolete id of this trial, which is " + id.NCT.CURIE(trials[i].ID) + ".")
		}
		line, err := compactLine(trials[i].Record)
		if err != nil {
			return nil, err
		}
		lines = append(append(lines, line...), '\n')
	}
	return lines, nil
}

// rawGene returns the record of a gene, also of a replaced or discontinued one.
func (s *Service) rawGene(ctx context.Context, toolName string, args rawArgs, _ *entity.Notes) ([]byte, error) {
	gene, err := readGeneID(toolName, args.EntrezID)
	if err != nil {
		return nil, err
	}
	record, err := s.sources.Genes.XML(ctx, gene)
	if err == nil && record == nil {
		return nil, geneNotFound(toolName, gene, nil, false)
	}
	return record, err
}

// rawArticles returns the records of articles as one set.
func (s *Service) rawArticles(ctx context.Context, toolName string, args rawArgs, notes *entity.Notes) ([]byte, error) {
	pmids, notices, err := readPMIDs(toolName, args.PMIDs)
	if err != nil {
		return nil, err
	}
	notes.Add(notices...)
	texts, err := s.sources.Articles.Texts(ctx, pmids, notes)
	if pmids, err = source.LeaveOut(pmids, err, notes); err != nil {
		return nil, err
	}
	var missing []string
	set := bytes.NewBufferString(ncbi.SetHead)
	for _, pmid := range pmids {
		if texts[pmid] == nil {
			missing = append(missing, pmid)
			continue
		}
		set.WriteString(texts[pmid].Text)
	}
	if len(missing) == len(pmids) {
		return nil, &entity.Error{
			Code:    entity.UnresolvedEntity,
			Message: "PubMed has no article with these ids.",
			Hint:    "Check the digits, or call searchPubMedArticles with words of the title.",
			Input:   entity.Cut(strings.Join(args.PMIDs, ", "), 200),
		}
	}
	if len(missing) > 0 {
		notes.Add("PubMed does not have " + strings.Join(missing, ", ") + ".")
	}
	set.WriteString(ncbi.SetTail)
	return set.Bytes(), nil
}
