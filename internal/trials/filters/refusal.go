package filters

import (
	"errors"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// internalFaults are parts of the registry's sentences about a request that Biofact built wrongly, or that the registry no longer
// understands.
var internalFaults = []string{
	"unknown parameter", "invalid field name", "incorrect format", "Invalid prefix", "Unsupported sort", "Unknown area", "Invalid coverage",
	"Allowed values for enum", "Invalid value in parameter",
}

// Refused returns the error for a search that the registry refused because of its arguments; nil for any other error.
func (w *Wishes) Refused(err error) *entity.Error {
	if refused, ok := errors.AsType[*ctgov.Refusal](err); ok {
		if refused.NoIndex {
			return w.withoutIndex(err)
		}
		e := w.refusal(refused)
		if e != nil {
			e.Cause = refused // the registry's sentence is for the log
		}
		return e
	}
	if errors.Is(err, ctgov.ErrTooLong) {
		e := tooLong(w.Caller, w.longTexts(), 0)
		e.Cause = errors.Unwrap(err)
		return e
	}
	return nil
}

// withoutIndex returns the error for a search that the mirror cannot evaluate, with the call without expression: only that may have fields
// without an index. It returns nil if no argument is left.
func (w *Wishes) withoutIndex(err error) *entity.Error {
	given, ok := errors.AsType[*entity.Error](err)
	if !ok || w.Args.Expression == "" || len(w.Given) < 2 && w.Caller != tools.CountTrials {
		return nil
	}
	e := *given
	e.Hint = "This is not an empty result, and the same call will fail again. For the trials of the other arguments call " + w.Caller +
		` again with {"expression":null}.`
	return &e
}

// refusal returns the error for an upstream 400 that an argument of the caller caused; nil if no argument caused it.
func (w *Wishes) refusal(refused *ctgov.Refusal) *entity.Error {
	sentence := refused.Sentence
	switch {
	case strings.Contains(sentence, "`overallStatus`"):
		given := strings.Join(w.Args.Status, ", ")
		return envelope.Refuse("status", given, "%s does not know one of the values %s", refused.By, given).
			Again(w.Caller, "with a status of the list in its schema")
	case w.Args.Expression != "" && strings.Contains(sentence, "Error parsing query in "+query.Label("filter.advanced")):
		_, reason, _ := strings.Cut(sentence, query.Label("filter.advanced")+": ")
		return envelope.Refuse("expression", entity.Cut(w.Args.Expression, 200), "%s could not read it: %s", refused.By,
			entity.Cut(reason, 300)).Again(w.Caller, "with the field names and values of the registry, such as "+
			`AREA[Phase]PHASE3 AND AREA[Sex]"ALL". For plain words use query`)
	case slices.ContainsFunc(internalFaults, func(s string) bool { return strings.Contains(sentence, s) }):
		return nil
	}
	_, rest, parsed := strings.Cut(sentence, "Error parsing query in ")
	if !parsed && !strings.Contains(strings.ToLower(sentence), "query") {
		return nil
	}
	a, ok := refusedText(rest, w.Args.Texts())
	if !ok {
		return nil
	}
	if !parsed {
		return envelope.Refuse(a.Name, *a.Value, "%s found the search too complicated or could not read it", refused.By).
			Again(w.Caller, "with fewer words and operators in %s, or with fewer arguments", strings.Join(givenTexts(w.Args.Texts()), ", "))
	}
	return envelope.Refuse(a.Name, *a.Value, "%s could not read it as a query", refused.By).
		Again(w.Caller, "with plain words in %s: no brackets, no operators, quotation marks only in pairs", a.Name)
}

// refusedText returns the text argument that a message of the registry is about. The message begins with the label of a parameter. The
// label of the filter means location, if it was given. For an unknown label the result is the first given text whose parameter has no known
// label. Without a label it is the longest text.
func refusedText(message string, texts []tool.Text) (refused tool.Text, ok bool) {
	filter := strings.HasPrefix(message, query.Label("filter.advanced"))
	for _, a := range texts {
		label := query.Label(a.Param)
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
