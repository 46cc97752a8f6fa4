package trials

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// A TrialDimension is a field by which trials are grouped.
type TrialDimension struct {
	Piece  string   // the registry's name of the field
	More   []string // further fields that the value needs
	List   bool     // a trial can have several values
	Year   bool     // the value is the year of a date
	Joined bool     // free text: spellings that differ by case, punctuation or spaces are one value
	Site   bool     // the value is that of a site, as SiteValue writes it

	values func(*ctgov.Study) []string
}

// TrialDimensions are the fields by which trials are grouped, by their names in the contract.
var TrialDimensions = map[string]TrialDimension{
	"phase": {Piece: "Phase", values: func(s *ctgov.Study) []string {
		return listOf(strings.Join(nonEmptyTexts(s.ProtocolSection.DesignModule.Phases), "/"))
	}},
	"status": {Piece: "OverallStatus",
		values: func(s *ctgov.Study) []string { return listOf(string(s.ProtocolSection.StatusModule.OverallStatus)) }},
	"study_type": {Piece: "StudyType",
		values: func(s *ctgov.Study) []string { return listOf(string(s.ProtocolSection.DesignModule.StudyType)) }},
	"country": {Piece: "LocationCountry", List: true, values: countries},
	"start_year": {Piece: "StartDate",
		Year: true, values: func(s *ctgov.Study) []string { return yearOf(s.ProtocolSection.StatusModule.StartDateStruct.Date) }},
	"first_posted_year": {Piece: "StudyFirstPostDate", Year: true, values: func(s *ctgov.Study) []string { return yearOf(firstPosted(s)) }},
	"completion_year": {Piece: "CompletionDate", Year: true,
		values: func(s *ctgov.Study) []string { return yearOf(s.ProtocolSection.StatusModule.CompletionDateStruct.Date) }},
	"sponsor_class":     {Piece: "LeadSponsorClass", values: func(s *ctgov.Study) []string { return listOf(string(leadSponsor(s).Class)) }},
	"lead_sponsor":      {Piece: "LeadSponsorName", values: func(s *ctgov.Study) []string { return listOf(leadSponsor(s).Name) }},
	"intervention_type": {Piece: "InterventionType", List: true, values: interventionTypes},
	"condition": {Piece: "Condition",
		List: true, values: func(s *ctgov.Study) []string { return s.ProtocolSection.ConditionsModule.Conditions }},
	"sex": {Piece: "Sex", values: func(s *ctgov.Study) []string { return listOf(string(s.ProtocolSection.EligibilityModule.Sex)) }},
	"age_group": {Piece: "StdAge",
		List: true, values: func(s *ctgov.Study) []string { return nonEmptyTexts(s.ProtocolSection.EligibilityModule.StdAges) }},
	"has_results": {Piece: "HasResults", values: hasResults},
	"intervention": {Piece: "InterventionName", List: true, Joined: true, values: func(s *ctgov.Study) []string {
		return interventionNames(&s.ProtocolSection)
	}},
	"intervention_mesh": {Piece: "InterventionMeshTerm", List: true, values: func(s *ctgov.Study) []string {
		return meshTerms(s.DerivedSection.InterventionBrowseModule.Meshes)
	}},
	"condition_mesh": {Piece: "ConditionMeshTerm", List: true, values: func(s *ctgov.Study) []string {
		return meshTerms(s.DerivedSection.ConditionBrowseModule.Meshes)
	}},
	"facility": {Piece: "LocationFacility", More: []string{"LocationCity", "LocationState", "LocationCountry"}, List: true, Joined: true,
		Site: true, values: siteValues},
	"city": {Piece: "LocationCity", More: []string{"LocationState", "LocationCountry"}, List: true, Joined: true, Site: true,
		values: siteValues},
	"official": {Piece: "OverallOfficialName", List: true, Joined: true, values: func(s *ctgov.Study) (names []string) {
		for _, o := range s.ProtocolSection.ContactsLocationsModule.OverallOfficials {
			names = append(names, listOf(o.Name)...)
		}
		return names
	}},
	"arm_type": {Piece: "ArmGroupType", List: true, values: func(s *ctgov.Study) (types []string) {
		for _, a := range s.ProtocolSection.ArmsInterventionsModule.ArmGroups {
			types = append(types, listOf(string(a.Type))...)
		}
		return types
	}},
	"allocation": {Piece: "DesignAllocation", values: func(s *ctgov.Study) []string {
		return listOf(string(s.ProtocolSection.DesignModule.DesignInfo.Allocation))
	}},
	"masking": {Piece: "DesignMasking", values: func(s *ctgov.Study) []string {
		return listOf(string(s.ProtocolSection.DesignModule.DesignInfo.MaskingInfo.Masking))
	}},
	"document": {Piece: "LargeDocHasProtocol", More: []string{"LargeDocHasSAP", "LargeDocHasICF"}, List: true, values: documentKinds},
	"primary_purpose": {Piece: "DesignPrimaryPurpose", values: func(s *ctgov.Study) []string {
		return listOf(string(s.ProtocolSection.DesignModule.DesignInfo.PrimaryPurpose))
	}},
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
		row.Values = append(row.Values, text.Distinct(TrialDimensions[name].values(study)))
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

func meshTerms(meshes []ctgov.Mesh) (terms []string) {
	for i := range meshes {
		terms = append(terms, listOf(meshes[i].Term)...)
	}
	return terms
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

func leadSponsor(s *ctgov.Study) ctgov.Sponsor {
	return s.ProtocolSection.SponsorCollaboratorsModule.LeadSponsor
}

func hasResults(s *ctgov.Study) []string {
	if s.HasResults == nil {
		return nil
	}
	return listOf(strconv.FormatBool(*s.HasResults))
}

func countries(s *ctgov.Study) (names []string) {
	for _, site := range s.ProtocolSection.ContactsLocationsModule.Locations {
		names = append(names, listOf(site.Country)...)
	}
	return names
}

func interventionTypes(s *ctgov.Study) (types []string) {
	for _, i := range s.ProtocolSection.ArmsInterventionsModule.Interventions {
		types = append(types, listOf(string(i.Type))...)
	}
	return types
}

// yearOf returns the year of a date that begins with it.
func yearOf(date string) []string {
	if len(date) < len("yyyy") {
		return nil
	}
	return []string{date[:len("yyyy")]}
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
		values := pieces[i]
		if !TrialDimensions[name].List {
			values = listOf(strings.Join(values, "/"))
		}
		g.Values = append(g.Values, values)
	}
	return g
}
