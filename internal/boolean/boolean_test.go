package boolean_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/boolean"
)

// read splits a text at spaces into tokens; a part in single quotes is a phrase.
func read(text string) []boolean.Token {
	var tokens []boolean.Token
	for _, part := range strings.Fields(text) {
		t := boolean.Token{Text: part}
		switch {
		case boolean.IsOperator(part):
			t.Kind = boolean.Operator
		case part == "(":
			t.Kind = boolean.Open
		case part == ")":
			t.Kind = boolean.Close
		case strings.HasPrefix(part, "'"):
			t = boolean.Token{Kind: boolean.Phrase, Text: strings.Trim(part, "'")}
		}
		tokens = append(tokens, t)
	}
	return tokens
}

func write(tokens []boolean.Token) string {
	return boolean.Join(tokens, func(t boolean.Token) string {
		if t.Kind == boolean.Phrase {
			return "'" + t.Text + "'"
		}
		return t.Text
	})
}

func TestTidy(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, want string
		dropped    []string
	}{
		{text: "", want: ""},
		{text: "a and 'b' OR c", want: "a and 'b' OR c"},
		{text: "( a OR b ) NOT c", want: "(a OR b) NOT c"},
		{text: "NOT a AND NOT b", want: "NOT a AND NOT b"},
		{text: "a - '&' b", want: "a b"},
		{text: "( a", want: "a"},
		{text: ") a (", want: "a"},
		{text: "( ( a ) b", want: "(a) b"},
		{text: "( ) a ( - )", want: "a"},
		{text: "( AND ) a", want: "a", dropped: []string{"AND"}},
		{text: "AND a OR", want: "a", dropped: []string{"AND", "OR"}},
		{text: "a AND OR b", want: "a OR b", dropped: []string{"AND"}},
		{text: "a NOT AND NOT", want: "a", dropped: []string{"NOT", "AND"}},
		{text: "( a AND ) b", want: "(a) b", dropped: []string{"AND"}},
		{text: strings.Repeat("( ", 20) + "a" + strings.Repeat(" )", 20), want: strings.Repeat("(", 20) + "a" + strings.Repeat(")", 20)},
		{text: strings.Repeat("( ", 21) + "a" + strings.Repeat(" )", 21) + " ( b )", want: "a b"},
	} {
		balanced, dropped := boolean.DropDangling(boolean.Balance(read(tt.text)))
		if got := write(balanced); got != tt.want || !slices.Equal(dropped, tt.dropped) {
			t.Errorf("%q: got %q without %q, want %q without %q", tt.text, got, dropped, tt.want, tt.dropped)
		}
	}
}

func TestDistinguishes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": false, "x": false, "the The": false, "* -": false, "the x": false, "x y": true, "hf": true, "東京": true,
	} {
		if got := boolean.Distinguishes(text, []string{"the"}); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
