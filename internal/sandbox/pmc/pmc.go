// Package pmc is PubMed Central in process: its full texts as EFetch returns them, its ID converter, and Europe PMC, which has some of the
// same texts.
package pmc

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// data has the articles as EFetch returns them. A comment at the start of a file names the sources that withhold the text.
//
//go:embed data
var data embed.FS

// An Article is one article of PubMed Central.
type Article struct {
	PMCID, PMID, DOI, ManuscriptID string

	text     []byte // from <article> to </article>
	withheld string // the sources that withhold the text: pmc, or all
	open     bool   // a comment says so, in place of a license
}

// Open reports whether the text has an open license.
func (a *Article) Open() bool {
	return bytes.Contains(a.text, []byte("creativecommons.org/")) || a.open
}

// Articles are the articles of a source, by PMCID.
type Articles map[string]*Article

// Embedded reads the embedded articles.
func Embedded() (Articles, error) {
	files, err := fs.Glob(data, "data/*.xml")
	if err != nil {
		return nil, err
	}
	articles := Articles{}
	for _, file := range files {
		text, err := data.ReadFile(file)
		if err != nil {
			return nil, err
		}
		a, err := newArticle(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		articles[a.PMCID] = a
	}
	return articles, nil
}

// Read reads the articles of a folder. A file without the PMCID of its article is left out.
func Read(ctx context.Context, f *records.Folder) (Articles, error) {
	files, err := records.WithMarks(ctx, f.XML("pmc"), "<article ", "<article>")
	articles := Articles{}
	for _, file := range files {
		text, err := file.Read(ctx)
		if err != nil {
			return nil, err
		}
		if a, err := newArticle(text); err == nil {
			articles[a.PMCID] = a
		}
	}
	return articles, err
}

// articleID matches an id in the front of an article.
var articleID = lazyregexp.New(`<article-id pub-id-type="([a-z-]+)">([^<]+)</article-id>`)

func newArticle(text []byte) (*Article, error) {
	a := &Article{}
	a.open = bytes.HasPrefix(text, []byte("<!-- open -->"))
	if note, ok := bytes.CutPrefix(text, []byte("<!-- withheld by ")); ok {
		by, _, _ := bytes.Cut(note, []byte(" "))
		a.withheld = string(by)
	}
	front, _, ok := bytes.Cut(text, []byte("</front>"))
	begin := bytes.Index(text, []byte("<article"))
	if !ok || begin < 0 {
		return nil, errors.New("no article")
	}
	a.text = bytes.TrimSpace(text[begin:])
	ids := map[string]string{}
	for _, id := range articleID.FindAllString(string(front), -1) {
		m := articleID.FindStringSubmatch(id)
		ids[m[1]] = m[2]
	}
	if ids["pmcid"] == "" && ids["pmc"] != "" {
		ids["pmcid"] = "PMC" + strings.TrimPrefix(ids["pmc"], "PMC")
	}
	a.PMCID, a.PMID, a.DOI, a.ManuscriptID = ids["pmcid"], ids["pmid"], ids["doi"], ids["manuscript-id"]
	if !strings.HasPrefix(a.PMCID, "PMC") {
		return nil, errors.New("no PMCID")
	}
	return a, nil
}

// withheldComment is in an article whose publisher does not allow the text to be downloaded.
const withheldComment = "<!--The publisher of this article does not allow downloading of the full text in XML form.-->"

// efetchXML returns an article as EFetch returns it.
func (a *Article) efetchXML() []byte {
	if a.withheld == "" {
		return a.text
	}
	front, _, _ := bytes.Cut(a.text, []byte("</front>"))
	head, front, _ := bytes.Cut(front, []byte("<front>"))
	return fmt.Appendf(nil, "%s%s<front>%s</front></article>", head, withheldComment, front)
}

// The text before the articles of a response.
const setHead = `<?xml version="1.0"  ?>
<!DOCTYPE pmc-articleset PUBLIC "-//NLM//DTD ARTICLE SET 2.0//EN" "https://dtd.nlm.nih.gov/ncbi/pmc/articleset/nlm-articleset-2.0.dtd">
<pmc-articleset>`

// EFetch returns the response of EFetch for uids, which are PMCIDs without their prefix.
func (articles Articles) EFetch(uids []string) []byte {
	var answer bytes.Buffer
	answer.WriteString(setHead)
	for _, uid := range uids {
		if a, ok := articles["PMC"+uid]; ok {
			answer.Write(a.efetchXML())
		} else {
			fmt.Fprintf(&answer, `<error id="%s">The following PMCID is not available: %[1]s</error>`, uid)
		}
	}
	answer.WriteString("</pmc-articleset>")
	return answer.Bytes()
}
