package query_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/query"
)

// embeddedStudies returns the embedded records.
func embeddedStudies(t *testing.T) *query.Studies {
	t.Helper()
	upstream, err := oracle()
	expect.NoError(t, err)
	resp, err := (&http.Client{Transport: upstream}).Get("https://ctgov.example.org/api/v2/studies?pageSize=1000")
	expect.NoError(t, err)
	defer resp.Body.Close()
	var page struct {
		Studies       []map[string]any
		NextPageToken string
	}
	decoder := json.NewDecoder(resp.Body)
	decoder.UseNumber()
	expect.NoError(t, decoder.Decode(&page))
	expect.That(t, len(page.Studies) > 20 && page.NextPageToken == "", "%d studies", len(page.Studies))
	return query.NewStudies(page.Studies)
}

// placesOfSites returns the places of the sites of a study, each as people write it.
func placesOfSites(study map[string]any) (texts []string) {
	sites := make([]map[string]string, query.SiteCount(study))
	for _, piece := range []string{"LocationCity", "LocationState", "LocationCountry"} {
		for _, v := range query.SiteValues(study, piece) {
			if sites[v.Site] == nil {
				sites[v.Site] = map[string]string{}
			}
			sites[v.Site][piece] = v.Text
		}
	}
	for _, s := range sites {
		city, state, country := s["LocationCity"], s["LocationState"], s["LocationCountry"]
		if city == "" || strings.Contains(city, ",") || place.IsCountry(city) || city == "København NV" ||
			city == "New Brunswick" { // Lebanon, New Hampshire; Nevada; also a province of Canada
			continue
		}
		texts = append(texts, city, country, city+", "+country)
		if state != "" && country == "United States" {
			texts = append(texts, city+", "+state, city+", "+state+", USA", state+", USA")
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// TestEverySite: the place of each embedded site, as people write it, finds its trial.
func TestEverySite(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	studies, found, read := embeddedStudies(t), 0, map[string]query.Node{}
	for i, study := range studies.Records() {
		for _, text := range placesOfSites(study) {
			if read[text] == nil {
				at, err := place.Read(text)
				expect.NoError(t, err)
				words, filter := query.At(place.Readings(at), nil)
				read[text], err = query.Parse(textOf(query.AllOf(words, filter)), query.AreaNamed("LocationSearch"))
				expect.NoError(t, err)
			}
			_, ok := studies.Match(i, read[text])
			expect.That(t, ok, "%q does not find %s: %s", text, query.First(study, "NCTId"), read[text])
			found++
		}
	}
	expect.That(t, found > 100, "the embedded records have %d places", found)
}
