package query_test

import (
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
)

// TestIn: each term is looked for in every piece, so that a term in one piece and another in the other piece match.
func TestIn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"overall survival": "(AREA[A](overall survival) OR AREA[B](overall survival))",
		`death NOT (heart "lung") OR pain`: `(AREA[A](death) OR AREA[B](death)) NOT ((AREA[A](heart) OR AREA[B](heart)) (AREA[A]("lung") OR AREA[B]("lung"))) OR ` +
			"(AREA[A](pain) OR AREA[B](pain))",
	} {
		expect.Is(t, query.ReadText(text).In("A", "B").String(), want, "%q", text)
		expect.Is(t, query.ReadText(text).In("A").String(), "AREA[A]("+query.ReadText(text).Expression+")", "%q", text)
	}
}
