package trials

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/essie"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// A sorting is the order of a search, after reading.
type sorting struct {
	key     string // of the registry
	filter  string // expression for the trials that have a place in the order
	notices []string
}

// relevanceOrder is the order of relevance in a request.
const relevanceOrder = "@relevance"

// sortPieces has the pieces that a search can be sorted by.
var sortPieces = map[string]string{
	"first_posted": "StudyFirstPostDate", "last_updated": "LastUpdatePostDate", "start_date": "StartDate",
	"completion_date": "CompletionDate",
	"results_posted":  "ResultsFirstPostDate", "enrollment": enrollmentPiece,
}

// readSorting reads sort and order of a call.
func readSorting(args tools.SearchTrialsArgs) (sorting, error) {
	by := args.Sort
	if by == "" {
		by = "first_posted"
		if ranks(args.TrialFilters) {
			by = "relevance"
		}
	}
	order := cmp.Or(args.Order, "desc")
	switch {
	case by == "relevance" && order == "asc":
		return sorting{}, envelope.Refuse("order", args.Order, "ClinicalTrials.gov cannot list the least relevant trials first").
			Again(tools.SearchTrials, "without order, or with sort as well: a date or enrollment")
	case by == "relevance":
		return sorting{key: relevanceOrder}, nil
	}
	read := sorting{key: sortPieces[by] + ":" + order}
	switch {
	case by == "enrollment":
		read.filter = "NOT " + essie.InRange(enrollmentPiece, ranges.Range{From: strconv.Itoa(unknownEnrollment)})
	case order == "desc" && (by == "start_date" && args.StartDate == "" || by == "completion_date" && args.CompletionDate == ""):
		read.notices = []string{fmt.Sprintf("Sorted by %s, latest first: planned dates come first. "+
			"For past ones call search_trials again with %s.", by, tool.Object(by, "until today"))}
	}
	return read, nil
}

// apply gives a search the order.
func (by sorting) apply(search *ctgov.Search) {
	search.Sort = &[]string{by.key}
	if piece, _ := search.Order(); piece != relevanceOrder && !slices.Contains(*search.Fields, piece) {
		fields := append(slices.Clone(*search.Fields), piece)
		search.Fields = &fields
	}
	if by.filter != "" {
		restrict(search.Query, by.filter)
	}
}
