package query

import "sync"

// An Area is a group of pieces in which the words of a term are looked for.
type Area struct {
	Name   string
	Pieces []Weighted // heaviest first
}

// A Weighted is a piece of an area. Its weight is the registry's: how much a
// hit in the piece counts for the rank.
type Weighted struct {
	Piece  *Piece
	Weight float64
}

// AreaNamed returns one of the registry's search areas, or nil.
func AreaNamed(name string) *Area { return searchAreas()[name] }

// searchAreas returns the registry's search areas by name. Of the 57 pieces of
// BasicSearch, those with text that people look for are here.
var searchAreas = sync.OnceValue(func() map[string]*Area {
	type entry struct {
		piece  string
		weight float64
	}
	table := map[string][]entry{
		"BasicSearch": {
			{"NCTId", 1}, {"Acronym", 1}, {"BriefTitle", 0.89}, {"OfficialTitle", 0.85},
			{"Condition", 0.81}, {"InterventionName", 0.8}, {"InterventionOtherName", 0.75},
			{"Phase", 0.65}, {"StdAge", 0.65}, {"BriefSummary", 0.6}, {"PrimaryOutcomeMeasure", 0.6},
			{"Keyword", 0.6}, {"ConditionMeshTerm", 0.5}, {"InterventionMeshTerm", 0.5},
			{"ArmGroupLabel", 0.5}, {"SecondaryOutcomeMeasure", 0.5}, {"InterventionDescription", 0.45},
			{"ArmGroupDescription", 0.45}, {"PrimaryOutcomeDescription", 0.4}, {"LeadSponsorName", 0.4},
			{"OrgStudyId", 0.4}, {"SecondaryId", 0.4}, {"NCTIdAlias", 0.4},
			{"SecondaryOutcomeDescription", 0.35}, {"LocationFacility", 0.35}, {"LocationCity", 0.35},
			{"LocationState", 0.35}, {"LocationCountry", 0.35}, {"ConditionAncestorTerm", 0.3},
			{"InterventionAncestorTerm", 0.3}, {"InterventionType", 0.3}, {"ArmGroupType", 0.3},
			{"CollaboratorName", 0.3}, {"OrgFullName", 0.3}, {"OverallOfficialName", 0.3},
			{"OverallOfficialAffiliation", 0.3}, {"OtherOutcomeMeasure", 0.3},
			{"OtherOutcomeDescription", 0.3}, {"DetailedDescription", 0.25},
			{"EligibilityCriteria", 0.2}, {"StudyPopulation", 0.2}, {"StudyType", 0.2},
			{"OverallStatus", 0.2}, {"WhyStopped", 0.2}, {"LocationZip", 0.15},
		},
		"ConditionSearch": {
			{"Condition", 0.95}, {"BriefTitle", 0.6}, {"OfficialTitle", 0.55},
			{"ConditionMeshTerm", 0.5}, {"ConditionAncestorTerm", 0.4}, {"Keyword", 0.3}, {"NCTId", 0.2},
		},
		"InterventionSearch": {
			{"InterventionName", 0.95}, {"InterventionType", 0.85}, {"ArmGroupType", 0.85},
			{"InterventionOtherName", 0.75}, {"BriefTitle", 0.65}, {"OfficialTitle", 0.6},
			{"ArmGroupLabel", 0.5}, {"InterventionMeshTerm", 0.5}, {"Keyword", 0.5},
			{"InterventionAncestorTerm", 0.4}, {"InterventionDescription", 0.4}, {"ArmGroupDescription", 0.4},
		},
		"TitleSearch": {
			{"Acronym", 1}, {"BriefTitle", 0.95}, {"OfficialTitle", 0.8},
		},
		"OutcomeSearch": {
			{"PrimaryOutcomeMeasure", 0.9}, {"SecondaryOutcomeMeasure", 0.8},
			{"PrimaryOutcomeDescription", 0.6}, {"SecondaryOutcomeDescription", 0.5},
			{"OtherOutcomeMeasure", 0.4}, {"OutcomeMeasureTitle", 0.4}, {"OtherOutcomeDescription", 0.3},
			{"OutcomeMeasureDescription", 0.3}, {"OutcomeMeasurePopulationDescription", 0.3},
		},
		"SponsorSearch": {
			{"LeadSponsorName", 1}, {"CollaboratorName", 0.9}, {"OrgFullName", 0.6},
		},
		"LocationSearch": {
			{"LocationCity", 0.95}, {"LocationState", 0.95}, {"LocationCountry", 0.95},
			{"LocationFacility", 0.95}, {"LocationZip", 0.35},
		},
	}
	areas := make(map[string]*Area, len(table))
	for name, entries := range table {
		area := &Area{Name: name}
		for _, e := range entries {
			area.Pieces = append(area.Pieces, Weighted{PieceNamed(e.piece), e.weight})
		}
		areas[name] = area
	}
	return areas
})
