package ncbi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/reply"
)

// maxCitations is the maximum number of articles that an ambiguous row lists.
const maxCitations = 3

// matchCitations is ECitMatch: a row for each citation, always as text. Journal, volume and page must match; year and author only choose
// between several matches. A row without a journal ends the list.
func (u *Utilities) matchCitations(r request) (reply.Reply, error) {
	if r.get("retmode") != "xml" {
		return webPage(http.StatusOK, "Batch Citation Matcher"), nil
	}
	db, err := u.open(r.get("db"))
	if err != nil {
		return reply.Reply{}, err
	}
	all, ok := db.(*articles)
	if !ok {
		return reply.Reply{}, notServed("ecitmatch of another database than pubmed")
	}
	var out strings.Builder
	for row := range strings.FieldsFuncSeq(r.values.Get("bdata"), func(c rune) bool { return c == '\r' || c == '\n' }) {
		fields := strings.Split(row, "|")
		if len(fields) < 6 || fields[0] == "" {
			break
		}
		fmt.Fprintf(&out, "%s|%s\n", strings.Join(fields[:6], "|"), all.matchCitation(citation(fields)))
	}
	return reply.Text(http.StatusOK, out.String()), nil
}

// citation is a row: journal, year, volume, first page, author and key.
type citation []string

// matchCitation returns the last field of the answer to a row.
func (a *articles) matchCitation(c citation) string {
	issues := slices.DeleteFunc(slices.Clone(a.list), func(record *article) bool { return !record.isInJournal(c[0]) })
	if len(issues) == 0 {
		return "NOT_FOUND;INVALID_JOURNAL"
	}
	found := slices.DeleteFunc(issues, func(record *article) bool {
		return c[2] != "" && c[2] != record.text(volumePath) || c[3] != "" && !record.isOnPage(c[3])
	})
	for _, fits := range []func(*article) bool{
		func(record *article) bool { return strings.HasPrefix(record.date(), c[1]) },
		func(record *article) bool { return record.hasAuthor(c[4]) },
	} {
		if closer := slices.DeleteFunc(slices.Clone(found), func(record *article) bool { return !fits(record) }); len(closer) > 0 ||
			c[2] == "" || c[3] == "" {
			found = closer
		}
	}
	switch {
	case len(found) == 0:
		return "NOT_FOUND"
	case len(found) == 1:
		return decimal(found[0].PMID)
	case len(found) > maxCitations:
		return fmt.Sprintf("AMBIGUOUS (%d citations)", len(found))
	}
	return "AMBIGUOUS " + strings.Join(mapSlice(found, func(record *article) string { return decimal(record.PMID) }), ",")
}

func (a *article) isInJournal(journal string) bool {
	name := queryWords(journal)
	names := a.texts("*/MedlineJournalInfo/ISSNLinking|" + shortPath + "|" + journalPath + "ISSN|" + journalPath + "Title|" +
		journalPath + "ISOAbbreviation")
	return slices.ContainsFunc(append(names, "The "+a.text(shortPath)), func(known string) bool {
		return len(name) > 0 && slices.Equal(queryWords(known), name)
	})
}

// hasAuthor reports whether an author's name begins with name.
func (a *article) hasAuthor(name string) bool {
	return name == "" || slices.ContainsFunc(a.authors(), func(p *element) bool {
		return strings.HasPrefix(strings.ToLower(nameOf(p)), strings.ToLower(name))
	})
}

func (a *article) isOnPage(page string) bool {
	_, first := a.pages()
	return strings.EqualFold(page, first)
}
