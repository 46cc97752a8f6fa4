package source

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// datasetsDocument is the URL where NCBI publishes the OpenAPI document of Datasets.
const datasetsDocument = "https://www.ncbi.nlm.nih.gov/datasets/docs/v2/openapi3/openapi3.docs.yaml"

// A Document is the official OpenAPI document of a source.
type Document struct {
	// URL is where its operator publishes it.
	URL string
	// Spec is the file of the repository that has its structure.
	Spec string
}

// Documents returns the official documents of a source, or of all sources for an empty name. For one document, from may replace its URL:
// another URL, or a file.
func Documents(name, from string) ([]Document, error) {
	var names []string
	var documents []Document
	for _, s := range All() {
		if s.Document == (Document{}) {
			continue
		}
		names = append(names, s.Name)
		if name == "" || name == s.Name {
			documents = append(documents, Document{URL: cmp.Or(from, s.Document.URL), Spec: s.Document.Spec})
		}
	}
	if len(documents) == 0 {
		return nil, fmt.Errorf("source %s has no official document; the sources with one are %s", name, strings.Join(names, ", "))
	}
	if from != "" && len(documents) > 1 {
		return nil, errors.New("name the source of the document: " + strings.Join(slices.Sorted(slices.Values(names)), ", "))
	}
	return documents, nil
}
