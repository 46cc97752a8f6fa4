package app

import (
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// Origin returns what everything says that a configuration answers from a sandbox; nil: the sources answer.
func Origin(cfg *config.Config) *tool.Origin {
	switch cfg.Sandbox {
	case "":
		return nil
	case config.SandboxEmbedded:
		return &tool.Origin{
			Notice: "Sandbox: a few example records, shortened, some of them invented. Do not use them as facts.",
			Source: "sandbox", Flag: "--sandbox", Undated: true,
		}
	}
	records := "records from " + cfg.Sandbox
	return &tool.Origin{
		Notice: "R" + records[1:] + ", not from the sources themselves.", Source: records, Flag: "--sandbox=" + cfg.Sandbox,
	}
}
