package trials

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

func TestReadNCT(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"NCT:04123456", "NCT04123456", "nct04123456", "nct:04123456", "Nct:04123456", " NCT:04123456 ", "\tNCT04123456\n",
		"NCT 04123456", "NCT: 04123456", "NCT : 04123456", "nCt :04123456",
		"NCT::04123456", "NCT-04123456", "https://clinicaltrials.gov/study/NCT04123456", "https://clinicaltrials.gov/study/nct04123456?term=x",
	} {
		if got, err := filters.ReadNCT("get_trial", text); err != nil || got != "NCT04123456" {
			t.Errorf("%q: %q %v", text, got, err)
		}
	}
	const (
		words   = "get_trial takes a resolved NCT id in the form NCT:00461032, not words or another kind of id."
		single  = "get_trial takes one NCT id alone, in the form NCT:00461032."
		search  = `Call search_trials with {"query":%s}, then get_trial with the id of a result.`
		check   = "Check the id at its source. To find the trial call search_trials with words of its title, and take the id of a result."
		holds   = "The search finds the records that hold it."
		ready   = `Call get_trial again with {"nct_id":"NCT:04123456"}.`
		article = `If this is the PMID of an article, call fetchArticleDetails with {"pmids":"29915538"}, then get_trial with one of its nctIds. For words use search_trials.`
	)
	searchFor := func(quoted string) string { return strings.Replace(search, "%s", quoted, 1) }
	for _, tt := range []struct{ text, message, hint string }{
		{"*", words, "Call search_trials with words of its title, then get_trial with the id of a result."},
		{"melanoma", words, searchFor(`"melanoma"`)},
		{" KEYNOTE-024 ", words, searchFor(`"KEYNOTE-024"`)},
		{`say "hi"`, words, searchFor(`"say \"hi\""`)},
		{"04123456", words, ready},
		{"PMID: 29915538", words, article},
		{"29915538", words, article},
		{"2991553", words, "The next call has a guess: the digits as those of an NCT id. " + strings.Replace(article, "29915538", "2991553", 1)},
		{"https://doi.org/10.3389/fphar.2018.00576",
			words, `This is the DOI of an article: call searchPubMedArticles with {"queryTerm":"\"10.3389/fphar.2018.00576\"[doi]"}, ` +
				"then fetchArticleDetails with the PMID of a result, then get_trial with one of its nctIds."},
		{"2010-012345-67", "This is 2010-012345-67, a number of EudraCT, which is no id of a record of ClinicalTrials.gov.", holds},
		{"ISRCTN 12345678", "This is ISRCTN12345678, a number of ISRCTN, which is no id of a record of ClinicalTrials.gov.", holds},
		{"NCBIGene:7157", words, `This is the id of a gene: call get_gene with {"entrez_id":"NCBIGene:7157"}, then search_trials with its symbol as query.`},
		{"NCT", words, searchFor(`"NCT"`)},
		{"NCT:", words, searchFor(`"NCT:"`)},
		{"NCTO4123456", `nct_id: "NCTO4123456" is no NCT id, which is NCT and 8 digits.`, check},
		{"NCT０４１２３４５６", words, searchFor(`"NCT０４１２３４５６"`)},
		{"NCT04123456 NCT04123457", "nct_id takes one NCT id.",
			`Call get_trial again with {"nct_id":null,"nct_ids":["NCT04123456","NCT04123457"]}.`},
		{"NCT0412345", "nct_id: an NCT id has 8 digits, NCT0412345 has 7.", check},
		{"NCT:041234567", "nct_id: an NCT id has 8 digits, NCT:041234567 has 9.", check},
		{"NCT 0412345", "nct_id: an NCT id has 8 digits, NCT 0412345 has 7.", check},
		{"https://clinicaltrials.gov/study/NCT0412345", "nct_id: an NCT id has 8 digits, NCT0412345 has 7.", check},
		{"https://clinicaltrials.gov/study/nct041234567?term=x", "nct_id: an NCT id has 8 digits, nct041234567 has 9.", check},
		{"NCT1 and NCT: 22", "nct_id: an NCT id has 8 digits, NCT1 has 1, NCT: 22 has 2.", check},
		{"NCT04123456, NCT0412345", single + " Of the others, an NCT id has 8 digits, NCT0412345 has 7.", ready},
		{"nct 1", "nct_id: an NCT id has 8 digits, nct 1 has 1.", check},
		{"https://example.org/study/NCT04123456", single, ready},
		{"NCT04123456.", single, ready},
		{`"NCT:04123456"`, single, ready},
		{"the trial (NCT04123456) of melanoma", single, ready},
	} {
		got, err := filters.ReadNCT("get_trial", tt.text)
		if err == nil {
			t.Errorf("%q: %s", tt.text, got)
			continue
		}
		e := *entity.AsError(err)
		if e.Next != nil {
			expect.Is(t, e.Next.Tool == "search_trials", tt.hint == holds, "%q: the next call searches", tt.text)
			e.Hint, e.Next = strings.TrimSuffix(e.Hint, " "+envelope.GuessedNumber), nil
		}
		want := entity.Error{Code: entity.UnresolvedEntity, Message: tt.message, Hint: tt.hint, Input: strings.TrimSpace(tt.text)}
		expect.Equal(t, fmt.Sprintf("%q", tt.text), want, e)
	}
}

// FuzzNCT: any text is the id with its digits, or UNRESOLVED_ENTITY.
func FuzzNCT(f *testing.F) {
	for _, text := range []string{"NCT04123456", " nct : 04123456\n", "NCT0412345", "melanoma",
		"https://clinicaltrials.gov/study/NCT04123456", "NCT０４１２３４５６", "\x00NCT\xff", "ⓃCT04123456", "NCT4 NCT4", " nct : 0412345\xfe"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := filters.ReadNCT("get_trial", text)
		if err != nil {
			if e := entity.AsError(err); e.Code != entity.UnresolvedEntity || got != "" || !strings.Contains(e.Hint, "search_trials") &&
				!strings.Contains(e.Hint, "get_trial") {
				t.Errorf("%q: %q %+v", text, got, e)
			}
			expect.Is(t, sourcetest.InvalidEnvelope(err), "", "%q", text)
		} else {
			expect.That(t, id.NCT.Is(got) && strings.Contains(text, strings.TrimPrefix(got, "NCT")), "%q: %q", text, got)
			if again, err := filters.ReadNCT("get_trial", id.NCT.CURIE(got)); err != nil || again != got {
				t.Errorf("%q: %q, then %q %v", text, got, again, err)
			}
		}
		ids, _ := id.NCT.Only(text)
		for _, one := range ids {
			expect.That(t, id.NCT.Is(one), "%q: %q", text, one)
		}
	})
}

func TestMissingIDs(t *testing.T) {
	t.Parallel()
	ids := []string{"NCT00000001", "NCT00000002", "NCT00000003"}
	row := []entity.TrialSearchCandidate{{ID: "NCT:00000002"}}
	other := append(slices.Clone(row), entity.TrialSearchCandidate{ID: "NCT:00000009"})
	many := make([]string, 25)
	for i := range many {
		many[i] = fmt.Sprintf("NCT1%07d", i)
	}
	for name, tt := range map[string]struct {
		ids  []string
		args tools.TrialFilters
		page candidatePage
		want string
	}{
		"one of one": {ids[:1], tools.TrialFilters{NCTIDs: ids[:1]}, candidatePage{}, "No trial has the id NCT:00000001."},
		"two of three": {ids, tools.TrialFilters{NCTIDs: ids}, candidatePage{candidates: row},
			"No trial has any of the ids NCT:00000001 and NCT:00000003."},
		"another id": {ids[:2], tools.TrialFilters{NCTIDs: ids}, candidatePage{candidates: other},
			"No row has the id NCT:00000001. ClinicalTrials.gov has no such trial, or lists it under the id of another row."},
		"ids in query":    {ids[:1], tools.TrialFilters{Query: ids[0]}, candidatePage{}, "No trial has the id NCT:00000001."},
		"all are rows":    {ids[1:2], tools.TrialFilters{NCTIDs: ids[1:2]}, candidatePage{candidates: row}, ""},
		"a further page":  {ids, tools.TrialFilters{NCTIDs: ids}, candidatePage{more: true}, ""},
		"an invalid row":  {ids, tools.TrialFilters{NCTIDs: ids}, candidatePage{candidates: row, bad: 1}, ""},
		"a second filter": {ids, tools.TrialFilters{NCTIDs: ids, Sex: "female"}, candidatePage{}, ""},
		"no ids":          {nil, tools.TrialFilters{Query: "asthma"}, candidatePage{}, ""},
		"many":            {many, tools.TrialFilters{NCTIDs: many}, candidatePage{}, "NCT:10000019 and 5 more."},
	} {
		query := &ctgov.Query{FilterIds: &tt.ids}
		if tt.ids == nil {
			query.FilterIds = nil
		}
		tt.page.next.Total = new(len(tt.page.candidates))
		got := strings.Join(firstPageNotices(&filters.Wishes{Args: tt.args, Given: tt.args.Given()}, query, tt.page), " ")
		expect.That(t, strings.Contains(got, tt.want) && (tt.want != "" || !strings.Contains(got, " the id")), "%s: %q", name, got)
	}
}

// TestMixedNCTIDs: valid ids are looked up, and a notice names the malformed ones.
func TestMixedNCTIDs(t *testing.T) {
	t.Parallel()
	params, notices, err := trialQuery(tools.SearchTrials,
		tools.TrialFilters{Query: "NCT:00461032, nct909532; NCT 0046103, https://clinicaltrials.gov/study/NCT00909532"})
	expect.Must(t, err == nil && slices.Equal(*params.FilterIds, []string{"NCT00461032", "NCT00909532"}), "%+v, %v", params, err)
	if want := []string{"Ids were left out: an NCT id has 8 digits, nct909532 has 6, NCT 0046103 has 7."}; !slices.Equal(notices, want) {
		t.Errorf("%q", notices)
	}
	texts, left := []string{"NCT00461032", "NCT0046103", "asthma", "NCT00909532"},
		`nct_ids: left out, as "asthma" is not an NCT id, an NCT id has 8 digits, NCT0046103 has 7.`
	params, notices, err = trialQuery(tools.CountTrials, tools.TrialFilters{NCTIDs: texts})
	expect.Must(t, err == nil && len(*params.FilterIds) == 2 && slices.Equal(notices, []string{left}), "%q, %v", notices, err)
	var notes entity.Notes
	ids, err := comparedIDs(texts, &notes)
	expect.Must(t, err == nil && len(ids) == 2 && slices.Equal(notes.Notices, []string{left}), "%q, %v", notes.Notices, err)
	for _, text := range []string{"melanoma NCT0046103", "NCT0046103 melanoma (x)"} {
		_, notices, err := trialQuery(tools.SearchTrials, tools.TrialFilters{Query: text})
		if want := []string{"In query, an NCT id has 8 digits, NCT0046103 has 7."}; err != nil || !slices.Equal(notices, want) {
			t.Errorf("%q: %q, %v", text, notices, err)
		}
	}
}
