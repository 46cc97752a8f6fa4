package source

import (
	"slices"
	"strings"
	"testing"
)

func TestDocuments(t *testing.T) {
	t.Parallel()
	const spec = "specs/clinicaltrials.yaml"
	if got, err := Documents("ctgov", ""); err != nil || !slices.Equal(got, []Document{{"https://clinicaltrials.gov/api/oas/v2", spec}}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := Documents("ctgov", "oas.json"); err != nil || !slices.Equal(got, []Document{{"oas.json", spec}}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := Documents("", ""); err != nil || !slices.Contains(got, Document{"https://clinicaltrials.gov/api/oas/v2", spec}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := Documents("ncbi", ""); err == nil || !strings.HasPrefix(err.Error(),
		"source ncbi has no official document; the sources with one are ctgov") {
		t.Error(err)
	}
}
