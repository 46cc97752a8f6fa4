package service

import (
	"net/http"

	"github.com/biofact-mcp/biofact/gen/eutils"
)

// canonicalURL is where NCBI serves the E-utilities. Answers show it with the
// caller's own ids, whatever way and with whom the request really went: without
// key and e-mail address.
const canonicalURL = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/"

// shown is the URL of a request, for people.
func shown(req *http.Request, err error) string {
	if err != nil {
		return ""
	}
	return req.URL.String()
}

func searchURL(params *eutils.ESearchParams) string {
	return shown(eutils.NewESearchRequest(canonicalURL, params))
}

func summaryURL(params *eutils.ESummaryParams) string {
	return shown(eutils.NewESummaryRequest(canonicalURL, params))
}

func linkURL(params *eutils.ELinkParams) string {
	return shown(eutils.NewELinkRequest(canonicalURL, params))
}

func infoURL(params *eutils.EInfoParams) string {
	return shown(eutils.NewEInfoRequest(canonicalURL, params))
}

// articleURL is the page of an article.
func articleURL(pmid string) string { return "https://pubmed.ncbi.nlm.nih.gov/" + pmid + "/" }
