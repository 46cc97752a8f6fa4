package app

import (
	"fmt"
	"slices"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/service"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// Validate returns an error for the first setting that is invalid. If the configuration names tools, their toolsets become its toolsets.
func Validate(cfg *config.Config) error {
	if err := cfg.Validate(); err != nil || len(cfg.Tools) == 0 {
		return err
	}
	var noService *service.Service
	var toolsets []string
	all := tools.Table(noService)
	for _, name := range cfg.Tools {
		i := slices.IndexFunc(all, func(t *tool.Tool) bool { return t.Name == name })
		if i < 0 {
			return fmt.Errorf("BIOFACT_TOOLS: %s", tool.Missing(name, nil, all, func(*tool.Tool) string { return "" }))
		}
		set := all[i].Toolset
		if !cfg.DefaultToolsets() && !slices.Contains(cfg.Toolsets, set) {
			return fmt.Errorf("BIOFACT_TOOLS: %s is a tool of the toolset %s, which BIOFACT_TOOLSETS leaves out", name, set)
		}
		toolsets = append(toolsets, set)
	}
	cfg.Toolsets = slices.DeleteFunc(slices.Clone(cfg.KnownToolsets()), func(set string) bool { return !slices.Contains(toolsets, set) })
	return nil
}

// Listed returns the tools that a configuration serves, for listing only: no service is behind them, so that no file is opened.
func Listed(cfg *config.Config) []*tool.Tool {
	var noService *service.Service
	return slices.DeleteFunc(tools.Table(noService), func(t *tool.Tool) bool { return !serves(cfg, t) })
}

func serves(cfg *config.Config, t *tool.Tool) bool {
	return slices.Contains(cfg.Toolsets, t.Toolset) && (len(cfg.Tools) == 0 || slices.Contains(cfg.Tools, t.Name))
}

// serve selects the tools, resources and prompts that a configuration serves.
func (a *App) serve(handlers *service.Service, cfg *config.Config) {
	for _, t := range tools.Table(handlers) {
		t.MaxAnswer, t.Origin = cfg.MaxAnswerBytes, Origin(cfg)
		if t.NeedsMirror {
			t.CanAnswer = handlers.HasChanges
		}
		if serves(cfg, t) {
			a.Tools = append(a.Tools, t)
		} else {
			t.Setting = "BIOFACT_TOOLSETS"
			if len(cfg.Tools) > 0 {
				t.Setting = "BIOFACT_TOOLS"
			}
			a.Unserved = append(a.Unserved, t)
		}
	}
	for _, r := range handlers.Resources() {
		if slices.Contains(cfg.Toolsets, r.Toolset) {
			a.Resources = append(a.Resources, r)
		}
	}
	served := func(step tool.PromptStep) bool {
		return slices.ContainsFunc(a.Tools, func(t *tool.Tool) bool { return t.Name == step.Tool })
	}
	for _, p := range tools.Prompts() {
		if !slices.ContainsFunc(p.Steps, func(step tool.PromptStep) bool { return !served(step) }) {
			a.Prompts = append(a.Prompts, p)
		}
	}
}
