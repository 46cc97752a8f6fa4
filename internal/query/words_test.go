package query

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                               {},
		"- / ; + & | @ # = ,":            {},
		"Non-Small/Cell; A+B&C|D@E#F=G":  {"non", "small", "cell", "a", "b", "c", "d", "e", "f", "g"},
		"v1.2 a:b c_d. Crohn's 'quoted'": {"v1.2", "a:b", "c_d", "crohn", "quoted"},
		"neoplasms therapies boxes":      {"neoplasm", "therapy", "box"},
		"sepsis virus loss gas":          {"sepsis", "virus", "loss", "gas"},
		"diabetes":                       {"diabete"},
		"São Sen\u0303or İstanbul":       {"sao", "senor", "istanbul"},
		`HER2\-positive \[sic\]`:         {"her2", "positive", "sic"},
		"一 二":                            {"一", "二"},
	} {
		expect.Is(t, cmp.Diff(want, Words(text)), "", "%q (-want +got)", text)
	}
}

// The words of ASCII are cut by code of their own, to the same words.
func FuzzWords(f *testing.F) {
	for _, text := range []string{"", "a", "v1.2 a:b c_d. Crohn's 'quoted'", "._:'", "Non-Small/Cell's ABC's"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if diff := cmp.Diff(anyWords(text), Words(text)); diff != "" {
			t.Errorf("%q (-any +ASCII)\n%s", text, diff)
		}
	})
}

func TestSynonymsGoBothWays(t *testing.T) {
	t.Parallel()
	for _, group := range synonyms {
		for _, name := range group {
			if n, others := Synonyms().at(Words(name)); n != len(Words(name)) || len(others) != len(group)-1 {
				t.Errorf("%s: %d other names over %d words", name, len(others), n)
			}
		}
	}
}
