package service_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/reference"
	"github.com/biofact-mcp/biofact/internal/service"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// counted are the packages whose steps are counted. The sandbox is not: its records do not grow.
const counted = "slices,strings,./internal/citation,./internal/entity,./internal/entrez,./internal/mapping/...," +
	"./internal/place,./internal/plaintext,./internal/reference,./internal/envelope," +
	"./internal/trials/...,./internal/genes,./internal/articles,./internal/ranges,./internal/source/...,./internal/tool," +
	"./internal/upstream"

// workCalls are calls that read each kind of record.
var workCalls = []struct{ tool, args string }{
	{"get_trial", `{"nct_id":"NCT02808429"}`},
	{"get_trial", `{"nct_id":"NCT00461032"}`},
	{"get_trial_results", `{"nct_id":"NCT02513394"}`},
	{"get_trial_results", `{"nct_id":"NCT02513394","section":"outcomes"}`},
	{"get_trial_results", `{"nct_id":"NCT02513394","section":"adverse_events"}`},
	{"get_trial_results", `{"nct_id":"NCT02513394","section":"participant_flow"}`},
	{"get_trial_results", `{"nct_id":"NCT02513394","section":"baseline"}`},
	{"get_trial_results", `{"nct_id":"NCT02513394","event":"nausea"}`},
	{"get_trial_locations", `{"nct_id":"NCT00461032"}`},
	{"get_trial_locations", `{"nct_id":"NCT00461032","near":"42.36,-71.06"}`},
	{"search_trials", `{"criteria":"history"}`},
	{"search_trials", `{"near":"33.52,-86.80","within":"500 mi"}`},
	{"compare_trials", `{"nct_ids":["NCT02513394","NCT02808429"]}`},
	{"count_trials", `{"by":"condition"}`},
	{"count_trials", `{"by":"country"}`},
	{"fetchArticleDetails", `{"pmids":["26027431"],"includeGrantInfo":true}`},
	{"fetchArticleDetails", `{"pmids":["26027431"],"detailLevel":"medline_text"}`},
	{"searchPubMedArticles", `{"queryTerm":"nivolumab melanoma","fetchBriefSummaries":5}`},
	{"getArticleRelationships", `{"sourcePmids":["26027431"],"relationshipType":"citation_formats"}`},
	{"getArticleRelationships", `{"sourcePmid":"26027431"}`},
	{"matchCitations", `{"citations":[{"text":"Larkin, N Engl J Med 373:23 (2015)"}]}`},
	{"getArticleFullText", `{"id":"PMC7383595"}`},
	{"getArticleFullText", `{"id":"PMC7383595","include":["references"]}`},
	{"convertArticleIds", `{"ids":["PMC7383595","26027431"]}`},
	{"lookupMesh", `{"query":"asthma"}`},
	{"search_genes", `{"query":"BRCA1","organism":"human"}`},
	{"get_gene", `{"entrez_id":"NCBIGene:7157"}`},
	{"get_pubmed_links", `{"entrez_id":"NCBIGene:7157","limit":10}`},
	{"get_gene_orthologs", `{"entrez_id":"NCBIGene:672"}`},
	{"get_gene_transcripts", `{"entrez_id":"NCBIGene:7157"}`},
	{"get_gene_variants", `{"entrez_id":"NCBIGene:7157"}`},
}

// TestWorkIsLinear: if all lists of a record, or all of its texts, are twice as long, no block of code runs and no line allocates more than
// about twice as much. Level 0 lengthens texts, level 1 the outer lists, level 2 the lists in their items, and so on, each with short inner
// lists: doubling two nested lists would quadruple the record. Rows repeat the analyzed numbers of
// their class, up to a bound, so these lists grow alone ("units"). The calls run in processes of their own, which count the blocks.
func TestWorkIsLinear(t *testing.T) {
	expect.Slow(t)
	const size, levels = 200, 6
	binary := filepath.Join(t.TempDir(), "work")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-cover", "-covermode=count", "-coverpkg="+counted, "-o", binary,
		"./internal/service")
	build.Dir = filepath.Join("..", "..")
	out, err := build.CombinedOutput()
	expect.Succeeds(t, err, "build: %s", out)
	passes := []string{"0", "2 units", "3 units", "4 units", "5 units"}
	for level := 1; level <= levels; level++ {
		passes = append(passes, strconv.Itoa(level))
	}
	for _, pass := range passes {
		small, large := countWork(t, binary, pass, size), countWork(t, binary, pass, 2*size)
		steep := func(small, large map[string]float64) (places []string) {
			for place := range large {
				most := 2.5
				if strings.HasSuffix(place, " kB") {
					most = 3.2 // a buffer doubles, and the profile is a sample
				}
				if large[place] > most*small[place]+20*size {
					places = append(places, place)
				}
			}
			return places
		}
		suspects := steep(small, large)
		if len(suspects) == 0 {
			continue
		}
		largest := countWork(t, binary, pass, 4*size) // work may begin at a limit, such as that of an answer
		for _, place := range steep(large, largest) {
			if slices.Contains(suspects, place) {
				t.Errorf("level %s: %s: %.0f, twice as much: %.0f, four times: %.0f", pass, place, small[place], large[place],
					largest[place])
			}
		}
	}
}

// countWork makes the calls in a process, and returns the number of runs of each block and the kilobytes that each line allocated.
func countWork(t *testing.T, binary, pass string, size int) map[string]float64 {
	t.Helper()
	blocks, memory := filepath.Join(t.TempDir(), "blocks"), filepath.Join(t.TempDir(), "memory")
	cmd := exec.CommandContext(t.Context(), binary, "-test.run=^TestWorkOfCalls$", "-test.v",
		"-test.coverprofile="+blocks, "-test.memprofilerate=4096")
	cmd.Env = append(os.Environ(), fmt.Sprintf("BIOFACT_WORK=%d %s", size, pass), "BIOFACT_WORK_MEMORY="+memory)
	out, err := cmd.CombinedOutput()
	expect.Succeeds(t, err, "level %s: %s", pass, out)
	t.Logf("level %s, size %d:\n%s", pass, size, out)
	count := map[string]float64{}
	for _, path := range []string{blocks, memory} {
		file, err := os.Open(path)
		expect.NoError(t, err)
		lines := bufio.NewScanner(file)
		for lines.Scan() {
			if part := strings.Fields(lines.Text()); len(part) == 3 {
				n, err := strconv.ParseFloat(part[2], 64)
				expect.NoError(t, err)
				count[part[0]+" "+part[1]] = n
			}
		}
		expect.NoError(t, file.Close())
	}
	expect.Must(t, len(count) > 1000, "%d places were counted", len(count))
	return count
}

// TestWorkOfCalls makes the calls for TestWorkIsLinear, with records whose lists or texts are longer.
func TestWorkOfCalls(t *testing.T) {
	g := &growth{}
	if n, _ := fmt.Sscan(os.Getenv("BIOFACT_WORK"), &g.size, &g.level, &g.units); n < 2 {
		t.Skip("it runs in a process of TestWorkIsLinear")
	}
	records, err := sourcetest.Embedded()
	expect.NoError(t, err)
	g.records = records
	s := service.New(service.Options{Sources: sourcetest.All(t, g), MaxAnswerBytes: 400_000})
	table := tools.Table(s)
	for _, call := range workCalls {
		i := slices.IndexFunc(table, func(d *tool.Tool) bool { return d.Name == call.tool })
		g.grown = 0
		expect.Must(t, i >= 0, "no tool %s", call.tool)
		result := table[i].Call(t.Context(), slog.New(slog.DiscardHandler), json.RawMessage(call.args))
		t.Logf("%s %s: %d grown, %.150s", call.tool, call.args, g.grown, result.JSON)
	}
	for _, text := range []string{
		"#. Larkin J. Title. Lancet 2015;1:1.\n", "Larkin J. A title.\n", "A title; ", "doi:10.1000/a# ", "PMID: 1#\n", "10.1000/a).", "J. ",
		"Korean J. ", "TI  - A title\n", "word\n",
	} {
		var long strings.Builder
		for i := range g.size {
			long.WriteString(strings.ReplaceAll(text, "#", strconv.Itoa(i+1)))
		}
		text = long.String()
		for _, text = range []string{text, "TY  - JOUR\n" + text, "@article{a, title = {" + text, "Larkin, " + text + "Nature 2015;1:1"} {
			f := reference.Parse(text)
			reference.Compare(f, &entity.Article{Title: f.Text, Authors: []entity.Author{{LastName: f.Text}}})
			reference.Longest(text)
			reference.Several(text)
		}
	}
	writeAllocations(t, os.Getenv("BIOFACT_WORK_MEMORY"))
}

// writeAllocations writes the kilobytes that each line of the project allocated.
func writeAllocations(t *testing.T, path string) {
	runtime.GC()
	runtime.GC() // the profile is complete after two collections
	n, _ := runtime.MemProfile(nil, true)
	profile := make([]runtime.MemProfileRecord, n+1000)
	n, complete := runtime.MemProfile(profile, true)
	expect.Must(t, complete, "the profile of the memory grew")
	lines := map[string]int64{}
	for i := range profile[:n] {
		frames := runtime.CallersFrames(profile[i].Stack())
		for more := true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			if strings.Contains(f.Function, "/biofact/internal/") && !strings.HasSuffix(f.File, "_test.go") {
				lines[fmt.Sprintf("%s:%d", f.File, f.Line)] += profile[i].AllocBytes
				break
			}
		}
	}
	var out strings.Builder
	for line, bytes := range lines {
		fmt.Fprintf(&out, "%s kB %d\n", line, bytes>>10)
	}
	expect.NoError(t, os.WriteFile(path, []byte(out.String()), 0o600))
}

// maxGrown is the largest length of an item that is repeated.
const maxGrown = 20_000

// growth answers from the embedded records, with longer lists or texts.
type growth struct {
	records     http.RoundTripper
	level, size int
	units       string // units: only the lists of analyzed numbers grow; empty: only the others
	grown       int    // number of lists and texts
	paths       map[string]bool
}

func (g *growth) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := g.records.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	g.paths = map[string]bool{}
	var document any
	var root element
	switch {
	case json.Unmarshal(body, &document) == nil:
		body, err = json.Marshal(g.value(document, "", 0))
	case xml.Unmarshal(body, &root) == nil:
		g.element(&root, "", 0)
		body, err = xml.Marshal(root)
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return resp, err
}

// first reports whether a list or text is the first one of its path, which grows.
func (g *growth) first(path string) bool {
	isUnits := strings.HasSuffix(path, "/denoms") || strings.HasSuffix(path, "/counts")
	known := g.paths[path] || isUnits != (g.units != "")
	g.paths[path] = true
	if !known {
		g.grown++
	}
	return !known
}

// value grows the lists of JSON that lie in level-1 other ones, or the texts.
func (g *growth) value(v any, path string, depth int) any {
	switch v := v.(type) {
	case string:
		return g.text(v, path)
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			v[name] = g.value(v[name], path+"/"+name, depth)
		}
	case []any:
		grow := depth+1 == g.level && len(v) > 0 && len(fmt.Sprint(v[0])) < maxGrown && path != "/studies" && g.first(path)
		for i := 0; grow && i < g.size; i++ {
			v = append(v, varied(v[0], i+1))
		}
		for i := range v {
			v[i] = g.value(v[i], path+"[]", depth+1)
		}
		return v
	}
	return v
}

// text returns a longer text, with lines, items and continuation lines. Texts of one word, such as ids, stay.
func (g *growth) text(text, path string) string {
	words := strings.Fields(text)
	if g.level != 0 || len(words) < 3 || !g.first(path) {
		return text
	}
	var longer strings.Builder
	longer.WriteString(text)
	for i := range g.size {
		longer.WriteString([]string{" ", "\n\n", "\n* ", "\n  "}[i%4] + strings.Join(words[:3], " ") + " " + strconv.Itoa(i) + ".")
	}
	return longer.String()
}

// varied returns a copy with other texts: a repeated value would be dropped before it makes work.
func varied(v any, i int) any {
	switch v := v.(type) {
	case string:
		return variedText(v, i)
	case map[string]any:
		out := map[string]any{}
		for name, value := range v {
			out[name] = varied(value, i)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for j := range v {
			out[j] = varied(v[j], i)
		}
		return out
	}
	return v
}

var (
	fixedText = regexp.MustCompile(`^(?:[A-Z_]+[0-9]?|[12][0-9]{3}([-/ ].*)?|[a-z]*|https?:.*)$`) // values of enumerations, dates, words
	lastDigit = regexp.MustCompile(`[0-9]+$`)
)

func variedText(text string, i int) string {
	switch at := lastDigit.FindStringIndex(text); {
	case fixedText.MatchString(text):
		return text
	case at != nil && at[1]-at[0] < 10:
		n, _ := strconv.Atoi(text[at[0]:])
		return fmt.Sprintf("%s%0*d", text[:at[0]], at[1]-at[0], n+10*i)
	}
	return text + " " + strconv.Itoa(i)
}

// An element is one of XML.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Elements []element  `xml:",any"`
}

// element grows the lists of XML, elements of one name, that lie in level-1 other ones, or the texts.
func (g *growth) element(e *element, path string, depth int) {
	e.Text = g.text(e.Text, path)
	count := map[string]int{}
	for i := range e.Elements {
		count[e.Elements[i].XMLName.Local]++
	}
	var out []element
	for i, child := range e.Elements {
		name := child.XMLName.Local
		isList := count[name] > 1 || strings.HasPrefix(e.XMLName.Local, name+"List") || strings.HasSuffix(name, "_E")
		inner := depth
		if isList {
			inner++
		}
		grow := isList && inner == g.level && len(fmt.Sprint(child)) < maxGrown && g.first(path+"/"+name)
		g.element(&child, path+"/"+name, inner)
		out = append(out, child)
		for n := 0; grow && n < g.size; n++ {
			out = append(out, variedElement(e.Elements[i], n+1))
		}
	}
	e.Elements = out
}

func variedElement(e element, i int) element {
	e.Attrs, e.Elements = slices.Clone(e.Attrs), slices.Clone(e.Elements)
	if strings.TrimSpace(e.Text) != "" {
		e.Text = variedText(e.Text, i)
	}
	for j := range e.Attrs {
		if e.Attrs[j].Name.Local == "id" {
			e.Attrs[j].Value += strconv.Itoa(i)
		}
	}
	for j := range e.Elements {
		e.Elements[j] = variedElement(e.Elements[j], i)
	}
	return e
}
