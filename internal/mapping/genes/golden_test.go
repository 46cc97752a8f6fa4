package genes_test

import (
	"encoding/json"
	"testing"

	"github.com/biofact-mcp/biofact/gen/datasets"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/genes"
	"github.com/biofact-mcp/biofact/internal/mapping/mappingtest"
)

// TestReportGoldens maps reports of NCBI Datasets, one a line, and compares each list of answers with its golden file.
func TestReportGoldens(t *testing.T) {
	t.Parallel()
	type answer struct {
		Ortholog    *entity.GeneOrtholog    `json:"ortholog,omitzero"`
		Transcripts []entity.GeneTranscript `json:"transcripts,omitzero"`
		Notices     []string                `json:"notices,omitzero"`
		Err         string                  `json:"err,omitzero"`
	}
	for _, name := range []string{"orthologs", "transcripts"} {
		var all []answer
		for _, line := range expect.Lines(t, "testdata/"+name+".jsonl") {
			var report datasets.V2reportsGeneReportMatch
			var a answer
			expect.NoError(t, json.Unmarshal(line, &report))
			var err error
			if name == "orthologs" {
				var ortholog entity.GeneOrtholog
				ortholog, a.Notices, err = genes.GeneOrtholog(&report)
				a.Ortholog = &ortholog
			} else {
				a.Transcripts, a.Notices, err = genes.GeneTranscripts(&report)
			}
			if err != nil {
				a = answer{Err: err.Error()}
			}
			all = append(all, a)
		}
		mappingtest.Golden(t, "testdata/"+name+".golden.json", all)
	}
}
