package trials

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/source"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/source/europepmc"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/trials/papers"
)

// Publications is the section of get_trial that asks PubMed and Europe PMC.
const Publications = "publications"

const (
	// maxHits limits the articles of a search at PubMed, and maxPrinted those of Europe PMC.
	maxHits, maxPrinted = 50, 100
	// maxTerms limits the words of a title in a search.
	maxTerms = 20
	// lastYears is the number of years after the end of a trial in which an article with a like title may be one of it.
	lastYears = 10
	// leastTime is the time of a call that has to be left to search the articles of one more trial.
	leastTime = 6 * time.Second
)

// A published trial has the parts of a record by which its articles are found.
type published struct {
	ID             string             `json:"id"`
	Aliases        []string           `json:"id_aliases"`
	Title          string             `json:"title"`
	StartDate      string             `json:"start_date"`
	CompletionDate string             `json:"completion_date"`
	References     []entity.Reference `json:"references"`

	terms []string
	list  papers.List
}

// withPublications returns a record with the section of its publications. A source that fails is a notice.
func (s *Trials) withPublications(ctx context.Context, record *ctgov.Record, notes *entity.Notes) (*ctgov.Record, error) {
	t := &published{}
	if err := json.Unmarshal(record.Trial, t); err != nil {
		return nil, err
	}
	t.addReferences()
	t.terms = papers.TitleTerms(t.Title)
	var printed, hits entity.Notes
	var searches sync.WaitGroup
	var failed error
	var found *europepmc.Found
	searches.Go(func() {
		search := europepmc.Search{Query: europepmc.Printed(t.numbers()...), Size: maxPrinted}
		found, failed = s.sources.EuropePMC.Search(ctx, search, &printed)
	})
	unsearched := s.addNamed(ctx, t, &hits)
	searches.Wait()
	for _, used := range []entity.Notes{printed, hits} {
		notes.Count(used)
		notes.Add(used.Notices...)
	}
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return nil, err
	}
	if failed == nil {
		for _, a := range found.Articles {
			t.list.Add(entity.TrialPublication{PMID: a.PMID, PMCID: a.PMCID, DOI: a.DOI, Title: a.Title, Journal: a.Journal, Date: a.Date},
				entity.FullTextNames)
		}
	}
	rows := t.list.Rows()
	notes.Add(t.notices(rows, found, failed, unsearched)...)
	if len(rows) == 0 {
		return record, nil
	}
	section, err := entity.JSON(rows)
	with := *record
	with.Trial = slices.Concat(bytes.TrimSuffix(record.Trial, []byte("}")), []byte(`,"publications":`), section, []byte("}"))
	return &with, err
}

// numbers returns the NCT ids of the trial as articles print them.
func (t *published) numbers() (numbers []string) {
	for _, curie := range append([]string{t.ID}, t.Aliases...) {
		numbers = append(numbers, strings.Replace(curie, ":", "", 1))
	}
	return numbers
}

// addReferences adds the articles that the record links by their PMID.
func (t *published) addReferences() {
	reasons := map[entity.ReferenceType]string{"RESULT": entity.RegistryResult, "DERIVED": entity.RegistryDerived}
	for _, r := range t.References {
		if reason, ok := reasons[r.Type]; r.PMID != "" && ok {
			t.list.Add(entity.TrialPublication{PMID: r.PMID}, reason)
		} else if r.PMID != "" {
			t.list.Add(entity.TrialPublication{PMID: r.PMID}, entity.RegistryBackground)
		}
	}
}

// addNamed adds the articles whose PubMed record names the trial, and those with a like title. It describes those that the list has.
func (s *Trials) addNamed(ctx context.Context, t *published, notes *entity.Notes) error {
	search := ncbi.ArticleSearch{Term: t.term(), Sort: "relevance", Max: maxHits}
	found, err := s.sources.Articles.Searches.Get(ctx, search, notes)
	var pmids []string
	for _, r := range t.References {
		pmids = append(pmids, r.PMID)
	}
	if err == nil {
		pmids = append(found.Search.IDs, pmids...)
	}
	pmids = slices.DeleteFunc(entity.Once(pmids), func(pmid string) bool { return pmid == "" })
	if pmids = pmids[:min(len(pmids), ncbi.MaxArticles)]; len(pmids) == 0 {
		return err
	}
	texts, failed := s.sources.Articles.Texts.GetAll(ctx, pmids, notes)
	for _, pmid := range pmids {
		if texts[pmid] == nil {
			continue
		}
		article, unreadable := s.sources.Articles.Read(texts[pmid])
		if unreadable == nil {
			t.add(&article)
		}
	}
	if _, failed = source.Unread(pmids, failed); failed != nil {
		return failed
	}
	return err
}

// term returns the query of PubMed for the articles that name the trial, or have a word of its title.
func (t *published) term() string {
	var parts []string
	for _, nct := range t.numbers() {
		parts = append(parts, nct+"[si]")
	}
	var words []string
	for _, word := range t.terms[:min(len(t.terms), maxTerms)] {
		words = append(words, word+"[ti]")
	}
	if from, until := t.years(); len(words) > 1 && from != "" {
		parts = append(parts, fmt.Sprintf(`((%s) AND "%s"[dp] : "%s"[dp])`, strings.Join(words, " OR "), from, until))
	}
	return strings.Join(parts, " OR ")
}

// years returns the first and the last year in which a paper of the trial may be published; none without a start.
func (t *published) years() (from, until string) {
	if len(t.StartDate) < len("2006") {
		return "", ""
	}
	if until = "3000"; len(t.CompletionDate) >= len("2006") {
		year, _ := strconv.Atoi(t.CompletionDate[:4]) // a date
		until = strconv.Itoa(year + lastYears)
	}
	return t.StartDate[:4], until
}

// add adds an article of PubMed for the reasons that it has itself.
func (t *published) add(a *entity.Article) {
	p := entity.TrialPublication{PMID: a.PMID, PMCID: a.PMCID, DOI: a.DOI, Title: a.Title, Date: a.ElectronicDate}
	if j := a.JournalInfo; j != nil {
		p.Journal = j.Title
		if p.Journal == "" {
			p.Journal = j.ISOAbbreviation
		}
		p.Date = papers.Earlier(p.Date, dayOf(j.PublicationDate))
	}
	if slices.ContainsFunc(append(t.Aliases, t.ID), func(curie string) bool { return slices.Contains(a.NCTIDs, curie) }) {
		t.list.Add(p, entity.NamesTrial)
		return
	}
	from, until := t.years()
	if !t.list.Describe(p) && p.Date >= t.StartDate && from != "" && p.Date[:4] <= until && papers.Like(t.terms, p.Title) {
		t.list.Add(p, entity.TitleWords)
	}
}

// dayOf returns the date of an issue, YYYY-MM-DD or less.
func dayOf(d *entity.PublicationDate) string {
	if d == nil || d.Year == 0 {
		return ""
	}
	month, err := time.Parse("Jan", d.Month)
	switch {
	case err != nil:
		return fmt.Sprintf("%04d", d.Year)
	case d.Day == 0:
		return fmt.Sprintf("%04d-%02d", d.Year, month.Month())
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, month.Month(), d.Day)
}

// notices says what is missing in a list of articles, and that an empty one proves nothing.
func (t *published) notices(rows []entity.TrialPublication, found *europepmc.Found, failed, unsearched error) (notices []string) {
	if failed != nil {
		notices = append(notices, noAnswer("Europe PMC", failed)+": papers that print the number are missing here.")
	}
	if unsearched != nil {
		notices = append(notices, noAnswer("PubMed", unsearched)+": papers whose record names the trial, and papers with a like title, "+
			"are missing here, and so may be titles and dates.")
	}
	if failed == nil && (t.list.Left > 0 || found.Total > len(found.Articles)) {
		shown := 0
		for _, p := range rows {
			if slices.Contains(p.Reasons, entity.FullTextNames) {
				shown++
			}
		}
		notices = append(notices, fmt.Sprintf("Europe PMC finds the number in %d articles; %d are shown.", found.Total, shown))
	}
	if slices.ContainsFunc(rows, func(p entity.TrialPublication) bool { return p.Candidate }) {
		notices = append(notices, "Of a candidate nothing is known but that its title shares words with that of the trial.")
	}
	if len(rows) == 0 && failed == nil && unsearched == nil {
		notices = append(notices, "No paper was found. The links of the registry, the numbers in PubMed, the texts in Europe PMC and the "+
			"titles in PubMed were searched; this is no evidence that no paper exists.")
	}
	return notices
}

// noAnswer returns the beginning of the notice for a source that failed.
func noAnswer(title string, err error) string {
	if errors.Is(err, source.ErrOff) {
		return title + " is switched off here"
	}
	return title + " did not answer"
}

// hasTime reports whether a call has the time to search the articles of one more trial.
func hasTime(ctx context.Context) bool {
	deadline, bounded := ctx.Deadline()
	return !bounded || time.Until(deadline) > leastTime
}

// unreached is the notice about the trials whose articles were not searched, as the time of the call was up.
func unreached(curies []string) (notice string, next *entity.Next) {
	return "Not reached in the time of this call: " + strings.Join(curies, ", ") + ".",
		entity.Call(tools.GetTrial, map[string]any{"nct_ids": curies, "sections": []string{Publications}})
}
