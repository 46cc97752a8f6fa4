// Package ncbi is NCBI's E-utilities without a network, for records of Entrez databases as XML or document summaries. The files genes*,
// articles* and variants* are one database each; the other files serve all databases.
package ncbi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/internal/reply"
	"github.com/biofact-mcp/biofact/internal/sandbox/pmc"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// utilities are the functions by the last element of the path. They return the members of a response after its header.
var utilities = map[string]func(*Utilities, request) (object, error){
	"esearch.fcgi":  (*Utilities).search,
	"esummary.fcgi": (*Utilities).summarise,
	"elink.fcgi":    (*Utilities).link,
	"einfo.fcgi":    (*Utilities).describe,
	"efetch.fcgi":   nil, // the response has the format of the records
	"espell.fcgi":   nil, // the response is XML
	"ecitmatch.cgi": nil, // the response is text
}

// unsupported lists the parameters of NCBI that Biofact does not send. The sandbox refuses them, because ignoring them would give a wrong
// response.
var unsupported = map[string][]string{
	"esearch": {"datetype", "mindate", "maxdate", "reldate", "query_key", "WebEnv", "rettype"},
	"efetch":  {"query_key", "WebEnv", "retstart", "retmax"},
	"elink":   {"query_key", "WebEnv", "datetype", "mindate", "maxdate", "reldate", "term"},
}

// Serves reports whether a path is that of a utility.
func Serves(path string) bool {
	_, ok := utilities[utilityOf(path)]
	return ok
}

// Answer returns the response to a request to one of the utilities.
func (u *Utilities) Answer(req *http.Request) (reply.Reply, error) {
	switch {
	case !Serves(req.URL.Path):
		return webPage(http.StatusNotFound, "404 Not Found"), nil
	case len(req.URL.RawQuery) > maxURL:
		return webPage(http.StatusRequestURITooLong, "414 Request-URI Too Large"), nil
	case !slices.Contains([]string{http.MethodGet, http.MethodPost, ""}, req.Method):
		return webPage(http.StatusMethodNotAllowed, "405 Method Not Allowed"), nil
	}
	r, err := readRequest(req)
	if err != nil {
		return reply.Reply{}, err
	}
	for _, key := range slices.Concat(r.values["api_key"], req.Header["Api-Key"]) {
		if key == "" || key == "invalid" {
			return invalidKey(key)
		}
	}
	out, err := u.run(r)
	if inside, ok := errors.AsType[reportedError](err); ok {
		return r.failed(string(inside))
	}
	if missing, ok := errors.AsType[notServed](err); ok {
		return reply.Text(http.StatusBadRequest, missing.Error()), nil
	}
	return out, err
}

func (u *Utilities) run(r request) (reply.Reply, error) {
	for _, name := range unsupported[r.utility] {
		if r.values.Has(name) {
			return reply.Reply{}, notServed(fmt.Sprintf("the parameter `%s` of %s", name, r.utility))
		}
	}
	switch r.utility {
	case "efetch":
		return u.fetch(r)
	case "espell":
		return u.spell(r)
	case "ecitmatch":
		return u.matchCitations(r)
	}
	if !strings.EqualFold(r.get("retmode"), "json") {
		return reply.Reply{}, notServed("a retmode of " + r.utility + " other than `json`")
	}
	out, err := utilities[r.utility+".fcgi"](u, r)
	if err != nil {
		return reply.Reply{}, err
	}
	return jsonReply(append(object{r.header()}, out...))
}

// invalidKey returns NCBI's error, which contains the key.
func invalidKey(key string) (reply.Reply, error) {
	out, err := jsonReply(object{{"error", "API key invalid"}, {"api-key", key}, {"type", "invalid"}, {"status", "unknown"}})
	out.Status = http.StatusBadRequest
	return out, err
}

// Outage returns the response of a utility whose backend fails.
func Outage(req *http.Request) (reply.Reply, error) {
	r, err := readRequest(req)
	if err != nil {
		return reply.Reply{}, err
	}
	sentence := "Database is not supported: " + r.get("db")
	switch r.utility {
	case "espell":
		return spellReply(r, "", sentence), nil
	case "efetch":
		sentence = " Error occurred: cannot get document summary"
	case "esearch":
		sentence = "Search Backend failed: Exception:\n'search backend did not answer'"
	case "elink":
		sentence = "NCBI C++ Exception:\n    Error: TXCLIENT(CException::eUnknown) \"txclient.cpp\", line 1001: Read failed: EOF\n"
	}
	return r.failed(sentence)
}

// failed reports an error in the format of the utility.
func (r request) failed(sentence string) (reply.Reply, error) {
	switch r.utility {
	case "efetch":
		return r.fetchError(sentence), nil
	case "espell":
		return spellReply(r, "", sentence), nil
	case "esearch":
		return rawNewlines(jsonReply(object{r.header(), {"esearchresult", object{{"ERROR", sentence}}}}))
	case "elink":
		return rawNewlines(jsonReply(object{r.header(), {"linksets", []any{}}, {"ERROR", sentence}}))
	case "einfo":
		return jsonReply(object{r.header(), {"einforesult", object{{"ERROR", sentence}}}})
	}
	out := object{r.header(), {"error", sentence}}
	if strings.HasPrefix(sentence, "Invalid uid") {
		out = append(out, member{"result", object{{"uids", []string{}}}})
	}
	return jsonReply(out)
}

// New returns the utilities for the records of a folder and some full texts. To add a database, implement database and list it here.
func New(ctx context.Context, f *records.Folder, texts func() (pmc.Articles, error)) *Utilities {
	genes := sync.OnceValues(func() (*genes, error) { return readGenes(ctx, f) })
	articles := sync.OnceValues(func() (*articles, error) {
		open, err := texts()
		if err != nil {
			return nil, err
		}
		return readArticles(ctx, f, genes, open)
	})
	variants := sync.OnceValues(func() (*variants, error) { return readVariants(ctx, f) })
	return &Utilities{databases: map[string]func() (database, error){
		"gene":    func() (database, error) { return genes() },
		"pubmed":  func() (database, error) { return articles() },
		"clinvar": func() (database, error) { return variants() },
		"mesh":    func() (database, error) { return readMesh() },
		"pmc":     func() (database, error) { all, err := texts(); return fullTexts(all), err },
	}}
}
