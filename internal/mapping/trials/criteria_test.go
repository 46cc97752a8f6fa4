package trials_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/criteria"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
)

// eligibility maps a study with a text of criteria.
func eligibility(t testing.TB, text string) entity.EligibilityCriteria {
	t.Helper()
	var s ctgov.Study
	p := &s.ProtocolSection
	p.IdentificationModule.NctId, p.IdentificationModule.BriefTitle, p.StatusModule.OverallStatus = "NCT90000001", "t", "COMPLETED"
	p.EligibilityModule.EligibilityCriteria = text
	trial, err := trials.Trial(&s)
	expect.NoError(t, err)
	if trial.EligibilityCriteria == nil {
		return entity.EligibilityCriteria{}
	}
	return *trial.EligibilityCriteria
}

func TestCriteria(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/criteria/*.txt")
	expect.NoError(t, err)
	if len(paths) == 0 {
		t.Fatal("no texts")
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		expect.NoError(t, err)
		given, want, _ := strings.Cut(string(text), "====\n")
		e := eligibility(t, given)
		var got strings.Builder
		for _, item := range e.Inclusion {
			got.WriteString("+ " + item + "\n")
		}
		for _, item := range e.Exclusion {
			got.WriteString("- " + item + "\n")
		}
		expect.Equal(t, path, want, got.String())
		expect.Equal(t, path, "", lostCriteria(e))
	}
}

// inOrder returns the letters and digits of some texts, without space or marks.
func inOrder(texts ...string) string {
	var b strings.Builder
	for _, r := range strings.Join(texts, "") {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

var aHeading = regexp.MustCompile(`(?i)\b(in|ex)clusion( criteria)?\W*$`)

// lostCriteria reports what the lists of criteria lack: each line of the text, but the headings, is in one of them.
func lostCriteria(e entity.EligibilityCriteria) string {
	if len(e.Inclusion) == 0 && len(e.Exclusion) == 0 {
		return ""
	}
	all := inOrder(append(slices.Clone(e.Inclusion), e.Exclusion...)...)
	for _, line := range criteria.Lines(e.CriteriaText) {
		if !strings.Contains(all, inOrder(line.Text)) {
			return "no list has the line: " + line.Text
		}
	}
	return ""
}

// TestCorpusCriteria: nearly all real records with both headings are split, no text is lost, and each bullet at the margin begins an item.
func TestCorpusCriteria(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	split, both := 0, 0
	for _, r := range allRecords(t) {
		given := unescaped(r.raw, "protocolSection", "eligibilityModule", "eligibilityCriteria")
		e := eligibility(t, textAt(r.raw, "protocolSection", "eligibilityModule", "eligibilityCriteria"))
		expect.Equal(t, r.id, "", lostCriteria(e))
		characters := []rune(e.CriteriaText)
		for _, l := range e.Limits {
			expect.Is(t, string(characters[l.Start:l.End]), l.Text, "%s", r.id)
		}
		headings, bullets, begun := map[string]bool{}, 0, 0
		for line := range strings.SplitSeq(given, "\n") {
			m := aHeading.FindStringSubmatch(line)
			if m != nil && len(line) <= 60 {
				headings[strings.ToLower(m[1])] = true
			} else if strings.HasPrefix(line, "* ") && !strings.Contains(line, "clusion Criteria") {
				bullets++
			}
		}
		if len(headings) == 2 {
			both++
		}
		if len(e.Inclusion) == 0 {
			continue
		}
		split++
		for _, item := range append(e.Inclusion, e.Exclusion...) {
			first, rest, nested := strings.Cut(item, "\n")
			if strings.Contains("\n"+given, "\n* "+first) {
				begun++
			}
			if nested && !strings.HasPrefix(rest, " ") {
				t.Errorf("%s: an item continues at the margin", r.id)
			}
		}
		if begun < bullets {
			t.Errorf("%s: %d items for %d bullets", r.id, begun, bullets)
		}
	}
	t.Logf("%d of %d records with both headings are split", split, both)
	if split*1000 < both*985 {
		t.Errorf("only %d of %d records with both headings are split", split, both)
	}
}

// FuzzCriteria: the lists of any text have all of its text, or are both empty.
func FuzzCriteria(f *testing.F) {
	paths, err := filepath.Glob("testdata/criteria/*.txt")
	expect.NoError(f, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		expect.NoError(f, err)
		f.Add(string(text))
	}
	f.Add("Inclusion Criteria:\n* a\n  b\n\n  1. c\nd\nExclusion:\n\n\t(a) e\n-\n")
	f.Fuzz(func(t *testing.T, text string) {
		e := eligibility(t, text)
		expect.Equal(t, "problem", "", lostCriteria(e))
		characters := []rune(e.CriteriaText)
		for _, l := range e.Limits {
			expect.Is(t, string(characters[l.Start:l.End]), l.Text, "text")
		}
		if slices.Contains(append(e.Inclusion, e.Exclusion...), "") {
			t.Errorf("%q becomes %q and %q", text, e.Inclusion, e.Exclusion)
		}
	})
}
