package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestDeploy checks that the files for operators parse, and that Compose starts the image with settings that exist.
func TestDeploy(t *testing.T) {
	t.Chdir("..")
	var compose struct {
		Services map[string]struct {
			Image, Command string
			Build          struct{ Context, Dockerfile string }
			Environment    map[string]string
			Secrets        []string
		}
		Secrets map[string]struct{ File string }
	}
	var alerts struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	var dashboard struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	for file, into := range map[string]any{"compose": &compose, "alerts": &alerts} {
		text, err := os.ReadFile("packaging/deploy/" + file + ".yaml")
		expect.NoError(t, err)
		expect.NoError(t, yaml.Unmarshal(text, into))
	}
	readJSON(t, "packaging/deploy/dashboard.json", &dashboard)
	expect.That(t, len(alerts.Groups) == 1 && len(alerts.Groups[0].Rules) >= 5 && len(dashboard.Panels) >= 10, "%v, %v", alerts, dashboard)
	settings, err := os.ReadFile("docs/configuration.md")
	expect.NoError(t, err)
	server := compose.Services["biofact"]
	for name := range server.Environment {
		expect.That(t, strings.Contains(string(settings), "| `"+name+"` |"), "no setting %s", name)
	}
	_, err = os.Stat(filepath.Join("packaging/deploy", server.Build.Context, server.Build.Dockerfile))
	expect.NoError(t, err)
	expect.That(t, server.Command == "serve --http" && len(server.Secrets) == 1 &&
		compose.Secrets[server.Secrets[0]].File == "./secret" &&
		server.Environment["MCP_AUTH_SECRET_KEY_FILE"] == "/run/secrets/"+server.Secrets[0] &&
		compose.Services["redis"].Image == "redis:7" &&
		strings.Contains(compose.Services["proxy"].Command, "--to biofact:3010"), "%+v", compose)
}
