package drift_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/cmd/internal/drift"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// A small document with features that the real one does not have: shared parameters and responses, a path key other than its methods, a
// composed schema, a schema that refers to itself, a header.
const document = `openapi: 3.0.3
info:
  title: Things
  version: "1"
paths:
  /other:
    get:
      operationId: other
      responses:
        "200":
          description: OK
  /things:
    get:
      operationId: listThings
      parameters:
        - $ref: '#/components/parameters/words'
        - name: level
          in: query
          schema:
            $ref: '#/components/schemas/Level'
      responses:
        "200":
          $ref: '#/components/responses/page'
        "404":
          description: Not Found
components:
  parameters:
    words:
      name: q
      in: query
      schema:
        type: string
        maxLength: 20
  responses:
    page:
      description: page
      content:
        application/json:
          schema:
            type: array
            items:
              $ref: '#/components/schemas/Thing'
      headers:
        X-Next:
          schema:
            type: string
  schemas:
    Level:
      type: integer
      format: int32
      minimum: 1
      maximum: 9
    Thing:
      type: object
      properties:
        level:
          $ref: '#/components/schemas/Level'
        mixed:
          anyOf:
            - type: string
            - type: integer
        note:
          type: string
        parts:
          type: array
          items:
            $ref: '#/components/schemas/Thing'
        size:
          type: object
          properties:
            high:
              type: number
            wide:
              type: number
`

func use() drift.Use {
	return drift.Use{
		Record: "Thing",
		Paths:  map[string]string{"Level": "level", "Mixed": "mixed", "Parts": "parts", "Wide": "size.wide"},
		Tools: []drift.Tool{{
			Name: "search_things", Operations: []string{"listThings"}, Fields: []string{"Level", "Mixed", "Parts", "Wide"},
			Arguments: []drift.Argument{{Name: "words", Param: "q"}, {Name: "level", Param: "level"}},
		}},
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		edits []string // old and new texts, alternating
		want  []string
	}{
		"nothing":           {nil, nil},
		"order of keywords": {[]string{"minimum: 1\n      maximum: 9", "maximum: 9\n      minimum: 1"}, nil},
		"a shared parameter is stricter": {
			[]string{"maxLength: 20", "maxLength: 10"},
			[]string{
				"paths./things.get.parameters.q limit changed breaking [] [search_things.words]",
				"components.parameters.words changed",
			},
		},
		"a shared parameter is looser": {
			[]string{"maxLength: 20", "maxLength: 30"},
			[]string{
				"paths./things.get.parameters.q limit changed [] [search_things.words]",
				"components.parameters.words changed",
			},
		},
		"a limit of a schema that is both sent and read": {
			[]string{"minimum: 1", "minimum: 2"},
			[]string{"components.schemas.Level limit changed breaking [Level] [search_things.level]"},
		},
		"a format of it": {
			[]string{"format: int32", "format: int64"},
			[]string{"components.schemas.Level format changed breaking [Level] [search_things.level]"},
		},
		"another composition": {
			[]string{"- type: integer", "- type: number"},
			[]string{"components.schemas.Thing.mixed type changed breaking [Mixed] []"},
		},
		"a type of two, as of OpenAPI 3.1": {
			[]string{"wide:\n              type: number", "wide:\n              type: [number, \"null\"]"},
			[]string{"components.schemas.Thing.size.wide type changed breaking [Wide] []"},
		},
		"an inner property that is mapped": {
			[]string{"            wide:\n              type: number\n", ""},
			[]string{"components.schemas.Thing.size.wide removed breaking [Wide] []"},
		},
		"an inner property that is not": {
			[]string{"            high:\n              type: number\n", ""},
			[]string{"components.schemas.Thing.size.high removed"},
		},
		"the object around a mapped property": {
			[]string{"        size:\n          type: object", "        size:\n          type: string"},
			[]string{"components.schemas.Thing.size type changed breaking [Wide] []"},
		},
		"a free string with known values": {
			[]string{"note:\n          type: string", "note:\n          type: string\n          enum: [a]"},
			[]string{"components.schemas.Thing.note type changed"},
		},
		"a keyword that says nothing about types": {
			[]string{"parts:\n", "parts:\n          nullable: true\n"},
			[]string{"components.schemas.Thing.parts changed [Parts] []"},
		},
		"parameters of the path": {
			[]string{"  /things:\n", "  /things:\n    parameters:\n      - $ref: '#/components/parameters/words'\n"},
			[]string{"paths./things changed breaking [] []"},
		},
		"an operation that goes": {
			[]string{"operationId: other\n", "operationId: other\n      deprecated: true\n", "  /things:\n",
				"  /things:\n    put:\n      operationId: putThings\n"},
			[]string{"paths./other.get changed", "paths./things.put operation added"},
		},
		"a body that is to be sent": {
			[]string{"operationId: listThings\n", "operationId: listThings\n      requestBody:\n        required: true\n"},
			[]string{"paths./things.get changed breaking [] []"},
		},
		"an operation that is called is deprecated": {
			[]string{"operationId: listThings\n", "operationId: listThings\n      deprecated: true\n"},
			[]string{"paths./things.get changed [] []"},
		},
		"an operation by another method": {
			[]string{"/things:\n    get:", "/things:\n    post:"},
			[]string{
				"paths./things.get operation removed breaking [] [search_things.level search_things.words]",
				"paths./things.post operation added",
			},
		},
		"an answer that is written another way": {
			[]string{"application/json", "application/xml"},
			[]string{
				"paths./things.get.responses.200.application/json removed breaking [] []",
				"components.responses.page changed", "paths./things.get.responses.200.application/xml added",
			},
		},
		"an answer gone": {
			[]string{"        \"200\":\n          $ref: '#/components/responses/page'\n", ""},
			[]string{"paths./things.get.responses.200 removed breaking [] []"},
		},
		"a failure less": {
			[]string{"        \"404\":\n          description: Not Found\n", ""},
			[]string{"paths./things.get.responses.404 removed"},
		},
		"a header": {
			[]string{"X-Next", "X-Last"},
			[]string{"paths./things.get.responses.200 changed [] []", "components.responses.page changed"},
		},
		"another parameter of the same place": {
			[]string{"in: query\n      schema:\n        type: string", "in: header\n      schema:\n        type: string"},
			[]string{
				"paths./things.get.parameters.q parameter removed breaking [] [search_things.words]",
				"components.parameters.words changed", "paths./things.get.parameters.q parameter added",
			},
		},
		"an extension": {
			[]string{"openapi: 3.0.3\n", "openapi: 3.0.3\nx-kind: test\n"},
			[]string{"x-kind changed"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newer := document
			for i := 0; i < len(test.edits); i += 2 {
				if strings.Count(newer, test.edits[i]) != 1 {
					t.Fatalf("%q does not occur exactly once", test.edits[i])
				}
				newer = strings.Replace(newer, test.edits[i], test.edits[i+1], 1)
			}
			report, err := drift.Compare([]byte(document), []byte(newer), use())
			expect.NoError(t, err)
			var got []string
			for _, c := range report.Changes {
				line := fmt.Sprint(c.Path, " ", c.Kind)
				if c.Breaking {
					line += " breaking"
				}
				if len(c.Tools) > 0 {
					line += fmt.Sprint(" ", c.Fields, " ", c.Arguments)
				}
				expect.That(t, (c.Why != "") == (len(c.Tools) > 0), "%s: why %q, tools %v", line, c.Why, c.Tools)
				got = append(got, line)
			}
			expect.Equal(t, "", test.want, got)
		})
	}
}

// A tool that lists no fields may read every field of an answer.
func TestToolWithoutFields(t *testing.T) {
	t.Parallel()
	all := drift.Use{Record: "Thing", Tools: []drift.Tool{{Name: "count_things", Operations: []string{"listThings"}}}}
	newer := strings.Replace(document, "        note:\n          type: string\n", "", 1)
	for _, test := range []struct {
		use  drift.Use
		want bool
	}{{all, true}, {use(), false}} {
		report, err := drift.Compare([]byte(document), []byte(newer), test.use)
		expect.NoError(t, err)
		expect.That(t, len(report.Changes) == 1 && report.Breaking == test.want, "%+v, want breaking %v", report.Changes, test.want)
	}
}

func TestCompareRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		newer string
		edit  func(*drift.Use)
		want  string
	}{
		"a list":               {"- a", nil, "the top level is not a mapping"},
		"no YAML":              {"a: [", nil, "read the structure"},
		"no schemas":           {"paths: {/things: {}}", nil, "cut off, or of another API"},
		"no path in common":    {"paths: {/a: {}}\ncomponents: {schemas: {A: {type: string}}}", nil, "cut off, or of another API"},
		"an unknown operation": {document, func(u *drift.Use) { u.Tools[0].Operations[0] = "list" }, "no operation list"},
		"one that is called":   {document, func(u *drift.Use) { u.Called = []string{"version"} }, "no operation version"},
		"an unknown parameter": {document, func(u *drift.Use) { u.Sent = map[string][]string{"listThings": {"page"}} },
			"no parameter page"},
		"a field without path": {document, func(u *drift.Use) { delete(u.Paths, "Wide") }, "components.schemas.Thing has no property Wide"},
		"a path to no property": {document, func(u *drift.Use) { u.Paths["Wide"] = "size.long" },
			"components.schemas.Thing.size has no property long"},
		"no such record": {document, func(u *drift.Use) { u.Record = "Any" }, "components.schemas.Any has no property"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := use()
			if test.edit != nil {
				test.edit(&u)
			}
			_, err := drift.Compare([]byte(document), []byte(test.newer), u)
			expect.That(t, err != nil && strings.Contains(err.Error(), test.want), "error %v, want one that says %q", err, test.want)
		})
	}
}

// A text of an upstream cannot end its own quotation.
func TestMarkdownQuotes(t *testing.T) {
	t.Parallel()
	report := drift.Report{Title: "T", From: "1", To: "2", Changes: []drift.Change{
		{Path: "a", Kind: drift.PatternChanged, From: "^`+$", To: ""},
	}}
	want := "# Drift: T 1 -> 2\n\n1 change: 0 breaking, 0 in use, 1 elsewhere.\n\n## Elsewhere\n\n- `a` **pattern changed**: " +
		"`` ^`+$ `` -> none.\n"
	expect.Equal(t, "", want, report.Markdown())
}
