package trials

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
	"github.com/biofact-mcp/biofact/internal/query"
)

// A TrialDimension is a field by which trials are grouped.
type TrialDimension struct {
	Piece  string   // the registry's name of the field
	More   []string // further fields that the value needs
	List   bool     // a trial can have several values; without it they are one value, with slashes between them
	Year   bool     // the value is the year of a date
	Joined bool     // free text: spellings that differ by case, punctuation or spaces are one value
	Site   bool     // the value is that of a site, as siteValues writes it

	values func(*ctgov.Study) []string // nil: those of the piece
}

// TrialDimensions are the fields by which trials are grouped, by their names in the contract.
var TrialDimensions = map[string]TrialDimension{
	"phase":             {Piece: "Phase"},
	"status":            {Piece: "OverallStatus"},
	"study_type":        {Piece: "StudyType"},
	"country":           {Piece: "LocationCountry", List: true},
	"start_year":        {Piece: "StartDate", Year: true},
	"first_posted_year": {Piece: "StudyFirstPostDate", Year: true},
	"completion_year":   {Piece: "CompletionDate", Year: true},
	"sponsor_class":     {Piece: "LeadSponsorClass"},
	"lead_sponsor":      {Piece: "LeadSponsorName"},
	"intervention_type": {Piece: "InterventionType", List: true},
	"condition":         {Piece: "Condition", List: true},
	"sex":               {Piece: "Sex"},
	"age_group":         {Piece: "StdAge", List: true},
	"has_results":       {Piece: "HasResults"},
	"intervention":      {Piece: "InterventionName", List: true, Joined: true},
	"intervention_mesh": {Piece: "InterventionMeshTerm", List: true},
	"condition_mesh":    {Piece: "ConditionMeshTerm", List: true},
	"official":          {Piece: "OverallOfficialName", List: true, Joined: true},
	"arm_type":          {Piece: "ArmGroupType", List: true},
	"allocation":        {Piece: "DesignAllocation"},
	"masking":           {Piece: "DesignMasking"},
	"primary_purpose":   {Piece: "DesignPrimaryPurpose"},
	"facility": {Piece: "LocationFacility", More: []string{"LocationCity", "LocationState", "LocationCountry"}, List: true, Joined: true,
		Site: true, values: siteValues},
	"city": {Piece: "LocationCity", More: []string{"LocationState", "LocationCountry"}, List: true, Joined: true, Site: true,
		values: siteValues},
	"document": {Piece: "LargeDocHasProtocol", More: []string{"LargeDocHasSAP", "LargeDocHasICF"}, List: true, values: documentKinds},
}

// valuesOf returns the values of a dimension that a study has.
func (d TrialDimension) valuesOf(study *ctgov.Study) (values []string) {
	if d.values != nil {
		return d.values(study)
	}
	values = textsAt(reflect.ValueOf(study), query.PieceNamed(d.Piece).Path)
	for i := range values {
		if d.Year {
			values[i] = values[i][:min(len(values[i]), len("yyyy"))]
		}
	}
	return d.grouped(values)
}

// grouped returns the values of a trial as they are counted: one for a dimension that is no list.
func (d TrialDimension) grouped(values []string) []string {
	if !d.List {
		return listOf(strings.Join(values, "/"))
	}
	return values
}

// textsAt returns the values at a path of names in JSON, each as text, without empty ones.
func textsAt(value reflect.Value, path []string) (texts []string) {
	switch value.Kind() {
	case reflect.Pointer:
		if !value.IsNil() {
			return textsAt(value.Elem(), path)
		}
	case reflect.Slice:
		for i := range value.Len() {
			texts = append(texts, textsAt(value.Index(i), path)...)
		}
	case reflect.Struct:
		for field, inner := range value.Fields() {
			if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name == path[0] {
				return textsAt(inner, path[1:])
			}
		}
	case reflect.Bool:
		return []string{strconv.FormatBool(value.Bool())}
	default:
		return listOf(value.String())
	}
	return texts
}

// A TrialRow has the values of a trial that are counted, by dimension, each once.
type TrialRow struct {
	Posted string     `json:"posted,omitempty"` // when it was first posted
	Values [][]string `json:"values"`           // by dimension, in the requested order
}

// TrialRowOf returns the values that a study has in some dimensions.
func TrialRowOf(study *ctgov.Study, dimensions []string) TrialRow {
	row := TrialRow{Posted: firstPosted(study)}
	for _, name := range dimensions {
		row.Values = append(row.Values, text.Distinct(TrialDimensions[name].valuesOf(study)))
	}
	return row
}

// TrialCountsFields returns the fields that can be counted.
func TrialCountsFields() []string {
	return TrialRowFields(slices.Sorted(maps.Keys(TrialDimensions)))
}

// TrialRowFields returns the fields of a row with some dimensions.
func TrialRowFields(dimensions []string) []string {
	fields := []string{"StudyFirstPostDate", "VersionHolder"}
	for _, name := range dimensions {
		d := TrialDimensions[name]
		fields = append(append(fields, d.Piece), d.More...)
	}
	return entity.Once(fields)
}

// siteSeparator is between the parts of a site in the value of a dimension.
const siteSeparator = "¦"

// SiteOf returns the site of a value of a dimension.
func SiteOf(value string) *entity.TrialLocation {
	parts := append(strings.Split(value, siteSeparator), "", "", "", "")
	return &entity.TrialLocation{FacilityName: parts[0], City: parts[1], State: parts[2], Country: parts[3]}
}

// siteValues returns the sites of a study, each as one value.
func siteValues(s *ctgov.Study) (values []string) {
	for i := range s.ProtocolSection.ContactsLocationsModule.Locations {
		l := &s.ProtocolSection.ContactsLocationsModule.Locations[i]
		parts := []string{text.Clean(l.Facility), text.Clean(l.City), text.Clean(l.State), text.Clean(l.Country)}
		values = append(values, strings.Join(parts, siteSeparator))
	}
	return values
}

// documentKinds returns the kinds of the posted documents of a study.
func documentKinds(s *ctgov.Study) (kinds []string) {
	for _, d := range s.DocumentSection.LargeDocumentModule.LargeDocs {
		for kind, has := range map[string]*bool{"protocol": d.HasProtocol, "sap": d.HasSap, "icf": d.HasIcf} {
			if has != nil && *has {
				kinds = append(kinds, kind)
			}
		}
	}
	slices.Sort(kinds)
	return kinds
}

func firstPosted(s *ctgov.Study) string {
	return s.ProtocolSection.StatusModule.StudyFirstPostDateStruct.Date
}

// listOf returns a list with the value, nil for an empty value.
func listOf(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

func nonEmptyTexts[T ~string](values []T) (out []string) {
	for _, v := range values {
		out = append(out, listOf(string(v))...)
	}
	return out
}

// A TrialGroup is a number of trials with the same values, by dimension.
type TrialGroup struct {
	Values [][]string
	Count  int
}

// TrialGroupOf returns a group of count trials. pieces has their values, by dimension; for a date the value is the year.
func TrialGroupOf(dimensions []string, pieces [][]string, count int) TrialGroup {
	g := TrialGroup{Count: count}
	for i, name := range dimensions {
		g.Values = append(g.Values, TrialDimensions[name].grouped(pieces[i]))
	}
	return g
}
