package query_test

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/query"
)

// TestAlternatives: a small "or" joins parts only in a text without operators. Parts that share a word are not alike.
func TestAlternatives(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, parts string
		alike       bool
	}{
		{"asthma or copd", "asthma|copd", true},
		{"either asthma Or COPD", "asthma|COPD", true},
		{"asthma and/or copd", "asthma|copd", true},
		{"aspirin, clopidogrel, or ticagrelor", "aspirin|clopidogrel|ticagrelor", true},
		{`"lung cancer" or asthma`, `"lung cancer"|asthma`, true},
		{"heart failure or diabetes", "heart failure|diabetes", true},
		{"heart or kidney failure", "heart|kidney failure", false},
		{"type 1 or type 2", "type 1|type 2", false},
		{"radiation with or without drug", "", false},
		{`"acute or chronic" pain`, "", false}, {"asthma or (copd)", "", false}, {"asthma OR copd or flu", "", false},
		{"asthma or the", "", false}, {"asthma or", "", false}, {"Oregon", "", false}, {"asthma, copd", "", false}, {"", "", false},
	} {
		parts, alike := query.AlternativesOf(tt.text)
		expect.That(t, strings.Join(parts, "|") == tt.parts && alike == tt.alike, "%q: %q %v", tt.text, parts, alike)
	}
}

// TestExclusions: a text without a word that is to be found is recognized, and so are several words after NOT.
func TestExclusions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text  string
		only  bool
		words string
	}{
		{"NOT pregnant", true, ""}, {"NOT (a1 OR b2)", true, ""}, {"asthma OR NOT copd", true, ""}, {"NOT asthma AND NOT copd", true, ""},
		{"NOT lung cancer", true, "lung cancer"}, {"diabetes NOT type 1", false, "type 1"}, {`diabetes NOT "type 1"`, false, ""},
		{"asthma", false, ""}, {"NOT asthma copd", true, "asthma copd"}, {"(NOT asthma) copd", false, ""},
		{"asthma (copd OR flu)", false, ""},
		{"(asthma OR copd) NOT flu", false, ""}, {"", false, ""},
	} {
		q := query.ReadText(tt.text)
		only, words := q.OnlyExcludes(), q.ExcludedWords()
		expect.That(t, only == tt.only && words == tt.words, "%q: %v %q", tt.text, only, words)
	}
}

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
