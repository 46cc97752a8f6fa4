package main

import (
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/metrics"
	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/mcpserver"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/service"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// An app is everything wired together, from the network up to the tools.
type app struct {
	tools     []*tool.Tool
	unserved  []*tool.Tool // of toolsets that are not served
	resources []tool.Resource
	sources   map[string]source.Access // by name
	metrics   *metrics.Metrics         // nil where nobody can look at them
	log       *slog.Logger
	store     *store.Store
	closeLog  func() error
}

// maxBody bounds one body of a source in memory: the largest page of 200
// candidates, and of 100 whole records, stays far below it.
const maxBody = 16 << 20

func newApp(cfg *config.Config) (*app, error) {
	log, closeLog, err := cfg.Logger()
	if err != nil {
		return nil, err
	}
	base, err := exchange(cfg)
	if err != nil {
		return nil, err
	}
	if cfg.RedisURL != "" {
		if err := store.CheckRedisURL(string(cfg.RedisURL)); err != nil {
			return nil, fmt.Errorf("BIOFACT_REDIS_URL: %w", err)
		}
	} else if cfg.NoCacheFolder() {
		log.Warn("the user has no cache folder; answers are kept in memory, and this process keeps a quarter of the pace", "remedy", "set BIOFACT_CACHE_DIR")
	}
	shared := store.New(store.Options{
		Path: cfg.CacheFile(), PaceShare: cfg.NoCacheFolder(), MaxBytes: cfg.CacheBytes,
		RedisURL: string(cfg.RedisURL), Replicas: cfg.Replicas, Log: log,
	})
	kept := shared
	if cfg.Sandbox != "" {
		kept = nil // what a sandbox answers must never be taken for the source's answer
	}
	var figures *metrics.Metrics
	var observe source.Observer
	if cfg.HTTP() { // over stdio there is nobody who watches them
		figures = metrics.New(metrics.Options{Version: buildVersion(), Tools: toolNames(), Degraded: shared.Degraded, Log: log})
		observe = source.Observer{Batch: figures.Batch, Cache: figures.Cache}
	}
	access := map[string]source.Access{}
	for _, s := range source.All() {
		s.Warn(cfg, log)
		o := s.Options(cfg, common(cfg, base, shared, log))
		if figures != nil {
			o.Observe = figures.Upstream(s.Name)
		}
		client := upstream.NewClient(o)
		if figures != nil {
			figures.Queue(s.Name, func() int { return client.State().Queued })
		}
		access[s.Name] = source.Access{
			Source: s, URL: s.URL(cfg), Client: client, Doer: s.Doer(cfg, buildVersion(), client), Store: kept, Observe: observe,
		}
	}
	handlers, err := newService(cfg, access)
	if err != nil {
		return nil, err
	}
	a := &app{log: log, store: shared, closeLog: closeLog, metrics: figures, sources: access}
	for _, t := range tools.Table(handlers) {
		if slices.Contains(cfg.Toolsets, t.Toolset) {
			a.tools = append(a.tools, t)
		} else {
			a.unserved = append(a.unserved, t)
		}
	}
	for _, r := range handlers.Resources() {
		if slices.Contains(cfg.Toolsets, r.Toolset) {
			a.resources = append(a.resources, r)
		}
	}
	return a, nil
}

// newService returns the service of all tools over their sources.
func newService(cfg *config.Config, access map[string]source.Access) (*service.Service, error) {
	trials, err := ctgov.New(access[source.CTGov])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", access[source.CTGov].URL, err)
	}
	options := ncbi.Options{Access: access[source.NCBI], RecordAge: cfg.RecordAge, SearchAge: cfg.SearchAge}
	genes, err := ncbi.NewGenes(options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", options.URL, err)
	}
	articles, err := ncbi.NewArticles(options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", options.URL, err)
	}
	return service.New(service.Options{
		Trials: trials, Genes: genes, Articles: articles, MaxAnswerBytes: cfg.MaxAnswerBytes,
		Facts: service.Facts{
			Version: buildVersion(), ProtocolVersion: mcpserver.ProtocolVersion,
			NCBITool: source.NCBITool(cfg, buildVersion()), NCBIEmail: cfg.Contact, NCBIKey: cfg.NCBIAPIKey != "",
		},
	}), nil
}

// common returns what the ways to ask all sources have in common.
func common(cfg *config.Config, base http.RoundTripper, turns *store.Store, log *slog.Logger) upstream.Options {
	return upstream.Options{Base: base, Turns: turns, MaxBody: maxBody, UserAgent: cfg.UserAgent(buildVersion()), Log: log}
}

// exchange returns what makes the requests: the network, or the sandbox.
func exchange(cfg *config.Config) (http.RoundTripper, error) {
	if cfg.Sandbox == "" {
		return cfg.Network(), nil
	}
	s, err := openSandbox(cfg.Sandbox)
	if err != nil || cfg.SandboxFault == "" {
		return s, err
	}
	fault := sandbox.Fault(cfg.SandboxFault)
	if faults := slices.Concat(sandbox.AllFaults(), sandbox.EutilsFaults()); !slices.Contains(faults, fault) {
		return nil, fmt.Errorf("--sandbox-fault: must be one of %v, was %s", faults, fault)
	}
	return &sandbox.Faults{Next: s, Plan: func(int, *http.Request) sandbox.Fault { return fault }}, nil
}

func openSandbox(path string) (*sandbox.Sandbox, error) {
	if path == config.SandboxEmbedded {
		return sandbox.New()
	}
	return sandbox.Open(path)
}

func (a *app) close() {
	if err := a.store.Close(); err != nil {
		a.log.Warn("close the cache", "cause", err)
	}
	if err := a.closeLog(); err != nil {
		slog.Error("close the log", "cause", err)
	}
}

// toolNames are the names of all tools, as their schemas have them.
func toolNames() (names []string) {
	for _, schema := range schemas.Names() {
		if name, ok := strings.CutSuffix(schema, ".input"); ok {
			names = append(names, name)
		}
	}
	return names
}

// tool returns the tool of a name, or nil.
func (a *app) tool(name string) *tool.Tool {
	i := slices.IndexFunc(a.tools, func(t *tool.Tool) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return a.tools[i]
}
