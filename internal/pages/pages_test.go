package pages_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/pages"
)

// maxPage is the maximum size of a page without answers.
const maxPage = 200_000

var about = pages.Tool{Name: "get_trial_results", Title: "Read <the> results", Choices: map[string][]string{"section": {"overview"}}}

// TestHTML: each page is one small, complete document without network requests.
func TestHTML(t *testing.T) {
	t.Parallel()
	for _, name := range pages.Names() {
		page, err := pages.HTML(name, about)
		expect.NoError(t, err)
		t.Logf("%s: %d bytes", name, len(page))
		text := string(page)
		expect.That(t, len(page) < maxPage, "%s has %d bytes, and may have %d", name, len(page), maxPage)
		expect.That(t, strings.Contains(text, "<title>Read &lt;the&gt; results</title>"), "%s has another title", name)
		scripts := 2
		if pages.HasMap(name) {
			scripts++ // the outlines
		}
		expect.That(t, strings.Count(text, "<script") == scripts && strings.Count(text, "</script>") == scripts,
			"%s has other scripts than its own", name)
		for _, left := range []string{"{{", "\nimport ", "\nexport ", " src=", "<link", "@import", "url(", "Content-Security-Policy"} {
			expect.That(t, !strings.Contains(text, left), "%s has %q", name, left)
		}
		twice := map[string]bool{}
		for _, found := range regexp.MustCompile(`(?m)^(?:async )?(?:function\*?|const|let|class) (\w+)`).FindAllStringSubmatch(text, -1) {
			expect.That(t, !twice[found[1]], "%s: two modules have a %s, and share one scope", name, found[1])
			twice[found[1]] = true
		}
	}
	_, err := pages.HTML("maps", about)
	const all = "article, compare, counts, drug, match, reports, results, search, sites, trial"
	expect.That(t, err != nil && strings.Contains(err.Error(), all), "error %v", err)
}

// TestModulesAreSafe: no module turns text into HTML or code, or uses the
// network.
func TestModulesAreSafe(t *testing.T) {
	t.Parallel()
	modules, err := filepath.Glob("web/*.js")
	expect.Must(t, err == nil && len(modules) > 5, "no modules: %v", err)
	banned := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\(|new Function|setTimeout\("|` +
		`\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\bimport\(|localStorage|sessionStorage|document\.cookie|setAttribute\("style"`)
	for _, path := range modules {
		source, err := os.ReadFile(path)
		expect.NoError(t, err)
		found := banned.Find(source)
		expect.That(t, found == nil, "%s has %s", path, found)
	}
}

// TestFile: a file has its answers as data that cannot end its block, and
// allows only its own script.
func TestFile(t *testing.T) {
	t.Parallel()
	hostile := `{"brief_title":"</script><script>alert(1)</script><!--"}`
	page, err := pages.File("results",
		about, []pages.Call{{Arguments: map[string]string{"nct_id": "NCT:00000001"}, Answer: json.RawMessage(hostile)}})
	expect.NoError(t, err)
	expect.That(t, bytes.Count(page, []byte("<script")) == 3 && !bytes.Contains(page, []byte("alert(1)</script>")),
		"the answer ends its block: %s", page)
	expect.That(t, bytes.Contains(page, []byte(`default-src 'none'; script-src 'sha256-`)), "the file has no policy")
	_, rest, _ := bytes.Cut(page, []byte(`id="calls">`))
	data, _, _ := bytes.Cut(rest, []byte("</script>"))
	var calls []pages.Call
	expect.NoError(t, json.Unmarshal(data, &calls))
	var answer, want map[string]string
	expect.NoError(t, json.Unmarshal(calls[0].Answer, &answer))
	expect.NoError(t, json.Unmarshal([]byte(hostile), &want))
	expect.Equal(t, "the answer in the file", want, answer)
}

// TestOutlines: outlines are fine around the places of a file and coarse elsewhere, and a page in a host can read those of all countries.
func TestOutlines(t *testing.T) {
	t.Parallel()
	read := func(page []byte) (lines []string) {
		var outlines struct {
			Lines []string
			Land  [][]int
		}
		_, rest, _ := bytes.Cut(page, []byte(`id="outlines">`))
		expect.NoError(t, json.NewDecoder(bytes.NewReader(rest)).Decode(&outlines))
		for _, ring := range outlines.Land {
			for _, i := range ring {
				expect.That(t, max(i, ^i) < len(outlines.Lines), "no line %d", i)
			}
		}
		return outlines.Lines
	}
	world, err := pages.HTML("sites", about)
	expect.NoError(t, err)
	const sites = `{"items":[{"latitude":46.95,"longitude":7.45},{"latitude":46.2,"longitude":6.15}]}`
	swiss, err := pages.File("sites", about, []pages.Call{{Answer: json.RawMessage(sites)}})
	expect.NoError(t, err)
	all, err := pages.Outlines()
	expect.NoError(t, err)
	far, near, full := read(world), read(swiss), read(append([]byte(`id="outlines">`), all...))
	const fiji = `{"items":[{"latitude":-18.14,"longitude":178.44},{"latitude":-13.83,"longitude":-171.76}]}`
	islands, err := pages.File("sites", about, []pages.Call{{Answer: json.RawMessage(fiji)}})
	expect.NoError(t, err)
	// A view of the whole world, to which the longer way leads, has coarse outlines only, and so no point of Samoa.
	expect.That(t, len(read(islands)) > len(read(world)), "lines: %d beside the date line, world %d", len(read(islands)), len(read(world)))
	points := func(lines []string) int { return strings.Count(strings.Join(lines, " "), ",") }
	t.Logf("points: world %d, a country %d, everywhere %d", points(far), points(near), points(full))
	expect.That(t, points(near) > points(far)+200 && points(near) < 2*points(far) && points(full) > 4*points(far),
		"points: world %d, a country %d, everywhere %d", points(far), points(near), points(full))
}

// TestStaticAge: without scripts a file says how old the data of its source are, or that they are of no source.
func TestStaticAge(t *testing.T) {
	t.Parallel()
	meta := map[string]any{"biofact/data_version": "2026-11-27T09:00:05", "biofact/retrieved_at": "2026-11-28T09:09:22Z"}
	calls := []pages.Call{{Answer: json.RawMessage(`{"id":"NCT:00000001"}`), Meta: meta}}
	const age = "<p>data of 2026-11-27T09:00:05, retrieved at 2026-11-28T09:09:22Z</p>"
	page, err := pages.File("results", about, calls)
	expect.NoError(t, err)
	expect.That(t, bytes.Contains(page, []byte(age)), "the file has no age: %s", page)
	example := about
	example.Banner = "Examples <only>."
	page, err = pages.File("results", example, calls)
	expect.NoError(t, err)
	expect.That(t, bytes.Contains(page, []byte("<p><b>Examples &lt;only&gt;.</b></p>")) && !bytes.Contains(page, []byte(age)),
		"the file does not say that it has examples: %s", page)
}
