package datasets

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	api "github.com/biofact-mcp/biofact/gen/datasets"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/mapping/genes"
)

// orthologPage maps a page of an ortholog set; false: it is the first page, and empty.
func orthologPage(found *api.V2reportsGeneDataReportPage, q OrthologQuery) (page *OrthologPage, exists bool, err error) {
	page = &OrthologPage{Orthologs: []entity.GeneOrtholog{}, Token: found.NextPageToken, Total: found.TotalCount,
		UnknownTaxa: unknownTaxa(found, q)}
	lost := 0
	reports := slices.DeleteFunc(slices.Clone(found.Reports),
		func(r api.V2reportsGeneReportMatch) bool { return r.Gene.GeneId == "" && saysUnknown(&r) })
	for i := range reports {
		ortholog, notices, err := genes.GeneOrtholog(&reports[i])
		if query := reports[i].Query; err != nil || len(query) > 0 && !slices.Contains(query, q.Gene) {
			lost++
			continue
		}
		ortholog.Requested = ortholog.ID == id.Gene.CURIE(q.Gene)
		page.Orthologs, page.Notices = append(page.Orthologs, ortholog), append(page.Notices, notices...)
	}
	if lost > 0 {
		page.Notices = append(page.Notices, fmt.Sprintf("Genes with incomplete records at NCBI were left out: %d.", lost))
	}
	if wrong := contradiction(page, q, len(reports)); wrong != "" {
		return nil, false, errors.New(wrong)
	}
	if len(reports) == 0 && page.UnknownTaxa == nil {
		if hasError(found) {
			return nil, false, errors.New("an error in place of reports")
		}
		return page, q.Token != "", nil
	}
	return page, true, nil
}

// contradiction returns the reason why a page with the given number of reports cannot be correct, or "".
func contradiction(page *OrthologPage, q OrthologQuery, reports int) string {
	total := 0
	if page.Total != nil {
		total = *page.Total
	}
	switch {
	case total < 0:
		return "a total below zero"
	case reports > 0 && len(page.Orthologs) == 0:
		return "no report names a gene of this set and its organism"
	case page.Token != "" && page.Token == q.Token:
		return "the page leads to itself"
	case total > 0 && reports == 0 && q.Token == "" && page.UnknownTaxa == nil:
		return "a total above zero and no reports"
	}
	return ""
}

// products maps the report of a gene's products; nil: it cannot be read.
func products(report *api.V2reportsGeneReportMatch) *Products {
	transcripts, notices, err := genes.GeneTranscripts(report)
	if err != nil {
		return nil
	}
	return &Products{Gene: report.Product.GeneId, Transcripts: transcripts, Notices: notices}
}

// saysUnknown reports whether a report without a gene has a warning about the request, or an error about the requested id, and so does not
// mean a failure.
func saysUnknown(report *api.V2reportsGeneReportMatch) bool {
	return len(report.Warnings) > 0 || report.Warning != (api.V2reportsWarning{}) || slices.ContainsFunc(report.Errors, isOfID)
}

func isOfID(e api.V2reportsError) bool { return len(e.InvalidIdentifiers) > 0 }

// warnings returns all warnings of a page: of the page itself, and of its reports.
func warnings(found *api.V2reportsGeneDataReportPage) (all []api.V2reportsWarning) {
	for _, message := range found.Messages {
		all = append(all, message.Warning)
	}
	for i := range found.Reports {
		all = append(append(all, found.Reports[i].Warning), found.Reports[i].Warnings...)
	}
	return all
}

// hasError reports whether a page has an error that is not about a requested id.
func hasError(found *api.V2reportsGeneDataReportPage) bool {
	wrong := func(e api.V2reportsError) bool { return (e.Message != "" || e.Reason != "") && !isOfID(e) }
	return slices.ContainsFunc(found.Messages, func(m api.V2reportsMessage) bool { return wrong(m.Error) }) ||
		slices.ContainsFunc(found.Reports, func(r api.V2reportsGeneReportMatch) bool { return slices.ContainsFunc(r.Errors, wrong) })
}

// unknownTaxa returns the taxa of a query that Datasets does not know: all of them if it does not name one.
func unknownTaxa(found *api.V2reportsGeneDataReportPage, q OrthologQuery) (taxa []string) {
	for _, w := range warnings(found) {
		if w.GeneWarningCode != api.UNRECOGNIZEDTAXTOKEN {
			continue
		}
		i := slices.IndexFunc(q.Taxa, func(taxon string) bool { return strings.EqualFold(taxon, w.UnrecognizedIdentifier) })
		if i < 0 {
			return q.Taxa
		}
		taxa = append(taxa, q.Taxa[i])
	}
	for _, message := range found.Messages {
		if message.Error.GeneErrorCode == api.INVALIDTAXONGENEARGUMENT {
			return q.Taxa
		}
	}
	return taxa
}
