package main

import (
	"context"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/biofact-mcp/biofact/cmd/internal/coverage"
	"github.com/biofact-mcp/biofact/cmd/internal/drift"
	"github.com/biofact-mcp/biofact/cmd/internal/openapi"
	"github.com/biofact-mcp/biofact/cmd/internal/toolgen"
	"github.com/biofact-mcp/biofact/gen/fields"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/source"
)

// A reading describes the use of a client that generated code does not show.
type reading struct {
	// record is the schema of the record that has the fields. Empty: the tools read complete answers.
	record string
	// paths are the paths of the record's fields, by name. Without them the path is the name of a field.
	paths map[string]string
	// coverage is the file that lists how each field of the record is used.
	coverage string
	// sent are the parameters that hand-written code sets or reads, in addition to those of tools.yaml.
	sent map[string][]string
	// searches are the tools that search complete records, which the mirror and the sandbox have.
	searches []string
}

// readings are the readings by client.
var readings = map[string]reading{
	"ctgov": {
		record: "Study", paths: piecePaths(), coverage: "internal/mapping/trials/trials.tsv",
		sent: map[string][]string{
			"listStudies": {"countTotal", "fields", "filter.advanced", "filter.geo", "filter.ids", "pageSize",
				"pageToken", "sort"},
		},
		searches: []string{tools.SearchTrials, tools.CountTrials, tools.MatchTrials},
	},
	"openfda": {
		record: "Records", coverage: "internal/mapping/drugs/drugs.tsv",
		sent: map[string][]string{
			"drugsFDA": allParameters(), "drugNDC": allParameters(), "drugEvent": allParameters(), "drugLabel": allParameters(),
			"drugEnforcement": allParameters(), "drugShortages": allParameters(), "substance": allParameters(),
		},
	},
	"datasets": {
		record: "v2reportsGeneReportMatch",
		sent: map[string][]string{
			"gene_orthologs_by_id":       {"page_size", "page_token", "returned_content", "taxon_filter"},
			"gene_product_reports_by_id": {"page_size"},
		},
	},
}

// allParameters returns the parameters that every operation of openFDA takes.
func allParameters() []string { return []string{"count", "limit", "search", "skip", "sort"} }

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

// piecePaths returns the path of every field of a study, by name.
func piecePaths() map[string]string {
	paths := map[string]string{}
	for _, p := range query.Pieces() {
		paths[p.Name] = strings.Join(p.Path, ".")
	}
	return paths
}

// A reply is a reply of NCBI that has a DTD.
type reply struct {
	operation string // that returns it
	toolset   string // whose tools read it; empty: all tools that call the operation
	resource  string // that reads it
	xml       bool   // it is read as XML, else as JSON, which has the names of the innermost elements only
}

var replies = map[string]reply{
	"pubmed":       {operation: "eFetch", toolset: "articles", xml: true},
	"gene":         {operation: "eFetch", toolset: "genes", xml: true},
	"gene-summary": {operation: "eSummary", toolset: "genes"},
	"clinvar":      {operation: "eSummary", toolset: "genes"},
	"esearch":      {operation: "eSearch"},
	"elink":        {operation: "eLink"},
	"einfo":        {operation: "eInfo", resource: "pubmed-connect://stats/pubmed"},
}

// readers is the folder of the code that reads the replies.
const readers = "internal/entrez"

// readReply returns how the project uses a DTD: a tool reads each element and attribute whose name, in any case, is in a text or the name
// of a field of the code that reads the replies.
func readReply(root string, d source.Document) (*project, error) {
	structure, err := os.ReadFile(filepath.Join(root, d.Spec))
	if err != nil {
		return nil, err
	}
	words, err := namesIn(filepath.Join(root, readers))
	if err != nil {
		return nil, err
	}
	var document struct {
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	if err := yaml.Unmarshal(structure, &document); err != nil {
		return nil, err
	}
	var reads []string
	of := replies[d.Name]
	for name, schema := range document.Components.Schemas {
		for property := range schema.Properties {
			if (words[strings.ToLower(name)] || !of.xml) && words[strings.ToLower(strings.TrimPrefix(property, "@"))] {
				reads = append(reads, name, name+"."+property)
			}
		}
	}
	tools, err := readTools(root, "eutils", of.toolset)
	if err != nil {
		return nil, err
	}
	tools = slices.DeleteFunc(tools, func(t drift.Tool) bool { return !slices.Contains(t.Operations, of.operation) })
	use := drift.Use{}
	for _, t := range append(tools, drift.Tool{Name: of.resource}) {
		if t.Name != "" {
			use.Tools = append(use.Tools, drift.Tool{Name: t.Name, Reads: reads})
		}
	}
	return &project{structure: structure, use: use}, nil
}

// elementName matches a name of an element.
var elementName = regexp.MustCompile(`[A-Za-z][\w-]*`)

// namesIn returns the names, in lower case, in the texts of the Go code of a folder, and those of its fields.
func namesIn(folder string) (map[string]bool, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	names := map[string]bool{}
	for _, file := range slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") }) {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var s scanner.Scanner
		s.Init(token.NewFileSet().AddFile(file, -1, len(text)), text, nil, 0)
		for _, kind, literal := s.Scan(); kind != token.EOF; _, kind, literal = s.Scan() {
			if kind == token.STRING || kind == token.IDENT && token.IsExported(literal) {
				for _, name := range elementName.FindAllString(literal, -1) {
					names[strings.ToLower(name)] = true
				}
			}
		}
	}
	return names, err
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

// readProject returns how the project uses a document. It reads the committed structure, the contract, the operations of the generated
// client, the fields that the tools request, and the lists of the record's fields.
func readProject(root string, d source.Document) (*project, error) {
	if replies[d.Name].operation != "" {
		return readReply(root, d)
	}
	clients, err := toolgen.Clients(root)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(clients, func(c toolgen.Client) bool { return c.Spec == d.Spec })
	if i < 0 {
		return nil, fmt.Errorf("%s: no specs/*.codegen.yaml is of it", d.Spec)
	}
	structure, err := os.ReadFile(filepath.Join(root, d.Spec))
	if err != nil {
		return nil, err
	}
	client := clients[i]
	known := readings[client.Package]
	use := drift.Use{Record: known.record, Paths: known.paths, Sent: known.sent}
	if use.Tools, err = readTools(root, client.Package, ""); err != nil {
		return nil, err
	}
	var table coverage.Table
	if known.coverage != "" {
		if table, err = readCoverage(root, known.coverage); err != nil {
			return nil, err
		}
	}
	for i, t := range use.Tools {
		use.Tools[i].Fields = nil
		if known.record != "" {
			use.Tools[i].Fields = answered(t.Fields, use.Paths, table)
		}
	}
	commands := []string{"biofact --sandbox", "biofact mirror"}
	for _, name := range known.searches {
		use.Tools = append(use.Tools, drift.Tool{Name: name, Commands: commands, Fields: mirror.Pieces()})
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
			all = append(all, field) // it is a path
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

// readTools returns the tools of a toolset, or of all for an empty one, that an upstream serves.
func readTools(root, upstream, toolset string) ([]drift.Tool, error) {
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
		if len(t.Operations) == 0 || toolset != "" && entry.Toolset != toolset {
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
