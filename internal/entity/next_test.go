package entity_test

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestNext(t *testing.T) {
	t.Parallel()
	given := map[string]any{"condition": "asthma", "status": "opne"}
	for name, tt := range map[string]struct {
		next           *entity.Next
		sentence, call string
	}{
		"a whole call": {entity.Call("get_trial", map[string]any{"nct_id": "NCT:01844505"}), `Call get_trial with nct_id "NCT:01844505".`,
			`{"tool":"get_trial","arguments":{"nct_id":"NCT:01844505"}}`},
		"changes": {entity.Again("search_trials", map[string]any{"status": []string{"RECRUITING"}, "condition": nil}),
			`Call search_trials again with no condition and status "RECRUITING".`, `{"tool":"search_trials","arguments":{"status":["RECRUITING"]}}`},
		"no arguments": {entity.Call("describe_registry", nil), "Call describe_registry.", `{"tool":"describe_registry","arguments":{}}`},
		"a long text": {entity.Call("search", map[string]any{"query": strings.Repeat("word ", 100)}),
			`Call search with query "` + strings.Repeat("word ", 23) + `word…".`, `{"tool":"search","arguments":{"query":"` + strings.Repeat("word ", 100) + `"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect.Equal(t, "sentence", tt.sentence, tt.next.Sentence())
			text, err := entity.JSON(tt.next.Of(given))
			expect.NoError(t, err)
			expect.Equal(t, "call", tt.call, string(text))
		})
	}
}

func TestNextOfAnswers(t *testing.T) {
	t.Parallel()
	notes := entity.Notes{}
	notes.Suggest("More follows.", entity.Call("get_trial", map[string]any{"nct_id": "NCT:1"}))
	notes.Suggest("", entity.Call("get_trial", map[string]any{"nct_id": "NCT:2"}))
	text, err := entity.JSON(entity.Answer[struct{}]{Notes: notes})
	expect.NoError(t, err)
	expect.Equal(t, "text", `{"notices":["More follows. Call get_trial with nct_id \"NCT:1\".","Call get_trial with nct_id \"NCT:2\"."],`+
		`"next":{"tool":"get_trial","arguments":{"nct_id":"NCT:1"}}}`, string(text))
	refused := entity.Error{Code: entity.InvalidInput, Message: "m", Next: entity.Call("search", map[string]any{"query": "q"})}
	text, err = entity.JSON(refused.Envelope())
	expect.NoError(t, err)
	expect.Equal(t, "text", `{"success":false,"error":{"code":"INVALID_INPUT","message":"m","recovery_hint":"Call search with query \"q\".",`+
		`"next":{"tool":"search","arguments":{"query":"q"}}}}`, string(text))
}
