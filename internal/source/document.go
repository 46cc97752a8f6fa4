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

// utilities is the address of NCBI's E-utilities, whose XML replies name their DTDs.
const utilities = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/"

// A Document is an official description of the answers of a source: an OpenAPI document or a DTD.
type Document struct {
	// Name is the name of the document; that of a source with one document is the source's.
	Name string
	// URL is where its operator publishes it, or a reply that names the DTD.
	URL string
	// Spec is the file of the repository that has its structure.
	Spec string
}

// Documents returns the official document of a name, or all of them for an empty name. For one document, from may replace its URL: another
// URL, or a file.
func Documents(name, from string) ([]Document, error) {
	var names []string
	var documents []Document
	for _, s := range All() {
		for _, d := range s.Documents {
			names = append(names, d.Name)
			if name == "" || name == d.Name {
				d.URL = cmp.Or(from, d.URL)
				documents = append(documents, d)
			}
		}
	}
	if len(documents) == 0 {
		return nil, fmt.Errorf("no official document %s; the documents are %s", name, strings.Join(names, ", "))
	}
	if from != "" && len(documents) > 1 {
		return nil, errors.New("name the document: " + strings.Join(slices.Sorted(slices.Values(names)), ", "))
	}
	return documents, nil
}
