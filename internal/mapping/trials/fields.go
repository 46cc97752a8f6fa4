package trials

import (
	_ "embed"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// rowsTSV has a line for each field of entity.TrialFieldRow: its name, its place in entity.Trial, and the pieces of a study that it needs.
// A field without a place is set by setComputed.
//
//go:embed rows.tsv
var rowsTSV string

type rowField struct {
	from   []string // names of fields in Go
	pieces []string
}

// rowFields has the fields of a row by name.
var rowFields = sync.OnceValue(func() map[string]rowField {
	fields := map[string]rowField{}
	for line := range strings.Lines(rowsTSV) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		f := rowField{pieces: strings.Fields(columns[2])}
		if columns[1] != "-" {
			f.from = strings.Split(columns[1], ".")
		}
		fields[columns[0]] = f
	}
	return fields
})

// RowFieldNames returns the names of the fields that the row of a search can have, in their order.
var RowFieldNames = sync.OnceValue(func() (names []string) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[entity.TrialFieldRow]())[1:] {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
})

// RowPieces returns the pieces of a study that some fields of a row need.
func RowPieces(fields []string) []string {
	pieces := []string{"NCTId", "VersionHolder"}
	for _, name := range fields {
		pieces = append(pieces, rowFields()[name].pieces...)
	}
	return entity.Once(pieces)
}

// TrialFieldRow maps a study to a row with some fields. Fields that are not requested can be missing in the study.
func TrialFieldRow(s *ctgov.Study, fields []string) entity.TrialFieldRow {
	t := trialOf(s)
	var all entity.TrialFieldRow
	setComputed(&all, &t, DataVersion(s))
	row := entity.TrialFieldRow{ID: t.ID}
	known := reflect.ValueOf(&row).Elem()
	for field, value := range reflect.ValueOf(all).Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !slices.Contains(fields, name) || name == "id" {
			continue
		}
		if from := rowFields()[name].from; from != nil {
			value = valueAt(reflect.ValueOf(t), from)
		}
		if value.IsValid() {
			known.FieldByIndex(field.Index).Set(value)
		}
	}
	return row
}

// valueAt returns the value at a path of Go fields; of a list of objects, the texts at the path in each. It returns the zero Value if the
// path leads through nil.
func valueAt(value reflect.Value, path []string) reflect.Value {
	for i, name := range path {
		if value.Kind() == reflect.Pointer {
			if value.IsNil() {
				return reflect.Value{}
			}
			value = value.Elem()
		}
		if value.Kind() == reflect.Slice {
			var texts []string
			for k := range value.Len() {
				texts = append(texts, valueAt(value.Index(k), path[i:]).String())
			}
			return reflect.ValueOf(text.Distinct(texts))
		}
		value = value.FieldByName(name)
	}
	return value
}

// setComputed sets the fields of a row that are no copies. day is the day of the data.
func setComputed(row *entity.TrialFieldRow, t *entity.Trial, day string) {
	row.Phases = t.Phases
	if t.Phase != "" && t.Phases == nil {
		row.Phases = []entity.Phase{t.Phase}
	}
	for _, s := range t.Sponsors {
		if s.Role == entity.LeadSponsor {
			row.LeadSponsor, row.SponsorClass = s.Name, s.Class
		} else {
			row.Collaborators = append(row.Collaborators, s.Name)
		}
	}
	if l := t.LocationsSummary; l != nil {
		row.Sites = &l.Sites
		for _, c := range l.Countries {
			row.Countries = append(row.Countries, c.Country)
			row.SitesPerCountry = append(row.SitesPerCountry, entity.CountrySites{Country: c.Country, Sites: c.Sites})
		}
		slices.Sort(row.Countries)
	}
	if r := Reporting(t, day); r != nil {
		row.DueDateComputed = r.DueDate
		if r.Status == "due" || r.Status == "overdue" {
			row.DaysOverdueComputed = daysBetween(r.DueDate, day)
		}
	}
	if start, end := firstDay(t.StartDate), firstDay(t.CompletionDate); start != "" && end != "" {
		row.DurationMonthsComputed = new(math.Round(float64(daysBetween(start, end))/30.4375*10) / 10)
	}
}

// firstDay returns the first day of a date, which may be a month or a year; "" for no date.
func firstDay(date string) string {
	if date == "" {
		return ""
	}
	return date + "-01-01"[min(len(date)-len("2006"), len("-01-01")):]
}
