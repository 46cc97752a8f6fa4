package filters

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
)

// A Misread is an argument that cannot be read, or not together with the others. It knows no tool: forTool writes the error.
type Misread struct {
	Argument, Text string
	Reason         string         // with theText
	Again          string         // how the tool is called again, such as: with a number
	change         map[string]any // changes of the call that was made; nil: Again says them
	hint           string         // in place of again, with theTool
	code           entity.Code    // INVALID_INPUT if it is empty
	bad            []string       // NCT ids with a wrong number of digits, in place of a reason
	short          bool           // the answer has only the beginning of the text
}

func (m Misread) Error() string { return m.Argument + ": " + m.Reason }

// Parts of the sentences of a misread. Arguments are read without control
// characters, so no text of a caller has one of these.
const (
	// TheTool stands for the called tool.
	TheTool = "\x00tool"
	// TheText stands for the quoted text.
	TheText = "\x00text"
	// TheLiteral stands for the text as a literal.
	TheLiteral = "\x00literal"
)

// ForTool returns the error of a parser for the called tool.
func ForTool(caller string, err error) error {
	if m, ok := errors.AsType[Misread](err); ok {
		if m.bad != nil {
			return envelope.MalformedNCT(entity.InvalidInput, m.Argument, m.Text, m.bad)
		}
		if m.short {
			m.Text = entity.Cut(m.Text, 200)
		}
		reason := strings.Replace(strings.Replace(m.Reason, TheTool, caller, 1), TheText, envelope.Quoted(m.Text), 1)
		reason = strings.Replace(reason, TheLiteral, strconv.Quote(entity.Cut(m.Text, 80)), 1)
		refused := envelope.Refuse(m.Argument, m.Text, "%s", reason).As(cmp.Or(m.code, entity.InvalidInput))
		if m.change != nil {
			e := refused.Hint("%s", m.hint)
			e.Next = entity.Again(caller, m.change)
			return e
		}
		if m.hint == "" {
			return refused.Again(caller, "%s", m.Again)
		}
		return refused.Hint("%s", strings.ReplaceAll(m.hint, TheTool, caller))
	}
	e, ok := errors.AsType[*entity.Error](err)
	if !ok {
		return err
	}
	named := *e
	named.Hint = strings.ReplaceAll(e.Hint, TheTool, caller)
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

// MissingTotal returns the error for an answer without the number of matching trials.
func MissingTotal() *entity.Error {
	return envelope.Refuse("", "", "ClinicalTrials.gov did not say how many trials match").As(entity.UpstreamError).
		Hint("Make the same call again once. This is not a count of zero.")
}

// CheckGiven returns the error for a call without any criterion. given has the names of its filters, and cursor is that of the call.
func CheckGiven(given []string, cursor string) error {
	switch {
	case len(slices.DeleteFunc(given, isWords)) > 0:
		return nil
	case cursor != "":
		return Misread{Argument: "cursor", Text: cursor,
			Reason: "was given without the other arguments of the call that it came from",
			hint:   "Make that call again with cursor added. For the first page call " + TheTool + " with the other arguments alone."}
	}
	return Misread{Reason: TheTool + " was called without any criterion", hint: "For all trials call " + TheTool +
		` again with {"study_type":["INTERVENTIONAL","OBSERVATIONAL","EXPANDED_ACCESS"]}, or with at least one of ` +
		alternatives(slices.DeleteFunc(new(tools.TrialFilters).Names(), isWords)) + "."}
}

// isWords reports whether an argument is words, which selects no trials alone.
func isWords(argument string) bool { return argument == "words" }
