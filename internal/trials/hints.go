package trials

import (
	"cmp"
	"errors"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
)

// A misread is an argument that cannot be read, or not together with the others. It knows no tool: forTool writes the error.
type misread struct {
	argument, text string
	reason         string      // with theText
	again          string      // how the tool is called again, such as: with a number
	hint           string      // in place of again, with theTool
	code           entity.Code // INVALID_INPUT if it is empty
}

func (m misread) Error() string { return m.argument + ": " + m.reason }

// theTool stands for the called tool in a hint, and theText for the quoted text of an argument.
const theTool, theText = "‹tool›", "‹text›"

// forTool returns the error of a parser for the called tool.
func forTool(caller string, err error) error {
	if m, ok := errors.AsType[misread](err); ok {
		refused := envelope.Refuse(m.argument, m.text, "%s", strings.Replace(m.reason, theText, envelope.Quoted(m.text), 1)).
			As(cmp.Or(m.code, entity.InvalidInput))
		if m.hint == "" {
			return refused.Again(caller, "%s", m.again)
		}
		return refused.Hint("%s", strings.ReplaceAll(m.hint, theTool, caller))
	}
	e, ok := errors.AsType[*entity.Error](err)
	if !ok {
		return err
	}
	named := *e
	named.Hint = strings.ReplaceAll(e.Hint, theTool, caller)
	return &named
}

// alternatives writes a list of names for a sentence: a, b or c.
func alternatives(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// callOf returns the arguments of a call as JSON.
func callOf(arguments map[string]any) string {
	text, err := entity.JSON(arguments)
	if err != nil {
		return "{}"
	}
	return string(text)
}

// placeForms lists the values that location takes, for messages.
const placeForms = `location takes a city ("Boston"), "City, State", "City, Country", a country or the name of a facility, in English, or several with OR, AND or NOT`

// missingTotal returns the error for an answer without the number of matching trials.
func missingTotal() *entity.Error {
	return envelope.Refuse("", "", "ClinicalTrials.gov did not say how many trials match").As(entity.UpstreamError).
		Hint("Make the same call again once. This is not a count of zero.")
}
