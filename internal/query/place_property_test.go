package query_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
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
	for _, piece := range []string{"LocationFacility", "LocationCity", "LocationState", "LocationCountry"} {
		for _, v := range query.SiteValues(study, piece) {
			if sites[v.Site] == nil {
				sites[v.Site] = map[string]string{}
			}
			sites[v.Site][piece] = v.Text
		}
	}
	for _, s := range sites {
		facility, city, state, country := s["LocationFacility"], s["LocationCity"], s["LocationState"], s["LocationCountry"]
		if city == "" || strings.Contains(city, ",") || place.IsCountry(city) || city == "København NV" { // Lebanon, New Hampshire; Nevada
			continue
		}
		texts = append(texts, city, country, city+", "+country)
		if state != "" && country == "United States" {
			texts = append(texts, city+", "+state, city+", "+state+", USA", state+", USA")
			if !strings.Contains(facility, ",") { // a comma is read as the end of its name
				texts = append(texts, facility+", "+city+", "+state)
			}
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// TestEverySite: the place of each embedded site, as people write it, finds its trial.
func TestEverySite(t *testing.T) {
	t.Parallel()
	studies, found, read := embeddedStudies(t), 0, map[string]query.Node{}
	for i, study := range studies.Records() {
		for _, text := range placesOfSites(study) {
			if read[text] == nil {
				at, err := place.Read(text)
				expect.NoError(t, err)
				words, filter := query.At(at, nil)
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

// TestCombinations: an operator between any two places joins their conditions.
func TestCombinations(t *testing.T) {
	t.Parallel()
	texts := []string{"Boston, MA", "NYC", "Portland, OR", "near Paris, France", "Georgia", "02115", "England, UK", "Mayo Clinic, Rochester, MN",
		"Bosnia and Herzegovina", "Brigham and Women's Hospital", "Turkey (Türkiye)", "greater Oslo", "Korea, Republic of", "ME", "Zzyzx"}
	for _, study := range embeddedStudies(t).Records() {
		texts = append(texts, placesOfSites(study)...)
	}
	random := rand.New(rand.NewPCG(5, 9))
	single := func(text string, recruiting bool) query.Node {
		read, err := place.Read(text)
		expect.Must(t, err == nil && read.Place != nil, "%q: %+v %v", text, read, err)
		_, filter := query.At(place.Expression{Join: place.All, Of: []place.Expression{read}}, also(recruiting))
		return filter
	}
	rounds := 10_000
	if testing.Short() {
		rounds = 500
	}
	for range rounds {
		one, other, recruiting := texts[random.IntN(len(texts))], texts[random.IntN(len(texts))], random.IntN(2) == 0
		if strings.HasPrefix(other, "Metro") { // before it, OR is Oregon
			continue
		}
		a, b := single(one, recruiting), single(other, recruiting)
		for text, want := range map[string]query.Node{
			one + " OR " + other:                        query.AnyOf(a, b),
			one + "; " + other:                          query.AnyOf(a, b),
			one + " AND " + other:                       query.AllOf(a, b),
			one + " AND NOT (" + other + ")":            query.AllOf(a, query.Not{Node: single(other, false)}),
			"(" + one + " OR " + other + ") AND " + one: query.AllOf(query.AnyOf(a, b), a),
		} {
			read, err := place.Read(text)
			expect.Must(t, err == nil, "%q: %v", text, err)
			_, filter := query.At(read, also(recruiting))
			expect.Must(t, fmt.Sprint(filter) == fmt.Sprint(want), "%q\n got %s\nwant %s", text, filter, want)
		}
	}
}
