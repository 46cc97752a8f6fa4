package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// A scratch is a copy of the repository.
type scratch struct{ root string }

// copyRepository copies the files that the project is built from.
func copyRepository(t *testing.T) scratch {
	t.Helper()
	s := scratch{root: t.TempDir()}
	top := os.DirFS("../..")
	entries, err := fs.ReadDir(top, ".")
	expect.NoError(t, err)
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, ".") && name != ".ci" && name != ".github" || name == "bin" || name == "dist" {
			continue
		} else if !e.IsDir() {
			put(t, s.root, name, string(mustRead(t, "../..", name)))
		} else if folder, err := fs.Sub(top, name); err != nil {
			t.Fatal(err)
		} else if err := os.CopyFS(filepath.Join(s.root, name), folder); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// run runs a command at the root of the copy and returns its output.
func (s scratch) run(t *testing.T, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = s.root
	// With -trimpath, unchanged packages come from the cache of an earlier copy. BIOFACT_TEST_BINARY is cleared, because a prebuilt
	// binary is of the repository and not of the copy. The make of a command is not a part of the make that runs the tests.
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath", "BIOFACT_TEST_BINARY=", "MAKELEVEL=", "MAKEFLAGS=")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// must runs a command and fails the test if the command fails.
func (s scratch) must(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := s.run(t, name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return out
}

// guideFiles returns the files in docs/add-a-tool.md, in order.
func guideFiles(t *testing.T) (paths []string, contents map[string]string) {
	t.Helper()
	guide := string(mustRead(t, "../..", "docs/add-a-tool.md"))
	contents = map[string]string{}
	for _, block := range regexp.MustCompile("(?ms)^```\\w+ (\\S+)\n(.*?)^```$").FindAllStringSubmatch(guide, -1) {
		paths = append(paths, block[1])
		contents[block[1]] = block[2]
		if !strings.Contains(guide, "| `"+block[1]+"` |") {
			t.Errorf("the guide's list of files lacks %s", block[1])
		}
	}
	return paths, contents
}

// guideWire returns the commands of docs/add-a-tool.md that run the wire archive, as test patterns and flags.
func guideWire(t *testing.T, guide string) (commands [][]string) {
	t.Helper()
	_, step, _ := strings.Cut(guide, "\n## 4. ")
	step, _, _ = strings.Cut(step, "\n## ")
	for _, m := range regexp.MustCompile(`(?m)^\$ go test ./internal/mcpserver -run (\S+)( -update)?$`).FindAllStringSubmatch(step, -1) {
		command := []string{"-test.run", m[1]}
		if m[2] != "" {
			command = append(command, "-update")
		}
		commands = append(commands, command)
	}
	expect.Must(t, len(commands) == 2, "the guide plays the archive by %v", commands)
	return commands
}

// ofSandbox is the notice of the sandbox in an answer, as a command prints it.
const ofSandbox = ",\n  \"notices\": [\n    \"" +
	"Sandbox: a few example records, shortened, some of them invented. Do not use them as facts.\"\n  ]"

// TestGuide follows docs/add-a-tool.md in a copy of the repository. A new tool compiles and answers after the files of the guide are
// written, and a forgotten part does not compile. A new argument is one line.
func TestGuide(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	s := copyRepository(t)
	paths, contents := guideFiles(t)
	guide := string(mustRead(t, "../..", "docs/add-a-tool.md"))
	expect.Must(t, len(paths) >= 5 && len(paths) <= 6 && slices.Contains(paths, "tools.yaml"), "the guide writes %v", paths)
	tools := string(mustRead(t, s.root, "tools.yaml"))
	renamed := strings.Replace(tools, "{name: title,", "{name: any_title,", 1)
	expect.Must(t, renamed != tools, "tools.yaml has no title to give another name")
	put(t, s.root, "tools.yaml", renamed+"\n"+contents["tools.yaml"])
	words := string(mustRead(t, s.root, "words.yaml"))
	put(t, s.root, "words.yaml", strings.Replace(words, "\n    title:", "\n    any_title:", 1)) // the first is that of the filters
	before := tree(t, s.root)
	mistake := "total_trials: returns TrialTotal: internal/entity has no such type"
	if out, err := s.run(t, "go", "generate", "./..."); err == nil || !strings.Contains(out, mistake) {
		t.Errorf("of an entity that is not there go generate says: %v\n%s", err, out)
	}
	if after := tree(t, s.root); len(after) != len(before) || after["gen/tools/tools.gen.go"] != before["gen/tools/tools.gen.go"] {
		t.Error("go generate wrote something of a wrong input")
	}
	for _, path := range paths {
		if strings.HasPrefix(path, "internal/entity/") {
			put(t, s.root, path, contents[path])
		}
	}
	s.must(t, "go", "generate", "./...")
	out, err := s.run(t, "go", "build", "./gen/fields", "./internal/service")
	for _, want := range []string{"undefined: trials.TrialTotalFields", "missing method TotalTrials"} {
		expect.That(t, strings.Contains(guide, want), "the guide does not show %q", want)
		expect.That(t, err != nil && strings.Contains(out, want),
			"the compiler does not report the forgotten part %q: %v\n%s", want, err, out)
	}
	expect.That(t, strings.Contains(guide, mistake), "the guide does not show %q", mistake)
	for _, path := range paths {
		if path != "tools.yaml" {
			put(t, s.root, path, contents[path])
		}
	}
	s.must(t, "go", "build", "-o", "biofact", "./cmd/biofact")
	_, answer, _ := strings.Cut(s.must(t, "./biofact", "--sandbox", "call", "total_trials", "condition=melanoma", "status=recruiting"), "\n")
	expect.Is(t, answer, "{\n  \"total_count\": 1"+ofSandbox+"\n}\n", "total_trials answers after the line of the sandbox")
	var found struct{ Items []struct{ ID string } }
	_, out, _ = strings.Cut(s.must(t, "./biofact", "--sandbox", "call", "search_trials", "any_title=tyrosinase booster"), "\n")
	if err := json.Unmarshal([]byte(out), &found); err != nil || len(found.Items) != 1 || found.Items[0].ID != "NCT:00184067" {
		t.Errorf("search_trials by any_title answers %s", out)
	}
	if out, err := s.run(t, "./biofact", "--sandbox", "call", "search_trials"); err == nil ||
		!strings.Contains(out, "search_trials was called without any criterion") ||
		!strings.Contains(out, "lead_sponsor, any_title, outcome") {
		t.Errorf("search_trials without arguments answers %s", out)
	}
	s.must(t, "go", "test", "-vet=off", "-c", "-o", "internal/mcpserver/wire.test", "./internal/mcpserver")
	wire := scratch{root: filepath.Join(s.root, "internal/mcpserver")}
	for _, command := range guideWire(t, guide) {
		out = wire.must(t, "./wire.test", append(command, "-test.v")...)
		expect.That(t, strings.Contains(out, "--- PASS: TestWire/stdio/total "), "%s of the guide does not play its archive:\n%s",
			command[1], out)
	}
	s.must(t, "go", "run", "./cmd/generate", "-check")
	expect.Is(t, s.must(t, "gofmt", "-l", "internal/entity", "internal/mapping", "internal/genes", "internal/trials"), "",
		"the guide's code is not as gofmt writes it")
	if server := string(mustRead(t, s.root, "internal/mcpserver/testdata/total.txtar")); !strings.Contains(server, `"total_count": 128`) {
		t.Errorf("the archive has become\n%s", server)
	}
}
