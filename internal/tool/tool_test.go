package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// callArgs are the arguments of the tool in these tests; one of each kind.
type callArgs struct {
	ID     string   `json:"id,omitempty"`
	Words  string   `json:"words,omitempty"`
	Tags   []string `json:"tags,omitempty"`
	Status []string `json:"status,omitempty"`
	Size   int      `json:"size,omitempty"`
	Depth  int      `json:"depth,omitempty"`
	Exact  bool     `json:"exact,omitempty"`
	Order  string   `json:"order,omitempty"`
	Few    []string `json:"few,omitempty"`
	Dates  dates    `json:"dates,omitzero"`
	Cites  []cite   `json:"cites,omitempty"`
}

type cite struct {
	Text string `json:"text,omitempty"`
	Year string `json:"year,omitempty"`
	Page int    `json:"page,omitempty"`
}

type dates struct {
	From  string `json:"from,omitempty"`
	Kind  string `json:"kind,omitempty"`
	Count int    `json:"count,omitempty"`
}

// received is the answer of the tool: the arguments that its handler got.
type received struct {
	Args callArgs `json:"args"`
}

// input is the schema of the arguments, which decides independently of the tool whether they are valid.
const input = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"additionalProperties": false,
	"required": ["id"],
	"properties": {
		"id": {"type": "string"},
		"words": {"type": "string"},
		"tags": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
		"status": {"anyOf": [{"enum": ["ACTIVE_NOT_RECRUITING", "COMPLETED", "NOT_YET_RECRUITING", "RECRUITING"]}, {"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
		"size": {"type": "integer", "description": "Rows of the answer", "minimum": 1, "maximum": 200, "default": 50},
		"depth": {"type": "integer", "minimum": 1, "maximum": 9},
		"exact": {"type": "boolean"},
		"order": {"type": "string", "enum": ["near", "far_off"]},
		"few": {"anyOf": [{"type": "string", "minLength": 2}, {"type": "array", "maxItems": 2, "items": {"type": "string", "minLength": 2}}]},
		"dates": {"type": "object", "additionalProperties": false, "properties": {
			"from": {"type": "string", "minLength": 4},
			"kind": {"type": "string", "enum": ["day", "year"]},
			"count": {"type": "integer", "minimum": 1, "maximum": 3}
		}},
		"cites": {"type": "array", "minItems": 1, "maxItems": 4, "items": {"type": "object", "additionalProperties": false, "properties": {
			"text": {"type": "string"},
			"year": {"type": "string", "minLength": 4},
			"page": {"type": "integer", "minimum": 1, "maximum": 9}
		}}}
	}
}`

const output = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"anyOf": [
		{"required": ["args"], "additionalProperties": false, "properties": {"args": {"type": "object"}, "notices": {"type": "array", "items": {"type": "string"}, "minItems": 1}}},
		{"required": ["success", "error"], "additionalProperties": false, "properties": {"success": {"const": false}, "error": {
			"type": "object", "additionalProperties": false, "required": ["code", "message", "recovery_hint"], "properties": {
				"code": {"enum": ["UNRESOLVED_ENTITY", "ENTITY_NOT_FOUND", "AMBIGUOUS_QUERY", "RATE_LIMITED", "UPSTREAM_ERROR", "INVALID_INPUT"]},
				"message": {"type": "string", "minLength": 1},
				"recovery_hint": {"type": "string", "minLength": 1},
				"invalid_input": {"type": "string", "minLength": 1},
				"next": {"type": "object"}
			}}}}
	]
}`

type handler func(context.Context, callArgs) (entity.Answer[received], error)

func echo(_ context.Context, a callArgs) (entity.Answer[received], error) {
	return entity.Answer[received]{Value: received{a}}, nil
}

func newTool(h handler) *tool.Tool {
	return tool.New(tool.Definition{
		Name: "hear", Schema: "urn:test:hear", Title: "Hear", Toolset: "trials", Description: "Says what it heard.",
		Elsewhere: []tool.Elsewhere{
			{Tool: "look", Argument: "place", Names: []string{"tissue", "number"}},
			{Tool: "look", Argument: "side", Names: []string{"colouring"}},
		},
		Arguments: []tool.Argument{
			{Name: "id", Type: "string", Required: true, Example: "X:1", Also: []string{"number"}},
			{Name: "words", Type: "string", MaxLength: 30, Example: "melanoma", Also: []string{"term", "searchText"},
				Tags: []tool.Tag{{Tag: "au", Names: []string{"writer"}}}},
			{Name: "tags", Type: "string", List: true, Example: "red"},
			{Name: "status", Type: "string", List: true, Example: "recruiting",
				Words: []string{"ACTIVE_NOT_RECRUITING", "COMPLETED", "NOT_YET_RECRUITING", "RECRUITING"}},
			{Name: "size", Description: "Rows of the answer", Type: "integer", Minimum: 1, Maximum: 200, Also: []string{"limit"},
				InsteadOf: []string{"page", "offset"}},
			{Name: "depth", Type: "integer", Minimum: 1, Maximum: 9},
			{Name: "exact", Type: "boolean"},
			{Name: "order", Type: "string", Words: []string{"near", "far_off"}},
			{Name: "few", Type: "string", List: true, MaxItems: 2, MinLength: 2, MaxLength: 9},
			{Name: "dates", Type: "object", Example: `{"from":"2020"}`, Fields: []tool.Argument{
				{Name: "from", Type: "string", MinLength: 4, Also: []string{"start"}},
				{Name: "kind", Type: "string", Words: []string{"day", "year"}},
				{Name: "count", Type: "integer", Minimum: 1, Maximum: 3},
			}},
			{Name: "cites", Type: "object", List: true, MaxItems: 4, TextField: "text", Example: `[{"text":"Ex 2020"}]`,
				Also: []string{"cited"}, Fields: []tool.Argument{
					{Name: "text", Type: "string", MaxLength: 400, Example: "Ex 2020", Also: []string{"reference"}},
					{Name: "year", Type: "string", MinLength: 4, Example: "2020"},
					{Name: "page", Type: "integer", Minimum: 1, Maximum: 9, Also: []string{"firstPage"}},
				}},
		},
	}, func() callArgs { return callArgs{Size: 50} }, h)
}

var quiet = slog.New(slog.DiscardHandler)

func TestArgumentsAreCoerced(t *testing.T) {
	t.Parallel()
	hear := newTool(echo)
	for name, tt := range map[string]struct {
		args string
		want callArgs
	}{
		"as they should be": {`{"id":"a","words":"b","tags":["c","d"],"status":["RECRUITING"],"size":3,"depth":2,"exact":true}`,
			callArgs{ID: "a", Words: "b", Tags: []string{"c", "d"}, Status: []string{"RECRUITING"}, Size: 3, Depth: 2, Exact: true}},
		"a JSON string":           {`"{\"id\":\"a\",\"size\":\"3\"}"`, callArgs{ID: "a", Size: 3}},
		"space around":            {"\n {\"id\":\" a\\t\"} ", callArgs{ID: "a", Size: 50}},
		"a string for a list":     {`{"id":"a","tags":"c"}`, callArgs{ID: "a", Tags: []string{"c"}, Size: 50}},
		"a list as a JSON string": {`{"id":"a","tags":" [\"c\", \"d\"] "}`, callArgs{ID: "a", Tags: []string{"c", "d"}, Size: 50}},
		"a broken JSON list":      {`{"id":"a","tags":"[c"}`, callArgs{ID: "a", Tags: []string{"[c"}, Size: 50}},
		"brackets in words":       {`{"id":"a","words":"[18F]FDG"}`, callArgs{ID: "a", Words: "[18F]FDG", Size: 50}},
		"numbers for strings": {`{"id":12345678901234567890,"tags":[1,2.50]}`,
			callArgs{ID: "12345678901234567890", Tags: []string{"1", "2.50"}, Size: 50}},
		"a string for a number": {`{"id":"a","size":" 7 "}`, callArgs{ID: "a", Size: 7}},
		"a whole float":         {`{"id":"a","size":50.0,"depth":0.9e1}`, callArgs{ID: "a", Size: 50, Depth: 9}},
		"a float as a string":   {`{"id":"a","size":"5e1","depth":"+2.0"}`, callArgs{ID: "a", Size: 50, Depth: 2}},
		"a boolean as a string": {`{"id":"a","exact":" True "}`, callArgs{ID: "a", Size: 50, Exact: true}},
		"one in a list":         {`{"id":["a"],"size":[3],"exact":["true"]}`, callArgs{ID: "a", Size: 3, Exact: true}},
		"one in a JSON list":    {`{"id":"[\"a\"]","size":"[3]"}`, callArgs{ID: "a", Size: 3}},
		"empty is absent": {`{"id":"a","words":"","tags":"","status":"  ","size":"","depth":null,"exact":""}`,
			callArgs{ID: "a", Size: 50}},
		"empty lists are absent": {`{"id":"a","words":[],"tags":[],"status":[""],"size":[null],"depth":[[]],"exact":["${x}"]}`,
			callArgs{ID: "a", Size: 50}},
		"lists of nothing, as JSON": {`{"id":"a","words":"[]","tags":"[]","status":"[\"\"]","size":"[]","depth":"[null]","exact":"[\"\"]"}`,
			callArgs{ID: "a", Size: 50}},
		"placeholders are absent": {`{"id":"a","words":"${user_config.words}","tags":["${user_config.a}","c"],"status":"${user_config.status}","size":"${user_config.size}"}`,
			callArgs{ID: "a", Tags: []string{"c"}, Size: 50}},
		"no placeholder":     {`{"id":"a","words":"${x} and ${y}"}`, callArgs{ID: "a", Words: "${x} and ${y}", Size: 50}},
		"control characters": {`{"id":"\u202ea\u0007","tags":["\u0000c"]}`, callArgs{ID: "a", Tags: []string{"c"}, Size: 50}},
		"yes and no":         {`{"id":"a","exact":"Yes"}`, callArgs{ID: "a", Exact: true, Size: 50}},
		"one and zero":       {`{"id":"a","exact":1}`, callArgs{ID: "a", Exact: true, Size: 50}},
		"the last of two":    {`{"id":"b","id":"a"}`, callArgs{ID: "a", Size: 50}},
		"words in any writing": {`{"id":"a","status":["recruiting","Not yet recruiting","active_not-RECRUITING"]}`,
			callArgs{ID: "a", Status: []string{"RECRUITING", "NOT_YET_RECRUITING", "ACTIVE_NOT_RECRUITING"}, Size: 50}},
		"words with a comma": {`{"id":"a","status":"Active, not recruiting"}`,
			callArgs{ID: "a", Status: []string{"ACTIVE_NOT_RECRUITING"}, Size: 50}},
		"words parted by commas": {`{"id":"a","status":"Active, not recruiting, Completed"}`,
			callArgs{ID: "a", Status: []string{"ACTIVE_NOT_RECRUITING", "COMPLETED"}, Size: 50}},
		"commas the other way": {`{"id":"a","status":"completed,active, not recruiting;Recruiting"}`,
			callArgs{ID: "a", Status: []string{"COMPLETED", "ACTIVE_NOT_RECRUITING", "RECRUITING"}, Size: 50}},
		"words parted by or, bar": {`{"id":"a","status":"recruiting OR completed | not yet recruiting,"}`,
			callArgs{ID: "a", Status: []string{"RECRUITING", "COMPLETED", "NOT_YET_RECRUITING"}, Size: 50}},
		"a word twice": {`{"id":"a","status":["recruiting","RECRUITING, completed"]}`,
			callArgs{ID: "a", Status: []string{"RECRUITING", "COMPLETED"}, Size: 50}},
		"only commas":             {`{"id":"a","status":" , ","order":",,"}`, callArgs{ID: "a", Size: 50}},
		"one word of a choice":    {`{"id":"a","order":"Far off"}`, callArgs{ID: "a", Size: 50, Order: "far_off"}},
		"as many as there may be": {`{"id":"a","few":["bb","","cc"]}`, callArgs{ID: "a", Size: 50, Few: []string{"bb", "cc"}}},
		"an object": {`{"id":"a","dates":{"from":"2020","kind":"YEAR","count":"2"}}`,
			callArgs{ID: "a", Size: 50, Dates: dates{"2020", "year", 2}}},
		"an object as a string": {`{"id":"a","dates":"{\"from\":\"2020\"}"}`, callArgs{ID: "a", Size: 50, Dates: dates{From: "2020"}}},
		"an object in a list":   {`{"id":"a","dates":[{"from":2020}]}`, callArgs{ID: "a", Size: 50, Dates: dates{From: "2020"}}},
		"an object of nothing":  {`{"id":"a","dates":{"from":"","kind":null}}`, callArgs{ID: "a", Size: 50}},
		"an empty object":       {`{"id":"a","dates":{}}`, callArgs{ID: "a", Size: 50}},
		"a list of objects": {`{"id":"a","cites":[{"text":"b","year":2020},{"page":"3"}]}`,
			callArgs{ID: "a", Size: 50, Cites: []cite{{Text: "b", Year: "2020"}, {Page: 3}}}},
		"one object for a list": {`{"id":"a","cites":{"text":"b"}}`, callArgs{ID: "a", Size: 50, Cites: []cite{{Text: "b"}}}},
		"a text for an object":  {`{"id":"a","cites":"b, c"}`, callArgs{ID: "a", Size: 50, Cites: []cite{{Text: "b, c"}}}},
		"texts and a number": {`{"id":"a","cites":["b\nc",{"year":"2020"},7,"{\"page\":1}"]}`,
			callArgs{ID: "a", Size: 50, Cites: []cite{{Text: "b\nc"}, {Year: "2020"}, {Text: "7"}, {Page: 1}}}},
		"objects as a JSON string": {`{"id":"a","cites":"[{\"text\":\"b\"}]"}`, callArgs{ID: "a", Size: 50, Cites: []cite{{Text: "b"}}}},
		"no objects":               {`{"id":"a","cites":[{}]}`, callArgs{ID: "a", Size: 50}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := hear.Call(t.Context(), quiet, json.RawMessage(tt.args))
			var got received
			if err := json.Unmarshal(result.JSON, &got); err != nil || result.IsError {
				t.Fatalf("%s: %s %v", tt.args, result.JSON, err)
			}
			expect.Equal(t, tt.args, tt.want, got.Args)
		})
	}
}

var update = flag.Bool("update", false, "write testdata/refused.txt anew")

// TestArgumentsAreRefused makes the calls of testdata/refused.txt. Under each stand its message, its hint and its next call.
func TestArgumentsAreRefused(t *testing.T) {
	t.Parallel()
	hear := tool.Together([]*tool.Tool{newTool(echo)})[0]
	page, err := os.ReadFile("testdata/refused.txt")
	expect.NoError(t, err)
	var got strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(string(page)), "\n\n") {
		args, _, _ := strings.Cut(block, "\n")
		result := hear.Call(t.Context(), quiet, json.RawMessage(strings.TrimPrefix(args, "$")))
		e := refused(t, result).Error
		expect.Equal(t, args, entity.InvalidInput, e.Code)
		fmt.Fprintf(&got, "%s\n%s\n%s\n", args, e.Message, e.RecoveryHint)
		if e.Next != nil {
			fmt.Fprintf(&got, "%s %s\n", e.Next.Tool, tool.Show(e.Next.Arguments))
			again := hear.Call(t.Context(), quiet, json.RawMessage(tool.Show(e.Next.Arguments)))
			expect.That(t, !again.IsError, "the next call of %s was refused: %s", args, again.JSON)
		}
		got.WriteString("\n")
		valid(t, result)
	}
	if *update {
		expect.NoError(t, os.WriteFile("testdata/refused.txt", []byte(got.String()), 0o644))
		return
	}
	expect.Equal(t, "testdata/refused.txt", string(page), got.String())
}

// TestArgumentsAreMeant: unknown names with one meaning are read, and a notice says so.
func TestArgumentsAreMeant(t *testing.T) {
	t.Parallel()
	hear := newTool(echo)
	for args, want := range map[string]string{
		`{"id":"a","statuss":"completed","limit":"5"}`: `{"id":"a","status":["COMPLETED"],"size":5} Read with size instead of limit, status instead of statuss.`,
		`{"number":"X:7"}`: `{"id":"X:7","size":50} Read with id instead of number.`,
		`{"id":"a","words":"b OR c","writer":"Ann Ex"}`:            `{"id":"a","words":"(b OR c) AND \"Ann Ex\"[au]","size":50} Read with writer as a part of words "(b OR c) AND \"Ann Ex\"[au]".`,
		`{"id":"a","start":"2020","count":2}`:                      `{"id":"a","size":50,"dates":{"from":"2020","count":2}} Read with dates.count instead of count, dates.from instead of start.`,
		`{"id":"a","dates":{"form":"2020"}}`:                       `{"id":"a","size":50,"dates":{"from":"2020"}} Read with dates.from instead of dates.form.`,
		`{"id":"a","reference":"b","year":"2020"}`:                 `{"id":"a","size":50,"cites":[{"text":"b","year":"2020"}]} Read with cites.text instead of reference, cites.year instead of year.`,
		`{"id":"a","cites":"[{\"text\":\"b\",\"colour\":1}]"}`:     `{"id":"a","size":50,"cites":[{"text":"b"}]} Left out, as no field of cites has this name: colour.`,
		`{"id":"a","cites":[{"reference":"b"},{"reference":"c"}]}`: `{"id":"a","size":50,"cites":[{"text":"b"},{"text":"c"}]} Read with cites.text instead of cites.reference.`,
	} {
		result := hear.Call(t.Context(), quiet, json.RawMessage(args))
		var answer struct {
			Args    json.RawMessage
			Notices []string
		}
		expect.NoError(t, json.Unmarshal(result.JSON, &answer))
		expect.Equal(t, args, want, string(answer.Args)+" "+strings.Join(answer.Notices, " "))
	}
}

func refused(t *testing.T, r tool.Result) (e entity.ErrorEnvelope) {
	t.Helper()
	if err := json.Unmarshal(r.JSON, &e); err != nil || !r.IsError {
		t.Fatalf("no error envelope: %s %v", r.JSON, err)
	}
	return e
}

var outputSchema = jsonschema.MustCompileString("output", output)

func valid(t *testing.T, r tool.Result) {
	t.Helper()
	var v map[string]any
	expect.NoErrorf(t, json.Unmarshal(r.JSON, &v), "%s", r.JSON)
	expect.Succeeds(t, outputSchema.Validate(v), "%s", r.JSON)
}

func TestErrorsAreDeterministic(t *testing.T) {
	t.Parallel()
	hear := newTool(echo)
	for _, tt := range []struct{ args, want string }{
		{`{"zz":1,"id":"a","aa":1}`, "hear has no arguments aa and zz."},
		{`{"size":0,"depth":0,"id":"a"}`, "depth: must be at least 1, was 0."},
		{`{"size":1000,"depth":1000,"id":"a"}`, "depth: must be at most 9, was 1000."},
		{`{"size":"x","depth":"x","id":"a"}`, "depth: must be a whole number, was x."},
		{`{"size":0}`, "id: is required and was not given."},
	} {
		for range 50 {
			if got := refused(t, hear.Call(t.Context(), quiet, json.RawMessage(tt.args))).Error.Message; got != tt.want {
				t.Errorf("%s: %s", tt.args, got)
				break
			}
		}
	}
}

// TestEchoIsBounded: an error quotes only a part of long arguments. With
// quadratic work the test would not end.
func TestEchoIsBounded(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	hear := newTool(echo)
	long := strings.Repeat("x ", 100_000)
	many := strings.TrimSuffix(strings.Repeat(`"recruiting",`, 20_000), ",")
	for _, args := range []any{
		map[string]any{"id": "a", long: 1},
		map[string]any{"id": "a", "size": long},
		map[string]any{"id": "a", "status": long},
		map[string]any{"id": "a", "status": strings.ReplaceAll(long, " ", ",")},
		map[string]any{"id": "a", "status": strings.ReplaceAll(many, `"`, "") + ",x"},
		map[string]any{"id": []string{long, long}},
		map[string]any{"id": []any{[]string{long}, 1}},
		map[string]any{"id": "a", "term": long},
		long,
	} {
		text, err := json.Marshal(args)
		expect.NoError(t, err)
		result := hear.Call(t.Context(), quiet, text)
		refused(t, result)
		expect.That(t, len(result.JSON) <= 2000, "%.40s...: an error of %d bytes", text, len(result.JSON))
	}
}

// TestLongArguments: arguments that are too long for every source are refused
// before they are read, and the error names the longest.
func TestLongArguments(t *testing.T) {
	t.Parallel()
	hear := newTool(echo)
	long := strings.Repeat("ä", 400_000)
	for name, tt := range map[string]struct {
		args    any
		message string
	}{
		"a text with a limit": {map[string]any{"id": "a", "words": long}, "words: has 400000 characters, at most 30 are accepted."},
		"another": {map[string]any{"id": long, "words": "b"},
			"id: has 800002 bytes, all arguments of hear together at most 262144."},
		"a list": {map[string]any{"id": "a", "tags": slices.Repeat([]string{"c"}, 200_000)},
			"tags: has 800001 bytes, all arguments of hear together at most 262144."},
		"an unknown name": {map[string]any{"id": "a", "colour": long},
			"The arguments of hear have 800022 bytes, at most 262144 can be read."},
		"no object": {long, "The arguments of hear have 800002 bytes, at most 262144 can be read."},
		"a text below in all": {map[string]any{"id": "a", "words": long[:100_000]},
			"words: has 50000 characters, at most 30 are accepted."},
		"a list of long texts": {map[string]any{"id": "a", "few": []string{long[:100_000]}},
			"few: has 50000 characters, at most 9 are accepted."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := json.Marshal(tt.args)
			expect.NoError(t, err)
			result := hear.Call(t.Context(), quiet, text)
			if e := refused(t, result).Error; e.Message != tt.message || e.Code != entity.InvalidInput {
				t.Errorf("%+v", e)
			}
			if valid(t, result); len(result.JSON) > 2000 {
				t.Errorf("an error of %d bytes", len(result.JSON))
			}
		})
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	const generic = "An internal error prevented the answer"
	for name, tt := range map[string]struct {
		handler handler
		code    entity.Code
		message string // without its reference
		logged  string // "" if no line is logged
	}{
		"panic": {func(context.Context, callArgs) (entity.Answer[received], error) { panic("secret pan1c") }, entity.UpstreamError, generic,
			"secret pan1c"},
		"panic(error)": {func(context.Context, callArgs) (entity.Answer[received], error) {
			panic(&entity.Error{Message: "secret pan1c"})
		}, entity.UpstreamError, generic, "secret pan1c"},
		"nil pointer": {func(_ context.Context, a callArgs) (entity.Answer[received], error) {
			var p *callArgs
			a.ID = p.ID
			return echo(t.Context(), a)
		}, entity.UpstreamError, generic, "nil pointer"},
		"unknown error": {func(context.Context, callArgs) (entity.Answer[received], error) {
			return entity.Answer[received]{}, errors.New("secret https://u:p@h/?api_key=1")
		}, entity.UpstreamError, generic, "secret https"},
		"deadline": {func(context.Context, callArgs) (entity.Answer[received], error) {
			return entity.Answer[received]{}, context.DeadlineExceeded
		}, entity.UpstreamError, "This server did not finish the call in its time limit. No source failed", "deadline"},
		"known error": {func(context.Context, callArgs) (entity.Answer[received], error) {
			return entity.Answer[received]{}, &entity.Error{Code: entity.EntityNotFound, Message: "X:1 does not exist.", Hint: "Call hear."}
		}, entity.EntityNotFound, "X:1 does not exist.", ""},
		"known error with a cause": {func(context.Context, callArgs) (entity.Answer[received], error) {
			return entity.Answer[received]{},
				fmt.Errorf("wrapped: %w", &entity.Error{Code: entity.RateLimited, Message: "Too fast.", Hint: "Wait.",
					Cause: errors.New("secret cause")})
		}, entity.RateLimited, "Too fast", "secret cause"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var logged bytes.Buffer
			result := newTool(tt.handler).Call(t.Context(), slog.New(slog.NewTextHandler(&logged, nil)), json.RawMessage(`{"id":"a"}`))
			valid(t, result)
			e := refused(t, result).Error
			expect.That(t, e.Code == tt.code, "code %s", e.Code)
			expect.That(t, !strings.Contains(string(result.JSON), "secret") && !strings.Contains(string(result.JSON), "goroutine") &&
				!strings.Contains(string(result.JSON), "nil pointer"),
				"shown: %s", result.JSON)
			if tt.logged == "" {
				expect.That(t, e.Message == tt.message && logged.Len() <= 0, "message %q, logged %q", e.Message, logged.String())
				return
			}
			m := regexp.MustCompile(`^(.*) \(reference ([0-9a-f]{8})\)\.$`).FindStringSubmatch(e.Message)
			expect.Must(t, m != nil && m[1] == tt.message, "message %q", e.Message)
			if log := logged.String(); !strings.Contains(log, "reference="+m[2]) || !strings.Contains(log, tt.logged) ||
				!strings.Contains(log, "tool=hear") {
				t.Errorf("log %q", log)
			}
		})
	}
}

// unencodable cannot be encoded as JSON.
type unencodable struct{ F func() }

// TestLongAnswers: an answer stays within its limit, also if a text, a list or the notices are larger, and a notice names what was cut.
func TestLongAnswers(t *testing.T) {
	t.Parallel()
	const limit = 20_000
	type row struct {
		Title string   `json:"title"`
		IDs   []string `json:"ids,omitempty"`
	}
	type answer struct {
		Items []row `json:"items"`
	}
	var many []string
	for i := range 5000 {
		many = append(many, fmt.Sprint("P", i))
	}
	repeat := strings.Repeat
	for name, tt := range map[string]struct {
		rows    []row
		notices []string
		cut     string
	}{
		"one":     {rows: []row{{Title: repeat("word ", 20_000)}}, cut: "items[0].title"},
		"escaped": {rows: []row{{Title: repeat("\"\n", 30_000)}}, cut: "items[0].title"},
		"several": {rows: []row{{Title: repeat("é", 9_000)}, {Title: repeat("a", 9_000)}, {Title: "short"}}, cut: "items[0].title"},
		"lists":   {rows: []row{{IDs: many}, {IDs: many[1:]}}, cut: "items[0].ids, items[1].ids"},
		"notices": {notices: many, cut: "notices"},
		"notice":  {notices: []string{"short", repeat("a", 30_000)}, cut: "notices[1]"},
	} {
		long := tool.New(tool.Definition{Name: "long"}, func() (none struct{}) { return none },
			func(context.Context, struct{}) (a entity.Answer[answer], err error) {
				a.Value.Items = tt.rows
				a.Add(tt.notices...)
				return a, nil
			})
		long.MaxAnswer = limit
		result := long.Call(t.Context(), slog.New(slog.DiscardHandler), nil)
		got := string(result.JSON)
		expect.That(t, !result.IsError && len(got) <= limit && len(got) > limit/10, "%s: %d bytes", name, len(got))
		expect.That(t, strings.Contains(got, "these parts were cut: "+tt.cut+"."), "%s: %s", name, got[len(got)-300:])
		expect.Is(t, strings.Count(got, `"short`), map[string]int{"several": 1, "notice": 1}[name], "short texts of %s", name)
	}
}

func TestUnencodableAnswer(t *testing.T) {
	t.Parallel()
	broken := tool.New(tool.Definition{Name: "broken"}, func() (none struct{}) { return none },
		func(context.Context, struct{}) (entity.Answer[unencodable], error) {
			return entity.Answer[unencodable]{}, nil
		})
	if e := refused(t, broken.Call(t.Context(), quiet, nil)).Error; e.Code != entity.UpstreamError {
		t.Errorf("%+v", e)
	}
}

// TestDefaultsAreNotShared: a default is the same after a call with another
// value, and after a handler that changed it.
func TestDefaultsAreNotShared(t *testing.T) {
	t.Parallel()
	type args struct {
		Tags []string `json:"tags,omitempty"`
	}
	greedy := tool.New(tool.Definition{
		Name: "greedy", Arguments: []tool.Argument{{Name: "tags", Type: "string", List: true}},
	}, func() args { return args{Tags: []string{"red", "green"}} }, func(_ context.Context, a args) (entity.Answer[args], error) {
		answer := args{Tags: slices.Clone(a.Tags)}
		a.Tags[0] = "changed"
		return entity.Answer[args]{Value: answer}, nil
	})
	for _, call := range []struct{ args, want string }{
		{`{}`, `{"tags":["red","green"]}`},
		{`{"tags":["blue"]}`, `{"tags":["blue"]}`},
		{`{}`, `{"tags":["red","green"]}`},
	} {
		expect.Equal(t, call.args, call.want, string(greedy.Call(t.Context(), quiet, []byte(call.args)).JSON))
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 8, 5, 11, 0, 0, 0, time.FixedZone("CEST", 7200))
	for name, tt := range map[string]struct {
		answer entity.Answer[received]
		want   string
		meta   map[string]any
	}{
		"plain": {
			entity.Answer[received]{Value: received{callArgs{ID: "a"}}},
			`{"args":{"id":"a"}}`,
			map[string]any{"biofact/schema": "urn:test:hear", "biofact/upstream_requests": 0},
		},
		"signs, notices, meta": {
			entity.Answer[received]{
				Value: received{callArgs{ID: "<a> & 'b' \u2264"}},
				Notes: entity.Notes{
					Notices:    []string{"Was > 5 & is <6>."},
					Provenance: entity.Provenance{UpstreamRequests: 2, DataVersion: "2026-08-05", RetrievedAt: at},
				},
			},
			`{"args":{"id":"<a> & 'b' ≤"},"notices":["Was > 5 & is <6>."]}`,
			map[string]any{"biofact/schema": "urn:test:hear", "biofact/upstream_requests": 2, "biofact/data_version": "2026-08-05",
				"biofact/retrieved_at": "2026-08-05T09:00:00Z"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := newTool(func(context.Context, callArgs) (entity.Answer[received], error) { return tt.answer, nil }).
				Call(t.Context(), quiet, json.RawMessage(`{"id":"a"}`))
			expect.That(t, !result.IsError && string(result.JSON) == tt.want, "got  %s\nwant %s", result.JSON, tt.want)
			expect.Equal(t, "meta", tt.meta, result.Meta)
			valid(t, result)
		})
	}
}

func TestErrorsAreNotEscaped(t *testing.T) {
	t.Parallel()
	result := newTool(echo).Call(t.Context(), quiet, json.RawMessage(`{"id":"a","size":"<5 & more>"}`))
	expect.That(t, strings.Contains(string(result.JSON), `was <5 & more>`), "%s", result.JSON)
}

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"query", "condition", "status", "page_size", "cursor"}
	for name, want := range map[string]string{
		"query": "query", "querry": "query", "conditions": "condition", "pageSize": "page_size", "Page-Size": "page_size",
		"state": "", "statsu": "status", "curosr": "cursor", "querys": "query", "": "", "x": "", "melanoma": "", "状态": "",
	} {
		expect.Equal(t, fmt.Sprintf("Nearest(%q)", name), want, tool.Nearest(name, names))
	}
	expect.Is(t, tool.Nearest("x", nil), "", "nearest of nothing")
}

// FuzzArguments: for any input, the handler gets valid arguments, or the caller
// a valid error.
func FuzzArguments(f *testing.F) {
	for _, args := range []string{
		`{"id":"a"}`, `"{\"id\":\"a\"}"`, `{"id":["a"],"size":"50","tags":"[\"c\"]"}`, `{"id":"a","status":"Active, not recruiting, x"}`,
		`{"id":"a","size":1e99}`, `{"id":"a","size":"1p9"}`, `{"id":{}}`, `[]`, `null`, `{"id":"${user_config.x}"}`, `{"":""}`, "\x00",
		`{"id":"\ud800"}`,
		`{"id":"a","exact":"T","depth":[9.0]}`, "{\"id\":\"${0\x880}\"}", "{\"id\":\"1\",\"status\":\"\x85ctyve,*79%12, x\"}", "0\t\t0",
	} {
		f.Add([]byte(args))
	}
	schema := jsonschema.MustCompileString("input", input)
	var got *callArgs
	hear := newTool(func(ctx context.Context, a callArgs) (entity.Answer[received], error) {
		if ctx.Err() == nil { // else the arguments are only checked
			got = &a
		}
		return echo(ctx, a)
	})
	f.Fuzz(func(t *testing.T, args []byte) {
		got = nil
		result := hear.Call(t.Context(), quiet, args)
		valid(t, result)
		expect.Must(t, result.IsError == (got == nil), "%q: handler called: %t, %s", args, got != nil, result.JSON)
		if result.IsError {
			if e := refused(t, result).Error; e.Code != entity.InvalidInput {
				t.Errorf("%q: %+v", args, e)
			}
			return
		}
		text, err := json.Marshal(got)
		expect.NoError(t, err)
		var v any
		expect.NoError(t, json.Unmarshal(text, &v))
		expect.Succeeds(t, schema.Validate(v), "%q: the handler got %s", args, text)
		expect.That(t, strings.TrimSpace(got.ID) != "", "%q: the handler got no id", args)
	})
}
