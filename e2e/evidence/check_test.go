package evidence

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

const checkCorpus = "../../../shared/corpus/"

// A checkCase is a text with one reference or one id, of which one part may have been changed.
type checkCase struct {
	N               int
	Kind, Style, At string
	Text            string
	Want            struct {
		ID, Exists string
		Different  []string
		Same       []string
		SameWhat   []string `json:"same_what"`
		NotSame    string   `json:"not_same"`
	}
}

// says reports whether an item has a statement of a kind with one of some results.
func says(item *entity.CheckedItem, what, claim string, results ...string) bool {
	return slices.ContainsFunc(item.Statements, func(s entity.Statement) bool {
		return s.What == what && strings.Contains(s.Claim, claim) && slices.Contains(results, s.Result)
	})
}

// caught reports whether the change of a case is reported, or of an unchanged one that nothing is, and that its numbers are found.
func (c *checkCase) caught(item *entity.CheckedItem) bool {
	if item == nil {
		return false
	}
	different := slices.ContainsFunc(item.Statements, func(s entity.Statement) bool { return s.Result == "different" })
	switch {
	case c.Kind == "right":
		return !different && item.Exists != "false"
	case c.Want.NotSame != "":
		return !says(item, "number", c.Want.NotSame, "same")
	case c.Kind == "wrong_id":
		return different || item.Exists == "false"
	}
	return slices.ContainsFunc(c.Want.Different, func(what string) bool { return says(item, what, "", "different") })
}

// TestEvidenceCheck prints how many changes of references, numbers and fields check_text reports, by kind, and how often it reports one
// where nothing was changed.
func TestEvidenceCheck(t *testing.T) {
	if _, err := os.Stat(checkCorpus + "check"); err != nil {
		t.Skip("check_text is not measured: shared/corpus/check is not beside the repository")
	}
	expect.Slow(t)
	call := over(t, checkWorld(t))
	total, good, numbers, found := map[string]int{}, map[string]int{}, 0, 0
	for _, c := range jsonLines[checkCase](t, checkCorpus+"check/items.jsonl.gz") {
		var answer struct{ Items []entity.CheckedItem }
		call(t, "check_text", map[string]any{"text": c.Text}, &answer)
		var item *entity.CheckedItem
		for i := range answer.Items {
			if one := &answer.Items[i]; strings.Contains(c.At, one.Text) || strings.Contains(one.Text, c.At) {
				item = one
			}
		}
		total[c.Kind]++
		if c.caught(item) {
			good[c.Kind]++
		} else {
			t.Logf("%d %s %s: %s\n%s", c.N, c.Kind, c.Style, c.Text, shown(item))
		}
		for _, number := range c.Want.Same {
			numbers++
			if item != nil && says(item, "number", number, "same") {
				found++
			} else {
				t.Logf("%d: %s is not found: %s\n%s", c.N, number, c.Text, shown(item))
			}
		}
		for _, what := range c.Want.SameWhat {
			if item == nil || !says(item, what, "", "same") {
				t.Logf("%d: %s is not read: %s\n%s", c.N, what, c.Text, shown(item))
			}
		}
	}
	t.Logf("| change | cases | reported |")
	for _, kind := range []string{"title_invented", "title_word", "author", "year", "journal", "pages", "pmcid_as_pmid", "wrong_id",
		"number", "trial_field"} {
		t.Logf("| %s | %d | %.1f %% |", kind, total[kind], 100*float64(good[kind])/float64(max(1, total[kind])))
		expect.That(t, 100*good[kind] >= 98*total[kind], "%s: %d of %d", kind, good[kind], total[kind])
	}
	t.Logf("| nothing | %d | %.1f %% |", total["right"], 100*float64(total["right"]-good["right"])/float64(total["right"]))
	t.Logf("| numbers of the source | %d | %.1f %% found |", numbers, 100*float64(found)/float64(numbers))
	expect.That(t, 100*(total["right"]-good["right"]) <= total["right"], "%d false alarms", total["right"]-good["right"])
}

func shown(item *entity.CheckedItem) string {
	text, _ := entity.JSON(item)
	return string(text)
}

// checkWorld returns a folder with the records of which the cases are made.
func checkWorld(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, part := range []string{"ctgov", "pubmed", "pmc"} {
		expect.NoError(t, os.CopyFS(folder+"/"+part, os.DirFS(checkCorpus+part)))
	}
	return folder
}
