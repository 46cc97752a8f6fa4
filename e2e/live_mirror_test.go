//go:build live

package e2e

import (
	"net/http"
	"net/url"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mirror"
)

// slowly makes requests at the pace that the registry asks for.
type slowly struct{ turns *time.Ticker }

func (s slowly) RoundTrip(req *http.Request) (*http.Response, error) {
	<-s.turns.C
	return http.DefaultTransport.RoundTrip(req)
}

func unhurried(t *testing.T) slowly {
	turns := time.NewTicker(time.Second)
	t.Cleanup(turns.Stop)
	return slowly{turns}
}

func updatedIn(from, to string) url.Values {
	return url.Values{
		"filter.advanced": {"AREA[LastUpdatePostDate]RANGE[" + from + "," + to + "]"}, "sort": {"LastUpdatePostDate:asc"},
		"fields": {"NCTId|LastUpdatePostDate|VersionHolder"}, "pageSize": {"100"}, "countTotal": {"true"},
	}
}

// TestLiveMirrorProbes asks the registry what a sync depends on and no document says.
func TestLiveMirrorProbes(t *testing.T) {
	registry := unhurried(t)
	first := studiesOf(t, registry, updatedIn("2024-03-04", "2024-03-06"))
	total := func(from, to string) int { return *studiesOf(t, registry, updatedIn(from, to)).TotalCount }
	if sum := total("2024-03-04", "2024-03-04") + total("2024-03-05", "2024-03-05") + total("2024-03-06",
		"2024-03-06"); sum != *first.TotalCount {
		t.Errorf("the days of a range have %d studies one by one, %d together: a range does not include both ends, or a total is not exact",
			sum, *first.TotalCount)
	}
	seen := map[string]bool{}
	last, versions := "", []string{}
	query := updatedIn("2024-03-04", "2024-03-06")
	for page := first; ; page = studiesOf(t, registry, query) {
		for _, s := range page.Studies {
			id, day := s.ProtocolSection.IdentificationModule.NctID, s.ProtocolSection.StatusModule.LastUpdatePostDateStruct.Date
			if seen[id] || day < last {
				t.Errorf("%s of %s comes twice, or after %s: pages of sorted ties are not stable", id, day, last)
			}
			seen[id], last = true, day
			if v := s.DerivedSection.MiscInfoModule.VersionHolder; !slices.Contains(versions, v) {
				versions = append(versions, v)
			}
		}
		if page.NextPageToken == "" {
			break
		}
		query.Set("pageToken", page.NextPageToken)
		query.Del("countTotal")
	}
	expect.That(t, len(seen) == *first.TotalCount, "%d studies on all pages, the total is %d", len(seen), *first.TotalCount)
	expect.That(t, len(versions) == 1, "the records are of several versions of the data: %v", versions)
	all := *studiesOf(t, registry, url.Values{"pageSize": {"1"}, "countTotal": {"true"}, "fields": {"NCTId"}}).TotalCount
	dated := total("MIN", "MAX")
	expect.That(t, all == dated, "%d studies, %d with a day of their last update", all, dated)
	// A merged record is found under its old id.
	merged := studiesOf(t, registry, url.Values{"filter.ids": {"NCT07048704"}, "fields": {"NCTId"}})
	expect.That(t, len(merged.Studies) == 1 && merged.Studies[0].ProtocolSection.IdentificationModule.NctID == "NCT07280598", "%+v",
		merged.Studies)
}

// TestLiveMirrorParity compares a current mirror with the registry.
func TestLiveMirrorParity(t *testing.T) {
	cfg, err := config.Read(os.Environ())
	expect.NoError(t, err)
	reader := mirror.NewReader(cfg.MirrorFile())
	defer func() { expect.NoError(t, reader.Close()) }()
	if state, err := reader.State(t.Context()); err != nil || !state.Complete() {
		t.Skipf("no complete mirror at %s: biofact mirror sync", cfg.MirrorFile())
	}
	if p := compareParity(t, reader, unhurried(t)); p.close() {
		t.Log("words come as close as the mode prefer asks for: " + p.String())
	} else {
		t.Log("words must stay with the registry: " + p.String())
	}
}
