package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// hiddenText has control characters of a terminal, invisible characters and characters that reverse the direction
// of text.
const hiddenText = "a\x1b]0;x\a\r\r\b\f\v\x7f\u009b31m\u2028\u061C\u200B\u200E\u200F\u202E\U000E0041\U000E007Fb"

// TestAnswersAreClean: answers and errors contain no hidden characters, from
// any source.
func TestAnswersAreClean(t *testing.T) {
	t.Parallel()
	answer := func(value, notice string) handler {
		return func(context.Context, callArgs) (entity.Answer[received], error) {
			return entity.Answer[received]{Value: received{callArgs{ID: value}}, Notes: entity.Notes{Notices: []string{notice}}}, nil
		}
	}
	fails := func(context.Context, callArgs) (entity.Answer[received], error) {
		return entity.Answer[received]{}, &entity.Error{Code: entity.InvalidInput, Message: hiddenText, Hint: hiddenText, Input: hiddenText}
	}
	long := strings.Repeat(hiddenText, 9)
	for name, test := range map[string]struct {
		handler handler
		args    string
	}{
		"value":            {answer(hiddenText, "n"), `{"id":"a"}`},
		"notice":           {answer("a", hiddenText), `{"id":"a"}`},
		"error":            {fails, `{"id":"a"}`},
		"long text":        {echo, `{"id":"a","words":"` + long + `"}`},
		"unknown name":     {echo, `{"id":"a","` + hiddenText + `":1}`},
		"unknown value":    {echo, `{"id":"a","order":"` + hiddenText + `"}`},
		"no object":        {echo, `["` + hiddenText + `"]`},
		"wrong type":       {echo, `{"id":{"` + hiddenText + `":1}}`},
		"no number":        {echo, `{"id":"a","size":"` + hiddenText + `"}`},
		"field of another": {echo, `{"id":"a","dates":{"` + hiddenText + `":1}}`},
	} {
		result := newTool(test.handler).Call(t.Context(), quiet, json.RawMessage(test.args))
		var decoded any
		if err := json.Unmarshal(result.JSON, &decoded); err != nil {
			t.Fatal(err)
		}
		if text := fmt.Sprint(decoded); entity.Clean(text) != text || !strings.Contains(text, "b") {
			t.Errorf("%s: %q", name, text)
		}
	}
}
