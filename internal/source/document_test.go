package source

import (
	"slices"
	"strings"
	"testing"
)

func TestDocuments(t *testing.T) {
	t.Parallel()
	const spec = "specs/clinicaltrials.yaml"
	if got, err := Documents("ctgov", ""); err != nil || !slices.Equal(got, []Document{{CTGov, "https://clinicaltrials.gov/api/oas/v2", spec}}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := Documents("ctgov", "oas.json"); err != nil || !slices.Equal(got, []Document{{CTGov, "oas.json", spec}}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := Documents("", ""); err != nil || !slices.Contains(got, Document{CTGov, "https://clinicaltrials.gov/api/oas/v2", spec}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := Documents("ncbi", ""); err == nil || !strings.HasPrefix(err.Error(),
		"no official document ncbi; the documents are ctgov, pubmed, gene") {
		t.Error(err)
	}
}
