package ncbi

import (
	"net/http"
	"strconv"
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
		return reply.Reply{Status: http.StatusOK, Type: "text/plain; charset=UTF-8", Body: []byte(articleText(known))}, nil
	case f.mode != "xml":
		return reply.Reply{}, f.notServed()
	}
	var out strings.Builder
	out.WriteString(articleSetOpen)
	if len(known) == 0 {
		out.Reset()
		out.WriteString(strings.TrimSuffix(articleSetOpen, "\n"))
	}
	for _, record := range known {
		out.WriteString(record.xml)
	}
	if len(known) > 0 {
		out.WriteByte('\n')
	}
	out.WriteString(articleSetClose)
	return reply.Reply{Status: http.StatusOK, Type: "text/xml; charset=UTF-8", Body: []byte(out.String())}, nil
}

func leadingZero(number string) string {
	if len(number) == 1 {
		return "0" + number
	}
	return number
}

var months = []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

// monthNumber returns 02 for Feb, or "" for other texts.
func monthNumber(name string) string {
	for i, month := range months {
		if name == month {
			return leadingZero(strconv.Itoa(i + 1))
		}
	}
	return ""
}
