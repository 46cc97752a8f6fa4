package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/clients"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// runConfig runs biofact config with a configuration and returns its output.
func runConfig(t *testing.T, cfg *config.Config, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, comments bytes.Buffer
	cmd := configCommand(cfg)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetOut(&out)
	cmd.SetErr(&comments)
	cmd.SetArgs(args)
	err = cmd.ExecuteContext(t.Context())
	return out.String(), comments.String(), err
}

// TestConfigStartsThisBinary checks that the printed command starts the running binary, from any folder.
func TestConfigStartsThisBinary(t *testing.T) {
	stdout, stderr, err := runConfig(t, &config.Config{Sandbox: config.SandboxEmbedded}, "--client", "cursor")
	expect.NoError(t, err)
	var printed struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
			Env     map[string]string
		}
	}
	if err := json.Unmarshal([]byte(stdout), &printed); err != nil {
		t.Fatalf("%v:\n%s", err, stdout)
	}
	server := printed.MCPServers[clients.Name]
	self, err := os.Executable()
	expect.NoError(t, err)
	expect.That(t, filepath.IsAbs(server.Command) && sameFile(t, server.Command, self),
		"the command is %q, this binary is %q", server.Command, self)
	expect.That(t, len(server.Args) == 1 && server.Args[0] == "--sandbox", "the arguments are %q, want --sandbox", server.Args)
	for _, name := range []string{"NCBI_API_KEY", "NCBI_ADMIN_EMAIL"} {
		expect.That(t, server.Env[name] != "", "no placeholder for %s", name)
	}
	for line := range strings.Lines(stderr) {
		expect.That(t, strings.HasPrefix(line, "# "), "on stderr, not a comment: %q", line)
	}
	expect.That(t, strings.Contains(stderr, "mcp.json"), "stderr does not name the file: %q", stderr)
}

// TestConfigKeepsNoSecret checks that no value of the current environment is printed.
func TestConfigKeepsNoSecret(t *testing.T) {
	cfg := &config.Config{NCBIAPIKey: "k3y-of-mine", Contact: "me@example.org"}
	for _, client := range clients.Names() {
		stdout, stderr, err := runConfig(t, cfg, "--client", client)
		expect.NoError(t, err)
		if all := stdout + stderr; strings.Contains(all, "k3y-of-mine") || strings.Contains(all, "me@example.org") {
			t.Errorf("%s: a value was printed:\n%s", client, all)
		}
	}
}

// TestConfigPlaceholdersCountAsNotSet checks that a setting with an unexpanded placeholder, or with an unset variable, counts as not
// set.
func TestConfigPlaceholdersCountAsNotSet(t *testing.T) {
	for _, client := range []string{"claude-desktop", "claude-code", "cursor", "windsurf", "gemini"} {
		stdout, _, err := runConfig(t, &config.Config{}, "--client", client)
		expect.NoError(t, err)
		var printed struct {
			MCPServers map[string]struct{ Env map[string]string }
		}
		expect.NoError(t, json.Unmarshal([]byte(stdout), &printed))
		var environ []string
		for name, value := range printed.MCPServers[clients.Name].Env {
			environ = append(environ, name+"="+value)
		}
		expect.Must(t, len(environ) == len(userVariables), "%s: %d variables, want %d", client, len(environ), len(userVariables))
		cfg, err := config.Read(environ)
		expect.NoError(t, err)
		expect.Succeeds(t, cfg.Validate(), "%s", client)
		expect.That(t, cfg.NCBIAPIKey == "" && cfg.Contact == "", "%s: a placeholder was taken for a value: %q", client, environ)
	}
}

func TestConfigSandboxPathIsAbsolute(t *testing.T) {
	stdout, _, err := runConfig(t, &config.Config{Sandbox: "records"}, "--client", "claude-desktop")
	expect.NoError(t, err)
	want, err := filepath.Abs("records")
	expect.NoError(t, err)
	encoded, _ := json.Marshal("--sandbox=" + want)
	expect.That(t, strings.Contains(stdout, string(encoded)), "want the argument %s in:\n%s", encoded, stdout)
}

func TestConfigRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		cfg  config.Config
		args []string
		want string
	}{
		"no client":      {args: nil, want: "must be one of claude-desktop,"},
		"another client": {args: []string{"--client", "emacs"}, want: `no client "emacs"`},
		"a URL in a sandbox": {cfg: config.Config{Sandbox: "embedded"},
			args: []string{"--client", "cursor", "--url", "https://host.example/mcp"}, want: "cannot be used with --url"},
		"no URL":      {args: []string{"--client", "cursor", "--url", "host.example/mcp"}, want: "must be http or https"},
		"a file only": {args: []string{"--client", "claude-desktop", "--url", "https://host.example/mcp"}, want: "Settings, Connectors"},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, _, err := runConfig(t, &test.cfg, test.args...)
			expect.That(t, err != nil && strings.Contains(err.Error(), test.want), "the error is %v, want %q", err, test.want)
			expect.That(t, stdout == "", "printed despite the error: %s", stdout)
		})
	}
}

// TestStartedAs checks that the link of a package manager is kept, and that a name that leads to another file or to no file is not
// used.
func TestStartedAs(t *testing.T) {
	dir := t.TempDir()
	self := filepath.Join(dir, "biofact-1.2.3")
	link := filepath.Join(dir, "biofact")
	other := filepath.Join(dir, "other")
	for _, path := range []string{self, other} {
		expect.NoError(t, os.WriteFile(path, nil, 0o755))
	}
	if err := os.Symlink(self, link); err != nil {
		t.Skip("no links here: ", err)
	}
	t.Setenv("PATH", dir)
	for called, want := range map[string]string{
		link:                            link,
		"biofact":                       link,
		self:                            self,
		other:                           self,
		filepath.Join(dir, "not-there"): self,
		"":                              self,
	} {
		expect.Equal(t, fmt.Sprintf("called as %q", called), want, startedAs(called, self))
	}
	t.Chdir(dir)
	if got := startedAs("./biofact", self); !filepath.IsAbs(got) || filepath.Base(got) != "biofact" {
		t.Errorf("called as ./biofact: %q", got)
	}
}

func sameFile(t *testing.T, a, b string) bool {
	t.Helper()
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	expect.Must(t, errA == nil && errB == nil, "%v %v", errA, errB)
	return os.SameFile(infoA, infoB)
}
