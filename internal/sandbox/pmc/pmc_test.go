package pmc

import (
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestEmbedded: every response is well-formed, and no EFetch response contains a withheld text.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	articles, err := Embedded()
	expect.NoError(t, err)
	for _, pmcid := range slices.Sorted(maps.Keys(articles)) {
		answer := string(articles.EFetch([]string{strings.TrimPrefix(pmcid, "PMC"), "1"}))
		dec := xml.NewDecoder(strings.NewReader(answer))
		for err == nil {
			_, err = dec.Token()
		}
		expect.That(t, errors.Is(err, io.EOF), "%s: %v", pmcid, err)
		expect.Is(t, strings.Contains(answer, "<body>"), articles[pmcid].withheld == "", "%s has a body", pmcid)
		expect.That(t, strings.Contains(answer, `<error id="1">`), "%s: nothing is said of an unknown id", pmcid)
		err = nil
	}
}
