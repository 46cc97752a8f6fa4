package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// A guideBlock is a file, or a change of a file, in a guide.
type guideBlock struct{ kind, path, text string }

// guideBlocks returns the files and changes in a guide, in order.
func guideBlocks(guide string) []guideBlock {
	var blocks []guideBlock
	for _, block := range regexp.MustCompile("(?ms)^```(\\w+) (\\S+)\n(.*?)^```$").FindAllStringSubmatch(guide, -1) {
		blocks = append(blocks, guideBlock{block[1], block[2], block[3]})
	}
	return blocks
}

// apply writes the file of a block, or makes its change. The lines to replace must occur exactly once in the file.
func (s scratch) apply(t *testing.T, b guideBlock) {
	t.Helper()
	switch {
	case b.kind == "diff":
		var before, after strings.Builder
		for line := range strings.Lines(b.text) {
			if line[0] != '+' {
				before.WriteString(line[1:])
			}
			if line[0] != '-' {
				after.WriteString(line[1:])
			}
		}
		file := string(mustRead(t, s.root, b.path))
		expect.Must(t, strings.Count(file, before.String()) == 1, "%s has not once\n%s", b.path, before.String())
		put(t, s.root, b.path, strings.Replace(file, before.String(), after.String(), 1))
	case b.path == "tools.yaml":
		put(t, s.root, b.path, string(mustRead(t, s.root, b.path))+"\n"+b.text)
	default:
		put(t, s.root, b.path, b.text)
	}
}

// TestSourceGuide follows docs/add-a-source.md in a copy of the repository. A new source is served after the files and changes of the
// guide are made, and no other hand-written file has to change.
func TestSourceGuide(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	s := copyRepository(t)
	guide := string(mustRead(t, s.root, "docs/add-a-source.md"))
	paths := map[string]bool{"CHANGELOG.md": true}
	for _, block := range guideBlocks(guide) {
		s.apply(t, block)
		paths[block.path] = true
	}
	for path := range paths {
		expect.That(t, strings.Contains(guide, "| `"+path+"` |"), "the guide's lists of files lack %s", path)
	}
	if named := strings.Count(guide, "\n| `"); named != len(paths) || named > 15 {
		t.Errorf("the guide names %d files and writes %d; the most is 15", named, len(paths))
	}
	s.must(t, "go", "generate", "./...")
	s.must(t, "go", "build", "-o", "biofact", "./cmd/biofact")
	const want = "{\n  \"id\": \"NCBIGene:7157\",\n  \"tissues\": [\n    \"liver\",\n    \"skin\"\n  ]" + ofSandbox + "\n}\n"
	out := s.must(t, "./biofact", "--sandbox", "call", "get_gene_tissues", "entrez_id=7157")
	_, got, _ := strings.Cut(out, "\n") // after the line of the sandbox
	expect.Is(t, got, want, "get_gene_tissues answers")
	if out, err := s.run(t, "./biofact", "--sandbox", "--atlas-url", "atlas", "call", "get_gene_tissues", "entrez_id=7157"); err == nil ||
		!strings.Contains(out, "BIOFACT_ATLAS_URL: must be an http or https URL, was atlas") {
		t.Errorf("an invalid base URL is accepted: %s", out)
	}
	if out := s.must(t, "./biofact", "--sandbox", "doctor"); !strings.Contains(out, "\nok    atlas ") {
		t.Errorf("biofact doctor does not examine the source: %s", out)
	}
	if page := string(mustRead(t, s.root, "docs/configuration.md")); !strings.Contains(page, "## Example Atlas\n") ||
		!strings.Contains(page, "`--atlas-rps`") {
		t.Error("docs/configuration.md lacks the settings of the source")
	}
	s.must(t, "go", "test", "-vet=off", "./internal/mcpserver", "-run", "TestWire/stdio/tissues", "-update")
	s.must(t, "go", "test", "-vet=off", "./internal/mcpserver", "-run", "TestWire/.*/tissues")
	if server := string(mustRead(t, s.root, "internal/mcpserver/testdata/tissues.txtar")); !strings.Contains(server,
		"has no gene NCBIGene:1.") ||
		!strings.Contains(server, "Example Atlas sent an answer that cannot be read") {
		t.Errorf("the archive has become\n%s", server)
	}
	s.must(t, "go", "test", "-vet=off", "./internal/source/atlas", "./internal/config", "./e2e/repository")
	s.must(t, "go", "run", "./cmd/generate", "-check")
	expect.Is(t, s.must(t, "gofmt", "-l", "internal"), "", "the guide's code is not as gofmt writes it")
}
