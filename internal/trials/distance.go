package trials

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
)

// byDistance is the order in which the trial with the nearest site comes first. The registry has no such order.
const byDistance = "distance"

// pageByDistance reads all trials of a search near a place, and returns the page of the cursor in the order of their distance, with at most
// count candidates. More trials than one request returns keep the order of the registry; if the call names the order, they are an error.
func pageByDistance(ctx context.Context, w *trialWalk, order sorting, count int) (candidatePage, error) {
	at := w.at
	w.at.Skip, w.at.Seen, w.at.Total = 0, 0, nil
	list, err := w.read(ctx, count)
	if err != nil {
		return candidatePage{}, err
	}
	if list.Total != nil && *list.Total > ctgov.MaxPage {
		if order.given {
			return candidatePage{}, envelope.Refuse("sort", byDistance, "%d trials match, and at most %d can be sorted by distance",
				*list.Total, ctgov.MaxPage).Again(tools.SearchTrials, `with {"sort":null}, with a smaller within, or with more filters`)
		}
		w.notes.Add(fmt.Sprintf("near: %d trials match. Up to %d are sorted by distance, so these are sorted by first_posted.", *list.Total,
			ctgov.MaxPage))
		w.at = at
		return searchPage(ctx, w, count)
	}
	if list.Token != "" {
		if list, err = w.read(ctx, ctgov.MaxPage); err != nil {
			return candidatePage{}, err
		}
	}
	slices.SortStableFunc(list.Candidates, order.compareDistance)
	page := candidatePage{complete: true, bad: list.Count - len(list.LeftOut) - len(list.Rows)}
	total, first := len(list.Candidates), min(at.Seen, len(list.Candidates))
	if at.Seen > 0 {
		page.bad = 0
	} else if n := len(list.LeftOut); n > 0 {
		w.notes.Add(fmt.Sprintf("%d of %d trials were left out: %s.", n, list.Count, w.leftOut()))
	}
	page.candidates = list.Candidates[first:min(first+count, total)]
	page.next = at
	page.next.Data, page.next.Total = w.at.Data, &total
	for i := range page.candidates {
		start := page.next
		start.Seen = first + i
		page.starts = append(page.starts, candidateStart{start, page.bad})
	}
	page.next.Seen = first + len(page.candidates)
	page.more = page.next.Seen < total
	return page, nil
}

// page reads the page of the cursor of a walk in the order.
func (by sorting) page(ctx context.Context, w *trialWalk, count int) (candidatePage, error) {
	if by.distance {
		return pageByDistance(ctx, w, by, count)
	}
	return searchPage(ctx, w, count)
}

// compareDistance compares two trials by the distance of their nearest sites. A trial without one comes last.
func (by sorting) compareDistance(a, b entity.TrialSearchCandidate) int {
	switch {
	case a.NearestSite == nil || b.NearestSite == nil:
		return cmp.Compare(kilometres(a), kilometres(b))
	case by.farthest:
		a, b = b, a
	}
	return cmp.Compare(a.NearestSite.DistanceKM, b.NearestSite.DistanceKM)
}

func kilometres(c entity.TrialSearchCandidate) float64 {
	if c.NearestSite == nil {
		return math.Inf(1)
	}
	return c.NearestSite.DistanceKM
}

// leftOut says why a search leaves out trials.
func (w *trialWalk) leftOut() string {
	switch {
	case !w.search.OnlyIncluded:
		return "no site within " + w.search.Near.Radius.Text + " recruits (recruiting_site)"
	case !w.search.RecruitsNear:
		return "they have the words of criteria among their exclusions alone (criteria_in)"
	}
	return "no site within " + w.search.Near.Radius.Text + " recruits (recruiting_site), or they have the words of criteria among their " +
		"exclusions alone (criteria_in)"
}
