// Package app creates all parts of the program, from the network to the tools.
package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/biofact-mcp/biofact/internal/articles"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/database"
	"github.com/biofact-mcp/biofact/internal/mcpserver"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/service"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/sources"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// An App has the parts of the program, as a configuration sets them.
type App struct {
	// Tools that are served, in the order of the contract.
	Tools []*tool.Tool
	// Unserved are the tools that are not served.
	Unserved []*tool.Tool
	// Service implements the tools.
	Service *service.Service
	// Resources that are served.
	Resources []tool.Resource
	// Prompts whose tools are all served.
	Prompts []*tool.Prompt
	// Sources by name.
	Sources map[string]source.Access
	// Log of the configuration.
	Log *slog.Logger
	// Store stores answers and the pace.
	Store *store.Store

	// LeftOut are the files of the sandbox that hold no records, each with the reason.
	LeftOut []string

	closeLog func() error
	mirror   *ctgov.Mirror // nil: no mirror is used
}

// Metrics receives metrics about the requests to the sources. Its methods are called concurrently and must not block.
type Metrics interface {
	// Upstream returns the observer for the client of a source.
	Upstream(source string) upstream.Observer
	// Queue registers a function that returns how many requests to a source wait.
	Queue(source string, length func() int)
	// Batch and Cache are those of source.Observer.
	Batch(source, kind string, questions int)
	Cache(source, kind, use string, questions int)
}

// maxBody limits one body of a source in memory: the largest page of 200 candidates, and one of 100 full records, is far below it.
const maxBody = 16 << 20

// New creates the parts of a configuration, which must be valid. Version is that of the program; metrics may be nil. The records of a
// sandbox are read until ctx ends.
func New(ctx context.Context, cfg *config.Config, version string, metrics Metrics) (*App, error) {
	log, closeLog, err := cfg.Logger()
	if err != nil {
		return nil, err
	}
	transports, leftOut, err := network(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if cfg.RedisURL != "" {
		if err := store.CheckRedisURL(string(cfg.RedisURL)); err != nil {
			return nil, fmt.Errorf("BIOFACT_REDIS_URL: %w", err)
		}
	} else if cfg.NoCacheFolder() {
		log.Warn("the user has no cache folder; answers are kept in memory, and this process keeps a quarter of the pace", "remedy",
			"set BIOFACT_CACHE_DIR")
	}
	shared := Store(cfg, log)
	answers := shared
	if cfg.Sandbox != "" {
		answers = nil // an answer of a sandbox must never be used as the source's answer
	}
	var observe source.Observer
	if metrics != nil {
		observe = source.Observer{Batch: metrics.Batch, Cache: metrics.Cache}
	}
	options := optionsOf(cfg, version, transports, shared, log)
	access := map[string]source.Access{}
	for _, s := range source.All() {
		s.Warn(cfg, log)
		o := options(&s)
		if metrics != nil {
			o.Observe = metrics.Upstream(s.Name)
		}
		client := upstream.NewClient(o)
		if metrics != nil {
			metrics.Queue(s.Name, func() int { return client.State().Queued })
		}
		access[s.Name] = source.Access{
			Source: s, URL: s.URL(cfg), Client: client, Doer: s.Doer(cfg, version, client), Store: answers, Observe: observe,
		}
	}
	mirrored := openMirror(cfg, log)
	handlers, err := newService(cfg, version, access, mirrored)
	if err != nil {
		return nil, err
	}
	a := &App{LeftOut: leftOut, Log: log, Store: shared, closeLog: closeLog, Sources: access, Service: handlers, mirror: mirrored}
	a.serve(handlers, cfg)
	return a, nil
}

// Store returns the store of a configuration.
func Store(cfg *config.Config, log *slog.Logger) *store.Store {
	return store.New(store.Options{
		Path: cfg.CacheFile(), PaceShare: cfg.NoCacheFolder(), MaxBytes: cfg.CacheBytes,
		RedisURL: string(cfg.RedisURL), Replicas: cfg.Replicas, Log: log,
	})
}

// newService returns the service of all tools over their sources.
func newService(cfg *config.Config, version string, access map[string]source.Access, mirrored *ctgov.Mirror) (*service.Service, error) {
	opened, err := sources.Open(cfg, access, mirrored)
	if err != nil {
		return nil, err
	}
	var tables *database.Database
	if mirrored != nil || cfg.SQLURL != "" {
		if tables, err = database.Serve(cfg.MirrorFile(), string(cfg.SQLURL)); err != nil {
			return nil, err
		}
	}
	return service.New(service.Options{
		Sources: *opened, MaxAnswerBytes: cfg.MaxAnswerBytes, Database: tables, SQLTimeout: cfg.SQLTimeout,
		Facts: articles.Facts{
			Version: version, ProtocolVersion: mcpserver.ProtocolVersion,
			NCBITool: source.NCBITool(cfg, version), NCBIEmail: cfg.Contact, NCBIKey: cfg.NCBIAPIKey != "",
		},
	}), nil
}

// openMirror returns the local mirror of the registry that a configuration uses, or nil.
func openMirror(cfg *config.Config, log *slog.Logger) *ctgov.Mirror {
	path := cfg.MirrorFile()
	if cfg.Mirror == config.MirrorOff || path == "" {
		return nil
	}
	return &ctgov.Mirror{Reader: mirror.NewReader(path), Source: cfg.MirrorSource(), Only: cfg.Mirror == config.MirrorOnly, Log: log}
}

// MirrorSynced returns the time of the last sync of the local mirror; false: no mirror is used, or it is not complete.
func (a *App) MirrorSynced(ctx context.Context) (time.Time, bool) {
	if a.mirror == nil {
		return time.Time{}, false
	}
	state, err := a.mirror.Reader.State(ctx)
	return state.Synced, err == nil && state.Complete()
}

// Options returns the client options of each source, for the network or the sandbox, with turns in a store.
func Options(ctx context.Context, cfg *config.Config, version string, turns *store.Store) (func(*source.Source) upstream.Options, error) {
	transports, _, err := network(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return optionsOf(cfg, version, transports, turns, slog.New(slog.DiscardHandler)), nil
}

func optionsOf(cfg *config.Config, version string, transports transports, turns *store.Store,
	log *slog.Logger) func(*source.Source) upstream.Options {
	return func(s *source.Source) upstream.Options {
		return s.Options(cfg, upstream.Options{Base: transports(s), Turns: turns, MaxBody: maxBody, UserAgent: cfg.UserAgent(version),
			Log: log})
	}
}

// transports returns the transport for requests to a source.
type transports func(*source.Source) http.RoundTripper

// network returns the transports of the network, or of the sandbox, with the files that the sandbox leaves out.
func network(ctx context.Context, cfg *config.Config) (reach transports, leftOut []string, err error) {
	if cfg.Sandbox == "" {
		transport := cfg.Network() // shared by all sources, with its connections
		return func(*source.Source) http.RoundTripper { return transport }, nil, nil
	}
	records, err := openSandbox(ctx, cfg.Sandbox)
	if err != nil {
		return nil, nil, err
	}
	inside := func(s *source.Source) http.RoundTripper { return s.Sandbox(records) }
	if cfg.SandboxFault == "" {
		return inside, records.LeftOut(), nil
	}
	fault := sandbox.Fault(cfg.SandboxFault)
	if faults := slices.Concat(sandbox.AllFaults(), sandbox.EutilsFaults()); !slices.Contains(faults, fault) {
		return nil, nil, fmt.Errorf("--sandbox-fault: must be one of %v, was %s", faults, fault)
	}
	return func(s *source.Source) http.RoundTripper {
		return &sandbox.Faults{Next: inside(s), Plan: func(int, *http.Request) sandbox.Fault { return fault }}
	}, records.LeftOut(), nil
}

func openSandbox(ctx context.Context, path string) (*sandbox.Sandbox, error) {
	if path == config.SandboxEmbedded {
		return sandbox.New()
	}
	return sandbox.Open(ctx, path)
}

// Close closes the store and the log.
func (a *App) Close() {
	if err := a.Store.Close(); err != nil {
		a.Log.Warn("close the cache", "cause", err)
	}
	if a.mirror != nil {
		if err := a.mirror.Reader.Close(); err != nil {
			a.Log.Warn("close the mirror", "cause", err)
		}
	}
	if tables := a.Service.Database(); tables != nil {
		if err := tables.Close(); err != nil {
			a.Log.Warn("close the tables", "cause", err)
		}
	}
	if err := a.closeLog(); err != nil {
		slog.Error("close the log", "cause", err)
	}
}

// Tool returns the tool of a name, or nil.
func (a *App) Tool(name string) *tool.Tool {
	i := slices.IndexFunc(a.Tools, func(t *tool.Tool) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return a.Tools[i]
}
