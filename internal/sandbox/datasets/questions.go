package datasets

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/reply"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// A page is a response with reports. Empty fields are omitted.
type page struct {
	Reports  []queriedReport  `json:"reports,omitempty"`
	Messages []map[string]any `json:"messages,omitempty"`
	Total    int              `json:"total_count,omitempty"`
	Next     string           `json:"next_page_token,omitempty"`
}

// A queriedReport is a report with the id that was requested.
type queriedReport struct {
	Gene    json.RawMessage `json:"gene,omitempty"`
	Product json.RawMessage `json:"product,omitempty"`
	Query   []string        `json:"query"`
}

// defaultPage and maxPage are the sizes in the official document.
const (
	defaultPage = 20
	maxPage     = 1000
)

// orthologs answers a request for the ortholog set of a gene.
func (d *Datasets) orthologs(ids []string, query url.Values) (reply.Reply, error) {
	if len(ids) != 1 {
		return errorReply(http.StatusBadRequest, invalidArgument, "gene_id: takes one id")
	}
	size, wrong := readPageSize(query, "returned_content", "taxon_filter", "page_size", "page_token")
	if wrong != "" {
		return errorReply(http.StatusBadRequest, invalidArgument, wrong)
	}
	var out page
	filter := query["taxon_filter"]
	for _, taxon := range filter {
		if !slices.ContainsFunc(d.genes, func(g report) bool { return g.belongsTo(taxon) }) && strings.Trim(taxon, "0123456789") != "" {
			out.Messages = append(out.Messages, map[string]any{"warning": map[string]string{
				"gene_warning_code": "UNRECOGNIZED_TAX_TOKEN", "reason": "Unrecognized taxon",
				"message": "The taxonomy name is not recognized.", "unrecognized_identifier": taxon,
			}})
		}
	}
	i := slices.IndexFunc(d.genes, func(g report) bool { return g.id == ids[0] })
	if i < 0 || len(out.Messages) > 0 {
		return reply.JSON(out)
	}
	var set []queriedReport
	for _, g := range d.genes {
		within := filter == nil || slices.ContainsFunc(filter, g.belongsTo)
		if g.group == d.genes[i].group && within {
			set = append(set, queriedReport{Gene: g.text, Query: ids})
		}
	}
	about := fmt.Sprintf("%s %d %s ", ids[0], size, strings.Join(filter, ","))
	start := 0
	if token := query.Get("page_token"); token != "" {
		if start, wrong = readToken(token, about); wrong != "" {
			return errorReply(http.StatusBadRequest, invalidArgument, wrong)
		}
	}
	end := min(start+size, len(set))
	out.Reports, out.Total = set[min(start, end):end], len(set)
	if end < len(set) {
		out.Next = base64.StdEncoding.EncodeToString([]byte(about + strconv.Itoa(end)))
	}
	return reply.JSON(out)
}

// belongsTo reports whether a gene is of an organism, or of a group by its taxid.
func (g report) belongsTo(taxon string) bool {
	own, _ := strconv.ParseUint(g.taxon, 10, 64)
	group, _ := strconv.ParseUint(taxon, 10, 64)
	return taxon == g.taxon || slices.Contains(records.Ancestors(own), group) || strings.EqualFold(taxon, g.scientific) ||
		strings.EqualFold(taxon, g.common)
}

// readToken returns the start of a page. A token is valid for one request only.
func readToken(token, about string) (start int, wrong string) {
	text, err := base64.StdEncoding.DecodeString(token)
	rest, ok := strings.CutPrefix(string(text), about)
	start, bad := strconv.Atoi(rest)
	if err != nil || !ok || bad != nil || start < 0 {
		return 0, "page_token: not one of this request"
	}
	return start, ""
}

// productReport answers a request for the transcripts and proteins of genes.
func (d *Datasets) productReport(ids []string, query url.Values) (reply.Reply, error) {
	size, wrong := readPageSize(query, "page_size", "page_token")
	if wrong != "" {
		return errorReply(http.StatusBadRequest, invalidArgument, wrong)
	}
	var out page
	for _, id := range ids {
		i := slices.IndexFunc(d.products, func(p report) bool { return p.id == id })
		if i >= 0 && len(out.Reports) < size {
			out.Reports = append(out.Reports, queriedReport{Product: d.products[i].text, Query: []string{id}})
		}
	}
	out.Total = len(out.Reports)
	return reply.JSON(out)
}

// readPageSize returns the size of a page, or an error text for an invalid query.
func readPageSize(query url.Values, parameters ...string) (size int, wrong string) {
	for name := range query {
		if !slices.Contains(parameters, name) {
			return 0, "unknown parameter " + name
		}
	}
	if content := query.Get("returned_content"); content != "" && content != "COMPLETE" {
		return 0, "returned_content: not in this sandbox: " + content
	}
	size = defaultPage
	if text := query.Get("page_size"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxPage {
			return 0, "page_size: from 1 to 1000"
		}
		size = n
	}
	return size, ""
}
