package display

import "strings"

// PublicationColumns are the columns of the table of the publications of trials.
var PublicationColumns = []string{"nct_id", "pmid", "pmcid", "doi", "title", "journal", "date", "reasons", "candidate"}

// PublicationRows returns an answer of get_trial with a row for each publication of its trials as items: the id of the trial, the article,
// and the reasons in one text.
func PublicationRows(answer []byte) ([]byte, error) {
	parsed, err := Parse(answer)
	if err != nil {
		return answer, err
	}
	trials, isList := parsed.envelope.Get("items").([]any)
	if !isList {
		trials = []any{parsed.envelope}
	}
	rows := []any{}
	for _, trial := range objects(trials) {
		for _, paper := range objects(trial.Get("publications")) {
			row := object{{Name: "nct_id", Value: trial.Text("id")}}
			for _, m := range paper {
				if m.Name == "reasons" {
					m.Value = strings.ReplaceAll(oneLine(m.Value), "; ", ";")
				}
				row = append(row, m)
			}
			rows = append(rows, row)
		}
	}
	out := object{{Name: "items", Value: rows}}
	for _, m := range parsed.envelope {
		if m.Name == "notices" || m.Name == "next" || m.Name == "pagination" {
			out = append(out, m)
		}
	}
	return encoded(out), nil
}
