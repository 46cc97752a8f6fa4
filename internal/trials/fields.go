package trials

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	mapping "github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// readFields returns the requested fields of the rows of a search. The name of a filter means its field. A name without a field is an error
// that has the nearest one.
func readFields(given []string, near bool) (fields []string, err error) {
	known, filters := mapping.RowFieldNames(), tool.WordsFor(tools.SearchTrials, "fields").Means
	var bad []string
	for _, text := range strings.FieldsFunc(strings.Join(given, ","), func(r rune) bool { return r == ',' || r == ';' }) {
		name := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text)), " ", "_")
		switch {
		case slices.Contains(known, name):
			fields = append(fields, name)
		case slices.Contains([]string{"id", "nct_id", "nct_ids"}, name): // every row has it
		case filters[entity.Fold(name)] != nil:
			fields = append(fields, filters[entity.Fold(name)]...)
		default:
			if near := nearestField(name, known); near != "" {
				fields = append(fields, near)
			}
			bad = append(bad, text)
		}
	}
	if !near && slices.Contains(fields, ctgov.NearestSite) {
		return nil, envelope.Refuse("fields", ctgov.NearestSite, "only a search with near has it").
			Again(tools.SearchTrials, "with %s", tool.Object("near", "Boston, MA"))
	}
	if fields = entity.Once(fields); bad == nil {
		if fields == nil && len(given) > 0 {
			fields = []string{"id"}
		}
		return fields, nil
	}
	if fields == nil {
		fields = []string{"title", "status"}
	}
	names := strings.Join(bad, ", ")
	return nil, envelope.Refuse("fields", names, "no field is called %s; the fields are %s",
		envelope.Quoted(names), strings.Join(known, ", ")).Again(tools.SearchTrials, "with %s", tool.Object("fields", fields))
}

// nearestField returns the field that a name without a field means: the computed one or the plural, else the nearest in spelling; "": none.
func nearestField(name string, known []string) string {
	same := func(k string) bool { return strings.TrimSuffix(k, "_computed") == name || k == name+"s" }
	if i := slices.IndexFunc(known, same); i >= 0 {
		return known[i]
	}
	return tool.Nearest(name, known)
}

// chooseFields makes a search request only the pieces that the fields of its rows and their order by distance need.
func chooseFields(search *ctgov.Search, fields []string, distance bool) {
	if fields == nil {
		return
	}
	pieces := mapping.RowPieces(fields)
	if search.RecruitsNear || distance {
		pieces = append(append(pieces, "OverallStatus"), mapping.NearSiteFields()...)
	}
	if search.Number != nil {
		pieces = append(pieces, mapping.NumberPieces()...)
	}
	if search.OnlyIncluded {
		pieces = append(pieces, "EligibilityCriteria")
	}
	pieces = entity.Once(pieces)
	search.Columns, search.Fields = fields, &pieces
}

// showFields puts the rows with the requested fields in the place of the candidates.
func showFields(answer *SearchAnswer, fields []string) (err error) {
	if fields == nil {
		return nil
	}
	rows := entity.TrialFieldRows{Fields: fields, Items: []entity.TrialFieldRow{}, Pagination: answer.Value.Pagination}
	for _, candidate := range answer.Value.Items {
		rows.Items = append(rows.Items, *candidate.Row)
	}
	answer.Encoded, err = entity.JSON(rows)
	return err
}

// A SearchAnswer is the answer of search_trials.
type SearchAnswer = entity.Answer[entity.PageWith[entity.TrialSearchCandidate, entity.TrialSearch]]
