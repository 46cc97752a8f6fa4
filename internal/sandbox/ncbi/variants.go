package ncbi

import (
	"bufio"
	"bytes"
	"context"
	_ "embed" // for the table of fields
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/reply"
	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// maxLine is the maximum length of a document summary.
const maxLine = 1 << 20

//go:embed clinvar_fields.tsv
var clinvarFields string

// variant is a record of ClinVar: its document summary, with the members that searches need.
type variant struct {
	UID      uint64 `json:"uid,string"`
	Title    string `json:"title"`
	VCV      string `json:"accession"`
	Protein  string `json:"protein_change"`
	Genes    []struct{ Symbol, GeneID string }
	Germline struct {
		Description  string `json:"description"`
		ReviewStatus string `json:"review_status"`
		Traits       []struct {
			Name string `json:"trait_name"`
		} `json:"trait_set"`
	} `json:"germline_classification"`

	document json.RawMessage
}

// variants is db=clinvar.
type variants struct{ *index[*variant] }

// readVariants reads the document summaries of JSON files, one per line.
func readVariants(ctx context.Context, f *records.Folder) (*variants, error) {
	files, err := records.WithMarks(ctx, f.JSON("ncbi"), `"germline_classification"`)
	if err != nil {
		return nil, err
	}
	var list []*variant
	seen := map[uint64]bool{}
	for _, file := range files {
		some, err := readVariantLines(ctx, file)
		if err := f.LeaveOut(file, err); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
		}
		for _, v := range some {
			if !f.Mixed() || v.UID != 0 && !seen[v.UID] {
				seen[v.UID], list = true, append(list, v)
			}
		}
	}
	all, err := newIndex(list, clinvarFields, map[string]func(*variant) []string{
		"ALL":  func(v *variant) []string { return append(v.symbols(), decimal(v.UID), v.Title, v.VCV, v.Protein) },
		"UID":  func(v *variant) []string { return []string{decimal(v.UID)} },
		"GENE": (*variant).symbols,
		"PROP": (*variant).properties,
		"RVST": func(v *variant) []string { return []string{v.Germline.ReviewStatus} },
		"DIS":  (*variant).conditions,
	})
	return &variants{all}, err
}

func readVariantLines(ctx context.Context, file records.File) (list []*variant, err error) {
	text, err := file.Read(ctx)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		v := &variant{document: bytes.Clone(lines.Bytes())}
		if err := json.Unmarshal(v.document, v); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, lines.Err()
}

func (v *variant) uid() uint64 { return v.UID }

func (v *variant) symbols() []string {
	return mapSlice(v.Genes, func(g struct{ Symbol, GeneID string }) string { return g.Symbol })
}

func (v *variant) conditions() []string {
	return mapSlice(v.Germline.Traits, func(t struct {
		Name string `json:"trait_name"`
	}) string {
		return t.Name
	})
}

// properties returns the classes of a record, which may have several, and whether it covers one gene.
func (v *variant) properties() []string {
	genes := "multi gene"
	if len(v.Genes) == 1 {
		genes = "single gene"
	}
	class := strings.ToLower(v.Germline.Description)
	if strings.HasPrefix(class, "conflicting") {
		return []string{genes, "clinsig has conflicts"}
	}
	out := []string{genes}
	for part := range strings.FieldsFuncSeq(class, func(r rune) bool { return r == '/' || r == ';' }) {
		if part = strings.TrimSpace(part); part == "uncertain significance" {
			part = "vus"
		}
		out = append(out, "clinsig "+part)
	}
	return out
}

func (d *variants) field(tag string) (searchField, bool) {
	return d.search(tag, func(at int, t term) (hits, string) { return d.named(at, t), "" })
}

// order sorts by descending uid.
func (d *variants) order(found hits, _ string) []uint64 {
	return slices.SortedFunc(maps.Keys(found), newestFirst)
}

func (d *variants) info() databaseInfo {
	return databaseInfo{
		name: "clinvar", menuName: "ClinVar", description: "ClinVar database", build: "Build260805-0100.1", updated: "2026/08/05 03:10",
		count: len(d.list), fields: d.fields,
	}
}

func (v *variant) docsum() object {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(v.document, &members) // it was read before
	out := object{{"uid", decimal(v.UID)}}
	for _, key := range []string{
		"obj_type", "accession", "title", "genes", "germline_classification", "clinical_impact_classification",
		"oncogenicity_classification",
		"molecular_consequence_list", "protein_change",
	} {
		if members[key] != nil {
			out = append(out, member{key, members[key]})
		}
	}
	return out
}

func (d *variants) fetch(_ []uint64, f form) (reply.Reply, error) {
	return reply.Reply{}, f.notServed()
}

func (d *variants) links(uint64, string) ([]link, error) { return nil, nil }
