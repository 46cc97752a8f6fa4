package articles

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
)

type dateRange = tools.SearchPubMedArticlesDateRange

func TestReadDateRange(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		min, max string
		want     string // "": no date
		notices  int
	}{
		{"", "", "", 0},
		{"2023", "2023", "2023 2023", 0},
		{"2020/01", "2024/06", "2020/01 2024/06", 0},
		{"2020/01/31", "2020/02/29", "2020/01/31 2020/02/29", 0}, // a leap year
		{"2020-1-5", "2020/2", "2020/01/05 2020/02", 0},
		{" 2020 ", "\t2021/12/31", "2020 2021/12/31", 0},
		{"2020/06", "2020", "2020/06 2020", 0}, // in the same year
		{"2020", "2020/01", "2020 2020/01", 0},
		{"2020/02/29", "2020/02", "2020/02/29 2020/02", 0},
		{"2020/12/31", "2020/12", "2020/12/31 2020/12", 0},
		{"2023", "", "2023 3000", 1},
		{"", "1999/12", "1000 1999/12", 1},
		{"1000", "3000", "1000 3000", 0},
		{"2999/12/31", "", "2999/12/31 3000", 1},
	} {
		got, notices, err := readDateRange(tools.SearchPubMedArticles, dateRange{MinDate: test.min, MaxDate: test.max, DateType: "edat"},
			ranges.CalendarOf(""))
		text := ""
		if got != nil {
			text = got.MinDate + " " + got.MaxDate
			expect.That(t, got.DateType == "edat", "%q to %q: date type %q", test.min, test.max, got.DateType)
		}
		expect.That(t, err == nil && text == test.want && len(notices) == test.notices,
			"%q to %q: %q, notices %q, %v; want %q", test.min, test.max, text, notices, err, test.want)
	}
	for _, test := range []struct{ min, max, message string }{
		{"2023/13", "", "dateRange.minDate: "},
		{"2023/00", "", "dateRange.minDate: "},
		{"2023/02/29", "", "dateRange.minDate: "},
		{"2023/04/31", "", "dateRange.minDate: "},
		{"2023/2/30", "2024", "dateRange.minDate: "},
		{"", "23", "dateRange.maxDate: "},
		{"", "12/31/2023", "dateRange.maxDate: "},
		{"", "2023/", "dateRange.maxDate: "},
		{"", "2023/01/01/01", "dateRange.maxDate: "},
		{"", "0999", "dateRange.maxDate: "},
		{"２０２３", "", "dateRange.minDate: "},
		{"2023[pdat]", "", "dateRange.minDate: "},
		{"2024", "2023", "minDate is after maxDate"},
		{"2023/05", "2023/04", "minDate is after maxDate"},
		{"2023/05/02", "2023/05/01", "minDate is after maxDate"},
		{"2021", "2020/12/31", "minDate is after maxDate"},
		{"2020/02/29", "2020/01", "minDate is after maxDate"},
	} {
		got, _, err := readDateRange(tools.SearchPubMedArticles, dateRange{MinDate: test.min, MaxDate: test.max}, ranges.CalendarOf(""))
		if err == nil || entity.AsError(err).Code != entity.InvalidInput || !strings.Contains(err.Error(), test.message) {
			t.Errorf("%q to %q: %v, %v; want %s", test.min, test.max, got, err, test.message)
			continue
		}
		wantUsableHint(t, err)
	}
}

// wantUsableHint checks that a search accepts the dates of a hint that has a call.
func wantUsableHint(t testing.TB, err error) {
	t.Helper()
	hint := entity.AsError(err).Hint
	begin, end := strings.Index(hint, "{"), strings.LastIndex(hint, "}")
	if begin < 0 {
		return
	}
	var args tools.SearchPubMedArticlesArgs
	expect.Must(t, json.Unmarshal([]byte(hint[begin:end+1]), &args) == nil && args.DateRange != (dateRange{}),
		"the hint has no dates: %s", hint)
	if _, _, err := readDateRange(tools.SearchPubMedArticles, args.DateRange, ranges.CalendarOf("")); err != nil {
		t.Fatalf("the hint %s leads to %v", hint, err)
	}
}

func FuzzDateRange(f *testing.F) {
	for _, seed := range []dateRange{
		{}, {MinDate: "2023"}, {MinDate: "2020/1/5", MaxDate: "2020-02"}, {MinDate: "3001"}, {MaxDate: "0000"},
		{MinDate: "2023/02/30", MaxDate: "x"},
		{MinDate: "9999/12/31", MaxDate: "9999"}, {MinDate: "2024", MaxDate: "1999/06"},
	} {
		f.Add(seed.MinDate, seed.MaxDate)
	}
	form := regexp.MustCompile(`^[0-9]{4}(/[0-9]{2}(/[0-9]{2})?)?$`)
	f.Fuzz(func(t *testing.T, minDate, maxDate string) {
		got, notices, err := readDateRange(tools.SearchPubMedArticles, dateRange{MinDate: minDate, MaxDate: maxDate, DateType: "pdat"},
			ranges.CalendarOf(""))
		if err != nil {
			if wrong := sourcetest.InvalidEnvelope(err); wrong != "" || entity.AsError(err).Code != entity.InvalidInput {
				t.Fatalf("%v %s", err, wrong)
			}
			wantUsableHint(t, err)
			return
		}
		if got == nil {
			expect.Must(t, minDate == "" && maxDate == "", "%q to %q is no range", minDate, maxDate)
			return
		}
		expect.Must(t, form.MatchString(got.MinDate) && form.MatchString(got.MaxDate) && got.MinDate[:4] <= got.MaxDate[:4],
			"%q to %q: %+v", minDate, maxDate, got)
		expect.Must(t, len(notices) > 0 || minDate != "" && maxDate != "", "%q to %q: notices %q", minDate, maxDate, notices)
		again, notices, err := readDateRange(tools.SearchPubMedArticles, dateRange(*got), ranges.CalendarOf(""))
		expect.Must(t, err == nil && len(notices) == 0 && *again == *got, "%+v is read as %+v, %q, %v", got, again, notices, err)
	})
}

func TestReadPMID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"26027431": "26027431", " 26027431\n": "26027431", "PMID: 26027431": "26027431", "pmid26027431": "26027431", "PMID=1": "1",
		"PubMed ID 42": "42",
		"0042":         "42", "999999999": "999999999", "00999999999": "999999999",
		"https://pubmed.ncbi.nlm.nih.gov/26027431/": "26027431", "pubmed.ncbi.nlm.nih.gov/26027431": "26027431",
	} {
		if got, err := envelope.ReadPMID("fetchArticleDetails", text); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	for text, hint := range map[string]string{
		"nivolumab melanoma":         `searchPubMedArticles with {"queryTerm":"nivolumab melanoma"}`,
		"NCT00461032":                `{"queryTerm":"NCT00461032[si]"}`,
		"NCT:00461032":               `get_trial with {"nct_id":"NCT:00461032"}`,
		"10.1056/NEJMoa2007764":      `10.1056/NEJMoa2007764`,
		"doi: 10.1056/NEJMoa2007764": `10.1056/NEJMoa2007764`,
		"PMC7262788":                 `{"queryTerm":"PMC7262788"}`,
		"NCBIGene:7157":              `get_pubmed_links with {"entrez_id":"NCBIGene:7157"}`,
		"":                           "searchPubMedArticles", "PMID:": "searchPubMedArticles", "-5": "searchPubMedArticles",
		"1.5":        "searchPubMedArticles",
		"1234567890": "searchPubMedArticles", "1e5": "searchPubMedArticles", "١٢٣": "searchPubMedArticles", "12 34": "searchPubMedArticles",
	} {
		got, err := envelope.ReadPMID("fetchArticleDetails", text)
		expect.That(t, err != nil && entity.AsError(err).Code == entity.UnresolvedEntity &&
			strings.Contains(entity.AsError(err).Hint, hint),
			"%q: %q, %v, want a hint of %s", text, got, err, hint)
	}
}

func TestReadPMIDs(t *testing.T) {
	t.Parallel()
	var many, twice []string
	for n := range 201 {
		many = append(many, fmt.Sprint(n+1))
		twice = append(twice, fmt.Sprint(n/2+1))
	}
	for name, test := range map[string]struct {
		texts   []string
		want    []string
		code    entity.Code
		notices int
	}{
		"one":                {[]string{"1"}, []string{"1"}, "", 0},
		"in their order":     {[]string{"3", "1", "2"}, []string{"3", "1", "2"}, "", 0},
		"twice":              {[]string{"1", "PMID: 1", "01"}, []string{"1"}, "", 1},
		"in one text":        {[]string{"1, 2;3"}, []string{"1", "2", "3"}, "", 0},
		"twice in one text":  {[]string{"1,2,1"}, []string{"1", "2"}, "", 1},
		"with nothing":       {[]string{"1", "", ",", "2"}, []string{"1", "2"}, "", 0},
		"most":               {many[:200], many[:200], "", 0},
		"more, each twice":   {twice, slices.Compact(slices.Clone(twice)), "", 1},
		"too many":           {many, nil, entity.InvalidInput, 0},
		"too many in a text": {[]string{strings.Join(many, ",")}, nil, entity.InvalidInput, 0},
		"none":               {nil, nil, entity.UnresolvedEntity, 0},
		"nothing":            {[]string{"", ","}, nil, entity.UnresolvedEntity, 0},
		"with spaces":        {[]string{"1 PMID:2\n3"}, []string{"1", "2", "3"}, "", 0},
		"a word among them":  {[]string{"1", "asthma", "2"}, []string{"1", "2"}, "", 1},
		"a PMCID after one":  {[]string{"1 PMC2"}, []string{"1"}, "", 1},
		"a PMCID before one": {[]string{"PMC2 1"}, []string{"1"}, "", 1},
		"both labelled":      {[]string{"PMID: 1 PMCID: PMC2 DOI: 10.1000/a 3"}, []string{"1", "3"}, "", 1},
		"a number in words":  {[]string{"1 asthma"}, nil, entity.UnresolvedEntity, 0},
		"words alone":        {[]string{"asthma", "cough"}, nil, entity.UnresolvedEntity, 0},
	} {
		var notes entity.Notes
		got, err := readPMIDs("fetchArticleDetails", test.texts, &notes)
		if test.code != "" {
			expect.That(t, err != nil && entity.AsError(err).Code == test.code, "%s: %q, %v, want %s", name, got, err, test.code)
			continue
		}
		if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); err != nil || diff != "" || len(notes.Notices) != test.notices {
			t.Errorf("%s: notices %q, %v (-want +got):\n%s", name, notes.Notices, err, diff)
		}
	}
}

// TestLongLists: the work grows with the length of a list, not with its square.
func TestLongLists(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	for _, one := range []string{"1 ", "PMC1 ", "10.1000/a ", "NIHMS1 ", "PMID: 1 "} {
		expect.Is(t, len(idParts(strings.Repeat(one, 5_000))), 5_000, "%s", one)
	}
	expect.Is(t, len(idParts(strings.Repeat("1 ", 5_000)+"x")), 1, "with a word")
}

// TestBadPMIDs: all invalid PMIDs are named, with and without valid ones.
func TestBadPMIDs(t *testing.T) {
	t.Parallel()
	bad := []string{"PMC1", "asthma", "10.1000/a,b"}
	var some, others entity.Notes
	_, err := readPMIDs("fetchArticleDetails", append([]string{"1"}, bad...), &some)
	notices := some.Notices
	expect.Must(t, err == nil && len(notices) == 1, "%q, %v", notices, err)
	if want := `PMC1, asthma, 10.1000/a,b. Call convertArticleIds with {"ids":["PMC1","10.1000/a,b"]}`; !strings.Contains(notices[0],
		want) {
		t.Errorf("%q names not %s", notices[0], want)
	}
	_, err = readPMIDs("fetchArticleDetails", []string{"1 PMC2 10.1000/a"}, &others)
	expect.NoError(t, err)
	notices = others.Notices
	const convert = `Call convertArticleIds with {"ids":["PMC2","10.1000/a"]}, then fetchArticleDetails with the PMIDs of the answer.`
	expect.That(t, len(notices) == 1 && strings.HasSuffix(notices[0], convert), "%q", notices)
	_, err = readPMIDs("fetchArticleDetails", bad, &others)
	if e := entity.AsError(err); e.Code != entity.UnresolvedEntity ||
		!strings.Contains(e.Message, "These are not PMIDs: PMC1, asthma, 10.1000/a,b.") || e.Input != strings.Join(bad, ", ") {
		t.Errorf("%+v", e)
	}
}

func FuzzPMIDs(f *testing.F) {
	for _, seed := range []string{"26027431", "PMID: 1, 2;\n0003", "10.1/x", "NCT00461032", "", "\x00",
		"https://pubmed.ncbi.nlm.nih.gov/1/", "PMC1,2", strings.Repeat("1,", 300)} {
		f.Add(seed)
	}
	digits := regexp.MustCompile(`^(0|[1-9][0-9]{0,8})$`)
	f.Fuzz(func(t *testing.T, text string) {
		one, err := envelope.ReadPMID("getArticleRelationships", text)
		expect.Must(t, err != nil || digits.MatchString(one), "%q is read as %q", text, one)
		all, several := readPMIDs("fetchArticleDetails", strings.Split(text, "\n"), &entity.Notes{})
		for i, pmid := range all {
			expect.Must(t, digits.MatchString(pmid) && !slices.Contains(all[:i], pmid), "%q is read as %q", text, all)
		}
		expect.Must(t, several != nil || len(all) != 0 && len(all) <= ncbi.MaxArticles, "%q is read as %d PMIDs", text, len(all))
		only, _ := id.PMID.Only(text)
		for _, pmid := range only {
			expect.Must(t, digits.MatchString(pmid), "%q is read as %q", text, pmid)
		}
		for _, err := range []error{err, several} {
			if err == nil {
				continue
			}
			if wrong := sourcetest.InvalidEnvelope(err); wrong != "" {
				t.Fatalf("%v %s", err, wrong)
			}
		}
	})
}

func TestPublicationTypes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                        "",
		"Review":                  `"Review"[Publication Type]`,
		"Review|Meta-Analysis":    `"Review"[Publication Type] OR "Meta-Analysis"[Publication Type]`,
		`"Review"[pt]`:            `"Review"[Publication Type]`,
		`Review" OR "a"[Title`:    `"Review OR a"[Publication Type]`,
		"Clinical  Trial\n":       `"Clinical Trial"[Publication Type]`,
		"(Clinical Trial) OR x* ": `"Clinical Trial OR x"[Publication Type]`,
	} {
		var given []string
		if text != "" {
			given = strings.Split(text, "|")
		}
		if got, notices, err := publicationTypes(given); err != nil || got != want || notices != nil {
			t.Errorf("%q: %s %q, %v; want %s", text, got, notices, err, want)
		}
	}
	got, notices, err := publicationTypes([]string{"RCT", "phase 3 clinical trial"})
	if want := `"Randomized Controlled Trial"[Publication Type] OR "Clinical Trial, Phase III"[Publication Type]`; got != want ||
		err != nil || len(notices) != 2 {
		t.Errorf("%s, %q, %v", got, notices, err)
	}
	for _, bad := range []string{"*", "[pt]", `""`, " "} {
		if got, _, err := publicationTypes([]string{"Review", bad}); err == nil || entity.AsError(err).Code != entity.InvalidInput {
			t.Errorf("%q: %s, %v", bad, got, err)
		}
	}
}

// TestArticleTermIsSearched: the term in an answer is the one that was sent to NCBI, in the requested order.
func TestArticleTermIsSearched(t *testing.T) {
	t.Parallel()
	p := embeddedPubMed(t)
	s := serveArticles(t, nil, eutilsManners(p), nil)
	for sort, sent := range map[string]string{"relevance": "relevance", "pub_date": "pub_date", "author": "Author",
		"journal_name": "JournalName"} {
		args := searchFor("remdesivir[tw]", 3)
		args.SortBy, args.MaxResults = sort, 7
		args.DateRange.MinDate, args.FilterByPublicationTypes = "2019", []string{"Journal Article"}
		answer, err := s.SearchPubMedArticles(t.Context(), args)
		expect.NoError(t, err)
		requests := p.since()
		expect.Must(t, len(requests) == 2 && answer.Provenance.UpstreamRequests == 2,
			"%d requests, provenance has %d", len(requests), answer.Provenance.UpstreamRequests)
		for name, want := range map[string]string{
			"db": "pubmed", "retmode": "json", "sort": sent, "retmax": "7", "usehistory": "y", "tool": "biofact/test",
			"term": answer.Value.EffectiveESearchTerm,
		} {
			expect.Equal(t, fmt.Sprintf("%s: %s", sort, name), want, requests[0].form.Get(name))
		}
		if want := `(remdesivir[tw]) AND (2019:3000[pdat]) AND ("Journal Article"[Publication Type])`; answer.Value.EffectiveESearchTerm != want {
			t.Errorf("term %s, want %s", answer.Value.EffectiveESearchTerm, want)
		}
		if requests[1].form.Get("version") != "2.0" || requests[1].form.Get("WebEnv") == "" ||
			requests[1].form.Get("retmax") != fmt.Sprint(len(answer.Value.BriefSummaries)) {
			t.Errorf("summaries were requested with %v", requests[1].form)
		}
		for _, pmid := range answer.Value.PMIDs[:len(answer.Value.BriefSummaries)] {
			expect.That(t, slices.ContainsFunc(answer.Value.BriefSummaries, func(b entity.ArticleBrief) bool { return b.PMID == pmid }),
				"%s has no summary", pmid)
		}
	}
}
