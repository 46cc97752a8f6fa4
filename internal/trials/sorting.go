package trials

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// A sorting is the order of a search, after reading.
type sorting struct {
	key      string     // of the registry
	filter   query.Node // for the trials that have a place in the order; nil: all
	notices  []string
	distance bool // by distance, and by the key at equal distance
	farthest bool // the largest distance comes first
	given    bool // the call names the order
}

// readSorting reads sort and order of a call.
func readSorting(args tools.SearchTrialsArgs) (sorting, error) {
	by, usual := args.Sort, "first_posted"
	if filters.Ranks(args.TrialFilters) {
		usual = "relevance"
	}
	switch {
	case by == byDistance && args.Near == "":
		return sorting{}, filters.Misread{Argument: "sort", Text: by, Reason: "a distance needs the place that it is measured from",
			Again: "with near, such as " + tool.Object("near", "Boston, MA")}
	case by == byDistance, by == "" && args.Near != "" && usual != "relevance":
		farthest := args.Order == "desc"
		args.Sort, args.Order = usual, ""
		read, err := readSorting(args)
		read.distance, read.farthest, read.given = true, farthest, by != ""
		return read, err
	case by == "":
		by = usual
	}
	return orderBy(by, args)
}

// orderBy returns the order of a call by relevance, or by a value of the trials.
func orderBy(by string, args tools.SearchTrialsArgs) (sorting, error) {
	order := cmp.Or(args.Order, "desc")
	switch {
	case by != "relevance" && args.Words == anyWord && args.Sort != "":
		return sorting{}, filters.Misread{Argument: "sort", Text: args.Sort,
			Reason: "trials that have some of the words are listed by relevance, because by " + filters.TheText +
				" the best ones would not be found",
			Again: `with {"sort":null}, or with {"words":null}`}
	case by == "relevance" && order == "asc":
		return sorting{}, filters.Misread{Argument: "order", Text: order,
			Reason: "ClinicalTrials.gov cannot list the least relevant trials first",
			Again:  "without order, or with sort as well: a date or enrollment"}
	case by == "relevance":
		return sorting{key: relevanceOrder}, nil
	}
	read := sorting{key: sortPieces[by] + ":" + order}
	switch {
	case by == "enrollment":
		read.filter = query.Not{Node: query.InRange(filters.EnrollmentPiece, ranges.Range{From: strconv.Itoa(filters.UnknownEnrollment)})}
	case order == "desc" && (by == "start_date" && args.StartDate == "" || by == "completion_date" && args.CompletionDate == ""):
		read.notices = []string{fmt.Sprintf("Sorted by %s, latest first: planned dates come first. "+
			`For past ones call search_trials again with {"%[1]s":"until %[2]s"}.`, by, time.Now().UTC().Format(time.DateOnly))}
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
	search.Filter = query.AllOf(search.Filter, by.filter)
}

// relevanceOrder is the order of relevance in a request.
const relevanceOrder = "@relevance"

// sortPieces has the pieces that a search can be sorted by.
var sortPieces = map[string]string{
	"first_posted": "StudyFirstPostDate", "last_updated": "LastUpdatePostDate", "start_date": "StartDate",
	"completion_date": "CompletionDate",
	"results_posted":  "ResultsFirstPostDate", "enrollment": filters.EnrollmentPiece,
}
