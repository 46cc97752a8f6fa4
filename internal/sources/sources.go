// Package sources opens the sources that the tools use.
package sources

import (
	"errors"
	"maps"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/source/datasets"
	"github.com/biofact-mcp/biofact/internal/source/europepmc"
	"github.com/biofact-mcp/biofact/internal/source/idconv"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/source/openfda"
)

// Sources are the sources that the tools use.
type Sources struct {
	Trials   *ctgov.Registry
	Genes    *ncbi.Genes
	Articles *ncbi.Articles
	Datasets *datasets.Datasets

	FullTexts *ncbi.FullTexts
	Mesh      *ncbi.Mesh
	EuropePMC *europepmc.EuropePMC
	IDConv    *idconv.Converter
	OpenFDA   *openfda.OpenFDA
}

// Open opens every source with its access, which is given by name. The mirror of the registry may be nil.
func Open(cfg *config.Config, access map[string]source.Access, mirror *ctgov.Mirror) (*Sources, error) {
	access = maps.Clone(access)
	for name, a := range access {
		a.RecordAge, a.SearchAge = cfg.RecordAge, cfg.SearchAge
		access[name] = a
	}
	s, atNCBI := &Sources{}, access[source.NCBI]
	return s, errors.Join(
		open(&s.Trials, ctgov.New, ctgov.Options{Access: access[source.CTGov], Mirror: mirror}),
		open(&s.Genes, ncbi.NewGenes, atNCBI),
		open(&s.Articles, ncbi.NewArticles, atNCBI),
		open(&s.Mesh, ncbi.NewMesh, atNCBI),
		open(&s.FullTexts, ncbi.NewFullTexts, atNCBI),
		open(&s.EuropePMC, europepmc.New, access[source.EuropePMC]),
		open(&s.IDConv, idconv.New, access[source.IDConv]),
		open(&s.Datasets, datasets.New, access[source.Datasets]),
		open(&s.OpenFDA, openfda.New, access[source.OpenFDA]),
	)
}

// open opens one source and assigns it to its field.
func open[Options, Source any](into *Source, with func(Options) (Source, error), options Options) (err error) {
	*into, err = with(options)
	return err
}
