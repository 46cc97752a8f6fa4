package service

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/sandbox"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

func TestMain(m *testing.M) { expect.Main(m) }

// A walkedList is a list of a tool, with the records that can change.
type walkedList struct {
	args  string // of the first page, without its size
	size  string // argument of the page size
	sizes [2]int
	items string // member of the answer with the items; empty: the parts of a text, which differ from page to page
	files string // the records that change
	also  string // further records
	one   string // matches a part of the records that can be missing, or names an array in them

	parts [][]int // the matches, after the first search for them
}

// Parts of records.
const (
	lines      = `(?m)^.*\n`
	geneXML    = `(?s)<Entrezgene>.*?</Entrezgene>`
	articleXML = `(?s)<PubmedArticle>.*?</PubmedArticle>`
)

// walkedLists has the lists of each tool.
var walkedLists = map[string][]walkedList{
	"search_trials": {
		{`{"study_type":"INTERVENTIONAL","sort":"first_posted"}`, "page_size", [2]int{7, 40}, "items", "ctgov/studies.jsonl.gz", "", lines, nil},
		{`{"condition":"cancer"}`, "page_size", [2]int{3, 20}, "items", "ctgov/studies.jsonl.gz", "", lines, nil},
	},
	"match_trials": {{`{"age":"58","sex":"female","country":"United States","status":["completed","terminated"]}`, "page_size", [2]int{3, 20}, "items",
		"ctgov/studies.jsonl.gz", "", lines, nil}},
	"get_trial": {{`{"nct_ids":["NCT06648538","NCT06004388","NCT05668819","NCT05421624","NCT05184725","NCT04886388","NCT04857515","NCT04573296",` +
		`"NCT04542642","NCT04524598","NCT04508153","NCT04470427","NCT04368728","NCT04184622"],"sections":["summary"]}`, "page_size", [2]int{1, 5},
		"items", "ctgov/studies.jsonl.gz", "", lines, nil}},
	"get_trial_locations": {{`{"nct_id":"NCT02513394"}`, "page_size", [2]int{7, 90}, "items", "ctgov/studies.jsonl.gz", "", "locations", nil}},
	"get_trial_results": {
		{`{"nct_id":"NCT01305200","section":"outcomes"}`, "page_size", [2]int{1, 2}, "outcome_measures", "ctgov/studies.jsonl.gz", "",
			"outcomeMeasures", nil},
		{`{"nct_id":"NCT01305200","section":"adverse_events"}`, "page_size", [2]int{1, 3}, "adverse_events.events", "ctgov/studies.jsonl.gz", "",
			"otherEvents", nil},
	},
	"search_genes": {
		{`{"query":"p53"}`, "page_size", [2]int{1, 3}, "items", "ncbi/gene.xml.gz", "", geneXML, nil},
		{`{"query":"kinase"}`, "page_size", [2]int{1, 3}, "items", "ncbi/gene.xml.gz", "", geneXML, nil},
	},
	"get_pubmed_links":     {{`{"entrez_id":"7157"}`, "limit", [2]int{300, 900}, "items", "ncbi/gene.xml.gz", "", `<PubMedId>[0-9]+</PubMedId>`, nil}},
	"get_gene_orthologs":   {{`{"entrez_id":"990000300"}`, "page_size", [2]int{25, 100}, "items", "datasets/large.jsonl.gz", "", lines, nil}},
	"get_gene_transcripts": {{`{"entrez_id":"7157"}`, "page_size", [2]int{1, 2}, "items", "datasets/products.jsonl", "", "transcripts", nil}},
	"get_gene_variants": {{`{"entrez_id":"990000011"}`, "page_size", [2]int{2, 5}, "items", "ncbi/clinvar.jsonl.gz", "ncbi/genes_more.xml.gz",
		lines, nil}},
	"search_drugs": {{`{"query":"trastuzumab"}`, "page_size", [2]int{1, 3}, "items", "openfda/drugsfda.jsonl.gz", "",
		`(?m)^.*"TRASTUZUMAB.*\n`, nil}},
	"searchPubMedArticles": {{`{"queryTerm":"cancer"}`, "maxResults", [2]int{2, 7}, "pmids", "ncbi/pubmed.xml.gz", "", articleXML, nil}},
	"getArticleRelationships": {{`{"sourcePmid":"30000000","relationshipType":"pubmed_citedin"}`, "maxRelatedResults", [2]int{1, 3},
		"relatedArticles", "articles.xml", "", articleXML, nil}},
	"getArticleFullText": {{`{"id":"PMC7383595"}`, "maxBytes", [2]int{4000, 9000}, "", "PMC7383595.xml", "", `<p>[^<]*</p>`, nil}},
}

// TestWalksOfAllLists: if records are removed or added between any two pages of any list, each one that stays is shown once, or a notice
// says that some may be missing. No notice appears without a change. Lists within a trial are also read from a mirror.
func TestWalksOfAllLists(t *testing.T) {
	t.Parallel()
	skipped := 0
	for i, described := range tools.Table(&Service{}) {
		if described.NeedsMirror { // TestTrialChanges has its pages
			skipped++
			continue
		}
		if !slices.ContainsFunc(described.Arguments, func(a tool.Argument) bool { return a.Name == "cursor" }) ||
			described.Name == tools.CheckText { // its list is the text of the call
			continue
		}
		place := i - skipped
		expect.That(t, len(walkedLists[described.Name]) > 0, "%s has a cursor, and no list here", described.Name)
		for n, list := range walkedLists[described.Name] {
			t.Run(fmt.Sprint(described.Name, " ", n), func(t *testing.T) {
				t.Parallel()
				full, kinds := list.records(t, list.files), []bool{false}
				if list.inRecord() && strings.HasPrefix(list.files, "ctgov/") { // TestTrialWalks has the searches
					kinds = append(kinds, true)
				}
				for _, mirrored := range kinds {
					moved := 0
					for round := range 8 {
						if at := place + n; !expect.All() && round != at%2*2 && round != 1+at/2%2*2 {
							continue // each kind of change for every second list
						}
						moved += list.check(t, full, i, round, mirrored)
					}
					expect.That(t, moved > 0, "no round changed the list, mirror %v", mirrored)
				}
			})
		}
	}
}

// check walks the list while it changes. It returns how many items were removed or added.
func (l *walkedList) check(t *testing.T, full []byte, tool, round int, mirrored bool) (moved int) {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(round), 3))
	change, size := (round+3)%4, l.sizes[round/4%2]
	before, after := full, full
	if change >= 2 { // something is added
		before = l.without(random, full)
	}
	if change%2 == 1 { // something is removed
		after = l.without(random, full)
	}
	w := &listWalk{list: l, tool: tool}
	if w.open(t, before, "2026-09-01"); mirrored {
		w.mirror, w.update = sourcetest.MirrorOf(t, w)
	}
	old, _ := w.walk(t, l.sizes[1], -1, nil)
	pause, version := random.IntN(3), "2026-09-02"
	if change == 0 {
		version = "2026-09-01"
	}
	shown, changed := w.walk(t, size, pause, func() { w.open(t, after, version) })
	later, _ := w.walk(t, l.sizes[1], -1, nil)
	expect.That(t, len(old) > l.sizes[0] || l.items == "", "%d items", len(old))
	expect.That(t, change != 0 || !changed, "round %d: nothing changed, but a notice says so", round)
	if l.items == "" {
		expect.That(t, changed || maps.Equal(old, later), "round %d: a part is missing without a notice", round)
	}
	for item := range later {
		moved += 1 - min(1, old[item])
	}
	for item, times := range old {
		moved += 1 - min(1, later[item])
		if l.items != "" && times == 1 && later[item] == 1 && shown[item] != 1 && !changed {
			t.Errorf("round %d, change %d after page %d of %d: shown %d times: %s", round, change, pause, size, shown[item], item)
		}
	}
	return moved
}

// records returns the text of a file of records.
func (l *walkedList) records(t *testing.T, name string) []byte {
	t.Helper()
	switch {
	case name == "articles.xml":
		samples := []sourcetest.Sample{{PMID: 30_000_000}}
		for n := range 12 {
			samples = append(samples, sourcetest.Sample{PMID: 40_000_000 + n, Cites: []int{30_000_000}})
		}
		return sourcetest.ArticleSet(samples)
	case l.items == "":
		text, err := os.ReadFile(filepath.Join("../sandbox/pmc/data", name))
		expect.NoError(t, err)
		return regexp.MustCompile(l.one).ReplaceAllFunc(text, func(part []byte) []byte { return bytes.Repeat(part, 30) })
	}
	file, err := os.Open(filepath.Join("../sandbox/data", name))
	expect.NoError(t, err)
	defer file.Close()
	in := io.Reader(file)
	if strings.HasSuffix(name, ".gz") {
		in, err = gzip.NewReader(file)
		expect.NoError(t, err)
	}
	text, err := io.ReadAll(in)
	expect.NoError(t, err)
	if l.inRecord() { // the others would only take time
		text = regexp.MustCompile(lines).ReplaceAllFunc(text, func(line []byte) []byte {
			if !bytes.Contains(line, []byte(l.id())) {
				return nil
			}
			return line
		})
	}
	return text
}

// inRecord reports whether the list is a part of one record of JSON.
func (l *walkedList) inRecord() bool { return !strings.ContainsAny(l.one, "<^") }

// id returns the number in the arguments, which names a record; "": none.
func (l *walkedList) id() string { return regexp.MustCompile(`[0-9]{4,}`).FindString(l.args) }

// without returns records without a sixth of their parts. The record that the arguments name stays.
func (l *walkedList) without(random *rand.Rand, text []byte) []byte {
	n := 0
	l.drop(text, func() bool { n++; return false })
	dropped, i := random.Perm(n)[:max(1, n/6)], -1
	return l.drop(text, func() bool { i++; return slices.Contains(dropped, i) })
}

// drop returns records without the parts for which a function returns true.
func (l *walkedList) drop(text []byte, one func() bool) []byte {
	var out bytes.Buffer
	if id := l.id(); !l.inRecord() {
		if l.parts == nil {
			l.parts = regexp.MustCompile(l.one).FindAllIndex(text, -1)
		}
		end := 0
		for _, at := range l.parts {
			part := text[at[0]:at[1]]
			if named := id != "" && bytes.Contains(part[:min(120, len(part))], []byte(id)); !named && one() {
				out.Write(text[end:at[0]])
				end = at[1]
			}
		}
		out.Write(text[end:])
		return out.Bytes()
	}
	for line := range bytes.Lines(text) {
		var record any
		if json.Unmarshal(line, &record) == nil {
			line, _ = json.Marshal(l.withoutElements(record, one))
			out.Write(append(line, '\n'))
		}
	}
	return out.Bytes()
}

// withoutElements returns a value without some elements of the arrays whose name is that of the list.
func (l *walkedList) withoutElements(value any, drop func() bool) any {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			inner := v[name]
			if array, ok := inner.([]any); ok && name == l.one {
				v[name] = slices.DeleteFunc(array, func(any) bool { return drop() })
			} else {
				v[name] = l.withoutElements(inner, drop)
			}
		}
	case []any:
		for i := range v {
			v[i] = l.withoutElements(v[i], drop)
		}
	}
	return value
}

// A listWalk reads the pages of a list from a source that can be exchanged.
type listWalk struct {
	list *walkedList
	tool int // its index in the table of tools
	next http.RoundTripper
	// mirror answers instead of the registry, and update syncs it; nil: none.
	mirror *ctgov.Mirror
	update func()
}

// open replaces the records of the source.
func (w *listWalk) open(t *testing.T, text []byte, version string) {
	t.Helper()
	if w.list.items == "" {
		next, err := sourcetest.Embedded()
		expect.NoError(t, err)
		w.next = &fullTextOf{next, text}
		return
	}
	if strings.HasPrefix(w.list.files, "ctgov/") {
		text = regexp.MustCompile(`("versionHolder": ?)"[0-9-]*"`).ReplaceAll(text, []byte(`$1"`+version+`"`))
	}
	if w.list.inRecord() { // else a sync has no reason to read the record again
		text = regexp.MustCompile(`("lastUpdatePostDateStruct": ?{"date": ?)"[0-9-]*"`).ReplaceAll(text, []byte(`$1"`+version+`"`))
	}
	folder := t.TempDir()
	save := func(name string, text []byte) {
		path := filepath.Join(folder, strings.TrimSuffix(name, ".gz"))
		expect.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		expect.NoError(t, os.WriteFile(path, text, 0o600))
	}
	if save(w.list.files, text); w.list.also != "" {
		save(w.list.also, w.list.records(t, w.list.also))
	}
	next, err := sandbox.Open(t.Context(), folder)
	expect.NoError(t, err)
	if w.next = next; w.update != nil {
		w.update()
	}
}

// A fullTextOf serves one full text, and all else from next.
type fullTextOf struct {
	next http.RoundTripper
	text []byte
}

// RoundTrip implements http.RoundTripper.
func (f *fullTextOf) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := f.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if bytes.Contains(body, []byte("<article ")) {
		start, end := bytes.Index(body, []byte("<article ")), bytes.LastIndex(body, []byte("</article>"))
		mine := f.text[bytes.Index(f.text, []byte("<article ")):bytes.LastIndex(f.text, []byte("</article>"))]
		body = slices.Concat(body[:start], mine, body[end:])
	}
	resp.Header.Del("Content-Length")
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return resp, err
}

// RoundTrip implements http.RoundTripper.
func (w *listWalk) RoundTrip(req *http.Request) (*http.Response, error) { return w.next.RoundTrip(req) }

// walk reads all pages, and calls between after one of them. It returns how often each item was shown, and whether a notice or an error
// said that the list changed.
func (w *listWalk) walk(t *testing.T, size, pause int, between func()) (shown map[string]int, changed bool) {
	t.Helper()
	var args map[string]any
	expect.NoError(t, json.Unmarshal([]byte(w.list.args), &args))
	args[w.list.size], shown = size, map[string]int{}
	sources := sourcetest.All(t, w)
	if w.mirror != nil {
		sources = sourcetest.Setup{CTGovURL: sourcetest.RegistryURL, Mirror: w.mirror,
			CTGov: upstream.NewClient(sourcetest.Policy(w))}.Sources(t)
	}
	called := tools.Table(New(Options{Sources: sources, MaxAnswerBytes: 400_000}))[w.tool]
	for n := 0; ; n++ {
		expect.Must(t, n < 400, "the walk does not end")
		text, err := json.Marshal(args)
		expect.NoError(t, err)
		result := called.Call(t.Context(), slog.New(slog.DiscardHandler), text)
		var answer struct {
			Pagination struct{ Cursor string }
			Notices    []string
		}
		expect.NoError(t, json.Unmarshal(result.JSON, &answer))
		if result.IsError {
			expect.Must(t, n > 0 && strings.Contains(string(result.JSON), "again from its first page"), "%s", result.JSON)
			return shown, true
		}
		notices := strings.Join(answer.Notices, " ")
		changed = changed || strings.Contains(notices, "changed since") || strings.Contains(notices, "may be missing")
		for _, item := range w.items(t, result.JSON) {
			shown[item]++
		}
		if answer.Pagination.Cursor == "" {
			return shown, changed
		}
		if args["cursor"] = answer.Pagination.Cursor; n == pause {
			between()
		}
	}
}

// items returns the items of a page as text, without what depends on their position.
func (w *listWalk) items(t *testing.T, page []byte) (items []string) {
	t.Helper()
	if w.list.items == "" {
		return []string{string(page)}
	}
	for _, name := range strings.Split(w.list.items, ".") {
		var answer map[string]json.RawMessage
		expect.NoError(t, json.Unmarshal(page, &answer))
		page = answer[name]
	}
	var list []any
	if page != nil {
		expect.NoError(t, json.Unmarshal(page, &list))
	}
	for _, item := range list {
		if row, ok := item.(map[string]any); ok {
			delete(row, "score")
		}
		text, err := json.Marshal(item)
		expect.NoError(t, err)
		items = append(items, string(text))
	}
	return items
}
