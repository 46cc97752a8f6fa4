package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/biofact-mcp/biofact/cmd/internal/coverage"
)

const coverageTable = "internal/mapping/trials/trials.tsv"

// coveragePage adds docs/coverage.md, which lists how each field of a study is used.
func coveragePage(root string, files map[string][]byte) error {
	text, err := os.ReadFile(filepath.Join(root, coverageTable))
	if err != nil {
		return err
	}
	document, err := os.ReadFile(filepath.Join(root, "specs/clinicaltrials.yaml"))
	if err != nil {
		return err
	}
	table, err := coverage.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", coverageTable, err)
	}
	leaves, err := coverage.Leaves(document, "Study")
	if err != nil {
		return err
	}
	files["docs/coverage.md"] = []byte(coverageHead + table.Markdown(leaves))
	return nil
}

const coverageHead = `<!-- Generated from ` + coverageTable + ` and specs/clinicaltrials.yaml. DO NOT EDIT. -->

# How each field of a study is used

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
