package register_test

import (
	"os"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/register"
)

// only returns the number that a text consists of, but for the marks around it.
func only(text string) (register.Number, bool) {
	text = strings.Trim(text, ".()")
	found := register.Find(text)
	if len(found) != 1 || found[0].Start > 0 || found[0].End < len(text) {
		return register.Number{}, false
	}
	return found[0], true
}

// TestNumbers: each text of testdata/numbers.tsv is read as the number in its line, alone and within a sentence.
func TestNumbers(t *testing.T) {
	t.Parallel()
	cases, err := os.ReadFile("testdata/numbers.tsv")
	expect.NoError(t, err)
	for line := range strings.Lines(string(cases)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		n, ok := only(f[0])
		expect.Equal(t, f[0], f[1]+" "+f[2], n.Register+" "+n.ID)
		expect.Is(t, ok, f[1] != "", "%s is a number", f[0])
		found := register.Find("Registered as " + f[0] + ", in 2019.")
		expect.Is(t, len(found) == 1, ok, "%s in a sentence: %v", f[0], found)
		for _, spelled := range n.Spellings[min(1, len(n.Spellings)):] {
			if again, ok := only(spelled); ok {
				expect.That(t, again.ID == n.ID || strings.HasPrefix(n.ID, again.ID), "%s, a spelling of %s, is read as %s", spelled,
					n.ID, again.ID)
			}
		}
	}
}

// TestGuesses: each text of testdata/guesses.tsv leads to the number in its line.
func TestGuesses(t *testing.T) {
	t.Parallel()
	cases, err := os.ReadFile("testdata/guesses.tsv")
	expect.NoError(t, err)
	for line := range strings.Lines(string(cases)) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); !strings.HasPrefix(line, "#") {
			n, ok := register.Guess(f[0])
			expect.Equal(t, f[0], f[1], n.ID)
			expect.Is(t, ok, f[1] != "", "%s leads to a number", f[0])
		}
	}
}

// TestAddress: a record has its address where the number leads to it.
func TestAddress(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"SLCTR/2008/006":    "https://slctr.lk/trials/slctr-2008-006",
		"2022-501515-14":    "",
		"2022-501515-14-00": "https://euclinicaltrials.eu/ctis-public/view/2022-501515-14-00",
		"DRKS00005115":      "https://drks.de/search/en/trial/DRKS00005115",
		"KCT0001234":        "",
	} {
		n, _ := only(text)
		expect.Is(t, n.URL, want, "address of %s", text)
	}
}

// TestNumbersOfAText: several numbers of one text come in its order, with their places.
func TestNumbersOfAText(t *testing.T) {
	t.Parallel()
	const text = "(ISRCTN 19572887; EudraCT 2005-005257-21 and NCT 01234567.)"
	var ids []string
	for _, n := range register.Find(text) {
		ids = append(ids, n.ID+"="+text[n.Start:n.End])
	}
	expect.Equal(t, "numbers", "ISRCTN19572887=ISRCTN 19572887 2005-005257-21=EudraCT 2005-005257-21 NCT01234567=NCT 01234567",
		strings.Join(ids, " "))
}

func FuzzFind(f *testing.F) {
	f.Add("ISRCTN 19572887, 2005-005257-21")
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, n := range register.Find(text) {
			expect.That(t, n.Start >= end && n.End > n.Start && n.ID != "", "%q: %+v", text, n)
			end = n.End
		}
	})
}
