//go:build live

package e2e

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// near checks assumptions about places and distances that no stored answer of the registry shows.
func (l *live) near(t *testing.T) {
	count := func(arguments map[string]any) int {
		var counts entity.TrialCounts
		l.call(t, "count_trials", arguments, &counts)
		return counts.TotalCount
	}
	const boston = "42.36,-71.06"
	miles, kilometres := count(map[string]any{"near": boston, "within": "50 mi"}),
		count(map[string]any{"near": boston, "within": "80.467 km"})
	expect.That(t, miles > 0 && miles == kilometres, "50 mi are 80.467 km, with a decimal point: %d and %d", miles, kilometres)
	half, one := count(map[string]any{"near": boston, "within": "0.5 mi"}), count(map[string]any{"near": boston, "within": "1 km"})
	expect.That(t, half > 0 && half <= one && one <= miles, "a radius may be below 1: %d within 0.5 mi, %d within 1 km", half, one)
	expect.That(t, count(map[string]any{"near": boston, "within": "500 mi"}) > miles, "500 mi are taken, and reach more than 50")

	for _, within := range []struct {
		text string
		km   float64
	}{{"10 mi", 16.1}, {"300 km", 300}} {
		var page candidates
		l.call(t, "search_trials", map[string]any{"condition": "cancer", "near": boston, "within": within.text, "page_size": 100}, &page)
		expect.That(t, len(page.Items) > 0, "no trial within %s", within.text)
		for _, c := range page.Items {
			expect.That(t, c.NearestSite != nil && c.NearestSite.DistanceKM <= within.km+0.5,
				"all sites come with the page, and the registry measures as Biofact does: %s has %+v within %s", c.ID, c.NearestSite,
				within.text)
		}
	}

	arguments := map[string]any{"condition": "cancer", "near": boston, "within": "30 mi", "recruiting_site": true, "page_size": 50}
	seen := map[string]bool{}
	for range 3 {
		var page candidates
		l.call(t, "search_trials", arguments, &page)
		expect.That(t, page.Pagination.TotalCount == nil, "a total of trials with a recruiting site: %v", page.Pagination.TotalCount)
		for _, c := range page.Items {
			site := c.NearestSite
			if c.NearestRecruitingSite != nil {
				site = c.NearestRecruitingSite
			}
			expect.That(t, c.Status == "RECRUITING" && site != nil && site.RecruitmentStatus == "RECRUITING" && site.DistanceKM <= 48.8,
				"%s: %s, %+v", c.ID, c.Status, site)
			expect.That(t, !seen[c.ID], "%s is on two pages", c.ID)
			seen[c.ID] = true
		}
		if page.Pagination.Cursor == "" {
			break
		}
		arguments["cursor"] = page.Pagination.Cursor
	}
	expect.That(t, len(seen) > 0, "no trial recruits near Boston")
	expect.Is(t, l.call(t, "search_trials", map[string]any{"near": "Springfield"}, nil), entity.AmbiguousQuery, "Springfield")
	expect.Is(t, l.call(t, "search_trials", map[string]any{"near": "Zzyzx, CA"}, nil), entity.InvalidInput, "Zzyzx, CA")
}

// zipCodes checks the expressions that find places by postal codes.
func (l *live) zipCodes(t *testing.T) {
	count := func(expression string) int {
		var counts entity.TrialCounts
		l.call(t, "count_trials", map[string]any{"expression": expression}, &counts)
		return counts.TotalCount
	}
	code := count(`AREA[LocationZip]"02115"`)
	inUS := count(`SEARCH[Location](AREA[LocationZip]"02115" AND AREA[LocationCountry]"United States")`)
	either := count(`SEARCH[Location]((AREA[LocationZip]"02115" OR AREA[LocationZip]"02114") AND AREA[LocationCountry]"United States")`)
	abroad := count(`SEARCH[Location](AREA[LocationZip]"02115" AND AREA[LocationCountry]"France")`)
	expect.That(t, code > 0 && inUS > 0 && inUS <= code && inUS <= either && abroad == 0,
		"a quoted ZIP code is compared with that of one site: %d, %d in the United States, %d with another code, %d in France", code, inUS,
		either, abroad)
	t.Logf("sites with 02115-5804: %d; with the words 021: %d", count(`AREA[LocationZip]"02115-5804"`), count(`AREA[LocationZip]"021"`))
	for near, city := range map[string]string{"02115": "Boston", "77030": "Houston"} {
		var page candidates
		l.call(t, "search_trials", map[string]any{"near": near, "within": "5 mi", "page_size": 1}, &page)
		expect.That(t, len(page.Items) == 1 && page.Items[0].NearestSite != nil && strings.Contains(page.Items[0].NearestSite.City, city),
			"%s is in %s: %+v", near, city, page.Items)
	}
}
