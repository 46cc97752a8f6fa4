package trials

import (
	"errors"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
)

// theTool stands for the called tool in the hint of an error.
const theTool = "‹tool›"

// forTool returns an error with the called tool in its hint.
func forTool(caller string, err error) error {
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
