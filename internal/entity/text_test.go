package entity_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                     "",
		"plain":                "plain",
		"a\nb\tc":              "a\nb\tc",
		"a\r\nb":               "a\nb",
		"\x00a\x07\x1b[0m\x7f": "a[0m",
		"\u0080\u0085\u009fé":  "é",
		"\u202a\u202b\u202c\u202d\u202ea\u2066\u2067\u2068\u2069": "a",
		"مرحبا\u200f 東京 🧬":                                        "مرحبا 東京 🧬",
		"\u202e":                                                  "",
		"<b>&amp;</b> \u2028 \u00a0":                              "<b>&amp;</b> \n \u00a0",
		"a\u061c\u200b\u200e\u200f\u2060\ufeff\u00adb":            "ab",
		"a\u2029b": "a\nb",
		"\U000e0001\U000e0069\U000e0067\U000e007fa":                     "a",
		"a\ufe00\ufe01\U000e0100\u3164\u115f\u034f":                     "a",
		"می\u200cخواهم क्\u200dष 👩\u200d🔬 ❤\ufe0f\u200d🔥 #\ufe0f\u20e3": "می\u200cخواهم क्\u200dष 👩\u200d🔬 ❤\ufe0f\u200d🔥 #\ufe0f\u20e3",
		"a\u200db\u200c c\u200d":                                        "ab c",
		"❤\ufe0f\ufe0f\ufe0f":                                           "❤\ufe0f",
		"\u0600١٢ \u06dd":                                               "\u0600١٢ \u06dd",
	} {
		got := entity.Clean(text)
		expect.Equal(t, fmt.Sprintf("Clean(%q)", text), want, got)
		expect.Is(t, entity.Clean(got), got, "Clean(%q)", got)
	}
}

// TestCleanClass checks that Clean removes every character of these classes from
// Latin text.
func TestCleanClass(t *testing.T) {
	t.Parallel()
	for r := range rune(unicode.MaxRune) {
		if !unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector) ||
			unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
			continue
		}
		if got := entity.Clean("a" + string(r) + "b"); got != "ab" && got != "a\nb" {
			t.Errorf("%U passes: %q", r, got)
		}
	}
}

func TestCutApart(t *testing.T) {
	t.Parallel()
	texts := []string{"Change from baseline in the score at week 4", "Change from baseline in the score at week 8, part A",
		"Change from baseline in the score at week 8, part B", "Change from baseline in the sco", "Survival", "Survival", "",
		strings.Repeat("x", 40) + "é", strings.Repeat("x", 40) + "è", "Change from baseline in the score at week 8"}
	got := entity.CutApart(texts, 20)
	x := strings.Repeat("x", 40)
	expect.Equal(t, "cut", []string{"Change from… the score… week 4", "Change from… the score… week 8… part A",
		"Change from… the score… week 8… part B",
		"Change from… the sco", "Survival", "Survival", "", x + "é", x + "è", "Change from… the score… week 8"}, got)
	got = entity.CutApart([]string{"Severe aortic Regurgitation at day 1", "Severe aortic Regurgitation by day 30"}, 28)
	expect.Equal(t, "no word twice", []string{"Severe aortic Regurgitation at day 1", "Severe aortic Regurgitation by day 30"}, got)
	got = entity.CutApart([]string{"Regurgitation Regurgitation-free days", "Regurgitation Regurgitation-free weeks"}, 20)
	expect.Equal(t, "no cut word", []string{"Regurgitation Regurgitation-free days", "Regurgitation Regurgitation-free weeks"}, got)
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text  string
		limit int
		want  string
	}{
		{"", 0, ""},
		{"", 5, ""},
		{"one two", 7, "one two"},
		{"one two", 6, "one…"},
		{"one two", 5, "one…"},
		{"one two", 4, "one…"},
		{"one two", 3, "on…"},
		{"one two", 2, "o…"},
		{"one two", 1, "…"},
		{"one  two", 6, "one…"},
		{"one two three", 8, "one two…"},
		{"one two three", 9, "one two…"},
		{"one, two; three", 5, "one…"},
		{"one, two; three", 10, "one, two…"},
		{"one\ntwo three", 8, "one\ntwo…"},
		{"one\u00a0two three", 8, "one\u00a0two…"},
		{"immunohistochemistry", 10, "immunohis…"},
		{" immunohistochemistry", 10, " immunohi…"},
		{"größe über", 6, "größe…"},
		{"größe über", 9, "größe…"},
		{"größe über", 10, "größe über"},
		{"東京都千代田区", 4, "東京都…"},
		{"東京都千代田区", 7, "東京都千代田区"},
		{"🧬🧬🧬", 2, "🧬…"},
		{",,,,", 3, "…"},
		{"    x", 3, "…"},
	} {
		got := entity.Cut(tt.text, tt.limit)
		expect.Equal(t, fmt.Sprintf("Cut(%q, %d)", tt.text, tt.limit), tt.want, got)
	}
}

func FuzzCut(f *testing.F) {
	f.Add("one two, three", 8)
	f.Add("東京都 千代田区", 4)
	f.Add("a\xff\xfe b", 3)
	f.Add("x", -1)
	f.Add(",,0,", 3)
	f.Add("\xf3\x80b ", -15)
	f.Add("\x80:::::\t", 6)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		got := entity.Cut(text, limit)
		if got == text {
			return
		}
		expect.Must(t, utf8.RuneCountInString(text) > limit, "Cut(%q, %d) = %q", text, limit, got)
		prefix, ok := strings.CutSuffix(got, "…")
		expect.That(t, ok && strings.HasPrefix(text, prefix) && utf8.RuneCountInString(got) <= max(1, limit),
			"Cut(%q, %d) = %q", text, limit, got)
		next, _ := utf8.DecodeRuneInString(text[len(prefix):])
		expect.That(t, !strings.ContainsFunc(strings.TrimLeftFunc(prefix, unicode.IsSpace), unicode.IsSpace) || unicode.IsSpace(next) ||
			strings.ContainsRune(",;:", next),
			"Cut(%q, %d) = %q, inside a word", text, limit, got)
	})
}

func TestFold(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "N/A": "na", "Active, not recruiting": "activenotrecruiting", "EARLY_PHASE1": "earlyphase1",
		"Straße 7": "strae7", "東京": "", " \t-": "",
	} {
		expect.Equal(t, fmt.Sprintf("Fold(%q)", text), want, entity.Fold(text))
	}
}

func TestNegated(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"-human": "human", "!completed": "completed", "−Review": "Review", "–Review": "Review", "not recruiting": "recruiting",
		"non-interventional": "interventional", "anything but phase 3": "phase 3", "NOT\thuman": "human", "- not İ": "İ",
		"human": "", "nonsense": "", "north": "", "-": "", "not": "", "": "", "-3": "3",
	} {
		got, ok := entity.Negated(text)
		expect.That(t, ok == (want != "") && (!ok || got == want), "%q: %q, %v", text, got, ok)
	}
}
