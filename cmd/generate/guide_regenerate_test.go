package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestRegenerateGuide follows docs/regenerate.md in a copy of the repository: it runs each command with output, makes each change, and
// finds the lines of the guide in the output, in order. … stands for any text.
func TestRegenerateGuide(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip(err)
	}
	s := copyRepository(t)
	put(t, s.root, ".gitignore", string(mustRead(t, "../..", ".gitignore")))
	for _, command := range []string{"init -q", "config user.email a@example.org", "config user.name a", "add .", "commit -q -m start"} {
		s.must(t, "git", strings.Fields(command)...)
	}
	guide, commands := string(mustRead(t, s.root, "docs/regenerate.md")), 0
	for _, block := range regexp.MustCompile("(?ms)^ *```(console|diff)( \\S+)?\n(.*?)^ *```$").FindAllStringSubmatch(guide, -1) {
		text := regexp.MustCompile(`(?m)^   `).ReplaceAllString(block[3], "")
		if !strings.HasPrefix(block[3], "   ") {
			text = block[3]
		}
		if block[1] == "diff" {
			s.apply(t, guideBlock{"diff", strings.TrimSpace(block[2]), text})
			continue
		}
		for _, part := range strings.Split("\n"+text, "\n$ ")[1:] {
			command, want, _ := strings.Cut(part, "\n")
			out, _ := s.run(t, "sh", "-c", command)
			pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(want)), "…", `(?s:.*?)`)
			shown := regexp.MustCompile(strings.ReplaceAll(pattern, "\n", `\n(?s:.*?)`))
			expect.Must(t, shown.MatchString(out), "%s does not print\n%s\nbut\n%s", command, want, out)
			commands++
		}
	}
	expect.That(t, commands >= 10, "only %d commands", commands)
}
