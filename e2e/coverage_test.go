package e2e

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// A leaf is one scalar value of a record or of an answer.
type leaf struct {
	path  string // names, joined by dots
	place int    // index in the outermost list; -1 outside of any list
	text  string
}

// leavesOf returns the values below a node, with their paths.
func leavesOf(found []leaf, node any, path string, place int) []leaf {
	switch node := node.(type) {
	case map[string]any:
		for name, below := range node {
			found = leavesOf(found, below, strings.TrimPrefix(path+"."+name, "."), place)
		}
	case []any:
		for i, item := range node {
			at := place
			if at < 0 {
				at = i
			}
			found = leavesOf(found, item, path, at)
		}
	default:
		found = append(found, leaf{path, place, fmt.Sprint(node)})
	}
	return found
}

// A fieldRow is the row of a field in internal/mapping/trials/trials.tsv.
type fieldRow struct {
	fields []string // fields of answers; empty if the field is left out
	markup bool
}

// coverageList reads the list, with the registry's types of the fields.
func coverageList(t *testing.T) map[string]fieldRow {
	t.Helper()
	types := map[string]string{}
	for _, columns := range tsv(t, "../internal/query/pieces.tsv") {
		types[columns[1]] = columns[2]
	}
	list := map[string]fieldRow{}
	for _, columns := range tsv(t, "../internal/mapping/trials/trials.tsv") {
		l := fieldRow{markup: types[columns[0]] == "markup"}
		if columns[1] != "-" {
			l.fields = strings.Split(columns[1], ", ")
		}
		list[columns[0]] = l
	}
	return list
}

func tsv(t *testing.T, path string) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile(path)
	expect.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		rows = append(rows, strings.Split(strings.TrimSpace(line), "\t"))
	}
	return rows
}

// navigation are the fields of the registry's own search and paging, and the date of its data, which _meta has.
var navigation = []string{".ancestors.", ".browseLeaves.", ".browseBranches.", ".versionHolder"}

// everything is an invented record that has a value for each field of the official document.
const everything = "../internal/mapping/trials/testdata/trials/everything.json"

// TestCoverageOfEveryField reads a record with every field.
func TestCoverageOfEveryField(t *testing.T) {
	t.Parallel()
	c := newCoverage(t)
	c.read(t, everything, []map[string]any{decodeNumbers(t, mustRead(t, everything))})
	expect.That(t, len(c.lost)+len(c.unknown) == 0, "lost: %v; not in the list: %v", c.lost, c.unknown)
	for path, row := range c.list {
		results := strings.HasPrefix(path, "resultsSection.") // the tests of their mapping check them
		expect.That(t, len(row.fields) == 0 || results || c.seen[path], "the record lacks %s", path)
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	expect.NoError(t, err)
	return text
}

// TestCoverage reads all real records and prints the share of their values that the answers contain, by module.
func TestCoverage(t *testing.T) {
	expect.Slow(t)
	c := newCoverage(t)
	for _, name := range []string{"studies", "results", "more"} {
		path := filepath.Join(filepath.Dir(corpus), name+".jsonl.gz")
		c.read(t, path, corpusRecords(t, path))
	}
	total, back := 0, 0
	for _, module := range slices.Sorted(maps.Keys(c.total)) {
		t.Logf("%-56s %7d of %7d  %6.2f %%", module, c.back[module], c.total[module], 100*float64(c.back[module])/float64(c.total[module]))
		total, back = total+c.total[module], back+c.back[module]
	}
	t.Logf("%d records, %d documents: %d of %d values, %.2f %%", c.records, c.documents, back, total, 100*float64(back)/float64(total))
	t.Logf("lost: %v", c.lost)
	t.Logf("not of the official document: %v", c.unknown)
	expect.That(t, c.records == 1210 && c.documents == 313, "%d records, %d documents", c.records, c.documents)
	expect.That(t, 100*back >= 97*total, "less than 97 %% come back")
	slices.Sort(c.wholes)
	slices.Sort(c.summaries)
	half := len(c.wholes) / 2
	t.Logf("median answer: %d bytes, with sections=summary %d", c.wholes[half], c.summaries[half])
	expect.That(t, c.summaries[half] < 7135, "a summary has more bytes than an answer had before sections")
}

// A coverage compares every value of records with the answers of get_trial and get_trial_locations, by the list of fields. It reads
// both as plain JSON.
type coverage struct {
	list               map[string]fieldRow
	total, back        map[string]int // values by module, in all and in answers
	lost, unknown      map[string]int // by path: values missing from answers, and fields missing from the official document
	seen               map[string]bool
	records, documents int
	wholes, summaries  []int // bytes of answers
}

func newCoverage(t *testing.T) *coverage {
	return &coverage{
		list: coverageList(t), total: map[string]int{}, back: map[string]int{},
		lost: map[string]int{}, unknown: map[string]int{}, seen: map[string]bool{},
	}
}

// read compares the records of a file. An answer must contain at least 90 % of each record.
func (c *coverage) read(t *testing.T, path string, records []map[string]any) {
	t.Helper()
	a := corpusApp(t, path)
	hideOrigin(a)
	for _, raw := range records {
		delete(raw, "resultsSection")
		nct := inside(raw, "protocolSection", "identificationModule", "nctId").(string)
		answers := newAnswered(t, a, nct)
		c.wholes = append(c.wholes, answers.rawBytes)
		c.summaries = append(c.summaries, len(called(t, a, "get_trial", map[string]any{"nct_id": nct, "sections": "summary"})))
		mine, found := 0, 0
		for _, l := range leavesOf(nil, raw, "", -1) {
			c.seen[l.path] = true
			if slices.ContainsFunc(navigation, func(s string) bool { return strings.Contains(l.path, s) }) {
				continue
			}
			row, known := c.list[l.path]
			if !known {
				c.unknown[l.path]++
				continue
			}
			steps := strings.Split(l.path, ".")
			module := strings.Join(steps[:min(2, len(steps))], ".")
			c.total[module]++
			mine++
			if answers.have(l, row) {
				c.back[module]++
				found++
			} else {
				c.lost[l.path]++
			}
		}
		expect.That(t, 10*found >= 9*mine, "%s: %d of %d values come back", nct, found, mine)
		c.records++
		c.documents += answers.checkDocuments(t, nct, raw)
		answers.checkSources(t, nct, raw, c.list)
	}
}

// An answered has the answers about one trial.
type answered struct {
	values   map[string][]leaf // by field
	trial    map[string]any
	rawBytes int // bytes of the trial
}

// called calls a tool and returns its answer.
func called(t *testing.T, a *app.App, tool string, arguments map[string]any) []byte {
	t.Helper()
	raw, err := json.Marshal(arguments)
	expect.NoError(t, err)
	result := a.Tool(tool).Call(t.Context(), a.Log, raw)
	expect.Must(t, !result.IsError, "%s %s: %s", tool, raw, result.JSON)
	return result.JSON
}

// newAnswered reads a trial and all of its sites.
func newAnswered(t *testing.T, a *app.App, nct string) *answered {
	t.Helper()
	text := called(t, a, "get_trial", map[string]any{"nct_id": nct})
	answers := &answered{values: map[string][]leaf{}, trial: decodeNumbers(t, text), rawBytes: len(text)}
	if notices := fmt.Sprint(answers.trial["notices"]); strings.HasPrefix(notices, "[eligibility_criteria.limits: the last ") {
		delete(answers.trial, "notices") // they are computed, and a long text has more than fit
	}
	expect.That(t, answers.trial["notices"] == nil, "%s: notices %v", nct, answers.trial["notices"])
	var sites []any
	arguments := map[string]any{"nct_id": nct, "page_size": 500}
	for more := true; more; {
		page := decodeNumbers(t, called(t, a, "get_trial_locations", arguments))
		sites = append(sites, page["items"].([]any)...)
		arguments["cursor"], more = inside(page, "pagination", "cursor").(string)
	}
	for _, l := range leavesOf(leavesOf(nil, answers.trial, "trial", -1), sites, "location", -1) {
		answers.values[l.path] = append(answers.values[l.path], l)
	}
	return answers
}

func decodeNumbers(t *testing.T, text []byte) (object map[string]any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	expect.NoError(t, d.Decode(&object))
	return object
}

// corpusRecords returns the records of a file.
func corpusRecords(t *testing.T, path string) (records []map[string]any) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Skipf("the real records are not here: %v", err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	expect.NoError(t, err)
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		records = append(records, decodeNumbers(t, lines.Bytes()))
	}
	expect.NoError(t, lines.Err())
	return records
}

// inside returns the value at a path in JSON, or nil.
func inside(v any, path ...string) any {
	for _, step := range path {
		object, _ := v.(map[string]any)
		v = object[step]
	}
	return v
}

// have reports whether the answers contain a value of the record, at its place.
func (a *answered) have(l leaf, row fieldRow) bool {
	place, want := l.place, plainText(l.text)
	switch {
	case want == "":
		return true // the field is left out
	case strings.HasSuffix(l.path, "enrollmentInfo.count"):
		if want == "99999999" {
			return len(a.values["trial.enrollment"]) == 0
		}
	case strings.HasSuffix(l.path, "enrollmentInfo.type") && len(a.values["trial.enrollment"]) == 0:
		return len(a.values["trial.enrollment_type"]) == 0
	case strings.HasSuffix(l.path, ".collaborators.name"), strings.HasSuffix(l.path, ".collaborators.class"):
		place++
	case strings.Contains(l.path, ".leadSponsor."):
		place = 0
	case strings.HasSuffix(l.path, "largeDocs.typeAbbrev"), strings.Contains(l.path, "largeDocs.has"):
		return a.kind(l)
	}
	if row.markup {
		want = unescaped(want)
	}
	return slices.ContainsFunc(row.fields, func(field string) bool {
		return slices.ContainsFunc(a.values[field], func(got leaf) bool {
			return (got.place == place || strings.Contains(field, ".mesh") || field == "trial.phase") && same(l.path, want, got.text)
		})
	})
}

// same reports whether the value in an answer equals the value of the record, with the changes that docs/coverage.md lists.
func same(path, want, got string) bool {
	switch last := path[strings.LastIndex(path, ".")+1:]; {
	case want == got:
		return true
	case last == "nctId" || last == "nctIdAliases":
		return got == "NCT:"+strings.TrimPrefix(want, "NCT")
	case strings.HasSuffix(path, "meshes.id"):
		number, err := strconv.Atoi(want[1:])
		short := want[0] == 'D' && number <= 66330 || want[0] == 'C' && number <= 584933
		return err == nil && got == fmt.Sprintf("%c%0*d", want[0], map[bool]int{true: 6, false: 9}[short], number)
	case last == "lat" || last == "lon": // 44.0 is 44
		a, err := strconv.ParseFloat(want, 64)
		b, err2 := strconv.ParseFloat(got, 64)
		return err == nil && err2 == nil && a == b
	case last == "phone":
		return strings.HasPrefix(got, want+" x")
	case last == "phoneExt":
		return strings.HasSuffix(got, " x"+want)
	}
	return false
}

// kind checks a flag of a record that says which parts a document has.
func (a *answered) kind(l leaf) bool {
	var kinds []string
	for _, k := range a.values["trial.documents.kinds"] {
		if k.place == l.place {
			kinds = append(kinds, k.text)
		}
	}
	switch l.path[strings.LastIndex(l.path, ".")+1:] {
	case "hasProtocol":
		return slices.Contains(kinds, "protocol") == (l.text == "true")
	case "hasSap":
		return slices.Contains(kinds, "sap") == (l.text == "true")
	case "hasIcf":
		return slices.Contains(kinds, "icf") == (l.text == "true")
	}
	return strings.EqualFold(strings.ReplaceAll(l.text, "Prot", "protocol"), strings.Join(kinds, "_"))
}

// checkDocuments checks the address of each document, and returns the number of documents.
func (a *answered) checkDocuments(t *testing.T, nct string, raw map[string]any) int {
	t.Helper()
	given, _ := inside(raw, "documentSection", "largeDocumentModule", "largeDocs").([]any)
	for i, d := range given {
		want := fmt.Sprintf("https://cdn.clinicaltrials.gov/large-docs/%s/%s/%s", nct[9:], nct, inside(d, "filename"))
		got, _ := a.trial["documents"].([]any)
		expect.That(t, len(got) == len(given) && inside(got[i], "url") == want, "%s: document %d has another address than %s", nct, i, want)
	}
	return len(given)
}

// computed are the fields of answers that no single field of a record contains.
var computed = []string{
	"trial.cross_references.", "trial.reporting.", "trial.locations_summary.", "trial.protocol.arms_counted", "trial.documents.", "trial.sponsors.role",
	"trial.eligibility_criteria.limits", "location.team", "trial.secondary_ids.register",
}

// checkSources checks that each value of an answer is a value of the record.
func (a *answered) checkSources(t *testing.T, nct string, raw map[string]any, list map[string]fieldRow) {
	t.Helper()
	namedBySource := map[string][]leaf{}
	for _, l := range leavesOf(nil, raw, "", -1) {
		for _, field := range list[l.path].fields {
			namedBySource[field] = append(namedBySource[field], l)
		}
	}
	namedBySource["trial.title"] = append(namedBySource["trial.title"], namedBySource["trial.brief_title"]...)
	for field, values := range a.values {
		if slices.ContainsFunc(computed, func(prefix string) bool { return strings.HasPrefix(field, prefix) }) {
			continue
		}
		for _, got := range values {
			if !slices.ContainsFunc(namedBySource[field], func(l leaf) bool {
				return same(l.path, plainText(l.text), got.text) || same(l.path, unescaped(plainText(l.text)), got.text)
			}) {
				t.Errorf("%s: %s has a value that the record has not", nct, field)
				break
			}
		}
	}
}

// references replaces the character references of HTML that the records have.
var references = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "&#39;", "'")

// plainText removes the characters that Biofact removes from every text, and resolves character references.
func plainText(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\u2028' || r == '\u2029':
			return '\n'
		case r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector):
			return -1
		}
		return r
	}, references.Replace(references.Replace(text))))
}

// unescaped removes the backslash before each punctuation character.
func unescaped(s string) string {
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
			i++
		}
		out = append(out, s[i])
	}
	return string(out)
}
