package pmc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/reply"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// A row is a row of a search of Europe PMC, with the texts in which a search looks. The service keeps the text of an article for itself.
type row map[string]any

// core are the members that only an answer with resultType=core has.
var core = []string{"abstractText", "bookOrReportDetails", "commentCorrectionList", "journalInfo"}

// readRows reads the rows of searches in a folder: those of recorded answers, and a row a line. The member bodyText of a row is its text.
func readRows(ctx context.Context, f *records.Folder) (rows []row, err error) {
	files, err := records.WithMarks(ctx, f.JSON("europepmc"), `"resultList"`, `"firstPublicationDate"`)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := file.Read(ctx)
		if err != nil {
			return nil, err
		}
		values := json.NewDecoder(bytes.NewReader(text))
		for values.More() {
			var r row
			if values.Decode(&r) != nil {
				break // a file of another source
			}
			list, _ := r["resultList"].(map[string]any)
			recorded, _ := list["result"].([]any)
			for _, one := range recorded {
				one, _ := one.(map[string]any)
				rows = append(rows, one)
			}
			if r["source"] == "MED" || r["source"] == "PPR" {
				rows = append(rows, r)
			}
		}
	}
	return rows, nil
}

var (
	references = lazyregexp.New(`(?s)<ref-list.*</ref-list>`)
	element    = lazyregexp.New(`<[^>]*>`)
	titleOf    = lazyregexp.New(`(?s)<article-title>(.*?)</article-title>`)
)

// row returns the row of a full text.
func (a *Article) row() row {
	text := references.ReplaceAllString(string(a.text), "")
	r := row{"source": "MED", "id": a.PMID, "pmcid": a.PMCID, "bodyText": element.ReplaceAllString(text, " "), "open": "y"}
	for name, value := range map[string]string{"pmid": a.PMID, "doi": a.DOI} {
		if value != "" {
			r[name] = value
		}
	}
	if m := titleOf.FindStringSubmatch(text); m != nil {
		r["title"] = element.ReplaceAllString(m[1], "")
	}
	return r
}

// EuropePMC is Europe PMC with some articles.
type EuropePMC struct {
	texts Articles
	rows  []row
}

// NewEuropePMC returns Europe PMC with the full texts, and with the rows of a folder.
func NewEuropePMC(ctx context.Context, f *records.Folder, texts Articles) (*EuropePMC, error) {
	e := &EuropePMC{texts: texts}
	for _, pmcid := range slices.Sorted(maps.Keys(texts)) {
		if texts[pmcid].withheld != "all" {
			e.rows = append(e.rows, texts[pmcid].row())
		}
	}
	more, err := readRows(ctx, f)
	e.rows = append(e.rows, more...)
	return e, err
}

// search answers a search.
func (e *EuropePMC) search(req *http.Request) (reply.Reply, error) {
	q := req.URL.Query()
	p := &searchParser{rest: q.Get("query")}
	match := p.either()
	size, err := strconv.Atoi(q.Get("pageSize"))
	if p.failed || p.rest != "" || err != nil || size < 1 || size > 1000 {
		return reply.JSON(map[string]any{"version": "6.9", "errCode": 404, "errMsg": "Invalid query: " + q.Get("query")})
	}
	found, hits := []row{}, 0
	for _, r := range e.rows {
		if !match(r) {
			continue
		}
		if hits++; hits > size {
			continue
		}
		shown := row{}
		for name, value := range r {
			if name != "bodyText" && name != "open" && (q.Get("resultType") == "core" || !slices.Contains(core, name)) {
				shown[name] = value
			}
		}
		found = append(found, shown)
	}
	return reply.JSON(map[string]any{"version": "6.9", "hitCount": hits, "resultList": map[string]any{"result": found}})
}

// searchParser reads words, "phrases", FIELD:words and ranges of FIRST_PDATE, joined by OR, AND, NOT and parentheses.
type searchParser struct {
	rest   string
	failed bool
}

type searchNode func(row) bool

func (p *searchParser) next(token string) bool {
	p.rest = strings.TrimLeft(p.rest, " ")
	rest, ok := strings.CutPrefix(p.rest, token)
	if ok {
		p.rest = strings.TrimLeft(rest, " ")
	}
	return ok
}

func (p *searchParser) either() searchNode {
	left := p.both()
	for p.next("OR ") {
		one, other := left, p.both()
		left = func(r row) bool { return one(r) || other(r) }
	}
	return left
}

func (p *searchParser) both() searchNode {
	left := p.term()
	for !p.failed && p.rest != "" && !strings.HasPrefix(p.rest, ")") && !strings.HasPrefix(p.rest, "OR ") {
		p.next("AND ")
		one, other := left, p.term()
		left = func(r row) bool { return one(r) && other(r) }
	}
	return left
}

var searchTerm = lazyregexp.New(`^(?:([A-Z_]+):)?(?:"([^"]*)"|([^\s():"]+)) *`)

var dateTerm = lazyregexp.New(`^FIRST_PDATE:\[([0-9-]+) TO ([0-9-]+)\] *`)

func (p *searchParser) term() searchNode {
	if p.next("(") {
		inner := p.either()
		p.failed = p.failed || !p.next(")")
		return inner
	}
	if p.next("NOT ") {
		inner := p.term()
		return func(r row) bool { return !inner(r) }
	}
	if m := dateTerm.FindStringSubmatch(p.rest); m != nil {
		p.rest = p.rest[len(m[0]):]
		return func(r row) bool {
			date := fmt.Sprint(r["firstPublicationDate"])
			return r["firstPublicationDate"] != nil && m[1] <= date && date <= m[2]
		}
	}
	m := searchTerm.FindStringSubmatch(p.rest)
	if m == nil {
		p.failed = true
		return nil
	}
	p.rest = p.rest[len(m[0]):]
	fields, known := map[string][]string{
		"": {"title", "abstractText", "bodyText"}, "TITLE": {"title"}, "ABSTRACT": {"abstractText"}, "BODY": {"bodyText"},
		"SRC": {"source"}, "EXT_ID": {"id"}, "DOI": {"doi"}, "PMCID": {"pmcid"}, "OPEN_ACCESS": {"open"},
	}[m[1]]
	p.failed = p.failed || !known
	phrase := spacedWords(m[2] + m[3])
	return func(r row) bool {
		return slices.ContainsFunc(fields, func(name string) bool {
			return r[name] != nil && strings.Contains(spacedWords(fmt.Sprint(r[name])), phrase)
		})
	}
}

// spacedWords returns the words of a text in lower case, with a space around each.
func spacedWords(text string) string {
	return " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ") + " "
}
