//go:build live

package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// matchCitations checks assumptions about ECitMatch: it accepts rows without year, without author, and with both wrong; it names an
// unknown journal; a POST form gives the same answer as a URL. Which candidates it lists is not checked here, because Biofact compares
// the records.
func (l *live) matchCitations(t *testing.T) {
	cite := func(journal, volume, page, more string) map[string]any {
		c := map[string]any{"journal": journal, "volume": volume, "firstPage": page}
		for field := range strings.FieldsSeq(more) {
			name, value, _ := strings.Cut(field, "=")
			c[name] = value
		}
		return c
	}
	list := []any{
		map[string]any{"text": "Husain, Lancet 394:121 (2019)"},
		cite("Lancet", "394", "121", ""),
		cite("The Lancet", "394", "121-130", "author=Gerstein year=2019"),
		cite("N Engl J Med", "373", "23", "author=Larkin"),
		cite("No Such Journal of Biofact", "1", "1", ""),
		cite("Lancet", "394", "999999", ""),
		map[string]any{"title": "Combined Nivolumab and Ipilimumab or Monotherapy in Untreated Melanoma"},
		map[string]any{"doi": "10.1016/S0140-6736(20)31180-6"},
		cite("Lancet|2019|394|121", "394", "121", "author=|"),
		map[string]any{"text": "PMID: 31189511"},
	}
	want := []string{
		"matched 31189511 author", "matched 31189511", "matched 31189511", "matched 26027431", "not_found", "not_found", "matched 26027431",
		"matched 32450107", "", "matched 31189511",
	}
	var answer entity.CitationMatches
	l.call(t, "matchCitations", map[string]any{"citations": list}, &answer)
	expect.Must(t, len(answer.Items) == len(list), "%d items", len(answer.Items))
	for i, item := range answer.Items {
		got := strings.TrimSpace(item.Status + " " + item.PMID + " " + strings.Join(item.Differs, " "))
		expect.That(t, want[i] == "" && item.Status != "" || got == want[i], "%v: %s, want %s", list[i], got, want[i])
	}
	expect.That(t, answer.Items[7].Retracted, "the retraction of 32450107 is not reported")
	if os.Getenv("BIOFACT_LIVE_SANDBOX") != "" {
		return // the sandbox has few of its journals
	}
	// These names are too long for a URL, so the request is a POST form.
	var long []any
	for range 20 {
		c := cite("The New England journal of medicine", "373", "23", "author=Larkin year=2015")
		c["author"] = "Larkin " + strings.Repeat("J", len(long)+1)
		long = append(long, c)
	}
	l.call(t, "matchCitations", map[string]any{"citations": long}, &answer)
	for i, item := range answer.Items {
		expect.Is(t, item.Status+" "+item.PMID, "matched 26027431", "item %d by a form", i)
	}
}
