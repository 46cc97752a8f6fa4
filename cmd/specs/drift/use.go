package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/cmd/internal/coverage"
	"github.com/biofact-mcp/biofact/cmd/internal/drift"
	"github.com/biofact-mcp/biofact/cmd/internal/openapi"
	"github.com/biofact-mcp/biofact/cmd/internal/toolgen"
	"github.com/biofact-mcp/biofact/gen/fields"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/mirror"
)

// A reading describes the use of a client that generated code does not show.
type reading struct {
	// record is the schema of the record that has the fields. Empty: the tools read complete answers.
	record string
	// pieces is the file with the paths of the record's fields. Empty: the path is the name of a field. coverage is the file that lists
	// how each field is used.
	pieces, coverage string
	// sent are the parameters that hand-written code sets or reads, in addition to those of tools.yaml.
	sent map[string][]string
	// readers read fields of complete records: a search of the mirror or of the sandbox.
	readers []drift.Tool
}

// readings are the readings by client.
var readings = map[string]reading{
	"ctgov": {
		record: "Study", pieces: "internal/query/pieces.tsv", coverage: "internal/mapping/trials/trials.tsv",
		sent: map[string][]string{
			"listStudies": {"countTotal", "fields", "filter.advanced", "filter.geo", "filter.ids", "filter.overallStatus", "pageSize",
				"pageToken", "sort"},
		},
		readers: searches(tools.SearchTrials, tools.CountTrials),
	},
	"datasets": {
		record: "v2reportsGeneReportMatch",
		sent: map[string][]string{
			"gene_orthologs_by_id":       {"page_size", "page_token", "returned_content", "taxon_filter"},
			"gene_product_reports_by_id": {"page_size"},
		},
	},
}

// searches returns tools whose answers come from fields that the mirror and the sandbox search.
func searches(names ...string) (all []drift.Tool) {
	for _, name := range names {
		all = append(all, drift.Tool{Name: name, Commands: []string{"biofact --sandbox", "biofact mirror"}, Fields: mirror.Pieces()})
	}
	return all
}

// readCoverage reads the list of how each field of a record is used.
func readCoverage(root, path string) (coverage.Table, error) {
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		return nil, err
	}
	table, err := coverage.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}

// A project describes how a repository uses one API document.
type project struct {
	structure []byte         // the committed structure
	use       drift.Use      // how the tools and the clients use it
	table     coverage.Table // how each field of the record is used; nil without a list
}

// compare reports the changes between the committed structure and an official document, which is at an address or in a file.
func (p *project) compare(ctx context.Context, from string) (*drift.Report, error) {
	newer, err := openapi.Read(ctx, from)
	if err != nil {
		return nil, err
	}
	report, err := drift.Compare(p.structure, newer, p.use)
	if err != nil {
		return nil, err
	}
	// otherwise the report says that the record was removed
	if leaves, err := coverage.Leaves(newer, p.use.Record); p.table != nil && err == nil {
		report.Unlisted = append(report.Unlisted, p.table.Missing(leaves)...)
	}
	return report, nil
}

// readProject returns how the project uses the document of a spec. It reads the spec, the contract, the operations of the generated
// client, the fields that the tools request, and the lists of the record's fields.
func readProject(root, spec string) (*project, error) {
	clients, err := toolgen.Clients(root)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(clients, func(c toolgen.Client) bool { return c.Spec == spec })
	if i < 0 {
		return nil, fmt.Errorf("%s: no specs/*.codegen.yaml is of it", spec)
	}
	structure, err := os.ReadFile(filepath.Join(root, spec))
	if err != nil {
		return nil, err
	}
	client := clients[i]
	known := readings[client.Package]
	use := drift.Use{Record: known.record, Sent: known.sent}
	if known.pieces != "" {
		if use.Paths, err = readPieces(filepath.Join(root, known.pieces)); err != nil {
			return nil, err
		}
	}
	if use.Tools, err = readTools(root, client.Package); err != nil {
		return nil, err
	}
	var table coverage.Table
	if known.coverage != "" {
		if table, err = readCoverage(root, known.coverage); err != nil {
			return nil, err
		}
	}
	for i := range use.Tools {
		use.Tools[i].Fields = answered(use.Tools[i].Fields, use.Paths, table)
	}
	use.Tools = append(use.Tools, known.readers...)
	if known.pieces == "" {
		use.Paths = ways(use.Tools, known.record != "")
	}
	for _, id := range client.Operations {
		if !slices.ContainsFunc(use.Tools, func(t drift.Tool) bool { return slices.Contains(t.Operations, id) }) {
			use.Called = append(use.Called, id)
		}
	}
	return &project{structure, use, table}, nil
}

// answered returns the fields below the requested ones that are in answers.
func answered(requested []string, paths map[string]string, table coverage.Table) []string {
	names := map[string]string{}
	for name, path := range paths {
		names[path] = name
	}
	var all []string
	for _, field := range requested {
		if paths[field] == "" {
			all = append(all, field) // an error that package drift reports
		}
		for _, path := range table.Answered(paths[field]) {
			for names[path] == "" { // a part of a field, such as the latitude of a point
				path = path[:strings.LastIndex(path, ".")]
			}
			all = append(all, names[path])
		}
	}
	return slices.Compact(all)
}

// readTools returns the tools that an upstream serves.
func readTools(root, upstream string) ([]drift.Tool, error) {
	in, err := toolgen.Repository(root)
	if err != nil {
		return nil, err
	}
	contract, err := toolgen.Read(in)
	if err != nil {
		return nil, err
	}
	var tools []drift.Tool
	for _, entry := range contract.Tools {
		t := drift.Tool{Name: entry.Name, Fields: fields.Of(entry.Name)}
		for _, op := range entry.Operations {
			if op.Package == upstream {
				t.Operations = append(t.Operations, op.ID)
			}
		}
		if len(t.Operations) == 0 {
			continue
		}
		for _, a := range entry.Args {
			values, _ := strings.CutPrefix(a.Values, upstream+".")
			t.Arguments = append(t.Arguments, drift.Argument{Name: a.Name, Param: a.Param, Values: values})
		}
		tools = append(tools, t)
	}
	return tools, nil
}

// ways returns the paths of the fields of some tools, by name. Tools that read complete answers have no fields.
func ways(tools []drift.Tool, named bool) map[string]string {
	paths := map[string]string{}
	for i := range tools {
		if !named {
			tools[i].Fields = nil
		}
		for _, field := range tools[i].Fields {
			paths[field] = field
		}
	}
	return paths
}

// readPieces returns the path of every field of the record, by name. The file is made from /studies/metadata. Each line has the name,
// the path and the type.
func readPieces(path string) (map[string]string, error) {
	table, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	paths := map[string]string{}
	for line := range bytes.Lines(table) {
		columns := strings.Split(strings.TrimSpace(string(line)), "\t")
		if len(columns) != 3 {
			return nil, fmt.Errorf("%s: %q has not three columns", path, line)
		}
		paths[columns[0]] = columns[1]
	}
	return paths, nil
}
