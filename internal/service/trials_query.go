package service

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/essie"
	"github.com/biofact-mcp/biofact/internal/mapping"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// trialQuery turns the filters of a tool's call into the upstream query, without
// its page, and says what the caller should know about it.
func trialQuery(caller string, args tools.TrialFilters) (params *ctgov.Query, notices []string, err error) {
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
	ids, err := lookup(&args, &notices)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range args.Texts() {
		if *a.Value == "" {
			continue
		}
		if found, _, _ := idsAlone(*a.Value); found != nil {
			return nil, nil, &entity.Error{
				Code:    entity.InvalidInput,
				Message: a.Name + ": NCT ids are no " + a.Name + ".",
				Hint:    "Call get_trial with " + tool.Object("nct_id", curie(found[0])) + " to read a trial, or search_trials with " + tool.Object("query", *a.Value) + ".",
				Input:   *a.Value,
			}
		}
		expression, filter, more, err := expressionOf(a)
		if err != nil {
			return nil, nil, err
		}
		if filter == "" && !essie.Distinguishes(expression) {
			return nil, nil, &entity.Error{
				Code:    entity.AmbiguousQuery,
				Message: fmt.Sprintf("%s: %q does not tell any trials apart.", a.Name, entity.Cut(*a.Value, 80)),
				Hint: "Give a word of two letters or more that is not in every record, such as a disease, a drug or a name: call search_trials with " +
					tool.Object("condition", "melanoma") + ".",
				Input: *a.Value,
			}
		}
		*a.Value = expression
		filters = append(filters, filter)
		notices = append(notices, more...)
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

// expressionOf writes a text argument for upstream: an expression for its
// parameter, or a filter in its place.
func expressionOf(a tool.Text) (expression, filter string, notices []string, err error) {
	if a.Param == "query.locn" {
		at, err := place(*a.Value)
		return at.Words, at.Filter, at.Notices, err
	}
	expression, notices = essie.Text(*a.Value)
	return expression, "", notices, nil
}

// alternatives writes a list of names for a sentence: a, b or c.
func alternatives(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// idsAlone returns the ids of a text that is nothing but NCT ids, or would go
// out as nothing else: a bracket or an operator beside them is left out.
func idsAlone(text string) (ids, padded, notices []string) {
	if ids, padded = onlyIDs(text); ids != nil {
		return ids, padded, nil
	}
	expression, notices := essie.Text(text)
	ids, padded = onlyIDs(expression)
	return ids, padded, notices
}

// lookup takes a query that is nothing but NCT ids out of the arguments: as
// words it would switch every filter off.
func lookup(args *tools.TrialFilters, notices *[]string) ([]string, error) {
	ids, padded, dropped := idsAlone(args.Query)
	if ids == nil {
		return nil, nil
	}
	*notices = append(*notices, dropped...)
	if i := slices.IndexFunc(padded, func(id string) bool { return digits(id) > 8 }); i >= 0 {
		return nil, &entity.Error{
			Code:    entity.InvalidInput,
			Message: fmt.Sprintf("query: an NCT id has 8 digits, %s has %d.", entity.Cut(padded[i], 40), digits(padded[i])),
			Hint:    "Check the id at its source, or call search_trials with words of the trial's title.",
			Input:   padded[i],
		}
	}
	if len(ids) > ctgov.MaxIDs {
		return nil, &entity.Error{
			Code:    entity.InvalidInput,
			Message: fmt.Sprintf("query: holds %d NCT ids, at most %d can be looked up at once.", len(ids), ctgov.MaxIDs),
			Hint:    "Call search_trials once for each part of the list.",
			Input:   args.Query,
		}
	}
	if len(padded) > 0 {
		*notices = append(*notices, "These ids lack digits and were read with leading zeros: "+strings.Join(padded, ", ")+".")
	}
	args.Query = ""
	slices.Sort(ids)
	return slices.Compact(ids), nil
}
