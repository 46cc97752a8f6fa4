package service

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/essie"
	"github.com/biofact-mcp/biofact/internal/mapping"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// A text argument is one that upstream reads as an expression.
type textArgument struct {
	name  string
	label string // what upstream's error messages call it
	value *string
}

func textArguments(args *tools.SearchTrialsArgs) []textArgument {
	return []textArgument{
		{"query", "Other terms", &args.Query},
		{"condition", "Conditions or disease", &args.Condition},
		{"intervention", "Intervention / treatment", &args.Intervention},
		{"sponsor", "Sponsor / collaborator", &args.Sponsor},
		{"title", "Title / acronym", &args.Title},
		{"outcome", "Outcome measure", &args.Outcome},
		{"location", "Location terms", &args.Location},
	}
}

// maxIDs bounds the ids of one request by the length that a URL may have.
const maxIDs = 100

// trialQuery turns the arguments into the upstream query, without its page,
// and says what the caller should know about it.
func trialQuery(args tools.SearchTrialsArgs) (*ctgov.ListStudiesParams, []string, error) {
	var notices []string
	var filters []string // of filter.advanced
	if !anyCriterion(&args) {
		return nil, nil, &entity.Error{
			Code:    entity.InvalidInput,
			Message: "search_trials was called without any criterion.",
			Hint:    `Call search_trials with at least one of query, condition, intervention, status, location, phase, study_type, sponsor, title or outcome, such as {"condition":"melanoma"}.`,
		}
	}
	ids, err := lookup(&args, &notices)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range textArguments(&args) {
		if *a.value == "" {
			continue
		}
		if found, _, _ := idsAlone(*a.value); found != nil {
			return nil, nil, &entity.Error{
				Code:    entity.InvalidInput,
				Message: a.name + ": NCT ids are no " + a.name + ".",
				Hint:    "Read a trial with get_trial and " + tool.Object("nct_id", curie(found[0])) + ", or search for ids with " + tool.Object("query", *a.value) + ".",
				Input:   *a.value,
			}
		}
		expression, filter, more := expressionOf(a)
		if filter == "" && !essie.Distinguishes(expression) {
			return nil, nil, &entity.Error{
				Code:    entity.AmbiguousQuery,
				Message: fmt.Sprintf("%s: %q does not tell any trials apart.", a.name, entity.Cut(*a.value, 80)),
				Hint: "Give a word of two letters or more that is not in every record, such as a disease, a drug or a name: call search_trials with " +
					tool.Object("condition", "melanoma") + ".",
				Input: *a.value,
			}
		}
		*a.value = expression
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
	args.Status = slices.Sorted(slices.Values(args.Status)) // one query, however its list was ordered
	params := args.ListStudiesParams()
	params.PageSize = nil
	if filter := essie.And(append(filters, phase, essie.Or(types...))...); filter != "" {
		params.FilterAdvanced = &filter
	}
	if len(ids) > 0 {
		params.FilterIds = &ids
	}
	params.Sort = &[]string{"@relevance"}
	fields := mapping.TrialSearchCandidateFields()
	params.Fields = &fields
	return params, notices, nil
}

// expressionOf writes a text argument for upstream: an expression for its
// parameter, or a filter in its place.
func expressionOf(a textArgument) (expression, filter string, notices []string) {
	if a.name == "location" {
		expression, filter = essie.Place(*a.value)
		return expression, filter, nil
	}
	expression, notices = essie.Text(*a.value)
	return expression, "", notices
}

func anyCriterion(args *tools.SearchTrialsArgs) bool {
	return len(args.Status)+len(args.Phase)+len(args.StudyType) > 0 ||
		slices.ContainsFunc(textArguments(args), func(a textArgument) bool { return *a.value != "" })
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
func lookup(args *tools.SearchTrialsArgs, notices *[]string) ([]string, error) {
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
	if len(ids) > maxIDs {
		return nil, &entity.Error{
			Code:    entity.InvalidInput,
			Message: fmt.Sprintf("query: holds %d NCT ids, at most %d can be looked up at once.", len(ids), maxIDs),
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

// refusal words an upstream 400 for the caller, whose arguments upstream could
// not read; nil where the fault is not theirs.
func refusal(sentence string, args tools.SearchTrialsArgs) *entity.Error {
	if strings.Contains(sentence, "pageToken") {
		return &entity.Error{
			Code:    entity.InvalidInput,
			Message: "cursor: ClinicalTrials.gov does not know it any more.",
			Hint:    "Call search_trials again without cursor for the first page.",
			Input:   args.Cursor,
		}
	}
	if strings.Contains(sentence, "`overallStatus`") {
		return &entity.Error{
			Code:    entity.InvalidInput,
			Message: "status: ClinicalTrials.gov does not know one of the values " + strings.Join(args.Status, ", ") + ".",
			Hint:    `Call search_trials again with a status of the list in its schema, such as {"status":"RECRUITING"}.`,
			Input:   strings.Join(args.Status, ", "),
		}
	}
	_, rest, ok := strings.Cut(sentence, "Error parsing query in ")
	if !ok {
		return nil
	}
	for _, a := range textArguments(&args) {
		if strings.HasPrefix(rest, a.label) {
			return &entity.Error{
				Code:    entity.InvalidInput,
				Message: a.name + ": ClinicalTrials.gov could not read it as a query.",
				Hint:    "Call search_trials again with plain words in " + a.name + ": no brackets, no operators, quotation marks only in pairs.",
				Input:   *a.value,
			}
		}
	}
	return nil
}
