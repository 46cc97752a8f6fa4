package repository

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// documents returns the paths of the pages that people read.
func documents(t *testing.T) []string {
	t.Helper()
	var paths []string
	for _, pattern := range []string{"*.md", "docs/*.md", "e2e/testdata/*.md", "specs/*.md", "gen/schemas/*.md"} {
		found, err := filepath.Glob(pattern)
		expect.NoError(t, err)
		paths = append(paths, found...)
	}
	return paths
}

func text(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	expect.NoError(t, err)
	return string(content)
}

// A block is a fenced code block.
type block struct {
	language string
	lines    []string
}

// split splits a page into its prose and its code blocks.
func split(page string) (prose []string, blocks []block) {
	inside := false
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		language, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence && !inside:
			inside = true
			blocks = append(blocks, block{language: language})
		case fence:
			inside = false
		case inside:
			last := &blocks[len(blocks)-1]
			last.lines = append(last.lines, line)
		default:
			prose = append(prose, line)
		}
	}
	return prose, blocks
}

var (
	linked   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	code     = regexp.MustCompile("`[^`]*`")
	heading  = regexp.MustCompile(`^#{1,6} +(.+?)$`)
	brackets = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// anchor returns the anchor of a heading.
func anchor(heading string) string {
	var name strings.Builder
	for _, r := range strings.ToLower(brackets.ReplaceAllString(heading, "$1")) {
		switch {
		case r == ' ':
			name.WriteRune('-')
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			name.WriteRune(r)
		}
	}
	return name.String()
}

func anchors(page string) (names []string) {
	prose, _ := split(page)
	for _, line := range prose {
		if m := heading.FindStringSubmatch(line); m != nil {
			names = append(names, anchor(m[1]))
		}
	}
	return names
}

// TestLinks checks that every link to a page of the project leads to an existing file and heading.
func TestLinks(t *testing.T) {
	t.Parallel()
	for _, path := range documents(t) {
		prose, _ := split(text(t, path))
		for _, line := range prose {
			for _, m := range linked.FindAllStringSubmatch(code.ReplaceAllStringFunc(line,
				func(c string) string { return strings.Repeat("-", len(c)) }), -1) {
				target, name, named := strings.Cut(m[1], "#")
				if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
					continue
				}
				file := path
				if target != "" {
					file = filepath.Join(filepath.Dir(path), target)
				}
				if _, err := os.Stat(file); err != nil {
					t.Errorf("%s links to %s, which is not there", path, m[1])
					continue
				}
				if named && !slices.Contains(anchors(text(t, file)), name) {
					t.Errorf("%s links to %s, where no such heading is", path, m[1])
				}
			}
		}
	}
}

// TestArchitecture checks that the page names every package, or the package above it.
func TestArchitecture(t *testing.T) {
	t.Parallel()
	page := text(t, "docs/architecture.md")
	named := func(name string) bool { return strings.Contains(page, "`"+name+"`") }
	for name := range mayImport {
		found := named(name) || named(filepath.Base(name)) || strings.Contains(name, "/testdata/")
		expect.That(t, found, "docs/architecture.md does not name %s", name)
	}
}

// A plan is the picture of the rooms in docs/architecture.md.
type plan struct {
	rooms  map[string]string // by package or folder, without internal/
	arrows []string          // as written: "app --> slices"
}

func readPlan(page string) plan {
	_, picture, _ := strings.Cut(page, "```mermaid\nflowchart TD\n")
	picture, _, _ = strings.Cut(picture, "```")
	p := plan{rooms: map[string]string{}}
	for line := range strings.Lines(picture) {
		if room := regexp.MustCompile(`^  (\w+)\["<b>.*</b><br>(.*)"\]\n$`).FindStringSubmatch(line); room != nil {
			for _, name := range strings.Split(room[2], ", ") {
				p.rooms[name] = room[1]
			}
		} else {
			p.arrows = append(p.arrows, strings.TrimSpace(line))
		}
	}
	return p
}

// beside matches the packages that the server does not have: tests, and the programs that generate and package it.
var beside = regexp.MustCompile(`^(e2e|packaging|specs|cmd/(generate|internal|specs)|internal/expect)(/|$)|test$`)

// room returns the room of a package: of the longest folder that the picture names.
func (p plan) room(name string) string {
	for name = strings.TrimPrefix(name, "internal/"); name != "."; name = filepath.Dir(name) {
		if room := p.rooms[name]; room != "" {
			return room
		}
	}
	return ""
}

// allowed returns the arrows between the rooms as the list of imports has them, without those that follow from others.
func (p plan) allowed(t *testing.T) []string {
	next := map[string]map[string]bool{}
	for name, imports := range mayImport {
		from := p.room(name)
		if beside.MatchString(name) {
			continue
		}
		for _, imported := range strings.Fields(imports) {
			if to := p.room(imported); from != "" && from != "all" && to != "" && to != "all" && from != to {
				if next[from] == nil {
					next[from] = map[string]bool{}
				}
				next[from][to] = true
			}
		}
	}
	var reaches func(from, to string, depth int) bool
	reaches = func(from, to string, depth int) bool {
		expect.Must(t, depth < len(p.rooms), "the rooms %s and %s use each other", from, to)
		for room := range next[from] {
			if room == to || reaches(room, to, depth+1) {
				return true
			}
		}
		return false
	}
	var arrows []string
	for from := range next {
		for to := range next[from] {
			follows := false
			for other := range next[from] {
				follows = follows || other != to && reaches(other, to, 0)
			}
			if !follows {
				arrows = append(arrows, from+" --> "+to)
			}
		}
	}
	return arrows
}

// TestPlan compares the picture of the rooms with the list of imports: each package of the server is in one room, and each arrow is an
// import that is allowed. Each room has a sentence about its purpose, and one about its limits.
func TestPlan(t *testing.T) {
	t.Parallel()
	page := text(t, "docs/architecture.md")
	p := readPlan(page)
	for name := range mayImport {
		expect.That(t, beside.MatchString(name) || p.room(name) != "", "docs/architecture.md: no room of the plan has %s", name)
	}
	for name, room := range p.rooms {
		_, err := os.Stat(filepath.Join("internal", filepath.Dir(name)))
		_, other := os.Stat(filepath.Dir(name))
		expect.That(t, err == nil || other == nil, "docs/architecture.md: the plan names %s, which is not there", name)
		sentences := regexp.MustCompile(`(?m)^\| ` + strings.Replace(room, "all", "all( may use)?", 1) + ` \| [^|]+ \| [^|]+ \|$`)
		expect.That(t, sentences.MatchString(page), "docs/architecture.md does not say what the room %s must never know", room)
	}
	for _, path := range regexp.MustCompile("`(internal/[a-z/_]+\\.go)`").FindAllStringSubmatch(page, -1) {
		_, err := os.Stat(path[1])
		expect.Succeeds(t, err, "docs/architecture.md")
	}
	want, got := p.allowed(t), slices.Clone(p.arrows)
	slices.Sort(want)
	slices.Sort(got)
	expect.Equal(t, "docs/architecture.md: the arrows of the plan", want, got)
}

// TestExamples runs the examples with the sandbox. In an expected answer, … at the end of a line matches the rest of the line, and …
// alone matches any lines.
func TestExamples(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	binary := os.Getenv("BIOFACT_TEST_BINARY")
	if binary == "" {
		binary = filepath.Join(t.TempDir(), "biofact")
		out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./cmd/biofact").CombinedOutput()
		expect.Must(t, err == nil, "%v\n%s", err, out)
	}
	_, err := os.Stat(binary) // the go command's test cache depends on the file
	expect.NoError(t, err)
	run := func(command string) (string, error) {
		line := regexp.MustCompile(`^(bin/)?biofact `).ReplaceAllLiteralString(command, "'"+binary+"' ")
		out, err := exec.CommandContext(t.Context(), "sh", "-c", line).Output()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
			return string(out), nil // an error envelope
		}
		return string(out), err
	}
	examples := 0
	for _, path := range documents(t) {
		_, blocks := split(text(t, path))
		for _, b := range blocks {
			for command, want := range transcript(b) {
				examples++
				got, err := run(command)
				if err != nil {
					t.Errorf("%s: %s: %v", path, command, err)
					continue
				}
				expect.That(t, want == "" || shows(want).MatchString(got),
					"%s: %s answers otherwise than is shown:\n%s", path, command, got)
			}
		}
	}
	expect.That(t, examples >= 14, "only %d examples were found", examples)
}

// transcript returns the sandbox calls in a block, with the expected answers.
func transcript(b block) map[string]string {
	calls := map[string]string{}
	switch b.language {
	case "console":
		command := ""
		for _, line := range b.lines {
			if shown, ok := strings.CutPrefix(line, "$ "); ok {
				command = shown
				continue
			}
			calls[command] += line + "\n"
		}
	case "sh":
		for _, line := range b.lines {
			calls[line] = ""
		}
	}
	for command := range calls {
		if !regexp.MustCompile(`^(bin/)?biofact --sandbox call `).MatchString(command) {
			delete(calls, command)
		}
	}
	return calls
}

// shows returns a pattern for an expected answer.
func shows(answer string) *regexp.Regexp {
	var pattern strings.Builder
	pattern.WriteString(`\A`)
	for line := range strings.Lines(answer) {
		line = strings.TrimSuffix(line, "\n")
		if strings.TrimSpace(line) == "…" {
			pattern.WriteString(`(?s:.*\n)?`)
			continue
		}
		parts := strings.Split(line, "…")
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		pattern.WriteString(strings.Join(parts, ".*") + `\r?\n`) // CSV ends its lines with CR LF
	}
	pattern.WriteString(`\z`)
	return regexp.MustCompile(pattern.String())
}
