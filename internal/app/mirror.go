package app

import (
	"context"
	"slices"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// MirrorSync returns what syncs the local mirror of a configuration, at the pace that all processes share, and what
// must be called when it is not needed any more.
func MirrorSync(ctx context.Context, cfg *config.Config, version string) (*mirror.Sync, func() error, error) {
	log, closeLog, err := cfg.Logger()
	if err != nil {
		return nil, nil, err
	}
	direct := *cfg
	direct.Mirror = config.MirrorOff // the registry itself is asked
	reach, err := network(ctx, &direct)
	if err != nil {
		return nil, nil, err
	}
	shared := store.New(store.Options{
		Path: cfg.CacheFile(), PaceShare: cfg.NoCacheFolder(), MaxBytes: cfg.CacheBytes,
		RedisURL: string(cfg.RedisURL), Replicas: cfg.Replicas, Log: log,
	})
	all := source.All()
	registry := &all[slices.IndexFunc(all, func(s source.Source) bool { return s.Name == source.CTGov })]
	client := upstream.NewClient(optionsOf(&direct, version, reach, shared, log)(registry))
	sync := &mirror.Sync{
		Path: cfg.MirrorFile(), Source: cfg.MirrorSource(), URL: registry.BaseURL(cfg), Do: registry.Doer(cfg, version, client),
	}
	return sync, func() error {
		defer func() { _ = closeLog() }() // what was to be said is printed
		return shared.Close()
	}, nil
}
