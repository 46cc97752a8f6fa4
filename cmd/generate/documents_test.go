package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/toolgen"
)

func TestDrawFlow(t *testing.T) {
	t.Parallel()
	svg, err := drawFlow([]byte("# a remark\ntitle From a <b> to c\nband 1-2: all\nbox a 1 1: first / a & b\nbox c 1 2: second\nedge a -> c: down, and on\n"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for decoder := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("no XML: %v", err)
		}
		if text, ok := token.(xml.CharData); ok && strings.TrimSpace(string(text)) != "" {
			texts = append(texts, strings.TrimSpace(string(text)))
		}
	}
	all := strings.Join(texts, "\n")
	for _, want := range []string{"From a <b> to c", "all", "first", "a & b", "second", "down,", "and on"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in the picture", want)
		}
	}
	if strings.Contains(all, "a remark") {
		t.Error("the remark is in the picture")
	}
}

func TestDrawFlowMistakes(t *testing.T) {
	t.Parallel()
	const two = "box a 1 1: a\nbox b 2 2: b\n"
	for text, want := range map[string]string{
		"circle a":                               "docs/flow.txt:1: no title, band, box or edge",
		two + "box c 2 2: c":                     "docs/flow.txt:3: c: its name or its place is that of b",
		two + "box a 3 1: c":                     "docs/flow.txt:3: a: its name or its place is that of a",
		two + "edge a -> b":                      "docs/flow.txt:3: a -> b: not side by side",
		two + "edge a -> a":                      "docs/flow.txt:3: a -> a: not side by side",
		two + "edge a -> c":                      "docs/flow.txt:3: a -> c: no box of that name",
		"box a 1 1: far too long a text for one": "docs/flow.txt:1: a: too long for a box",
		"box a 1 1: a / b / c / d / e":           "docs/flow.txt:1: a: has 5 lines",
		two + "box c 2 1: c\nedge a -> c: far too long for the gap": "docs/flow.txt:4: a -> c: too long beside an arrow",
	} {
		if _, err := drawFlow([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
}

// TestConfigurationListsEachSettingOnce: none is left out, none stands twice.
func TestConfigurationListsEachSettingOnce(t *testing.T) {
	t.Parallel()
	document, err := configuration()
	if err != nil {
		t.Fatal(err)
	}
	settings, err := config.Settings()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings {
		start := "| `" + s.Variable + "` |"
		if s.Variable == "" {
			start = "|  | `--" + s.Flag
		}
		want := 1
		if s.Variable == "" && s.Flag == "sandbox" { // the beginning of sandbox-fault, too
			want = 2
		}
		if got := strings.Count(string(document), "\n"+start); got != want {
			t.Errorf("%s %s stands %d times", s.Variable, s.Flag, got)
		}
	}
}

// TestToolPages: every argument and every field that the schemas have is told.
func TestToolPages(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/tools.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"biofact --sandbox call search_trials condition=melanoma phase='Phase 3'",
		"biofact --sandbox call fetchArticleDetails pmids=26027431",
		"| `page_size` | integer, 1 to 200 | `50` |",
		"| `citationStyles` | one or several | `ris` |",
		"| `dateRange.dateType` | string | `pdat` |",
		"| `queryTerm` | string, 3 characters or more, 20000 characters at most |  | Words or an Entrez query (required)",
		"| `eligibility_criteria.minimum_age` | string |",
		"| `sponsors[].role` | string |",
		"| `cross_references.ensembl_gene` |",
		"| `articles[].authors[].lastName` | string |",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("docs/tools.md does not tell: %s", want)
		}
	}
	if _, err := toolPages(&toolgen.Contract{Tools: []*toolgen.Tool{{Name: "gone"}}}, nil); err == nil || !strings.Contains(err.Error(), "gone: no schema gone.input") {
		t.Errorf("a tool without schemas: %v", err)
	}
}
