package pmc

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/internal/reply"
)

// Answer answers like Europe PMC: full texts and searches.
func (e *EuropePMC) Answer(req *http.Request) (reply.Reply, error) {
	if strings.HasSuffix(req.URL.Path, "/search") {
		return e.search(req)
	}
	rest, ok := strings.CutSuffix(req.URL.Path, "/fullTextXML")
	a := e.texts[rest[strings.LastIndexByte(rest, '/')+1:]]
	if !ok || a == nil || a.withheld == "all" {
		return reply.Reply{Status: http.StatusNotFound}, nil
	}
	return reply.Reply{Status: http.StatusOK, Type: "application/xml", Body: a.text}, nil
}

// A record is one record of the ID converter.
type record struct {
	DOI       string `json:"doi,omitempty"`
	PMCID     string `json:"pmcid,omitempty"`
	PMID      any    `json:"pmid,omitempty"`
	MID       string `json:"mid,omitempty"`
	Requested string `json:"requested-id"`
	Status    string `json:"status,omitempty"`
	Message   string `json:"errmsg,omitempty"`
}

// Convert answers like the ID converter. All ids of a request have one type, and one malformed id makes the whole request fail.
func (articles Articles) Convert(req *http.Request) (reply.Reply, error) {
	query := req.URL.Query()
	kind, ids := query.Get("idtype"), strings.Split(query.Get("ids"), ",")
	records := []record{}
	for _, id := range ids {
		if !wellFormed(kind, id) || len(ids) > 200 {
			return reply.Reply{Status: http.StatusBadRequest, Type: "application/json", Body: fmt.Appendf(nil,
				`{"status":"error","http_status":"400","errors":[{"message":"All values of query param 'ids' must be %ss.","code":"invalid_%ss"}]}`,
				strings.ToUpper(kind), kind)}, nil
		}
		records = append(records, articles.convert(kind, id))
	}
	return reply.JSON(map[string]any{"status": "ok", "response-date": time.Now().UTC().Format(time.DateTime), "records": records})
}

func wellFormed(kind, id string) bool {
	digits := func(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
	switch kind {
	case "pmid":
		return digits(id)
	case "pmcid":
		return digits(strings.TrimPrefix(strings.ToUpper(id), "PMC"))
	case "doi":
		return strings.HasPrefix(id, "10.") && strings.Contains(id, "/")
	case "mid":
		return strings.ToUpper(id) != strings.ToLower(id)
	}
	return false
}

func (articles Articles) convert(kind, id string) record {
	for _, a := range articles {
		own := map[string]string{"pmid": a.PMID, "pmcid": a.PMCID, "doi": a.DOI, "mid": a.ManuscriptID}[kind]
		if own != "" && strings.EqualFold(own, id) {
			r := record{DOI: a.DOI, PMCID: a.PMCID, MID: a.ManuscriptID, Requested: id}
			if n, err := strconv.Atoi(a.PMID); err == nil {
				r.PMID = n
			}
			return r
		}
	}
	r := record{Requested: id, Status: "error", Message: "Identifier not found in PMC"}
	switch kind {
	case "pmid":
		r.PMID, _ = strconv.Atoi(id)
	case "pmcid":
		r.PMCID = id
	case "doi":
		r.DOI = id
	default:
		r.MID = id
	}
	return r
}
