package ncbi

import (
	"net/http"
	"strings"

	"github.com/biofact-mcp/biofact/internal/reply"
)

// The text around an Entrezgene-Set.
const (
	geneSetOpen = `<?xml version="1.0" ?>
<!DOCTYPE Entrezgene-Set PUBLIC "-//NLM//DTD NCBI-Entrezgene, 21st January 2005//EN" ` +
		`"https://www.ncbi.nlm.nih.gov/data_specs/dtd/NCBI_Entrezgene.dtd">
<Entrezgene-Set>
`
	geneSetClose = "</Entrezgene-Set>\n"
)

// fetch writes the existing records in XML.
func (g *genes) fetch(uids []uint64, f form) (reply.Reply, error) {
	known := g.known(uids)
	if f.mode != "xml" {
		return reply.Reply{}, f.notServed()
	}
	body := geneSetOpen
	if len(known) == 0 {
		body = strings.TrimSuffix(body, "\n")
	}
	for _, record := range known {
		body += record.xml + "\n"
	}
	return reply.Reply{Status: http.StatusOK, Type: "text/xml; charset=UTF-8", Body: []byte(body + geneSetClose)}, nil
}
