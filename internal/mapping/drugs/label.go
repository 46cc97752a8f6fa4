package drugs

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	api "github.com/biofact-mcp/biofact/gen/openfda"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// The sections that a default answer shows, which come first in lists.
const (
	BoxedWarning = "boxed_warning"
	Indications  = "indications_and_usage"
	elements     = "spl_product_data_elements"
	clinical     = "clinical_studies"
	tableSuffix  = "_table"
)

// A Label is a label with its sections.
type Label struct {
	SetID, Version, Effective string
	Openfda                   api.Harmonised
	// Elements are the names of the product and of its ingredients, active or not.
	Elements []string
	// Text are the sections, Tables their tables as HTML.
	Text, Tables map[string][]string
}

// ReadLabel reads a record.
func ReadLabel(record []byte) (Label, error) {
	var known api.Label
	if err := json.Unmarshal(record, &known); err != nil {
		return Label{}, err
	}
	if known.SetId == "" {
		return Label{}, text.ErrIncomplete
	}
	l := Label{SetID: known.SetId, Version: text.Clean(known.Version), Effective: date(known.EffectiveTime), Openfda: known.Openfda,
		Elements: known.SplProductDataElements,
		Text:     map[string][]string{}, Tables: map[string][]string{}}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(record, &members); err != nil {
		return Label{}, err
	}
	for name, value := range members {
		var texts []string
		if name == elements || json.Unmarshal(value, &texts) != nil {
			continue
		}
		if section, table := strings.CutSuffix(name, tableSuffix); table {
			l.Tables[section] = texts
		} else if strings.TrimSpace(strings.Join(texts, "")) != "" {
			l.Text[name] = texts
		}
	}
	return l, nil
}

// substances returns the harmonised substances. A label without them has the words about its product in their place.
func (l *Label) substances() []string {
	switch {
	case len(l.Openfda.SubstanceName) > 0:
		return l.Openfda.SubstanceName
	case len(l.Openfda.GenericName) > 0:
		return l.Openfda.GenericName
	}
	return []string{entity.Cut(text.FirstNonEmpty(l.Elements...), maxElements)}
}

// maxElements limits the words about a product that stand for its substances.
const maxElements = 80

// Sections returns the keys of the sections: the boxed warning and the indications first, the others in alphabetical order.
func (l *Label) Sections() []string {
	first := []string{Indications, BoxedWarning} // the last one comes first
	return slices.SortedFunc(maps.Keys(l.Text), func(a, b string) int {
		return cmp.Or(cmp.Compare(slices.Index(first, b), slices.Index(first, a)), cmp.Compare(a, b))
	})
}

// Section returns the text of a section as it is.
func (l *Label) Section(key string) string {
	return strings.TrimSpace(entity.Clean(strings.Join(l.Text[key], "\n\n")))
}

// Rows returns the tables of a section, a line for each row with its cells.
func (l *Label) Rows(key string) (rows []string) {
	for _, table := range l.Tables[key] {
		rows = append(rows, tableRows(table)...)
	}
	return rows
}

// tableRows returns the rows of a table in HTML.
func tableRows(table string) (rows []string) {
	d := xml.NewDecoder(strings.NewReader(table))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var cells []string
	var cell strings.Builder
	end := func() {
		cells = append(cells, strings.Join(strings.Fields(text.Clean(cell.String())), " "))
		cell.Reset()
	}
	flush := func() {
		if row := strings.Join(cells, " | "); strings.Trim(row, " |") != "" {
			rows = append(rows, row)
		}
		cells = nil
	}
	for {
		token, err := d.Token()
		if err != nil { // the end, or no more HTML
			end()
			flush()
			return rows
		}
		switch t := token.(type) {
		case xml.CharData:
			cell.Write(t)
			cell.WriteByte(' ')
		case xml.EndElement:
			switch strings.ToLower(t.Name.Local) {
			case "td", "th":
				end()
			case "tr", "caption":
				if strings.TrimSpace(cell.String()) != "" {
					end()
				}
				flush()
			}
		}
	}
}

// aroundCitation is the number of characters of the text around the id of a trial.
const aroundCitation = 200

// Citations returns the trials that a label cites, each once: where its clinical studies cite it, else in the first section.
func (l *Label) Citations() (cited []entity.DrugCitation) {
	seen := map[string]bool{}
	for _, key := range entity.Once(append([]string{clinical}, l.Sections()...)) {
		full, at := l.Section(key), 0
		for _, written := range id.NCT.Written(full) {
			at += strings.Index(full[at:], written)
			if nct, ok := id.NCT.Read(written); ok && !seen[nct] {
				seen[nct] = true
				cited = append(cited, entity.DrugCitation{NCTID: id.NCT.CURIE(nct), Section: key,
					Text: Around(full, at, at+len(written), aroundCitation)})
			}
			at += len(written)
		}
	}
	return cited
}

// sentenceEnd matches the end of a sentence.
var sentenceEnd = lazyregexp.New(`[.!?]\s+|\n+`)

// Around returns the sentence around a part of a text, or as many words of it as limit allows, with an ellipsis where words are left out.
func Around(full string, start, end, limit int) string {
	from, to := 0, len(full)
	for _, stop := range sentenceEnd.FindAllStringIndex(full, -1) {
		if stop[1] <= start {
			from = stop[1]
		} else if stop[0] >= end {
			to = min(to, stop[0]+1)
			break
		}
	}
	before, after := []rune(full[from:start]), full[end:to]
	most := max(0, limit-utf8.RuneCountInString(full[start:end]))
	if len(before)+utf8.RuneCountInString(after) > most {
		if cut := len(before) - most/2; cut > 0 {
			words := string(before[cut:])
			if i := strings.IndexByte(words, ' '); i >= 0 {
				words = words[i+1:]
			}
			before = []rune("…" + words)
		}
		after = entity.Cut(after, max(1, most-len(before)))
	}
	return strings.TrimSpace(string(before) + full[start:end] + after)
}
