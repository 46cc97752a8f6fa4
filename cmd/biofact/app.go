package main

import (
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/service"
	"github.com/biofact-mcp/biofact/internal/store"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// An app is everything wired together, from the network up to the tools.
type app struct {
	tools    []*tool.Tool
	log      *slog.Logger
	store    *store.Store
	closeLog func() error
}

const (
	// tries is how often one request is made at the most.
	tries = 4
	// maxBody bounds one upstream body: the largest page of 200 candidates, and
	// of 100 whole records, stays far below it.
	maxBody = 64 << 20
)

func newApp(cfg *config.Config) (*app, error) {
	log, closeLog, err := cfg.Logger()
	if err != nil {
		return nil, err
	}
	base, interval, err := exchange(cfg)
	if err != nil {
		return nil, err
	}
	if cfg.CacheFile() == "" && cfg.CacheDir != config.CacheOff {
		log.Warn("the user has no cache folder; answers and pace are kept in memory, for this process alone", "remedy", "set BIOFACT_CACHE_DIR")
	}
	shared := store.New(store.Options{Path: cfg.CacheFile(), MaxBytes: cfg.CacheBytes, Log: log})
	kept := shared
	if cfg.Sandbox != "" {
		kept = nil // what a sandbox answers must never be taken for the source's answer
	}
	handlers, err := service.New(service.Options{
		CTGovURL: cfg.CTGovURL,
		Store:    kept,
		CTGov: upstream.NewClient(upstream.Options{
			Source:    "ClinicalTrials.gov",
			Status:    "https://clinicaltrials.gov/data-api/api",
			Base:      base,
			Interval:  interval,
			Turns:     shared,
			Tries:     tries,
			MaxBody:   maxBody,
			UserAgent: cfg.UserAgent(buildVersion()),
			Log:       log,
		}),
		MaxAnswerBytes: cfg.MaxAnswerBytes,
	})
	if err != nil {
		return nil, err
	}
	a := &app{log: log, store: shared, closeLog: closeLog}
	for _, t := range tools.Table(handlers) {
		if slices.Contains(cfg.Toolsets, t.Toolset) {
			a.tools = append(a.tools, t)
		}
	}
	return a, nil
}

// exchange returns what makes the requests, and their pace: the network, or the
// sandbox, which nobody needs to spare.
func exchange(cfg *config.Config) (http.RoundTripper, time.Duration, error) {
	if cfg.Sandbox == "" {
		return cfg.Network(), cfg.Interval(), nil
	}
	s, err := openSandbox(cfg.Sandbox)
	if err != nil || cfg.SandboxFault == "" {
		return s, 0, err
	}
	fault := sandbox.Fault(cfg.SandboxFault)
	if !slices.Contains(sandbox.AllFaults(), fault) {
		return nil, 0, fmt.Errorf("--sandbox-fault: must be one of %v, was %s", sandbox.AllFaults(), fault)
	}
	return &sandbox.Faults{Next: s, Plan: func(int, *http.Request) sandbox.Fault { return fault }}, 0, nil
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

// tool returns the tool of a name, or nil.
func (a *app) tool(name string) *tool.Tool {
	i := slices.IndexFunc(a.tools, func(t *tool.Tool) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return a.tools[i]
}
