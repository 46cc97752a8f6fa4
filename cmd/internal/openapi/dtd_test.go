package openapi_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/cmd/internal/openapi"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestDTD reads a DTD that a reply names: entities, sequences, alternatives, mixed content and attributes.
func TestDTD(t *testing.T) {
	t.Parallel()
	const dtd = `<!-- <!ELEMENT Old (X)> -->
<!ENTITY % text "#PCDATA | i">
<!ENTITY % all "(Title, (Note | %text;)*)">
<!ELEMENT Set (Item+, Gone?) >
<!ELEMENT Item (Id, ((Page, Link*) | Link+), (Title)?, far:away)>
<!ATTLIST Item Kind ( b |a ) #REQUIRED
	Owner CDATA "NLM" >
<!ELEMENT Title (%text;)*> <!ELEMENT i (%text;)*> <!ELEMENT Note %all;>
<!ELEMENT Id (#PCDATA)> <!ELEMENT Page %UNKNOWN;> <!ELEMENT Link EMPTY> <!ELEMENT Gone (Id*)>
`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/made_26.dtd" {
			io.WriteString(w, dtd)
			return
		}
		fmt.Fprintf(w, "<?xml version=\"1.0\" ?>\n<!DOCTYPE Set PUBLIC \"-//X//EN\" \"http://%s/made_26.dtd\">\n<Set></Set>", r.Host)
	}))
	t.Cleanup(server.Close)
	got, err := openapi.Read(t.Context(), server.URL+"/reply")
	expect.NoError(t, err)
	again, err := openapi.Structure(got)
	expect.NoError(t, err)
	expect.Equal(t, "the structure of the structure", string(got), string(again))
	const want = `openapi: 3.0.3
info:
  title: DTD
  version: made_26.dtd
paths:
  /Note: {}
  /Set: {}
components:
  schemas:
    Gone:
      type: object
      properties:
        Id:
          type: array
          items:
            $ref: '#/components/schemas/Id'
    Id:
      type: string
    Item:
      type: object
      properties:
        '@Kind':
          type: string
          enum:
            - a
            - b
        '@Owner':
          type: string
        Id:
          $ref: '#/components/schemas/Id'
        Link:
          type: array
          items:
            $ref: '#/components/schemas/Link'
        Page:
          $ref: '#/components/schemas/Page'
        Title:
          $ref: '#/components/schemas/Title'
        far:away: {}
      required:
        - '@Kind'
        - Id
        - far:away
`
	expect.That(t, strings.HasPrefix(string(got), want), "%s", got)
	expect.That(t, strings.Contains(string(got), `    Note:
      type: object
      properties:
        '#text':
          type: string
        Note:
          type: array
          items:
            $ref: '#/components/schemas/Note'
        Title:
          $ref: '#/components/schemas/Title'
        i:
          type: array
          items:
            $ref: '#/components/schemas/i'
      required:
        - Title
    Page:
      type: string
`), "%s", got)
}
