package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/cmd/internal/drift"
	"github.com/biofact-mcp/biofact/cmd/internal/toolgen"
	"github.com/biofact-mcp/biofact/gen/fields"
)

// A reading is what no generated code says of the use of a client.
type reading struct {
	// record is the schema that fields are of, which pieces leads to. Empty: the
	// tools read whole answers.
	record, pieces string
	// sent are the parameters that hand-written code fills or reads, beside what
	// tools.yaml says of them.
	sent map[string][]string
}

// readings by client.
var readings = map[string]reading{
	"ctgov": {
		record: "Study", pieces: "internal/registry/pieces.tsv",
		sent: map[string][]string{
			"listStudies": {"countTotal", "fields", "filter.advanced", "filter.ids", "filter.overallStatus", "pageSize", "pageToken", "sort"},
		},
	},
}

// readUse reads what the project makes of the document of a spec from where it is
// written: the contract, the operations that the client is generated for, the
// fields that the tools ask for, and the table of the record's fields.
func readUse(root, spec string) (drift.Use, error) {
	clients, err := toolgen.Clients(root)
	if err != nil {
		return drift.Use{}, err
	}
	i := slices.IndexFunc(clients, func(c toolgen.Client) bool { return c.Spec == spec })
	if i < 0 {
		return drift.Use{}, fmt.Errorf("%s: no specs/*.codegen.yaml is of it", spec)
	}
	client := clients[i]
	known := readings[client.Package]
	use := drift.Use{Record: known.record, Sent: known.sent}
	if known.pieces != "" {
		if use.Paths, err = readPieces(filepath.Join(root, known.pieces)); err != nil {
			return use, err
		}
	}
	if use.Tools, err = readTools(root, client.Package); err != nil {
		return use, err
	}
	for _, id := range client.Operations {
		if !slices.ContainsFunc(use.Tools, func(t drift.Tool) bool { return slices.Contains(t.Operations, id) }) {
			use.Called = append(use.Called, id)
		}
	}
	return use, nil
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

// readPieces returns the path of every field in the record. The table is made
// of /studies/metadata: a line has the name, the path and the type.
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
