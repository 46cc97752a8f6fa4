// Package sources opens the sources that the tools ask.
package sources

import (
	"errors"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
)

// Sources are the sources that the tools ask.
type Sources struct {
	Trials   *ctgov.Registry
	Genes    *ncbi.Genes
	Articles *ncbi.Articles
}

// Open opens every source by its access, which is given by name.
func Open(cfg *config.Config, access map[string]source.Access) (*Sources, error) {
	atNCBI := ncbi.Options{Access: access[source.NCBI], RecordAge: cfg.RecordAge, SearchAge: cfg.SearchAge}
	s := &Sources{}
	return s, errors.Join(
		open(&s.Trials, ctgov.New, access[source.CTGov]),
		open(&s.Genes, ncbi.NewGenes, atNCBI),
		open(&s.Articles, ncbi.NewArticles, atNCBI),
	)
}

// open opens one source into its field.
func open[Options, Source any](into *Source, with func(Options) (Source, error), options Options) (err error) {
	*into, err = with(options)
	return err
}
