package articles

import (
	"bytes"
	"context"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
)

// Raw returns the records of articles as one set.
func (s *Articles) Raw(ctx context.Context, toolName string, ids []string, notes *entity.Notes) ([]byte, error) {
	pmids, err := readPMIDs(toolName, ids, notes)
	if err != nil {
		return nil, err
	}
	texts, err := s.sources.Articles.Texts.GetAll(ctx, pmids, notes)
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
		return nil, envelope.Refuse("", entity.Cut(strings.Join(ids, ", "), 200), "PubMed has no article with these ids").
			As(entity.UnresolvedEntity).Hint("Check the digits, or call searchPubMedArticles with words of the title.")
	}
	if len(missing) > 0 {
		notes.Add("PubMed does not have " + strings.Join(missing, ", ") + ".")
	}
	set.WriteString(ncbi.SetTail)
	return set.Bytes(), nil
}
