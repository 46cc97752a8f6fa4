package trials_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// FuzzTrial: any study that decodes is an incomplete record or maps to valid entities.
func FuzzTrial(f *testing.F) {
	for _, name := range fixtureNames(f) {
		text, err := os.ReadFile(filepath.Join(fixtures, name+".json"))
		expect.NoError(f, err)
		f.Add(text)
	}
	const head = `{"protocolSection":{"identificationModule":{"nctId":"NCT00000001","briefTitle":"t"},"statusModule":{"overallStatus":"s"`
	f.Add([]byte(head + `,"startDateStruct":{"date":"1"},"whyStopped":" \\\\"}},"hasResults":null}`))
	f.Add([]byte(head + `},"designModule":{"phases":["","NA"],"enrollmentInfo":{"count":-1}}}}`))
	f.Add([]byte(head + `},"contactsLocationsModule":{"locations":[{},null,{"contacts":[{}]}]},"referencesModule":{"references":[{"pmid":" "}]}}}`))
	f.Add([]byte(head + `}},"derivedSection":{"conditionBrowseModule":{"meshes":[{"id":"D"},{"id":"D99999999999999999999"},{"id":"D0"}]}}}`))
	f.Fuzz(func(t *testing.T, document []byte) {
		var s ctgov.Study
		if json.Unmarshal(document, &s) != nil {
			t.Skip()
		}
		m, err := mapStudy(&s)
		if errors.Is(err, text.ErrIncomplete) {
			return
		}
		expect.NoError(t, err)
		for _, p := range problems(t, m) {
			t.Error(p)
		}
	})
}
