package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/biofact-mcp/biofact/cmd/internal/coverage"
)

// A list is a list of how each field of a record is used, with the document of the record.
type list struct{ table, document, record, head string }

// coveragePage adds docs/coverage.md, which shows the lists.
func coveragePage(root string, files map[string][]byte) error {
	page := "<!-- Generated from internal/mapping/*/*.tsv and specs/. DO NOT EDIT. -->\n\n"
	for _, l := range []list{
		{"internal/mapping/trials/trials.tsv", "specs/clinicaltrials.yaml", "Study", coverageHead},
		{"internal/mapping/drugs/drugs.tsv", "specs/openfda.yaml", "Records", drugsHead},
	} {
		text, err := os.ReadFile(filepath.Join(root, l.table))
		if err != nil {
			return err
		}
		document, err := os.ReadFile(filepath.Join(root, l.document))
		if err != nil {
			return err
		}
		table, err := coverage.Parse(text)
		if err != nil {
			return fmt.Errorf("%s: %w", l.table, err)
		}
		leaves, err := coverage.Leaves(document, l.record)
		if err != nil {
			return err
		}
		page += l.head + table.Markdown(leaves)
	}
	files["docs/coverage.md"] = []byte(page)
	return nil
}

const coverageHead = `# How each field of a study is used

The official document of ClinicalTrials.gov defines the fields of a study.
Each field is in an answer, or it is left out for the given reason.
` + "`trial.` means an answer of `get_trial`, `location.` a row of `get_trial_locations`, `results.` the sections of `get_trial_results`" + `.
A field that is absent in the record is absent in the answer.

Values are the same as in the record.
Control characters, characters that change the direction of text, and surrounding space are removed from all texts.
Character references of HTML are resolved: ` + "`&lt;` becomes `<`" + `.
Fields with the type markup also lose their backslash escapes: ` + "`\\>`" + ` becomes ` + "`>`" + `.
An id of another system is left out if its form is wrong, and so is a date that does not begin with a year.

`

const drugsHead = `
# How each field of the records of openFDA is used

The field documents of openFDA define the fields of its records.
` + "`candidate.` means a row of `search_drugs`, `drug.` an answer of `get_drug`, `reports.` one of `count_drug_events`" + `.
Texts of labels are verbatim, but for characters that are invisible or change the direction of text.

`
