package datasets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/biofact-mcp/biofact/internal/sandbox/records"
)

// A report is the report of a gene or of its products, as it is served.
type report struct {
	text                      json.RawMessage
	id, group                 string
	taxon, scientific, common string // the organism: its id and its names
}

// Read returns Datasets over the reports of a folder.
func Read(ctx context.Context, f *records.Folder) (*Datasets, error) {
	files, err := records.WithMarks(ctx, f.JSON("datasets"), `"reports"`, `"gene_id"`)
	if err != nil {
		return nil, err
	}
	d := &Datasets{}
	for _, file := range files {
		text, err := file.Open(ctx)
		if err != nil {
			return nil, err
		}
		err = d.read(text)
		text.Close()
		if err := f.LeaveOut(file, err); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
		}
	}
	return d, nil
}

// Count returns the number of reports.
func (d *Datasets) Count() int { return len(d.genes) + len(d.products) }

// read adds the reports of a text, which are JSON values one after the other, or pages of them.
func (d *Datasets) read(text io.Reader) error {
	values := json.NewDecoder(text)
	for {
		var value json.RawMessage
		err := values.Decode(&value)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var page struct{ Reports []json.RawMessage }
		if err := json.Unmarshal(value, &page); err != nil {
			return err
		}
		if page.Reports == nil {
			page.Reports = []json.RawMessage{value}
		}
		for _, text := range page.Reports {
			if err := d.add(text); err != nil {
				return err
			}
		}
	}
}

// add adds a report. It ignores a report that is not of a gene.
func (d *Datasets) add(text json.RawMessage) error {
	var of struct{ Gene, Product json.RawMessage }
	if err := json.Unmarshal(text, &of); err != nil {
		return err
	}
	into, described := &d.genes, of.Gene
	if described == nil {
		into, described = &d.products, of.Product
	}
	if described == nil {
		return nil
	}
	var about struct {
		ID         string `json:"gene_id"`
		Taxon      string `json:"tax_id"`
		Scientific string `json:"taxname"`
		Common     string `json:"common_name"`
		Groups     []struct {
			ID string `json:"id"`
		} `json:"gene_groups"`
	}
	if err := json.Unmarshal(described, &about); err != nil || about.ID == "" {
		return err
	}
	r := report{text: described, id: about.ID, taxon: about.Taxon, scientific: about.Scientific, common: about.Common}
	if len(about.Groups) > 0 {
		r.group = about.Groups[0].ID
	}
	*into = append(*into, r)
	return nil
}
