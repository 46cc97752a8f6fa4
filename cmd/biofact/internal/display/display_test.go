package display

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestTableWidth checks that no line of a table is wider than the terminal, that a short table loses no word, and that a long one cuts
// cells after some lines.
func TestTableWidth(t *testing.T) {
	t.Parallel()
	title := strings.TrimSpace(strings.Repeat("some words ", 30)) + " NM_007294.4(BRCA1):c.5266dup"
	few := []object{
		{{Name: "id", Value: "NCT:00000001"}, {Name: "status", Value: "RECRUITING"}, {Name: "title", Value: title},
			{Name: "conditions", Value: []any{"Asthma", "naïveté 日本語日本語日本語日本語日本語日本語"}}},
		{{Name: "id", Value: "NCT:00000002"}, {Name: "status", Value: "ENROLLING_BY_INVITATION"}, {Name: "title", Value: "short"}},
	}
	for width := 50; width < 140; width += 7 {
		for _, rows := range [][]object{few, slices.Repeat(few, 3)} {
			var out bytes.Buffer
			(&Printer{Out: &out, Width: width}).table(columnsOf("search_trials"), rows)
			text := out.String()
			expect.That(t, !strings.Contains(text, "PHASE") && strings.Count(text, "\nNCT0000000") == len(rows), "%d rows:\n%s", len(rows), text)
			for line := range strings.Lines(text) {
				expect.That(t, uniseg.StringWidth(strings.TrimRight(line, "\n")) <= width, "width %d: %s", width, line)
			}
			joined := strings.Join(strings.Fields(text), "")
			complete := strings.Count(text, "some") == 30*len(rows)/2 && strings.Contains(joined, "dup")
			expect.That(t, complete == (len(rows) == 2) && strings.Contains(text, "…") != complete, "width %d:\n%s", width, text)
		}
	}
}

// TestEffects checks that 80 columns show whose effect a row is, and its interval.
func TestEffects(t *testing.T) {
	t.Parallel()
	answer, err := Parse([]byte(`{"rows":[{"analysis":1,"outcome_title":"Overall survival","group_1":"Palbociclib and endocrine therapy",
		"group_2":"Endocrine therapy","measure":"hazard_ratio","estimate":1.32,"lower":0.98,"upper":1.78,"check":"not_checkable"}]}`))
	expect.NoError(t, err)
	var out bytes.Buffer
	(&Printer{Out: &out, Width: 80}).Answer("get_trial_results", answer, nil)
	for _, want := range []string{"GROUP 1", "GROUP 2", "Palbociclib", "1.32 (0.98"} {
		expect.That(t, strings.Contains(out.String(), want), "no %s:\n%s", want, out.String())
	}
}

// TestOutcome checks that an outcome shows its result in one look: the title, each group by name with its value and N, then the effect;
// and that a group that is not compared with all others is named.
func TestOutcome(t *testing.T) {
	t.Parallel()
	const measure = `{"number":1,"type":"PRIMARY","title":"Invasive Disease Free Survival","time_frame":"4 years","parameter":"NUMBER",
		"unit":"percentage of participants","groups":[{"number":1,"title":"Palbociclib","analyzed":"2884"},
		{"number":2,"title":"Endocrine Therapy","analyzed":"2877"}%s],"rows":[%s],"analyses":[{"groups":[1,2],"estimate_type":"Hazard Ratio (HR)",
		"estimate":"0.96","lower":"0.81","upper":"1.14","ci_percent":"95","p_value":"0.65"}]}`
	const cells = `"cells":[{"group":1,"value":"84.2"},{"group":2,"value":"84.5"}]`
	const head = "Outcome measures\n  Primary outcome 1: Invasive Disease Free Survival (4 years)\n"
	const effect = "    Hazard Ratio (HR) 0.96 (95% CI 0.81 to 1.14), p 0.65"
	for want, json := range map[string]string{
		head + "    GROUP              N      VALUE (Number, percentage of participants)\n    Palbociclib        2,884  84.2\n" +
			"    Endocrine Therapy  2,877  84.5\n" + effect + "\n": fmt.Sprintf(measure, "", "{"+cells+"}"),
		head + "    Number, percentage of participants\n    CATEGORY  Palbociclib  Endocrine Therapy\n    Month 1   84.2         84.5\n" +
			effect + ", Palbociclib vs Endocrine Therapy\n": fmt.Sprintf(measure, `,{"number":3,"title":"Other"}`, `{"category":"Month 1",`+cells+`}`),
	} {
		answer, err := Parse([]byte(`{"outcome_measures":[` + json + `]}`))
		expect.NoError(t, err)
		var out bytes.Buffer
		(&Printer{Out: &out}).Answer("get_trial_results", answer, nil)
		expect.That(t, strings.HasPrefix(out.String(), want), "want\n%s\ngot\n%s", want, out.String())
	}
}

// TestCut checks that a cut text is not wider than the limit and ends with an ellipsis.
func TestCut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"abcdef": "abcdef", "abcdefg": "abcde…", "abcd fgh": "abcd…", "日本語文": "日本…",
		"e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301": "e\u0301e\u0301e\u0301e\u0301e\u0301…"} {
		expect.Equal(t, text, want, cut(text, 6))
	}
}

// TestParagraphs checks that a record is wrapped at the width and loses no word.
func TestParagraphs(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	text := strings.TrimSpace(strings.Repeat("some words of a summary ", 20))
	(&Printer{Out: &out, Width: 40}).record(object{{Name: "brief_summary", Value: text}})
	for _, line := range strings.Split(out.String(), "\n") {
		expect.That(t, len(line) <= 40, "%d columns: %s", len(line), line)
	}
	if got := strings.Join(strings.Fields(out.String()), " "); got != "Brief summary "+text {
		t.Errorf("got %s", got)
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ answer, want string }{
		"a search, each article once": {`{"pmids":["3","2"],"briefSummaries":[{"pmid":"3"}]}`,
			"https://pubmed.ncbi.nlm.nih.gov/3/ https://pubmed.ncbi.nlm.nih.gov/2/"},
		"related":               {`{"sourcePmid":"1","relatedArticles":[{"pmid":"2"}]}`, "https://pubmed.ncbi.nlm.nih.gov/2/"},
		"a citation":            {`{"sourcePmid":"1","relatedArticles":[],"citations":{"ris":"x"}}`, "https://pubmed.ncbi.nlm.nih.gov/1/"},
		"as PubMed writes them": {`{"requestedPmids":["1","2"],"content":"x","notFoundPmids":["2"]}`, "https://pubmed.ncbi.nlm.nih.gov/1/"},
		"not a link":            {`{"items":[{"id":"NCT:1/../x"},{"id":"http://x"},{"id":""}]}`, ""},
	} {
		answer, err := Parse([]byte(tt.answer))
		expect.NoError(t, err)
		expect.Is(t, strings.Join(answer.Links(), " "), tt.want, "%s", name)
	}
}

func TestTrialLink(t *testing.T) {
	t.Parallel()
	const page = "https://clinicaltrials.gov/study/NCT00461032"
	for id, want := range map[string]string{
		"NCT00461032": page, " nct:00461032 ": page, "": "", "00461032": "", "NCT004610321": "", "NCT00461032/../x": "",
		"breast cancer": "",
	} {
		expect.Equal(t, fmt.Sprintf("%q", id), want, TrialLink(id))
	}
}

// TestRelaxed: trials with some of the words stand below a line of their own with these words, and are neither counted nor in CSV.
func TestRelaxed(t *testing.T) {
	t.Parallel()
	answer, err := Parse([]byte(`{"items":[{"id":"NCT:00000001","title":"Strict"}],"pagination":{"total_count":1},
		"relaxed":{"some_words":9,"items":[{"id":"NCT:00000002","title":"Loose","matched_words":["heart"]}]}}`))
	expect.NoError(t, err)
	var out, table bytes.Buffer
	(&Printer{Out: &out, Width: 80}).Answer("search_trials", answer, nil)
	expect.Equal(t, "the table", "ID           TITLE\nNCT00000001  Strict\n\nFurther trials without all words, each with those under WORDS:\nID           WORDS  TITLE\n"+
		"NCT00000002  heart  Loose\n\n1 of 1 with all words\n", out.String())
	_, err = answer.CSV(&table, []string{"nct_id", "title"})
	expect.NoError(t, err)
	expect.Equal(t, "CSV", "nct_id,title\r\nNCT00000001,Strict\r\n", table.String())
}
