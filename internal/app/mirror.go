package app

import (
	"context"
	"slices"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// MirrorSync returns a Sync for the local mirror of a configuration, at the pace that all processes share, and a function to call when the
// Sync is no longer needed.
func MirrorSync(ctx context.Context, cfg *config.Config, version string) (*mirror.Sync, func() error, error) {
	log, closeLog, err := cfg.Logger()
	if err != nil {
		return nil, nil, err
	}
	direct := *cfg
	direct.Mirror = config.MirrorOff // requests go to the registry itself
	reach, _, err := network(ctx, &direct)
	if err != nil {
		return nil, nil, err
	}
	shared := Store(cfg, log)
	all := source.All()
	registry := &all[slices.IndexFunc(all, func(s source.Source) bool { return s.Name == source.CTGov })]
	client := upstream.NewClient(optionsOf(&direct, version, reach, shared, log)(registry))
	sync := &mirror.Sync{
		Path: cfg.MirrorFile(), Source: cfg.MirrorSource(), URL: registry.BaseURL(cfg), Do: registry.Doer(cfg, version, client),
		History: cfg.MirrorHistory,
	}
	return sync, func() error {
		defer func() { _ = closeLog() }() // all results have been printed
		return shared.Close()
	}, nil
}
