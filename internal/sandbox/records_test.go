package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// texts returns the text of every file of a folder by its name.
func texts(t *testing.T, f *records.Folder) map[string][]byte {
	t.Helper()
	sources, err := fs.ReadDir(data, "data")
	expect.NoError(t, err)
	all := map[string][]byte{}
	for _, source := range sources {
		for _, file := range slices.Concat(f.JSON(source.Name()), f.XML(source.Name())) {
			if all[file.Name()] == nil {
				all[file.Name()], err = file.Read(t.Context())
				expect.NoError(t, err)
			}
		}
	}
	return all
}

// studiesOf returns the studies of a file of the registry, and nil for other files.
func studiesOf(t *testing.T, name string, text []byte) []map[string]any {
	t.Helper()
	var all []map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	for strings.Contains(name, "ctgov/") && decoder.More() {
		var study map[string]any
		expect.NoError(t, decoder.Decode(&study))
		all = append(all, study)
	}
	return all
}

func embeddedRecords(t testing.TB) *records.Folder {
	t.Helper()
	embedded, err := fs.Sub(data, "data")
	expect.NoError(t, err)
	f, err := records.Embedded(embedded)
	expect.NoError(t, err)
	return f
}

// TestRecordsHoldTheRules: people, addresses and phone numbers are invented, and records have the form of their source.
func TestRecordsHoldTheRules(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	address, orcid := regexp.MustCompile(`[\w.+-]+@[\w.-]+`), regexp.MustCompile(`\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b`)
	size := 0
	for name, text := range texts(t, embeddedRecords(t)) {
		for _, found := range address.FindAll(text, -1) {
			expect.That(t, bytes.HasSuffix(found, []byte("@example.org")), "%s: %s is not at example.org", name, found)
		}
		for _, found := range orcid.FindAll(text, -1) {
			expect.That(t, bytes.HasPrefix(found, []byte("0000-0000-0000-")), "%s: %s may be the ORCID iD of a person", name, found)
		}
		expect.That(t, !strings.Contains(name, ".xml") || !bytes.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }),
			"%s is not ASCII", name)
		info, err := fs.Stat(data, "data/"+strings.TrimPrefix(name, "embedded "))
		expect.NoError(t, err)
		size += int(info.Size())
		for _, study := range studiesOf(t, name, text) {
			id := query.First(study, "NCTId")
			for _, field := range []string{"CentralContactName", "LocationContactName", "OverallOfficialName",
				"ResponsiblePartyInvestigatorFullName"} {
				for _, person := range query.Values(study, field) {
					expect.That(t, invented.MatchString(person), "%s: %s is not one of the invented names", id, person)
				}
			}
			for _, field := range []string{"CentralContactPhone", "LocationContactPhone", "PointOfContactPhone"} {
				for _, phone := range query.Values(study, field) {
					expect.That(t, inventedPhone.MatchString(phone), "%s: %s may be a real phone number", id, phone)
				}
			}
			fitsThePieces(t, id, study)
		}
	}
	expect.That(t, size < 1_000_000, "the records take %d bytes of the program", size)
}

// Phone numbers 555-01xx are reserved for fiction. The names are common given names and simple compound family names.
var (
	inventedPhone = regexp.MustCompile(`^(\+?\d{2,3}[ -])?555-01\d\d$`)
	invented      = regexp.MustCompile(`^(Alex|Robin|Sam|Kim|Dana|Jo|Lee|Chris|Pat|Terry|Jamie|Morgan|Casey|Drew|Ash|Quinn|Remy|Noor|Sasha|Toni) ` +
		`(Ashbrook|Birchwell|Cloverley|Dunmarsh|Elmstead|Fernlow|Glenbarrow|Hazelmere|Ivyholt|Juniperson|Kelpwick|Larkhill|Mossdale|Netherby|` +
		`Oakenshaw|Pinefield|Quillbrook|Reedham|Sagebourne|Thistlewood)(, .+)?$`)
	partialDate = regexp.MustCompile(`^[0-9]{4}(-[0-9]{2}){0,2}$`)
)

// fitsThePieces reports fields that the registry does not have: no query would find them and no field list would return them. It also
// reports null and empty values.
func fitsThePieces(t *testing.T, id string, study map[string]any) {
	t.Helper()
	var walk func(node any, path string)
	walk = func(node any, path string) {
		p := query.PieceAt(path)
		switch node := node.(type) {
		case map[string]any:
			expect.That(t, len(node) > 0, "%s: %s is empty", id, path)
			expect.That(t, path == "" || p != nil && (p.Parent || p.Type == "GeoPoint"), "%s: %s has no fields below it", id, path)
			for key, child := range node {
				walk(child, strings.TrimPrefix(path+"."+key, "."))
			}
		case []any:
			expect.That(t, len(node) > 0, "%s: %s is empty", id, path)
			for _, item := range node {
				walk(item, path)
			}
		default:
			text := fmt.Sprint(node)
			switch {
			case strings.HasPrefix(path, "protocolSection.contactsLocationsModule.locations.geoPoint."):
			case p == nil || p.Parent || node == nil || text == "":
				t.Errorf("%s: %s is no field, or empty", id, path)
			case p.Enum() != nil && !slices.Contains(p.Enum(), text):
				t.Errorf("%s: %s may not be %q", id, path, text)
			case (p.Type == "PartialDate" || p.Type == "NormalizedDate") && !partialDate.MatchString(text):
				t.Errorf("%s: %s is no date: %q", id, path, text)
			}
		}
	}
	walk(study, "")
}

var (
	sentenceEnd = regexp.MustCompile(`[.!?]\s+|\n+`)
	xmlProse    = regexp.MustCompile(`(?s)<(?:AbstractText|Entrezgene_summary|Gene-commentary_text|p)\b[^>]*>(.*?)</(?:AbstractText|Entrezgene_summary|Gene-commentary_text|p)>`)
	proseFields = map[string]bool{
		"briefSummary": true, "detailedDescription": true, "eligibilityCriteria": true, "description": true, "studyPopulation": true,
		"whyStopped": true, "populationDescription": true, "limitationsAndCaveats": true,
	}
)

// sentences adds the sentences of a text that are long enough to be recognizable.
func sentences(all map[string]bool, text string) {
	for _, sentence := range sentenceEnd.Split(text, -1) {
		if words := strings.Fields(strings.ToLower(sentence)); len(words) >= 9 {
			all[strings.Trim(strings.Join(words, " "), "*-. ")] = true
		}
	}
}

// prose returns the sentences of the records of a folder.
func prose(t *testing.T, f *records.Folder) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	var walk func(node any, key string)
	walk = func(node any, key string) {
		switch node := node.(type) {
		case map[string]any:
			for key, child := range node {
				walk(child, key)
			}
		case []any:
			for _, item := range node {
				walk(item, key)
			}
		case string:
			if proseFields[key] {
				sentences(all, node)
			}
		}
	}
	for name, text := range texts(t, f) {
		for _, study := range studiesOf(t, name, text) {
			walk(study, "")
		}
		for _, found := range xmlProse.FindAllSubmatch(text, -1) {
			sentences(all, string(found[1]))
		}
	}
	return all
}

// TestRecordsAreOurs: no sentence of the embedded records occurs in a real record.
func TestRecordsAreOurs(t *testing.T) {
	t.Parallel()
	expect.Slow(t)
	ours := prose(t, embeddedRecords(t))
	expect.That(t, len(ours) > 300, "%d sentences", len(ours))
	for _, part := range []string{"ctgov/studies.jsonl.gz", "ctgov/results.jsonl.gz", "ctgov/more.jsonl.gz", "pubmed/efetch", "gene",
		"pmc/jats"} {
		path := expect.Corpus(t, part, "it compares embedded records with the real ones")
		real, err := records.Open(t.Context(), path, records.DefaultLimits)
		expect.NoError(t, err)
		for sentence := range prose(t, real) {
			expect.That(t, !ours[sentence], "a sentence of a real record: %s", sentence)
		}
	}
}

// TestAddedRecord follows docs/sandbox-records.md: a file that is added to the embedded ones is served.
func TestAddedRecord(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	expect.NoError(t, os.CopyFS(folder, data))
	folder = filepath.Join(folder, "data")
	write(t, filepath.Join(folder, "ctgov", "mine.jsonl.gz"), studyOne+"\n")
	write(t, filepath.Join(folder, "ncbi", "mine.xml.gz"), articles)
	s, err := Open(t.Context(), folder)
	expect.NoError(t, err)
	expect.Equal(t, "study", []string{"NCT00000001"}, search200(t, s, "filter.ids", "NCT00000001").ids())
	expect.Equal(t, "articles", []string{"29768149", "11"}, pubmed(t, s, "11[uid] OR 29768149[uid]"))
}
