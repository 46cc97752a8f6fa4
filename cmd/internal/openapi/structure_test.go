package openapi_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/cmd/internal/openapi"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// These are the same small document three times: with prose, as people write it; in JSON with another order of keys, other white space and
// other prose where no checksum is kept; and its structure.
const (
	asYAML = `# A comment at the top.
info:
  description: Prose of the document.
  version: 1.2.3
  title: Kept, because it names the document
  contact: {email: info@example.org}
openapi: 3.0.3
tags:
  - name: Things
    description: Prose of a tag.
externalDocs: {url: 'https://example.org/docs'}
servers:
  - url: https://example.org/api
    description: Prose of a server.
paths:
  /things/{id}:
    summary: Prose of a path.
    get:
      tags: [Things]
      summary: Prose of an operation.
      description: |-
        Prose in
        several lines.
      operationId: getThing
      parameters:
        - $ref: '#/components/parameters/description'
        - required: true # a comment at the end
          in: path
          name: title
          description: Prose of a parameter.
          example: T1
          examples: {one: {value: T1, summary: Prose of an example.}}
          schema: {pattern: "^T[0-9]+$", type: string, title: Prose of a schema.}
      responses:
        '404': {$ref: '#/components/responses/nothing'}
        "200":
          description: Prose of a response.
          headers:
            description:
              description: Prose of a header.
              schema: {type: string}
          content:
            application/json:
              example: {title: Prose}
              schema:
                $ref: '#/components/schemas/Thing'
        default:
          description: Prose of any other response.
components:
  parameters:
    description: # the name of a parameter
      in: query
      name: description
      schema: {default: "10", enum: [b, "10", a], type: string}
  responses:
    nothing: {description: Prose of a shared response.}
  schemas:
    title: # the name of a schema
      type: integer
      minimum: 0
      maximum: 1000
      format: int32
    Thing:
      title: Prose of the title
      description: Prose of a schema.
      example: {title: Prose}
      externalDocs: {url: 'https://example.org/thing'}
      required: [title, description]
      type: object
      properties:
        title: {$ref: '#/components/schemas/title'}
        description:
          type: string
          description: Prose of a property.
          minLength: 1
        summary: {type: array, items: {description: Prose of an item., type: string}}
        example: {type: boolean, example: true}
        tags: {type: object, properties: {properties: {title: Prose., type: string}}}
`
	asJSON = `{
 "components": {
  "schemas": {
   "Thing": {
    "properties": {
     "tags": {"properties": {"properties": {"type": "string", "title": "Prose."}}, "type": "object"},
     "example": {"example": true, "type": "boolean"},
     "summary": {"items": {"type": "string", "description": "Other prose."}, "type": "array"},
     "description": {"minLength": 1, "type": "string"},
     "title": {"$ref": "#/components/schemas/title"}
    },
    "type": "object", "required": ["description", "title"], "title": "Prose"
   },
   "title": {"format": "int32", "maximum": 1000, "minimum": 0, "type": "integer"}
  },
  "responses": {"nothing": {"description": "Prose"}},
  "parameters": {
   "description": {"schema": {"type": "string", "enum": ["b", "10", "a"], "default": "10"}, "name": "description", "in": "query"}
  }
 },
 "servers": [{"url": "https://example.org/api"}],
 "paths": {"/things/{id}": {"get": {
  "responses": {
   "default": {"description": ""},
   "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}},
    "headers": {"description": {"schema": {"type": "string"}}}, "description": "Other prose."},
   "404": {"$ref": "#/components/responses/nothing"}
  },
  "parameters": [
   {"$ref": "#/components/parameters/description"},
   {"name": "title", "in": "path", "description": "Prose of\n a parameter.", "schema": {"type": "string", "pattern": "^T[0-9]+$"}, "required": true}
  ],
  "operationId": "getThing", "summary": "Prose of an operation.", "description": "Prose in several lines."
 }}},
 "openapi": "3.0.3",
 "info": {"title": "Kept, because it names the document", "version": "1.2.3", "description": "Other prose."}
}`
	structure = `openapi: 3.0.3
info:
  title: Kept, because it names the document
  version: 1.2.3
servers:
  - url: https://example.org/api
paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters:
        - $ref: '#/components/parameters/description'
        - name: title
          in: path
          required: true
          schema:
            type: string
            pattern: ^T[0-9]+$
          x-prose: heaaca5eb
      responses:
        "200":
          description: OK
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Thing'
          headers:
            description:
              schema:
                type: string
        "404":
          $ref: '#/components/responses/nothing'
        default:
          description: default
      x-prose: h54233863
components:
  parameters:
    description:
      name: description
      in: query
      schema:
        type: string
        default: "10"
        enum:
          - b
          - "10"
          - a
  responses:
    nothing:
      description: nothing
  schemas:
    Thing:
      type: object
      properties:
        description:
          type: string
          minLength: 1
        example:
          type: boolean
        summary:
          type: array
          items:
            type: string
        tags:
          type: object
          properties:
            properties:
              type: string
        title:
          $ref: '#/components/schemas/title'
      required:
        - description
        - title
    title:
      type: integer
      format: int32
      maximum: 1000
      minimum: 0
`
)

func TestStructure(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]string{
		"YAML, with prose":             asYAML,
		"JSON, keys in another order":  asJSON,
		"the structure of a structure": structure,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := openapi.Structure([]byte(document))
			expect.NoError(t, err)
			expect.Equal(t, "", structure, string(got))
			validate(t, got)
		})
	}
}

// validate loads a structure with the library that the generators use.
func validate(t *testing.T, document []byte) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(document)
	expect.NoError(t, err)
	return doc
}

func TestStructureRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ document, want string }{
		"nothing":       {"", "the top level is not a mapping"},
		"not YAML":      {"openapi: [3.0.3", "read the document:"},
		"a web page":    {"<!DOCTYPE html>\n<html><body>Moved</body></html>", "the top level is not a mapping"},
		"a list":        {"- openapi: 3.0.3", "the top level is not a mapping"},
		"Swagger 2":     {"swagger: '2.0'\npaths: {}", "not an OpenAPI 3 document"},
		"OpenAPI 4":     {"openapi: 4.0.0\npaths: {}", "not an OpenAPI 3 document"},
		"not a version": {"openapi: {}", "not an OpenAPI 3 document"},
		"other JSON":    {`{"error": "not found"}`, "not an OpenAPI 3 document"},
		"cut off JSON":  {asJSON[:len(asJSON)/2], "read the document:"},
		"only its head": {"openapi: 3.0.3\ninfo: {title: T}", "it has no paths"},
		"cut off YAML":  {structure[:strings.Index(structure, "    Thing:")], "refers to #/components/schemas/Thing"},
		"cut off name":  {structure[:strings.LastIndex(structure, "      type: integer")], "refers to #/components/schemas/title"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := openapi.Structure([]byte(test.document))
			expect.Must(t, err != nil, "no error, but\n%s", got)
			expect.That(t, strings.Contains(err.Error(), test.want), "error %q, want one that says %q", err, test.want)
		})
	}
}

const corpus = "../../../../shared/corpus"

func official(t *testing.T, name string) []byte {
	t.Helper()
	document, err := os.ReadFile(filepath.Join(corpus, name))
	if err != nil {
		t.Skipf("the corpus is not here: %v", err)
	}
	return document
}

func TestOfficialDocument(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2.0.3-2025-06", "2.0.5"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			got, err := openapi.Structure(official(t, "ctgov/oas/ctg-oas-v2-"+version+".yaml"))
			expect.NoError(t, err)
			again, err := openapi.Structure(got)
			expect.NoError(t, err)
			if !bytes.Equal(got, again) {
				t.Errorf("the structure of the structure is another one:\n%s", cmp.Diff(string(got), string(again)))
			}
			doc := validate(t, got)
			expect.Succeeds(t, doc.Validate(t.Context(), openapi3.DisableExamplesValidation()), "error")
			if paths := slices.Sorted(maps.Keys(doc.Paths.Map())); len(paths) != 9 {
				t.Errorf("%d paths, want nine: %v", len(paths), paths)
			}
		})
	}
}

// TestOfficialDocuments checks that the committed structures equal those of the official documents, byte for byte.
func TestOfficialDocuments(t *testing.T) {
	t.Parallel()
	for spec, documents := range map[string][]string{
		"clinicaltrials": {"ctgov/oas/ctg-oas-v2-2.0.5.yaml", "ctgov/oas/ctg-oas-v2-2.0.5.json"},
		"datasets":       {"datasets/openapi3_v2.yaml"},
	} {
		committed, err := os.ReadFile("../../../specs/" + spec + ".yaml")
		expect.NoError(t, err)
		for _, name := range documents {
			got, err := openapi.Structure(official(t, name))
			expect.NoError(t, err)
			if spec == "clinicaltrials" && !bytes.Contains(committed, []byte("\n  version: 2.0.5\n")) {
				continue // another version than these documents
			}
			expect.Equal(t, name+" gives another structure than specs/"+spec+".yaml", string(committed), string(got))
		}
	}
}
