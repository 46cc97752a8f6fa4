package app_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/tool"
)

var update = flag.Bool("update", false, "write the contract of each tool anew; the calls of its file stay")

// reference is the one under which an operator finds the cause of an error; each call has another.
var reference = regexp.MustCompile(`reference [0-9a-f]{8}`)

// A frozenTool is the part of a tool that a client sees: its entry in tools/list, and the answers to the calls of the file.
type frozenTool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Toolset     string          `json:"toolset"`
	Description string          `json:"description"`
	Calls       []frozenCall    `json:"calls"`
	Input       json.RawMessage `json:"input_schema"`
	Output      json.RawMessage `json:"output_schema"`
}

type frozenCall struct {
	Arguments json.RawMessage `json:"arguments"`
	Answer    json.RawMessage `json:"answer"`
}

// TestContract: testdata/tools has a file for each tool, so that a reviewer reads a change of the contract as a change of a file.
// A tool that needs a mirror shows the error that says so.
func TestContract(t *testing.T) {
	expect.Long(t)
	cfg, err := config.Read([]string{"BIOFACT_CACHE_DIR=off", "BIOFACT_TOOLSETS=trials,genes,articles,drugs,research,sql"})
	expect.NoError(t, err)
	cfg.Sandbox = config.SandboxEmbedded
	a, err := app.New(t.Context(), cfg, "1.2.3", nil)
	expect.NoError(t, err)
	defer a.Close()
	files := map[string]bool{}
	for _, one := range a.Tools {
		path := filepath.Join("testdata", "tools", one.Name+".json")
		files[path] = true
		t.Run(one.Name, func(t *testing.T) { checkContract(t, a, one, path) })
	}
	written, err := filepath.Glob("testdata/tools/*.json")
	expect.NoError(t, err)
	for _, path := range written {
		expect.That(t, files[path], "%s is of no tool", path)
	}
}

func checkContract(t *testing.T, a *app.App, one *tool.Tool, path string) {
	written, err := os.ReadFile(path)
	expect.NoErrorf(t, err, "read the calls of %s; a new tool starts with {\"calls\": [{\"arguments\": {}}]}", one.Name)
	var frozen frozenTool
	expect.NoError(t, json.Unmarshal(written, &frozen))
	expect.That(t, len(frozen.Calls) >= 3, "%s has %d calls, fewer than 3", path, len(frozen.Calls))
	frozen.Name, frozen.Title, frozen.Toolset, frozen.Description = one.Name, one.Title, one.Toolset, one.Description
	frozen.Input, frozen.Output = one.ListedInput, one.ListedOutput
	for i := range frozen.Calls {
		call := &frozen.Calls[i]
		call.Answer = reference.ReplaceAll(one.Call(t.Context(), a.Log, call.Arguments).JSON, []byte("reference 0"))
	}
	compact, err := entity.JSON(frozen)
	expect.NoError(t, err)
	var text bytes.Buffer
	expect.NoError(t, json.Indent(&text, compact, "", " "))
	text.WriteByte('\n')
	if *update {
		expect.NoError(t, os.WriteFile(path, text.Bytes(), 0o644))
		return
	}
	expect.Equal(t, path+" (go test ./internal/app -run TestContract -update writes it)", string(written), text.String())
}
