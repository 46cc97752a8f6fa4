package trials

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/essie"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// tooLong returns the error for a search that does not fit into a URL of the registry. It names the longest argument and how much of it
// fits together with the other arguments. size is the length of the query, 0 if it is unknown.
func tooLong(caller string, args tools.TrialFilters, size int) *entity.Error {
	texts := append(args.Texts(), tool.Text{Name: "expression", Value: &args.Expression})
	for _, p := range args.Pieces() {
		texts = append(texts, tool.Text{Name: p.Name, Value: &p.Text})
	}
	longest := slices.MaxFunc(texts, func(a, b tool.Text) int { return queryLength(caller, a) - queryLength(caller, b) })
	chars := utf8.RuneCountInString(*longest.Value)
	fit := chars / 2
	if all := queryLength(caller, longest); size > 0 {
		fit = max(1, chars*(all-(size-ctgov.MaxQuery))/max(1, all)*9/10) // letters differ in length
	}
	return &entity.Error{
		Code: entity.InvalidInput,
		Message: fmt.Sprintf("%s: has %d characters, at most about %d fit into a search of ClinicalTrials.gov with the other arguments.",
			longest.Name, chars, fit),
		Hint:  fmt.Sprintf("Call %s again with at most %d characters in %s: the few words that matter most.", caller, fit, longest.Name),
		Input: entity.Cut(*longest.Value, 200),
	}
}

// queryLength returns the length of an argument in a URL.
func queryLength(caller string, a tool.Text) int {
	if a.Name == "expression" {
		return len(url.QueryEscape(*a.Value))
	}
	if a.Name == "location" {
		at, err := place.Read(*a.Value)
		if err != nil {
			return 0
		}
		words, filter := essie.At(at, false)
		return len(url.QueryEscape(words + filter))
	}
	read, err := readTrialText(caller, a)
	if err != nil {
		return 0
	}
	return len(url.QueryEscape(read.Expression))
}

// internalFaults are parts of the registry's sentences about a request that Biofact built wrongly, or that the registry no longer
// understands.
var internalFaults = []string{
	"unknown parameter", "invalid field name", "incorrect format", "Invalid prefix", "Unsupported sort", "Unknown area", "Invalid coverage",
	"Allowed values for enum", "Invalid value in parameter",
}

// refusedSearch returns the error for a search that the registry refused because of its arguments; nil for any other error.
func refusedSearch(caller string, err error, args tools.SearchTrialsArgs) *entity.Error {
	if refused, ok := errors.AsType[*ctgov.Refusal](err); ok {
		if refused.NoIndex {
			return withoutIndex(caller, err, args.TrialFilters)
		}
		e := refusal(caller, refused, args)
		if e != nil {
			e.Cause = refused // the registry's sentence is for the log
		}
		return e
	}
	if errors.Is(err, ctgov.ErrTooLong) {
		e := tooLong(caller, args.TrialFilters, 0)
		e.Cause = errors.Unwrap(err)
		return e
	}
	return nil
}

// withoutIndex returns the error for a search that the mirror cannot evaluate, with the call without expression: only that may have fields
// without an index. It returns nil if no argument is left.
func withoutIndex(caller string, err error, args tools.TrialFilters) *entity.Error {
	given, ok := errors.AsType[*entity.Error](err)
	if !ok || args.Expression == "" || len(args.Given()) < 2 && caller != tools.CountTrials {
		return nil
	}
	e := *given
	e.Hint = "This is not an empty result, and the same call will fail again. For the trials of the other arguments call " + caller +
		` again with {"expression":null}.`
	return &e
}

// refusal returns the error for an upstream 400 that an argument of the caller caused; nil if no argument caused it.
func refusal(caller string, refused *ctgov.Refusal, args tools.SearchTrialsArgs) *entity.Error {
	sentence := refused.Sentence
	switch {
	case strings.Contains(sentence, "`overallStatus`"):
		return &entity.Error{
			Code:    entity.InvalidInput,
			Message: "status: " + refused.By + " does not know one of the values " + strings.Join(args.Status, ", ") + ".",
			Hint:    "Call " + caller + " again with a status of the list in its schema.",
			Input:   strings.Join(args.Status, ", "),
		}
	case args.Expression != "" && strings.Contains(sentence, "Error parsing query in "+essie.Label("filter.advanced")):
		_, reason, _ := strings.Cut(sentence, essie.Label("filter.advanced")+": ")
		return &entity.Error{
			Code:    entity.InvalidInput,
			Message: "expression: " + refused.By + " could not read it: " + entity.Cut(reason, 300) + ".",
			Hint: "Call " + caller + ` again with the field names and values of the registry, such as AREA[Phase]PHASE3 AND AREA[Sex]"ALL". ` +
				"For plain words use query.",
			Input: entity.Cut(args.Expression, 200),
		}
	case slices.ContainsFunc(internalFaults, func(s string) bool { return strings.Contains(sentence, s) }):
		return nil
	}
	_, rest, parsed := strings.Cut(sentence, "Error parsing query in ")
	if !parsed && !strings.Contains(strings.ToLower(sentence), "query") {
		return nil
	}
	a, ok := refusedText(rest, args.Texts())
	if !ok {
		return nil
	}
	e := &entity.Error{
		Code:    entity.InvalidInput,
		Message: a.Name + ": " + refused.By + " could not read it as a query.",
		Hint:    "Call " + caller + " again with plain words in " + a.Name + ": no brackets, no operators, quotation marks only in pairs.",
		Input:   *a.Value,
	}
	if !parsed {
		e.Message = a.Name + ": " + refused.By + " found the search too complicated or could not read it."
		e.Hint = "Call " + caller + " again with fewer words and operators in " + strings.Join(givenTexts(args.Texts()), ", ") +
			", or with fewer arguments."
	}
	return e
}

// refusedText returns the text argument that a message of the registry is about. The message begins with the label of a parameter. The
// label of the filter means location, if it was given. For an unknown label the result is the first given text whose parameter has no known
// label. Without a label it is the longest text.
func refusedText(message string, texts []tool.Text) (refused tool.Text, ok bool) {
	filter := strings.HasPrefix(message, essie.Label("filter.advanced"))
	for _, a := range texts {
		label := essie.Label(a.Param)
		if label != "" && strings.HasPrefix(message, label) || filter && a.Name == "location" && *a.Value != "" {
			return a, true
		}
		if label == "" && *a.Value != "" && !ok && !filter {
			refused, ok = a, true
		}
	}
	if message != "" || ok {
		return refused, ok
	}
	refused = slices.MaxFunc(texts, func(a, b tool.Text) int { return len(*a.Value) - len(*b.Value) })
	return refused, *refused.Value != ""
}

// givenTexts returns the names of the texts that were given.
func givenTexts(texts []tool.Text) (names []string) {
	for _, a := range texts {
		if *a.Value != "" {
			names = append(names, a.Name)
		}
	}
	return names
}
