package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// A drugFile is a file of openFDA's records that is compared with FDA's own.
type drugFile struct {
	name string
	id   string
	real []string // files of the corpus: records one a line, or a reply with results
	// complete says that a real record has all of its fields. Fields that are not in a cut one are not compared.
	complete bool
	// only are the fields that a record without a real one at hand may have.
	only string
}

var drugFiles = []drugFile{
	{name: "drugsfda", id: "application_number", real: []string{"records/drugsfda.jsonl.gz"}, complete: true,
		only: "application_number submissions products openfda submission_type submission_number submission_status " +
			"submission_status_date brand_name active_ingredients name"},
	{name: "ndc", id: "product_ndc", real: []string{"records/ndc.jsonl.gz"}, complete: true,
		only: "product_ndc generic_name labeler_name brand_name marketing_category product_type application_number active_ingredients " +
			"name openfda"},
	{name: "label", id: "set_id", real: []string{"records/labels.jsonl.gz", "responses/label_choice_20261013.json"},
		only: "set_id effective_time openfda"},
}

// harmonized are the fields that the openfda block of a real drug may have: names and ids.
const harmonized = "application_number brand_name generic_name substance_name unii spl_set_id manufacturer_name product_type route rxcui " +
	"product_ndc is_original_packager"

// TestDrugsAreTrue compares each embedded record of a drug with FDA's own, where it is at hand: a fact is equal or absent. A record
// without one at hand has names, ids and the day of its approval only. Reports, recalls and shortages are of invented drugs only.
func TestDrugsAreTrue(t *testing.T) {
	t.Parallel()
	for _, file := range drugFiles {
		real := map[string]map[string]any{}
		for _, name := range file.real {
			for _, record := range drugRecords(t, expect.Corpus(t, "openfda/"+name, "it compares embedded drugs with FDA's records")) {
				if id := fmt.Sprint(record[file.id]); real[id] == nil {
					real[id] = record
				}
			}
		}
		compared, facts, single := 0, 0, 0
		for _, record := range embeddedDrugs(t, file.name) {
			id := fmt.Sprint(record[file.id])
			if ofExample(record) {
				continue
			}
			block, _ := record["openfda"].(map[string]any)
			known, _ := real[id]["openfda"].(map[string]any)
			for field := range block {
				isTrue := known[field] != nil || slices.Contains(strings.Fields(harmonized), field)
				expect.That(t, isTrue, "%s: openfda.%s is not known to be true", id, field)
			}
			if real[id] == nil {
				single++
				onlyFields(t, id, record, strings.Fields(file.only))
				continue
			}
			compared++
			facts += sameDrug(t, id, record, real[id], file.complete)
		}
		t.Logf("%s: %d records compared, %d facts; %d have no record at hand", file.name, compared, facts, single)
		expect.That(t, compared > 0, "no record of %s was compared", file.name)
	}
	for _, name := range []string{"event", "enforcement", "shortages"} {
		for _, record := range embeddedDrugs(t, name) {
			expect.That(t, ofExample(record), "%s has a record of a real drug: %v", name, record)
		}
	}
}

// unii matches an id of a substance in a record.
var unii = regexp.MustCompile(`"unii":\["([^"]*)"`)

// ofExample reports whether a record says that its drug is an example, and names no real substance.
func ofExample(record map[string]any) bool {
	text, err := json.Marshal(record)
	for _, found := range unii.FindAllSubmatch(text, -1) {
		if !bytes.HasPrefix(found[1], []byte("XXXXXXXXX")) { // nine letters and digits, and a digit that checks them
			return false
		}
	}
	return err == nil && bytes.Contains(bytes.ToUpper(text), []byte("EXAMPLE DRUG "))
}

// sameDrug reports each fact that the real record does not have, and returns the number of facts. Sections of a label are ours. The
// block openfda is compared by the fields that both have, because few real records at hand have it.
func sameDrug(t *testing.T, id string, record, real map[string]any, complete bool) (facts int) {
	t.Helper()
	block, _ := record["openfda"].(map[string]any)
	known, _ := real["openfda"].(map[string]any)
	for field, value := range block {
		if known[field] != nil {
			facts += expect.SameFacts(t, id+".openfda."+field, value, known[field])
		}
	}
	for field, value := range record {
		_, section := value.([]any)
		if field == "openfda" || !complete && (section || real[field] == nil) {
			continue
		}
		facts += expect.SameFacts(t, id+"."+field, value, real[field])
	}
	return facts
}

// onlyFields reports each field of a value, but those of sections of labels and of the block openfda, that is not in a list.
func onlyFields(t *testing.T, id string, value any, fields []string) {
	t.Helper()
	switch value := value.(type) {
	case map[string]any:
		for field, inner := range value {
			if list, ok := inner.([]any); ok && len(list) > 0 {
				if _, section := list[0].(string); section {
					continue
				}
			}
			expect.That(t, slices.Contains(fields, field), "%s: %s is not known to be true", id, field)
			if field != "openfda" {
				onlyFields(t, id, inner, fields)
			}
		}
	case []any:
		for _, inner := range value {
			onlyFields(t, id, inner, fields)
		}
	}
}

// embeddedDrugs returns the embedded records of an endpoint.
func embeddedDrugs(t *testing.T, name string) []map[string]any {
	t.Helper()
	all := texts(t, embeddedRecords(t))
	for _, file := range slices.Sorted(maps.Keys(all)) {
		if strings.Contains(file, "openfda/") && strings.HasPrefix(path.Base(file), name+".") {
			return decodeDrugs(t, all[file])
		}
	}
	t.Fatalf("no embedded records of %s", name)
	return nil
}

// drugRecords returns the records of a file of the corpus.
func drugRecords(t *testing.T, file string) []map[string]any {
	t.Helper()
	text := expect.Read(t, file)
	if strings.HasSuffix(file, ".json") {
		var reply struct{ Results []map[string]any }
		expect.NoError(t, json.Unmarshal(text, &reply))
		return reply.Results
	}
	return decodeDrugs(t, text)
}

func decodeDrugs(t *testing.T, text []byte) (all []map[string]any) {
	t.Helper()
	for decoder := json.NewDecoder(bytes.NewReader(text)); decoder.More(); {
		var record map[string]any
		expect.NoError(t, decoder.Decode(&record))
		all = append(all, record)
	}
	return all
}
