// Package datasets is NCBI Datasets v2 without a network: it answers the requests that Biofact sends, in the JSON of the official document,
// and refuses others as strictly as the document says.
//
// It embeds a few real genes, a small part of NCBI's. The gene 990000300 and the members of its ortholog set are invented, so that one set
// has many pages.
package datasets

import (
	"net/http"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/reply"
)

// The gRPC codes in the errors of Datasets.
const (
	invalidArgument = 3
	notFound        = 5
	unimplemented   = 12
)

// base is the path of the API.
const base = "/datasets/v2"

// Serves reports whether a path belongs to Datasets.
func Serves(path string) bool { return strings.Contains(path, base) }

// Datasets answers as NCBI Datasets does. It is safe for concurrent use.
type Datasets struct{ genes, products []report }

// Answer answers a request. The end of its path names the resource.
func (d *Datasets) Answer(req *http.Request) (reply.Reply, error) {
	if req.Method != http.MethodGet && req.Method != "" {
		return errorReply(http.StatusMethodNotAllowed, unimplemented, "Method Not Allowed")
	}
	_, question, _ := strings.Cut(req.URL.Path, base)
	if question == "/version" {
		return reply.JSON(map[string]any{"major_ver": 18, "minor_ver": 33, "patch_ver": 1, "version": "18.33.1"})
	}
	parts := strings.Split(question, "/") // "", gene, id, {ids}, {question}
	if len(parts) != 5 || parts[1] != "gene" || parts[2] != "id" {
		return errorReply(http.StatusNotFound, notFound, "Not Found")
	}
	ids := strings.Split(parts[3], ",")
	if i := slices.IndexFunc(ids, func(id string) bool { return id == "" || strings.Trim(id, "0123456789") != "" }); i >= 0 {
		return errorReply(http.StatusBadRequest, invalidArgument, "gene_id: not a number: "+ids[i])
	}
	switch parts[4] {
	case "orthologs":
		return d.orthologs(ids, req.URL.Query())
	case "product_report":
		return d.productReport(ids, req.URL.Query())
	}
	return errorReply(http.StatusNotFound, notFound, "Not Found")
}

func errorReply(status, code int, message string) (reply.Reply, error) {
	r, err := reply.JSON(map[string]any{"error": http.StatusText(status), "code": code, "message": message})
	r.Status = status
	return r, err
}
