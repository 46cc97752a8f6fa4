package service

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/essie"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/mapping"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// trialQuery turns the filters of a tool's call into the upstream query, without
// its page, and says what the caller should know about it.
func trialQuery(caller string, args tools.TrialFilters) (params *ctgov.Query, notices []string, err error) { //nolint:unparam // the filters are shared: each tool that takes them names itself
	var filters []string // of filter.advanced
	given := args
	if len(args.Given()) == 0 {
		return nil, nil, &entity.Error{
			Code:    entity.InvalidInput,
			Message: caller + " was called without any criterion.",
			Hint:    "Call " + caller + " again with at least one of " + alternatives(args.Names()) + ", such as " + tool.Object("condition", "melanoma") + ".",
		}
	}
	if notices, err = readWords(&args); err != nil {
		return nil, nil, err
	}
	var ids []string
	for _, a := range args.Texts() {
		if *a.Value == "" {
			continue
		}
		read, err := readTrialText(a)
		if err != nil {
			return nil, nil, err
		}
		*a.Value = read.Expression
		ids = append(ids, read.ids...)
		filters = append(filters, read.filter)
		notices = append(notices, read.Notices...)
	}
	phase, more, err := phaseFilter(args.Phase)
	if err != nil {
		return nil, nil, err
	}
	notices = append(notices, more...)
	var types []string
	for _, t := range args.StudyType {
		types = append(types, essie.Area("StudyType", t))
	}
	params = args.ListStudiesParams()
	if filter := essie.And(append(filters, phase, essie.Or(types...))...); filter != "" {
		params.FilterAdvanced = &filter
	}
	if len(ids) > 0 {
		slices.Sort(ids)
		ids = slices.Compact(ids)
		params.FilterIds = &ids
	}
	params.Sort = &[]string{"@relevance"}
	fields := mapping.TrialSearchCandidateFields()
	params.Fields = &fields
	if size := ctgov.QuerySize(params); size > ctgov.MaxQuery {
		return nil, nil, tooLong(given, size)
	}
	return params, notices, nil
}

// cursorAlone is the error of a cursor without the query that it belongs to.
func cursorAlone(cursor string) *entity.Error {
	return &entity.Error{
		Code:    entity.InvalidInput,
		Message: "cursor: was given without the other arguments of the call that it came from.",
		Hint:    `Make that call again with cursor added. For the first page of a search call search_trials with its arguments alone, such as {"condition":"melanoma"}.`,
		Input:   cursor,
	}
}

// readWords makes values of the words for a status and a type.
func readWords(args *tools.TrialFilters) (notices []string, err error) {
	var more []string
	if args.Status, notices, err = statusWords.read(args.Status); err != nil {
		return nil, err
	}
	args.StudyType, more, err = studyTypeWords.read(args.StudyType)
	return append(notices, more...), err
}

// trialText is a text argument as it goes out: an expression for its parameter, a
// filter in its place, or ids to look up.
type trialText struct {
	essie.Query
	filter string
	ids    []string
}

// readTrialText reads a text argument. Only query takes NCT ids.
func readTrialText(a tool.Text) (read trialText, err error) {
	read.Query = *essie.Parse(*a.Value)
	ids, bad := read.IDs()
	switch {
	case len(ids) == 0 && len(bad) > 0:
		return read, noNCT(entity.InvalidInput, a.Name, *a.Value, bad)
	case len(ids) > 0 && a.Name != "query":
		return read, &entity.Error{
			Code:    entity.InvalidInput,
			Message: a.Name + ": NCT ids are no " + a.Name + ".",
			Hint:    "Call get_trial with " + tool.Object("nct_id", id.NCT.CURIE(ids[0])) + " to read a trial, or search_trials with " + tool.Object("query", *a.Value) + ".",
			Input:   *a.Value,
		}
	case len(ids) > ctgov.MaxIDs:
		return read, &entity.Error{
			Code:    entity.InvalidInput,
			Message: fmt.Sprintf("query: holds %d NCT ids, at most %d can be looked up at once.", len(ids), ctgov.MaxIDs),
			Hint:    "Call search_trials once for each part of the list.",
			Input:   *a.Value,
		}
	case len(ids) > 0:
		read.ids, read.Expression = ids, ""
		if len(bad) > 0 {
			read.Notices = append(read.Notices, "Ids were left out: "+wrongDigits(bad)+".")
		}
		return read, nil
	case a.Param == "query.locn":
		at, err := place(*a.Value)
		if err != nil {
			return read, err
		}
		read = trialText{essie.Query{Expression: at.Words, Notices: at.Notices}, at.Filter, nil}
	case isPlaceholder(*a.Value) && *a.Value != "ALL": // which is a leukemia
		return read, placeholder(a.Name, *a.Value)
	default:
		read.Notices = append(read.Notices, notMeant(a)...)
	}
	if read.filter == "" && !read.Distinguishes() {
		return read, &entity.Error{
			Code:    entity.AmbiguousQuery,
			Message: fmt.Sprintf("%s: %q does not tell any trials apart.", a.Name, entity.Cut(*a.Value, 80)),
			Hint: "Give a word of two letters or more that is not in every record, such as a disease, a drug or a name: call search_trials with " +
				tool.Object("condition", "melanoma") + ".",
			Input: *a.Value,
		}
	}
	read.Notices = append(read.Notices, badNCT(a.Name, *a.Value)...)
	return read, nil
}

// alternatives writes a list of names for a sentence: a, b or c.
func alternatives(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
