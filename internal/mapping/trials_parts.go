package mapping

import (
	"cmp"
	"slices"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/id"
)

func protocol(p *ctgov.ProtocolSection) *entity.TrialProtocol {
	d, info, masking := &p.DesignModule, &p.DesignModule.DesignInfo, &p.DesignModule.DesignInfo.MaskingInfo
	return nonZero(entity.TrialProtocol{
		StudyType:                    enumValue[entity.StudyType](d.StudyType),
		Allocation:                   enumValue[entity.DesignAllocation](info.Allocation),
		InterventionModel:            enumValue[entity.InterventionalAssignment](info.InterventionModel),
		ObservationalModel:           enumValue[entity.ObservationalModel](info.ObservationalModel),
		Masking:                      enumValue[entity.DesignMasking](masking.Masking),
		PrimaryPurpose:               enumValue[entity.PrimaryPurpose](info.PrimaryPurpose),
		InterventionModelDescription: cleanMarkup(info.InterventionModelDescription),
		MaskingDescription:           cleanMarkup(masking.MaskingDescription),
		WhoMasked:                    enumValues[entity.WhoMasked](masking.WhoMasked),
		TimePerspective:              enumValue[entity.DesignTimePerspective](info.TimePerspective),
		PatientRegistry:              d.PatientRegistry,
		TargetDuration:               clean(d.TargetDuration),
		BiospecimenRetention:         enumValue[entity.BioSpecRetention](d.BioSpec.Retention),
		BiospecimenDescription:       cleanMarkup(d.BioSpec.Description),
		ArmsCounted:                  len(p.ArmsInterventionsModule.ArmGroups),
	})
}

func expandedAccess(info *ctgov.ExpandedAccessInfo, d *ctgov.DesignModule) *entity.ExpandedAccess {
	return nonZero(entity.ExpandedAccess{
		Available:       info.HasExpandedAccess,
		ID:              curie(id.NCT, info.NctId),
		Status:          enumValue[entity.ExpandedAccessStatus](info.StatusForNctId),
		Individual:      d.ExpandedAccessTypes.Individual,
		Intermediate:    d.ExpandedAccessTypes.Intermediate,
		Treatment:       d.ExpandedAccessTypes.Treatment,
		ReferringTrials: toInt(d.NPtrsToThisExpAccNctId),
	})
}

// toInt returns a number as an int. Some versions of the official document do not declare it as an integer.
func toInt[T int | float32](v *T) *int {
	if v == nil {
		return nil
	}
	return new(int(*v))
}

// locationsSummary counts sites by country, most sites first.
func locationsSummary(sites []ctgov.Location) *entity.LocationsSummary {
	if len(sites) == 0 {
		return nil
	}
	summary := &entity.LocationsSummary{Sites: len(sites)}
	known := slices.ContainsFunc(sites, func(l ctgov.Location) bool { return l.Status != "" })
	at := map[string]int{} // index of each country in the list
	for i := range sites {
		name := clean(sites[i].Country)
		if name == "" {
			continue
		}
		k, seen := at[name]
		if !seen {
			k = len(summary.Countries)
			at[name] = k
			summary.Countries = append(summary.Countries, entity.CountrySites{Country: name})
			if known {
				summary.Countries[k].Recruiting = new(int)
			}
		}
		summary.Countries[k].Sites++
		if sites[i].Status == ctgov.RecruitmentStatusRECRUITING {
			*summary.Countries[k].Recruiting++
		}
	}
	slices.SortStableFunc(summary.Countries, func(a, b entity.CountrySites) int { return cmp.Compare(b.Sites, a.Sites) })
	return summary
}

// setEligibility sets the criteria for participants.
func setEligibility(t *entity.Trial, e *ctgov.EligibilityModule) {
	t.EligibilityCriteria = eligibility(e)
	t.GenderBased = e.GenderBased
	t.GenderDescription = cleanMarkup(e.GenderDescription)
	t.AgeGroups = enumValues[entity.StandardAge](e.StdAges)
	t.StudyPopulation = cleanMarkup(e.StudyPopulation)
	t.SamplingMethod = enumValue[entity.SamplingMethod](e.SamplingMethod)
}

func arm(a *ctgov.ArmGroup) entity.Arm {
	return entity.Arm{
		Label: clean(a.Label), Type: enumValue[entity.ArmGroupType](a.Type), Description: cleanMarkup(a.Description),
		Interventions: cleanAll(a.InterventionNames),
	}
}

func intervention(i *ctgov.Intervention) entity.Intervention {
	return entity.Intervention{
		Name: clean(i.Name), Type: enumValue[entity.InterventionType](i.Type), Description: cleanMarkup(i.Description),
		OtherNames: cleanAll(i.OtherNames), Arms: cleanAll(i.ArmGroupLabels),
	}
}

func official(o *ctgov.Official) entity.Official {
	return entity.Official{Name: clean(o.Name), Role: enumValue[entity.OfficialRole](o.Role), Affiliation: clean(o.Affiliation)}
}

func responsibleParty(r *ctgov.ResponsibleParty) *entity.ResponsibleParty {
	return nonZero(entity.ResponsibleParty{
		Type:            enumValue[entity.ResponsiblePartyType](r.Type),
		Name:            clean(r.InvestigatorFullName),
		Title:           clean(r.InvestigatorTitle),
		Affiliation:     clean(r.InvestigatorAffiliation),
		OldNameTitle:    clean(r.OldNameTitle),
		OldOrganization: clean(r.OldOrganization),
	})
}
