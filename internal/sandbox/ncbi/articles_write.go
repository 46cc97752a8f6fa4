package ncbi

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"github.com/biofact-mcp/biofact/internal/reply"
)

// The text around a PubmedArticleSet. Its XML declaration has no encoding, because the text is ASCII.
const (
	articleSetOpen = `<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" ` +
		`"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
<PubmedArticleSet>
`
	articleSetClose = "</PubmedArticleSet>\n"
)

// fetch writes the existing records, unchanged from their files. PubMed has no JSON: EFetch returns XML unless text is requested.
func (a *articles) fetch(uids []uint64, f form) (reply.Reply, error) {
	known := a.known(uids)
	switch {
	case f == form{"text", "medline"}:
		return a.text(known)
	case f.mode != "xml":
		return reply.Reply{}, f.notServed()
	}
	body := strings.TrimSuffix(articleSetOpen, "\n")
	if len(known) > 0 {
		body = articleSetOpen + strings.Join(mapSlice(known, func(record *article) string { return record.xml }), "") + "\n"
	}
	return reply.Reply{Status: http.StatusOK, Type: "text/xml; charset=UTF-8", Body: []byte(body + articleSetClose)}, nil
}

// text writes articles in the format of MEDLINE, as they were recorded.
func (a *articles) text(list []*article) (reply.Reply, error) {
	text := ""
	for _, record := range list {
		recorded := a.medline[decimal(record.PMID)]
		if recorded == "" {
			return reply.Reply{}, notServed(fmt.Sprintf("article %d in the format of MEDLINE: no .nbib file has it", record.PMID))
		}
		text += recorded
	}
	return reply.Reply{Status: http.StatusOK, Type: "text/plain; charset=UTF-8", Body: []byte(cmp.Or(text, "\n"))}, nil
}
